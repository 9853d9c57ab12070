"""Chinese sentences aligned and merged into edits by ChERRANT's rules, every equally cheap alignment included.

Aligning and merging are one kernel call over a whole corpus (`cpp/tied_alignment.cpp`, `cpp/move_merging.cpp`).
Alignments that tie are not walked one by one: those that differ only inside a run of changes are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.errors import InputError, TooLongError, check_choice
from recte.extraction.zh.choices import GRANULARITIES, TIES, Granularity, Ties
from recte.extraction.zh.tokens import MOVE_PUNCTUATION, ChineseToken, TokenTable
from recte.extraction.zh.word_lists import NO_LISTS, ChineseLists
from recte.threads import thread_count

__all__ = [
    "MOST_ALTERNATIVES",
    "AlignedEdit",
    "AlignedPairs",
    "align_chinese",
]

MOST_ALTERNATIVES = 1000
_OPERATIONS = "MTSID"
_LONGEST_TIE = 10  # sentences that differ by more tokens keep their first alignment alone
_MOST_CELLS = 16_000_000


class AlignedEdit(NamedTuple):
    """Source tokens from `start` to `end` become the target's from `target_start` to `target_end`.

    `operation` is S, I, D, or T for words that change places.
    """

    operation: str
    start: int
    end: int
    target_start: int
    target_end: int


@dataclass(frozen=True)
class AlignedPairs:
    """What the kernel found, pair by pair.

    `costs` are those of the cheapest alignments, `alignments` says how many there are (at most 2**63 - 1), and
    `cut_off` where there were more alternatives than `MOST_ALTERNATIVES`.
    """

    rows: NDArray[np.int32]
    edit_offsets: NDArray[np.int64]
    alternative_offsets: NDArray[np.int64]
    costs: NDArray[np.float64]
    alignments: NDArray[np.int64]
    cut_off: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.costs)

    def alternatives(self, pair: int) -> list[list[AlignedEdit]]:
        """The different edits that equally cheap alignments give, in the published order."""
        first, last = self.alternative_offsets[pair : pair + 2].tolist()
        offsets = self.edit_offsets[first : last + 1].tolist()
        rows = self.rows[offsets[0] : offsets[-1]].tolist()
        edits = [AlignedEdit(_OPERATIONS[operation], *spans) for operation, *spans in rows]
        return [edits[a - offsets[0] : b - offsets[0]] for a, b in pairwise(offsets)]


def align_chinese(
    sources: Sequence[Sequence[ChineseToken]],
    targets: Sequence[Sequence[ChineseToken]],
    *,
    granularity: Granularity = "characters",
    lists: ChineseLists = NO_LISTS,
    ties: Ties = "all",
) -> AlignedPairs:
    """Each source aligned with its target.

    `granularity` says which costs count, and whether neighbouring substitutions are joined; `ties` keeps every
    alignment that is as cheap as the first, or the first alone.

    >>> from recte.extraction.zh.tokens import character
    >>> found = align_chinese([[character(c) for c in "我喜换你"]], [[character(c) for c in "我很喜欢你"]])
    >>> [edit[:3] for edit in found.alternatives(0)[0]]
    [('I', 1, 1), ('S', 2, 3)]
    """
    check_choice("granularity", granularity, GRANULARITIES)
    check_choice("ties", ties, TIES)
    if len(sources) != len(targets):
        raise InputError(f"expected as many targets as the {len(sources)} sources, got {len(targets)}")
    for number, (source, target) in enumerate(zip(sources, targets, strict=True), 1):
        if (len(source) + 1) * (len(target) + 1) > _MOST_CELLS:
            what = f"{len(source)} by {len(target)} tokens are too many to align; split long lines"
            raise TooLongError(what, number)
    table = TokenTable()
    encoded_sources, encoded_targets = table.encode(sources), table.encode(targets)
    confused, confusions = lists.confusions
    rows, edit_offsets, alternative_offsets, costs, alignments, cut_off = _kernels.extract_tied_edits(
        encoded_sources,
        encoded_targets,
        table.describe(lists),
        confused,
        confusions,
        np.array([ord(sign) for sign in MOVE_PUNCTUATION], dtype=np.int32),
        GRANULARITIES.index(granularity),
        _LONGEST_TIE if ties == "all" else -1,
        MOST_ALTERNATIVES,
        thread_count(len(sources)),
    )
    return AlignedPairs(rows, edit_offsets, alternative_offsets, costs, alignments, cut_off.astype(np.bool_))
