"""Which edits are the same: the only place that decides it, for every metric over edits.

    EditTable of the gold     ┐
                              ├─ match(gold, proposed, rule) ─▶ Matches ─▶ counts, types, verdicts, weights
    EditTable of a hypothesis ┘

A rule says what must agree, and how duplicates count; it is data, so that a metric states its rule in one line:

    MaxMatch      correction (any alternative of the gold's), each annotator's edits against that annotator
        official  in-order     a pointer runs through the gold in file order and behind each match goes on
        paper     any          equation 6: an edit is right if some gold edit equals it
        optimal   one-to-one   a gold edit stands for one edit at most, as many as can be
    ERRANT        correction, correction-and-type, span, or token
        official  published    an edit is right if the gold has it, and counts as often as the gold has it
        optimal   one-to-one
        gec-metrics  each      every edit of the hypothesis counts once, right or wrong
    ChERRANT      as ERRANT, corrections without spaces
        optimal   once         edits that are the same count once

Searches that look for the edits which match best (MaxMatch, HOO, the chunks of CLEME and GoToScorer) match while they
search, in C++. What they find is a table too, and whatever is said of single edits is said from its `Matches`.

`types_of_gold` and `types_of_outcomes` count matches by error type, for every sentence and annotator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.counts import TypeTable
from recte.corpus.edit_table import NO_OP, EditTable
from recte.corpus.sentence import annotator_order
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import Integers, places_in_runs, runs

__all__ = [
    "AGREEMENTS",
    "IN_GOLD",
    "Agreement",
    "Duplicates",
    "JudgedEdits",
    "MatchRule",
    "Matches",
    "Outcomes",
    "Units",
    "match",
    "types_of_gold",
    "types_of_outcomes",
]

Agreement = Literal["correction", "correction-and-type", "span", "token"]
AGREEMENTS: tuple[Agreement, ...] = ("correction", "correction-and-type", "span", "token")
Duplicates = Literal["published", "one-to-one", "once", "each", "in-order", "any"]
Bools = NDArray[np.bool_]

_LARGEST_KEY = 1 << 62


@dataclass(frozen=True)
class MatchRule:
    """What two edits must have in common to be the same, and how those count that stand several times.

    `alternatives`: the correction must be one of the gold's; else corrections must be written alike. `by_annotator`:
    the proposed edits were searched for against each annotator, and are matched with that one's alone. Without `spaces`
    corrections are compared without theirs.
    """

    agreement: Agreement = "correction"
    duplicates: Duplicates = "published"
    alternatives: bool = False
    by_annotator: bool = False
    spaces: bool = True


IN_GOLD = MatchRule("correction", "any", alternatives=True)  # an edit is right that some gold edit equals


class Outcomes(NamedTuple):
    """What counts, one entry each: its pair, its kind (0 true positive, 1 false positive, 2 false negative), and the
    edit that it counts under: the proposed one if that is wrong, or counts for itself, else the gold one. `order` sorts
    what belongs to one pair: proposed edits as they come, then what they miss.
    """

    pairs: Integers
    kinds: Integers
    edits: Integers
    order: Integers


class JudgedEdits(NamedTuple):
    """Every edit of every pair: proposed ones, whether they are `right`, and the first gold edit that each equals (or
    -1); gold ones, and whether they are `found`. `edits` are rows of the tables.
    """

    own_pairs: Integers
    own_edits: Integers
    right: Bools
    partners: Integers
    gold_pairs: Integers
    gold_edits: Integers
    found: Bools


class Units(NamedTuple):
    """What is compared: an edit of a pair of annotations or, token by token, each token of its span."""

    pairs: Integers
    edits: Integers
    starts: Integers
    ends: Integers


def match(gold: EditTable, proposed: EditTable, rule: MatchRule, source_of: Sequence[int] | None = None) -> Matches:
    """Every proposed annotation against every gold annotation of its sentence.

    `source_of` is the gold's sentence of each of the proposed table's, where these are not the same.

    >>> from recte import Edit
    >>> gold = EditTable.of_one_annotator([[Edit(1, 2, ("goes",))]])
    >>> proposed = EditTable.of_one_annotator([[Edit(1, 2, ("goes",)), Edit(3, 3, ("the",))]])
    >>> match(gold, proposed, MatchRule()).counts.tolist()  # tp, proposed, gold
    [[1, 2, 1]]
    """
    own_annotations, gold_annotations = _pairs(gold, proposed, rule, source_of)
    proposed_units, gold_units = _units(proposed, own_annotations, rule), _units(gold, gold_annotations, rule)
    links = _same_span(proposed_units, gold_units)
    if proposed.misplaced:
        links = links[~np.isin(proposed_units.edits[links[:, 0]], list(proposed.misplaced))]
    edits = proposed_units.edits[links[:, 0]], gold_units.edits[links[:, 1]]
    if rule.agreement == "correction-and-type":
        links = links[_same_texts(proposed.types.take(edits[0]), gold.types.take(edits[1]))]
        edits = proposed_units.edits[links[:, 0]], gold_units.edits[links[:, 1]]
    if rule.agreement in ("correction", "correction-and-type"):
        links = links[_same_corrections(gold, proposed, rule, *edits)]
    links = _credit_links(links, proposed_units.pairs[links[:, 0]], rule)
    return Matches(gold, proposed, rule, own_annotations, gold_annotations, proposed_units, gold_units, links)


def _pairs(
    gold: EditTable, proposed: EditTable, rule: MatchRule, source_of: Sequence[int] | None
) -> tuple[Integers, Integers]:
    """The annotations to be compared, the proposed ones outside."""
    places = proposed.sentences if source_of is None else np.asarray(source_of, dtype=np.int64)[proposed.sentences]
    begins, ends = np.searchsorted(gold.sentences, places), np.searchsorted(gold.sentences, places, side="right")
    theirs, offsets = runs(begins, ends)
    places_of_pairs = np.repeat(np.arange(len(places)), np.diff(offsets))
    if rule.by_annotator:
        number = {name: column for column, name in enumerate(gold.annotators)}
        column = np.array([number.get(name, -1) for name in proposed.annotators], dtype=np.int64)
        same = column[proposed.columns[places_of_pairs]] == gold.columns[theirs]
        places_of_pairs, theirs = places_of_pairs[same], theirs[same]
    return places_of_pairs, theirs


def _units(table: EditTable, annotations: Integers, rule: MatchRule) -> Units:
    edits, offsets = runs(table.offsets[annotations], table.offsets[annotations + 1])
    pairs = np.repeat(np.arange(len(annotations)), np.diff(offsets))
    starts, ends = table.starts[edits], table.ends[edits]
    if rule.agreement != "token":
        return Units(pairs, edits, starts, ends)
    ends = np.maximum(ends, starts + 1)  # an insertion is the token to its right
    tokens, offsets = runs(starts, ends)
    widths = np.diff(offsets)
    return Units(np.repeat(pairs, widths), np.repeat(edits, widths), tokens, tokens + 1)


def _same_span(proposed_units: Units, gold_units: Units) -> Integers:
    """Units of one pair with one span, rows of a proposed and a gold one."""
    (own_keys, keys) = _number_rows(
        [
            (proposed_units.pairs, proposed_units.starts, proposed_units.ends),
            (gold_units.pairs, gold_units.starts, gold_units.ends),
        ]
    )
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins, ends = np.searchsorted(keys, own_keys), np.searchsorted(keys, own_keys, side="right")
    places, _ = runs(begins, ends)
    return np.stack([np.repeat(np.arange(len(own_keys)), ends - begins), order[places]], axis=1)


def _number_rows(tables: Sequence[Sequence[Integers]]) -> list[Integers]:
    """Rows of several tables of the same columns as single numbers, the same where all columns are."""
    columns = [np.concatenate(column) for column in zip(*tables, strict=True)]
    keys = columns[0]
    for column in columns[1:]:
        base = int(column.max(initial=0)) + 2  # numbers are from -1 on
        if (int(keys.max(initial=0)) + 1) * base >= _LARGEST_KEY:
            keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
        keys = keys * base + column + 1
    return np.split(keys, np.cumsum([len(table[0]) for table in tables])[:-1])


def _same_texts(a: TextColumn, b: TextColumn) -> Bools:
    interner = _kernels.Interner()
    return np.asarray(interner.number(a.spans) == interner.number(b.spans))


def _same_corrections(
    gold: EditTable, proposed: EditTable, rule: MatchRule, own_edits: Integers, gold_edits: Integers
) -> Bools:
    if not rule.alternatives:
        ours, theirs = proposed.joined_corrections.take(own_edits), gold.joined_corrections.take(gold_edits)
        return _same_texts(ours, theirs) if rule.spaces else _same_texts(_without_spaces(ours), _without_spaces(theirs))
    alternatives, offsets = runs(gold.correction_offsets[gold_edits], gold.correction_offsets[gold_edits + 1])
    link = np.repeat(np.arange(len(own_edits)), np.diff(offsets))
    same = _same_texts(proposed.first_corrections.take(own_edits[link]), gold.corrections.take(alternatives))
    return np.bincount(link[same], minlength=len(own_edits)) > 0


def _without_spaces(texts: TextColumn) -> TextColumn:
    return TextColumn.of([text.replace(" ", "") for text in texts])


def _credit_links(links: Integers, pairs: Integers, rule: MatchRule) -> Integers:
    """Of the equal edits those that are credited with each other, where duplicates are not all of them."""
    choose = _CHOICES.get(rule.duplicates)
    if choose is None or not len(links):
        return links
    # Nearly always every edit equals one at most, and they come in the same order.
    follow = pairs[1:] == pairs[:-1]
    crossed = follow & ((links[1:, 0] == links[:-1, 0]) | (links[1:, 1] <= links[:-1, 1]))
    doubtful = np.isin(pairs, pairs[1:][crossed])
    if not doubtful.any():
        return links
    by_pair: dict[int, dict[int, list[int]]] = {}
    for pair, (ours, theirs) in zip(pairs[doubtful].tolist(), links[doubtful].tolist(), strict=True):
        by_pair.setdefault(pair, {}).setdefault(ours, []).append(theirs)
    chosen = [
        (ours, theirs)
        for equal in by_pair.values()
        for ours, credited in zip(equal, choose(list(equal.values())), strict=True)
        for theirs in credited
    ]
    credited = np.concatenate([links[~doubtful], np.array(chosen, dtype=np.int64).reshape(-1, 2)])
    return credited[np.lexsort(credited.T[::-1])]


def _in_order(equal: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each edit, in order, the equal gold edits behind the last that was credited."""
    pointer, credited = 0, []
    for candidates in equal:
        following = [g for g in candidates if g >= pointer]
        pointer = following[-1] + 1 if following else pointer
        credited.append(following)
    return credited


