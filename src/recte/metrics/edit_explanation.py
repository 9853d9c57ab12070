"""Why a sentence was scored against this annotator: for metrics over edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recte.corpus.corpus import System
from recte.corpus.counts import ABSENT, Counts
from recte.edits.edit_context import EditInContext
from recte.edits.edit_weights import EditWeigher
from recte.metrics.annotator_choice import precision_recall_f, sentence_f
from recte.metrics.explanation import AnnotatorView, Explanation

if TYPE_CHECKING:
    from recte.metrics.edit_metric import EditMetric, EditScorer
    from recte.metrics.scorer import Scorer
    from recte.metrics.weighted_edits import WeightedMetric

__all__ = ["explain_edits"]


def explain_edits(
    scorer: Scorer[Any],
    of_sentence: EditScorer,
    system: System,
    number: int,
    *,
    counts: Counts | None = None,
    weigher: EditWeigher | None = None,
) -> Explanation:
    """Each annotator's verdicts on sentence `number` (from 1), and why one of them was chosen.

    `of_sentence` has this sentence alone; `counts` are the system's of a larger corpus, of which the scorer's is a
    part; `weigher` says how much each edit counts, where edits have weights.
    """
    metric, place = scorer.metric, number - 1
    here, at = slice(place, place + 1), place + scorer.corpus.first
    # Where sentences stand alone, the others need not be counted: a model may have to weigh their edits.
    if metric.chooses_alone:
        counts = metric.prepare(scorer.corpus[here]).count(system[here])
    elif counts is None:
        counts = scorer.count(system)
    row = int(np.searchsorted(counts.index, at))
    triples = metric.triples(counts)
    chosen = metric.chosen_columns(counts)
    picked = np.flatnonzero(chosen != ABSENT)
    totals = triples[picked, chosen[picked]].astype(np.float64)
    before = totals[:row].sum(axis=0)
    alone = sentence_f(triples[row], metric.beta)
    hypothesis = scorer.segmented([system.outputs[place]])[0]
    matches = of_sentence.matches_of(system[here])
    judged = of_sentence.verdicts(matches, [0]).of_row(0)
    texts = of_sentence.reference_texts(matches, [0])
    references = dict(zip(judged, (texts[a] for a in matches.gold_annotations.tolist()), strict=True))
    tokens = of_sentence.sources.words(0)
    views = []
    for column, annotator in enumerate(counts.columns):
        if annotator not in judged:
            continue
        tp, proposed, gold = triples[row, column].tolist()
        running = float(sentence_f(before + triples[row, column], metric.beta))
        corrected, edits = references[annotator], judged[annotator]
        weights: tuple[float, ...] = ()
        if weigher is not None:
            weights = tuple(
                weigher(
                    [EditInContext(at, tokens, e.start, e.end, e.corrections[0], annotator, corrected) for e in edits]
                )
            )
        views.append(
            AnnotatorView(annotator, corrected, edits, tp, proposed, gold, float(alone[column]), running, weights)
        )
    winner = counts.columns[chosen[row]]
    return Explanation(
        number=number,
        system=system.name,
        title=metric.heading,
        score_name=f"F{metric.beta:g}",
        source=" ".join(tokens),
        hypothesis=" ".join(hypothesis.split()),
        chosen=f"annotator {winner}",
        reason=_why_annotator(metric, winner, views, row + 1, totals.sum(axis=0).tolist()),
        annotators=tuple(views),
    )


def _why_annotator(
    metric: EditMetric | WeightedMetric, winner: str, views: list[AnnotatorView], number: int, totals: list[Any]
) -> str:
    """The reason in words; `totals` are tp, proposed and gold of the whole corpus."""
    others = [view for view in views if view.annotator != winner]
    best = next(view for view in views if view.annotator == winner)
    beta, name = metric.beta, f"F{metric.beta:g}"
    if not others:
        return "the only annotation of this sentence"
    if metric.chooses_alone:
        listed = ", ".join(f"{100 * view.score:.4f} with annotator {view.annotator}" for view in others)
        return f"{name} of the sentence alone is {100 * best.score:.4f}, against {listed}; {metric.tie_rule}"
    if metric.choice.order == "optimal":
        f = precision_recall_f(totals[0], totals[1], totals[2], beta)[2]
        return (
            f"worth most for the whole corpus, where {name} is {100 * f:.2f}: "
            + ", ".join(f"annotator {v.annotator} {_worth(v, beta, f):+.3f}" for v in (best, *others))
            + " by (1+β²)·tp − F·(β²·gold + proposed)"
        )
    so_far = f"{name} over sentences 1 to {number}"
    digits = 4 if metric.choice.rounded else None
    tied = [view.annotator for view in others if _round_f(view.running, digits) == _round_f(best.running, digits)]
    if tied:
        return f"{so_far} ties with annotator {', '.join(tied)}; {metric.tie_rule}"
    listed = ", ".join(f"{100 * view.running:.4f} with annotator {view.annotator}" for view in others)
    return f"{so_far} is highest: {100 * best.running:.4f}, against {listed}"


def _worth(view: AnnotatorView, beta: float, f: float) -> float:
    return (1 + beta**2) * view.tp - f * (beta**2 * view.gold + view.proposed)


def _round_f(f: float, digits: int | None) -> float:
    return f if digits is None else round(f, digits)
