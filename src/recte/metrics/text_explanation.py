"""Why a sentence scored as it did, for metrics that compare whole texts, and for HOO: reference by reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recte.alignment.reference_texts import ReferenceTexts
from recte.alignment.references import ReferenceRule
from recte.corpus import Corpus, Sentence
from recte.metrics.base import Scorer
from recte.metrics.bleu import Bleu
from recte.metrics.char_meaning import CharMeaning
from recte.metrics.hoo import CRITERIA, HooScorer

__all__ = ["Ngrams", "TextView", "hoo_views", "text_views"]


@dataclass(frozen=True)
class Ngrams:
    """N-grams of a hypothesis, of one order: gained (the reference has them, the source does not), kept wrongly (the
    source has them, the reference does not), and invented (neither has). BLEU knows no source: all that the references
    lack are invented to it.
    """

    order: int
    gained: tuple[str, ...]
    kept_wrongly: tuple[str, ...]
    invented: tuple[str, ...]


@dataclass(frozen=True)
class TextView:
    """The sentence beside one reference (or annotator), with the figures that say how it fared."""

    name: str
    text: str
    figures: dict[str, float | str]
    ngrams: tuple[Ngrams, ...] = ()


def text_views(scorer: Scorer[Any], hypothesis: str, place: int) -> tuple[TextView, ...]:
    """One view a distinct reference: the score against it alone, and n-grams where the metric counts some."""
    sentence = scorer.corpus[place]
    rule: ReferenceRule = getattr(scorer.metric, "reference_rule", "nus")
    references = ReferenceTexts(scorer.corpus[place : place + 1], rule=rule, distinct=True).references[0]
    orders = getattr(scorer.metric, "orders", 0)
    views = []
    for number, tokens in enumerate(references):
        alone = Sentence(" ".join(sentence.tokens), sentence.tokens, references=(" ".join(tokens),))
        corpus = Corpus((alone,), segmenter=scorer.corpus.segmenter)
        counts = scorer.metric.prepare(corpus).count([hypothesis])
        figures: dict[str, float | str] = {}
        if not isinstance(scorer.metric, CharMeaning):  # which compares with the source, whatever the reference
            figures["score"] = float(scorer.metric.sentence_scores(counts)[0])
        source = None if isinstance(scorer.metric, Bleu) else sentence.tokens
        grams = tuple(ngrams(source, hypothesis.split(), tokens, n) for n in range(1, orders + 1))
        views.append(TextView(f"reference {number}", " ".join(tokens), figures, grams))
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


def hoo_views(scorer: HooScorer, hypothesis: str, place: int) -> tuple[TextView, ...]:
    """One view an annotator, with what each of the three criteria counted."""
    one = type(scorer)(scorer.metric, scorer.corpus[place : place + 1])
    counts = one.count([hypothesis])
    sentence = one.sentences[0]
    views = []
    for column, annotator in enumerate(counts.columns):
        figures: dict[str, float | str] = {}
        for criterion, cells in zip(CRITERIA, counts.rows[0, column].tolist(), strict=True):
            met, spurious, system, gold, _ = cells
            figures[criterion] = f"{met} of {gold} gold edits met, {spurious} of {system} system edits meet none"
        views.append(TextView(f"annotator {annotator}", sentence.corrected(annotator), figures))
    return tuple(views)
