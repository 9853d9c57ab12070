"""A text and its correction cut into pairs of sentences: section 2 of Choshen and Abend, and their program.

Two sentences are a pair where their last words are alike. Where they are not, one sentence may have been split or two
concatenated, a word may have been added at the end, or a comma become a full stop. What fits none of these goes to the
next pair, so that nothing of the texts is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from recte.edits.word_matching import UNALIGNED, match_words
from recte.errors import InputError, TooLongError, check_choice
from recte.studies.conservatism.changes import change_rule
from recte.studies.conservatism.sentence_ends import (
    SentenceRule,
    SentenceRuleName,
    piece_spans,
    sentence_rule,
    sentence_spans,
)
from recte.text.line_alignment import common_in_order

__all__ = ["SENTENCE_LINES", "CutKind", "SentenceLines", "SentencePair", "cut_sentences"]

CutKind = Literal["kept", "split", "concatenated"]
SentenceLines = Literal["none", "source", "corrected", "both"]
SENTENCE_LINES: tuple[SentenceLines, ...] = get_args(SentenceLines)

_WORD = re.compile(r"\w+")
_MOST_APART = 5  # of sentences whose ends are compared by their words, one may be longer by a fifth
_FARTHEST = 6  # sentences of either side that are passed over where the sides have come apart
_PASSED_OVER = sorted(  # numbers of sentences of both sides, the fewest first
    product(range(_FARTHEST + 1), repeat=2), key=lambda over: (sum(over), abs(over[0] - over[1]))
)
_ANCHOR_WORDS, _ANCHOR_SHARE = 4, 0.6  # the least words, and the least share of them in common, to go on from
_PATIENCE: dict[SentenceRuleName, int] = {"default": 0, "official": 3}
_OFFICIAL = change_rule("official")


@dataclass(frozen=True)
class SentencePair:
    """A piece of the source and the piece of the correction that it became, and how many sentences each has.

    White space around them is kept: the pieces in a row are the texts.

    >>> SentencePair("He left , I stayed .", "He left . I stayed .", 1, 2).kind
    'split'
    """

    source: str
    corrected: str
    source_sentences: int
    corrected_sentences: int

    @property
    def kind(self) -> CutKind:
        """Whether the correction has more sentences here (`split`), fewer (`concatenated`) or as many (`kept`)."""
        more = self.corrected_sentences - self.source_sentences
        return "split" if more > 0 else "concatenated" if more < 0 else "kept"


def cut_sentences(
    source: str, corrected: str, *, rule: SentenceRuleName = "default", sentence_lines: SentenceLines = "none"
) -> list[SentencePair]:
    """The pairs of sentences of a text and its correction, in order.

    `default` takes the texts as they are; `official` makes them ready as the authors' program does. `sentence_lines`
    says which texts have one sentence on a line: nothing else ends a sentence there.

    >>> pairs = cut_sentences("He came late he was tired. She left.", "He came late. He was tired. She left early.")
    >>> [(pair.kind, pair.source.strip(), pair.corrected.strip()) for pair in pairs]
    [('split', 'He came late he was tired.', 'He came late. He was tired.'), ('kept', 'She left.', 'She left early.')]
    """
    check_choice("sentence_lines", sentence_lines, SENTENCE_LINES)
    ends = sentence_rule(rule)
    before, after = (
        _sentences(what, text, ends, sentence_lines in (what, "both"))
        for what, text in (("source", source), ("corrected", corrected))
    )
    cuts: list[tuple[int, int]] = []  # the first sentences of both sides that a pair does not have any more
    i = j = apart = 0
    # Counted from the end, since sentences that are divided on the way move no place there; the end itself is the last.
    unchanged = [(0, 0), *(_find_unchanged(before, after) if rule == "default" else [])]
    while i < len(before) and j < len(after):
        if i + unchanged[-1][0] == len(before) or j + unchanged[-1][1] == len(after):
            # What only one side has before the next unchanged sentence goes to the pair of that.
            n, m = unchanged.pop()
            i, j = len(before) - n + 1, len(after) - m + 1
            cuts.append((i, j))
            continue
        step = _by_ends(before, i, after, j) or _at_comma(before, i, after, j)
        apart = 0 if step else apart + 1
        n, m = step or (_next_anchor(before, i, after, j) if apart > _PATIENCE[rule] else (1, 1))
        if i + n + unchanged[-1][0] > len(before) or j + m + unchanged[-1][1] > len(after):
            n = m = 1
        i, j = i + n, j + m
        if step or (rule == "default" and n and m):
            cuts.append((i, j))
    whole = (len(before), len(after))
    if cuts and (cuts[-1][0] == whole[0] or cuts[-1][1] == whole[1]):
        cuts.pop()  # what is left on one side alone goes to the last pair
    cuts.append(whole)
    starts = [(0, 0), *cuts]
    return [
        SentencePair(before.piece(i, k), after.piece(j, m), k - i, m - j)
        for (i, j), (k, m) in zip(starts, cuts, strict=False)
    ]


def _sentences(what: str, text: str, ends: SentenceRule, lines: bool) -> _Sentences:
    """The sentences of a text: one on each line, or by the rule."""
    if lines:
        pieces = [ends.ready(f"{line}\n") for line in text.split("\n") if line.strip()]
        return _Sentences(what, "".join(pieces), piece_spans(pieces), ends.begin, fixed=True)
    ready = ends.ready(text)
    return _Sentences(what, ready, sentence_spans(ready, ends), ends.begin)


class _Sentences:
    """The sentences of one text, with their words and the last of these; `fixed` ones are never divided."""

    def __init__(
        self, what: str, text: str, spans: list[tuple[int, int]], begin: re.Pattern[str], *, fixed: bool = False
    ) -> None:
        self.fixed = fixed
        self.text = text
        self.begin = begin
        self.spans = spans
        self.words = [self._words(*span) for span in spans]
        if not self.words or not self.words[0]:
            raise InputError(f"{what}: expected a text with words, got none")

    def __len__(self) -> int:
        return len(self.spans)

    def _words(self, start: int, end: int) -> list[str]:
        return [word.lower() for word in _WORD.findall(self.text, start, end)]

    def last(self, place: int) -> str:
        """The last word of two letters or more, since letters alone often are signs of a list or a unit."""
        words = self.words[place]
        return next((word for word in reversed(words) if len(word) > 1), words[-1])

    def join(self, place: int, number: int) -> str:
        """Some sentences in a row, without the white space around each."""
        return " ".join(self.text[start:end].strip() for start, end in self.spans[place : place + number])

    def piece(self, start: int, end: int) -> str:
        """Sentences from one to before another, with all that stands between them and the next word."""
        return self.text[self._begin(start) : self._begin(end)]

    def _begin(self, place: int) -> int:
        if place == 0:
            return 0
        if place == len(self):
            return len(self.text)
        match = self.begin.search(self.text, self.spans[place - 1][1])
        return match.start() if match else len(self.text)

    def divide(self, place: int, offset: int) -> None:
        """Make two sentences of one."""
        start, end = self.spans[place]
        self.spans[place : place + 1] = [(start, offset), (offset, end)]
        self.words[place : place + 1] = [self._words(start, offset), self._words(offset, end)]


def _by_ends(before: _Sentences, i: int, after: _Sentences, j: int) -> tuple[int, int] | None:
    """How many sentences of both sides are a pair from here on, by their ends."""
    fewer = len(before.words[i]) < len(after.words[j]) and i + 1 < len(before)
    more = len(before.words[i]) > len(after.words[j]) and j + 1 < len(after)
    tried = [(1, 1), *([(2, 1)] if fewer else []), *([(1, 2)] if more else [])]
    for n, m in tried:
        if _alike(before.last(i + n - 1), after.last(j + m - 1)):
            return n, m
    for n, m in tried:
        if _end_together(before.join(i, n), after.join(j, m), before.last(i + n - 1), after.last(j + m - 1)):
            return n, m
    return None


def _find_unchanged(before: _Sentences, after: _Sentences) -> list[tuple[int, int]]:
    """Sentences that both sides have once and word for word, as many as keep their order: the last one first.

    Both places are counted from the end. However much was left out or added between two of them, pairs are right again
    from the second one on.
    """
    places = common_in_order([tuple(words) for words in before.words], [tuple(words) for words in after.words])
    return [(len(before) - i, len(after) - j) for i, j in reversed(places)]


def _next_anchor(before: _Sentences, i: int, after: _Sentences, j: int) -> tuple[int, int]:
    """How many sentences of both sides to pass over, where they have come apart, until two share most of their words.

    One of each where as many of both lie before these, or where there are none.
    """
    for n, m in _PASSED_OVER:
        if n + m and i + n < len(before) and j + m < len(after):
            a, b = before.words[i + n], after.words[j + m]
            if min(len(a), len(b)) >= _ANCHOR_WORDS and _share_of_words(a, b) >= _ANCHOR_SHARE:
                return (n, m) if n != m else (1, 1)
    return 1, 1


def _share_of_words(source: list[str], corrected: list[str]) -> float:
    """How many of the words of the longer side the other has, too, as a share."""
    return (Counter(source) & Counter(corrected)).total() / max(len(source), len(corrected))


def _at_comma(before: _Sentences, i: int, after: _Sentences, j: int) -> tuple[int, int] | None:
    """Cut the longer sentence at the comma that became a full stop in the other, or was one."""
    if len(before.words[i]) == len(after.words[j]):
        return None
    longer, place, other = (
        (before, i, after.last(j)) if len(before.words[i]) > len(after.words[j]) else (after, j, before.last(i))
    )
    if longer.fixed:
        return None
    start, end = longer.spans[place]
    match = re.compile(rf"\b{re.escape(other)} ?,", re.IGNORECASE).search(longer.text, start, end)
    if match is None or not _WORD.search(longer.text, match.end(), end):
        return None
    longer.divide(place, match.end())
    return 1, 1


def _alike(a: str, b: str) -> bool:
    return not _OFFICIAL.changed(a, b)


def _end_together(source: str, corrected: str, last_source: str, last_corrected: str) -> bool:
    """Whether a word was added or left out behind the last word that both have, by the matching of their words.

    No, where they are too long and too unlike to be matched.
    """
    lengths = len(_WORD.findall(source)), len(_WORD.findall(corrected))
    if abs(lengths[0] - lengths[1]) > min(lengths) / _MOST_APART:
        return False
    a, b = _OFFICIAL.words(source), _OFFICIAL.words(corrected)
    try:
        partners = match_words([a], [b], position=_OFFICIAL.position)[0].tolist()
    except TooLongError:
        return False
    pairs = [(a[i], b[j]) for i, j in enumerate(partners) if j != UNALIGNED]
    left_out = last_source in (a[i] for i, j in enumerate(partners) if j == UNALIGNED)
    added = last_corrected in (word for j, word in enumerate(b) if j not in set(partners))
    return (left_out and any(y == last_corrected and _alike(x, y) for x, y in pairs)) or (
        added and any(x == last_source and _alike(x, y) for x, y in pairs)
    )
