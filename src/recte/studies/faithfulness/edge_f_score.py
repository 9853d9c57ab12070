"""DAG F-score: how far two annotations of the same text agree (Choshen and Abend, section 4.3).

Precision, recall and their harmonic mean from counts of what matched.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from recte.errors import InputError, check_choice
from recte.studies.faithfulness.graph import PUNCTUATION, Labels, Passage, comparable

__all__ = ["COUNTED", "Counted", "DagFScore", "MatchCounts", "dag_f_score"]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """What matched of a candidate graph and of its reference; counts of several passages add up.

    >>> counts = MatchCounts(3, 4, 3, 6) + MatchCounts(0, 0, 0, 0)
    >>> counts.precision, counts.recall, round(counts.f, 9)
    (0.75, 0.5, 0.6)
    """

    matched_candidate: int
    candidate: int
    matched_reference: int
    reference: int

    def __add__(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts(
            self.matched_candidate + other.matched_candidate,
            self.candidate + other.candidate,
            self.matched_reference + other.matched_reference,
            self.reference + other.reference,
        )

    @property
    def precision(self) -> float:
        """The share of the candidate that matches; 1 where there is nothing to match."""
        return self.matched_candidate / self.candidate if self.candidate else 1.0

    @property
    def recall(self) -> float:
        """The share of the reference that matches; 1 where there is nothing to match."""
        return self.matched_reference / self.reference if self.reference else 1.0

    @property
    def f(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Counts and fractions as plain numbers."""
        return {
            "matched_candidate": self.matched_candidate,
            "candidate": self.candidate,
            "matched_reference": self.matched_reference,
            "reference": self.reference,
            "precision": self.precision,
            "recall": self.recall,
            "f": self.f,
        }


Counted = Literal["units", "edges"]
COUNTED: tuple[Counted, ...] = get_args(Counted)


@dataclass(frozen=True)
class DagFScore:
    """Agreement of two annotations, labelled and unlabelled; primary and remote apart, and their sum.

    >>> nothing = MatchCounts(0, 0, 0, 0)
    >>> DagFScore(MatchCounts(2, 3, 2, 2), nothing, nothing, nothing).labelled.recall
    1.0
    """

    primary: MatchCounts
    remote: MatchCounts
    primary_unlabelled: MatchCounts
    remote_unlabelled: MatchCounts

    @property
    def labelled(self) -> MatchCounts:
        return self.primary + self.remote

    @property
    def unlabelled(self) -> MatchCounts:
        return self.primary_unlabelled + self.remote_unlabelled

    def to_dict(self) -> dict[str, Any]:
        """Counts and fractions as plain numbers, the sums first."""
        return {
            "labelled": self.labelled.to_dict(),
            "unlabelled": self.unlabelled.to_dict(),
            "primary": self.primary.to_dict(),
            "remote": self.remote.to_dict(),
            "primary_unlabelled": self.primary_unlabelled.to_dict(),
            "remote_unlabelled": self.remote_unlabelled.to_dict(),
        }

    def __add__(self, other: DagFScore) -> DagFScore:
        return DagFScore(
            self.primary + other.primary,
            self.remote + other.remote,
            self.primary_unlabelled + other.primary_unlabelled,
            self.remote_unlabelled + other.remote_unlabelled,
        )


def dag_f_score(first: Passage, second: Passage, *, labels: Labels = "weak", counted: Counted = "units") -> DagFScore:
    """The agreement of two annotations over the same words.

    `units` counts as published: words alone, one unit for each yield and kind of edge with all its labels, a match
    where the labels meet. `edges` is the definition as printed: every edge by itself, punctuation and all. Implicit
    units have no yield, and no part in either.

    >>> from recte.studies.faithfulness.graph import Edge, Terminal, Unit
    >>> words = Terminal("He"), Terminal("left")
    >>> units = Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", (1,))
    >>> one = Passage("1", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("P",))))
    >>> other = Passage("1", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("S",))))
    >>> dag_f_score(one, other).labelled.f, dag_f_score(one, other, labels="strict").labelled.f
    (1.0, 0.5)
    """
    check_choice("counted", counted, COUNTED)
    _refuse_other_words(first, second)
    ours, theirs = (_yields_with_labels(passage, labels, counted) for passage in (first, second))
    kinds = []
    for keep_labels in (True, False):
        for remote in (False, True):
            a, b = ([entry for entry in entries if entry[0] == remote] for entries in (ours, theirs))
            kinds.append(
                MatchCounts(_count_matches(a, b, keep_labels), len(a), _count_matches(b, a, keep_labels), len(b))
            )
    return DagFScore(*kinds)


_Entry = tuple[bool, Hashable, frozenset[str]]


def _yields_with_labels(passage: Passage, labels: Labels, counted: Counted) -> list[_Entry]:
    words = passage.yields if counted == "edges" else passage.yields & ~passage.is_punctuation
    sizes = words.sum(axis=1)
    entries: list[_Entry] = []
    for edge in passage.edges:
        categories = set(edge.categories) - ({PUNCTUATION} if counted == "units" else set())
        if not edge.links and categories and sizes[edge.child]:
            entries.append((edge.remote, words[edge.child].tobytes(), comparable(categories, labels)))
    if counted == "edges":
        return entries
    merged: dict[tuple[bool, Hashable], frozenset[str]] = {}
    for remote, of_edge, categories_ in entries:
        merged[remote, of_edge] = merged.get((remote, of_edge), frozenset()) | categories_
    return [(remote, of_unit, categories_) for (remote, of_unit), categories_ in merged.items()]


def _count_matches(entries: Iterable[_Entry], others: Iterable[_Entry], keep_labels: bool) -> int:
    """How many of the entries have one among the others with their yield, and a label of theirs."""
    known: dict[Hashable, frozenset[str]] = {}
    for _, of_other, categories in others:
        known[of_other] = known.get(of_other, frozenset()) | categories
    return sum(
        of_entry in known and (not keep_labels or not categories.isdisjoint(known[of_entry]))
        for _, of_entry, categories in entries
    )


def _refuse_other_words(first: Passage, second: Passage) -> None:
    if len(first.terminals) != len(second.terminals):
        raise InputError(
            f"passages {first.id} and {second.id}: expected two annotations of the same words, "
            f"got {len(first.terminals)} and {len(second.terminals)} of them"
        )
    for place, (terminal, other) in enumerate(zip(first.terminals, second.terminals, strict=True), 1):
        if terminal.text != other.text:
            raise InputError(
                f"passages {first.id} and {second.id}: expected two annotations of the same words, "
                f"got {terminal.text!r} and {other.text!r} at terminal {place}"
            )
