"""Swedish by a small table: words of a closed class have its name, and all others are called by their operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from recte.extraction import Annotated, Annotator, RuleLanguage, Span, TypeRules

CLASSES = {"PREP": {"i", "på", "till", "av", "med"}, "PRON": {"jag", "du", "han", "hon", "vi"}, "DET": {"en", "ett"}}


class SwedishTypes:
    """A letter for what was done, and the class that all changed words share."""

    name = "sv"

    def __call__(self, source: Annotated, corrected: Annotated, span: Span) -> str:
        old = source.text[span.start : span.end]
        new = corrected.text[span.corrected_start : span.corrected_end]
        letter = "R" if old and new else "U" if old else "M"
        words = {word.lower() for word in (*old, *new)}
        return f"{letter}:{next((name for name, known in CLASSES.items() if words <= known), 'OTHER')}"


class WordsAlone:
    """An annotator that knows no grammar: words are their own lemmas, without tags."""

    name = "words-alone"

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        return [
            Annotated(tuple(s), ("X",) * len(s), ("X",) * len(s), tuple(s), ("dep",) * len(s), (0,) * len(s))
            for s in sentences
        ]


@dataclass(frozen=True, kw_only=True)
class Swedish(RuleLanguage):
    """Swedish, whose types need no tagger."""

    name: ClassVar[str] = "sv"
    title: ClassVar[str] = "Swedish"
    annotator: ClassVar[str | Annotator] = WordsAlone()

    @property
    def types(self) -> TypeRules:
        return SwedishTypes()
