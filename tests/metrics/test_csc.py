"""Chinese spelling check: every peer's figures, the twin, one output by all conventions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import csc as oracle
from recte import Corpus, InputError
from recte.metrics.csc import CONVENTIONS, Csc
from shared_data import golden_json, golden_lines

LEVELS = ("detection", "correction")


def scored(data, **options):
    sources, gold, predictions = (list(column) for column in zip(*data, strict=True))
    return Csc(**options).score(Corpus.from_references(sources, [gold]), predictions)


def prf(figures):
    return [figures["precision"], figures["recall"], figures["f"]]


def percent(figures):
    """As CSCD-NS prints: percent to three decimals, F1 from the rounded P and R."""
    p, r = (round(100 * figures[key], 3) for key in ("precision", "recall"))
    return [p, r, round(2 * p * r / (p + r), 3) if p + r else 0.0]


def check_realise(wanted, by):
    for level, short in zip(LEVELS, ("detect", "correct"), strict=True):
        got = [100 * by["sentence"][level][key] for key in ("accuracy", "precision", "recall", "f")]
        assert got == pytest.approx([wanted[f"sent-{short}-{key}"] for key in ("acc", "p", "r", "f1")], abs=1e-6)


def check_cscd(wanted, by):
    for unit, convention in (("S", "sentence"), ("C", "character")):
        for level, short in zip(LEVELS, "DC", strict=True):
            got = percent(by[convention][level])
            assert got == pytest.approx([wanted[f"{unit}_{short}_{key}"] for key in ("p", "r", "f1")], abs=1e-6)


def check_wang(wanted, by):
    assert prf(by["character-conditional"]["detection"]) == pytest.approx(wanted["detection"], abs=1e-6)
    assert prf(by["character-conditional"]["correction"]) == pytest.approx(wanted["correction"], abs=1e-6)


def check_faspell(convention):
    def check(wanted, by):
        for level, short in zip(LEVELS, ("det", "cor"), strict=True):
            for unit, name in (("char", "character"), ("sent", convention)):
                figures = by[name][level]
                tp, predicted, gold = (figures[key] for key in ("tp", "predicted", "gold"))
                assert [tp, predicted - tp, gold - tp] == wanted[f"{short}_{unit}_counts"]
                listed = [wanted[f"{short}_{unit}_{key}"] for key in ("p", "r", "f1")]
                assert prf(figures) == pytest.approx(listed, abs=1e-6)
            assert by[convention][level]["accuracy"] == pytest.approx(wanted[f"{short}_sent_acc"], abs=1e-6)

    return check


def check_plome(wanted, by):
    for unit, convention in (("character", "character-plome"), ("sentence", "sentence")):
        for level in LEVELS:
            assert [round(x, 3) for x in prf(by[convention][level])] == pytest.approx(wanted[f"{unit}_{level}"])


def check_ccl(wanted, by):
    for level in LEVELS:
        figures = by["sighan-sets"][level]
        got = [100 * x for x in (figures["accuracy"], *prf(figures))]
        listed = [wanted[level.title()][key] for key in ("Accuracy", "Precision", "Recall", "F1")]
        assert got == pytest.approx(listed, abs=1e-6)


def check_ernie(wanted, by):
    for level in LEVELS:
        figures = by["sighan"][level]
        assert [figures[key] for key in ("tp", "predicted", "gold")] == [
            wanted[level][key] for key in ("tp", "predicted", "gold")
        ]
        assert round(figures["f"], 4) == wanted[level]["f1"]


def check_exact(wanted, by):
    figures = by["sentence-exact"]["correction"]
    listed = [wanted[key] for key in ("accuracy", "precision", "recall", "f1")]
    assert [figures["accuracy"], *prf(figures)] == pytest.approx(listed, abs=1e-6)


PEERS = {
    "realise_sentence": check_realise,
    "cscd": check_cscd,
    "wang2019_char": check_wang,
    "faspell_strict": check_faspell("sentence"),
    "faspell_loose": check_faspell("sentence-loose"),
    "plome": check_plome,
    "ccl2022_named_character": check_ccl,
    "ernie_csc": check_ernie,
    "sentence_exact": check_exact,
}


@pytest.mark.parametrize("peer", PEERS)
def test_golden_corpora(peer):
    seen = 0
    for corpus in golden_lines("csc/corpora.jsonl"):
        assert set(corpus["scores"]) == set(PEERS)
        wanted = corpus["scores"][peer]
        if wanted != "ZeroDivisionError":  # where it stops, we say 0
            PEERS[peer](wanted, scored(corpus["data"]).conventions)
            seen += 1
    assert seen >= 15


def test_one_output_by_all_conventions():
    golden = golden_json("chinese/csc_conventions.json")
    by = scored(golden["data"]).conventions
    f = {name: round(100 * of["correction"]["f"], 1) for name, of in by.items()}
    assert f == {
        "sentence": 37.5,
        "sentence-loose": 37.5,
        "sighan": 50.0,
        "sighan-sets": 50.0,
        "sentence-exact": 50.0,
        "character": 60.0,
        "character-conditional": 80.0,
        "character-plome": 70.6,
    }
    overview = golden["sentence(SIGHAN2015 overview)"]
    score = scored(golden["data"], convention="sighan", task="detection")
    assert score.score == pytest.approx(overview["det"]["F1"])
    assert score.false_positive_rate == overview["det"]["FPR"]


CHARACTERS = st.sampled_from("甲乙丙")


@st.composite
def corpora(draw):
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    return [tuple(draw(st.text(CHARACTERS, min_size=n, max_size=n)) for _ in range(3)) for n in sizes]


@given(corpora())
def test_the_counts_are_those_of_the_twin(data):
    by = scored(data).conventions

    def counted(convention, level):
        return tuple(by[convention][level][key] for key in ("tp", "predicted", "gold"))

    for level in LEVELS:
        *counts, accuracy = oracle.sentence(data, level)
        assert (*counted("sentence", level), by["sentence"][level]["accuracy"]) == (*counts, accuracy)
        for sets, convention in ((False, "sighan"), (True, "sighan-sets")):
            tp, fp, fn, tn = oracle.sighan(data, level, sets)
            assert counted(convention, level) == (tp, tp + fp, tp + fn)
            assert by[convention][level]["accuracy"] == (tp + tn) / len(data)
        assert counted("character", level) == oracle.character(data, level)
    assert by["sentence-exact"]["correction"] == by["sighan"]["correction"]
    *counts, accuracy = oracle.sentence_loose(data)
    assert (*counted("sentence-loose", "detection"), by["sentence-loose"]["detection"]["accuracy"]) == (
        *counts,
        accuracy,
    )
    tp, fp, fn = oracle.conditional(data)
    assert counted("character-conditional", "correction") == (tp, tp + fp, tp + fn)
    for level, figures in zip(LEVELS, oracle.plome(data), strict=True):
        assert prf(by["character-plome"][level]) == pytest.approx(figures)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_weightings_are_repeated_sentences(convention):
    data = [("甲乙丙", "甲丙丙", "甲丙甲"), ("丙丙", "丙甲", "丙甲"), ("甲甲", "甲甲", "乙甲"), ("乙", "乙", "乙")]
    sources, gold, predictions = (list(column) for column in zip(*data, strict=True))
    metric = Csc(convention=convention)
    counts = metric.prepare(Corpus.from_references(sources, [gold])).count(predictions)
    weights = np.array([[1, 1, 1, 1], [2, 0, 1, 3], [0, 0, 1, 1]], dtype=np.int32)
    expected = [metric.score_counts(counts.repeat(w)).score for w in weights]
    assert metric.score_many(counts, weights) == pytest.approx(expected)


def test_ignored_characters_take_the_golds():
    data = [("他高兴的说", "他高兴地说", "他高心的说")]
    assert scored(data).conventions["character"]["correction"]["gold"] == 1
    ignoring = scored(data, ignore_characters="的地得").conventions["character"]["correction"]
    assert (ignoring["gold"], ignoring["predicted"]) == (0, 1)


def test_unequal_lengths_get_a_clear_line():
    with pytest.raises(InputError, match=r"sentence 1: expected 3 characters in the prediction, .* got 2"):
        scored([("甲乙丙", "甲乙丙", "甲乙")])
    with pytest.raises(InputError, match=r"sentence 1: expected 3 characters in the gold, .* got 4"):
        scored([("甲乙丙", "甲乙丙丁", "甲乙丙")])
    with pytest.raises(InputError, match="expected one gold text for sentence 1, got 2"):
        Csc().prepare(Corpus.from_references(["甲"], [["乙"], ["丙"]]))


def test_blanks_do_not_count():
    assert scored([("甲 乙", "甲 丙", "甲丙")]).score == 1
