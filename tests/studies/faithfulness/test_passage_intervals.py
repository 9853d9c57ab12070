"""Intervals of UCCASIM's average over passages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recte.statistics.bootstrap import bootstrap_weights
from recte.studies.faithfulness.command import faithfulness_table
from recte.studies.faithfulness.edge_f_score import MatchCounts
from recte.studies.faithfulness.graph import Edge, Passage, Terminal, Unit
from recte.studies.faithfulness.passage_faithfulness import Faithfulness, score_faithfulness
from recte.studies.faithfulness.unit_similarity import UccaSim


def scored(values) -> Faithfulness:
    """Passages of which so many of a hundred units match."""
    units = Unit("1.1"), Unit("1.2", (0, 1)), Unit("1.3", (2,))
    edges = Edge(0, 1, ("A",)), Edge(0, 2, ("P",))
    passage = Passage("s", tuple(map(Terminal, ("A", "boy", "sings"))), units, edges)
    item = score_faithfulness([("p", passage, passage, "")])
    row = item.passages[0]
    scores = [UccaSim("official", (MatchCounts(matched, 100, matched, 100),)) for matched in values]
    return replace(item, passages=tuple(replace(row, name=str(n), uccasim=s) for n, s in enumerate(scores)))


def test_passages_are_resampled():
    values = np.random.default_rng(1).integers(100, size=12).tolist()
    average = scored(values).average
    means = [np.repeat(values, row).mean() / 100 for row in bootstrap_weights(12, 1000, 12345)]
    assert [average.interval.low, average.interval.high] == pytest.approx(np.quantile(means, [0.025, 0.975]))
    assert average.interval.unit == "passages"
    notes = "\n".join(faithfulness_table(scored(values)).notes)
    assert "UCCASIM: 95% interval [" in notes
    assert "|resamples:1000|level:0.95|seed:12345|version:" in notes
    assert "over 12 resampled passages" in notes


def test_few_passages_have_no_interval():
    few = scored([50] * 9)
    assert few.average.interval is None
    assert "seed" not in few.signature
    assert "UCCASIM: no interval, which needs 10 passages or more, got 9" in faithfulness_table(few).notes
