"""ERRANT: Bryant, Felice and Briscoe (2017), "Automatic Annotation and Evaluation of Error Types".

Edits of hypothesis and reference, given as M2 or extracted from text, are compared span by span:

1. edits are found: those of an M2 file, or those that aligning the texts finds, which are typed by rules;
2. some do not count (`EditFilter`), and two are the same by the metric's `match_rule`;
3. an annotator is chosen for each sentence: the one that is best for F of the totals so far.

A row holds tp, proposed and gold for every pair of a hypothesis' and a reference's annotator, and the pair's place in
the order of the files, which the published tool breaks its last ties by. A hypothesis has one annotator, unless an M2
file gives it more. ChERRANT shares the comparison, which is in `compared_metric`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from recte.corpus.corpus import Corpus, Edit, Sentence
from recte.corpus.edit_table import EditTable
from recte.edits.matching import Duplicates, MatchRule
from recte.extraction.alignment import COSTS, MERGING, Costs, Merging
from recte.extraction.extract import extractor_of
from recte.extraction.extractor import EncodedPairs, Extractor
from recte.extraction.gold_edits import GoldEdits, retype_edits
from recte.extraction.reference_edits import ExtractionOptions
from recte.metrics.annotator_choice import ChoiceRule
from recte.metrics.base import option
from recte.metrics.compared_metric import ComparedMetric, ComparedScorer
from recte.options import same_option

__all__ = ["Errant", "ErrantOptions", "ErrantScorer"]

Behaviour = Literal["official", "optimal", "gec-metrics"]
GoldEditsUse = Literal["given", "retyped", "extracted"]
_DUPLICATES: dict[Behaviour, Duplicates] = {"official": "published", "optimal": "one-to-one", "gec-metrics": "each"}


@dataclass(frozen=True, kw_only=True)
class ErrantOptions:
    """How texts become typed edits, and how edits count that stand several times."""

    behaviour: Behaviour = option(
        "official",
        "official: as the published tool counts; optimal: duplicates one to one, best annotators; gec-metrics: as that "
        "library counts",
        choices=tuple(_DUPLICATES),
    )
    language: str = same_option(ExtractionOptions, "language")
    rules: str = option("", "which of the language's rules, such as official or corrected; its default without")
    word_list: str = option("", "words that the language's rules know, one a line; several files by commas")
    annotator: str = same_option(ExtractionOptions, "annotator")
    gold_edits: GoldEditsUse = option(
        "given",
        "edits that the gold has: given, as they are; retyped, with the language's types; extracted from its texts",
        choices=("given", "retyped", "extracted"),
    )
    alignment: Costs = option("linguistic", "costs by which texts are aligned", choices=COSTS)
    merging: Merging = option("rules", "how aligned words become edits", choices=MERGING)


@dataclass(frozen=True, kw_only=True)
class Errant(ErrantOptions, ComparedMetric):
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

    @property
    def reads_english(self) -> bool:
        return self.language == "en"

    @property
    def other_language(self) -> str:
        return "" if self.language == "en" else self.language

    @property
    def match_rule(self) -> MatchRule:
        return MatchRule(self.matching, _DUPLICATES[self.behaviour])

    @property
    def choice(self) -> ChoiceRule:
        return ChoiceRule(
            "optimal" if self.behaviour == "optimal" else "running", "errors", rounded=self.behaviour == "official"
        )

    def prepare(self, gold: Corpus) -> ErrantScorer:
        return ErrantScorer(self, gold)


class ErrantScorer(ComparedScorer):
    """ERRANT with its references."""

    metric: Errant

    @cached_property
    def _extractor(self) -> Extractor:
        metric = self.metric
        return extractor_of(
            metric.annotator,
            metric.language,
            metric.alignment,
            metric.merging,
            rules=metric.rules,
            word_list=metric.word_list,
        )

    @property
    def extraction_name(self) -> str:
        return self._extractor.name

    @property
    def takes_gold_edits(self) -> bool:
        return self.metric.gold_edits == "given"

    @property
    def compares_given_spans(self) -> bool:
        cheap = self.metric.annotator == "builtin" and self.corpus.segmenter is None
        return cheap and self.takes_gold_edits and bool(self.corpus.columns.annotated.all())

    @cached_property
    def _source_tokens(self) -> list[tuple[str, ...]]:
        return [sentence.tokens for sentence in self.corpus.sentences]

    def find(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EditTable:
        return self.metric.edit_filter(self._extractor.edit_table(self._pairs_to_compare(hypotheses, source_of)))

    def _with_reference_edits(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        if not self.takes_gold_edits:
            with_edits = [sentence for sentence in sentences if sentence.annotations]
            spans: GoldEdits = "gold" if self.metric.gold_edits == "retyped" else "auto"
            made = iter(retype_edits(with_edits, self._extractor, edits=spans))
            sentences = [next(made) if sentence.annotations else sentence for sentence in sentences]
        return super()._with_reference_edits(sentences)

    def extract(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        pairs = EncodedPairs.of_texts([s.tokens for s in sentences], range(len(sentences)), texts)
        return self._extractor.edits(self._leave_out_empty(pairs))

    def _pairs_to_compare(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EncodedPairs:
        return self._leave_out_empty(EncodedPairs.of_texts(self._source_tokens, source_of, hypotheses))

    def _leave_out_empty(self, pairs: EncodedPairs) -> EncodedPairs:
        """The published tool leaves out empty source lines, and the lines of other files at their places."""
        if self.metric.behaviour != "official":
            return pairs
        offsets = pairs.texts[1]
        is_empty = offsets[pairs.sources] == offsets[pairs.sources + 1]
        return replace(pairs, corrected=np.where(is_empty, pairs.sources, pairs.corrected))

    def keeps_text(self, sentence: Sentence, text: str) -> bool:
        """As published, a reference that differs from the source in white space alone is no annotator."""
        as_source = " ".join(sentence.tokens)
        return self.metric.behaviour != "official" or text.strip() == as_source or " ".join(text.split()) != as_source
