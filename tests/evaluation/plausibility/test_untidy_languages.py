"""Untidy files of Ukrainian and Chinese: cleaned they score as the tidy ones, or a warning names what is wrong."""

from __future__ import annotations

from functools import cache

import pytest

import recte
from recte import Corpus, System
from recte.edits.references import annotators_of
from recte.evaluation.cleaning import clean
from recte.evaluation.plausibility.finding import WARNING
from recte.evaluation.plausibility.plausibility_check import findings
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from recte.text.untidiness.table import ALL_KINDS
from shared_data import shared
from untidy_files import CHINESE_FILES, UKRAINIAN_FILES

FILES = {"uk": UKRAINIAN_FILES, "zh": CHINESE_FILES}
CASES = [(language, name) for language, files in FILES.items() for name in files]
KINDS = {kind.name for kind in ALL_KINDS} | {"detokenised", "width"}
# What `clean` leaves as it is: tokens and forms of signs are of `--outputs raw` and `--normalise`.
LEFT_ALONE = (
    "detokenised",
    "every tenth line detokenised",
    "no blanks",
    "every tenth line without blanks",
    "narrow marks",
)


@cache
def gold_and_output(language):
    if language == "uk":  # the second annotator's text, scored by the first one's
        both = read_m2(shared("data", "ukrainian", "gec-only.test.m2"))
        first, second = (list(annotator.outputs) for annotator in annotators_of(both)[:2])
        return type(both).from_references(list(both.unchanged), [first]), second
    gold = read_m2(shared("data", "chinese", "nlpcc18", "gold.m2"), lenient=True)
    return gold, list(read_system(shared("data", "chinese", "nlpcc18", "convs2s.pkunlp.txt")).outputs)


@cache
def scorer_of(language):
    return recte.MaxMatch().prepare(gold_and_output(language)[0])


@cache
def tidy_score(language):
    return score(language, gold_and_output(language)[1])


def score(language, lines):
    return 100 * scorer_of(language).score(list(lines)).score


def warned(gold, lines):
    return {finding.kind for finding in findings(gold, [System("x", tuple(lines))]) if finding.level == WARNING}


@pytest.mark.parametrize(("language", "name"), CASES)
def test_no_loss_is_silent(language, name):
    gold, output = gold_and_output(language)
    lines = FILES[language][name](list(gold.unchanged), output)
    if len(lines) == len(gold):  # others are refused
        assert warned(gold, lines) & KINDS


@pytest.mark.parametrize(("language", "name"), [case for case in CASES if case[1] not in LEFT_ALONE])
def test_cleaned_files_score_as_the_tidy_one(language, name):
    gold, output = gold_and_output(language)
    cleaned = clean(gold.unchanged, FILES[language][name](list(gold.unchanged), output))
    assert len(cleaned.outputs) == len(gold)
    loss = abs(score(language, cleaned.outputs) - tidy_score(language))
    assert loss < 0.3 or (loss < 0.5 and cleaned.doubts)  # what had to be guessed is told


@pytest.mark.parametrize("name", ["detokenised", "every tenth line detokenised"])
def test_detokenised_ukrainian_gets_the_tokens_of_its_sources(name):
    gold, output = gold_and_output("uk")
    lines = UKRAINIAN_FILES[name](list(gold.unchanged), output)
    assert abs(score("uk", recte.tokenise_like(list(gold.unchanged), lines)) - tidy_score("uk")) < 0.3


def test_tidy_outputs_have_no_kind_that_is_not_theirs():
    for language in FILES:
        gold, output = gold_and_output(language)
        assert not warned(gold, output) & KINDS
        cleaned = clean(gold.unchanged, output)
        assert abs(score(language, cleaned.outputs) - tidy_score(language)) < 0.03


def test_labels_before_texts_without_blanks_are_told():
    sentences = ["冬 阴 功 是 泰 国 最 著 名 的 菜 之 一 。", "首 先 我 们 得 准 备 十 二 只 大 大 虾 。"] * 10
    gold = Corpus.from_references(sentences, [sentences])
    lines = tuple("改正：" + text.replace(" ", "") for text in sentences)
    assert "prefix" in {f.kind for f in findings(gold, [System("x", lines)]) if f.level == WARNING}
