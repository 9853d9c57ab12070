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

from recte.corpus import Annotation, Corpus, Edit, Sentence, System
from recte.counts import Counts
from recte.errors import InputError
from recte.extraction.chinese import ChineseExtractor
from recte.extraction.chinese_alignment import MOST_ALTERNATIVES
from recte.extraction.chinese_blocks import NO_ERROR, ExtractedTarget, alternatives_of
from recte.extraction.chinese_choices import GRANULARITIES, TIES, Granularity, Ties
from recte.extraction.chinese_lists import NO_LISTS, read_lists
from recte.extraction.chinese_words import GivenWords, tagger_named
from recte.metrics.base import option
from recte.metrics.compared_counts import Side
from recte.metrics.compared_metric import ComparedMetric, ComparedScorer
from recte.metrics.edit_comparison import NO_OP, ComparedEdit, Comparison, Duplicates
from recte.metrics.weighed_choice import ChoiceRule
from recte.segmentation.segmenters import MISSING_CONSTITUENT

__all__ = ["Cherrant", "CherrantScorer"]

Behaviour = Literal["official", "optimal"]
_NO_OP = ExtractedTarget("no-op", (), ())
_NOTHING = ComparedEdit(-1, -1, NO_OP, "-NONE-")
_REFUSAL = ComparedEdit(-1, -1, "NA", "-NONE-")
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
    def comparison(self) -> Comparison:
        duplicates: Duplicates = "published" if self.behaviour == "official" else "once"
        return Comparison(
            self.matching, self.edit_width, self.left_out, duplicates, correction_width=False, spaces=False
        )

    @property
    def choice_rule(self) -> ChoiceRule:
        return "optimal" if self.behaviour == "optimal" else "running"

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
    takes_columns: ClassVar[bool] = False  # sentences and annotators may be left out, and alternatives stand apart

    def __init__(self, metric: Cherrant, corpus: Corpus) -> None:
        self._skipped: set[int] = set()  # sentences that do not count, whatever a system makes of them
        self._inexact: set[int] = set()  # sentences whose references have more alternatives than are kept
        self._refused: set[tuple[int, str]] = set()  # sentences and annotators who could not annotate them
        super().__init__(metric, corpus)
        self.sentences = self._with_reference_edits(corpus.sentences)  # which says, too, what is skipped

    @cached_property
    def _extractor(self) -> ChineseExtractor:
        return self.metric.extractor

    @property
    def extraction_name(self) -> str:
        return self._extractor.name

    def extracted(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
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
        found = []
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
            self._refused |= {(place, a) for a, target in targets.items() if target.kind == "not-annotatable"}
            annotations = [a for annotator, target in targets.items() for a in self._annotations(annotator, target)]
            found.append(replace(sentence, annotations=tuple(annotations), references=()))
        return found

    def _is_wanted(self, annotator: str) -> bool:
        most = self.metric.first_annotators
        return not most or annotator in map(str, range(most))

    def _is_skipped(self, targets: Mapping[str, ExtractedTarget]) -> bool:
        if self.metric.annotator_count and len(targets) != self.metric.annotator_count:
            return True
        refused = [target.kind == "not-annotatable" for target in targets.values()]
        return refused == [True] and self._comparison.keeps(_REFUSAL)

    def _annotations(self, annotator: str, target: ExtractedTarget) -> list[Annotation]:
        """One annotator, or one for each of his alternatives."""
        if self.metric.behaviour == "official":
            return [Annotation(annotator, target.united)]
        return [
            Annotation(f"{annotator}-A{q}" if q else annotator, edits)
            for q, edits in enumerate(target.alternatives[:_MOST_COMPARED] or ((),))
        ]

    @cached_property
    def _references(self) -> list[list[Side]]:
        return [[self._reference(place, a) for a in s.annotations] for place, s in enumerate(self.sentences)]

    def _reference(self, place: int, annotation: Annotation) -> Side:
        """As published, who cannot annotate a sentence has one edit there, which nobody finds."""
        if self.metric.behaviour == "official" and (place, annotation.annotator) in self._refused:
            return Side(annotation.annotator, (), self._comparison.keyed([_REFUSAL]))
        return self._side(annotation)

    def _side(self, annotation: Annotation) -> Side:
        if annotation.edits:
            return super()._side(annotation)
        return Side(annotation.annotator, (), self._comparison.keyed([_NOTHING]))

    def _given(self, system: System) -> Sequence[Sequence[Annotation]] | None:
        given = super()._given(system)
        if given is None:
            return None
        nothing = [Annotation("0")]
        return [
            nothing if place in self._skipped else [a for a in own if self._is_wanted(a.annotator)] or nothing
            for place, own in enumerate(given)
        ]

    def _hypotheses(self, texts: Sequence[str], source_of: Sequence[int]) -> list[list[Side]]:
        return self._sides(self._targets([self.sentences[s] for s in source_of], texts), source_of)

    def _sides(self, targets: Sequence[ExtractedTarget], source_of: Sequence[int]) -> list[list[Side]]:
        found = []
        for s, target in zip(source_of, targets, strict=True):
            own = self._annotations("0", _NO_OP if s in self._skipped else target)
            exact = not target.cut_off and s not in self._inexact
            found.append([self._side(annotation)._replace(exact=exact) for annotation in own])
        return found

    def _counts(self, hypotheses: Sequence[Sequence[Side]], source_of: Sequence[int], source: str) -> Counts:
        counts = super()._counts(hypotheses, source_of, source)
        if set(counts.made_with.values()) == {"given"}:
            return counts
        return replace(counts, made_with={**counts.made_with, **self._extractor.made_with})


def _check_characters(sentence: Sentence) -> None:
    if any(len(token) > 1 and token != MISSING_CONSTITUENT for token in sentence.tokens):
        word = next(token for token in sentence.tokens if len(token) > 1 and token != MISSING_CONSTITUENT)
        raise InputError(
            f"sentence {sentence.id or ' '.join(sentence.tokens)[:40]!r}: expected characters as tokens "
            f"(--tokens characters+marks), or granularity words, got the word {word!r}"
        )
