"""Judgments: which of two systems' corrections of a sentence a judge preferred, or neither."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isqrt
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError, check_choice

__all__ = ["UNITS", "Judgments", "Preference", "RankedGroup", "Ranking", "pair_index", "system_count"]

UNITS = ("pairs", "rankings", "sentences")


class RankedGroup(NamedTuple):
    """Systems with the same output, and the rank a judge gave it; lower is better."""

    systems: tuple[str, ...]
    rank: int


class Ranking(NamedTuple):
    """One judge's ranking of the outputs for one sentence, which has a number, or a text that it is called by.

    `document` is where documents number theirs apart.
    """

    sentence: int | str
    judge: str
    groups: tuple[RankedGroup, ...]
    document: str = ""


class Preference(NamedTuple):
    """One comparison: `outcome` is 1 where the first system is better, 0 for a tie, -1 where the second is.

    `sentence` is its number, or a text that it is called by: an id, or the sentence itself.
    `representative` is false where another system with the same output stands for one of the two in the unexpanded set.
    `ranks` are those a judge gave the two in a ranking, lower is better; (0, 0) where there was none.

    >>> Preference(sentence=7, judge="ann", first="heron", second="wren", outcome=1, ranking=0).outcome
    1
    """

    sentence: int | str
    judge: str
    first: str
    second: str
    outcome: int
    ranking: int
    document: str = ""
    representative: bool = True
    ranks: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Judgments:
    """Pairwise judgments as columns, a row a comparison.

    `systems` and `judges` are in order of their names; `first` and `second` say which systems were compared, the first
    always before the second in that order, and `outcome` is 1 where the first is better, 0 for a tie, -1 where the
    second is. `ranks` holds the ranks of both in a judge's ranking, zeros where the file gives pairs alone. `sentence`
    is the number in the file, `first_sentence` the number its first sentence has there (None where the file does not
    say); where the file calls sentences by texts, it is a place in `sentence_names`. Where documents number their
    sentences apart, `document` says which of `documents` it is in. So nothing depends on the order in which a file
    names systems.

    >>> judgments = Judgments.from_preferences([Preference(1, "ann", "wren", "heron", -1, 0)])
    >>> judgments.systems, judgments.outcome.tolist()
    (('heron', 'wren'), [1])
    """

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]
    sentence: NDArray[np.int64]
    judge: NDArray[np.int64]
    ranking: NDArray[np.int64]
    documents: tuple[str, ...]
    document: NDArray[np.int64]
    representative: NDArray[np.bool_]
    ranks: NDArray[np.int64]
    first_sentence: int | None = None
    name: str = ""
    sentence_names: tuple[str, ...] = ()

    @classmethod
    def from_preferences(
        cls, preferences: Iterable[Preference], *, first_sentence: int | None = None, name: str = ""
    ) -> Judgments:
        """From single comparisons."""
        listed = list(preferences)
        if not listed:
            raise InputError("expected at least one comparison of two systems, got none", name or None)
        systems = sorted({system for p in listed for system in (p.first, p.second)})
        judges = sorted({p.judge for p in listed})
        documents = sorted({p.document for p in listed})
        number = {system: i for i, system in enumerate(systems)}
        judge_number = {judge: i for i, judge in enumerate(judges)}
        called = any(isinstance(p.sentence, str) for p in listed)
        place = {name: i for i, name in enumerate(dict.fromkeys(str(p.sentence) for p in listed))} if called else {}
        table = np.array(
            [
                (
                    *(number[p.first], number[p.second], p.outcome, place[str(p.sentence)] if called else p.sentence),
                    *(judge_number[p.judge], p.ranking, *p.ranks),
                )
                for p in listed
            ],
            dtype=np.int64,
        )
        turned = table[:, 0] > table[:, 1]
        table[turned, :3] = np.stack([table[turned, 1], table[turned, 0], -table[turned, 2]], axis=1)
        table[turned, 6:] = table[turned, 7:5:-1]
        same = np.flatnonzero(table[:, 0] == table[:, 1])
        if same.size:
            raise InputError(f"expected two systems in each comparison, got {listed[same[0]].first!r} twice")
        first, second, outcome, sentence, judge, ranking, first_rank, second_rank = table.T.copy()
        return cls(
            systems=tuple(systems),
            judges=tuple(judges),
            first=first,
            second=second,
            outcome=outcome,
            sentence=sentence,
            judge=judge,
            ranking=ranking,
            documents=tuple(documents),
            document=np.array([documents.index(p.document) for p in listed], dtype=np.int64),
            representative=np.array([p.representative for p in listed], dtype=np.bool_),
            ranks=np.stack([first_rank, second_rank], axis=1),
            first_sentence=None if called else first_sentence,
            name=name,
            sentence_names=tuple(place),
        )

    @classmethod
    def from_rankings(
        cls,
        rankings: Iterable[Ranking],
        *,
        expand: bool = True,
        seed: int = 0,
        first_sentence: int | None = None,
        name: str = "",
    ) -> Judgments:
        """All pairs of the systems in each ranking; without `expand`, of one system a group.

        That one is the first of its group in an order of all systems drawn for each sentence, so that judges of
        a sentence are compared on the same pairs, and no system is preferred over the corpus.
        """
        listed = list(rankings)
        systems = sorted({s for ranking in listed for group in ranking.groups for s in group.systems})
        representatives = _Representatives(systems, seed)
        preferences = (p for number, r in enumerate(listed) for p in _preferences(r, number, representatives(r)))
        expanded = cls.from_preferences(preferences, first_sentence=first_sentence, name=name)
        return expanded if expand else expanded.unexpanded()

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def ties(self) -> int:
        return int((self.outcome == 0).sum())

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """The numbers of all judged sentences, in order; of one document after another."""
        return tuple(np.unique(np.stack([self.document, self.sentence]), axis=1)[1].tolist())

    @cached_property
    def sentence_groups(self) -> NDArray[np.int64]:
        """Which of the judged sentences (0, 1, …) each comparison is of."""
        places = np.stack([self.document, self.sentence])
        return np.unique(places, axis=1, return_inverse=True)[1].reshape(-1)

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """Each comparison's place in a table of pairs of systems by outcome (second better, tie, first better)."""
        return pair_index(self.first, self.second, len(self.systems)) * 3 + self.outcome + 1

    def table(self) -> NDArray[np.int64]:
        """How often each pair of systems (0 1, 0 2, …) was judged each way: second better, tie, first better."""
        return np.bincount(self.cell, minlength=self.cell_count).reshape(-1, 3)

    @property
    def cell_count(self) -> int:
        return len(self.systems) * (len(self.systems) - 1) // 2 * 3

    def groups(self, unit: str) -> NDArray[np.int64]:
        """Which group (0, 1, …) each comparison belongs to, for resampling by `unit`."""
        check_choice("resample", unit, UNITS)
        if unit == "pairs":
            return np.arange(len(self))
        if unit == "sentences":
            return self.sentence_groups
        return np.unique(self.ranking, return_inverse=True)[1].reshape(-1)

    def select(self, kept: NDArray[np.bool_]) -> Judgments:
        """The comparisons where `kept` is true, with the systems and judges that occur in them."""
        preferences = (p for p, keep in zip(self.preferences(), kept, strict=True) if keep)
        return Judgments.from_preferences(preferences, first_sentence=self.first_sentence, name=self.name)

    def unexpanded(self) -> Judgments:
        """The comparisons of one system of each group with the same output."""
        return self if self.representative.all() else self.select(self.representative)

    def without(self, systems: Collection[str]) -> Judgments:
        """The comparisons in which none of the systems takes part."""
        for system in systems:
            if system not in self.systems:
                raise OptionError(f"without: expected some of the systems {', '.join(self.systems)}, got {system!r}")
        left_out = [i for i, system in enumerate(self.systems) if system in systems]
        if not left_out:
            return self
        return self.select(~(np.isin(self.first, left_out) | np.isin(self.second, left_out)))

    def on_sentences(self, ids: Sequence[int | str]) -> Judgments:
        """The judgments of a corpus: `ids` holds the number or text by which the file calls each of its sentences.

        Sentences are then numbered from 0 in the order of `ids`; an error where a judged one is not among them.
        """
        place: dict[int | str, int] = {id_: i for i, id_ in enumerate(ids)}
        absent = [id_ for id_ in self.called if id_ not in place]
        if absent:
            more = f" ({len(absent) - 1} more)" if len(absent) > 1 else ""
            raise InputError(
                f"expected every judged sentence among the {len(place)} ids, "
                f"got none for sentence {str(absent[0])[:60]}{more}",
                self.name or None,
            )
        return self.on_places({n: place[id_] for n, id_ in zip(self.sentences, self.called, strict=True)})

    def on_places(self, places: Mapping[int, int]) -> Judgments:
        """The judgments of a corpus: `places` has the place of each `sentence` in it, from 0; others are left out."""
        sentence = np.array([places.get(number, -1) for number in self.sentence.tolist()], dtype=np.int64)
        moved = replace(self, sentence=sentence, first_sentence=0, sentence_names=())
        return moved if (sentence >= 0).all() else moved.select(sentence >= 0)

    def in_subset(self, ids: Sequence[str]) -> Judgments:
        """The judgments of a judged subset that `ids` names in the words of the file; numbers in it count from 1.

        The file may count from 0.
        """
        if self.sentence_names:
            return self.on_sentences(ids)
        wrong = next((id_ for id_ in ids if not re.fullmatch("[0-9]{1,18}", id_)), None)
        if wrong is not None:
            raise InputError(
                f"expected numbers as ids, since the judgments have numbers, got {wrong[:40]!r}", self.name or None
            )
        numbers = [int(id_) for id_ in ids]
        shifts = (0, 1) if self.first_sentence is None else (1 - self.first_sentence,)
        judged = set(self.sentences)
        fitting = next((shift for shift in shifts if {n + shift for n in judged} <= set(numbers)), shifts[0])
        return self.on_sentences([number - fitting for number in numbers])

    @property
    def called(self) -> tuple[int | str, ...]:
        """What the file calls the judged sentences, in the order of `sentences`: numbers, or texts."""
        return tuple(self.sentence_names[i] for i in self.sentences) if self.sentence_names else self.sentences

    def numbered_from(self, first_sentence: int) -> Judgments:
        """The same judgments, the first sentence of the corpus having this number."""
        return replace(self, first_sentence=first_sentence)

    def preferences(self) -> Iterator[Preference]:
        """The comparisons one by one."""
        columns = (self.sentence, self.judge, self.first, self.second, self.outcome, self.ranking, self.document)
        more = self.representative.tolist(), map(tuple, self.ranks.tolist())
        rows = zip(*(column.tolist() for column in columns), *more, strict=True)
        for number, judge, first, second, outcome, ranking, document, representative, ranks in rows:
            sentence = self.sentence_names[number] if self.sentence_names else number
            names = self.judges[judge], self.systems[first], self.systems[second]
            yield Preference(sentence, *names, outcome, ranking, self.documents[document], representative, ranks)


