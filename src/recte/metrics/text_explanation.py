"""Why a sentence scored as it did, reference by reference: what every metric can say that has no more to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recte.corpus.corpus import System
from recte.edits.reference_texts import ReferenceTexts
from recte.metrics.explanation import Explanation, Ngrams, TextView

if TYPE_CHECKING:
    from recte.metrics.base import Scorer

__all__ = ["explain_texts", "ngrams", "text_views"]


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
        title=scorer.metric.title,
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

    def counted(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))

    s, h, r = counted(source or ()), counted(hypothesis), counted(reference)
    return Ngrams(
        order,
        tuple(" ".join(gram) for gram in h if gram in r and gram not in s) if source is not None else (),
        tuple(" ".join(gram) for gram in h if gram in s and gram not in r),
        tuple(" ".join(gram) for gram in h if gram not in s and gram not in r),
    )
