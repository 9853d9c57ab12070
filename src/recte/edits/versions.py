"""Versions of a sentence (a hypothesis, each reference) as edits of its source, in the form the chunk kernels take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Edit
from recte.corpus.vocabulary import EncodedText, Vocabulary, offsets_of
from recte.errors import InputError

__all__ = ["EncodedEdits", "Versions", "version_text"]

EncodedEdits = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], EncodedText]


class Versions:
    """Sources and the versions that are known from the start; others can be added for one call.

    `references` has for each source the edits of each of its references. Of an edit with several corrections the first
    counts.
    """

    def __init__(self, sources: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[Edit]]]) -> None:
        self._vocabulary = Vocabulary()
        self.sources, _ = self._vocabulary.encode(sources, extend=True)
        flat = [edits for of_sentence in references for edits in of_sentence]
        self.references = self._encode(flat, extend=True)
        self.reference_offsets = offsets_of(map(len, references), len(references))

    def encode(self, versions: Sequence[Sequence[Edit]]) -> EncodedEdits:
        """Versions that nothing is kept of."""
        return self._encode(versions, extend=False)

    def _encode(self, versions: Sequence[Sequence[Edit]], *, extend: bool) -> EncodedEdits:
        edits = [edit for version in versions for edit in version]
        bare = next((edit for edit in edits if not edit.corrections), None)
        if bare is not None:
            raise InputError(f"edit {bare.start} {bare.end}: expected at least one correction, got none")
        corrections, _ = self._vocabulary.encode([e.corrections[0].split() for e in edits], extend=extend)
        return (
            offsets_of(map(len, versions), len(versions)),
            np.array([e.start for e in edits], dtype=np.int32),
            np.array([e.end for e in edits], dtype=np.int32),
            corrections,
        )


def version_text(tokens: Sequence[str], edits: Sequence[Edit], start: int, end: int) -> str:
    """What a version has in place of the tokens from `start` up to `end`, where no edit reaches across these borders.

    >>> version_text(["a", "b", "c"], [Edit(1, 2, ("x y",)), Edit(3, 3, ("d",))], 1, 3)
    'x y c d'
    """
    words: list[str] = []
    place = start
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if start <= edit.start and edit.end <= end:
            words += [*tokens[place : edit.start], *edit.corrections[0].split()]
            place = edit.end
    return " ".join([*words, *tokens[place:end]])
