"""The simulation behind the tables of docs/inference.md: the same figures, however the work was divided."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks import interval_coverage

from recte import Corpus, MaxMatch
from recte.statistics.bootstrap import INTERVAL_METHODS
from recte.statistics.paired import TESTS

SENTENCES = 60


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> dict[str, interval_coverage.Pair]:
    """M² of two systems, one of which corrects more sentences."""
    sources = ["He go home ."] * SENTENCES
    gold = Corpus.from_references(sources, [["He goes home ."] * SENTENCES])
    scorer = MaxMatch().prepare(gold)
    first, second = (
        scorer.count(["He goes home ." if place % modulus == 0 else "He go home ." for place in range(SENTENCES)])
        for modulus in (2, 3)
    )
    monkeypatch.setattr(interval_coverage, "_pairs", {"m2": (first, second)})
    return {"m2": (first, second)}


def slices(subject: str, size: int = 30, draws: int = 20) -> list[interval_coverage.Slice]:
    return list(interval_coverage.empty_slices([subject], [size], ["m2"], draws))


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("subject", ["intervals", "tests"])
def test_a_slice_is_the_same_whatever_was_measured_before(subject: str) -> None:
    first, second = slices(subject)
    in_order = [interval_coverage.measure_slice(part) for part in (first, second)]
    backwards = [interval_coverage.measure_slice(part) for part in (second, first)]
    assert in_order == backwards[::-1]


@pytest.mark.usefixtures("pairs")
def test_hits_are_those_of_intervals_that_hold_the_true_score(monkeypatch: pytest.MonkeyPatch) -> None:
    (empty,) = slices("intervals", draws=10)
    measured = interval_coverage.measure_slice(empty)
    assert set(measured.hits) == set(INTERVAL_METHODS)
    assert all(7 <= hits <= 10 for hits in measured.hits.values())
    monkeypatch.setattr(MaxMatch, "score_counts", lambda metric, counts: SimpleNamespace(score=0.0))
    assert set(interval_coverage.measure_slice(empty).hits.values()) == {0}


@pytest.mark.usefixtures("pairs")
def test_swapped_systems_seldom_differ() -> None:
    measured = [interval_coverage.measure_slice(part) for part in slices("tests", draws=60)]
    alarms = {test: sum(part.hits[test] for part in measured) for test in TESTS}
    assert all(alarms[test] <= 12 for test in TESTS if test != "bootstrap-sacrebleu"), alarms
    assert sum(alarms.values()) >= 1  # chance alone makes some


@pytest.mark.usefixtures("pairs")
def test_no_slice_begins_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_coverage, "_end", 0.0)
    assert interval_coverage.measure_slice(slices("intervals")[0]) is None


def test_files_are_merged_and_lines_cut_off_left_out(tmp_path: Path) -> None:
    measured = [
        replace(part, hits={"percentile": 9, "bca": 8}, widths={"percentile": 20.0, "bca": 30.0})
        for part in slices("intervals")
    ]
    lines = [json.dumps(asdict(part)) for part in measured]
    (tmp_path / "one.jsonl").write_text(f"{lines[0]}\n{lines[1][:-1]}", "utf-8")
    (tmp_path / "both.jsonl").write_text(f"{lines[0][:40]}\n{lines[0]}\n{lines[1]}\n", "utf-8")
    assert list(interval_coverage.read_slices([tmp_path / "one.jsonl"]).values()) == measured[:1]
    merged = interval_coverage.read_slices([tmp_path / "one.jsonl", tmp_path / "both.jsonl"])
    assert list(merged.values()) == measured
    rows = list(interval_coverage.tables(merged.values(), 20))
    assert "| 30 | percentile | .900 | not measured | not measured | not measured |" in rows
    assert "| 30 | bca | 3.00 | not measured | not measured | not measured |" in rows
    assert "| 30 | bca | .800 (20 draws) | not measured | not measured | not measured |" in list(
        interval_coverage.tables(merged.values(), 1000)
    )


def test_test_sets_are_numbered_in_their_order(pairs: dict[str, interval_coverage.Pair]) -> None:
    test_set = interval_coverage.draw_test_set(pairs["m2"][0], np.array([5, 5, 0]))
    assert test_set.index.tolist() == [0, 1, 2]
    assert np.array_equal(test_set.rows, pairs["m2"][0].rows[[5, 5, 0]])
