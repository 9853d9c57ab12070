"""Which edits are the same, and how duplicates count, as plain dictionaries and loops: the twin of `edits.matching`.

`Comparison` is ERRANT's and ChERRANT's: edits that share a key are one entry with several types. `credited` is
MaxMatch's: the gold edits that each proposed edit is credited with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recte import Edit
from recte.errors import OptionError

NO_OP = "noop"
UNCORRECTED = "UNK"

Matching = Literal["correction", "correction-and-type", "span", "token"]
MATCHING: tuple[Matching, ...] = ("correction", "correction-and-type", "span", "token")
DETECTION: tuple[Matching, ...] = ("span", "token")  # an error that was not corrected can only be detected
Width = Literal["all", "single", "multi"]
WIDTHS: tuple[Width, ...] = ("all", "single", "multi")
Duplicates = Literal["published", "one-to-one", "once", "each"]
DUPLICATES: tuple[Duplicates, ...] = ("published", "one-to-one", "once", "each")

Key = tuple[int | str, ...]
Keyed = Mapping[Key, list[str]]  # the types of all edits that share a key, in their order


class ComparedEdit(NamedTuple):
    """An edit as an M2 line has it: -1, -1 and type `noop` where nothing was to be done."""

    start: int
    end: int
    type: str
    correction: str


class EditCounts(NamedTuple):
    """Edits that both sides have, that the hypothesis alone has, and that the reference alone has."""

    tp: int
    fp: int
    fn: int


_NOTHING = EditCounts(0, 0, 0)


@dataclass(frozen=True)
class Comparison:
    """Which edits count, and when two are the same.

    `matching`: two edits are the same if they share their span and correction (and type), their span, or, token by
    token, any of it. `width` keeps edits of less than two tokens, or of two and more; `correction_width` looks at the
    correction's tokens too. `left_out` are types, in full. `duplicates` of a key: `published` gives as many true
    positives as the reference has, as many false ones as the hypothesis has; `one-to-one` pairs them; `once` counts
    a key once; `each` judges every edit of the hypothesis for itself, right or wrong under its own type. With
    `spaces` as False, corrections are compared without their spaces.

    >>> compared = Comparison()
    >>> ours = compared.keyed([ComparedEdit(1, 2, "S", "了"), ComparedEdit(3, 3, "M", "的")])
    >>> compared.count(ours, compared.keyed([ComparedEdit(1, 2, "S", "了")]))
    EditCounts(tp=1, fp=1, fn=0)
    """

    matching: Matching = "correction"
    width: Width = "all"
    left_out: frozenset[str] = frozenset()
    duplicates: Duplicates = "published"
    correction_width: bool = True
    spaces: bool = True

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("matching", self.matching, MATCHING),
            ("width", self.width, WIDTHS),
            ("duplicates", self.duplicates, DUPLICATES),
        ):
            if value not in choices:
                raise OptionError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")

    def keeps(self, edit: ComparedEdit) -> bool:
        """Whether the edit counts."""
        if edit.type == UNCORRECTED and self.matching not in DETECTION:
            return False
        if edit.type in self.left_out:
            return False
        if self.width == "all":
            return True
        tokens = edit.end - edit.start
        if self.correction_width:
            tokens = max(tokens, len(edit.correction.split()))
        return (tokens < 2) == (self.width == "single")

    def keyed(self, edits: Iterable[ComparedEdit]) -> Keyed:
        """The edits that count, by their keys."""
        by_key: dict[Key, list[str]] = {}
        for edit in edits:
            if self.keeps(edit):
                for key in self.keys(edit):
                    by_key.setdefault(key, []).append(edit.type)
        return by_key

    def keys(self, edit: ComparedEdit) -> list[Key]:
        """One key, or with `token` one for each token; an insertion is the token to its right."""
        start, end, type_, correction = edit
        if not self.spaces:
            correction = correction.replace(" ", "")
        if self.matching == "correction":
            return [(start, end, correction)]
        if self.matching == "correction-and-type":
            return [(start, end, correction, type_)]
        if self.matching == "span" or start < 0:
            return [(start, end)]
        return [(token, token + 1) for token in range(start, max(end, start + 1))]

    def count(self, hypothesis: Keyed, reference: Keyed) -> EditCounts:
        """The edits of one hypothesis against those of one reference, both by their keys."""
        if not hypothesis:  # most sentences are left alone: nothing to look up
            if not reference:
                return _NOTHING
            missed = [types for types in reference.values() if types[0] != NO_OP]
            return EditCounts(0, 0, len(missed) if self.duplicates == "once" else sum(map(len, missed)))
        counts = [0, 0, 0]
        for cell, types in self._outcomes(hypothesis, reference):
            counts[cell] += len(types)
        return EditCounts(*counts)

    def count_by_type(self, hypothesis: Keyed, reference: Keyed) -> dict[str, EditCounts]:
        """The same, type by type: what is right or missing under the reference's, what is wrong under its own."""
        cells: dict[str, list[int]] = {}
        for cell, types in self._outcomes(hypothesis, reference):
            for type_ in types:
                cells.setdefault(type_, [0, 0, 0])[cell] += 1
        return {type_: EditCounts(*values) for type_, values in cells.items()}

    def _outcomes(self, hypothesis: Keyed, reference: Keyed) -> Iterator[tuple[int, list[str]]]:
        """The types of edits that are true positives (0), false positives (1) or false negatives (2), key by key."""
        most = 1 if self.duplicates == "once" else None
        for key, types in hypothesis.items():
            if types[0] == NO_OP:
                continue
            theirs = reference.get(key)
            if theirs is None:
                yield 1, types[:most]
            elif self.duplicates == "one-to-one":
                both = min(len(types), len(theirs))
                yield from ((0, theirs[:both]), (1, types[both:]), (2, theirs[both:]))
            else:
                yield 0, types if self.duplicates == "each" else theirs[:most]
        for key, types in reference.items():
            if types[0] != NO_OP and key not in hypothesis:
                yield 2, types[:most]


