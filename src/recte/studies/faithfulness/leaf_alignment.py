"""Which words of a correction stand for which words of the source: sentence by sentence, by weighted matching."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recte.edits.word_matching import UNALIGNED, edit_distance, match_words
from recte.errors import InputError, check_choice
from recte.studies.faithfulness.graph import Passage

__all__ = ["BEHAVIOURS", "Behaviour", "align_leaves", "sentence_pairs"]

Behaviour = Literal["official", "paper"]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
_SENTENCE_ENDS = tuple(".?!。？！")
_MOST_CELLS = 4_000_000
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def align_leaves(source: Passage, corrected: Passage, *, behaviour: Behaviour = "official") -> NDArray[np.bool_]:
    """Which terminals of the source (rows) are aligned with which of the correction (columns).

    `paper` drops what is not alphanumeric and lets nearness break ties alone, as section 2 says. `official` takes the
    terminals as they are, lower-cased, and weighs nearness in; among equally good matchings SciPy chooses. This rule
    was found by fitting the released counts (docs/faithfulness.md), as the program's own is not written down.

    >>> from recte.studies.faithfulness.graph import Terminal, Unit
    >>> one, other = (
    ...     Passage("1", tuple(map(Terminal, text.split())), (Unit("1.1", tuple(range(len(text.split())))),), ())
    ...     for text in ("He go home", "Then he goes home")
    ... )
    >>> [tuple(map(int, pair)) for pair in zip(*align_leaves(one, other, behaviour="paper").nonzero())]
    [(0, 1), (1, 2), (2, 3)]
    """
    check_choice("behaviour", behaviour, BEHAVIOURS)
    ours, theirs = (tuple(t.text.lower() for t in passage.terminals) for passage in (source, corrected))
    aligned = np.zeros((len(ours), len(theirs)), dtype=np.bool_)
    pairs = _align_with_scipy(ours, theirs) if behaviour == "official" else _near_first(ours, theirs)
    for i, j in pairs:
        aligned[i, j] = True
    return aligned


def _near_first(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    if theirs < ours:  # of equally good matchings always the same one, whichever text is called the source
        yield from ((i, j) for j, i in _near_first(theirs, ours))
        return
    places = [
        tuple(
            [place for place in span if _bare(words[place])] for words, span in zip((ours, theirs), spans, strict=True)
        )
        for spans in sentence_pairs(ours, theirs)
    ]
    matched = match_words(
        [[_bare(ours[i]) for i in a] for a, _ in places], [[_bare(theirs[j]) for j in b] for _, b in places]
    )
    for (a, b), partners in zip(places, matched, strict=True):
        yield from ((i, b[partner]) for i, partner in zip(a, partners.tolist(), strict=True) if partner != UNALIGNED)


@lru_cache(maxsize=64)  # two annotators of a text have the same words
def _align_with_scipy(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    if ours == theirs:
        return tuple((place, place) for place in range(len(ours)))
    from scipy.optimize import linear_sum_assignment

    pairs: list[tuple[int, int]] = []
    for a, b in sentence_pairs(ours, theirs):
        if ours[a.start : a.stop] == theirs[b.start : b.stop]:  # costs nothing, and nothing else does
            pairs += zip(a, b, strict=True)
            continue
        if len(a) * len(b) > _MOST_CELLS:
            raise InputError(f"sentences of {len(a)} and {len(b)} words are too long to align; split them")
        apart = np.abs(np.arange(len(a))[:, None] - np.arange(len(b))[None, :])
        distances = np.array([[edit_distance(ours[i], theirs[j]) for j in b] for i in a], dtype=np.float64)
        rows, columns = linear_sum_assignment(distances.reshape(apart.shape) + apart / max(len(a), len(b), 1))
        pairs += ((a[i], b[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    return tuple(pairs)


def sentence_pairs(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[range, range]]:
    """The places of words in sentences, or runs of sentences, that end alike in both texts.

    Sentences end with a word that ends in . ? or ! (or their Chinese forms), or before such a mark alone. The last
    words of the sentences of both texts are compared, and their longest common subsequence says where to cut.

    >>> sentence_pairs("He left . She too .".split(), "He left. And she too.".split())
    [(range(0, 2), range(0, 2)), (range(2, 6), range(2, 5))]
    """
    ends, other_ends = _sentence_ends(ours), _sentence_ends(theirs)
    shared = _common_subsequence([_bare(ours[e - 1]) for e in ends], [_bare(theirs[e - 1]) for e in other_ends])
    cuts = [(ends[i], other_ends[j]) for i, j in shared]
    cuts = [cut for cut in cuts if cut[0] < len(ours) and cut[1] < len(theirs)]
    starts = [(0, 0), *cuts]
    return [
        (range(start, end), range(other_start, other_end))
        for (start, other_start), (end, other_end) in zip(starts, [*cuts, (len(ours), len(theirs))], strict=True)
    ]


def _sentence_ends(words: Sequence[str]) -> list[int]:
    ends = {place + (len(word) > 1) for place, word in enumerate(words) if word.endswith(_SENTENCE_ENDS)}
    return sorted((ends | {len(words)}) - {0})


def _bare(word: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", word).lower()


def _common_subsequence(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence; where several are as long, the one that matches early in `a`."""
    longest = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            longest[i, j] = longest[i + 1, j + 1] + 1 if a[i] == b[j] else max(longest[i + 1, j], longest[i, j + 1])
    i = j = 0
    places = []
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            places.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1, j] > longest[i, j + 1]:
            i += 1
        else:
            j += 1
    return places
