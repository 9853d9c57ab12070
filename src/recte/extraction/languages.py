"""Which types edits of a language have. A language is an annotator and a table of types."""

from __future__ import annotations

from recte.errors import OptionError
from recte.extraction.extractor import TypeRules

__all__ = ["CHINESE", "LANGUAGES", "types_of"]

LANGUAGES = ("en", "universal")
CHINESE = "zh"  # has an aligner of its own: `recte.extraction.chinese`


def types_of(language: str) -> TypeRules:
    """The rules of a language by its code.

    >>> types_of("en").name
    'en'
    """
    if language == "en":
        from recte.extraction.english import EnglishTypes

        return EnglishTypes()
    if language == "universal":
        from recte.extraction.universal import UniversalTypes

        return UniversalTypes()
    raise OptionError(f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
