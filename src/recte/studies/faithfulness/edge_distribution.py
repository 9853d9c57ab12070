"""DISTSIM: whether source and correction have as many units of a kind (Sulem et al. 2015; Choshen and Abend, 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from recte.errors import check_choice
from recte.studies.faithfulness.graph import Passage

__all__ = ["COUNTINGS", "PARTICIPANTS_AND_ADVERBIALS", "SCENES", "Counting", "DistSim", "distsim"]

Counting = Literal["each", "together"]
COUNTINGS: tuple[Counting, ...] = get_args(Counting)
PARTICIPANTS_AND_ADVERBIALS = ("A", "D")
SCENES = ("H",)


@dataclass(frozen=True)
class DistSim:
    """`similarity` as computed for the paper, from 0 to 1; `distance` as printed there, a difference of counts.

    >>> DistSim(0.9, 2).to_dict()
    {'similarity': 0.9, 'distance': 2}
    """

    similarity: float
    distance: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def distsim(
    source: Passage,
    corrected: Passage,
    categories: Collection[str],
    *,
    min_terminals: int = 2,
    counting: Counting = "each",
) -> DistSim:
    """How alike the numbers of units of these categories are.

    The similarity is 2·Σ min(c, d) / Σ (c + d) over units of at least `min_terminals` words; the distance is
    Σ |c - d| over all units, to be averaged over passages. By `each`, c and d are the numbers of one category, by
    `together` those of all of them (Sulem et al. 2015).

    >>> from recte.studies.faithfulness.graph import Edge, Terminal, Unit
    >>> words = tuple(map(Terminal, "the cat the dog".split()))
    >>> units = Unit("1.1"), Unit("1.2", (0, 1)), Unit("1.3", (2, 3))
    >>> source = Passage("s", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("A",))))
    >>> corrected = Passage("c", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("D",))))
    >>> distsim(source, corrected, ["A", "D"])
    DistSim(similarity=0.5, distance=2)
    >>> distsim(source, corrected, ["A", "D"], counting="together")
    DistSim(similarity=1.0, distance=0)
    """
    check_choice("counting", counting, COUNTINGS)
    name_of = {category: "all" if counting == "together" else category for category in categories}
    ours, theirs = (_numbers(passage, name_of, min_terminals) for passage in (source, corrected))
    total = (ours + theirs).total()
    all_ours, all_theirs = (_numbers(passage, name_of, 0) for passage in (source, corrected))
    distance = sum(abs(all_ours[name] - all_theirs[name]) for name in set(name_of.values()))
    return DistSim(2 * (ours & theirs).total() / total if total else 1.0, distance)


def _numbers(passage: Passage, name_of: Mapping[str, str], min_terminals: int) -> Counter[str]:
    sizes = passage.yields.sum(axis=1)
    return Counter(
        name_of[category]
        for edge in passage.edges
        if not edge.remote and sizes[edge.child] >= min_terminals
        for category in edge.categories
        if category in name_of
    )
