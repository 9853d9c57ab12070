"""A hypothesis' edits beside the gold's, with weights and verdicts, in place of plain numbers of edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recte.alignment.verdicts import MatchedEdits
from recte.corpus import annotator_order
from recte.weighing.context import EditInContext
from recte.weighing.text_judges import EDIT_VERDICTS, EditJudge, EditVerdict
from recte.weighing.weights import EditWeigher

__all__ = ["WeighedRow", "weigh_edits"]

_RIGHT_AFTER_ALL: tuple[EditVerdict, ...] = ("valid", "better")


class WeighedRow(NamedTuple):
    """tp, proposed and gold in sums of weights and in numbers, and how many edits beside the gold had which verdict."""

    triple: tuple[float, float, float]
    numbers: tuple[int, int, int]
    verdicts: tuple[int, ...]


class _Side(NamedTuple):
    """One sentence against one annotator: the places of its edits in the list of all, and which were found."""

    annotator: str
    proposed: range
    gold: range
    correct: tuple[bool, ...]


def weigh_edits(
    matched: Sequence[MatchedEdits], places: Sequence[int], weigher: EditWeigher | None, judge: EditJudge | None
) -> tuple[tuple[str, ...], list[dict[str, WeighedRow]]]:
    """All annotators in order, and for each sentence a row by annotator; `places` are the sentences' in the corpus.

    Weights and verdicts are asked for once, of all edits together. An edit beside the gold that is right after all
    counts as a true positive, and as one that the gold has too: recall cannot exceed 1.
    """
    edits: list[EditInContext] = []
    sides = [_sides(one, place, edits) for one, place in zip(matched, places, strict=True)]
    weights = [1.0] * len(edits) if weigher is None else list(weigher(edits))
    beside = [
        e for of in sides for side in of for e, right in zip(side.proposed, side.correct, strict=True) if not right
    ]
    said: dict[int, EditVerdict] = (
        dict(zip(beside, judge([edits[e] for e in beside]), strict=True)) if judge is not None else {}
    )
    rows = [{side.annotator: _row(side, weights, said) for side in of} for of in sides]
    return tuple(sorted({a for row in rows for a in row}, key=annotator_order)), rows


def _sides(matched: MatchedEdits, place: int, edits: list[EditInContext]) -> list[_Side]:
    tokens = matched.sentence.tokens
    sides = []
    for annotator in matched.annotators:
        reference = matched.sentence.corrected(annotator)
        first = len(edits)
        for own in matched.proposed.get(annotator, ()):
            edits.append(EditInContext(place, tokens, own.start, own.end, own.correction, annotator, reference))
        middle = len(edits)
        for gold in matched.gold(annotator):
            edits.append(EditInContext(place, tokens, gold.start, gold.end, gold.corrections[0], annotator, reference))
        correct = tuple(map(bool, matched.partners(annotator)))
        sides.append(_Side(annotator, range(first, middle), range(middle, len(edits)), correct))
    return sides


def _row(side: _Side, weights: Sequence[float], said: Mapping[int, EditVerdict]) -> WeighedRow:
    tp = proposed = gold = 0.0
    for e in side.gold:  # one after the other as below: `sum` rounds less from Python 3.12 on
        gold += weights[e]
    verdicts = dict.fromkeys(EDIT_VERDICTS, 0)
    for e, right in zip(side.proposed, side.correct, strict=True):
        proposed += weights[e]
        tp += weights[e] if right else 0.0
        if e in said:
            verdicts[said[e]] += 1
            if said[e] in _RIGHT_AFTER_ALL:
                tp += weights[e]
                gold += weights[e]
    after_all = sum(verdicts[v] for v in _RIGHT_AFTER_ALL)
    numbers = (sum(side.correct) + after_all, len(side.proposed), len(side.gold) + after_all)
    return WeighedRow((tp, proposed, gold), numbers, tuple(verdicts.values()))
