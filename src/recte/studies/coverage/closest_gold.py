"""References that follow the output: each system on corrections of its own output, and on the fixed references.

A *closest gold* is a correction that somebody made of a system's output, not of the source (Rozovskaya and Roth 2021).
A fixed set of references is unfair only where the shift between the two differs from system to system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.edits.references import annotators_of
from recte.errors import InputError
from recte.metrics.base import Metric
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.statistics.permutation import two_sided_p

__all__ = ["ClosestGoldStudy", "JudgedOrder", "ShiftDifference", "SystemShift", "TurnedPair", "closest_gold_study"]

_FEWEST = 10
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SystemShift:
    """A system's score on fixed references, on its own closest gold, and on both together; `shift` is own less fixed.

    `precision` and `recall` are the shifts of these, None where the metric has none: a closest gold raises precision
    nearly by construction.
    """

    system: str
    fixed: float
    own: float
    both: float
    shift: float
    interval: Interval | None
    precision: float | None
    recall: float | None


@dataclass(frozen=True)
class ShiftDifference:
    """How much more the first system gains by its closest gold than the second; p is two-sided."""

    first: str
    second: str
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True)
class TurnedPair:
    """Two systems whose order turns; `share` of the resamples turn it too."""

    better_on_fixed: str
    better_on_own: str
    share: float | None


@dataclass(frozen=True)
class JudgedOrder:
    """Kendall's τ-b of a judge's order of systems, who looks at no references, with a metric's on each of them.

    None where one side does not tell systems apart.
    """

    judge: str
    fixed: float | None
    own: float | None
    both: float | None


@dataclass(frozen=True)
class ClosestGoldStudy:
    """One metric on references that follow the output. `kendall` compares the two orders of systems (τ-b), `judged`
    each of them with those of judges.

    >>> gold = Corpus.from_references(["He go home ."], [["He went home ."]])
    >>> study = closest_gold_study(gold, {"mine": ["He goes home ."]}, {"mine": ["He goes home ."]})
    >>> study.systems[0].shift
    1.0
    """

    metric: str
    systems: tuple[SystemShift, ...]
    differences: tuple[ShiftDifference, ...]
    kendall: float | None
    turned: tuple[TurnedPair, ...]
    signature: str
    judged: tuple[JudgedOrder, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def closest_gold_study(
    gold: Corpus,
    systems: Mapping[str, Sequence[str]],
    closest: Mapping[str, Sequence[str]],
    *,
    metric: Metric | None = None,
    judges: Sequence[Metric] = (),
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
) -> ClosestGoldStudy:
    """Score every system on `gold` and on the corrections `closest` of its own output (texts by system's name).

    Intervals resample sentences, the same for both scores and all systems; with fewer than ten sentences there are
    none. The score on both takes fixed references as texts and the closest gold with them. `metric` is MaxMatch by
    default; `judges` look at no references, and say which order of systems is nearer to theirs.
    Own references are not comparable across systems as fixed ones are: an untouched output sees an ordinary
    reference, and one that leaves more errors gets more edits in its gold.

    >>> gold = Corpus.from_references(["He go ."] * 12, [["He went ."] * 12])
    >>> outputs = {"a": ["He goes ."] * 12, "b": ["He went ."] * 12}
    >>> closest_gold_study(gold, outputs, outputs, resamples=50).turned
    ()
    """
    from recte.metrics.maxmatch import MaxMatch

    metric = metric or MaxMatch()
    _check(gold, systems, closest)
    sources = [sentence.text for sentence in gold]
    fixed_texts = [annotator.outputs for annotator in annotators_of(gold)]
    sign = 1.0 if metric.higher_is_better else -1.0
    enough = len(gold) >= _FEWEST
    weights = bootstrap_weights(len(gold), resamples, seed) if enough else np.zeros((0, len(gold)), dtype=np.int32)
    shifts: list[SystemShift] = []
    drawn_fixed, drawn_own = [], []
    scorer = metric.prepare_with(gold, {name: System(name, tuple(texts)) for name, texts in systems.items()})
    signature = ""
    own_data = blake2b(digest_size=4)
    for name, outputs in systems.items():
        system = System(name, tuple(outputs))
        own_gold = Corpus.from_references(sources, [list(closest[name])], name=f"{name}-closest")
        own_data.update(own_gold.fingerprint.to_bytes(4, "big"))
        both_gold = Corpus.from_references(sources, [*map(list, fixed_texts), list(closest[name])], name="both")
        fixed, of_own_gold = scorer.count(system), metric.prepare_with(own_gold, {name: system}).count(system)
        both = metric.prepare_with(both_gold, {name: system}).count(system)
        scores = [metric.score_counts(counts) for counts in (fixed, of_own_gold, both)]
        signature = signature or scores[0].signature
        moved = None
        if enough:
            drawn_fixed.append(metric.score_many(fixed, weights))
            drawn_own.append(metric.score_many(of_own_gold, weights))
            moved = _interval(drawn_own[-1] - drawn_fixed[-1], level, resamples, seed)
        figures = [metric.precision_recall(score) for score in scores[:2]]
        known = None if figures[0] is None or figures[1] is None else (figures[0], figures[1])
        shifts.append(
            SystemShift(
                system=name,
                fixed=scores[0].score,
                own=scores[1].score,
                both=scores[2].score,
                shift=scores[1].score - scores[0].score,
                interval=moved,
                precision=None if known is None else known[1].precision - known[0].precision,
                recall=None if known is None else known[1].recall - known[0].recall,
            )
        )
    pairs = list(combinations(range(len(shifts)), 2))
    return ClosestGoldStudy(
        metric=metric.name,
        systems=tuple(shifts),
        differences=tuple(
            _difference(
                *(shifts[i], shifts[j], drawn_own[i] - drawn_fixed[i] - drawn_own[j] + drawn_fixed[j]),
                *(level, resamples, seed),
            )
            for i, j in pairs
            if enough
        ),
        kendall=_kendall([s.fixed for s in shifts], [s.own for s in shifts]),
        turned=tuple(
            _describe_turn(shifts[i], shifts[j], sign, [drawn_fixed[i] - drawn_fixed[j], drawn_own[i] - drawn_own[j]])
            if enough
            else _describe_turn(shifts[i], shifts[j], sign, None)
            for i, j in pairs
            if (shifts[i].fixed - shifts[j].fixed) * (shifts[i].own - shifts[j].own) < 0
        ),
        signature=str(
            Signature.of("closest-gold", *Signature.parse(signature).parts, closest=own_data.hexdigest()).add(
                resamples=resamples, level=level, seed=seed
            )
        ),
        judged=tuple(_judge_orders(judge, gold, systems, shifts, sign) for judge in judges),
    )


def _judge_orders(
    judge: Metric, gold: Corpus, systems: Mapping[str, Sequence[str]], shifts: Sequence[SystemShift], sign: float
) -> JudgedOrder:
    all_of_them = {name: System(name, tuple(outputs)) for name, outputs in systems.items()}
    scorer = judge.prepare_with(gold, all_of_them)
    sign *= 1.0 if judge.higher_is_better else -1.0
    counts = [scorer.count(all_of_them[shift.system]) for shift in shifts]
    judge.all_counted()
    judged = [sign * judge.score_counts(of_system).score for of_system in counts]
    orders = ([getattr(shift, which) for shift in shifts] for which in ("fixed", "own", "both"))
    return JudgedOrder(judge.name, *(_kendall(scores, judged) for scores in orders))


def _check(gold: Corpus, systems: Mapping[str, Sequence[str]], closest: Mapping[str, Sequence[str]]) -> None:
    if not systems:
        raise InputError("closest gold: expected systems to score, got none")
    for name, outputs in systems.items():
        if name not in closest:
            raise InputError(f"closest gold: expected corrections of the output of every system, got none of {name}")
        for what, texts in (("outputs", outputs), ("corrections of its output", closest[name])):
            if len(texts) != len(gold):
                raise InputError(f"{name}: expected {len(gold)} {what}, one for each source, got {len(texts)}")


def _interval(values: Floats, level: float, resamples: int, seed: int) -> Interval:
    return replace(percentile_interval(values, level, seed=seed), resamples=resamples, unit="sentences")


def _difference(
    a: SystemShift, b: SystemShift, drawn: Floats, level: float, resamples: int, seed: int
) -> ShiftDifference:
    p = two_sided_p(drawn)
    return ShiftDifference(a.system, b.system, a.shift - b.shift, _interval(drawn, level, resamples, seed), p)


def _describe_turn(a: SystemShift, b: SystemShift, sign: float, drawn: Sequence[Floats] | None) -> TurnedPair:
    first, second = (a, b) if sign * (a.fixed - b.fixed) > 0 else (b, a)
    share = None if drawn is None else float((np.sign(drawn[0]) * np.sign(drawn[1]) < 0).mean())
    return TurnedPair(first.system, second.system, share)


def _kendall(fixed: Sequence[float], of_own_gold: Sequence[float]) -> float | None:
    """τ-b of the two orders; None where one side does not tell systems apart."""
    places = list(combinations(range(len(fixed)), 2))
    a = np.array([np.sign(fixed[i] - fixed[j]) for i, j in places])
    b = np.array([np.sign(of_own_gold[i] - of_own_gold[j]) for i, j in places])
    bottom = float(np.sqrt(np.abs(a).sum() * np.abs(b).sum()))
    return float((a * b).sum() / bottom) if bottom else None
