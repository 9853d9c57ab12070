"""A corpus of passages: each pair's figures, and their averages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from operator import add
from statistics import fmean
from typing import Any

import numpy as np

from recte.errors import InputError
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.studies.faithfulness.edge_distribution import (
    PARTICIPANTS_AND_ADVERBIALS,
    SCENES,
    Counting,
    DistSim,
    distsim,
)
from recte.studies.faithfulness.edge_f_score import Counted, DagFScore, dag_f_score
from recte.studies.faithfulness.graph import Labels, Passage
from recte.studies.faithfulness.leaf_alignment import Behaviour
from recte.studies.faithfulness.unit_similarity import UccaSim, uccasim

__all__ = [
    "FEWEST",
    "AnnotatorAgreement",
    "Faithfulness",
    "FaithfulnessAverage",
    "PassageAgreement",
    "PassageFaithfulness",
    "score_agreement",
    "score_faithfulness",
]

FEWEST = 10  # passages for an interval
_RESAMPLES, _LEVEL, _SEED = 1000, 0.95, 12345


@dataclass(frozen=True)
class PassageFaithfulness:
    """How far one correction keeps the meaning of its source."""

    name: str
    group: str
    uccasim: UccaSim
    participants_and_adverbials: DistSim
    scenes: DistSim

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "group": self.group,
            "uccasim": self.uccasim.to_dict(),
            "participants_and_adverbials": self.participants_and_adverbials.to_dict(),
            "scenes": self.scenes.to_dict(),
        }


@dataclass(frozen=True)
class FaithfulnessAverage:
    """The mean over passages, each counting once; `distance` figures are the printed DISTSIM.

    `interval` is that of `score`, from resampled passages; None with fewer than ten.
    """

    group: str
    passages: int
    source_to_corrected: float
    corrected_to_source: float
    score: float
    participants_and_adverbials: float
    scenes: float
    participants_and_adverbials_distance: float
    scenes_distance: float
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Faithfulness:
    """Passages in the order given, the averages of their groups, and the average of all."""

    behaviour: str
    labels: str
    min_terminals: int
    passages: tuple[PassageFaithfulness, ...]
    distsim: Counting = "each"

    @property
    def average(self) -> FaithfulnessAverage:
        return _average("", self.passages)

    @property
    def groups(self) -> tuple[FaithfulnessAverage, ...]:
        """An average for each group, where passages have one."""
        names = dict.fromkeys(row.group for row in self.passages if row.group)
        return tuple(_average(name, [row for row in self.passages if row.group == name]) for name in names)

    @property
    def signature(self) -> str:
        """What the figures depend on; of the draws only where there are enough passages for an interval."""
        signature = Signature.of(
            "faithfulness",
            behaviour=self.behaviour,
            labels=self.labels,
            min_terminals=self.min_terminals,
            passages=len(self.passages),
        )
        if self.distsim != "each":
            signature = signature.add(distsim=self.distsim)
        if len(self.passages) >= FEWEST:
            signature = signature.add(resamples=_RESAMPLES, level=_LEVEL, seed=_SEED)
        return str(signature)

    def to_dict(self) -> dict[str, Any]:
        return {
            "behaviour": self.behaviour,
            "labels": self.labels,
            "min_terminals": self.min_terminals,
            "distsim": self.distsim,
            "passages": [row.to_dict() for row in self.passages],
            "groups": [average.to_dict() for average in self.groups],
            "average": self.average.to_dict(),
            "signature": self.signature,
        }


def _average(group: str, rows: Sequence[PassageFaithfulness]) -> FaithfulnessAverage:
    return FaithfulnessAverage(
        group,
        len(rows),
        fmean(row.uccasim.source_to_corrected for row in rows),
        fmean(row.uccasim.corrected_to_source for row in rows),
        fmean(row.uccasim.score for row in rows),
        fmean(row.participants_and_adverbials.similarity for row in rows),
        fmean(row.scenes.similarity for row in rows),
        fmean(row.participants_and_adverbials.distance for row in rows),
        fmean(row.scenes.distance for row in rows),
        interval=_interval([row.uccasim.score for row in rows]),
    )


def _interval(scores: Sequence[float]) -> Interval | None:
    if len(scores) < FEWEST:
        return None
    weights = bootstrap_weights(len(scores), _RESAMPLES, _SEED)
    interval = percentile_interval(weights @ np.asarray(scores) / len(scores), _LEVEL, seed=_SEED)
    return replace(interval, resamples=_RESAMPLES, unit="passages")


def score_faithfulness(
    pairs: Iterable[tuple[str, Passage, Passage, str]],
    *,
    behaviour: Behaviour = "official",
    labels: Labels = "weak",
    min_terminals: int = 2,
    distsim_counting: Counting = "each",
) -> Faithfulness:
    """UCCASIM and DISTSIM of pairs of a name, a source, its correction and a group (which may be empty).

    `distsim_counting` is `counting` of `distsim`.

    >>> from recte.studies.faithfulness.graph import Edge, Terminal, Unit
    >>> units = Unit("1.1"), Unit("1.2", (0, 1)), Unit("1.3", (2,))
    >>> edges = Edge(0, 1, ("A",)), Edge(0, 2, ("P",))
    >>> source = Passage("s", tuple(map(Terminal, "An boy sing".split())), units, edges)
    >>> corrected = Passage("c", tuple(map(Terminal, "A boy sings".split())), units, edges)
    >>> score_faithfulness([("boy", source, corrected, "")]).average.score
    1.0
    """
    rows = tuple(
        PassageFaithfulness(
            name,
            group,
            uccasim(source, corrected, behaviour=behaviour, labels=labels, min_terminals=min_terminals),
            *(
                distsim(source, corrected, kind, min_terminals=min_terminals, counting=distsim_counting)
                for kind in (PARTICIPANTS_AND_ADVERBIALS, SCENES)
            ),
        )
        for name, source, corrected, group in pairs
    )
    if not rows:
        raise InputError("expected at least one pair of passages, got none")
    return Faithfulness(behaviour, labels, min_terminals, rows, distsim_counting)


@dataclass(frozen=True)
class PassageAgreement:
    """How far two annotators of one text agree, by the DAG F-score and, as the paper also does, by UCCASIM."""

    name: str
    group: str
    dag: DagFScore
    uccasim: UccaSim

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "group": self.group, **self.dag.to_dict(), "uccasim": self.uccasim.to_dict()}


@dataclass(frozen=True)
class AnnotatorAgreement:
    """Passages in the order given; counts are summed over them (micro-average), UCCASIM is averaged."""

    labels: str
    counted: str
    behaviour: str
    passages: tuple[PassageAgreement, ...]

    @property
    def total(self) -> DagFScore:
        return self.total_of(self.passages)

    @property
    def groups(self) -> dict[str, tuple[PassageAgreement, ...]]:
        """The passages of each group, where they have one."""
        names = dict.fromkeys(row.group for row in self.passages if row.group)
        return {name: tuple(row for row in self.passages if row.group == name) for name in names}

    @staticmethod
    def total_of(rows: Sequence[PassageAgreement]) -> DagFScore:
        return reduce(add, (row.dag for row in rows))

    def to_dict(self) -> dict[str, Any]:
        return {
            "labels": self.labels,
            "counted": self.counted,
            "behaviour": self.behaviour,
            "passages": [row.to_dict() for row in self.passages],
            "groups": {name: self.total_of(rows).to_dict() for name, rows in self.groups.items()},
            "total": {**self.total.to_dict(), "uccasim": fmean(row.uccasim.score for row in self.passages)},
        }


def score_agreement(
    pairs: Iterable[tuple[str, Passage, Passage, str]],
    *,
    labels: Labels = "weak",
    counted: Counted = "units",
    behaviour: Behaviour = "official",
    min_terminals: int = 2,
) -> AnnotatorAgreement:
    """The agreement of pairs of a name, one annotation, another of the same words, and a group (which may be empty).

    >>> from recte.studies.faithfulness.graph import Edge, Terminal, Unit
    >>> units = Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", (1,))
    >>> words = Terminal("He"), Terminal("left")
    >>> one = Passage("1", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("P",))))
    >>> other = Passage("1", words, units, (Edge(0, 1, ("A",)), Edge(0, 2, ("D",))))
    >>> score_agreement([("1", one, other, "")]).total.labelled.f
    0.5
    """
    rows = tuple(
        PassageAgreement(
            name,
            group,
            dag_f_score(passage, other, labels=labels, counted=counted),
            uccasim(other, passage, behaviour=behaviour, labels=labels, min_terminals=min_terminals),
        )
        for name, passage, other, group in pairs
    )
    if not rows:
        raise InputError("expected at least one pair of annotations, got none")
    return AnnotatorAgreement(labels, counted, behaviour, rows)
