"""Annotations that stand in files beside the text, looked up by their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recte.annotation.annotated import Annotated
from recte.errors import InputError

__all__ = ["GivenAnnotations"]


class GivenAnnotations:
    """Annotated sentences, each found by its tokens: their order and number do not matter.

    `name` goes into signatures; `place` (a file) into messages. Of two sentences with the same tokens the first counts.

    >>> given = GivenAnnotations([Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,))], name="given-1")
    >>> given([("Go",)])[0].tag
    ('VB',)
    """

    def __init__(self, sentences: Iterable[Annotated], *, name: str, place: str = "the annotations") -> None:
        self._name, self._place = name, place
        self._known: dict[tuple[str, ...], Annotated] = {(): Annotated((), (), (), (), (), ())}
        for sentence in sentences:
            self._known.setdefault(sentence.text, sentence)

    @property
    def name(self) -> str:
        """What signatures call these annotations."""
        return self._name

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        """The annotations of the sentences; an error where one is missing."""
        found = []
        for sentence in sentences:
            known = self._known.get(tuple(sentence))
            if known is None:
                text = " ".join(sentence)
                shown = text if len(text) <= 60 else text[:60] + "…"
                raise InputError(f"expected annotations of {shown!r}, got none", self._place)
            found.append(known)
        return found
