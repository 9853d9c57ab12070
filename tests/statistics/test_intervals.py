"""Intervals: SciPy as the oracle, the conservatism paper's Figure 4, coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from recte import (
    Corpus,
    Counts,
    Gleu,
    InputError,
    MaxMatch,
    OptionError,
    Resampling,
    confidence_interval,
    read_m2,
)
from recte.statistics import difference_interval
from recte.statistics.bootstrap import bca_interval, bootstrap_weights, percentile_interval, weight_blocks
from shared_data import golden_json, shared


def counts_of(rows, *, documents=(), name="system"):
    n = len(rows)
    return Counts(
        metric="m2",
        options=MaxMatch().options(),
        system=name,
        columns=("0",),
        rows=np.asarray(rows, dtype=np.int32).reshape(n, 1, 3),
        index=np.arange(n),
        fallbacks=np.zeros(n, dtype=bool),
        fingerprints=np.zeros(len(rows), dtype=np.uint32),
        labels={"document": np.array(documents, dtype=np.str_)} if documents else {},
    )


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_ends_are_scipys_for_the_same_resamples(method):
    sample = np.random.default_rng(3).exponential(size=60)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=500, method=method, rng=np.random.default_rng(5))
    values = theirs.bootstrap_distribution
    if method == "percentile":
        ours = percentile_interval(values)
    else:
        left_out = (sample.sum() - sample) / (len(sample) - 1)
        ours = bca_interval(values, sample.mean(), left_out)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=1e-12)


def test_a_score_that_never_varies_has_an_interval_of_no_width():
    interval = confidence_interval(counts_of([[1, 2, 2]] * 30), resampling=Resampling(method="bca"))
    assert interval.low == interval.high == MaxMatch().score_counts(counts_of([[1, 2, 2]] * 30)).score


def test_blocks_are_one_stream(monkeypatch):
    whole = bootstrap_weights(7, 11, 3)
    monkeypatch.setattr("recte.statistics.bootstrap._BLOCK_CELLS", 21)
    assert np.array_equal(whole, np.concatenate(list(weight_blocks(7, 11, 3))))


def test_sentences_of_a_document_are_drawn_together():
    rows = [[1, 1, 1] if document % 2 else [0, 1, 1] for document in range(12) for _ in range(20)]
    documents = [f"d{document}" for document in range(12) for _ in range(20)]
    alone = confidence_interval(counts_of(rows, documents=documents), resampling=Resampling(unit="sentence"))
    together = confidence_interval(counts_of(rows, documents=documents))
    assert (alone.unit, together.unit) == ("sentence", "document")
    assert together.high - together.low > 3 * (alone.high - alone.low)
    few = counts_of(rows[:120], documents=documents[:120])
    assert confidence_interval(few).unit == "sentence"
    assert confidence_interval(few, resampling=Resampling(unit="document")).unit == "document"
    with pytest.raises(OptionError, match="expected a document for every sentence"):
        confidence_interval(counts_of(rows), resampling=Resampling(unit="document"))


def test_too_few_sentences_have_no_interval():
    with pytest.raises(InputError, match="expected at least 5 sentences for an interval or a test, got 4"):
        confidence_interval(counts_of([[1, 2, 2]] * 4))


def test_gleu_intervals_cover_too():
    """Two references a sentence, so that the closed form is at work; the population's own score is the truth."""
    generator = np.random.default_rng(5)
    words = np.array(list("abcdefgh"))
    references = [[" ".join(words[generator.integers(8, size=9)]) for _ in range(600)] for _ in range(2)]
    outputs = [" ".join(w if generator.random() < 0.8 else "x" for w in text.split()) for text in references[0]]
    metric = Gleu(draws="expected")
    population = metric.prepare(Corpus.from_references([" ".join("abcdefgh")] * 600, references)).count(outputs)
    truth = metric.score_counts(population).score
    covered = 0
    for seed in range(200):
        weights = np.bincount(generator.integers(600, size=150), minlength=600)
        interval = confidence_interval(population.repeat(weights), resampling=Resampling(resamples=300, seed=seed))
        covered += interval.low <= truth <= interval.high
    assert 0.9 <= covered / 200 <= 0.985


@pytest.mark.parametrize(
    "options", [{"method": "exact"}, {"level": 1.0}, {"resamples": 3}, {"seed": -1}, {"unit": "word"}]
)
def test_bad_options(options):
    with pytest.raises(OptionError, match=f"{next(iter(options))}: expected"):
        Resampling(**options)


def test_the_interval_of_a_difference():
    generator = np.random.default_rng(2)
    better = [[1, 1, 1] if generator.random() < 0.7 else [0, 1, 1] for _ in range(200)]
    worse = [[1, 1, 1] if generator.random() < 0.5 else [0, 1, 1] for _ in range(200)]
    interval = difference_interval(counts_of(better, name="a"), counts_of(worse, name="b"))
    assert interval.low < 0.2 < interval.high
    mirrored = difference_interval(counts_of(worse, name="b"), counts_of(better, name="a"))
    assert (mirrored.low, mirrored.high) == pytest.approx((-interval.high, -interval.low))


def test_intervals_of_figure_4():
    """BCa intervals of F0.5 of 12 systems, white space and casing ignored (conservatism paper, section 3.4)."""
    stored = golden_json("coverage/fig3_fig4_stored_ci.json")["ci"]
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    scorer = MaxMatch(ignore_whitespace_casing=True).prepare(gold)
    compared = 0
    for path in sorted(shared("data", "conll14", "systems").glob("*.txt")):
        counts = scorer.count(path.read_text(encoding="utf-8").splitlines())
        interval = confidence_interval(counts, resampling=Resampling(method="bca"))
        if path.stem == "INPUT":
            assert interval.low == interval.high == 0
            continue
        expected = stored[path.stem]
        width = expected["high"]["F05"] - expected["low"]["F05"]
        # An end of an interval from 1,000 resamples has a standard error of about a twentieth of its width.
        assert interval.low == pytest.approx(expected["low"]["F05"], abs=0.15 * width)
        assert interval.high == pytest.approx(expected["high"]["F05"], abs=0.15 * width)
        compared += 1
    assert compared == 12


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_95_percent_intervals_cover_95_percent(method):
    """Corpora of 250 sentences from a population whose F is known."""
    generator = np.random.default_rng(11)
    population = generator.poisson([0.4, 0.5, 1.2], size=(20_000, 3))
    population[:, 1] += population[:, 0]
    population[:, 2] += population[:, 0]
    truth = MaxMatch().score_counts(counts_of(population)).score
    covered, corpora = 0, 400
    for seed in range(corpora):
        drawn = counts_of(population[generator.integers(len(population), size=250)])
        interval = confidence_interval(drawn, resampling=Resampling(method=method, resamples=400, seed=seed))
        covered += interval.low <= truth <= interval.high
    assert 0.92 <= covered / corpora <= 0.98


def test_gold_and_outputs_to_an_interval():
    gold = Corpus.from_references(["He go ."] * 30, [["He goes ."] * 30])
    counts = MaxMatch().prepare(gold).count(["He goes ."] * 20 + ["He go ."] * 10)
    interval = confidence_interval(counts)
    assert interval.to_dict().keys() == {"low", "high", "level", "method", "resamples", "seed", "unit"}
    assert interval.low < MaxMatch().score_counts(counts).score < interval.high
