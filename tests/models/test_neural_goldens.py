"""Every published metric on tiny checkpoints: what gec-metrics and the authors' scripts gave, to 1e-5."""

from __future__ import annotations

import numpy as np
import pytest

from neural_models import CASES, checkpoint, edges, golden_corpus, golden_system, neural_golden
from recte import Corpus, Edit, System, read_m2, read_system
from recte.edits.edit_context import EditInContext
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.pt_errant import PtErrant
from recte.metrics.pt_m2 import PtM2
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some
from recte.studies.metaeval.system_correlation import aggregate
from shared_data import shared

pytest.importorskip("torch", reason="needs recte[neural]")


def scored(metric, name, references=False):
    corpus, outputs = golden_corpus(name, references), golden_system(name)
    counts = metric.prepare(corpus).count(outputs)
    return metric, counts, neural_golden(metric.name.replace("-", "_"))[name]


def near(values, wanted, tolerance=1e-5):
    wanted = np.array([np.nan if x is None else x for x in list(wanted)], dtype=float)
    np.testing.assert_allclose(np.asarray(values, dtype=float), wanted, rtol=0, atol=tolerance, equal_nan=True)


def some(**options):
    return Some(
        grammaticality_model=checkpoint("some-grammaticality"),
        fluency_model=checkpoint("some-fluency"),
        meaning_model=checkpoint("some-meaning"),
        **options,
    )


@pytest.mark.parametrize("name", CASES)
def test_some(name):
    metric, counts, wanted = scored(some(), name)
    for cell, part in enumerate(("grammaticality", "fluency", "meaning")):
        near(counts.rows[:, 0, cell], wanted[part])
    near(metric.sentence_scores(counts), wanted["sentences"])
    assert metric.score_counts(counts).score == pytest.approx(wanted["corpus"], abs=1e-5)
    other = some(grammaticality_weight=0.01, fluency_weight=0.02, meaning_weight=0.97)
    near(other.sentence_scores(counts), wanted["sentences_weights_.01_.02_.97"])


@pytest.mark.parametrize("name", CASES)
def test_impara(name):
    models = {"quality_model": checkpoint("impara-qe"), "similarity_model": checkpoint("impara-se")}
    metric, counts, wanted = scored(Impara(**models), name)
    parts = metric.parts(counts)
    near(parts["quality"], wanted["quality"])
    near(parts["similarity"], wanted["similarity"])
    for least, of in ((0.9, ""), (0.8, "_threshold_0.8"), (0.98, "_threshold_0.98")):
        moved = Impara(**models, min_similarity=least)
        near(moved.sentence_scores(counts), wanted[f"sentences{of}"])
        assert moved.score_counts(counts).score == pytest.approx(wanted[f"corpus{of}"], abs=1e-5)
        gates = np.array(wanted["similarity"]) < least
        assert moved.score_counts(counts).parts["closed"] == gates.sum()


@pytest.mark.parametrize("name", CASES)
def test_scribendi(name):
    metric, counts, wanted = scored(Scribendi(model=checkpoint("gpt2")), name)
    parts = metric.parts(counts)
    near(np.log(parts["perplexity_source"]), np.log([np.nan if x is None else x for x in wanted["perplexity_source"]]))
    near(
        np.log(parts["perplexity_hypothesis"]),
        np.log([np.nan if x is None else x for x in wanted["perplexity_hypothesis"]]),
    )
    near(parts["token_sort_ratio"], wanted["token_sort_ratio"], 1e-9)
    near(parts["levenshtein_ratio"], wanted["levenshtein_ratio"], 1e-8)
    assert metric.sentence_scores(counts).tolist() == wanted["sentences"]
    score = metric.score_counts(counts)
    assert score.parts["sum"] == wanted["corpus"]
    assert score.score == pytest.approx(wanted["corpus"] / len(counts), abs=1e-12)
    for least in (0.9, 0.97):
        moved = Scribendi(model=checkpoint("gpt2"), min_ratio=least)
        assert moved.sentence_scores(counts).tolist() == wanted[f"sentences_threshold_{least}"]


@pytest.mark.parametrize("name", CASES)
def test_perplexity(name):
    wanted = np.array(
        [np.nan if x is None else x for x in neural_golden("scribendi")[name]["perplexity_hypothesis"]], dtype=float
    )
    there = ~np.isnan(wanted)
    forms = {"perplexity": wanted, "log-probability": -np.log(wanted), "fluency": 1 / (1 + np.log(wanted))}
    for form, values in forms.items():
        metric = Perplexity(model=checkpoint("gpt2"), form=form, likelihood_mean="sentence")
        counts = metric.prepare(golden_corpus(name)).count(golden_system(name))
        np.testing.assert_allclose(metric.sentence_scores(counts)[there], values[there], rtol=1e-5)
        assert counts.fallbacks.tolist() == (~there).tolist()


CONFIGURATIONS = {
    "layer0": {"layer": 0, "rescale": False},
    "layer2": {"layer": 2, "rescale": False},
    "layer4": {"layer": 4, "rescale": False},
    "layer3_rescaled": {"layer": 3},
    "layer2_idf": {"layer": 2, "rescale": False, "idf": True},
    "layer3_idf_rescaled": {"layer": 3, "idf": True},
}


