"""Models that need no torch: the same answer to the same text, at once, to test whatever asks them."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np

from recte.judges.judge import Judge
from recte.models import greedy_matching, text_models
from recte.models.loading import LoadedModel
from recte.models.machine import Machine
from recte.models.model_files import ModelFiles

STUB = LoadedModel(ModelFiles("stub", Path("stub"), "0" * 40), None, None, "cpu", "fp32")


def number(one: object) -> float:
    """A number from 0 to 1 that looks random, and belongs to the text."""
    return crc32(repr(one).encode("utf-8", "surrogatepass")) / 2**32


def overlap(a: str, b: str) -> tuple[float, float, float]:
    """Shares of words that the other text has too, and their harmonic mean."""
    first, second = a.split(), b.split()
    if not first or not second:
        return 0.0, 0.0, 0.0
    precision = sum(word in second for word in first) / len(first)
    recall = sum(word in first for word in second) / len(second)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def answering(row):
    """What a model does, where `row` says what it gives for one input; two at a time, the last first."""

    def score_inputs(self, inputs):
        for end in range(len(inputs), 0, -2):
            places = list(range(max(0, end - 2), end))
            yield places, np.array([row(inputs[place]) for place in places], dtype=self.rows_dtype)

    return score_inputs


def install(monkeypatch) -> None:
    """Put stubs in the place of all models."""
    monkeypatch.setattr(text_models.NamedModel, "loaded", property(lambda self: STUB))
    monkeypatch.setattr(text_models.NamedModel, "files", property(lambda self: STUB.files))
    monkeypatch.setattr(text_models, "machine_for", lambda wanted, option: Machine("cpu", "stub"))
    monkeypatch.setattr(text_models.Regressor, "score_inputs", answering(lambda one: [1 + 3 * number(one)]))
    monkeypatch.setattr(text_models.SentenceVectors, "width", 3)
    vector = answering(lambda one: [1.0, number(one), len(one) / 100])
    monkeypatch.setattr(text_models.SentenceVectors, "score_inputs", vector)
    monkeypatch.setattr(text_models.LanguageModel, "vocabulary", 1000)
    likelihood = answering(lambda one: [len(one.split()) * (1 + number(one)), len(one.split())])
    monkeypatch.setattr(text_models.LanguageModel, "score_inputs", likelihood)
    monkeypatch.setattr(greedy_matching.GreedyMatching, "score_inputs", answering(lambda pair: overlap(*pair)))
    monkeypatch.setattr(Judge, "score_inputs", answering(lambda pair: [1 + round(4 * number(pair)), 0]))
    weights = greedy_matching.PieceWeights
    monkeypatch.setattr(greedy_matching.GreedyMatching, "weights_from", lambda self, texts: weights(len(texts), {}))
