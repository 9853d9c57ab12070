"""A sentence with its annotations, and whoever gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Annotated", "Annotator"]


@dataclass(frozen=True, slots=True)
class Annotated:
    """One sentence as columns of equal length.

    `tag` is the fine tag (Penn, for English), `pos` the coarse one (universal, as spaCy gives it), `dependency` the
    label of the arc from the token's head, `head` the place of that head in the sentence; the root is its own head.

    >>> Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,)).lemma
    ('go',)
    """

    text: tuple[str, ...]
    tag: tuple[str, ...]
    pos: tuple[str, ...]
    lemma: tuple[str, ...]
    dependency: tuple[str, ...]
    head: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.text)


class Annotator(Protocol):
    """Gives each sentence its annotations; `name` (with a version) goes into signatures."""

    @property
    def name(self) -> str: ...

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> Sequence[Annotated]: ...
