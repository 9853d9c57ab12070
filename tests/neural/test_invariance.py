"""A text's result is its own: the same bits whatever is scored beside it, in what order, for how many systems."""

from __future__ import annotations

import random

import numpy as np
import pytest

from neural_models import checkpoint, golden_corpus, golden_system
from recte import System
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some
from recte.neural import encoder, results

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
    results._known.clear()


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
    results._known.clear()
    together = metric.prepare_with(corpus, {name: System(name, tuple(outputs[name])) for name in names})
    for name in names:
        np.testing.assert_array_equal(together.count(System(name, tuple(outputs[name]))).rows, alone[name])
    generator = random.Random(number)
    for size in (1, 7, 60):
        places = generator.sample(range(60), size)
        results._known.clear()
        part = metric.prepare(corpus)._count([outputs["CAMB"][i] for i in places], places).rows
        np.testing.assert_array_equal(part, alone["CAMB"][places])


def test_candidates_are_scored_as_systems_are():
    corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
    for metric in metrics()[:4]:
        scorer = metric.prepare(corpus)
        wanted = metric.sentence_scores(scorer.count(outputs)).tolist()
        results._known.clear()
        found = scorer.candidate_scores(
            [[text, source] for text, source in zip(outputs, corpus.unchanged, strict=True)]
        )
        assert [scores[0] for scores in found] == wanted


def test_a_known_text_is_not_asked_again(monkeypatch, tmp_path):
    """Adding a system costs that system; and so in another process, by the cache on disk."""
    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path))
    asked = []
    pieces = encoder.Encoder.pieces
    monkeypatch.setattr(
        encoder.Encoder, "pieces", lambda self, inputs, offset=0: asked.extend(inputs) or pieces(self, inputs, offset)
    )
    metric, corpus = Scribendi(model=checkpoint("gpt2")), golden_corpus("AMU")
    first = metric.prepare(corpus).count(golden_system("AMU")).rows
    assert len(asked) == len(set(asked)) == len({*corpus.unchanged, *golden_system("AMU")})
    for _ in range(2):
        asked.clear()
        np.testing.assert_array_equal(metric.prepare(corpus).count(golden_system("AMU")).rows, first)
        assert asked == []
        results._known.clear()  # as in another process
    metric.prepare(corpus).count(golden_system("CAMB"))
    assert set(asked) == {*golden_system("CAMB")} - {*corpus.unchanged, *golden_system("AMU")}
    for path in tmp_path.iterdir():
        path.write_bytes(b"no database")
    results._known.clear()
    np.testing.assert_array_equal(metric.prepare(corpus).count(golden_system("AMU")).rows, first)


def test_bf16_is_near_and_named():
    for metric in (Scribendi, Perplexity):
        exact, coarse = (metric(model=checkpoint("gpt2"), model_dtype=dtype) for dtype in ("fp32", "bf16"))
        corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
        a, b = (m.prepare(corpus).score(outputs) for m in (exact, coarse))
        assert "model_dtype:bf16" in b.signature
        assert a.signature != b.signature
    assert b.score == pytest.approx(a.score, rel=0.02)
