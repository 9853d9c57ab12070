"""Paired tests, comparisons and power: golden p-values, sacreBLEU as oracle, error rates by simulation."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest as TheirTest
from test_intervals import counts_of

from recte import (
    Corpus,
    Gleu,
    IMeasure,
    InputError,
    MaxMatch,
    OptionError,
    System,
    compare_systems,
    paired_test,
    read_m2,
)
from recte.cli import main
from recte.evaluation.evaluation import evaluate
from recte.metrics import Bleu
from recte.metrics.given_scores import given_metric
from recte.statistics import detectable_difference
from recte.statistics.comparison import holm
from recte.statistics.paired import TESTS, baseline_test
from shared_data import golden_json, shared


def test_gleu_against_the_source():
    """Differences and p of all systems against INPUT, counts averaged, the bootstrap by sacreBLEU."""
    golden = golden_json("reassessment/gleu_paired_tests_vs_INPUT.json")
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    scorer = Gleu(draws="mean-counts").prepare(gold)

    def counts(name):
        return scorer.count(shared("data", "conll14", "systems", f"{name}.txt").read_text().splitlines(), name=name)

    source = counts("INPUT")
    for name, expected in golden["systems"].items():
        system = counts(name)
        swapped = paired_test(system, source)
        assert abs(swapped.difference) == pytest.approx(expected["diff_abs"], abs=1e-9)
        spread = (expected["p_ar"] * (1 - expected["p_ar"]) / 10_000) ** 0.5
        assert swapped.p == pytest.approx(expected["p_ar"], abs=4 * spread + 3e-4)
        drawn = paired_test(system, source, test="bootstrap-sacrebleu")
        assert drawn.p == pytest.approx(expected["p_bs"], abs=1e-12)


def bleu_systems():
    generator = np.random.default_rng(8)
    words = np.array(["a", "b", "c", "d", "e", "f"])
    references = [" ".join(words[generator.integers(6, size=12)]) for _ in range(120)]

    def garbled(share):
        return [" ".join(w if generator.random() > share else "x" for w in text.split()) for text in references]

    return references, {"base": garbled(0.2), "near": garbled(0.21), "far": garbled(0.4)}


def test_bleu_as_sacrebleu_tests_it():
    references, systems = bleu_systems()
    metrics = {"BLEU": sacrebleu.BLEU(tokenize="none", force=True)}
    gold = Corpus.from_references(references, [references])
    scorer = Bleu().prepare(gold)
    counts = {name: scorer.count(texts, name=name) for name, texts in systems.items()}
    for kind, test in (("ar", "randomisation"), ("bs", "bootstrap-sacrebleu")):
        _, theirs = TheirTest(list(systems.items()), metrics, [references], test_type=kind, n_samples=1000)()
        for result, name in zip(theirs["BLEU"][1:], ("near", "far"), strict=True):
            ours = paired_test(counts[name], counts["base"], test=test, trials=1000)
            spread = max(result.p_value * (1 - result.p_value) / 1000, 1e-6) ** 0.5
            assert ours.p == pytest.approx(result.p_value, abs=6 * spread)


@pytest.mark.parametrize("test", TESTS)
def test_rejects_a_true_null_as_often_as_it_says(test):
    """Two systems that differ by chance alone; sacreBLEU's bootstrap is too eager, which is why it is not ours."""
    generator = np.random.default_rng(4)
    rejected, corpora = 0, 300
    for seed in range(corpora):
        a, b = (counts_of([[hit, 1, 1] for hit in generator.random(80) < 0.5], name=name) for name in ("a", "b"))
        trials = None if test in ("t", "wilcoxon") else 200
        rejected += paired_test(a, b, test=test, trials=trials, seed=seed).p < 0.05
    share = rejected / corpora
    if test == "bootstrap-sacrebleu":
        assert share > 0.09
    else:
        assert 0.02 <= share <= 0.085


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t"])
def test_documents_are_swapped_drawn_and_averaged_as_wholes(test):
    """Thirty documents of ten alike sentences: taken one by one, they would reject a true null half the time."""
    generator = np.random.default_rng(9)
    documents = [f"d{d}" for d in range(30) for _ in range(10)]
    rejected = {"document": 0, "sentence": 0}
    for seed in range(100):
        a, b = (
            counts_of([[h, 1, 1] for h in np.repeat(generator.random(30) < 0.5, 10)], documents=documents, name=name)
            for name in "ab"
        )
        for unit in rejected:
            trials = None if test == "t" else 200
            rejected[unit] += paired_test(a, b, test=test, trials=trials, seed=seed, unit=unit).p < 0.05
    assert rejected["document"] <= 12
    assert rejected["sentence"] >= 30


