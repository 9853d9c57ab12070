"""ChERRANT: Zhang et al. (2022), "MuCGEC: a Multi-Reference Multi-Source Evaluation Dataset for Chinese GEC".

Chinese edits by characters or words, compared as ERRANT's are. Equally cheap alignments give alternatives. As
published, an annotator's alternatives are united, so that an edit of two of them counts twice; `optimal` takes each
alternative for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from recte.corpus.corpus import Annotation, Corpus, Edit, Sentence, System
from recte.corpus.counts import Counts
from recte.corpus.edit_table import NO_OP, EditTable
from recte.edits.matching import MatchRule, match
from recte.errors import InputError
from recte.extraction.zh.alignment import MOST_ALTERNATIVES
from recte.extraction.zh.blocks import NO_ERROR, ExtractedTarget, alternatives_of
from recte.extraction.zh.choices import GRANULARITIES, TIES, Granularity, Ties
from recte.extraction.zh.extractor import ChineseExtractor
from recte.extraction.zh.word_lists import NO_LISTS, read_lists
from recte.extraction.zh.words import GivenWords, tagger_named
from recte.metrics.annotator_choice import ChoiceRule
from recte.metrics.base import option
from recte.metrics.compared_metric import ComparedMetric, ComparedScorer, EditFilter
from recte.text.segmenters import MISSING_CONSTITUENT

__all__ = ["Cherrant", "CherrantScorer"]

Behaviour = Literal["official", "optimal"]
_NO_OP = ExtractedTarget("no-op", (), ())
_NOTHING = Edit(-1, -1, ("-NONE-",), NO_OP)
_REFUSAL = Edit(-1, -1, ("-NONE-",), "NA")
_MOST_COMPARED = 16  # alternatives of one annotator that `optimal` tries


@dataclass(frozen=True, kw_only=True)
class Cherrant(ComparedMetric):
    """ChERRANT's comparison of Chinese edits.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["我 喜 换 你"], [["我很喜欢你"]])
    >>> score = Cherrant().score(gold, ["我喜欢你"])
    >>> score.tp, score.fp, score.fn
    (1, 0, 1)
    """

    name: ClassVar[str] = "cherrant"
    title: ClassVar[str] = "ChERRANT"
    inexact: ClassVar[str] = f"with more than {MOST_ALTERNATIVES:,} alternatives, of which the first count"
    bibtex: ClassVar[str] = """@inproceedings{zhang-etal-2022-mucgec,
  title = {{MuCGEC}: a Multi-Reference Multi-Source Evaluation Dataset for {Chinese} Grammatical Error Correction},
  author = {Zhang, Yue and Li, Zhenghua and Bao, Zuyi and Li, Jiacheng and Zhang, Bo and Li, Chen and Huang, Fei and
    Zhang, Min},
  booktitle = {Proceedings of NAACL 2022},
  pages = {3118--3130},
  year = {2022}
}"""

    behaviour: Behaviour = option(
        "official",
        "official: as the published tool counts, alternatives united; optimal: alternatives apart, duplicates once, "
        "best annotators",
        choices=("official", "optimal"),
    )
    granularity: Granularity = option(
        "characters", "what is aligned: characters, or words as the tokens are", choices=GRANULARITIES
    )
    tagger: str = option("none", "who tags words: none, jieba, or given:FILE (CoNLL-U or TSV with LTP's tags)")
    lists: str = option("", "folder with the published cilin.txt, confusion_dict.txt and char_meta.txt; none without")
    simplify: bool = option(True, "put outputs and references into simplified characters, as published")
    ties: Ties = option("all", "keep every alignment that is as cheap as the first, or the first alone", choices=TIES)
    first_annotators: int = option(0, "score against so many annotators at most, the first ones; 0 is all", least=0)
    annotator_count: int = option(
        0, "score only sentences with exactly so many annotators; 0 is all sentences", least=0
    )

    @property
    def match_rule(self) -> MatchRule:
        return MatchRule(self.matching, "published" if self.behaviour == "official" else "once", spaces=False)

    @property
    def edit_filter(self) -> EditFilter:
        return replace(super().edit_filter, correction_width=False)

    @property
    def choice(self) -> ChoiceRule:
        return ChoiceRule("optimal" if self.behaviour == "optimal" else "running", "errors", rounded=True)

    @property
    def extractor(self) -> ChineseExtractor:
        """How edits are made of texts."""
        lists = read_lists(self.lists) if self.lists else NO_LISTS
        words = GivenWords(tagger_named(self.tagger)) if self.granularity == "words" else None
        return ChineseExtractor(self.granularity, lists, words, self.simplify, self.ties)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        """Alternatives are no annotators; and the lists are named by what is in them, not by their folder."""
        people = {column.split(":")[-1].split("-A")[0] for column in counts.columns}
        parts = super().signature_parts(counts) | {"annotators": len(people)}
        return {key: value for key, value in parts.items() if key != "lists"}

    def prepare(self, gold: Corpus) -> CherrantScorer:
        return CherrantScorer(self, gold)


class CherrantScorer(ComparedScorer):
    """ChERRANT with its references."""

    metric: Cherrant

    def __init__(self, metric: Cherrant, corpus: Corpus) -> None:
        self._skipped: set[int] = set()  # sentences that do not count, whatever a system makes of them
        self._inexact: set[int] = set()  # sentences whose references have more alternatives than are kept
        self._references: list[list[Annotation]] = []  # what is compared, no-ops among it
        super().__init__(metric, corpus)
        self.sentences = self._with_reference_edits(corpus.sentences)  # which says, too, what is skipped

    @cached_property
    def _extractor(self) -> ChineseExtractor:
        return self.metric.extractor

    @property
    def extraction_name(self) -> str:
        return self._extractor.name

    def extract(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        return [target.united for target in self._targets(sentences, texts)]

    def _targets(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[ExtractedTarget]:
        if self.metric.granularity == "characters":
            for sentence in sentences:
                _check_characters(sentence)
        return self._extractor.extract([(" ".join(s.tokens), text) for s, text in zip(sentences, texts, strict=True)])

    def _with_reference_edits(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        wanting = [(s, text) for s in sentences if not s.annotations for text in s.references]
        # A reference that repeats its source says that nothing is wrong, in traditional characters too.
        texts = [NO_ERROR if "".join(text.split()) == "".join(s.tokens) else text for s, text in wanting]
        made = iter(self._targets([s for s, _ in wanting], texts))
        annotated = []
        for place, sentence in enumerate(sentences):
            if sentence.annotations:
                targets = alternatives_of(sentence)
            else:
                targets = {str(r): next(made) for r in range(len(sentence.references))}
            if targets:
                targets = {a: t for a, t in targets.items() if self._is_wanted(a)} or {"0": _NO_OP}
            if any(target.cut_off for target in targets.values()):
                self._inexact.add(place)
            if self._is_skipped(targets):
                self._skipped.add(place)
                targets = dict.fromkeys(targets, _NO_OP)
            compared = [a for annotator, target in targets.items() for a in self._annotations(annotator, target)]
            self._references.append(compared)
            shown = tuple(replace(a, edits=tuple(e for e in a.edits if e.start >= 0)) for a in compared)
            annotated.append(replace(sentence, annotations=shown, references=()))
        return annotated

    def _is_wanted(self, annotator: str) -> bool:
        most = self.metric.first_annotators
        return not most or annotator in map(str, range(most))

    def _is_skipped(self, targets: Mapping[str, ExtractedTarget]) -> bool:
        if self.metric.annotator_count and len(targets) != self.metric.annotator_count:
            return True
        refused = [target.kind == "not-annotatable" for target in targets.values()]
        return refused == [True] and len(self.metric.edit_filter(EditTable.of_one_annotator([[_REFUSAL]]))) > 0

    def _annotations(self, annotator: str, target: ExtractedTarget) -> list[Annotation]:
        """One annotator, or one for each of his alternatives; no edits are a no-op, which is compared as an edit is.

        As published, who cannot annotate a sentence has one edit there too.
        """
        if self.metric.behaviour == "official":
            nothing = _REFUSAL if target.kind == "not-annotatable" else _NOTHING
            return [Annotation(annotator, target.united or (nothing,))]
        return [
            Annotation(f"{annotator}-A{q}" if q else annotator, edits or (_NOTHING,))
            for q, edits in enumerate(target.alternatives[:_MOST_COMPARED] or ((),))
        ]

    @cached_property
    def gold(self) -> EditTable:
        return self._table(self._references)

    def _edits_of_file(self, system: System) -> Sequence[Sequence[Annotation]] | None:
        listed = super()._edits_of_file(system)
        if listed is None:
            return None
        nothing = Annotation("0", (_NOTHING,))
        return [
            [nothing]
            if place in self._skipped
            else [self._as_compared(a) for a in annotations if self._is_wanted(a.annotator)] or [nothing]
            for place, annotations in enumerate(listed)
        ]

    def _as_compared(self, annotation: Annotation) -> Annotation:
        refused = annotation.not_annotatable and self.metric.behaviour == "official"
        return replace(annotation, edits=annotation.edits or (_REFUSAL if refused else _NOTHING,))

    def find(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EditTable:
        return self._table_of_targets(self._targets([self.sentences[s] for s in source_of], hypotheses), source_of)

    def _table_of_targets(self, targets: Sequence[ExtractedTarget], source_of: Sequence[int]) -> EditTable:
        compared = (_NO_OP if s in self._skipped else target for s, target in zip(source_of, targets, strict=True))
        return self._table([self._annotations("0", target) for target in compared])

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        targets = self._targets([self.sentences[s] for s in source_of], hypotheses)
        matches = match(self.gold, self._table_of_targets(targets, source_of), self.metric.match_rule, source_of)
        inexact = [target.cut_off or s in self._inexact for s, target in zip(source_of, targets, strict=True)]
        counts = self._counts(matches, source_of, self.edit_sources(None))
        return replace(counts, fallbacks=np.array(inexact, dtype=np.bool_))

    def edit_sources(self, system: System | None) -> dict[str, str]:
        sources = super().edit_sources(system)
        if set(sources.values()) == {"given"}:
            return sources
        return {**sources, **self._extractor.made_with}


def _check_characters(sentence: Sentence) -> None:
    if any(len(token) > 1 and token != MISSING_CONSTITUENT for token in sentence.tokens):
        word = next(token for token in sentence.tokens if len(token) > 1 and token != MISSING_CONSTITUENT)
        raise InputError(
            f"sentence {sentence.id or ' '.join(sentence.tokens)[:40]!r}: expected characters as tokens "
            f"(--tokens characters+marks), or granularity words, got the word {word!r}"
        )
