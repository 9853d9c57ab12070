"""Signs that are written in several ways: quotation marks, apostrophes, dashes, ellipses and brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recte.patterns import compile_later

__all__ = ["PLAIN_DASHES", "PLAIN_QUOTES", "SIGNS", "SignWriting", "replace_signs"]


@dataclass(frozen=True)
class Sign:
    """The ways to write one sign, each as what stands before a word and what stands behind it."""

    ways: tuple[tuple[str, str], ...]

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(variant for way in self.ways for variant in way))


def _single(*variants: str) -> Sign:
    return Sign(tuple((variant, variant) for variant in variants))


DOUBLE_QUOTES = Sign((('"', '"'), ("“", "”"), ("«", "»"), ("``", "''"), ("„", "“"), ("„", "”"), ("‟", "”"), ("″", "″")))
SINGLE_QUOTES = Sign((("'", "'"), ("‘", "’"), ("’", "’"), ("`", "'"), ("‚", "‘"), ("‛", "’"), ("´", "´"), ("ʼ", "ʼ")))
DASHES = _single("—", "–", "--", "---", "―", "‒", "−")
HYPHENS = _single("-", "\u2010", "\u2011")
SIGNS = (
    DOUBLE_QUOTES,
    SINGLE_QUOTES,
    DASHES,
    HYPHENS,
    _single("...", "…"),
    *(_single(*pair) for pair in (("(", "-LRB-"), (")", "-RRB-"), ("[", "-LSB-"), ("]", "-RSB-"))),
    *(_single(*pair) for pair in (("{", "-LCB-"), ("}", "-RCB-"))),
)
PLAIN_QUOTES = dict.fromkeys(DOUBLE_QUOTES.variants, '"') | dict.fromkeys(SINGLE_QUOTES.variants, "'")
PLAIN_DASHES = dict.fromkeys((*DASHES.variants, *HYPHENS.variants), "-")


def _pattern(variants: Sequence[str]) -> re.Pattern[str]:
    return compile_later("|".join(map(re.escape, sorted(variants, key=len, reverse=True))))


_VARIANTS = _pattern([variant for sign in SIGNS for variant in sign.variants])


def replace_signs(text: str, plain: Mapping[str, str]) -> str:
    """The text with each sign in the form that `plain` has for it.

    >>> replace_signs("“It’s”", PLAIN_QUOTES), replace_signs("``a''", PLAIN_QUOTES), replace_signs("a--b", PLAIN_DASHES)
    ('"It\\'s"', '"a"', 'a-b')
    """
    return _pattern(list(plain)).sub(lambda match: plain[match[0]], text)


def _count(words: Mapping[str, int]) -> dict[str, int]:
    """How often each variant stands in words, by how often these stand; a longer one is not a shorter one, too."""
    counts: dict[str, int] = {}
    for word, count in words.items():
        for match in _VARIANTS.finditer(word):
            counts[match[0]] = counts.get(match[0], 0) + count
    return counts


@dataclass(frozen=True)
class SignWriting:
    """How some texts write their signs: for each variant that they never have, the way they use instead.

    >>> writing = SignWriting.of({'"': 2, "-": 1, "...": 1})
    >>> writing('“No”—or not… (“Yes”)')
    '"No"-or not... ("Yes")'
    """

    instead: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, words: Mapping[str, int]) -> SignWriting:
        """As some words write them; each counts as often as its number says."""
        counts = _count(words)
        instead: dict[str, tuple[str, str]] = {}
        for sign in SIGNS:
            used = max(sign.ways, key=lambda way: counts.get(way[0], 0) + counts.get(way[1], 0))
            if not any(variant in counts for variant in used):
                if sign is not DASHES or "-" not in counts:
                    continue
                used = "-", "-"
            instead |= {variant: used for variant in sign.variants if variant not in counts}
        return cls(instead)

    def __call__(self, text: str) -> str:
        # A variant that the texts do have is matched first where it is longer, and stays: `--` in `---`.
        return _VARIANTS.sub(self._write, text)

    def _write(self, match: re.Match[str]) -> str:
        if match[0] not in self.instead:
            return match[0]
        before, behind = match.string[: match.start()][-1:], match.string[match.end() :][:1]
        opening, closing = self.instead[match[0]]
        if match[0] == "–" and before.isalnum() and behind.isalnum() and "-" not in self.instead:
            return "-"  # from … to …
        return opening if not before or before.isspace() or before in "([{<-–—" else closing
