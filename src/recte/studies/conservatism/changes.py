"""WordChange, word order and sentence boundaries: what an output did to each of its sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte.edits.word_matching import UNALIGNED, match_words
from recte.statistics.correlation import spearman_of_places
from recte.studies.conservatism.word_changes import ChangeRule

__all__ = ["Changes", "SentenceCounter", "changes", "count_sentences"]

SentenceCounter = Callable[[str], int]
# The end of a sentence after a word of two letters or more (initials are none) that another word follows. White space
# does not matter, so that a system which only tokenises anew splits nothing.
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
