"""Why the I-measure chose a reference, and the alignment with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recte.corpus import System
from recte.errors import OptionError
from recte.metrics.explanation import ErrorView, Explanation, Figure, ReferenceView

if TYPE_CHECKING:
    from recte.metrics.imeasure import IMeasureScorer

__all__ = ["explain_references"]

_OPTIMISED = {"wacc": "WAcc", "i": "I", "acc": "accuracy", "precision": "P", "recall": "R", "f": "F"}
_COUNTS = ("tp", "tn", "fp", "fn", "fpn")
_SHOWN = {"wacc": "WAcc", "wacc_base": "base", "i": "I"}


def explain_references(scorer: IMeasureScorer, system: System, number: int) -> Explanation:
    """The references of sentence `number` (from 1), the one that was chosen, and the alignment with it."""
    metric, place = scorer.metric, number - 1
    if metric.optimise_level == "corpus":
        raise OptionError("explain: expected optimise_level sentence, got corpus")
    text = scorer.segmented([system.outputs[place]])[0]
    hypothesis = text.split()
    sentence = scorer.search.sentences[place]
    options = metric.three_way()
    _, searched, picks = scorer.search.count([text], options, [place])
    chosen = picks[0]
    # The references one can list: each annotator's own, and the mixture that was chosen.
    listed = scorer.search.references(place)
    listed.setdefault(chosen.tokens, (f"mixed ({', '.join(chosen.annotators)})",))
    views = tuple(
        _view(annotators, " ".join(tokens), scorer.figures_against(place, hypothesis, tokens), tokens == chosen.tokens)
        for tokens, annotators in listed.items()
    )
    names = {tokens: _named(annotators) for tokens, annotators in listed.items()}
    total = scorer.search.combinations[place]
    what = f"{total:,} combinations of corrections" if metric.mix else f"{total} reference(s)"
    how = "searched by segments" if searched[0] else "tried"
    reason = f"highest {_OPTIMISED[metric.optimise]} of correction, of {what} {how}"
    best = next(view for view in views if view.chosen)
    tied = [v for v in views if not v.chosen and v.figures[metric.optimise] == best.figures[metric.optimise]]
    if tied:
        reason += "; tied ones were told apart by WAcc, I and accuracy, then by those of detection, then the first"
    return Explanation(
        number=number,
        system=system.name,
        title=metric.title,
        score_name="I",
        source=" ".join(sentence.tokens),
        hypothesis=" ".join(hypothesis),
        chosen=names[chosen.tokens],
        reason=reason,
        references=views,
        errors=_error_views(scorer, place, chosen.picked),
        columns=scorer.search.align(sentence.tokens, hypothesis, chosen.tokens, options).columns,
    )


def _view(annotators: tuple[str, ...], text: str, figures: dict[str, float], chosen: bool) -> ReferenceView:
    shown = (
        *(Figure(key.upper(), figures[key], percentage=False) for key in _COUNTS),
        *(Figure(name, figures[key]) for key, name in _SHOWN.items()),
    )
    return ReferenceView(annotators, text, figures, chosen, shown)


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
