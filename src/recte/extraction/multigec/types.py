"""MultiGEC-2025's ERRANT: the English rules for twelve languages, most of them without any annotation.

Its program replaces UDPipe's tokeniser, which in that library does all the work, by one that splits at blanks: tags,
lemmas and labels are empty (`Unannotated`). Icelandic alone is annotated. Categories come from universal tags as fine
tags; a tag that is none of them is X, and its dependency is read as `dep`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, get_args

from recte.annotation import Annotated, Annotator
from recte.annotation.universal_dependencies import TagScheme, UdToken, plain_labels
from recte.errors import OptionError
from recte.extraction.en.types import EnglishTypes
from recte.extraction.extractor import Extractor, TypeRules
from recte.extraction.language import RuleLanguage
from recte.options import option

__all__ = ["MultiGec", "MultiGecTypes", "Unannotated"]

FineTags = Literal["official", "xpos", "upos"]

_CATEGORIES = {
    tag: category
    for category, tags in {
        **{name: (name,) for name in ("ADJ", "ADV", "AUX", "DET", "INTJ", "NUM", "PART", "PRON", "SCONJ", "SYM")},
        "CONJ": ("CCONJ",),
        "NOUN": ("NOUN", "PROPN"),
        "PREP": ("ADP",),
        "PUNCT": ("PUNCT", '""'),
        "SPACE": ("SP", "_SP"),
        "VERB": ("VERB", "BES", "HVS"),
        "X": ("X", "ADD", "GW", "NFP", "XX"),
    }.items()
    for tag in tags
}


def _official_tag(token: UdToken) -> str:
    return token.upos if token.xpos == "_" else token.xpos


def _tag_of_treebank(token: UdToken) -> str:
    return "" if token.xpos == "_" else token.xpos


_SCHEMES = {
    "official": TagScheme("multigec-official", _official_tag, plain_labels, takes_library_tags=True),
    "xpos": TagScheme("multigec-xpos", _tag_of_treebank, plain_labels, takes_library_tags=True),
    "upos": TagScheme("multigec-upos", lambda token: token.upos, plain_labels),
}


class Unannotated:
    """An annotator that says nothing: tags, lemmas and labels are empty, and each token is its own head."""

    name = "none"

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        return [
            Annotated(tuple(s), empty, empty, empty, empty, tuple(range(len(s))))
            for s in sentences
            for empty in [("",) * len(s)]
        ]


class MultiGecTypes(EnglishTypes):
    """English rules over universal tags.

    >>> from recte.extraction.alignment import Span
    >>> none = Unannotated()([("wo",), ("war",)])
    >>> MultiGecTypes()(none[0], none[1], Span(0, 1, 0, 1))
    'R:VERB:TENSE'
    """

    def __init__(self, fine_tags: FineTags = "official") -> None:
        self.name = "multigec" if fine_tags == "official" else f"multigec-{fine_tags}"

    def category(self, tag: str, pos: str) -> str:
        return _CATEGORIES.get(tag, "X")

    def label(self, tag: tuple[str, ...], dependency: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(d if t in _CATEGORIES else "dep" for t, d in zip(tag, dependency, strict=True))


@dataclass(frozen=True, kw_only=True)
class MultiGec(RuleLanguage):
    """The rules of MultiGEC-2025: without an annotator, as its program has them for all languages but Icelandic."""

    name: ClassVar[str] = "multigec"
    title: ClassVar[str] = "MultiGEC-2025, twelve languages"
    annotator: ClassVar[str | Annotator | None] = Unannotated()

    rules: FineTags = option(
        "official",
        "fine tags of given annotations: official (XPOS, or UPOS where there is none), xpos or upos",
        choices=get_args(FineTags),
    )

    def make_extractor(self, annotator: str | Annotator | None = None) -> Extractor:
        if annotator is None and self.rules != "official":
            raise OptionError(
                f"rules: expected annotations with the fine tags of {self.rules}: given:FILE, udpipe:FILE"
            )
        return super().make_extractor(annotator)

    @property
    def tag_scheme(self) -> TagScheme:
        return _SCHEMES[self.rules]

    @property
    def types(self) -> TypeRules:
        return _types(self.rules)


@lru_cache
def _types(rules: FineTags) -> MultiGecTypes:
    return MultiGecTypes(rules)
