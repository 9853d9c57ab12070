"""When two answers are the same: word for word, or in which words of the source they change.

`default` compares runs of letters and digits in lower case; Exact Index Match then compares the changed places of the
source (section 3.3). `official` follows the authors' program: single letters are joined to the word before them, a mark
at the end of an answer leaves an empty word, and Exact Index Match also compares how many words were inserted (48 and
39 of the 48 released inputs come out the same).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from recte.edits.word_matching import UNALIGNED, MatchingPosition, match_words
from recte.errors import OptionError

__all__ = [
    "ANSWER_MATCHES",
    "ANSWER_RULES",
    "AnswerMatch",
    "AnswerRule",
    "AnsweredSentence",
    "answer_kinds",
    "answer_words",
]

AnswerMatch = Literal["exact", "index"]
AnswerRule = Literal["default", "official"]
ANSWER_MATCHES: tuple[AnswerMatch, ...] = get_args(AnswerMatch)
ANSWER_RULES: tuple[AnswerRule, ...] = get_args(AnswerRule)

_NOT_WORD = re.compile(r"\W+")
_SINGLE_LETTER = re.compile(r" (\w)\b")


def answer_words(text: str, rule: AnswerRule = "default") -> list[str]:
    """A text's words, normalised before answers are compared.

    >>> answer_words("The people 's lives."), answer_words("The people 's lives.", "official")
    (['the', 'people', 's', 'lives'], ['the', 'peoples', 'lives', ''])
    """
    spaced = _NOT_WORD.sub(" ", text).lower()
    return _SINGLE_LETTER.sub(r"\1", spaced).split(" ") if rule == "official" else spaced.split()


def answer_kinds(
    source: str, answers: Sequence[str], match: AnswerMatch = "exact", rule: AnswerRule = "default"
) -> list[Hashable]:
    """What each answer is compared by: equal values are equal answers.

    >>> one, two = answer_kinds("He go home", ["He goes home", "He went home"], "index")
    >>> one == two
    True
    """
    if match not in ANSWER_MATCHES or rule not in ANSWER_RULES:
        raise OptionError(f"match, rule: expected one of {ANSWER_MATCHES} and {ANSWER_RULES}, got {match!r}, {rule!r}")
    words_of_answers = [answer_words(answer, rule) for answer in answers]
    if match == "exact":
        return [tuple(words) for words in words_of_answers]
    before = answer_words(source, rule)
    position: MatchingPosition = "weighed" if rule == "official" else "tie-break"
    kinds: list[Hashable] = []
    for words, partners in zip(
        words_of_answers,
        match_words([before] * len(words_of_answers), words_of_answers, position=position),
        strict=True,
    ):
        changed = tuple(i for i, j in enumerate(partners.tolist()) if j == UNALIGNED or before[i] != words[j])
        inserted = len(words) - int((partners != UNALIGNED).sum())
        kinds.append((changed, inserted) if rule == "official" else changed)
    return kinds


@dataclass(frozen=True)
class AnsweredSentence:
    """A source with the answers of many annotators, one each, repeats included; `rejected` ones were not accepted.

    >>> AnsweredSentence("He go .", ("He goes .", "He went .", "He goes ."), id="1").counts()
    {'He goes .': 2, 'He went .': 1}
    """

    source: str
    answers: tuple[str, ...]
    rejected: tuple[str, ...] = ()
    id: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How often each answer was given, in order of first appearance."""
        counted: dict[str, int] = {}
        for answer in self.answers:
            counted[answer] = counted.get(answer, 0) + 1
        return counted
