"""Tokens as integers, the form every kernel takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EncodedText", "Vocabulary", "offsets_of"]

EncodedText = tuple[NDArray[np.int32], NDArray[np.int64]]


def offsets_of(lengths: Iterable[int], count: int) -> NDArray[np.int64]:
    """Where each of `count` pieces begins when they are laid end to end, and where the last one ends."""
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.fromiter(lengths, dtype=np.int64, count=count), out=offsets[1:])
    return offsets


class Vocabulary:
    """A token's number, given on first sight.

    `extend=False` looks up without remembering: unknown tokens get passing numbers, the same within one call, so
    that a scorer in a training loop never grows.
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def encode(self, sentences: Sequence[Sequence[str]], *, extend: bool) -> tuple[EncodedText, list[str]]:
        """The sentences as ids and offsets, and the tokens that got passing numbers, in their order."""
        offsets = offsets_of(map(len, sentences), len(sentences))
        tokens = list(chain.from_iterable(sentences))
        known = self._ids
        passing: dict[str, int] = {}
        if extend:
            ids: list[Any] = [known.setdefault(token, len(known)) for token in tokens]
        else:
            ids = list(map(known.get, tokens))
            if None in ids:
                first = len(known)
                for place, number in enumerate(ids):
                    if number is None:
                        ids[place] = passing.setdefault(tokens[place], first + len(passing))
        return (np.array(ids, dtype=np.int32), offsets), list(passing)

    def folded(self, passing: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Each token's bytes without case and white space, those with passing numbers last."""
        texts = ["".join(token.lower().split()).encode("utf-8", "surrogatepass") for token in chain(self._ids, passing)]
        return np.frombuffer(b"".join(texts), dtype=np.uint8), offsets_of(map(len, texts), len(texts))

    def letters(self) -> EncodedText:
        """How each remembered token is spelt, as code points."""
        spelt = [token.encode("utf-32-le", "surrogatepass") for token in self._ids]
        return np.frombuffer(b"".join(spelt), dtype="<i4").astype(np.int32), offsets_of(
            (len(s) // 4 for s in spelt), len(spelt)
        )
