"""Why a sentence was scored as it was: what each annotator wanted, what the system did, who was chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from errata.alignment.verdicts import JudgedEdit
from errata.corpus import System
from errata.errors import InputError
from errata.metrics.annotator_choice import precision_recall_f, sentence_f
from errata.metrics.counts import ABSENT
from errata.metrics.maxmatch import MaxMatchScorer

__all__ = ["AnnotatorView", "Explanation", "explain"]


@dataclass(frozen=True)
class AnnotatorView:
    """The sentence in the eyes of one annotator. `running` is F of all sentences so far with this choice."""

    annotator: str
    corrected: str
    edits: tuple[JudgedEdit, ...]
    tp: int
    proposed: int
    gold: int
    score: float
    running: float


@dataclass(frozen=True)
class Explanation:
    """One sentence of one system, explained."""

    number: int
    system: str
    title: str
    beta: float
    source: str
    hypothesis: str
    chosen: str
    reason: str
    annotators: tuple[AnnotatorView, ...]


def explain(scorer: MaxMatchScorer, hypotheses: System | Iterable[str], number: int) -> Explanation:
    """Explain sentence `number` (from 1). The whole system is needed, since the choice hangs on all sentences.

    >>> from errata import Corpus, Edit, MaxMatch
    >>> gold = Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))], [Edit(1, 2, ("went",))]]])
    >>> explain(MaxMatch().prepare(gold), ["He went ."], 1).chosen
    '1'
    """
    system = System.of(hypotheses)
    if not 1 <= number <= len(scorer.corpus):
        raise InputError(f"sentence: expected 1 to {len(scorer.corpus)}, got {number}")
    metric, place = scorer.metric, number - 1
    counts = scorer.count(system)
    chosen = metric.choose(counts.rows)
    picked = np.flatnonzero(chosen != ABSENT)
    totals = counts.rows[picked, chosen[picked]].astype(np.int64)
    before = totals[:place].sum(axis=0)
    alone = sentence_f(counts.rows[place], metric.beta)
    one = type(scorer)(metric, scorer.corpus[place : place + 1])
    judged = one.judged_edits(system.outputs[place : place + 1])[0]
    views = []
    for column, annotator in enumerate(counts.columns):
        if annotator not in judged:
            continue
        tp, proposed, gold = counts.rows[place, column].tolist()
        so_far = (before + counts.rows[place, column]).tolist()
        running = precision_recall_f(so_far[0], so_far[1], so_far[2], metric.beta)[2]
        corrected = one.sentences[0].corrected(annotator)
        views.append(
            AnnotatorView(annotator, corrected, judged[annotator], tp, proposed, gold, float(alone[column]), running)
        )
    winner = counts.columns[chosen[place]]
    return Explanation(
        number=number,
        system=system.name,
        title=metric.title,
        beta=metric.beta,
        source=" ".join(scorer.sentences[place].tokens),
        hypothesis=" ".join(system.outputs[place].split()),
        chosen=winner,
        reason=_reason(winner, views, number, metric.behaviour, metric.beta, totals.sum(axis=0).tolist()),
        annotators=tuple(views),
    )


def _reason(
    winner: str, views: list[AnnotatorView], number: int, behaviour: str, beta: float, totals: list[int]
) -> str:
    others = [view for view in views if view.annotator != winner]
    best = next(view for view in views if view.annotator == winner)
    name = f"F{beta:g}"
    if not others:
        return "the only annotator of this sentence"
    if behaviour == "optimal":
        f = precision_recall_f(totals[0], totals[1], totals[2], beta)[2]
        return (
            f"worth most for the whole corpus, where {name} is {100 * f:.2f}: "
            + ", ".join(f"annotator {v.annotator} {_worth(v, beta, f):+.3f}" for v in (best, *others))
            + " by (1+β²)·tp − F·(β²·gold + proposed)"
        )
    so_far = f"{name} over sentences 1 to {number}"
    tied = [view.annotator for view in others if view.running == best.running]
    if tied:
        return f"{so_far} ties with annotator {', '.join(tied)}; then more tp, fewer edits, the first decide"
    listed = ", ".join(f"{100 * view.running:.4f} with annotator {view.annotator}" for view in others)
    return f"{so_far} is highest: {100 * best.running:.4f}, against {listed}"


def _worth(view: AnnotatorView, beta: float, f: float) -> float:
    return (1 + beta**2) * view.tp - f * (beta**2 * view.gold + view.proposed)
