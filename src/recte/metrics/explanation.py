"""Why a sentence was scored as it was, by the metric's own lights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from recte.alignment.three_way import AlignmentColumn
from recte.alignment.verdicts import JudgedEdit
from recte.corpus import System
from recte.counts import ABSENT
from recte.errors import InputError, OptionError
from recte.metrics.annotator_choice import precision_recall_f, sentence_f
from recte.metrics.base import Scorer
from recte.metrics.hoo import HooScorer
from recte.metrics.imeasure import IMeasureScorer
from recte.metrics.maxmatch import MaxMatchScorer
from recte.metrics.text_explanation import TextView, hoo_views, text_views

__all__ = ["AnnotatorView", "ErrorView", "Explanation", "ReferenceView", "explain"]


_OPTIMISED = {"wacc": "WAcc", "i": "I", "acc": "accuracy", "precision": "P", "recall": "R", "f": "F"}


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
class ReferenceView:
    """A reference that was considered, whose corrections it holds, and the figures of correction against it."""

    annotators: tuple[str, ...]
    text: str
    figures: dict[str, float]
    chosen: bool = False


@dataclass(frozen=True)
class ErrorView:
    """An error of mixed annotations: its options as (annotators, edits in words), and the one that was picked."""

    options: tuple[tuple[str, str], ...]
    picked: int


@dataclass(frozen=True)
class Explanation:
    """One sentence of one system, explained: by annotators (MaxMatch), by references and the alignment with the chosen
    one (I-measure), or text by text (all others).
    """

    number: int
    system: str
    title: str
    beta: float
    source: str
    hypothesis: str
    chosen: str
    reason: str
    annotators: tuple[AnnotatorView, ...] = ()
    references: tuple[ReferenceView, ...] = ()
    errors: tuple[ErrorView, ...] = ()
    columns: tuple[AlignmentColumn, ...] = ()
    texts: tuple[TextView, ...] = ()


def explain(scorer: Scorer[Any], hypotheses: System | Iterable[str], number: int) -> Explanation:
    """Explain sentence `number` (from 1). The whole system is needed, since a choice may hang on all sentences.

    >>> from recte import Corpus, Edit, MaxMatch
    >>> gold = Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))], [Edit(1, 2, ("went",))]]])
    >>> explain(MaxMatch().prepare(gold), ["He went ."], 1).chosen
    'annotator 1'
    """
    system = System.of(hypotheses)
    system = replace(system, outputs=tuple(scorer.segmented(system.outputs)))
    if not 1 <= number <= len(scorer.corpus):
        raise InputError(f"sentence: expected 1 to {len(scorer.corpus)}, got {number}")
    if isinstance(scorer, MaxMatchScorer):
        return _explain_maxmatch(scorer, system, number)
    if isinstance(scorer, IMeasureScorer):
        return _explain_imeasure(scorer, system, number)
    return _explain_texts(scorer, system, number)


def _explain_maxmatch(scorer: MaxMatchScorer, system: System, number: int) -> Explanation:
    metric, place = scorer.metric, number - 1
    counts = scorer.count(system)
    chosen = metric.choose(counts.rows)
    picked = np.flatnonzero(chosen != ABSENT)
    totals = counts.rows[picked, chosen[picked]].astype(np.int64)
    before = totals[:place].sum(axis=0)
    alone = sentence_f(counts.rows[place], metric.beta)
    one = type(scorer)(metric, scorer.corpus[place : place + 1])
    judged = one.judged_edits(system.outputs[place : place + 1])[0]
    _, (sentence,), _ = one.gold_for(system.outputs[place : place + 1], [0])
    views = []
    for column, annotator in enumerate(counts.columns):
        if annotator not in judged:
            continue
        tp, proposed, gold = counts.rows[place, column].tolist()
        running = float(sentence_f(before + counts.rows[place, column], metric.beta))
        corrected = sentence.corrected(annotator)
        views.append(
            AnnotatorView(annotator, corrected, judged[annotator], tp, proposed, gold, float(alone[column]), running)
        )
    winner = counts.columns[chosen[place]]
    return Explanation(
        number=number,
        system=system.name,
        title=metric.title,
        beta=metric.beta,
        source=" ".join(sentence.tokens),
        hypothesis=" ".join(system.outputs[place].split()),
        chosen=f"annotator {winner}",
        reason=_why_annotator(winner, views, number, metric.behaviour, metric.beta, totals.sum(axis=0).tolist()),
        annotators=tuple(views),
    )


def _explain_texts(scorer: Scorer[Any], system: System, number: int) -> Explanation:
    place = number - 1
    hypothesis = system.outputs[place]
    score = float(scorer.metric.sentence_scores(scorer.count(system))[place])
    return Explanation(
        number=number,
        system=system.name,
        title=scorer.metric.title,
        beta=getattr(scorer.metric, "beta", 1.0),
        source=" ".join(scorer.corpus[place].tokens),
        hypothesis=" ".join(hypothesis.split()),
        chosen=f"{100 * score:.2f}",
        reason=_SENTENCE_SCORES.get(scorer.metric.name, "the sentence's score, as if it stood alone"),
        texts=(
            hoo_views(scorer, hypothesis, place)
            if isinstance(scorer, HooScorer)
            else text_views(scorer, hypothesis, place)
        ),
    )


_SENTENCE_SCORES = {
    "gleu": "the mean over references of each one's score, every zero count taken as 1",
    "bleu": "n-grams clipped by the most any reference has, and the closest reference length",
    "char-bleu": "n-grams of characters clipped by the most any reference has, and the closest reference length",
    "sentence-accuracy": "100 if the hypothesis is one of the references, 0 if not",
    "char-meaning": "characters shared with the source; MP′ compares its mean with that of the references",
    "hoo": "correction F against the best annotator",
}


def _why_annotator(
    winner: str, views: list[AnnotatorView], number: int, behaviour: str, beta: float, totals: list[int]
) -> str:
    others = [view for view in views if view.annotator != winner]
    best = next(view for view in views if view.annotator == winner)
    name = f"F{beta:g}"
    if not others:
        return "the only annotation of this sentence"
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
        rule = "then more tp, smaller β²·gold + proposed, the first decide"
        return f"{so_far} ties with annotator {', '.join(tied)}; {rule}"
    listed = ", ".join(f"{100 * view.running:.4f} with annotator {view.annotator}" for view in others)
    return f"{so_far} is highest: {100 * best.running:.4f}, against {listed}"


def _worth(view: AnnotatorView, beta: float, f: float) -> float:
    return (1 + beta**2) * view.tp - f * (beta**2 * view.gold + view.proposed)


def _explain_imeasure(scorer: IMeasureScorer, system: System, number: int) -> Explanation:
    metric, place = scorer.metric, number - 1
    hypothesis = system.outputs[place].split()
    sentence = scorer.search.sentences[place]
    options = metric.three_way()
    _, searched, picks = scorer.search.count([system.outputs[place]], options, [place])
    chosen = picks[0]
    if metric.optimise_level == "corpus":
        raise OptionError("explain: expected optimise_level sentence, got corpus")
    # The references one can list: each annotator's own, and the mixture that was chosen.
    listed = dict(scorer.search.references[place])
    listed.setdefault(chosen.tokens, (f"mixed ({', '.join(chosen.annotators)})",))
    views = tuple(
        ReferenceView(
            annotators, " ".join(tokens), scorer.figures_against(place, hypothesis, tokens), tokens == chosen.tokens
        )
        for tokens, annotators in listed.items()
    )
    names = {tokens: _named(annotators) for tokens, annotators in listed.items()}
    total = scorer.search.combinations[place]
    what = f"{total:,} combinations of corrections" if metric.mix else f"{total} reference(s)"
    how = "searched by segments" if searched[0] else "tried"
    wanted = _OPTIMISED[metric.optimise]
    reason = f"highest {wanted} of correction, of {what} {how}"
    best = next(view for view in views if view.chosen)
    tied = [v for v in views if not v.chosen and v.figures[metric.optimise] == best.figures[metric.optimise]]
    if tied:
        reason += "; tied ones were told apart by WAcc, I and accuracy, then by those of detection, then the first"
    return Explanation(
        number=number,
        system=system.name,
        title=metric.title,
        beta=metric.beta,
        source=" ".join(sentence.tokens),
        hypothesis=" ".join(hypothesis),
        chosen=names[chosen.tokens],
        reason=reason,
        references=views,
        errors=_error_views(scorer, place, chosen.picked),
        columns=scorer.search.align(sentence.tokens, hypothesis, chosen.tokens, options).columns,
    )


def _error_views(scorer: IMeasureScorer, place: int, picked: tuple[int, ...]) -> tuple[ErrorView, ...]:
    if not scorer.search.mix:
        return ()
    tokens = scorer.search.sentences[place].tokens
    views = []
    for options, pick in zip(scorer.search.options[place], picked, strict=True):
        described = tuple(
            (
                "/".join(option.annotators) or "–",
                ", ".join(f"{' '.join(tokens[a:b]) or '∅'} → {' '.join(words) or '∅'}" for a, b, words in option.edits)
                or "left alone",
            )
            for option in options
        )
        views.append(ErrorView(described, pick))
    return tuple(views)


def _named(annotators: tuple[str, ...]) -> str:
    if annotators[0].startswith("mixed"):
        return f"the {annotators[0].replace('mixed', 'mixture', 1)}"
    people = ("who changed nothing" if a == "source" else a for a in annotators)
    return f"the reference of annotator {' and '.join(people)}"
