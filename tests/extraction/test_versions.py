"""Alignment and merging by the rules of other versions: golden cases, and the literal twin on random ones."""

from __future__ import annotations

import pytest

from annotated_cases import annotated
from recte.extraction.alignment import align, edit_spans
from shared_data import golden_lines


@pytest.fixture(scope="module")
def cases():
    return golden_lines("errant-languages/merging-cases.jsonl.gz")


@pytest.fixture(scope="module")
def pairs(cases):
    def sentence(rows):
        return annotated([(text, pos, "", lemma, "dep", 0) for text, pos, lemma in rows])

    return [(sentence(case["orig"]), sentence(case["cor"])) for case in cases]


@pytest.mark.parametrize("version", ["2.2", "2.3"])
def test_costs_and_steps_in_the_older_arithmetic(cases, pairs, version):
    for case, aligned in zip(cases, align(pairs, version=version), strict=True):
        assert aligned.cost == case["cost"]
        assert [[operation, *span] for operation, span in aligned.steps] == case["ops"]


@pytest.mark.parametrize(("version", "key"), [("2.2", "edits_2_2"), ("2.3", "edits_3_0")])
def test_edits_by_both_generations_of_merging(cases, pairs, version, key):
    assert [[list(span) for span in spans] for spans in edit_spans(pairs, version=version)] == [c[key] for c in cases]


def test_the_generations_differ(cases):
    assert sum(case["edits_2_2"] != case["edits_3_0"] for case in cases) > 50
