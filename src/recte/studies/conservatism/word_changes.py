"""What counts as a word, and as a changed word, by each rule.

`default` looks at runs of letters and digits, so that a system that re-tokenises gains nothing; any change counts.
`paper` drops everything else inside tokens, as section 2 says. `official` follows the authors' program: texts are split
at every character that is none of a word, a pair of words has changed only if their noun lemmas are well apart, and
position has a weight of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from recte.annotation.wordnet import wordnet_lemma
from recte.edits.word_matching import MatchingPosition, edit_distance
from recte.errors import OptionError, describe_choices

__all__ = ["CHANGE_RULES", "ChangeRule", "RuleName", "change_rule"]

RuleName = Literal["default", "paper", "official"]

_WORDS = re.compile(r"[^\W_]+")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_NOT_WORD = re.compile(r"\W")


@dataclass(frozen=True)
class ChangeRule:
    """How a text becomes words, how places count in matching them, and which pairs have changed."""

    name: RuleName
    words: Callable[[str], list[str]]
    position: MatchingPosition
    changed: Callable[[str, str], bool]


def _runs(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _cleaned_tokens(text: str) -> list[str]:
    return [word for word in (_NOT_ALPHANUMERIC.sub("", token) for token in text.lower().split()) if word]


def _split_words(text: str) -> list[str]:
    # Where two such characters meet, an empty word is left: it takes part in the matching, and a letter that becomes
    # one (person 's to persons ') has not changed.
    return _NOT_WORD.split(text.lower())


def _differ(a: str, b: str) -> bool:
    return a != b


@lru_cache(maxsize=1 << 16)
def _lemmas_differ(a: str, b: str) -> bool:
    if a == b:
        return False
    x, y = wordnet_lemma(a, "noun"), wordnet_lemma(b, "noun")
    return edit_distance(x, y) > (1 if min(len(x), len(y)) <= 4 else 2)


CHANGE_RULES: dict[RuleName, ChangeRule] = {
    "default": ChangeRule("default", _runs, "tie-break", _differ),
    "paper": ChangeRule("paper", _cleaned_tokens, "tie-break", _differ),
    "official": ChangeRule("official", _split_words, "published", _lemmas_differ),
}


def change_rule(name: str) -> ChangeRule:
    """The rule of that name."""
    for known, rule in CHANGE_RULES.items():
        if known == name:
            return rule
    raise OptionError(f"rule: {describe_choices(CHANGE_RULES, name)}")
