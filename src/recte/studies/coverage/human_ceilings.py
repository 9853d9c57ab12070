"""The human ceiling: what people score against other people, by number of references (Bryant and Ng 2015).

Each annotator in turn is the system, scored against every choice of so many of the others; the mean is what a system
that works like a person can expect. A system is scored against every choice of so many annotators, and compared with
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import comb
from typing import Any

import numpy as np

from recte.corpus.corpus import Annotation, Corpus, Sentence, System
from recte.corpus.counts import Counts
from recte.edits.references import annotators_of
from recte.errors import InputError, OptionError
from recte.metrics.maxmatch import MaxMatch

__all__ = ["Ceiling", "CeilingStudy", "SystemCurve", "ceilings", "joined"]


@dataclass(frozen=True)
class Ceiling:
    """With so many references: the mean, the lowest and the highest of the annotators' mean scores."""

    references: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class SystemCurve:
    """A system's mean score with 1, 2, … references, and its ratio to the human ceiling."""

    system: str
    scores: tuple[float, ...]
    ratios: tuple[float, ...]


@dataclass(frozen=True)
class CeilingStudy:
    """Human ceilings with 1, 2, … references, each annotator's own curve, and the systems.

    Only sentences that every annotator saw are compared: `sentence_count` of them, `left_out` are the others.

    >>> gold = Corpus.from_references(["He go ."], [["He goes ."], ["He goes ."], ["He went ."]])
    >>> study = ceilings(gold, [System("mine", ("He goes .",))])
    >>> [round(c.score, 2) for c in study.ceilings], [round(s, 2) for s in study.systems[0].scores]
    ([0.33, 0.67], [0.67, 1.0, 1.0])
    """

    beta: float
    sentence_count: int
    left_out: int
    ceilings: tuple[Ceiling, ...]
    annotators: tuple[SystemCurve, ...]
    systems: tuple[SystemCurve, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and text."""
        return asdict(self)


def joined(corpora: Sequence[Corpus]) -> Corpus:
    """Corpora of the same sources as one, annotators renamed by corpus where several have one of a name.

    >>> one = Corpus.from_references(["He go ."], [["He goes ."]], name="A1")
    >>> two = Corpus.from_references(["He go ."], [["He went ."]], name="A2")
    >>> from recte.extraction.reference_edits import with_edits
    >>> joined([Corpus(tuple(with_edits(c.sentences)), c.name) for c in (one, two)]).annotators
    ('A1', 'A2')
    """
    first = corpora[0]
    for other in corpora[1:]:
        if len(other) != len(first):
            raise InputError(f"{other.name}: expected {len(first)} sentences as in {first.name}, got {len(other)}")
        wrong = next((i for i in range(len(first)) if other[i].tokens != first[i].tokens), None)
        if wrong is not None:
            raise InputError(f"{other.name}: expected the sources of {first.name}, got another as sentence {wrong + 1}")
    if len(corpora) == 1:
        return first
    called = [corpus.name for corpus in corpora]
    twice = next((name for name in called if called.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"expected files of different names, which name the annotators, got {twice!r} twice")
    names = [
        {a: corpus.name if len(corpus.annotators) == 1 else f"{corpus.name}:{a}" for a in corpus.annotators}
        for corpus in corpora
    ]
    return replace(
        first,
        sentences=tuple(
            replace(
                first[i],
                annotations=tuple(
                    Annotation(of_corpus[a.annotator], a.edits)
                    for corpus, of_corpus in zip(corpora, names, strict=True)
                    for a in corpus[i].annotations
                ),
                lines=(),
            )
            for i in range(len(first))
        ),
    )


def ceilings(
    gold: Corpus,
    systems: Sequence[System] = (),
    *,
    beta: float = 0.5,
    behaviour: str = "official",
    most_choices: int = 300,
) -> CeilingStudy:
    """What annotators score against the others, and systems, by MaxMatch.

    >>> gold = Corpus.from_references(["He go ."], [["He goes ."], ["He goes ."]])
    >>> ceilings(gold).ceilings[0].score
    1.0

    Where there are more than `most_choices` ways to choose so many references, that many are taken, evenly spread.
    """
    metric = MaxMatch.from_options({"beta": beta, "behaviour": behaviour})
    if len(gold.annotators) < 2:
        raise InputError(f"ceilings: expected two annotators or more, got {len(gold.annotators)}")
    if most_choices < 1:
        raise OptionError(f"most_choices: expected at least 1, got {most_choices}")
    gold = replace(gold, sentences=tuple(_mark_correct(s, gold.annotators) for s in gold))
    seen = [i for i, s in enumerate(gold) if len(s.annotations or s.references) == len(gold.annotators)]
    if not seen:
        raise InputError("ceilings: expected sentences that every annotator annotated, got none")
    for system in systems:
        if len(system.outputs) != len(gold):
            raise InputError(f"{system.name}: expected {len(gold)} sentences, one a source, got {len(system.outputs)}")
    everything, gold = gold, replace(gold, sentences=tuple(gold[i] for i in seen))
    scorer = metric.prepare(gold)
    everyone = range(len(gold.annotators))
    people = [
        _curve(metric, scorer.count(person), [c for c in everyone if c != number], most_choices)
        for number, person in enumerate(annotators_of(gold))
    ]
    means = np.mean(people, axis=0)
    of_choices = tuple(
        Ceiling(m + 1, float(means[m]), min(p[m] for p in people), max(p[m] for p in people)) for m in range(len(means))
    )

    def compare(name: str, scores: Sequence[float]) -> SystemCurve:
        ratios = tuple(s / c.score if c.score else 0.0 for s, c in zip(scores, of_choices, strict=False))
        return SystemCurve(name, tuple(scores), ratios)

    return CeilingStudy(
        beta=beta,
        sentence_count=len(seen),
        left_out=len(everything) - len(seen),
        ceilings=of_choices,
        annotators=tuple(compare(name, curve) for name, curve in zip(gold.annotators, people, strict=True)),
        systems=tuple(
            compare(
                system.name,
                _curve(metric, scorer.count([system.outputs[i] for i in seen]), list(everyone), most_choices),
            )
            for system in systems
        ),
    )


def _mark_correct(sentence: Sentence, annotators: Sequence[str]) -> Sentence:
    """Where a file has no line of anybody, everybody found the sentence correct."""
    if not sentence.annotations or not sentence.annotations[0].implied:
        return sentence
    return replace(sentence, annotations=tuple(Annotation(a) for a in annotators), lines=())


def _curve(metric: MaxMatch, counts: Counts, columns: Sequence[int], most_choices: int) -> list[float]:
    """The mean score against 1, 2, … of the columns."""
    curve = []
    for number in range(1, len(columns) + 1):
        there_are = comb(len(columns), number)
        taken = min(there_are, most_choices)
        ranks = [i * (there_are - 1) // max(taken - 1, 1) for i in range(taken)]
        scores = [_score(metric, counts, _choice(columns, number, rank)) for rank in ranks]
        curve.append(float(np.mean(scores)))
    return curve


def _choice(columns: Sequence[int], number: int, rank: int) -> list[int]:
    """The choice of so many columns that has this rank in alphabetic order; all of them may be too many to list."""
    chosen: list[int] = []
    for place, column in enumerate(columns):
        with_it = comb(len(columns) - place - 1, number - len(chosen) - 1) if len(chosen) < number else 0
        if rank < with_it:
            chosen.append(column)
        else:
            rank -= with_it
    return chosen


def _score(metric: MaxMatch, counts: Counts, columns: list[int]) -> float:
    chosen = replace(
        counts, rows=np.ascontiguousarray(counts.rows[:, columns]), columns=tuple(counts.columns[c] for c in columns)
    )
    return metric.score_counts(chosen).score
