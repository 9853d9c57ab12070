"""Minimum Bayes risk, word for word: every candidate scored with each of the others as its only reference."""

from __future__ import annotations

from recte import Corpus


def utilities(metric, source, candidates):
    """One number per candidate, 0 where it is alone."""
    means = []
    for place, candidate in enumerate(candidates):
        others = [*candidates[:place], *candidates[place + 1 :]]
        scores = [
            metric.prepare(Corpus.from_references([source], [[other]])).sentence_scores([candidate])[0]
            for other in others
        ]
        means.append(sum(scores) / len(scores) if scores else 0.0)
    return means
