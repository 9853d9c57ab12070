"""Every edit of many hypotheses and of the gold beside them, as columns, for whoever weighs or judges them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from recte.alignment.verdicts import MatchedEdits
from recte.weighing.context import EditInContext, TextPairs

__all__ = ["SeenEdits", "SeenSoon", "Texts"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class SeenEdits(Sequence[EditInContext]):
    """Edits as columns; one is made an object when it is looked at.

    A side is one hypothesis (`row`) against one annotator (`column`, a place in `annotators`), who is at some `place`
    among those of the sentence. By edit: its `side`, its span, whether it is `proposed` (else it is gold's) and, if so,
    `correct`; `source`, `applied` and `reference` are numbers of `texts`: the sentence, the sentence with this edit
    alone, and what the annotator made of it.
    """

    annotators: tuple[str, ...]
    row: Integers
    column: Integers
    place: Integers
    side: Integers
    start: Integers
    end: Integers
    proposed: NDArray[np.bool_]
    correct: NDArray[np.bool_]
    texts: Sequence[str]
    source: Integers
    applied: Integers
    reference: Integers
    correction: Callable[[int], str]
    tokens: Callable[[int], tuple[str, ...]]  # of a row
    sentence: Sequence[int]  # of a row: its place in the corpus

    @property
    def side_count(self) -> int:
        return len(self.row)

    @property
    def text_pairs(self) -> TextPairs:
        """For each edit the source with it beside the reference, then for each the source beside the reference."""
        applied, source = (np.stack([one, self.reference], axis=1) for one in (self.applied, self.source))
        return TextPairs(self.texts, np.concatenate([applied, source]))

    def __len__(self) -> int:
        return len(self.side)

    @overload
    def __getitem__(self, index: int) -> EditInContext: ...
    @overload
    def __getitem__(self, index: slice) -> list[EditInContext]: ...
    def __getitem__(self, index: int | slice) -> EditInContext | list[EditInContext]:
        if isinstance(index, slice):
            return [self[e] for e in range(*index.indices(len(self)))]
        side = int(self.side[index])
        row = int(self.row[side])
        return EditInContext(
            self.sentence[row],
            self.tokens(row),
            int(self.start[index]),
            int(self.end[index]),
            self.correction(index),
            self.annotators[self.column[side]],
            self.texts[self.reference[index]],
        )

    @classmethod
    def of(cls, matched: Sequence[MatchedEdits], places: Sequence[int]) -> SeenEdits:
        """Edits that are objects; `places` are the sentences' in the corpus."""
        texts = Texts()
        columns: dict[str, int] = {}
        sides: list[tuple[int, int, int]] = []
        found: list[tuple[int, int, int, bool, bool, int, int, int]] = []
        corrections: list[str] = []
        for number, one in enumerate(matched):
            tokens = one.sentence.tokens
            source = texts.number(" ".join(tokens))
            for place, annotator in enumerate(one.annotators):
                side = len(sides)
                sides.append((number, columns.setdefault(annotator, len(columns)), place))
                reference = texts.number(one.sentence.corrected(annotator))
                proposed = [(e.start, e.end, e.correction, True) for e in one.proposed.get(annotator, ())]
                gold = [(e.start, e.end, e.corrections[0], False) for e in one.gold(annotator)]
                correct = [*map(bool, one.partners(annotator)), *[False] * len(gold)]
                for (start, end, correction, own), right in zip([*proposed, *gold], correct, strict=True):
                    applied = texts.number(" ".join([*tokens[:start], *correction.split(), *tokens[end:]]))
                    found.append((side, start, end, own, right, source, applied, reference))
                    corrections.append(correction)
        row, column, place_of = np.array(sides, np.int64).reshape(-1, 3).T
        side_of, start_of, end_of, own_of, right_of, source_of, applied_of, reference_of = (
            np.array(found, np.int64).reshape(-1, 8).T
        )
        return cls(
            annotators=tuple(columns),
            row=row,
            column=column,
            place=place_of,
            side=side_of,
            start=start_of,
            end=end_of,
            proposed=own_of.astype(np.bool_),
            correct=right_of.astype(np.bool_),
            texts=texts.listed,
            source=source_of,
            applied=applied_of,
            reference=reference_of,
            correction=corrections.__getitem__,
            tokens=lambda row: matched[row].sentence.tokens,
            sentence=places,
        )


class SeenSoon(NamedTuple):
    """Edits of some rows, from `first` on, that are found when they are asked for.

    `ahead` are pairs of texts that will be among theirs.
    """

    first: int
    ahead: TextPairs | None
    find: Callable[[], SeenEdits]


class Texts:
    """Distinct texts with numbers, in the order of their coming.

    >>> texts = Texts(["a"])
    >>> texts.numbers(["b", "a"]).tolist(), texts.listed
    ([1, 0], ['a', 'b'])
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        self.numbers(texts)

    @property
    def listed(self) -> list[str]:
        return list(self._numbers)

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def numbers(self, texts: Sequence[str]) -> Integers:
        known = self._numbers
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        return np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))

    def copy(self) -> Texts:
        other = Texts()
        other._numbers = self._numbers.copy()
        return other
