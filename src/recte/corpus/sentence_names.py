"""What the sentences of a gold can be called: by their number, their id, or their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from recte.corpus.sentence import Sentence
from recte.errors import InputError

__all__ = ["SentenceNames", "and_more"]

_SHOWN = 60


@dataclass(frozen=True)
class SentenceNames:
    """Names of all sentences of a gold, in order, also of those that cannot be scored.

    `ids` and `texts` have one entry each; `scored` says which of them count.

    >>> names = SentenceNames.of([Sentence("He go .", id="s-1"), Sentence("I am .", id="s-2")])
    >>> names.places(["s-2", "s-1"]), names.places(["2"]), names.places(["He  go ."])
    ([1, 0], [1], [0])
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    scored: tuple[bool, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> SentenceNames:
        """Those of sentences as they were read."""
        listed = [(sentence.id, sentence.text, sentence.scored) for sentence in sentences]
        ids, texts, scored = zip(*listed, strict=True) if listed else ((), (), ())
        return cls(ids, texts, scored)

    @classmethod
    def of_length(cls, length: int) -> SentenceNames:
        """Those of sentences of which nothing is known but how many there are."""
        return cls(("",) * length, ("",) * length, (True,) * length)

    def __len__(self) -> int:
        return len(self.scored)

    def places(self, names: Sequence[str], *, what: str = "sentences") -> list[int]:
        """The places (from 0) of sentences that are all called by their numbers from 1, their ids, or their texts.

        An error names the first that is not there, or that is the text of two sentences; `what` says what is looked up.
        """
        best: list[str] = list(names)
        for known in (self._numbers, self._by_id, self._by_text):
            absent = [name for name in names if _key(name) not in known]
            if not absent:
                return [self._one(name, known[_key(name)], what) for name in names]
            best = absent if len(absent) < len(best) else best
        raise InputError(
            f"{what}: expected numbers, ids or texts of the {len(self)} sentences of the corpus, "
            f"got {best[0][:_SHOWN]!r}{and_more(best)}"
        )

    def _one(self, name: str, places: Sequence[int], what: str) -> int:
        if len(places) > 1:
            raise InputError(
                f"{what}: expected names of single sentences, got {name[:_SHOWN]!r}, which is sentence {places[0] + 1} "
                f"and sentence {places[1] + 1}"
            )
        return places[0]

    @cached_property
    def _numbers(self) -> Mapping[str, Sequence[int]]:
        return {str(place + 1): (place,) for place in range(len(self))}

    @cached_property
    def _by_id(self) -> Mapping[str, Sequence[int]]:
        return _places(self.ids)

    @cached_property
    def _by_text(self) -> Mapping[str, Sequence[int]]:
        return _places(self.texts)


def and_more(wrong: Sequence[object]) -> str:
    """The end of a message that names the first of several.

    >>> and_more(["s-4", "s-5", "s-9"]), and_more(["s-4"])
    (' and 2 more', '')
    """
    return f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""


def _key(name: str) -> str:
    """White space says nothing: texts are cut into words in more than one way."""
    return "".join(name.split())


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name:
            places.setdefault(_key(name), []).append(place)
    return places
