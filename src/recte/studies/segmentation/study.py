"""How much a score depends on the word segmenter (Lin et al. 2022, sections 1 and 3), and the score that does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recte.corpus.corpus import DO_NOTHING, Corpus, Segmenter, System
from recte.corpus.count_merging import GrowingCounts
from recte.edits.projection import segmented
from recte.errors import InputError
from recte.metrics.base import Metric, Score
from recte.text.normalisation import NormalisedTokens
from recte.text.segmenters import GIVEN, Characters

__all__ = ["PERFECT", "SegmentationSpread", "SegmenterScores", "segmentation_spread", "segmentation_spreads"]

PERFECT = "perfect answer"


@dataclass(frozen=True)
class SegmenterScores:
    """With one segmenter, each system's score in two ways, by system.

    `gold_as_given`: only the outputs are cut, as somebody without the segmenter of the organisers would do; None for
    characters, which words can't be matched with, and where the gold has no words. `all_cut_anew`: sources and
    references too, edits found again.
    """

    segmenter: str
    gold_as_given: Mapping[str, Score] | None
    all_cut_anew: Mapping[str, Score]


@dataclass(frozen=True)
class SegmentationSpread:
    """Scores by segmenter; `projected` are those on characters with the gold's own edits, which need none.

    Among the systems are a perfect answer (the first annotator's) and the source left alone.
    """

    metric: str
    systems: tuple[str, ...]
    segmenters: tuple[SegmenterScores, ...]
    projected: Mapping[str, Score]

    def spread(self, system: str) -> dict[str, float | None]:
        """How far the best and the worst segmenter are apart, in each of the two ways."""
        as_given = [s.gold_as_given[system].score for s in self.segmenters if s.gold_as_given is not None]
        rescored = [s.all_cut_anew[system].score for s in self.segmenters]
        return {
            "gold_as_given": max(as_given) - min(as_given) if as_given else None,
            "all_cut_anew": max(rescored) - min(rescored),
        }


def segmentation_spread(
    gold: Corpus, systems: Sequence[System], metric: Metric, segmenters: Sequence[Segmenter | None]
) -> SegmentationSpread:
    """Score systems with several segmenters; None stands for the tokens as they are given.

    >>> from recte import Annotation, Edit, MaxMatch, Sentence
    >>> gold = Corpus((Sentence("我 喜欢 你", annotations=(Annotation("0", (Edit(1, 2, ("爱",)),)),)),))
    >>> study = segmentation_spread(gold, [System("mine", ("我 爱 你",))], MaxMatch(), [None, Characters()])
    >>> study.projected["mine"].score, study.projected["do-nothing"].score
    (1.0, 0.0)
    """
    return segmentation_spreads([(gold, systems)], [metric], segmenters)[0]


def segmentation_spreads(
    parts: Iterable[tuple[Corpus, Sequence[System]]], metrics: Sequence[Metric], segmenters: Sequence[Segmenter | None]
) -> list[SegmentationSpread]:
    """As `segmentation_spread` by several metrics, of a corpus in parts with their systems: only counts are kept."""
    if not segmenters:
        raise InputError("expected at least one segmenter, got none")
    growing = [_GrowingStudy.of(len(segmenters)) for _ in metrics]
    for part in parts:
        _add_part(*part, metrics, segmenters, growing)
        del part  # before the next one is read
    for metric in metrics:
        metric.all_counted()
    names = [GIVEN if segmenter is None else segmenter.name for segmenter in segmenters]
    return [study.finish(metric, names) for metric, study in zip(metrics, growing, strict=True)]


def _add_part(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    segmenters: Sequence[Segmenter | None],
    growing: Sequence[_GrowingStudy],
) -> None:
    """Count a part by every metric and segmenter."""
    unannotated = next((s for s in corpus if not s.annotations and not s.references), None)
    if unannotated is not None:
        raise InputError(f"expected gold for sentence {unannotated.id or unannotated.text!r}, got none")
    gold_segmenter = corpus.segmenter  # a gold that was normalised or cut: outputs are, too, and no more after that
    in_words = gold_segmenter is None or (
        isinstance(gold_segmenter, NormalisedTokens) and gold_segmenter.segmenter is None
    )
    gold = replace(corpus, segmenter=None)
    outputs = {
        **{system.name: tuple(_cut(text, gold_segmenter) for text in system.outputs) for system in systems},
        PERFECT: tuple(of_sentence[0] for of_sentence in _references(gold)),
        DO_NOTHING: tuple(" ".join(s.tokens) for s in gold),
    }
    for number, segmenter in enumerate(segmenters):
        cut, cut_gold = _cut_all(gold, outputs, segmenter)
        for metric, study in zip(metrics, growing, strict=True):
            if in_words and not isinstance(segmenter, Characters):
                study.gold_as_given[number].add(metric, gold, cut)
            study.all_cut[number].add(metric, cut_gold, cut)
    in_characters = segmented(gold, Characters())
    for metric, study in zip(metrics, growing, strict=True):
        study.projected.add(metric, in_characters, outputs)


class _GrowingScores:
    """Counts of each system, part by part, and their scores."""

    def __init__(self) -> None:
        self._counts: dict[str, GrowingCounts] = {}

    def add(self, metric: Metric, gold: Corpus, outputs: Mapping[str, Sequence[str]]) -> None:
        systems = {name: System(name, tuple(texts)) for name, texts in outputs.items()}
        scorer = metric.prepare_with(gold, systems)
        for name, system in systems.items():
            self._counts.setdefault(name, GrowingCounts()).add(scorer.count(system))

    def scores(self, metric: Metric) -> dict[str, Score]:
        return {name: metric.score_counts(counts.finish()) for name, counts in self._counts.items()}


@dataclass(frozen=True)
class _GrowingStudy:
    """What one metric has counted so far: with each segmenter in the two ways, and with the gold's edits projected."""

    gold_as_given: Sequence[_GrowingScores]
    all_cut: Sequence[_GrowingScores]
    projected: _GrowingScores

    @classmethod
    def of(cls, segmenters: int) -> _GrowingStudy:
        first, second = ([_GrowingScores() for _ in range(segmenters)] for _ in range(2))
        return cls(first, second, _GrowingScores())

    def finish(self, metric: Metric, names: Sequence[str]) -> SegmentationSpread:
        by_segmenter = zip(names, self.gold_as_given, self.all_cut, strict=True)
        projected = self.projected.scores(metric)
        return SegmentationSpread(
            metric.name,
            tuple(projected),
            tuple(
                SegmenterScores(name, as_given.scores(metric) or None, of_all.scores(metric))
                for name, as_given, of_all in by_segmenter
            ),
            projected,
        )


def _cut_all(
    gold: Corpus, outputs: Mapping[str, Sequence[str]], segmenter: Segmenter | None
) -> tuple[dict[str, list[str]], Corpus]:
    """The outputs, and the corpus with its references, as the segmenter cuts them."""
    cut = {name: [_cut(text, segmenter) for text in texts] for name, texts in outputs.items()}
    sentences = tuple(
        replace(
            sentence,
            text=source,
            tokens=tuple(source.split()),
            annotations=(),
            errors=None,
            references=tuple(_cut(text, segmenter) for text in references),
            lines=(),
        )
        for sentence, references, source in zip(gold, _references(gold), cut[DO_NOTHING], strict=True)
    )
    return cut, replace(gold, sentences=sentences, segmenter=None)


def _references(gold: Corpus) -> list[tuple[str, ...]]:
    return [tuple(s.corrected(a.annotator) for a in s.annotations) or s.references for s in gold]


def _cut(text: str, segmenter: Segmenter | None) -> str:
    return text if segmenter is None else " ".join(segmenter(text))
