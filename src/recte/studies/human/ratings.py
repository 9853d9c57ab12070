"""Ratings: what single raters think of single outputs, on a scale of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError, check_choice
from recte.statistics.agreement import icc, krippendorff_alpha, weighted_kappa
from recte.statistics.correlation import average_ranks
from recte.studies.human.protocols import RATER_SCALES

__all__ = ["RATER_SCALES", "RaterAgreement", "Rating", "Ratings", "rater_agreement"]

_LARGEST = 1e50
Floats = NDArray[np.float64]


class Rating(NamedTuple):
    """One rater's rating of one system's output for one sentence; higher is better.

    Sentences are numbered from 0, or called by a text: an id, or the sentence itself.

    >>> Rating(sentence=0, rater="ann", system="wren", rating=71.0).rating
    71.0
    """

    sentence: int | str
    rater: str
    system: str
    rating: float


@dataclass(frozen=True)
class Ratings:
    """Ratings as columns, one row per rating.

    `systems` and `raters` are in order of their names; `length` is the number of sentences in the corpus, rated or not.
    Where the file calls sentences by texts, `sentence` is a place in `sentence_names`. `by_line` says that the file
    names none, and has one line for each sentence, rated or not.

    >>> ratings = Ratings.of([Rating(0, "ann", "wren", 40.0), Rating(0, "bob", "wren", 60.0)])
    >>> ratings.table().tolist()
    [[50.0]]
    """

    systems: tuple[str, ...]
    raters: tuple[str, ...]
    length: int
    system: NDArray[np.int64]
    sentence: NDArray[np.int64]
    rater: NDArray[np.int64]
    rating: Floats
    name: str = ""
    sentence_names: tuple[str, ...] = ()
    by_line: bool = False

    @classmethod
    def of(cls, ratings: Iterable[Rating], *, length: int = 0, name: str = "", by_line: bool = False) -> Ratings:
        """From single ratings; `length` is needed where the last sentences of the corpus have none."""
        listed = list(ratings)
        if not listed:
            raise InputError("expected at least one rating, got none", name or None)
        called = any(isinstance(r.sentence, str) for r in listed)
        place = {key: i for i, key in enumerate(dict.fromkeys(str(r.sentence) for r in listed))} if called else {}
        numbers = [place[str(r.sentence)] if called else int(r.sentence) for r in listed]
        wrong = next((r for r, n in zip(listed, numbers, strict=True) if not abs(r.rating) <= _LARGEST or n < 0), None)
        if wrong is not None:
            raise InputError(f"expected finite ratings of sentences from 0, got {wrong}", name or None)
        systems = sorted({r.system for r in listed})
        raters = sorted({r.rater for r in listed})
        of_system = {system: i for i, system in enumerate(systems)}
        of_rater = {rater: i for i, rater in enumerate(raters)}
        sentence = np.array(numbers, dtype=np.int64)
        return cls(
            systems=tuple(systems),
            raters=tuple(raters),
            length=max(length, int(sentence.max()) + 1),
            system=np.array([of_system[r.system] for r in listed], dtype=np.int64),
            sentence=sentence,
            rater=np.array([of_rater[r.rater] for r in listed], dtype=np.int64),
            rating=np.array([r.rating for r in listed], dtype=np.float64),
            name=name,
            sentence_names=tuple(place),
            by_line=by_line,
        )

    def on_places(self, places: Mapping[int, int], length: int) -> Ratings:
        """The ratings of a corpus of that length: `places` has the place of each `sentence` in it; others are left out.

        >>> ratings = Ratings.of([Rating(7, "ann", "wren", 1.0), Rating(3, "ann", "wren", 2.0)])
        >>> ratings.on_places({3: 0}, 2).table().tolist()
        [[2.0, nan]]
        """
        placed = (
            rating._replace(sentence=places[number])
            for number, rating in zip(self.sentence.tolist(), self.ratings(), strict=True)
            if number in places
        )
        return Ratings.of(placed, length=length, name=self.name)

    def __len__(self) -> int:
        return len(self.rating)

    def normalised(self, how: str = "z") -> Ratings:
        """Each rater's ratings on a common scale.

        `z` is the distance from the mean of all ratings of that rater, in their deviation (divided by n); 0 where they
        are all equal. `rank` is the average rank among them, from 0 to 1. Raters who saw different systems are not made
        comparable by either: a rater of good systems has a high mean.
        """
        check_choice("rater_scale", how, RATER_SCALES)
        if how == "none":
            return self
        rating = np.empty(len(self))
        for rater in range(len(self.raters)):
            is_of_rater = self.rater == rater
            rating[is_of_rater] = _z(self.rating[is_of_rater]) if how == "z" else _ranks(self.rating[is_of_rater])
        return replace(self, rating=rating)

    def table(self) -> Floats:
        """The mean rating by system and sentence, over raters; NaN where nobody rated."""
        shape = len(self.systems), self.length
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, (self.system, self.sentence), self.rating)
        np.add.at(counts, (self.system, self.sentence), 1.0)
        means: Floats = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
        return means

    def by_rater(self) -> Floats:
        """One row per rater and one column per rated output; NaN where a rater has none, the mean of several."""
        unit = np.unique(self.system * self.length + self.sentence, return_inverse=True)[1].reshape(-1)
        shape = len(self.raters), int(unit.max()) + 1
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, (self.rater, unit), self.rating)
        np.add.at(counts, (self.rater, unit), 1.0)
        means: Floats = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
        return means

    def without(self, systems: Collection[str]) -> Ratings:
        """The ratings of the other systems."""
        for system in systems:
            if system not in self.systems:
                raise OptionError(f"without: expected some of the systems {', '.join(self.systems)}, got {system!r}")
        if not systems:
            return self
        remaining = (r for r in self.ratings() if r.system not in systems)
        return Ratings.of(remaining, length=self.length, name=self.name, by_line=self.by_line)

    def ratings(self) -> Iterable[Rating]:
        """The ratings one by one."""
        columns = (self.sentence, self.rater, self.system, self.rating)
        for number, rater, system, rating in zip(*(column.tolist() for column in columns), strict=True):
            sentence = self.sentence_names[number] if self.sentence_names else number
            yield Rating(sentence, self.raters[rater], self.systems[system], rating)


def _z(values: Floats) -> Floats:
    centred: Floats = values - values.mean()
    spread = float(np.sqrt((centred**2).mean()))
    # The mean of equal values can be a last digit off, which is no spread.
    return centred / spread if spread > 1e-12 * float(np.abs(values).max()) else np.zeros_like(values)


def _ranks(values: Floats) -> Floats:
    ranks: Floats = (average_ranks(values) - 0.5) / len(values)
    return ranks


@dataclass(frozen=True)
class RaterAgreement:
    """How far raters agree on ratings; each None where it is undefined or not enough was rated twice.

    `alpha` is Krippendorff's, by level; `kappa` is Cohen's, quadratically weighted, averaged over pairs of raters by
    the units they share; `icc` is ICC(A,1) over the units that everybody rated.

    >>> rated = [Rating(s, rater, "wren", float(s)) for s in range(3) for rater in ("ann", "bob")]
    >>> rater_agreement(Ratings.of(rated)).icc
    1.0
    """

    raters: int
    ratings: int
    units: int
    rated_twice: int
    nominal: float | None
    ordinal: float | None
    interval: float | None
    ratio: float | None
    kappa: float | None
    icc: float | None


def rater_agreement(ratings: Ratings) -> RaterAgreement:
    """Agreement of the raters over all outputs.

    >>> rater_agreement(Ratings.of([Rating(0, "ann", "wren", 1.0)])).interval is None
    True
    """
    table = ratings.by_rater()
    kappas, shared = [], []
    for a, b in combinations(table, 2):
        kappa = weighted_kappa(a, b)
        if kappa is not None:
            kappas.append(kappa)
            shared.append(int((~np.isnan(a) & ~np.isnan(b)).sum()))
    # A ratio needs a scale that starts at zero.
    levels = {
        level: None if level == "ratio" and (ratings.rating < 0).any() else krippendorff_alpha(table, level)
        for level in ("nominal", "ordinal", "interval", "ratio")
    }
    return RaterAgreement(
        raters=len(ratings.raters),
        ratings=len(ratings),
        units=table.shape[1],
        rated_twice=int(((~np.isnan(table)).sum(axis=0) > 1).sum()),
        **levels,
        kappa=float(np.average(kappas, weights=shared)) if kappas else None,
        icc=icc(table),
    )
