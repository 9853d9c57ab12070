"""GLEU against its literal twin, the published script's numbers and the paper's examples."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import ngrams as oracle
from recte import Corpus, Gleu, InputError, OptionError, Sentence, confidence_interval, merge, read_m2, read_system
from recte.annotation.builtin import BuiltInAnnotator
from recte.extraction.en.types import EnglishTypes
from recte.extraction.extractor import Extractor
from recte.extraction.gold_edits import retype_edits
from shared_data import golden_json, golden_rows, shared
from strategies import sentences


@settings(max_examples=500)
@given(sentences(), sentences(), st.lists(sentences(), min_size=1, max_size=3), st.booleans(), st.integers(1, 5))
def test_counts_are_the_literal_ones(source, hypothesis, references, printed, orders):
    corpus = Corpus((Sentence(" ".join(source), references=tuple(" ".join(r) for r in references)),))
    metric = Gleu(behaviour="paper" if printed else "official", orders=orders)
    counts = metric.prepare(corpus).count([" ".join(hypothesis)])
    expected = [oracle.gleu_statistics(source, hypothesis, r, orders, printed) for r in references]
    assert counts.rows[0].tolist() == expected


@settings(max_examples=100)
@given(st.data())
def test_one_reference_is_the_formula_over_the_sums(data):
    triples = data.draw(st.lists(st.tuples(sentences(), sentences(), sentences()), min_size=1, max_size=5))
    corpus = Corpus.from_references([" ".join(s) for s, _, _ in triples], [[" ".join(r) for _, _, r in triples]])
    sums = [sum(column) for column in zip(*(oracle.gleu_statistics(*t) for t in triples), strict=True)]
    score = Gleu().score(corpus, [" ".join(h) for _, h, _ in triples])
    assert score.score == pytest.approx(oracle.gleu(sums), abs=1e-12)
    assert score.std == 0.0


def two_references(n=30):
    generator = random.Random(3)
    text = [" ".join(generator.choice("abcd") for _ in range(8)) for _ in range(4 * n)]
    return Corpus.from_references(text[:n], [text[n : 2 * n], text[2 * n : 3 * n]]), [
        " ".join([*a.split()[:6], *b.split()[6:]]) for a, b in zip(text[:n], text[n : 2 * n], strict=True)
    ]


@settings(max_examples=300)
@given(sentences(), sentences(), st.lists(st.sampled_from([0, 1, 2]), min_size=3, max_size=5), st.booleans())
def test_equal_texts_are_counted_literally(text, other, which, printed):
    source, hypothesis, *references = [(text, other, [*text, *other])[place] for place in which]
    corpus = Corpus((Sentence(" ".join(source), references=tuple(" ".join(r) for r in references)),))
    counts = Gleu(behaviour="paper" if printed else "official").prepare(corpus).count([" ".join(hypothesis)])
    assert counts.rows[0].tolist() == [oracle.gleu_statistics(source, hypothesis, r, 4, printed) for r in references]


@pytest.mark.parametrize("cells", [1, 4_000_000])
def test_systems_drawn_together_score_as_each_alone(cells, monkeypatch):
    monkeypatch.setattr("recte.metrics.gleu.CELLS_TOGETHER", cells)
    corpus, hypotheses = two_references()
    scorer = Gleu(iterations=20).prepare(corpus)
    counts = [scorer.count(outputs) for outputs in (hypotheses, corpus.unchanged, hypotheses[::-1])]
    assert Gleu(iterations=20).score_all(counts) == [Gleu(iterations=20).score_counts(each) for each in counts]


def test_systems_without_sentences_are_refused_together_as_alone():
    scorer = Gleu().prepare(Corpus.from_references(["a b"], [["a b"], ["a"]]))
    nothing = scorer.count(["a"]).take(np.array([], dtype=np.int64))
    with pytest.raises(InputError) as alone:
        Gleu().score_counts(nothing)
    with pytest.raises(InputError) as together:
        Gleu().score_all([nothing, nothing])
    assert str(together.value) == str(alone.value)


def test_a_draw_seeds_its_own_generator_and_takes_one_reference_a_sentence():
    """Draw j: a Mersenne Twister seeded with j · 101; the Python 2 stream floors u · R, the Python 3 stream rejects."""
    corpus, hypotheses = two_references()
    counts = Gleu().prepare(corpus).count(hypotheses)
    for draws in ("official", "python3"):
        scores = []
        for j in range(20):
            generator = random.Random(101 * j)
            picked = [
                int(generator.random() * 2) if draws == "official" else generator.randrange(2) for _ in hypotheses
            ]
            scores.append(oracle.gleu(counts.rows[np.arange(len(counts)), picked].sum(axis=0).tolist()))
        score = Gleu(draws=draws, iterations=20).score_counts(counts)
        assert score.score == pytest.approx(np.mean(scores), abs=1e-12)
        assert score.std == pytest.approx(np.std(scores), abs=1e-12)


def test_the_closed_form_is_the_limit_of_many_draws():
    generator = random.Random(5)

    def changed(text):
        words = text.split()
        words[generator.randrange(len(words))] = f"new{generator.randrange(9)}"
        return " ".join(words[: generator.randint(10, 12)])

    sources = [" ".join(f"w{generator.randrange(40)}" for _ in range(12)) for _ in range(300)]
    corpus = Corpus.from_references(sources, [list(map(changed, sources)), list(map(changed, sources))])
    counts = Gleu().prepare(corpus).count(list(map(changed, sources)))
    many = Gleu(iterations=20_000).score_counts(counts)
    expected = Gleu(draws="expected").score_counts(counts)
    assert expected.score == pytest.approx(many.score, abs=4 * many.std / 20_000**0.5 + 1e-4)
    assert expected.std == pytest.approx(many.std, rel=0.05)


def test_the_mean_over_few_draws_is_exact():
    """Table 4 of the reassessment paper, example 2: the means over its two draws."""
    gold = Corpus.from_references(
        ["The senior student who failed have to retake the course next year ."],
        [
            ["The senior student who failed has to retake the course next year ."],
            ["The senior students who failed have to retake the course next year ."],
        ],
    )
    metric = Gleu(draws="expected")
    first, second = (metric.score(gold, [text]) for text in gold[0].references)
    assert (round(first.score, 4), round(second.score, 4)) == (0.6719, 0.6446)
    assert first.std == pytest.approx(abs(first.references["0"] - first.references["1"]) / 2)


def test_few_draws_are_enumerated_in_resamples_too():
    corpus, hypotheses = two_references()
    few = corpus[:5]
    metric = Gleu(draws="expected")
    counts = metric.prepare(few).count(hypotheses[:5])
    rows = counts.rows.astype(float)
    weights = np.array([[1, 1, 1, 1, 1], [2, 0, 1, 0, 2]], dtype=np.int32)
    for weighting, score in zip(weights, metric.score_many(counts, weights), strict=True):
        places = np.repeat(np.arange(5), weighting)
        slow = [
            metric._of_sums(sum(rows[p, r] for p, r in zip(places, choice, strict=True))[None])[0]
            for choice in product(range(2), repeat=len(places))
        ]
        assert score == pytest.approx(np.mean(slow))


def test_a_part_draws_as_the_whole_would():
    corpus, hypotheses = two_references()
    metric = Gleu(iterations=50)
    whole = metric.prepare(corpus).count(hypotheses)
    parts = [metric.prepare(corpus[a:b]).count(hypotheses[a:b]) for a, b in ((10, 30), (0, 10))]
    assert metric.score_counts(merge(parts)).score == metric.score_counts(whole).score


def test_ragged_references():
    corpus = Corpus((Sentence("a b c d", references=("a b c e",)), Sentence("a b c d", references=("a b c d", "x y"))))
    score = Gleu(draws="mean-counts").score(corpus, ["a b c e", "a b c d"])
    assert 0 < score.score <= 1
    assert list(score.references) == ["0"]
    assert Gleu(iterations=10).score(corpus, ["a b c e", "a b c d"]).std > 0


def test_sentence_scores_replace_zeros_by_one():
    corpus = Corpus.from_references(["a b", "c"], [["a b", "d"], ["x y", "c"]])
    scores = Gleu().prepare(corpus).sentence_scores(["a b", ""])
    statistics = [
        [max(1, v) for v in oracle.gleu_statistics(["a", "b"], ["a", "b"], r.split())] for r in ("a b", "x y")
    ]
    assert scores[0] == pytest.approx(np.mean([oracle.gleu(s) for s in statistics]))
    assert scores[1] == pytest.approx(1.0)  # an empty hypothesis: exp(1 - r), r = 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": 0}, "orders: expected 1 to 10"),
        ({"iterations": 0}, "iterations: expected 1 to"),
        ({"draws": "x"}, "draws:"),
    ],
)
def test_senseless_options(options, message):
    with pytest.raises(OptionError, match=message):
        Gleu(**options)
    with pytest.raises(OptionError, match="only_reference: expected one that every sentence has, got 5"):
        Gleu(only_reference=5).score(Corpus.from_references(["a"], [["b"]]), ["b"])


@pytest.fixture(scope="module")
def gold():
    return read_m2(shared("data", "conll14", "gold.m2"))


def system(name):
    return read_system(shared("data", "conll14", "systems", f"{name}.txt"))


@pytest.mark.parametrize(
    ("options", "column"),
    [
        ({}, "official_py2"),
        ({"draws": "python3"}, "official_py3"),
        ({"draws": "expected"}, "expected_closed_form"),
        ({"behaviour": "paper"}, "paper_formula_py2"),
        ({"only_reference": 0}, "ref0_only"),
        ({"only_reference": 1}, "ref1_only"),
    ],
)
def test_thirteen_systems_to_six_digits(gold, options, column):
    scorer = Gleu(**options).prepare(gold)
    golden = golden_rows("gleu/system.tsv")
    assert len(golden) == 13
    for row in golden:
        assert scorer.score(system(row["system"])).score == pytest.approx(float(row[column]), abs=5e-7)


def test_spread_over_draws(gold):
    for draws, column in (("official", "std_py2"), ("expected", "sd_closed_form")):
        scorer = Gleu(draws=draws).prepare(gold)
        for row in golden_rows("gleu/system.tsv")[:4]:
            assert scorer.score(system(row["system"])).std == pytest.approx(float(row[column]), abs=5e-7)


def test_the_inverted_penalty_and_another_rule_for_references(gold):
    variants = golden_json("gleu/gleu_variants.json")
    inverted = Gleu(brevity_penalty="inverted").prepare(gold)
    other = Gleu(reference_rule="gec-metrics").prepare(gold)
    for name in ("AMU", "CAMB", "INPUT"):
        assert inverted.score(system(name)).score == pytest.approx(variants["inverted_bp_py2"][name], abs=1e-12)
        expected = variants["alt_refs_all_edits_missing_source"][name]["py2"]
        assert other.score(system(name)).score == pytest.approx(expected, abs=1e-12)


def test_sentence_scores_of_the_published_script(gold):
    golden = golden_rows("gleu/sentences.tsv")
    scorer = Gleu().prepare(gold)
    names = sorted({row["system"] for row in golden})
    assert len(names) == 8
    for name in names:
        ours = scorer.sentence_scores(system(name))
        theirs = [float(row["score"]) for row in golden if row["system"] == name]
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_mean_counts(gold):
    paired = golden_json("reassessment/gleu_paired_tests_vs_INPUT.json")
    score = Gleu(draws="mean-counts").score(gold, system("AMU")).score
    assert score == pytest.approx(paired["systems"]["AMU"]["gleu"], abs=1e-12)


@pytest.mark.parametrize("extra_words", [100, 300, 1000])
@pytest.mark.parametrize("sentences", [10, 40])
def test_references_of_very_different_lengths_have_an_interval_that_holds_the_score(extra_words, sentences):
    """A sum of few lengths such as 12 or 1,012 is not nearly normal, as the closed form would have it."""
    choose = random.Random(1)
    sources = [" ".join(choose.choices("abcdefgh", k=12)) for _ in range(sentences)]
    short = [source.replace("a", "b", 1) for source in sources]
    long = [f"{text} {' '.join(choose.choices('abcdefgh', k=extra_words))}" for text in short]
    outputs = [s.replace("c", "d", 1) if i % 2 else short[i] for i, s in enumerate(sources)]
    gold = Corpus.from_references(sources, [short, long])
    for draws in ("official", "expected"):
        metric = Gleu(draws=draws)
        counts = metric.prepare(gold).count(outputs)
        score, interval = metric.score_counts(counts).score, confidence_interval(counts, metric=metric)
        assert 0 < interval.low < score < interval.high < 1
        once = metric.score_many(counts, np.ones((1, sentences), dtype=np.int32))[0]
        assert once == pytest.approx(score, rel=1e-12)


def test_errors_marked_without_a_correction_are_skipped_by_either_name(gold):
    """`recte extract GOLD --edits gold` gives NUCLE's `Um` ERRANT's name `UNK`."""
    typed = retype_edits(gold.sentences, Extractor(BuiltInAnnotator(), EnglishTypes()), edits="gold", types=False)
    assert {"Um", "UNK"} & {e.type for s in typed for a in s.annotations for e in a.edits} == {"UNK"}
    amu = read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs
    assert Gleu().score(Corpus(tuple(typed)), amu).score == Gleu().score(gold, amu).score