def pair_index(first: NDArray[np.int64], second: NDArray[np.int64], systems: int) -> NDArray[np.int64]:
    """The place of each pair, first before second, in the order 0 1, 0 2, …, 1 2, …

    >>> pair_index(np.array([0, 1]), np.array([2, 2]), 3).tolist()
    [1, 2]
    """
    return first * (2 * systems - first - 1) // 2 + second - first - 1


def system_count(pairs: int) -> int:
    """How many systems make this many pairs.

    >>> system_count(78)
    13
    """
    return (1 + isqrt(1 + 8 * pairs)) // 2


class _Representatives:
    """The system taken of each group of a ranking."""

    def __init__(self, systems: Sequence[str], seed: int) -> None:
        self.systems, self.seed = systems, seed
        self._order: dict[tuple[str, int | str], dict[str, int]] = {}

    def __call__(self, ranking: Ranking) -> set[str]:
        place = ranking.document, ranking.sentence
        order = self._order.get(place)
        if order is None:
            of_document = [crc32(ranking.document.encode())] if ranking.document else []
            called = ranking.sentence
            number = crc32(called.encode()) if isinstance(called, str) else abs(called)
            drawn = np.random.default_rng([self.seed, number, *of_document])
            order = dict(zip(self.systems, drawn.permutation(len(self.systems)).tolist(), strict=True))
            self._order[place] = order
        return {min(group.systems, key=order.__getitem__) for group in ranking.groups}


def _preferences(ranking: Ranking, number: int, representatives: set[str]) -> Iterator[Preference]:
    ranked = [(system, group.rank, system in representatives) for group in ranking.groups for system in group.systems]
    for (first, first_rank, first_flag), (second, second_rank, other) in combinations(ranked, 2):
        outcome = (first_rank < second_rank) - (first_rank > second_rank)
        yield Preference(
            *(ranking.sentence, ranking.judge, first, second, outcome, number, ranking.document, first_flag and other),
            ranks=(first_rank, second_rank),
        )
