"""Kinds of input that looks wrong which one pair of a source and its correction shows by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn
from recte.evaluation.plausibility.finding import Sighting
from recte.evaluation.plausibility.line_order import find_misplaced_lines
from recte.evaluation.plausibility.text_oddities import odd_texts, odd_tokens
from recte.text.line_signatures import Signatures
from recte.text.untidiness.table import UNTIDY_KINDS
from recte.text.untidy_lines import LOST_SIGNS, ComparedTexts, ScannedTexts, untidy_rows

__all__ = ["PAIR_KINDS", "odd_pairs"]

_OF_TEXTS = ("empty", "cut-off", "long", "no-final-mark", "lost-words", "case", "capitals", *LOST_SIGNS)
_OF_TOKENS = ("detokenised", "tokenised", "clitics", "blanks")
_UNLIKE = "unlike"
_UNTIDY = tuple(kind.name for kind in UNTIDY_KINDS)
PAIR_KINDS = (*_OF_TEXTS, _UNLIKE, *_OF_TOKENS, *_UNTIDY)


def odd_pairs(sources: TextColumn, corrected: TextColumn, kinds: Collection[str]) -> NDArray[np.bool_]:
    """Which corrections show one of the kinds. `unlike` also has those that fit a neighbour's source better.

    >>> texts = TextColumn.of(["He go home .", "He go home ."])
    >>> odd_pairs(texts, TextColumn.of(["He goes home .", ""]), ["empty"]).tolist()
    [False, True]
    """
    odd = np.zeros(len(sources), dtype=np.bool_)
    sources, corrected = sources.narrow(), corrected.narrow()
    for sighting in _sightings(sources, corrected, kinds):
        if sighting.kind in kinds:
            odd[np.array(sighting.lines, dtype=np.int64) - 1] = True
    return odd


def _sightings(sources: TextColumn, corrected: TextColumn, kinds: Collection[str]) -> Iterator[Sighting]:
    """What the pairs show; lines count from 1."""
    compared = ComparedTexts(ScannedTexts(sources), ScannedTexts(corrected))
    if not set(kinds).isdisjoint(_OF_TEXTS):
        yield from odd_texts("", compared, 0)
    if not set(kinds).isdisjoint(_OF_TOKENS):
        yield from odd_tokens("", compared, 0)
    if _UNLIKE in kinds:
        for sighting in find_misplaced_lines("", Signatures.of(sources), Signatures.of(corrected), 0):
            yield replace(sighting, kind=_UNLIKE)
    if not set(kinds).isdisjoint(_UNTIDY):
        for shown in untidy_rows(compared):
            yield Sighting(shown.kind.name, "", tuple(row + 1 for row in shown.rows), len(sources))