def _one_to_one(equal: Sequence[Sequence[int]]) -> list[list[int]]:
    """One gold edit for each edit at most, as many as can be: by augmenting paths, a free gold edit first."""
    owner: dict[int, int] = {}

    def place(edit: int, tried: set[int]) -> bool:
        for g in sorted(equal[edit], key=lambda g: (g in owner, g)):
            if g not in tried:
                tried.add(g)
                if g not in owner or place(owner[g], tried):
                    owner[g] = edit
                    return True
        return False

    for edit in range(len(equal)):
        place(edit, set())
    return [[g for g, e in owner.items() if e == edit] for edit in range(len(equal))]


_CHOICES: dict[Duplicates, Callable[[Sequence[Sequence[int]]], list[list[int]]]] = {
    "in-order": _in_order,
    "one-to-one": _one_to_one,
}


@dataclass(frozen=True, eq=False, repr=False)
class Matches:
    """Pairs of annotations, `own_annotations` of `proposed` and `gold_annotations` of `gold`, and which of their edits
    are the same: `links` has rows of a unit of `proposed_units` and one of `gold_units`, in their order.
    """

    gold: EditTable
    proposed: EditTable
    rule: MatchRule
    own_annotations: Integers
    gold_annotations: Integers
    proposed_units: Units
    gold_units: Units
    links: Integers

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.own_annotations)

    @cached_property
    def rows(self) -> Integers:
        """The proposed table's sentence of each pair."""
        return self.proposed.sentences[self.own_annotations]

    @property
    def places(self) -> Integers:
        """The place of each pair among those of its row."""
        return places_in_runs(self.rows)

    @cached_property
    def columns(self) -> tuple[tuple[str, ...], Integers]:
        """What pairs are called, in order, and which name each has: that of the gold's annotator, or both names where
        the row's hypothesis has several annotators.
        """
        ours, theirs = self.proposed.columns[self.own_annotations], self.gold.columns[self.gold_annotations]
        codes, size = theirs, len(self.gold.annotators)
        if not self.rule.by_annotator:
            several = np.bincount(self.proposed.sentences, minlength=1) > 1
            codes = theirs + np.where(several[self.rows], (ours + 1) * size, 0)
        distinct, codes = np.unique(codes, return_inverse=True)
        both = [divmod(code, size) for code in distinct.tolist()]
        named = [f"{self.proposed.annotators[a - 1]}:" * bool(a) + self.gold.annotators[b] for a, b in both]
        names = tuple(sorted(named, key=annotator_order))
        return names, np.array([names.index(name) for name in named], dtype=np.int64)[codes.reshape(-1)]

    @cached_property
    def counts(self) -> Integers:
        """True positives, proposed and gold edits of each pair, as the rule counts them."""
        outcomes, size = self.outcomes, len(self)
        tp, fp, fn = (np.bincount(outcomes.pairs[outcomes.kinds == kind], minlength=size) for kind in range(3))
        if self.rule.duplicates in ("in-order", "any"):  # MaxMatch's totals are the edits that there are
            return np.stack(
                [tp, *(np.bincount(side.pairs, minlength=size) for side in (self.proposed_units, self.gold_units))],
                axis=1,
            )
        return np.stack([tp, tp + fp, tp + fn], axis=1)

    @cached_property
    def outcomes(self) -> Outcomes:
        """What counts; an edit of the type `noop` counts for nothing, with all that equals it."""
        proposed_units, gold_units = self.proposed_units, self.gold_units
        right, is_matched = (
            np.bincount(self.links[:, side], minlength=len(of.pairs)) > 0
            for side, of in enumerate((proposed_units, gold_units))
        )
        counts_as_edit, first_proposed = self._counting(self.proposed, proposed_units)
        is_gold_edit, first_in_gold = self._counting(self.gold, gold_units)
        wrong, missed = (
            np.flatnonzero(~right & counts_as_edit & first_proposed),
            np.flatnonzero(~is_matched & is_gold_edit & first_in_gold),
        )
        if self.counts_own:
            hits = np.flatnonzero(right & counts_as_edit)
            hit_pairs, hit_edits, hit_order = proposed_units.pairs[hits], proposed_units.edits[hits], hits
        else:  # a gold edit counts at the first edit that equals it
            links = self.links[counts_as_edit[self.links[:, 0]] & first_in_gold[self.links[:, 1]]]
            hits, first = np.unique(links[:, 1], return_index=True)
            hit_pairs, hit_edits, hit_order = gold_units.pairs[hits], gold_units.edits[hits], links[first, 0]
        return Outcomes(
            np.concatenate([hit_pairs, proposed_units.pairs[wrong], gold_units.pairs[missed]]),
            np.repeat(np.arange(3), [len(hits), len(wrong), len(missed)]),
            np.concatenate([hit_edits, proposed_units.edits[wrong], gold_units.edits[missed]]),
            np.concatenate([hit_order, wrong, len(right) + missed]),
        )

    @property
    def counts_own(self) -> bool:
        """Whether a true positive is a proposed edit; else it is a gold edit that was found."""
        return self.rule.duplicates in ("each", "any")

    def _counting(self, table: EditTable, units: Units) -> tuple[Bools, Bools]:
        """Which units do not equal a `noop` that comes before them, and which count although an equal unit counts."""
        is_noop = _kernels.are_equal_to(table.types.take(units.edits).spans, NO_OP) != 0
        once = self.rule.duplicates == "once"
        all_of_them = np.ones(len(units.pairs), dtype=np.bool_)
        if not once and not is_noop.any():
            return all_of_them, all_of_them
        first = self._first_equals(table, units)
        return ~is_noop[first], first == np.arange(len(first)) if once else all_of_them

    def _first_equals(self, table: EditTable, units: Units) -> Integers:
        """For each unit the first one of its pair and side that is the same by the rule."""
        interner = _kernels.Interner()
        columns = [units.pairs, units.starts, units.ends]
        if self.rule.agreement in ("correction", "correction-and-type"):
            texts = table.joined_corrections.take(units.edits)
            texts = texts if self.rule.spaces else _without_spaces(texts)
            columns.append(interner.number(texts.spans).astype(np.int64))
        if self.rule.agreement == "correction-and-type":
            columns.append(interner.number(table.types.take(units.edits).spans).astype(np.int64))
        _, first, places = np.unique(_number_rows([columns])[0], return_index=True, return_inverse=True)
        return np.asarray(first[places.reshape(-1)])

    @cached_property
    def judged(self) -> JudgedEdits:
        """Every edit of every pair, tokens put together again."""
        proposed_edits, own_numbers = _edits_of_units(self.proposed_units)
        theirs, gold_numbers = _edits_of_units(self.gold_units)
        linked = np.bincount(self.links[:, 0], minlength=len(self.proposed_units.pairs)) > 0
        right = np.bincount(own_numbers[~linked], minlength=len(proposed_edits)) == 0
        links = np.stack([own_numbers[self.links[:, 0]], gold_numbers[self.links[:, 1]]], axis=1)
        links = links[right[links[:, 0]]]
        partners = np.full(len(proposed_edits), -1, dtype=np.int64)
        partners[links[::-1, 0]] = self.gold_units.edits[theirs][links[::-1, 1]]
        is_matched = np.bincount(links[:, 1], minlength=len(theirs)) > 0
        return JudgedEdits(
            self.proposed_units.pairs[proposed_edits],
            self.proposed_units.edits[proposed_edits],
            right,
            partners,
            self.gold_units.pairs[theirs],
            self.gold_units.edits[theirs],
            is_matched,
        )


