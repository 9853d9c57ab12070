"""What metrics share that compare versions of a sentence, each given as edits of the source."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from recte.corpus.corpus import Corpus, Edit, Sentence, System
from recte.corpus.counts import Counts
from recte.edits.verdicts import JudgedEdit
from recte.errors import InputError
from recte.extraction.reference_edits import edits_between, with_edits
from recte.metrics.explanation import Explanation, TextView, explain_texts
from recte.metrics.scorer import MetricT, Scorer

__all__ = ["VersionScorer"]


class VersionScorer(Scorer[MetricT]):
    """Sources and references as edits; hypotheses as the edits they came with, or as those found in their texts.

    The metric has the options `extraction` and `reference_edits`.
    """

    metric: Any

    def __init__(self, metric: MetricT, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.sentences: list[Sentence] = with_edits(corpus.sentences, rule=self.metric.reference_edits)
        bare = next((s for s in self.sentences if not s.annotations), None)
        if bare is not None:
            raise InputError(f"expected gold edits or references for sentence {bare.id or bare.text!r}, got none")

    @abstractmethod
    def _count_edits(self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]) -> Counts:
        """Count hypotheses given as edits, each against the sentence that `source_of` says."""

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        return self._count_edits(self.extract(hypotheses, source_of), source_of)

    def _count_system(self, system: System) -> Counts:
        return self._count_edits(self.edits_of(system), range(len(self.corpus)))

    def gold_sentences(self) -> Sequence[Sentence]:
        return self.sentences

    def explain(self, system: System, number: int) -> Explanation:
        """Its chunks or edits with their verdicts, annotator by annotator."""
        place = number - 1
        judged = self.judged_edits(system)[place]
        return explain_texts(self, system, number, tuple(self._view(place, a, edits) for a, edits in judged.items()))

    def _view(self, place: int, annotator: str, judged: Sequence[JudgedEdit]) -> TextView:
        sentence = self.sentences[place]
        known = sentence.annotation(annotator)
        figures: dict[str, float | str] = {
            f"{e.verdict} {e.start} {e.end}": f"{e.original or '∅'} → {e.corrections[0] or '∅'}"
            + (f"  ({e.type})" if e.type else "")
            for e in judged
        }
        text = "" if known is None else sentence.corrected(annotator)
        return TextView(f"against {annotator}" if known is None else f"annotator {annotator}", text, figures)

    def edits_of(self, system: System) -> Sequence[Sequence[Edit]]:
        """The system's own edits, unless the corpus was cut into other tokens; else those that its outputs show."""
        if system.edits is not None and self.corpus.segmenter is None:
            return system.edits
        return self.extract(self.segmented(system.outputs), range(len(self.sentences)))

    def extract(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Sequence[Sequence[Edit]]:
        """The edits that turn each hypothesis' source into it."""
        sources = [self.sentences[s] for s in source_of]
        changed = [i for i, h in enumerate(hypotheses) if tuple(h.split()) != sources[i].tokens]
        edits_of_pairs = edits_between(
            [sources[i] for i in changed], [hypotheses[i] for i in changed], rule=self.metric.extraction
        )
        edits: list[Sequence[Edit]] = [()] * len(hypotheses)
        for place, of_hypothesis in zip(changed, edits_of_pairs, strict=True):
            edits[place] = of_hypothesis
        return edits
