"""WordChange, word order and sentence boundaries: what an output did to each of its sources.

What counts as a word, and as a changed word, by each rule.

`default` looks at runs of letters and digits, so that a system that re-tokenises gains nothing; any change counts.
`paper` drops everything else inside tokens, as section 2 says. `official` follows the authors' program: texts are split
at every character that is none of a word, a pair of words has changed only if their noun lemmas are well apart, and
position has a weight of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recte.annotation.wordnet import wordnet_lemma
from recte.edits.word_matching import UNALIGNED, MatchingPosition, edit_distance, match_words
from recte.errors import OptionError, describe_choices
from recte.statistics.correlation import spearman_of_places

__all__ = [
    "CHANGE_RULES",
    "ChangeRule",
    "Changes",
    "RuleName",
    "SentenceCounter",
    "change_rule",
    "changes",
    "count_sentences",
]

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


def _clean_tokens(text: str) -> list[str]:
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
    "paper": ChangeRule("paper", _clean_tokens, "tie-break", _differ),
    "official": ChangeRule("official", _split_words, "published", _lemmas_differ),
}


def change_rule(name: str) -> ChangeRule:
    """The rule of that name."""
    for known, rule in CHANGE_RULES.items():
        if known == name:
            return rule
    raise OptionError(f"rule: {describe_choices(CHANGE_RULES, name)}")


SentenceCounter = Callable[[str], int]
# The end of a sentence after a word of two letters or more (initials are none) that another word follows. White space
# does not matter, so that a system which only changes tokens splits nothing.
_BOUNDARY = re.compile(r"(?<=\w\w)[\s\"')\]]*[.!?]+[\s\"'(\[]*(?=[^\W\d_])")


@dataclass(frozen=True)
class Changes:
    """One entry a sentence: words changed, Spearman's ρ (NaN where undefined), sentences more than the source has."""

    word_changes: NDArray[np.int64]
    rho: NDArray[np.float64]
    sentences_added: NDArray[np.int64]


def count_sentences(text: str) -> int:
    """Sentences in a line: one more than the ends of sentence between two words.

    >>> count_sentences("He came . She left ."), count_sentences("He came .")
    (2, 1)
    """
    return len(_BOUNDARY.findall(text)) + 1


def changes(
    sources: Sequence[str],
    outputs: Sequence[str],
    rule: ChangeRule,
    sentence_counter: SentenceCounter = count_sentences,
) -> Changes:
    """Match the words of every source with those of its output, and compare."""
    before = [rule.words(text) for text in sources]
    after = [rule.words(text) for text in outputs]
    matched = match_words(before, after, position=rule.position)
    compared = [_compare(*pair, rule) for pair in zip(before, after, matched, strict=True)]
    added = [sentence_counter(o) - sentence_counter(s) if o != s else 0 for s, o in zip(sources, outputs, strict=True)]
    return Changes(
        np.array([changed for changed, _ in compared], dtype=np.int64),
        np.array([rho for _, rho in compared]),
        np.array(added, dtype=np.int64),
    )


def _compare(source: list[str], output: list[str], partners: NDArray[np.int32], rule: ChangeRule) -> tuple[int, float]:
    """Words changed, and ρ.

    An empty word, which the official rule has, is nothing to be added or left out, and has no place in the order.
    """
    words = sum(map(bool, source)), sum(map(bool, output))
    if source == output:
        return 0, 1.0 if words[0] > 1 else np.nan
    pairs = [(i, j) for i, j in enumerate(partners.tolist()) if j != UNALIGNED]
    aligned = sum(source[i] != "" for i, _ in pairs) + sum(output[j] != "" for _, j in pairs)
    changed = sum(words) - aligned + sum(rule.changed(source[i], output[j]) for i, j in pairs)
    places = np.array([j for i, j in pairs if source[i] and output[j]], dtype=np.int32)
    return changed, spearman_of_places(places) if places.size > 1 else np.nan
