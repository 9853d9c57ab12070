"""A text's result is its own: the same bits whatever is scored with it, in what order, for how many systems."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from neural_models import checkpoint, golden_corpus, golden_system
from recte import Corpus, System
from recte.caching import result_cache
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some
from recte.models import encoder, linear_layers, loading, machine
from recte.models.loading import load_model

torch = pytest.importorskip("torch", reason="needs recte[neural]")


def metrics():
    return [
        Some(
            grammaticality_model=checkpoint("some-grammaticality"),
            fluency_model=checkpoint("some-fluency"),
            meaning_model=checkpoint("some-meaning"),
        ),
        Impara(quality_model=checkpoint("impara-qe"), similarity_model=checkpoint("impara-se")),
        Scribendi(model=checkpoint("gpt2")),
        Perplexity(model=checkpoint("gpt2")),
        BertScore(model=checkpoint("bertscore-uncased"), layer=3, rescale=False),
    ]


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setenv("RECTE_NEURAL_CACHE", "off")
    result_cache._memory.clear()


@pytest.mark.parametrize(
    ("number", "threads"),
    [(0, 1), (0, 2), (1, 1), (2, 1), (3, 1), (4, 1)],
    ids=["some", "some, two threads", "impara", "scribendi", "perplexity", "bertscore"],
)
def test_order_and_number_of_systems_change_no_bit(number, threads):
    torch.set_num_threads(threads)
    metric = metrics()[number]
    corpus, names = golden_corpus("AMU", references=True), ("AMU", "CAMB", "NTHU")
    outputs = {name: golden_system(name) for name in names}
    alone = {name: metric.prepare(corpus).count(outputs[name]).rows for name in names}
    result_cache._memory.clear()
    together = metric.prepare_with(corpus, {name: System(name, tuple(outputs[name])) for name in names})
    for name in names:
        np.testing.assert_array_equal(together.count(System(name, tuple(outputs[name]))).rows, alone[name])
    generator = random.Random(number)
    for size in (1, 7, 60):
        places = generator.sample(range(60), size)
        result_cache._memory.clear()
        part = metric.prepare(corpus)._count([outputs["CAMB"][i] for i in places], places).rows
        np.testing.assert_array_equal(part, alone["CAMB"][places])


def test_candidates_are_scored_as_systems_are():
    corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
    for metric in metrics()[:4]:
        scorer = metric.prepare(corpus)
        wanted = metric.sentence_scores(scorer.count(outputs)).tolist()
        result_cache._memory.clear()
        actual = scorer.candidate_scores(
            [[text, source] for text, source in zip(outputs, corpus.unchanged, strict=True)]
        )
        assert [scores[0] for scores in actual] == wanted


def test_a_scorer_that_was_used_pickles():
    corpus, outputs = Corpus.from_references(["He go ."], [["He goes ."]]), ["He went ."]
    idf = BertScore(model=checkpoint("bertscore-uncased"), layer=3, rescale=False, idf=True)
    for metric in [*metrics(), idf]:
        scorer = metric.prepare(corpus)
        wanted = scorer.count(outputs).rows
        again = pickle.loads(pickle.dumps(scorer))
        np.testing.assert_array_equal(again.count(outputs).rows, wanted)


def test_a_known_text_is_not_asked_again(monkeypatch, tmp_path):
    """Adding a system costs that system; and so in another process, by the cache on disk."""
    monkeypatch.delenv("RECTE_NEURAL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = []
    cut = encoder.Encoder._cut
    monkeypatch.setattr(encoder.Encoder, "_cut", lambda self, inputs: asked.extend(inputs) or cut(self, inputs))
    metric, corpus = Scribendi(model=checkpoint("gpt2")), golden_corpus("AMU")
    first = metric.prepare(corpus).count(golden_system("AMU")).rows
    assert len(asked) == len(set(asked)) == len({*corpus.unchanged, *golden_system("AMU")})
    for _ in range(2):
        asked.clear()
        np.testing.assert_array_equal(metric.prepare(corpus).count(golden_system("AMU")).rows, first)
        assert asked == []
        result_cache._memory.clear()  # as in another process
    metric.prepare(corpus).count(golden_system("CAMB"))
    assert set(asked) == {*golden_system("CAMB")} - {*corpus.unchanged, *golden_system("AMU")}
    for path in tmp_path.rglob("*.sqlite"):
        path.write_bytes(b"no database")
    result_cache._memory.clear()
    with pytest.warns(RuntimeWarning, match="is damaged and set aside"):
        np.testing.assert_array_equal(metric.prepare(corpus).count(golden_system("AMU")).rows, first)


def test_bf16_is_near_and_named():
    for metric in (Scribendi, Perplexity):
        exact, coarse = (metric(model=checkpoint("gpt2"), model_dtype=dtype) for dtype in ("fp32", "bf16"))
        corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
        a, b = (m.prepare(corpus).score(outputs) for m in (exact, coarse))
        assert "model_dtype:bf16" in b.signature
        assert a.signature != b.signature
    assert b.score == pytest.approx(a.score, rel=0.02)


@pytest.mark.parametrize(
    ("name", "kind", "form"),
    [
        ("bertscore-uncased", "encoder", {"pairs", "added"}),
        ("some-meaning", "classifier", {"pairs", "added"}),
        ("gpt2", "language-model", {"added-causal"}),
    ],
)
@pytest.mark.parametrize("dtype", ["fp32", "bf16"])
def test_a_loaded_model_gives_what_transformers_gives(name, kind, form, dtype):
    """With layers and masks of ours, whether texts are padded or not, compared with the library's own model."""
    import transformers

    loaded = load_model(checkpoint(name), kind, "model", dtype=dtype, device="cpu")
    assert loaded.mask_form in form
    ours = {"encoder": "AutoModel", "classifier": "AutoModelForSequenceClassification"}.get(
        kind, "AutoModelForCausalLM"
    )
    plain = getattr(transformers, ours).from_pretrained(checkpoint(name), dtype=loaded.model.dtype).eval()
    ids = torch.randint(5, 90, (3, 9), generator=torch.Generator().manual_seed(1))
    mask = (torch.arange(9) < torch.tensor([[9], [6], [2]])).long()
    with torch.inference_mode():
        wanted, actual = plain(input_ids=ids, attention_mask=mask)[0], loaded.run(ids, mask)[0]
        full = loaded.run(ids[:1], mask[:1])[0]
        tolerance = 1e-5 if dtype == "fp32" else 0.05
        real = mask.bool() if wanted.dim() == 3 else slice(None)
        torch.testing.assert_close(actual[real], wanted[real], atol=tolerance, rtol=0)
        torch.testing.assert_close(full, wanted[:1], atol=tolerance, rtol=0)


