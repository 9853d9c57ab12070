"""Tokens as integers, the form every kernel takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.threads import thread_count

__all__ = ["EncodedText", "Integers", "Vocabulary", "gather", "offsets_of", "places_in_runs", "runs"]

Integers = NDArray[np.int64]
EncodedText = tuple[NDArray[np.int32], NDArray[np.int64]]


def offsets_of(lengths: Iterable[int], count: int) -> NDArray[np.int64]:
    """Where each of `count` pieces begins when they are laid end to end, and where the last one ends."""
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.fromiter(lengths, dtype=np.int64, count=count), out=offsets[1:])
    return offsets


def gather(ids: NDArray[np.int32], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> EncodedText:
    """Runs of `ids` laid end to end.

    >>> [part.tolist() for part in gather(np.arange(9, dtype=np.int32), np.array([7, 0]), np.array([9, 1]))]
    [[7, 8, 0], [0, 2, 3]]
    """
    places, offsets = runs(begins, ends)
    return ids[places], offsets


def runs(begins: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """The places from each begin up to its end, laid end to end, and where each run of them begins.

    >>> [part.tolist() for part in runs(np.array([7, 0]), np.array([9, 1]))]
    [[7, 8, 0], [0, 2, 3]]
    """
    lengths = ends - begins
    offsets = np.zeros(len(begins) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths), offsets


def places_in_runs(values: Integers) -> Integers:
    """The place of each value in its run of equal ones.

    >>> places_in_runs(np.array([3, 3, 5, 5, 5])).tolist()
    [0, 1, 0, 1, 2]
    """
    begins = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    return np.arange(len(values)) - np.repeat(begins, np.diff(np.append(begins, len(values))))


class Vocabulary:
    """A token's number, given on first sight.

    `extend=False` looks up without remembering: unknown tokens get passing numbers, the same within one call, so
    that a scorer in a training loop never grows.
    """

    def __init__(self, tokens: Sequence[str] = ()) -> None:
        self.interner = _kernels.Interner()
        self.interner.encode_words([tokens], True)

    def __len__(self) -> int:
        return len(self.interner)

    def __getstate__(self) -> dict[str, Any]:
        return {"tokens": self.interner.texts()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["tokens"])  # type: ignore[misc]

    def copy(self) -> Vocabulary:
        """One that can be extended while others look up in this one."""
        other = Vocabulary.__new__(Vocabulary)
        other.interner = self.interner.copy()
        return other

    def encode(self, sentences: Sequence[Sequence[str]], *, extend: bool) -> tuple[EncodedText, list[str]]:
        """The sentences as ids and offsets, and the tokens that got passing numbers, in their order."""
        ids, offsets, passing = self.interner.encode_words(sentences, extend)
        return (ids, offsets), passing

    def encode_texts(self, texts: Sequence[str], *, extend: bool) -> tuple[EncodedText, list[str]]:
        """The words of each text, as `str.split` cuts them."""
        threads = thread_count(len(texts))
        if isinstance(texts, TextColumn):
            ids, offsets, passing = self.interner.encode_spans(texts.spans, extend, threads)
        else:
            ids, offsets, passing = self.interner.encode_texts(texts, extend, threads)
        return (ids, offsets), passing

    def words(self, ids: NDArray[np.int32]) -> tuple[str, ...]:
        """The tokens of these numbers."""
        return tuple(self.interner.words(np.ascontiguousarray(ids)))

    def fold(self, passing: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Each token's bytes without case and white space, those with passing numbers last."""
        texts = [
            "".join(token.lower().split()).encode("utf-8", "surrogatepass")
            for token in chain(self.interner.texts(), passing)
        ]
        return np.frombuffer(b"".join(texts), dtype=np.uint8), offsets_of(map(len, texts), len(texts))

    def letters(self) -> EncodedText:
        """How each known token is spelt, as code points."""
        spelt = [token.encode("utf-32-le", "surrogatepass") for token in self.interner.texts()]
        return np.frombuffer(b"".join(spelt), dtype="<i4").astype(np.int32), offsets_of(
            (len(s) // 4 for s in spelt), len(spelt)
        )
