"""UCCASIM: how much of the source's structure a correction keeps (Choshen and Abend, section 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError
from recte.studies.faithfulness.edge_f_score import MatchCounts
from recte.studies.faithfulness.graph import PUNCTUATION, Labels, Passage, comparable
from recte.studies.faithfulness.leaf_alignment import Behaviour, align_leaves

__all__ = ["UccaSim", "match_units", "uccasim"]

_MOST_PAIRS = 9_000_000  # of units, 400 MB; an essay of a thousand words has a million
_MOST_WORK = 10**11  # pairs of units times words, some seconds


@dataclass(frozen=True)
class UccaSim:
    """The similarity of two graphs in both directions; `corrected` is the candidate of its counts.

    `official` has one pair of counts: the recall of the source's units is one direction, the precision of the
    correction's the other, F the score. `paper` has an F in each direction, and their mean is the score.

    >>> UccaSim("official", (MatchCounts(3, 4, 1, 2),)).source_to_corrected
    0.5
    """

    behaviour: str
    counts: tuple[MatchCounts, ...]

    @property
    def source_to_corrected(self) -> float:
        return self.counts[0].recall if self.behaviour == "official" else self.counts[0].f

    @property
    def corrected_to_source(self) -> float:
        return self.counts[0].precision if self.behaviour == "official" else self.counts[1].f

    @property
    def score(self) -> float:
        if self.behaviour == "official":
            return self.counts[0].f
        return (self.source_to_corrected + self.corrected_to_source) / 2

    def to_dict(self) -> dict[str, Any]:
        """Scores and counts as plain numbers."""
        return {
            "source_to_corrected": self.source_to_corrected,
            "corrected_to_source": self.corrected_to_source,
            "score": self.score,
            "counts": [counts.to_dict() for counts in self.counts],
        }


def uccasim(
    source: Passage,
    corrected: Passage,
    *,
    behaviour: Behaviour = "official",
    labels: Labels = "weak",
    min_terminals: int = 2,
) -> UccaSim:
    """The similarity of the graphs of a source and of its correction.

    `official` compares units of at least `min_terminals` words, each with the unit that it shares most words with for
    the size of both; `paper` compares edges, and aligns by equation 9, which knows no least size.

    >>> from recte.studies.faithfulness.graph import Edge, Terminal, Unit
    >>> units = Unit("1.1"), Unit("1.2", (0, 1)), Unit("1.3", (2,))
    >>> edges = Edge(0, 1, ("A",)), Edge(0, 2, ("P",))
    >>> source = Passage("s", tuple(map(Terminal, "An boy sing".split())), units, edges)
    >>> corrected = Passage("c", tuple(map(Terminal, "A boy sings".split())), units, edges)
    >>> uccasim(source, corrected).score, uccasim(source, corrected, behaviour="paper").score
    (1.0, 1.0)
    """
    if min_terminals < 1:
        raise OptionError(f"min_terminals: expected at least 1, got {min_terminals}")
    _check_size(source, corrected)
    leaves = align_leaves(source, corrected, behaviour=behaviour)
    if behaviour == "official":
        first, backed = match_units(source, corrected, leaves, labels=labels, min_terminals=min_terminals)
        counts = MatchCounts(
            int((backed > 0).sum()), int((backed >= 0).sum()), int((first > 0).sum()), int((first >= 0).sum())
        )
        return UccaSim(behaviour, (counts,))
    forward, backward = (
        _edges_matched(source, corrected, leaves, labels),
        _edges_matched(corrected, source, leaves.T, labels),
    )
    return UccaSim(behaviour, (MatchCounts(*forward[1], *forward[0]), MatchCounts(*backward[0], *backward[1])))


def _check_size(source: Passage, corrected: Passage) -> None:
    """Every unit is compared with every other: refuse what would fill the memory."""
    pairs = len(source.units) * len(corrected.units)
    if pairs > _MOST_PAIRS or pairs * min(len(source.terminals), len(corrected.terminals)) > _MOST_WORK:
        raise InputError(
            f"passages {source.id} and {corrected.id}: expected at most {_MOST_PAIRS:,} pairs of units to compare, and "
            f"{_MOST_WORK:,} of pairs and words, got {len(source.units):,} by {len(corrected.units):,} units over "
            f"{len(source.terminals):,} and {len(corrected.terminals):,} words; split the passages"
        )


def match_units(
    source: Passage, corrected: Passage, leaves: NDArray[np.bool_], *, labels: Labels = "weak", min_terminals: int = 2
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Of each unit of the source and of the correction: 1 if its best partner has a label of its own, 0 if not, and
    -1 if it is not compared (the root, linkage, punctuation, too few words).
    """
    units, other = (_units_to_compare(passage, min_terminals) for passage in (source, corrected))
    ours, theirs = source.yields[units], corrected.yields[other]
    sizes = ours.sum(axis=1)[:, None] + theirs.sum(axis=1)[None, :]
    dice = 2 * _overlap(ours, leaves, theirs) / sizes  # not equation 9: as released
    same = _labels_meet(source, corrected, labels)[np.ix_(units, other)]
    verdicts = tuple(np.full(len(passage.units), -1, dtype=np.int8) for passage in (source, corrected))
    verdicts[0][units], verdicts[1][other] = _best_agrees(dice, same), _best_agrees(dice.T, same.T)
    return verdicts[0], verdicts[1]


