"""Differences that are none: full- and half-width letters, traditional and simplified characters, odd white space,
quotation marks and dashes.

Each step works character by character, or on signs such as `` that no cut parts. So a text is normalised the same
however it is cut into tokens, and an edit's span stays where it was.

Traditional characters into simplified ones, as OpenCC's `t2s` does it, phrases included.

The table is OpenCC's (`tools/chinese_tables.py` writes it), so that nothing has to be installed and the answer stays
the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from recte.corpus.corpus import Segmenter
from recte.errors import OptionError
from recte.extras import optional, version_of
from recte.text.signs import PLAIN_DASHES, PLAIN_QUOTES, replace_signs

__all__ = ["NORMALISATIONS", "SIMPLIFIED_NAME", "Normalisation", "NormalisedTokens", "simplify"]

SIMPLIFIED_NAME = "opencc-1.4.2"


class _Table(NamedTuple):
    variants: dict[int, str]  # one character written in two ways
    forms: dict[str, str]  # phrases and characters
    pattern: re.Pattern[str]
    affected: frozenset[str]  # a text without these stays as it is


@cache
def _table() -> _Table:
    parts: dict[str, dict[str, str]] = {}
    part: dict[str, str] = {}
    for line in (Path(__file__).parent / "data" / "simplified.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            part = parts.setdefault(line[2:], {})
        else:
            old, new = line.split("\t")
            part[old] = new
    variants, phrases, characters = parts["variants"], parts["phrases"], parts["characters"]
    longest_first = sorted(phrases, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, longest_first), f"[{re.escape(''.join(characters))}]"]))
    changed = {a for old, new in phrases.items() for a, b in zip(old, new, strict=True) if a != b}
    affected = frozenset({*characters, *variants, *changed})
    return _Table(str.maketrans(variants), {**characters, **phrases}, pattern, affected)


def simplify(text: str) -> str:
    """The text in simplified characters.

    >>> simplify("這個乾坤很乾淨")
    '这个乾坤很干净'
    """
    table = _table()
    if table.affected.isdisjoint(text):
        return text
    return table.pattern.sub(lambda match: table.forms[match[0]], text.translate(table.variants))


NORMALISATIONS = ("width", "simplified", "whitespace", "quotes", "dashes")
_PLAIN_SIGNS = {"quotes": PLAIN_QUOTES, "dashes": PLAIN_DASHES}
_INVISIBLE = {"\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"}


@cache
def _same_width(character: str) -> str:
    """A full-width letter as its ordinary form, half-width kana as full ones."""
    mapping = unicodedata.decomposition(character)
    if not mapping.startswith(("<wide>", "<narrow>")):
        return character
    return chr(int(mapping.split()[1], 16))


@lru_cache(maxsize=1)
def _to_simplified() -> Callable[[str], str]:
    opencc = optional("opencc", extra="chinese", purpose="normalise simplified")
    convert: Callable[[str], str] = lru_cache(maxsize=None)(opencc.OpenCC("t2s").convert)
    return convert


def _visible(character: str) -> str:
    return "" if character in _INVISIBLE else character


@dataclass(frozen=True)
class Normalisation:
    """Steps of normalisation, named in the signature with the version of what knows them.

    >>> Normalisation(("width",))("ＡＢＣ：１２３")
    'ABC:123'
    """

    steps: tuple[str, ...]

    def __post_init__(self) -> None:
        for step in self.steps:
            if step not in NORMALISATIONS:
                raise OptionError(f"normalise: expected some of {', '.join(NORMALISATIONS)}, got {step!r}")
        for step in self.steps:
            self._function(step)  # say at once if a library is missing

    @staticmethod
    def _function(step: str) -> Callable[[str], str]:
        """What a step does to a word."""
        if step in _PLAIN_SIGNS:
            return partial(replace_signs, plain=_PLAIN_SIGNS[step])
        of_character = _to_simplified() if step == "simplified" else _same_width if step == "width" else _visible
        return lambda word: "".join(map(of_character, word))

    @property
    def name(self) -> str:
        versions = {"width": f"unicode-{unicodedata.unidata_version}", "simplified": f"opencc-{version_of('opencc')}"}
        return "+".join(f"{step}({versions[step]})" if step in versions else step for step in self.steps)

    def __call__(self, text: str) -> str:
        """White space between words becomes single spaces; a word that would vanish is kept."""
        return " ".join(self.word(word) for word in text.split())

    def word(self, word: str) -> str:
        normalised = word
        for step in self.steps:
            normalised = self._function(step)(normalised)
        return normalised or word


@dataclass(frozen=True)
class NormalisedTokens:
    """A segmenter that normalises first; without one, the words as given, normalised."""

    normalisation: Normalisation
    segmenter: Segmenter | None = None

    @property
    def name(self) -> str:
        return f"{'given' if self.segmenter is None else self.segmenter.name}+{self.normalisation.name}"

    def __call__(self, text: str) -> Sequence[str]:
        normalised = self.normalisation(text)
        return normalised.split() if self.segmenter is None else self.segmenter(normalised)
