"""ERRANT: Bryant, Felice and Briscoe (2017), "Automatic Annotation and Evaluation of Error Types".

Edits of hypothesis and reference, given as M2 or extracted from text, are compared span by span. A row holds counts
for every pair of annotators; choosing among pairs is part of scoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from recte.corpus import Corpus, Edit, Sentence, System
from recte.extraction.alignment import COSTS, MERGING, Costs, Merging
from recte.extraction.extract import extractor_of
from recte.extraction.extractor import Extractor
from recte.metrics.base import option
from recte.metrics.compared_metric import ComparedMetric, ComparedScorer
from recte.metrics.edit_comparison import Comparison, Duplicates
from recte.metrics.extracted_sides import ExtractedSides
from recte.metrics.seen_edits import SeenSoon
from recte.metrics.weighed_choice import ChoiceRule

__all__ = ["Errant", "ErrantScorer"]

Behaviour = Literal["official", "optimal", "gec-metrics"]
_DUPLICATES: dict[Behaviour, Duplicates] = {"official": "published", "optimal": "one-to-one", "gec-metrics": "each"}


@dataclass(frozen=True, kw_only=True)
class Errant(ComparedMetric):
    """ERRANT's comparison of edits.

    >>> from recte import Corpus, Edit, System
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",), "R:VERB:SVA")]]])
    >>> system = System("mine", ("He goes to the school .",), ((Edit(1, 2, ("goes",)), Edit(3, 3, ("the",))),))
    >>> Errant().score(gold, system).precision
    0.5
    """

    name: ClassVar[str] = "errant"
    title: ClassVar[str] = "ERRANT"
    bibtex: ClassVar[str] = """@inproceedings{bryant-etal-2017-automatic,
  title = {Automatic Annotation and Evaluation of Error Types for Grammatical Error Correction},
  author = {Bryant, Christopher and Felice, Mariano and Briscoe, Ted},
  booktitle = {Proceedings of ACL 2017},
  pages = {793--805},
  year = {2017}
}"""

    behaviour: Behaviour = option(
        "official",
        "official: as the published tool counts; optimal: duplicates one to one, best annotators; gec-metrics: as that "
        "library counts",
        choices=tuple(_DUPLICATES),
    )
    language: str = option("en", "whose types texts are given: en, or universal for any language with CoNLL-U")
    annotator: str = option("builtin", "who tags texts: builtin, spacy:MODEL, or given:FILE (CoNLL-U or TSV)")
    alignment: Costs = option("linguistic", "costs by which texts are aligned", choices=COSTS)
    merging: Merging = option("rules", "how aligned words become edits", choices=MERGING)

    @property
    def comparison(self) -> Comparison:
        return Comparison(self.matching, self.edit_width, self.left_out, _DUPLICATES[self.behaviour])

    @property
    def choice_rule(self) -> ChoiceRule:
        return "optimal" if self.behaviour == "optimal" else "running"

    @property
    def rounded(self) -> bool:
        return self.behaviour == "official"

    def prepare(self, gold: Corpus) -> ErrantScorer:
        return ErrantScorer(self, gold)


class ErrantScorer(ComparedScorer):
    """ERRANT with its references."""

    metric: Errant

    @cached_property
    def _extractor(self) -> Extractor:
        metric = self.metric
        return extractor_of(metric.annotator, metric.language, metric.alignment, metric.merging)

    @property
    def extraction_name(self) -> str:
        return self._extractor.name

    def extracted(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        edits = self._extractor.edits([(s.tokens, tuple(t.split())) for s, t in zip(sentences, texts, strict=True)])
        if self.metric.behaviour != "official":
            return edits
        # The published tool drops empty source lines, and whatever stands beside them.
        return [own if sentence.tokens else () for sentence, own in zip(sentences, edits, strict=True)]

    def seen(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> list[SeenSoon]:
        sides = self._extracted_sides
        if sides is None:
            return super().seen(hypotheses, source_of)
        return sides.seen(hypotheses, np.asarray(source_of, dtype=np.int64), self.corpus.first)

    def seen_in(self, system: System) -> list[SeenSoon]:
        if self._extracted_sides is None or self._given(system) is not None:
            return super().seen_in(system)
        return self.seen(self.segmented(system.outputs), range(len(self.corpus)))

    @cached_property
    def _extracted_sides(self) -> ExtractedSides | None:
        """Edits as columns, where nothing but texts is given and no type has a say."""
        compared = self._comparison
        plain = compared.matching == "correction" and compared.width == "all" and not compared.left_out
        if not plain or self.metric.behaviour == "official" or self.corpus.columns.annotated.any():
            return None
        return ExtractedSides(self.corpus.columns, self._extractor, compared.duplicates == "one-to-one")

    def keeps_text(self, sentence: Sentence, text: str) -> bool:
        """As published, a reference that differs from the source in white space alone is no annotator."""
        as_source = " ".join(sentence.tokens)
        return self.metric.behaviour != "official" or text.strip() == as_source or " ".join(text.split()) != as_source