def bert_options(**options):
    from recte.models.baselines import load_baselines

    folder = checkpoint("bertscore-uncased")
    load_baselines(f"{folder}/baseline.tsv")
    return {"model": folder, "baseline_file": f"{folder}/baseline.tsv", **options}


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_bertscore(configuration):
    golden = neural_golden("bertscore")[configuration]
    metric = BertScore(**bert_options(**CONFIGURATIONS[configuration]))
    for name, wanted in golden.items():
        if name == "edge":
            if metric.idf:
                continue
            sources, hypotheses = edges()
            corpus, outputs = Corpus.from_references(sources, [sources]), hypotheses
        else:
            corpus, outputs = golden_corpus(name, references=True), golden_system(name)
        counts = metric.prepare(corpus).count(outputs)
        score = metric.score_counts(counts)
        for cell, part in enumerate("prf"):
            near(metric.parts(counts)[part], wanted[part])
            if f"corpus_{part}" in wanted:
                assert score.parts[part] == pytest.approx(wanted[f"corpus_{part}"], abs=1e-5)
            for r in (0, 1):
                if f"{part}_ref{r}" in wanted:
                    near(counts.rows[:, r, cell], wanted[f"{part}_ref{r}"])


@pytest.mark.parametrize("name", [case for case in CASES if case != "edge"])
def test_pt_errant(name):
    """Edits are given, as ERRANT found them; weights, counts, choices and F are ours."""
    golden = neural_golden("pt_errant")[name]
    corpus = golden_corpus(name)
    refs = [golden_corpus(name, references=True)[i].references for i in range(len(corpus))]
    edits = [
        [[Edit(s, e, (c,)) for s, e, c in ref["ref_edits"]] for ref in item["refs"]] for item in golden["sentences"]
    ]
    gold = Corpus.from_edits([" ".join(s.tokens) for s in corpus], edits)
    ours = tuple(tuple(Edit(s, e, (c,)) for s, e, c in item["hyp_edits"]) for item in golden["sentences"])
    metric = PtErrant(**bert_options(layer=3))
    for i, of_sentence in enumerate(refs):
        for r, text in enumerate(of_sentence):
            assert gold[i].corrected(str(r)) == " ".join(text.split())
    system = System(name, tuple(golden_system(name)), ours)
    counts = metric.prepare(gold).count(system)
    for i, item in enumerate(golden["sentences"]):
        for r, ref in enumerate(item["refs"]):
            weights = {(s, e, c): weight for s, e, c, weight in ref["weights"]}
            context = [EditInContext(i, gold[i].tokens, *edit, str(r), refs[i][r]) for edit in weights]
            near(metric.weigher()(context), weights.values())
        alone = metric.score_counts(counts.part(slice(i, i + 1)))
        assert [alone.tp, alone.fp, alone.fn] == pytest.approx([item["tp"], item["fp"], item["fn"]], abs=1e-5)
        assert alone.score == pytest.approx(item["f"], abs=2e-5)  # a ratio, of which one published part is 4e-7
    whole, wanted = metric.score_counts(counts), golden["corpus"]
    figures = [whole.tp, whole.fp, whole.fn, whole.precision, whole.recall, whole.score]
    assert figures == pytest.approx([wanted[key] for key in ("tp", "fp", "fn", "p", "r", "f")], abs=1e-5)


@pytest.mark.parametrize("name", [case for case in CASES if case != "edge"])
def test_pt_m2(name):
    golden = neural_golden("pt_m2")
    wanted = golden["systems"][name]
    whole = read_m2(shared("data", "conll14", "gold.m2"))
    gold = Corpus(tuple(whole[i] for i in golden["sentences"]))
    lines = read_system(shared("data", "conll14", "systems", f"{name}.txt")).outputs
    outputs = [lines[i] for i in golden["sentences"]]
    metric = PtM2(**bert_options(layer=3))
    counts = metric.prepare(gold).count(outputs)
    score = metric.score_counts(counts)
    assert score.score == pytest.approx(wanted["sentm2"], abs=1e-5)
    # Weights agree to 5e-7; F is a ratio of weights that may be 0.004, and the published ones are single precision.
    near(metric.sentence_scores(counts), [f for _, _, f in wanted["sentence_prf"]], 2e-5)
    for i, of_sentence in enumerate(wanted["per_annotator"]):
        for annotator, item in zip(golden["annotators"][str(golden["sentences"][i])], of_sentence, strict=True):
            reference = gold[i].corrected(str(annotator))
            edits = [(start, end, text) for start, end, _, text, _ in item["weights"]]
            context = [EditInContext(i, gold[i].tokens, *edit, str(annotator), reference) for edit in edits]
            weights = metric.weigher()(context)
            if any(weights):
                near(weights, [weight for *_, weight in item["weights"]], 1e-6)
    corpus_wide = PtM2(**bert_options(layer=3), averaging="corpus").score_counts(counts)
    assert [corpus_wide.precision, corpus_wide.recall, corpus_wide.score] == pytest.approx(wanted["m2_prf"], abs=1e-5)


@pytest.mark.parametrize("name", ["some", "impara", "scribendi", "bertscore layer3_rescaled f"])
def test_trueskill(name):
    """Scores rounded to six decimals, since the published ones tie or not by their last bit."""
    metric = {
        "some": some(),
        "impara": Impara(quality_model=checkpoint("impara-qe"), similarity_model=checkpoint("impara-se")),
        "scribendi": Scribendi(model=checkpoint("gpt2")),
    }.get(name) or BertScore(**bert_options(layer=3))
    systems = neural_golden("trueskill")["systems"]
    scorer = metric.prepare(golden_corpus("AMU", references=True))
    scores = np.array([metric.sentence_scores(scorer.count(golden_system(system))) for system in systems])
    wanted = neural_golden("trueskill")["ratings"]["scores rounded to 6 decimals first"][name]
    assert aggregate(scores.round(6), "trueskill").scores.tolist() == pytest.approx(wanted, abs=1e-5)