def test_a_padded_head_leaves_likelihoods_as_they_are():
    """What a GPU's head does; its rows begin at even addresses, so that sums do not depend on a row's place."""
    head = torch.nn.Linear(8, 77)
    states = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(2))
    with torch.inference_mode():
        wanted = torch.log_softmax(head(states), dim=2)
        linear_layers._pad(torch, head)
        actual = torch.log_softmax(head(states), dim=2)
    assert actual.shape[2] == 128
    torch.testing.assert_close(actual[..., :77], wanted)


def test_models_work_where_weights_cannot_be_packed(monkeypatch):
    """As on a processor that oneDNN does not serve: the same scores to the last digits, under another key."""
    corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
    metric = Perplexity(model=checkpoint("gpt2"))
    packed, key = metric.prepare(corpus).count(outputs).rows, metric.models()["model"].key
    monkeypatch.setattr(linear_layers, "has_packed_products", lambda torch: False)
    monkeypatch.setattr(machine, "has_packed_products", lambda torch: False)
    loading._loaded.cache_clear()
    result_cache._memory.clear()
    machine._known.clear()
    try:
        plain, other = metric.prepare(corpus).count(outputs).rows, metric.models()["model"].key
    finally:
        loading._loaded.cache_clear()
        machine._known.clear()
    assert key != other
    np.testing.assert_allclose(plain, packed, rtol=1e-5)


@pytest.mark.parametrize("kept", [0, 40, 1000])
def test_pairs_that_come_in_blocks_have_the_same_rows(monkeypatch, tmp_path, kept):
    """As a GPU is asked, which does not wait for the last block; some rows may be known, on disk or in memory."""
    from recte.models.greedy_matching import GreedyMatching

    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path))
    model = GreedyMatching(checkpoint("bertscore-uncased"), layer=3)
    texts = [*golden_system("AMU"), *golden_system("CAMB"), "", " "]
    generator = np.random.default_rng(kept)
    blocks = [(texts, generator.integers(len(texts), size=(size, 2))) for size in (70, 0, 90)]
    inputs = [(texts[a], texts[b]) for _, pairs in blocks for a, b in pairs.tolist()]
    wanted = result_cache.results_of(model, inputs)
    result_cache._memory.clear()
    for path in tmp_path.iterdir():
        path.unlink()
    result_cache.results_of(model, inputs[20 : 20 + kept])
    result_cache._memory.clear()
    result_cache.results_of(model, inputs[10:30])
    monkeypatch.setattr(GreedyMatching, "_room", lambda self: 900)
    np.testing.assert_array_equal(result_cache.results_of_blocks(model, iter(blocks)), wanted)
    result_cache._memory.clear()  # all of them are on the disk now
    np.testing.assert_array_equal(result_cache.results_of_blocks(model, iter(blocks)), wanted)
    np.testing.assert_array_equal(result_cache.results_of_blocks(model, blocks), wanted)
