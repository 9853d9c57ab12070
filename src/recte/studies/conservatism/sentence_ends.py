"""Where the sentences of a text end.

`default` takes the text as it is: a sentence ends at a full stop, a question or exclamation mark, and at a line's end.
`official` follows the authors' program, which makes the text ready first and takes semicolons for ends, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from recte.errors import OptionError, describe_choices

__all__ = [
    "SENTENCE_RULES",
    "SentenceRule",
    "SentenceRuleName",
    "has_sentences",
    "piece_spans",
    "sentence_rule",
    "sentence_spans",
]

SentenceRuleName = Literal["default", "official"]

# Words that take a full stop along, so that no sentence ends with it. As in the authors' program, etc. is none of them:
# more often than not a sentence ends there.
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        "al approx ca cf co corp dept ed eds est et fig figs inc ltd no nos op p pp u.k u.n u.s vol vs "
        "capt col dr gen gov hon jr lt mr mrs ms prof rev sen sgt sr st",
    )
)
_LONGEST = max(map(len, _ABBREVIATIONS)) + 2  # with what opens before it
# A full stop behind a word, and quotes or brackets that close there.
_FULL_STOP = re.compile(r"(?<=[^\s.])\.+[\"')\]”’]*(?=\s)")
_WHITE_SPACE = re.compile(r"\s")
_HAS_WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class SentenceRule:
    """How a text is made ready, what ends a sentence there whatever stands before it, and what the next begins with.

    The full stop behind a word that is no abbreviation ends one by every rule.
    """

    name: SentenceRuleName
    ready: Callable[[str], str]
    end: re.Pattern[str]
    begin: re.Pattern[str]


def _as_it_is(text: str) -> str:
    return text


def _as_published(text: str) -> str:
    """Every line gets an end, runs of white space become one space, and of two ends in a row the first is left.

    A space between an end and the line's end is doubled by that: the authors' counts of changed words depend on it.
    """
    text = re.sub(r"[^\S\n]+", " ", text)
    for word in ("ie", "eg"):
        text = re.sub(r"(?i){}\s*\.\s*{}\s*\.".format(*word), word, text)
    text = re.sub(r"(?i)\s+c\s*\.\s+", " c.", text)
    text = re.sub(r"([^.?!;])(\s*\n)", r"\1.\2", text)
    text = re.sub(r"(\.\s*[\"'])\s*\.", r"\1", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"([.?!;]\s*)[.?!;]", r"\1", text)


SENTENCE_RULES: dict[SentenceRuleName, SentenceRule] = {
    "default": SentenceRule(
        "default",
        _as_it_is,
        re.compile(
            r"\n"
            r"|[?!][\"')\]”’]*(?=\s)"
            r"|[。！？]+[”’」』）》]*"  # full-width marks, behind which no space is written
            r"|\s\.(\s*\")?(?=\s)"  # a full stop on its own, as tokenisers write it
            r"|(?<=\w\w)[.?!](?=[^\W\d_a-z]\w)",  # no space before the next word, which has a capital
        ),
        re.compile(r"\S*?[^\W_]"),  # with quotes, brackets and signs that are written together with the word
    ),
    "official": SentenceRule(
        "official",
        _as_published,
        re.compile(
            r"\s[.?!;](\s*\")?"
            r"|[?!;]\s*"
            r"|(?<=\w\w)\.(?=\w[^.])"
            r"|(?<=\s)\w\s*\.(?=\s*\w\w)",  # a letter alone, as in vitamin C
        ),
        re.compile(r"[^\W_]"),
    ),
}


def sentence_rule(name: str) -> SentenceRule:
    """The rule of that name."""
    for known, rule in SENTENCE_RULES.items():
        if known == name:
            return rule
    raise OptionError(f"rule: {describe_choices(SENTENCE_RULES, name)}")


def has_sentences(text: str) -> bool:
    """Whether there is a sentence in the text, by any rule: a word of two letters.

    >>> has_sentences("Oh!"), has_sentences("1. 2. a")
    (True, False)
    """
    return _HAS_WORD.search(text) is not None


def sentence_spans(text: str, rule: SentenceRule) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends; together they are the whole text.

    What has no word of two letters is no sentence, and goes to the one before it.

    >>> text = "He came. Mr. Smith left ."
    >>> [text[start:end] for start, end in sentence_spans(text, sentence_rule("default"))]
    ['He came.', ' Mr. Smith left .']
    """
    ends = {match.end() for match in rule.end.finditer(text)} | {len(text)}
    ends |= {match.end() for match in _FULL_STOP.finditer(text) if not _is_abbreviation(text, match.start())}
    places = [0, *sorted(ends)]
    return piece_spans([text[start:end] for start, end in pairwise(places)])


def piece_spans(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Where the sentences of a text in pieces begin and end: each piece is one, or belongs to the one before it.

    >>> piece_spans(["He came. ", "1. ", "She left."])
    [(0, 12), (12, 21)]
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for piece in pieces:
        end = start + len(piece)
        if _HAS_WORD.search(piece):
            spans.append((start if spans else 0, end))
        elif spans:
            spans[-1] = (spans[-1][0], end)
        start = end
    return spans


def _is_abbreviation(text: str, full_stop: int) -> bool:
    """Whether the full stop at this place belongs to the word before it."""
    word = _WHITE_SPACE.split(text[max(full_stop - _LONGEST, 0) : full_stop])[-1].lstrip("\"'([“‘").lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha())