def _edits_of_units(units: Units) -> tuple[Integers, Integers]:
    """The first unit of each edit of each pair, and the number of the edit that each unit is of."""
    new = np.ones(len(units.pairs), dtype=np.bool_)
    new[1:] = (units.pairs[1:] != units.pairs[:-1]) | (units.edits[1:] != units.edits[:-1])
    return np.flatnonzero(new), np.cumsum(new) - 1


class _Entries(NamedTuple):
    """Edits of a table, the pair that each is of, its cells (gold, found, proposed, correct), and its place."""

    table: EditTable
    edits: Integers
    pairs: Integers
    cells: Integers
    order: Integers


def types_of_outcomes(matches: Matches, first: int, columns: Sequence[str]) -> TypeTable:
    """What is right or missing under the gold's type, what is wrong under the hypothesis' own.

    `first` is the place of the first sentence in the corpus, `columns` are those of the counts.
    """
    pairs, kinds, edits, order = matches.outcomes
    cells = np.array([[1, 1, 1, 1], [0, 0, 1, 0], [1, 0, 0, 0]])[kinds]
    of_gold = kinds == 2 if matches.counts_own else kinds != 1
    sides = ((matches.proposed, ~of_gold), (matches.gold, of_gold))
    entries = [_Entries(table, edits[of], pairs[of], cells[of], order[of]) for table, of in sides]
    return _table(matches, entries, first, columns)


