"""An edit with all that is needed to judge it: its sentence, and the corrected text that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["EditInContext", "EditKey", "TextPairs"]


class TextPairs(NamedTuple):
    """Pairs of texts, a row each, by the places that both have in `texts`."""

    texts: Sequence[str]
    pairs: NDArray[np.int64]


class EditKey(NamedTuple):
    """Which edit of which sentence is meant, in a file; sentences count from 0 here and from 1 in files."""

    sentence: int
    start: int
    end: int
    correction: str


@dataclass(frozen=True, slots=True)
class EditInContext:
    """An edit of the tokens of a sentence; `reference` is the text that the annotator made of the sentence.

    >>> edit = EditInContext(0, ("He", "go"), 1, 2, "goes", "0", "He goes")
    >>> edit.source, edit.applied
    ('He go', 'He goes')
    """

    sentence: int  # its place in the corpus
    tokens: tuple[str, ...]
    start: int
    end: int
    correction: str
    annotator: str = ""
    reference: str = ""

    @property
    def source(self) -> str:
        return " ".join(self.tokens)

    @property
    def applied(self) -> str:
        """The source with this edit alone."""
        return " ".join([*self.tokens[: self.start], *self.correction.split(), *self.tokens[self.end :]])

    @property
    def key(self) -> EditKey:
        return EditKey(self.sentence, self.start, self.end, self.correction)
