"""The Scribendi score: Islam and Magnani (2021), a reference-less metric for grammatical error correction.

A hypothesis gains a point if a language model finds it likelier than its source and if it is not too unlike it; else
it loses one. Left as it is, it gets 0. A row holds perplexities and ratios, so that the threshold can be moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.caching.result_cache import results_of
from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.corpus.vocabulary import EncodedText, offsets_of
from recte.metrics.base import Column, option
from recte.metrics.neural_metric import NeuralMetric, NeuralScorer
from recte.models.text_models import LanguageModel
from recte.threads import thread_count

__all__ = ["Scribendi", "ScribendiScorer", "character_ratios", "sort_words"]

_EQUAL, _SORTED, _RAW, _SOURCE, _HYPOTHESIS = range(5)
_DROPPED = re.compile("[\x80-\xff]")
_WORD = re.compile(r"\w+")
_AT_ONCE = 512  # texts that are compared while a model reads a batch


@dataclass(frozen=True, kw_only=True)
class Scribendi(NeuralMetric):
    """The Scribendi score; the published figure is the `sum`, the score the mean.

    >>> Scribendi().options()["min_ratio"]
    0.8
    """

    name: ClassVar[str] = "scribendi"
    title: ClassVar[str] = "Scribendi score"
    cells: ClassVar[tuple[int, ...]] = (5,)
    sentence_meaning: ClassVar[str] = "100 for a likelier text that is like its source, 0 for the source, else -100"
    plain_parts: ClassVar[frozenset[str]] = frozenset({"perplexity_source", "perplexity_hypothesis"})
    inexact: ClassVar[str] = "differ from the source in white space alone, which counts as a change here"
    bibtex: ClassVar[str] = """@inproceedings{islam-magnani-2021-end,
  title = {Is this the end of the gold standard?
    {A} straightforward reference-less grammatical error correction metric},
  author = {Islam, Md Asadul and Magnani, Enrico},
  booktitle = {Proceedings of EMNLP 2021},
  pages = {3009--3015},
  year = {2021}
}"""

    model: str = option("gpt2", "the language model, or the encoder of BERTScore: a folder or a name of the model hub")
    min_ratio: float = option(
        0.8, "how like its source a hypothesis must be for Scribendi", least=0, most=1, scoring_only=True
    )

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Empty text has no perplexity."""
        ratios, perplexities = rows[..., :_SOURCE], rows[..., _SOURCE:]
        return np.asarray(((ratios >= 0) & (ratios <= 1)).all(axis=-1) & ~(perplexities < 0).any(axis=-1))

    @property
    def columns(self) -> tuple[Column, ...]:
        names = ("better", "unchanged", "worse", "sum")
        return (*(Column(name, ("parts", name), percentage=False) for name in names), Column("mean", ("score",)))

    def models(self) -> Mapping[str, LanguageModel]:
        return {"model": LanguageModel(self.model, "model", self.model_dtype, self.device)}

    def prepare(self, gold: Corpus) -> ScribendiScorer:
        return ScribendiScorer(self, gold)

    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        _, words, raw, source, hypothesis = self.read_rows(counts)[:, 0].T
        return {
            "perplexity_source": source,
            "perplexity_hypothesis": hypothesis,
            "token_sort_ratio": words,
            "levenshtein_ratio": raw,
        }

    def corpus_parts(self, counts: Counts) -> dict[str, float | None]:
        """How many hypotheses are better and worse than their sources, and the sum of points."""
        points = self.sentence_scores(counts)
        better, worse = int((points > 0).sum()), int((points < 0).sum())
        return {
            "better": better,
            "unchanged": len(points) - better - worse,
            "worse": worse,
            "sum": float(better - worse),
        }

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """1, 0 or -1. A text without a perplexity is never found likelier nor less likely: ratios alone decide."""
        rows = self.read_rows(counts)[:, 0]
        less_likely = rows[:, _SOURCE] <= rows[:, _HYPOTHESIS]
        alike = np.maximum(rows[:, _SORTED], rows[:, _RAW]) >= self.min_ratio
        points = np.where(~less_likely & alike, 1.0, -1.0)
        return np.where(rows[:, _EQUAL] == 1, 0.0, points)


