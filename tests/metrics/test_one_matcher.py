"""Whatever is said of edits is read from one match: where it finds nothing, nothing is a true positive anywhere."""

from __future__ import annotations

import pytest

from recte import Corpus, Edit, System, evaluate
from recte.edits import matching
from recte.metrics.attribution import attribute
from recte.metrics.cherrant import Cherrant
from recte.metrics.errant import Errant
from recte.metrics.explanation import explain
from recte.metrics.goto import Goto
from recte.metrics.maxmatch import MaxMatch
from recte.output.charts.error_types import error_type_charts
from recte.output.page.explorer import explorer_data

EDITS = (Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 3, ("the",), "M:DET"))
GOLD = Corpus.from_edits(["He go to school ."], [[list(EDITS)]])
SYSTEM = System("mine", ("He goes to the school .",), (EDITS,))
CHARACTERS = Corpus.from_edits(["我 喜 换 你"], [[[Edit(2, 3, ("欢",), "S")]]])
CHINESE = System("mine", ("我 喜 欢 你",), ((Edit(2, 3, ("欢",), "S"),),))
CASES = [(MaxMatch, GOLD, SYSTEM), (Errant, GOLD, SYSTEM), (Cherrant, CHARACTERS, CHINESE)]


def right(metric, gold, system):
    """True positives wherever they are shown: counts, types, verdicts, explanation, weights, attribution, a page."""
    scorer = metric().prepare(gold)
    counts = scorer.count(system)
    types = scorer.count_types(system, counts).types
    evaluation = evaluate(gold, [system], [metric()])
    of_page, charts = explorer_data(evaluation), error_type_charts(evaluation, {metric.name: [system.name]})
    shown = {
        "types": int(types.cells[:, [1, 3]].sum()),
        "verdicts": sum(e.verdict == "correct" for of in scorer.judged_edits(system) for e in of["0"]),
        "explanation": sum(e.verdict == "correct" for e in explain(scorer, system, 1).annotators[0].edits),
        "weights": float(metric(edit_weights="length").score(gold, system).tp),
        "page": sum(edit[0] == 0 for edit in of_page["sentences"][0]["judged"][0][0][1]),
        "charts": sum(row["right"] for chart in charts.values() for row in chart["datasets"]["rates"]),
    }
    if metric is not MaxMatch:  # its search counts while it matches
        shown |= {"counts": metric().score_counts(counts).tp, "attribution": attribute(scorer, system, 1).score}
    return shown


@pytest.mark.parametrize(("metric", "gold", "system"), CASES)
def test_a_match_that_finds_nothing_leaves_no_true_positive(monkeypatch, metric, gold, system):
    assert all(right(metric, gold, system).values())
    actual = matching._same_span
    monkeypatch.setattr(matching, "_same_span", lambda ours, theirs: actual(ours, theirs)[:0])
    assert not any(right(metric, gold, system).values())


def test_gotoscorers_verdicts_too(monkeypatch):
    scorer = Goto(weighting="plain").prepare(GOLD)
    verdicts = {edit.verdict for of in scorer.judged_edits(SYSTEM) for edits in of.values() for edit in edits}
    assert verdicts == {"correct"}
    actual = matching._same_span
    monkeypatch.setattr(matching, "_same_span", lambda ours, theirs: actual(ours, theirs)[:0])
    verdicts = {edit.verdict for of in scorer.judged_edits(SYSTEM) for edits in of.values() for edit in edits}
    assert verdicts == {"spurious", "missed"}
