"""Untidy files made of a real output: each is told by a kind that says what it is."""

from __future__ import annotations

import pytest

import recte
from recte import System
from recte.evaluation.cleaning import clean
from recte.evaluation.plausibility.finding import WARNING
from recte.evaluation.plausibility.plausibility_check import findings
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from recte.text.untidiness.table import ALL_KINDS
from shared_data import shared
from untidy_files import DETOKENISED_FILES, SPOILT_FILES, UNTIDY_FILES

KINDS = {kind.name for kind in ALL_KINDS}


@pytest.fixture(scope="module")
def gold():
    return read_m2(shared("data", "conll14", "gold.m2"))


@pytest.fixture(scope="module")
def output():
    return list(read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs)


def warned(gold, lines):
    return {finding.kind for finding in findings(gold, [System("x", tuple(lines))]) if finding.level == WARNING}


@pytest.fixture(scope="module")
def score(gold):
    scorer = recte.MaxMatch().prepare(gold)
    return lambda lines: 100 * scorer.metric.score_counts(scorer.count(System("x", tuple(lines)))).score


@pytest.mark.parametrize("name", UNTIDY_FILES)
def test_no_loss_is_silent(gold, output, name):
    lines = UNTIDY_FILES[name](list(gold.unchanged), output)
    if len(lines) != len(gold):
        return  # such files are refused
    assert lines != output
    assert warned(gold, lines) & KINDS


@pytest.mark.parametrize("name", SPOILT_FILES)
def test_what_cannot_be_undone_is_told_before_and_after_cleaning(gold, output, name):
    lines = SPOILT_FILES[name](list(gold.unchanged), output)
    assert warned(gold, lines)
    cleaned = clean(gold.unchanged, lines)
    assert warned(gold, cleaned.outputs) or cleaned.doubts


@pytest.mark.parametrize("name", DETOKENISED_FILES)
def test_lines_in_other_tokens_are_told_and_put_on_those_of_the_source(gold, output, score, name):
    sources = list(gold.unchanged)
    lines = DETOKENISED_FILES[name](sources, output)
    assert warned(gold, lines) & {"detokenised", "clitics"}
    assert abs(score(recte.tokenise_like(sources, lines)) - score(output)) < 0.3


def test_cleaning_is_promised_where_it_changes_lines(gold, output):
    def told(lines, **options):
        system = System("x", tuple(lines), **options)
        return [f.message for f in findings(gold, [system]) if f.level == WARNING and f.kind in KINDS]

    lines = [f"Corrected: {text}" for text in output]
    assert "--clean undoes it" in " ".join(told(lines))
    assert told(lines, changed=("clean",))
    assert "--clean" not in " ".join(told(lines, changed=("clean",)))
    inside = [text.replace("the", "t\u2605e") for text in output]  # of which nobody knows the rest
    assert told(inside)
    assert "--clean" not in " ".join(told(inside))