def _units_to_compare(passage: Passage, min_terminals: int) -> NDArray[np.intp]:
    sizes = passage.yields.sum(axis=1)
    return np.array(
        [
            place
            for place, (unit, categories) in enumerate(zip(passage.units, passage.categories, strict=True))
            if place and not unit.linkage and categories != {PUNCTUATION} and sizes[place] >= min_terminals
        ],
        dtype=np.intp,
    )


def _best_agrees(similarity: NDArray[np.float64], same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each row, whether a label agrees with that of one of its most similar columns."""
    best = similarity.max(axis=1, initial=0.0)
    agrees = ((similarity == best[:, None]) & same).any(axis=1) & (best > 0)
    return np.asarray(agrees)


def _overlap(ours: NDArray[np.bool_], leaves: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How many aligned pairs of leaves each unit has in common with each unit of the other side."""
    places, partners = leaves.nonzero()
    # Single precision holds these counts exactly, and multiplies twice as fast.
    common = ours[:, places].astype(np.float32) @ theirs[:, partners].T.astype(np.float32)
    return common.astype(np.float64)


def _labels_meet(first: Passage, other: Passage, labels: Labels) -> NDArray[np.bool_]:
    ours, theirs = ([comparable(c, labels) for c in passage.categories] for passage in (first, other))
    return _meet(ours, theirs)


def _meet(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> NDArray[np.bool_]:
    """Which sets of categories (rows) have one in common with which others (columns)."""
    column_of = {category: c for c, category in enumerate(sorted(frozenset().union(*ours, *theirs)))}
    has = [np.zeros((len(sets), len(column_of)), dtype=np.float32) for sets in (ours, theirs)]
    for marks, sets in zip(has, (ours, theirs), strict=True):
        for row, categories in enumerate(sets):
            marks[row, [column_of[category] for category in categories]] = 1
    return np.asarray(has[0] @ has[1].T > 0)


def _edges_matched(
    first: Passage, other: Passage, leaves: NDArray[np.bool_], labels: Labels
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Matched edges and all edges of both graphs, where the units of `one` are aligned by equation 9."""
    ours, theirs = (passage.yields & ~passage.is_punctuation for passage in (first, other))
    overlap = _overlap(ours, leaves, theirs)
    weight = overlap / theirs.sum(axis=1).clip(1)[None, :]
    # Equation 9 is 1 for every unit inside v's partners, down to single words. Among such ties we take the units with
    # most words in common. Where several are left, v is aligned with each of them: any choice of one would depend on
    # the order of units in the file.
    aligned = (weight == weight.max(axis=1, initial=0.0)[:, None]) & (weight > 0)
    aligned &= overlap == np.where(aligned, overlap, 0.0).max(axis=1, initial=0.0)[:, None]
    edges, others = _edges_to_compare(first, labels), _edges_to_compare(other, labels)
    children, other_children = ([child for child, _ in of_graph] for of_graph in (edges, others))
    matched = _meet([labels_of for _, labels_of in edges], [labels_of for _, labels_of in others])
    matched &= aligned[np.ix_(children, other_children)]
    return (int(matched.any(axis=1).sum()), len(edges)), (int(matched.any(axis=0).sum()), len(others))


def _edges_to_compare(passage: Passage, labels: Labels) -> list[tuple[int, frozenset[str]]]:
    sizes = (passage.yields & ~passage.is_punctuation).sum(axis=1)
    return [
        (edge.child, comparable(set(edge.categories) - {PUNCTUATION}, labels))
        for edge in passage.edges
        if not edge.links and sizes[edge.child] and set(edge.categories) != {PUNCTUATION}
    ]
