"""Why a sentence was scored as it was: what a metric may say of it, and the call that asks the metric.

An explanation is data: whoever prints it needs to know no metric. A metric fills the parts that suit it. Metrics over
edits show annotators, metrics over references show texts, and any metric can show named figures.

Why a sentence scored as it did, reference by reference: what every metric can say that has no more to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recte.corpus.corpus import System
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.three_way import AlignmentColumn
from recte.edits.verdicts import JudgedEdit
from recte.errors import InputError

if TYPE_CHECKING:
    from recte.metrics.attribution import Attribution
    from recte.metrics.base import Scorer

__all__ = [
    "AnnotatorView",
    "ErrorView",
    "Explanation",
    "Figure",
    "Ngrams",
    "ReferenceView",
    "TextView",
    "explain",
    "explain_texts",
    "ngrams",
    "text_views",
]


@dataclass(frozen=True)
class Figure:
    """A number with its name; a percentage is kept as a fraction and printed as a percentage."""

    name: str
    value: float
    percentage: bool = True


@dataclass(frozen=True)
class AnnotatorView:
    """The sentence as one annotator sees it. `running` is the score of all sentences so far with this choice; of the
    sentence alone where sentences stand alone.

    `weights` are those of the edits, in their order, where edits are weighed.
    """

    annotator: str
    corrected: str
    edits: tuple[JudgedEdit, ...]
    tp: float
    proposed: float
    gold: float
    score: float
    running: float
    weights: tuple[float, ...] = ()


@dataclass(frozen=True)
class ReferenceView:
    """A reference that was considered, whose corrections it holds, and the figures against it.

    `shown` says which of the figures to print, and in what form. Where a metric has two aspects, `figures` and `shown`
    are those of correction, and `detection` and `shown_detection` those of detection.
    """

    annotators: tuple[str, ...]
    text: str
    figures: Mapping[str, float]
    chosen: bool = False
    shown: tuple[Figure, ...] = ()
    detection: Mapping[str, float] = field(default_factory=dict)
    shown_detection: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class ErrorView:
    """An error of mixed annotations: its options as (annotators, edits in words), and the one that was picked."""

    options: tuple[tuple[str, str], ...]
    picked: int


@dataclass(frozen=True)
class Ngrams:
    """N-grams of a hypothesis, of one order: gained (the reference has them, the source does not), kept wrongly (the
    source has them, the reference does not), and invented (neither has them). To a metric that does not look at the
    source, all that the references lack are invented.
    """

    order: int
    gained: tuple[str, ...]
    kept_wrongly: tuple[str, ...]
    invented: tuple[str, ...]


@dataclass(frozen=True)
class TextView:
    """The sentence with one reference (or annotator), with the figures that say how it fared."""

    name: str
    text: str
    figures: Mapping[str, float | str] = field(default_factory=dict)
    ngrams: tuple[Ngrams, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """One sentence of one system, explained.

    `chosen` is the annotator or reference the sentence was scored against, in words, or else its score; `reason` says
    why. `score_name` is what the metric calls its score, such as F0.5. The parts: `annotators` for metrics over edits,
    `references` with `errors` and `columns` (the alignment with the chosen one) for the I-measure, `texts` for metrics
    that compare whole texts, `figures` for any other numbers. `remarks` are what the metric says of the sentence with
    its numbers.
    """

    number: int
    system: str
    title: str
    score_name: str
    source: str
    hypothesis: str
    chosen: str
    reason: str
    annotators: tuple[AnnotatorView, ...] = ()
    references: tuple[ReferenceView, ...] = ()
    errors: tuple[ErrorView, ...] = ()
    columns: tuple[AlignmentColumn, ...] = ()
    texts: tuple[TextView, ...] = ()
    figures: tuple[Figure, ...] = ()
    remarks: tuple[str, ...] = ()
    attribution: Attribution | None = None  # what each edit is worth, on request

    @property
    def is_choice(self) -> bool:
        """Whether `chosen` names what the sentence was scored against; else it is the score."""
        return bool(self.annotators or self.references)


def explain(scorer: Scorer[Any], hypotheses: System | Iterable[str], number: int) -> Explanation:
    """Explain sentence `number` (from 1). The whole system is needed, since a choice may depend on all sentences.

    >>> from recte import Corpus, Edit, MaxMatch
    >>> gold = Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))], [Edit(1, 2, ("went",))]]])
    >>> explain(MaxMatch().prepare(gold), ["He went ."], 1).chosen
    'annotator 1'
    """
    system = scorer.system_of(hypotheses)
    if not 1 <= number <= len(scorer.corpus):
        raise InputError(f"sentence: expected 1 to {len(scorer.corpus)}, got {number}")
    return scorer.explain(system, number)


def explain_texts(
    scorer: Scorer[Any], system: System, number: int, views: tuple[TextView, ...] | None = None
) -> Explanation:
    """Sentence `number` (from 1) with its score, and one view per reference unless other `views` are given."""
    place = number - 1
    hypothesis = scorer.segmented([system.outputs[place]])[0]
    score = float(scorer.metric.sentence_scores(scorer.count(system))[place])
    return Explanation(
        number=number,
        system=system.name,
        title=scorer.metric.heading,
        score_name=scorer.metric.columns[-1].header,
        source=" ".join(scorer.corpus[place].tokens),
        hypothesis=" ".join(hypothesis.split()),
        chosen=f"{scorer.metric.score_factor * score:.2f}",
        reason=scorer.metric.sentence_meaning,
        texts=text_views(scorer, hypothesis, place) if views is None else views,
    )


def text_views(scorer: Scorer[Any], hypothesis: str, place: int) -> tuple[TextView, ...]:
    """One view per distinct reference: the figures against it alone, and n-grams where the metric counts some."""
    metric, sentence = scorer.metric, scorer.corpus[place]
    if not (sentence.annotations or sentence.references):
        return ()
    rule = metric.options().get("reference_rule", "nus")
    references = ReferenceTexts(scorer.corpus[place : place + 1], rule=rule, distinct=True).references[0]
    source = sentence.tokens if metric.compares_with_source else None
    views = []
    for number, tokens in enumerate(references):
        text = " ".join(tokens)
        grams = tuple(ngrams(source, hypothesis.split(), tokens, n) for n in range(1, metric.ngram_orders + 1))
        views.append(TextView(f"reference {number}", text, scorer.reference_figures(place, hypothesis, text), grams))
    return tuple(views)


def ngrams(source: Sequence[str] | None, hypothesis: Sequence[str], reference: Sequence[str], order: int) -> Ngrams:
    """N-grams of one order that tell the texts apart, in the order of the hypothesis.

    >>> ngrams("He go home".split(), "He goes home now".split(), "He goes there".split(), 1)
    Ngrams(order=1, gained=('goes',), kept_wrongly=('home',), invented=('now',))
    """

    def count_ngrams(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))

    s, h, r = count_ngrams(source or ()), count_ngrams(hypothesis), count_ngrams(reference)
    return Ngrams(
        order,
        tuple(" ".join(gram) for gram in h if gram in r and gram not in s) if source is not None else (),
        tuple(" ".join(gram) for gram in h if gram in s and gram not in r),
        tuple(" ".join(gram) for gram in h if gram not in s and gram not in r),
    )