class ScribendiScorer(NeuralScorer):
    """The Scribendi score with its sources."""

    metric: Scribendi

    def ask_ahead(self, systems: Iterable[System]) -> None:
        """The model alone: characters are compared with each system."""
        texts = [text for system in systems for text in self.segmented(system.outputs)]
        results_of(self.metric.models()["model"], [*self.sources, *texts])

    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        sources = [self.sources[s] for s in source_of]
        rows = np.empty((len(sources), 1, 5))
        likelihoods = results_of(
            self.metric.models()["model"],
            [*sources, *hypotheses],
            _fill_likeness(sources, hypotheses, rows[:, 0, :_SOURCE]),
        )
        with np.errstate(invalid="ignore", over="ignore"):
            perplexities = np.exp(likelihoods[:, 0] / likelihoods[:, 1])  # NaN for empty text
        rows[:, 0, _SOURCE], rows[:, 0, _HYPOTHESIS] = perplexities[: len(sources)], perplexities[len(sources) :]
        return ("all",), rows

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        sources = (self.sources[s] for s in source_of)
        spaced = [a != b and a.split() == b.split() for a, b in zip(sources, hypotheses, strict=True)]
        return replace(super()._count(hypotheses, source_of), fallbacks=np.array(spaced, dtype=np.bool_))

    def reason(self, counts: Counts) -> str:
        source, hypothesis, words, raw = (float(values[0]) for values in self.metric.parts(counts).values())
        if counts.rows[0, 0, _EQUAL] == 1:
            return "the source was left as it is"
        if source <= hypothesis:
            return f"perplexity does not fall: {source:.4g} before, {hypothesis:.4g} after"
        least = self.metric.min_ratio
        if max(words, raw) < least:
            return f"too unlike its source: {max(words, raw):.3f} is below {least:g}"
        return (
            f"perplexity falls from {source:.4g} to {hypothesis:.4g}, and {max(words, raw):.3f} is at least {least:g}"
        )


def _fill_likeness(sources: Sequence[str], hypotheses: Sequence[str], rows: NDArray[np.float64]) -> Iterator[None]:
    """Fill rows with whether two texts are equal and how alike they are, some at a time."""
    for begin in range(0, len(sources), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        a, b = sources[part], hypotheses[part]
        words = character_ratios([*map(sort_words, a)], [*map(sort_words, b)])
        rows[part, _EQUAL] = [x == y for x, y in zip(a, b, strict=True)]
        rows[part, _SORTED] = np.rint(100 * words) / 100  # half to even, as fuzzywuzzy rounds
        rows[part, _RAW] = character_ratios(a, b)
        yield


def sort_words(text: str) -> str:
    """The words in lower case and in order, as fuzzywuzzy's token-sort ratio has them.

    Characters from U+0080 to U+00FF vanish, and whatever else is no letter, digit or underscore parts words.

    >>> sort_words("The cat 's café")
    'caf cat s the'
    """
    if text.isascii():
        return " ".join(sorted(_WORD.findall(text.lower())))
    return " ".join(sorted(" ".join(_WORD.findall(_DROPPED.sub("", text))).lower().split()))


def character_ratios(a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
    """1 - (insertions and deletions of characters) / (characters of both); 1 where both are empty.

    >>> character_ratios(["abcd", ""], ["abxd", ""]).tolist()
    [0.75, 1.0]
    """
    lengths = np.array([(len(x), len(y)) for x, y in zip(a, b, strict=True)], dtype=np.float64).reshape(-1, 2)
    total = lengths.sum(axis=1)
    common = _kernels.count_overlap(_characters(a), _characters(b), thread_count(len(a)))[:, 1]
    return np.asarray(np.where(total == 0, 1.0, 2 * common / np.where(total == 0, 1.0, total)))


def _characters(texts: Sequence[str]) -> EncodedText:
    ids = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    return np.ascontiguousarray(ids), offsets_of(map(len, texts), len(texts))
