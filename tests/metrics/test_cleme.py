"""CLEME and CLEME 2.0: every published border, count and row, the twin, and what the scores are made of."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_cases import cases, conll_cases, corpus, system
from oracles import cleme as oracle
from oracles.goto import overlap
from recte import Corpus, Edit, InputError, OptionError
from recte.edits.edit_weights import TextWeigher, register_edit_weights
from recte.metrics.cleme import Cleme, Cleme2
from shared_data import golden_json, golden_lines

MODES = ("dependent", "independent")
WEIGHTS = {"unweighted": "none", "weighted": "length"}
FIELDS = {
    "prf": {"p": "precision", "r": "recall", "f": "score", "acc": "accuracy"},
    "cleme2": {"com": "score", "hit": "hit", "err": "error", "und": "under_correction", "ove": "over_correction"},
}
SUMS = {"tp": "tp", "fp": "fp", "fn": "fn", "tn": "tn", "fp_ne": "fp_necessary", "fp_un": "fp_unnecessary"}


def check_rows(sentences, mode, wanted):
    """All twelve rows of a corpus; counts are made once."""
    counts = Cleme(assumption=mode).prepare(corpus(sentences)).count(system(sentences))
    for kind, rows in wanted.items():
        for row, figures in rows.items():
            averaging, weights = row.split("_")
            options = {"assumption": mode, "averaging": averaging, "chunk_weights": WEIGHTS[weights]}
            second = kind != "prf"
            metric = Cleme2(**options, factors=kind.removeprefix("cleme2_")) if second else Cleme(**options)
            score = metric.score_counts(replace(counts, metric=metric.name, options=metric.options()))
            for key, name in {**SUMS, **FIELDS["cleme2" if second else "prf"]}.items():
                if figures.get(key) is not None:  # null: not a number in the released program
                    assert getattr(score, name) == pytest.approx(figures[key], abs=1e-9), (mode, kind, row, key)


def unweighted(counts):
    """[TP, FP, FN, TN, FPn, FPu] by sentence and reference, those there are."""
    rows = counts.rows.tolist()
    actual = []
    for of_sentence in rows:
        listed = []
        for tn, _, _, *bins in of_sentence:
            if tn >= 0:
                tp, necessary, unnecessary, fn = (sum(bins[k * 32 : k * 32 + 32]) for k in range(4))
                listed.append([tp, necessary + unnecessary, fn, tn, necessary, unnecessary])
        actual.append(listed)
    return actual


@pytest.mark.parametrize("mode", MODES)
def test_golden_corpora(mode):
    seen = 0
    for golden in golden_lines("cleme/corpora.jsonl"):
        sentences = golden["sentences"]
        scorer = Cleme(assumption=mode).prepare(corpus(sentences))
        counts = scorer.count(system(sentences))
        wanted = golden[mode]["counts"]
        assert unweighted(counts) == (wanted if mode == "dependent" else [of[:1] for of in wanted])
        average = scorer.metric.score_counts(counts).average_length
        assert average == pytest.approx(golden["average_length"]) if average else golden["average_length"] is None
        check_rows(sentences, mode, {kind: rows for kind, rows in golden[mode].items() if kind != "counts"})
        seen += 1
    assert seen == 30


@pytest.mark.parametrize("mode", MODES)
def test_golden_systems(mode):
    golden = golden_json("cleme/systems.json")
    by_sentence = golden_json("cleme/sentences.json")
    assert len(golden) == 8
    for name in golden:
        sentences = conll_cases(name)
        counts = Cleme(assumption=mode).prepare(corpus(sentences)).count(system(sentences))
        wanted = by_sentence[name][mode]
        assert unweighted(counts) == (wanted if mode == "dependent" else [of[:1] for of in wanted])
        assert Cleme(assumption=mode).score_counts(counts).average_length == pytest.approx(
            golden[name]["average_length"]
        )
        check_rows(sentences, mode, golden[name][mode])


def test_the_published_figures_of_amu():
    sentences = conll_cases("AMU")
    score = Cleme().score(corpus(sentences), system(sentences))
    assert (score.score, score.precision, score.recall, score.accuracy) == (0.2514, 0.2645, 0.2097, 0.7634)
    assert [round(x, 2) for x in (score.tp, score.fp, score.fn, score.tn)] == [313.51, 871.80, 1181.71, 6312]


@pytest.mark.parametrize("mode", MODES)
@given(sentences=cases())
def test_the_kernels_agree_with_the_twin(mode, sentences):
    check_rows(sentences, mode, oracle.all_rows(sentences, mode == "independent"))


def meant(kind, length, average, settings):
    return oracle.length_weight(kind, length, average, settings)


@given(cases())
def test_the_parameters_that_are_meant(sentences):
    """Weights of sentences as the released program means them."""
    for mode in MODES:
        limits = {
            "tp": (10.0, 1.0 if mode == "dependent" else 2.5, 10.0),
            "fp": (10.0, 0.25, 1.0),
            "fn": (1.0, 1.0, 1.0),
        }
        average = oracle.average_length(sentences)
        rows = [
            [
                oracle.sums(row, partial(meant, average=average, settings=limits))
                for row in oracle.judged(s["tokens"], s["hypothesis"], s["references"], mode == "independent")
            ]
            for s in sentences
        ]
        wanted = oracle.sentence_row(rows, oracle.prf, oracle.by_prf)
        metric = Cleme(assumption=mode, averaging="sentence", chunk_weights="length-meant")
        score = metric.score(corpus(sentences), system(sentences))
        assert (score.score, score.tp, score.fp) == pytest.approx((wanted["f"], wanted["tp"], wanted["fp"]))


@given(cases())
def test_chunks_weighed_by_a_scorer_of_two_texts(sentences):
    """As CLEME 2.0 is released, with a stand-in for BERTScore."""
    register_edit_weights("overlap", TextWeigher("overlap", overlap))
    rows = [oracle.text_weighed(s["tokens"], s["hypothesis"], s["references"], overlap) for s in sentences]
    wanted = oracle.corpus_row(rows, lambda c: oracle.cleme2(c, oracle.CORPUS_FACTORS), "com")
    metric = Cleme2(edit_weights="overlap")
    counts = metric.prepare(corpus(sentences)).count(system(sentences))
    score = metric.score_counts(counts)
    assert (score.score, score.hit) == pytest.approx((wanted["com"], wanted["hit"]), abs=1e-6)
    ones = np.ones((1, len(counts)), dtype=np.int32)
    assert metric.score_many(counts, ones).tolist() == pytest.approx([score.score])
    assert "edit_weights:overlap" in score.signature


def test_weights_are_against_one_reference():
    with pytest.raises(OptionError, match="edit_weights: expected assumption dependent"):
        Cleme2(edit_weights="length", assumption="independent")


@given(cases(), st.sampled_from(["none", "length"]), st.sampled_from(["corpus", "sentence"]), st.data())
def test_weightings_are_repeated_sentences(sentences, weights, averaging, data):
    for metric in (
        Cleme(chunk_weights=weights, averaging=averaging),
        Cleme2(chunk_weights=weights, averaging=averaging, assumption="independent"),
    ):
        counts = metric.prepare(corpus(sentences)).count(system(sentences))
        size = len(sentences)
        drawn = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=size, max_size=size), min_size=1, max_size=3))
        weights = np.array([w for w in drawn if sum(w)] or [[1] * size], dtype=np.int32)
        expected = [metric.score_counts(counts.repeat(w)).score for w in weights]
        assert metric.score_many(counts, weights).tolist() == pytest.approx(expected, abs=1e-9)


def test_texts_are_read_as_edits():
    gold = Corpus.from_references(["He go to school ."], [["He goes to school ."], ["He went to the school ."]])
    assert Cleme().score(gold, ["He went to the school ."]).score == 1
    assert Cleme(extraction="word-diff").score(gold, ["He go to school ."]).tp == 0


def test_doing_nothing_is_worth_something():
    """What the documentation warns of."""
    gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    idle = ["He go to school ."]
    assert Cleme2().score(gold, idle).score == pytest.approx(0.35 + 0.05)
    assert Cleme().score(gold, idle).score == 0
    correct = Corpus.from_edits(["He goes ."], [[[]]])
    assert Cleme2().score(correct, ["He goes ."]).score == pytest.approx(0.55)
    assert Cleme2(averaging="sentence").score(correct, ["He goes ."]).score == pytest.approx(0.65)


def test_a_reference_that_deletes_everything_is_none():
    gold = Corpus.from_edits(["a b"], [[[Edit(0, 2, ("",))], [Edit(0, 1, ("x",))]]])
    counts = Cleme().prepare(gold).count(["x b"])
    assert counts.rows[0, 0, 0] == -1
    assert Cleme().score_counts(counts).score == 1


def test_chunks_longer_than_can_be_told_apart():
    source, long = "a " * 50, "b " * 50
    gold = Corpus.from_edits([source], [[[Edit(0, 50, (long.strip(),))]]])
    with pytest.raises(InputError, match=r"expected changed chunks of at most 30 tokens on average, got 50.0"):
        Cleme().score(gold, [long])
    assert Cleme(chunk_weights="none").score(gold, [long]).score == 1


def test_factors():
    gold = Corpus.from_edits(["a b"], [[[Edit(0, 1, ("x",))]]])
    assert Cleme2(factors="1,0,0,0").score(gold, ["x b"]).score == 1
    with pytest.raises(OptionError, match="factors: expected auto, corpus, sentence or four numbers"):
        Cleme2(factors="1,2")


def test_verdicts_on_chunks():
    gold = Corpus.from_edits(["a b c e d"], [[[Edit(0, 1, ("x",)), Edit(4, 5, ("y",))]]])
    (by_annotator,) = Cleme().prepare(gold).judged_edits(["x b z e d"])
    assert [(e.verdict, e.original, e.corrections) for e in by_annotator["0"]] == [
        ("correct", "a", ("x",)),
        ("spurious", "c", ("z",)),
        ("missed", "d", ("y",)),
    ]


def test_doing_nothing_compared_with_real_systems():
    """What docs/cleme.md says of CoNLL-14."""
    names = ("AMU", "CUUI", "IITB", "INPUT", "IPN", "POST", "SJTU", "UMC")
    by_name = {name: conll_cases(name) for name in names}
    counted = {name: Cleme().prepare(corpus(cases)).count(system(cases)) for name, cases in by_name.items()}

    def below_doing_nothing(metric, figure="score"):
        values = {
            name: getattr(metric.score_counts(replace(counts, metric=metric.name, options=metric.options())), figure)
            for name, counts in counted.items()
        }
        return {name for name, value in values.items() if value < values["INPUT"]}

    plain = {"chunk_weights": "none"}
    assert below_doing_nothing(Cleme2(**plain)) == {"SJTU", "IITB", "IPN"}
    assert below_doing_nothing(Cleme2(averaging="sentence", **plain)) == {"SJTU", "IITB", "IPN", "UMC"}
    assert below_doing_nothing(Cleme(**plain)) == set()
    assert below_doing_nothing(Cleme(averaging="sentence", **plain)) == {"UMC", "IPN"}
    assert below_doing_nothing(Cleme(**plain), "accuracy") == set(names) - {"INPUT"}
