"""Languages: how corrected texts become typed edits.

A language is a frozen dataclass: its fields are options, as a metric's are. Most find edits by ERRANT's method and
need a table of types alone (`RuleLanguage`). `recte.extraction.languages` knows which languages there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from recte.annotation import Annotator, annotator_named
from recte.annotation.universal_dependencies import ENGLISH, TagScheme
from recte.corpus.corpus import Annotation, Corpus, Sentence
from recte.corpus.sentence_columns import ColumnSentences
from recte.errors import InputError, OptionError
from recte.extraction.alignment import COSTS, MERGING, Costs, Merging, Version
from recte.extraction.extractor import Extractor, TypeRules
from recte.extraction.gold_edits import GOLD_EDITS, GoldEdits, retype_edits
from recte.options import check_declared, check_options, option

__all__ = [
    "EXTRACT_BEHAVIOURS",
    "RULES",
    "ExtractBehaviour",
    "Language",
    "RuleLanguage",
    "Rules",
    "extract_sentences",
]

ExtractBehaviour = Literal["careful", "official"]
EXTRACT_BEHAVIOURS: tuple[ExtractBehaviour, ...] = get_args(ExtractBehaviour)
Rules = Literal["official", "corrected"]  # of a published program: as they are, or without a defect
RULES: tuple[Rules, ...] = get_args(Rules)


@dataclass(frozen=True, kw_only=True)
class Language(ABC):
    """A language with its options.

    `annotator` tags its texts where the user names no other; None where the user must. `reads_para` says that
    `recte extract` takes its texts from .para files, too.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    annotator: ClassVar[str | Annotator | None] = "builtin"
    reads_para: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_declared(type(self))
        check_options(self)

    @abstractmethod
    def make_extraction(self, annotator: str | Annotator | None = None) -> Callable[[Corpus], Corpus]:
        """A function from a corpus of corrected texts to one of typed edits; what it needs is loaded once."""

    def make_extractor(self, annotator: str | Annotator | None = None) -> Extractor:
        """What finds the edits of single pairs by ERRANT's method, for metrics; an OptionError where nothing does."""
        raise OptionError(f"language: expected one with ERRANT's types, such as en, got {self.name!r}")


@dataclass(frozen=True, kw_only=True)
class RuleLanguage(Language):
    """A language whose edits are found by ERRANT's method: texts are annotated, aligned, merged and typed.

    `scheme` says which fine tags and dependency labels its rules know, `version` how its edits are
    aligned and merged.

    >>> from recte.extraction.en.types import English
    >>> corpus = English().make_extraction()(Corpus.from_references(["He go ."], [["He goes ."]]))
    >>> corpus[0].annotations[0].edits[0].type
    'R:VERB:SVA'
    """

    scheme: ClassVar[TagScheme] = ENGLISH
    version: ClassVar[Version] = "3.0"

    alignment: Costs = option("linguistic", "costs of aligning", choices=COSTS)
    merging: Merging = option("rules", "words into edits", choices=MERGING)
    edits: GoldEdits = option("auto", "edits of a corpus: extracted, or with the spans of the gold", choices=GOLD_EDITS)
    minimise: bool = option(True, "gold spans without the unchanged words at their ends")
    retype: bool = option(True, "determine the types of gold spans")
    behaviour: ExtractBehaviour = option("careful", "careful, or as the published tool", choices=EXTRACT_BEHAVIOURS)

    @property
    @abstractmethod
    def types(self) -> TypeRules:
        """What edits are called."""

    @property
    def tag_scheme(self) -> TagScheme:
        """The scheme; a language may have one for each of its variants."""
        return self.scheme

    @property
    def chosen_version(self) -> Version:
        """The version; a language may have another for its corrected rules."""
        return self.version

    def make_extractor(self, annotator: str | Annotator | None = None) -> Extractor:
        chosen = self.annotator if annotator is None else annotator
        if chosen is None:
            raise OptionError(
                f"annotator: the language {self.name} needs annotations of its texts: given:FILE (CoNLL-U or a table), "
                "udpipe:FILE or spacy:MODEL"
            )
        tagger = annotator_named(chosen, self.tag_scheme) if isinstance(chosen, str) else chosen
        if not isinstance(getattr(tagger, "name", None), str):
            raise InputError(f"annotator: expected an Annotator with a name, got {type(tagger).__name__}")
        return Extractor(tagger, self.types, self.alignment, self.merging, self.chosen_version)

    def make_extraction(self, annotator: str | Annotator | None = None) -> Callable[[Corpus], Corpus]:
        extractor = self.make_extractor(annotator)

        def extract(corpus: Corpus) -> Corpus:
            sentences = corpus.sentences
            if self.behaviour == "careful" and isinstance(sentences, ColumnSentences) and not sentences.has_edits:
                columns = extractor.annotate_references(sentences.columns)
                return replace(corpus, sentences=replace(sentences, columns=columns))
            if self.behaviour == "official":
                sentences = tuple(s for s in sentences if s.tokens or s.annotations)
            with_edits = [s for s in sentences if s.annotations]
            from_edits = iter(
                retype_edits(with_edits, extractor, edits=self.edits, minimise=self.minimise, types=self.retype)
            )
            with_texts = [s for s in sentences if not s.annotations]
            from_texts = iter(extract_sentences(with_texts, extractor, behaviour=self.behaviour))
            made = corpus.edits_made
            if with_edits and (self.retype or self.edits == "auto"):
                made = f"{'retyped' if self.edits == 'gold' else 'extracted'} {extractor.name}"
            result = tuple(next(from_edits if s.annotations else from_texts) for s in sentences)
            return replace(corpus, sentences=result, edits_made=made)

        return extract


def _with_annotations(sentence: Sentence, text: str, annotations: tuple[Annotation, ...]) -> Sentence:
    """The sentence with annotations in place of references; `replace` would take three times as long."""
    s = sentence
    return Sentence(text, s.tokens, annotations, (), s.errors, s.id, s.document, s.labels, s.scored)


def extract_sentences(
    sentences: Sequence[Sentence], extractor: Extractor, *, behaviour: ExtractBehaviour = "careful"
) -> list[Sentence]:
    """Sentences with references as sentences with edits, one annotator for each reference."""
    pairs = [(s.tokens, tuple(text.split())) for s in sentences for text in s.references]
    edits = iter(extractor.edits(pairs))
    result = []
    for sentence in sentences:
        annotations = [(Annotation(str(r), next(edits)), text) for r, text in enumerate(sentence.references)]
        source = " ".join(sentence.tokens)
        listed = tuple(
            annotation
            for annotation, text in annotations
            if behaviour != "official" or annotation.edits or text.strip() == source
        )
        result.append(_with_annotations(sentence, source, listed))
    return result
