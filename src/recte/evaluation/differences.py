"""Where two systems differ most: sentences with both outputs, their scores, and what each system did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from recte.edits.verdicts import JudgedEdit, edits_against
from recte.evaluation.counting import SystemCounts

__all__ = ["DifferingSentence", "SentenceSide", "differing_sentences"]


@dataclass(frozen=True)
class SentenceSide:
    """A system's output of a sentence, its score, and its edits against the chosen annotator, if edits are judged."""

    system: str
    score: float
    output: str
    annotator: str | None
    edits: tuple[JudgedEdit, ...] | None


@dataclass(frozen=True)
class DifferingSentence:
    """A sentence and both systems; `difference` is the first one's score less the second's."""

    sentence: int
    difference: float
    source: str
    references: tuple[str, ...]
    sides: tuple[SentenceSide, SentenceSide]


def differing_sentences(first: SystemCounts, second: SystemCounts, most: int) -> list[DifferingSentence]:
    """So many sentences, the largest difference of sentence scores first; none without a difference.

    Both systems need their texts, which `CountRequest.texts` asks for.
    """
    scores = [of_system.metric.all_sentence_scores(of_system.counts) for of_system in (first, second)]
    differences = scores[0] - scores[1]
    places = [place for place in np.argsort(-np.abs(differences), kind="stable")[:most].tolist() if differences[place]]
    assert first.texts is not None
    return [
        DifferingSentence(
            int(first.counts.index[place]) + 1,
            float(differences[place]),
            first.texts[place].source,
            first.texts[place].references,
            (_side(first, place, float(scores[0][place])), _side(second, place, float(scores[1][place]))),
        )
        for place in places
    ]


def _side(of_system: SystemCounts, place: int, score: float) -> SentenceSide:
    assert of_system.texts is not None
    output, name = of_system.texts[place].output, of_system.counts.system
    if of_system.judged is None:
        return SentenceSide(name, score, output, None, None)
    columns = of_system.metric.chosen_columns(of_system.counts)
    chosen = None if columns is None or columns[place] < 0 else of_system.counts.columns[columns[place]]
    judged = edits_against(of_system.judged[place], chosen)
    return SentenceSide(name, score, output, judged.annotator, judged.edits)