def tier_of(type: str, tier: int) -> str:
    """A type as tier 1 (its first letter), 2 (what follows the colon) or 3 (all of it) names it, as published: cut by
    places, whatever the type is.

    >>> [tier_of("R:VERB:SVA", tier) for tier in (1, 2, 3)]
    ['R', 'VERB:SVA', 'R:VERB:SVA']
    """
    if type == UNCORRECTED or tier == 3:
        return type
    return type[:1] if tier == 1 else type[2:]


def credited(
    tokens: Sequence[str], proposed: Sequence[tuple[int, int, str, str]], gold: Sequence[Edit], behaviour: str
) -> list[list[int]]:
    """For each proposed edit the gold edits it is credited with, by the behaviour's rule of counting."""
    fitting = [
        [
            g
            for g, target in enumerate(gold)
            if (start, end) == (target.start, target.end)
            and correction in target.corrections
            and original == " ".join(tokens[start:end])
        ]
        for start, end, original, correction in proposed
    ]
    return assigned(fitting, behaviour)


def assigned(fitting: list[list[int]], behaviour: str) -> list[list[int]]:
    """The gold edits that each proposed edit is credited with, of those that fit it; edits in their order."""
    if behaviour == "paper":
        return fitting
    if behaviour == "official":
        pointer = 0
        credited = []
        for candidates in fitting:
            mine = [g for g in candidates if g >= pointer]
            pointer = mine[-1] + 1 if mine else pointer
            credited.append(mine)
        return credited
    owner: dict[int, int] = {}

    def place(edit: int, tried: set[int]) -> bool:
        for g in fitting[edit]:
            if g not in tried:
                tried.add(g)
                if g not in owner or place(owner[g], tried):
                    owner[g] = edit
                    return True
        return False

    for edit in range(len(fitting)):
        place(edit, set())
    return [[g for g, e in owner.items() if e == edit] for edit in range(len(fitting))]
