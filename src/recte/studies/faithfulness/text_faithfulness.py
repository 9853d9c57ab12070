"""Faithfulness without a parser: any scorer of two texts, as a Python callable or as a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from recte.errors import InputError
from recte.text.text_scorers import BatchedScorer, TextScorer, scores_of

__all__ = ["TextFaithfulness", "score_text_faithfulness"]


@dataclass(frozen=True)
class TextFaithfulness:
    """A scorer's figure for each sentence of a system, and their mean.

    >>> TextFaithfulness("heron", "my_scorer", (1.0, 0.5)).average
    0.75
    """

    system: str
    scorer: str
    sentences: tuple[float, ...]

    @property
    def average(self) -> float:
        return fmean(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "sentences": list(self.sentences), "average": self.average}


def score_text_faithfulness(
    sources: Sequence[str],
    corrected: Sequence[str],
    scorer: TextScorer,
    *,
    batched: bool = False,
    system: str = "system",
    name: str = "",
) -> TextFaithfulness:
    """How faithful corrections are by a scorer of two texts, called with a source and its correction.

    A `batched` scorer is called once, with the list of all sources and that of all corrections, and gives a list; one
    with an attribute `many` is called by it, with the list of all pairs.

    >>> def kept_words(source, corrected):
    ...     return len({*source.split()} & {*corrected.split()}) / len({*source.split()})
    >>> score_text_faithfulness(["Go home now", "Yes"], ["Going home now", "Yes"], kept_words).sentences
    (0.6666666666666666, 1.0)
    """
    name = name or getattr(scorer, "__name__", type(scorer).__name__)
    if len(sources) != len(corrected):
        raise InputError(f"{system}: expected {len(sources)} corrections, one for each source, got {len(corrected)}")
    if not sources:
        raise InputError(f"{system}: expected at least one sentence, got none")
    called = BatchedScorer(scorer) if batched else scorer
    pairs = list(zip(sources, corrected, strict=True))
    return TextFaithfulness(system, name, tuple(scores_of(called, pairs, who=f"scorer {name}", unit="sentence")))
