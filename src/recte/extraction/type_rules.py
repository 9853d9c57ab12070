"""What the type rules of most languages share: the steps before the rules, and the questions that rules ask.

A language derives from `ErrantTypes`: its tables are class attributes, its rules three methods. `one_word` may leave
an edit to `any_length` by returning None.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple

from recte.annotation import Annotated
from recte.extraction.alignment import Span
from recte.extraction.extractor import UNCORRECTED

__all__ = [
    "ErrantTypes",
    "Replacement",
    "Words",
    "indel_similarity",
    "is_unknown",
    "levenshtein_similarity",
    "without_common_end",
]

_RARE = frozenset({"INTJ", "NUM", "SYM", "X"})  # never a type of their own in most languages


class Words(NamedTuple):
    """The tokens of one side of an edit; `label` is the dependency as rules about labels read it."""

    text: tuple[str, ...]
    lower: list[str]
    tag: tuple[str, ...]
    pos: tuple[str, ...]
    category: list[str]
    lemma: tuple[str, ...]
    dependency: tuple[str, ...]
    label: tuple[str, ...]


class Replacement(NamedTuple):
    """Both sides of an edit that replaces words, and where they stand in their sentences."""

    a: Words
    b: Words
    source: Annotated
    corrected: Annotated
    span: Span

    @property
    def categories(self) -> set[str]:
        return {*self.a.category, *self.b.category}

    @property
    def labels(self) -> set[str]:
        return {*self.a.label, *self.b.label}

    @property
    def has_same_last_lemma(self) -> bool:
        return self.a.lemma[-1] == self.b.lemma[-1]


class ErrantTypes(ABC):
    """Types by rules in a fixed order: the first that fits gives the category."""

    name: str
    rare: ClassVar[frozenset[str]] = _RARE
    labels: ClassVar[Mapping[str, str]]  # dependency labels with a category of their own

    def __call__(self, source: Annotated, corrected: Annotated, span: Span, /) -> str:
        start, end, corrected_start, corrected_end = span
        if source.text[start:end] == corrected.text[corrected_start:corrected_end]:
            return UNCORRECTED
        span = without_common_end(source, corrected, span)
        start, end, corrected_start, corrected_end = span
        if start == end:
            return "M:" + self.one_sided(self.words(corrected, corrected_start, corrected_end))
        if corrected_start == corrected_end:
            return "U:" + self.one_sided(self.words(source, start, end))
        sides = self.words(source, start, end), self.words(corrected, corrected_start, corrected_end)
        replacement = Replacement(*sides, source, corrected, span)
        return self.special_type(replacement) or "R:" + self.two_sided(replacement)

    def words(self, sentence: Annotated, start: int, end: int) -> Words:
        """The tokens from `start` up to `end`."""
        text, tag, pos = sentence.text[start:end], sentence.tag[start:end], sentence.pos[start:end]
        dependency = sentence.dependency[start:end]
        return Words(
            text,
            list(map(str.lower, text)),
            tag,
            pos,
            list(map(self.category, tag, pos)),
            sentence.lemma[start:end],
            dependency,
            self.label(tag, dependency),
        )

    def category(self, tag: str, pos: str) -> str:
        """The category of a token by its fine and its coarse tag."""
        return pos

    def label(self, tag: tuple[str, ...], dependency: tuple[str, ...]) -> tuple[str, ...]:
        """The dependencies as rules about labels read them."""
        return dependency

    def special_type(self, r: Replacement) -> str | None:
        """A whole type that comes before all other rules, with its operation."""
        return None

    @abstractmethod
    def one_sided(self, words: Words) -> str:
        """The category of missing or unnecessary words."""

    @abstractmethod
    def one_word(self, r: Replacement) -> str | None:
        """The category of one word for another; None where the rules for any length decide."""

    @abstractmethod
    def any_length(self, r: Replacement) -> str:
        """What the words of both sides say together."""

    def two_sided(self, r: Replacement) -> str:
        """The category of replaced words."""
        if "".join(r.a.lower) == "".join(r.b.lower):
            return "ORTH"
        if len(r.a.lower) == len(r.b.lower) > 1 and sorted(r.a.lower) == sorted(r.b.lower):
            return "WO"
        category = self.one_word(r) if len(r.a.text) == len(r.b.text) == 1 else None
        return category or self.any_length(r)

    def common_category(self, categories: set[str], labels: set[str]) -> str | None:
        """The category that all words share, or else the one of the label that they share."""
        if len(categories) == 1 and not categories & self.rare:
            return next(iter(categories))
        return self.labels.get(next(iter(labels))) if len(labels) == 1 else None

    def unless_rare(self, category: str) -> str | None:
        """The category, if it is a type."""
        return None if category in self.rare else category


def is_unknown(word: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a word of letters is in no word list, as it is written or in lower case."""
    return word.isalpha() and not is_word(word) and not is_word(word.lower())


@lru_cache(maxsize=1 << 14)
def levenshtein_similarity(a: str, b: str) -> float:
    """One less the Levenshtein distance as a share of the longer word."""
    longer = max(len(a), len(b))
    while a and b and a[-1] == b[-1]:  # common ends and beginnings cost nothing
        a, b = a[:-1], b[:-1]
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return 1 - row[-1] / longer


@lru_cache(maxsize=1 << 14)
def indel_similarity(a: str, b: str) -> float:
    """Twice the longest common subsequence as a share of all letters."""
    row = [0] * (len(b) + 1)
    for letter in a:
        diagonal = 0
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if letter == other else max(row[j], row[j - 1])
    return 2 * row[-1] / (len(a) + len(b))


def without_common_end(source: Annotated, corrected: Annotated, span: Span) -> Span:
    """The span less the words at its end that differ in case at most; a pair of single words stays.

    >>> a = Annotated(("Doctor",), ("NN",), ("NOUN",), ("doctor",), ("ROOT",), (0,))
    >>> b = Annotated(("The", "doctor"), ("DT", "NN"), ("DET", "NOUN"), ("the", "doctor"), ("det", "ROOT"), (1, 1))
    >>> without_common_end(a, b, Span(0, 1, 0, 2))
    Span(start=0, end=0, corrected_start=0, corrected_end=1)
    """
    start, end, corrected_start, corrected_end = span
    while (
        end > start
        and corrected_end > corrected_start
        and (end - start > 1 or corrected_end - corrected_start > 1)
        and source.text[end - 1].lower() == corrected.text[corrected_end - 1].lower()
    ):
        end, corrected_end = end - 1, corrected_end - 1
    return Span(start, end, corrected_start, corrected_end)
