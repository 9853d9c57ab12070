"""A passage annotated with UCCA: words, units above them, and edges that say which part a unit plays in another.

When two categories are the same: to the letter, or by the weak equivalence that agreement is counted with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, check_choice

__all__ = ["LABELS", "LINKAGE", "PUNCTUATION", "Edge", "Labels", "Passage", "Terminal", "Unit", "comparable"]

Labels = Literal["weak", "strict"]
LABELS: tuple[Labels, ...] = get_args(Labels)
# Process or State, Scene or Center, Connector or Linker, Function or Relator: distinguished late in the annotation.
_WEAK = {"S": "P", "C": "H", "L": "N", "R": "F"}


def comparable(categories: Iterable[str], labels: Labels) -> frozenset[str]:
    """The categories, such that those that count as the same are equal.

    >>> comparable({"S"}, "weak") == comparable({"P"}, "weak"), comparable({"S"}, "strict")
    (True, frozenset({'S'}))
    """
    check_choice("labels", labels, LABELS)
    return frozenset(_WEAK.get(c, c) for c in categories) if labels == "weak" else frozenset(categories)


LINKAGE = frozenset({"LA", "LR"})  # edges of linkage units: they join Scenes, and are no part of the foundational layer
PUNCTUATION = "U"
_MOST_CELLS = 100_000_000


@dataclass(frozen=True, slots=True)
class Terminal:
    """A word or a punctuation mark.

    >>> Terminal("home").punctuation
    False
    """

    text: str
    punctuation: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A node above the words; `terminals` are the places of the words directly below it.

    >>> Unit("1.2", terminals=(0,)).implicit
    False
    """

    id: str
    terminals: tuple[int, ...] = ()
    implicit: bool = False
    linkage: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """The unit `child` is part of the unit `parent` (places in the passage), in the role of its categories.

    >>> Edge(0, 1, ("A",), remote=True).categories
    ('A',)
    """

    parent: int
    child: int
    categories: tuple[str, ...]
    remote: bool = False

    @property
    def links(self) -> bool:
        """Whether this is an edge of a linkage unit."""
        return not LINKAGE.isdisjoint(self.categories)


@dataclass(frozen=True)
class Passage:
    """A directed acyclic graph over the words of a text; the first unit is the root.

    Every word has to be below the root, no unit below itself, and every reference has to lead somewhere. Remote edges
    may form a cycle, since no unit has its words from them.

    >>> words = Terminal("He"), Terminal("left"), Terminal(".", punctuation=True)
    >>> units = Unit("1.1", (2,)), Unit("1.2"), Unit("1.3", (0,)), Unit("1.4", (1,))
    >>> edges = Edge(0, 1, ("H",)), Edge(1, 2, ("A",)), Edge(1, 3, ("P",))
    >>> passage = Passage("1", words, units, edges)
    >>> [passage.text_of(unit) for unit in range(4)]
    ['He left .', 'He left', 'He', 'left']
    """

    id: str
    terminals: tuple[Terminal, ...]
    units: tuple[Unit, ...]
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        if not self.terminals:
            raise InputError(f"passage {self.id}: expected at least one terminal, got none")
        if not self.units:
            raise InputError(f"passage {self.id}: expected at least one unit above the terminals, got none")
        if len(self.terminals) * len(self.units) > _MOST_CELLS:
            raise InputError(
                f"passage {self.id}: {len(self.units)} units over {len(self.terminals)} terminals are too much"
            )
        for unit in self.units:
            for terminal in unit.terminals:
                if not 0 <= terminal < len(self.terminals):
                    raise InputError(f"passage {self.id}: unit {unit.id} has a terminal that is not there: {terminal}")
        for edge in self.edges:
            if not (0 <= edge.parent < len(self.units) and 0 <= edge.child < len(self.units)):
                raise InputError(f"passage {self.id}: expected edges between its {len(self.units)} units, got {edge}")
        self._refuse_cycles()
        missing = [place for place in range(len(self.terminals)) if not self.yields[0, place]]
        if missing:
            raise InputError(
                f"passage {self.id}: expected every terminal below the root {self.units[0].id}, "
                f"got none above {self.terminals[missing[0]].text!r}, terminal {missing[0] + 1} ({len(missing)} in all)"
            )

    def _refuse_cycles(self) -> None:
        below = [[edge.child for edge in edges if not edge.remote] for edges in self.edges_below]
        finished = [False] * len(self.units)
        for start in range(len(self.units)):
            path, on_path = [(start, iter(below[start]))], {start}
            while path:  # depth first, without recursion: a parse may be deep
                unit, children = path[-1]
                child = next((c for c in children if not finished[c]), None)
                if child is None:
                    finished[unit] = True
                    on_path.discard(unit)
                    path.pop()
                elif child in on_path:
                    names = [self.units[u].id for u, _ in path]
                    circle = [*names[names.index(self.units[child].id) :], self.units[child].id]
                    raise InputError(f"passage {self.id}: expected no cycle, got {' → '.join(circle)}")
                else:
                    path.append((child, iter(below[child])))
                    on_path.add(child)

    @cached_property
    def yields(self) -> NDArray[np.bool_]:
        """Which terminals (columns) each unit (rows) reaches by edges that are not remote."""
        reached = np.zeros((len(self.units), len(self.terminals)), dtype=np.bool_)
        for place, unit in enumerate(self.units):
            reached[place, list(unit.terminals)] = True
        for parent in self._children_first():
            for edge in self.edges_below[parent]:
                if not edge.remote:
                    reached[parent] |= reached[edge.child]
        return reached

    def _children_first(self) -> Iterator[int]:
        waiting = [sum(not edge.remote for edge in below) for below in self.edges_below]
        ready = [unit for unit, count in enumerate(waiting) if not count]
        while ready:
            unit = ready.pop()
            yield unit
            for edge in self.edges_above[unit]:
                if not edge.remote:
                    waiting[edge.parent] -= 1
                    if not waiting[edge.parent]:
                        ready.append(edge.parent)

    @cached_property
    def edges_below(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges to each unit's parts."""
        below: list[list[Edge]] = [[] for _ in self.units]
        for edge in self.edges:
            below[edge.parent].append(edge)
        return tuple(map(tuple, below))

    @cached_property
    def edges_above(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges from the units that each unit is part of."""
        above: list[list[Edge]] = [[] for _ in self.units]
        for edge in self.edges:
            above[edge.child].append(edge)
        return tuple(map(tuple, above))

    @cached_property
    def categories(self) -> tuple[frozenset[str], ...]:
        """The roles that each unit plays anywhere, linkage aside."""
        return tuple(
            frozenset(category for edge in above if not edge.links for category in edge.categories)
            for above in self.edges_above
        )

    @cached_property
    def is_punctuation(self) -> NDArray[np.bool_]:
        """Which terminals are punctuation marks."""
        return np.array([terminal.punctuation for terminal in self.terminals], dtype=np.bool_)

    def text_of(self, unit: int) -> str:
        """The words of a unit, in the order of the text.

        >>> Passage("1", (Terminal("Yes"),), (Unit("1.1", (0,)),), ()).text_of(0)
        'Yes'
        """
        return " ".join(self.terminals[place].text for place in self.yields[unit].nonzero()[0])
