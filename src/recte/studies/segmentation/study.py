"""How much a score depends on the word segmenter (Lin et al. 2022, sections 1 and 3), and the score that does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from recte.corpus.corpus import DO_NOTHING, Corpus, Segmenter, System
from recte.corpus.counts import Counts
from recte.edits.projection import segmented
from recte.errors import InputError
from recte.metrics.base import Metric, Score
from recte.text.normalisation import NormalisedTokens
from recte.text.segmenters import GIVEN, Characters

__all__ = ["PERFECT", "SegmentationSpread", "SegmenterScores", "segmentation_spread"]

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
    if not segmenters:
        raise InputError("expected at least one segmenter, got none")
    unannotated = next((s for s in gold if not s.annotations and not s.references), None)
    if unannotated is not None:
        raise InputError(f"expected gold for sentence {unannotated.id or unannotated.text!r}, got none")
    gold_segmenter = gold.segmenter  # a gold that was normalised or cut: outputs are, too, and no more after that
    in_words = gold_segmenter is None or (
        isinstance(gold_segmenter, NormalisedTokens) and gold_segmenter.segmenter is None
    )
    gold = replace(gold, segmenter=None)
    outputs = {
        **{system.name: tuple(_cut(text, gold_segmenter) for text in system.outputs) for system in systems},
        PERFECT: tuple(of_sentence[0] for of_sentence in _references(gold)),
        DO_NOTHING: tuple(" ".join(s.tokens) for s in gold),
    }
    counted = [_with_segmenter(gold, outputs, metric, segmenter, in_words) for segmenter in segmenters]
    projected = _counts(metric, segmented(gold, Characters()), outputs)
    metric.all_counted()
    return SegmentationSpread(
        metric.name,
        tuple(outputs),
        tuple(
            SegmenterScores(name, None if as_given is None else _scores(metric, as_given), _scores(metric, rescored))
            for name, as_given, rescored in counted
        ),
        _scores(metric, projected),
    )


def _with_segmenter(
    gold: Corpus, outputs: Mapping[str, Sequence[str]], metric: Metric, segmenter: Segmenter | None, in_words: bool
) -> tuple[str, dict[str, Counts] | None, dict[str, Counts]]:
    """The segmenter's name, and counts in the two ways."""
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
    return (
        GIVEN if segmenter is None else segmenter.name,
        _counts(metric, gold, cut) if in_words and not isinstance(segmenter, Characters) else None,
        _counts(metric, replace(gold, sentences=sentences, segmenter=None), cut),
    )


def _references(gold: Corpus) -> list[tuple[str, ...]]:
    return [tuple(s.corrected(a.annotator) for a in s.annotations) or s.references for s in gold]


def _cut(text: str, segmenter: Segmenter | None) -> str:
    return text if segmenter is None else " ".join(segmenter(text))


def _counts(metric: Metric, gold: Corpus, outputs: Mapping[str, Sequence[str]]) -> dict[str, Counts]:
    systems = {name: System(name, tuple(texts)) for name, texts in outputs.items()}
    scorer = metric.prepare_with(gold, systems)
    return {name: scorer.count(system) for name, system in systems.items()}


def _scores(metric: Metric, counts: Mapping[str, Counts]) -> dict[str, Score]:
    return {name: metric.score_counts(of_system) for name, of_system in counts.items()}