def test_a_system_is_never_told_apart_from_itself():
    counts = counts_of([[1, 2, 2], [0, 1, 1]] * 20)
    assert {paired_test(counts, counts, test=test).p for test in TESTS if test != "bootstrap-sacrebleu"} == {1.0}


@pytest.mark.parametrize("scale", [1e-14, 1.0, 1e6, 1e9])
def test_ties_are_ties_whatever_the_size_of_scores(scale):
    """One sentence differs, so that every swap gives the same difference but for rounding."""
    random = np.random.default_rng(5)
    values = random.normal(size=40) * scale
    other, better = values.copy(), values + 5 * scale + random.normal(size=40) * scale
    other[7] += scale
    judge = given_metric("judge", {"one": values.tolist(), "other": other.tolist(), "better": better.tolist()})
    scorer = judge.prepare(Corpus.from_references(["a"] * 40, [["b"] * 40]))
    counts = {name: scorer.count(System(name, ("b",) * 40)) for name in judge.table}
    assert paired_test(counts["one"], counts["other"], metric=judge).p == 1.0
    assert paired_test(counts["one"], counts["better"], metric=judge).p < 0.001


def test_the_i_measures_own_test():
    gold = Corpus.from_references(["He go .", "I am", "We is"] * 10, [["He goes .", "I am", "We are"] * 10])
    counts = IMeasure().prepare(gold).count(["He goes .", "I am", "We is"] * 10)
    outcome = baseline_test(counts)
    assert outcome.p < 0.01
    assert outcome.mean_difference > 0
    with pytest.raises(OptionError, match=r"hold the source's own score \(imeasure\), got m2"):
        baseline_test(counts_of([[1, 1, 1]] * 5))


def test_only_the_same_sentences_and_metric_can_be_paired():
    item = counts_of([[1, 1, 1]] * 5)
    with pytest.raises(InputError, match="expected counts with the same data"):
        paired_test(item, replace(item, fingerprints=item.fingerprints + 1))
    with pytest.raises(InputError, match="expected counts of the same sentences"):
        paired_test(item, counts_of([[1, 1, 1]] * 6))
    with pytest.raises(InputError, match="expected at least 5 sentences"):
        paired_test(counts_of([[1, 1, 1]]), counts_of([[0, 1, 1]]))
    with pytest.raises(OptionError, match="trials: expected 10 to 10,000,000 with a test that draws"):
        paired_test(counts_of([[1, 1, 1]]), counts_of([[1, 1, 1]]), test="t", trials=100)


def test_holm():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_clusters_and_pairs():
    generator = np.random.default_rng(6)
    good = generator.random(300) < 0.8
    twin = np.where(np.arange(300) < 298, good, ~good)
    bad = generator.random(300) < 0.3
    systems = {"good": good, "twin": twin, "bad": bad}
    counts = [counts_of([[hit, 1, 1] for hit in hits], name=name) for name, hits in systems.items()]
    comparison = compare_systems(counts, trials=500)
    assert [set(cluster) for cluster in comparison.clusters] == [{"good", "twin"}, {"bad"}]
    pair, sign = comparison.pair("bad", "good")
    assert sign * pair.difference < 0
    assert comparison.is_significant(pair)
    assert [p.second for p in compare_systems(counts, baseline="bad", trials=500).pairs] == ["bad", "bad"]
    with pytest.raises(OptionError, match="baseline: expected one of good, twin, bad, got 'best'"):
        compare_systems(counts, baseline="best")
    with pytest.raises(OptionError, match="expected at least two systems"):
        compare_systems(counts[:1])