def types_of_gold(matches: Matches, of_system: Matches | None, first: int, columns: Sequence[str]) -> TypeTable:
    """The gold's edits and which were found, and those of `own`, where a system gave edits with types, and which of
    them are right. Other arguments as above; `own` has the same pairs.
    """
    edits = matches.judged
    cells = np.array([[1, 0, 0, 0], [1, 1, 0, 0]])[edits.found.astype(np.int64)]
    entries = [_Entries(matches.gold, edits.gold_edits, edits.gold_pairs, cells, np.arange(len(cells)))]
    if of_system is not None:
        edits = of_system.judged
        right = np.array([[0, 0, 1, 0], [0, 0, 1, 1]])[edits.right.astype(np.int64)]
        entries.append(
            _Entries(of_system.proposed, edits.own_edits, edits.own_pairs, right, len(cells) + np.arange(len(right)))
        )
    return _table(matches, entries, first, columns)


def _table(matches: Matches, entries: Sequence[_Entries], first: int, columns: Sequence[str]) -> TypeTable:
    interner = _kernels.Interner()
    types = np.concatenate([interner.number(e.table.types.take(e.edits).spans) for e in entries])
    pairs, cells, order = (np.concatenate([e[field] for e in entries]) for field in (2, 3, 4))
    listed = np.lexsort((order, pairs))
    names, of_pair = matches.columns
    number = {name: column for column, name in enumerate(columns)}
    column = np.array([number[name] for name in names], dtype=np.int64)[of_pair]
    pairs = pairs[listed]
    return TypeTable.sum_up(interner.texts(), matches.rows[pairs] + first, column[pairs], types[listed], cells[listed])
