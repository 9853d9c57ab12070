"""Matches by error type: for every sentence, annotator and type how many edits there are, and how many are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from recte import _kernels
from recte.corpus.counts import TypeTable
from recte.corpus.edit_table import EditTable
from recte.corpus.vocabulary import Integers
from recte.edits.matching import Matches

__all__ = ["types_of_gold", "types_of_outcomes"]


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


def types_of_gold(matches: Matches, own: Matches | None, first: int, columns: Sequence[str]) -> TypeTable:
    """The gold's edits and which were found, and those of `own`, where a system gave edits with types, and which of
    them are right. Other arguments as above; `own` has the same pairs.
    """
    edits = matches.judged
    found = np.array([[1, 0, 0, 0], [1, 1, 0, 0]])[edits.found.astype(np.int64)]
    entries = [_Entries(matches.gold, edits.gold_edits, edits.gold_pairs, found, np.arange(len(found)))]
    if own is not None:
        edits = own.judged
        right = np.array([[0, 0, 1, 0], [0, 0, 1, 1]])[edits.right.astype(np.int64)]
        entries.append(
            _Entries(own.proposed, edits.own_edits, edits.own_pairs, right, len(found) + np.arange(len(right)))
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
    return TypeTable.summed(interner.texts(), matches.rows[pairs] + first, column[pairs], types[listed], cells[listed])