def test_power_against_simulated_test_sets():
    """Test sets with the detectable difference built in are found significant as often as promised."""
    generator = np.random.default_rng(12)

    def pair(difference):
        base = generator.random(400)
        hits = [base < 0.5 + difference, generator.random(400) < 0.5]
        return [counts_of([[hit, 1, 1] for hit in side], name=name) for side, name in zip(hits, "ab", strict=True)]

    power = detectable_difference(*pair(0.05))
    actual = [paired_test(*pair(power.detectable_difference), test="t").p < 0.05 for _ in range(300)]
    assert np.mean(actual) == pytest.approx(0.8, abs=0.08)
    equal = counts_of([[1, 1, 1]] * 10)
    assert detectable_difference(equal, equal).sentences_needed is None
    with pytest.raises(InputError, match="expected at least 10 sentences to simulate"):
        detectable_difference(counts_of([[1, 1, 1]] * 9), counts_of([[0, 1, 1]] * 9))


def test_compare_on_the_command_line(sample, capsys):
    systems = ["systems/heron.txt", "systems/wren.txt", "systems/magpie.txt"]
    assert main(["compare", "gold.m2", *systems, "-f", "json", "--trials", "200"]) == 0
    (comparison,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert comparison["systems"] == ["heron", "wren", "magpie"]
    assert len(comparison["pairs"]) == 3
    assert comparison["pairs"][1]["significant"] is True
    assert main(["compare", "gold.m2", *systems, "--baseline", "wren", "--power", "--trials", "200"]) == 0
    assert "against wren" in capsys.readouterr().out
    assert main(["compare", "gold.m2", *systems, "--baseline", "do-nothing", "--test", "wilcoxon"]) == 0
    assert "against do-nothing" in capsys.readouterr().out
    assert main(["compare", "gold.m2", systems[0]]) == 2
    assert "expected at least two systems" in capsys.readouterr().err


def test_bad_intervals_on_the_command_line(sample, capsys):
    assert main(["score", "gold.m2", "systems/wren.txt", "--level", "95"]) == 2
    assert capsys.readouterr().err == "recte: --level: expected a number between 0 and 1, got 95.0\n"


def test_maxmatch_chooses_annotators_in_every_trial():
    gold = Corpus.from_references(["a b", "c d"] * 10, [["A b", "c d"] * 10, ["a B", "C d"] * 10])
    scorer = MaxMatch().prepare(gold)
    first, second = scorer.count(["A b", "c d"] * 10), scorer.count(["a B", "C d"] * 10)
    assert paired_test(first, second).difference == 0


def test_compare_as_csv_and_from_counts(sample, capsys):
    assert main(["compare", "gold.m2", "systems/heron.txt", "systems/wren.txt", "-f", "csv", "--trials", "100"]) == 0
    header, line = capsys.readouterr().out.splitlines()
    assert header == "first,second,difference,low,high,p,p_holm,significant"
    assert line.startswith("heron,wren,17.06,3.30,32.69,")
    for name in ("heron", "wren"):
        assert main(["count", "gold.m2", f"systems/{name}.txt", "-o", f"{name}.counts"]) == 0
    capsys.readouterr()
    assert main(["compare", "heron.counts", "wren.counts", "--baseline", "do-nothing"]) == 2
    assert "counts files, which hold no source" in capsys.readouterr().err
    assert (
        main(["compare", "gold.m2", "systems/heron.txt", "systems/wren.txt", "-m", "gleu", "--only-reference", "5"])
        == 2
    )
    assert "--only-reference: expected one that every sentence has, got 5" in capsys.readouterr().err


@pytest.mark.parametrize("test", [None, "randomisation"])
def test_a_report_tests_as_compare_does(test):
    """One default for the page, its charts and the tables."""
    gold = Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    outputs = {"good": ["He goes .", "I am ."] * 20, "half": ["He goes .", "I am .", "He go .", "I is ."] * 10}
    results = evaluate(gold, [System(name, tuple(texts)) for name, texts in outputs.items()], test=test)
    scorer = MaxMatch().prepare(gold)
    counts = [scorer.count(texts, name=name) for name, texts in outputs.items()]
    assert results.comparisons["m2"] == compare_systems(counts, test=test)
