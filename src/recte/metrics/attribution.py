"""Which edit carries how much of a sentence's score, by any metric.

A metric scores texts, so it scores the source with any of the hypothesis' edits applied. Three answers follow. Leave
one out: what is lost without the edit. Add one: what the edit alone brings. Shapley's: what it brings on average over
all orders in which the edits may come; these add up to what the hypothesis is worth above its source.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import System, apply_edits
from recte.errors import InputError, OptionError
from recte.metrics.candidates import candidate_scores

if TYPE_CHECKING:
    from recte.metrics.base import Scorer

__all__ = ["MOST_EXACT", "AttributedEdit", "Attribution", "EditWorth", "attribute", "leave_each_out"]

MOST_EXACT = 12  # edits of which all subsets are scored
_MOST_ORDERS = 100_000

Values = Callable[[Sequence[tuple[int, ...]]], NDArray[np.float64]]


class EditWorth(NamedTuple):
    """An edit of a hypothesis, and what the sentence's score loses without it."""

    start: int
    end: int
    original: str
    correction: str
    leave_one_out: float


@dataclass(frozen=True)
class AttributedEdit:
    """An edit of a hypothesis and what it is worth to the sentence's score, by three counts.

    `standard_error` is that of `shapley` where orders were sampled, else 0.
    """

    start: int
    end: int
    original: str
    correction: str
    leave_one_out: float
    add_one: float
    shapley: float
    standard_error: float = 0.0


@dataclass(frozen=True)
class Attribution:
    """A sentence's score and its source's, and what each edit contributes to the difference.

    `method` is `exact`, or `sampled` with so many `orders` of edits drawn by the `seed`.
    """

    metric: str
    score: float
    source_score: float
    edits: tuple[AttributedEdit, ...]
    method: Literal["exact", "sampled"]
    orders: int = 0
    seed: int = 0
    score_factor: int = 100  # what tables multiply scores by

    def to_dict(self) -> dict[str, Any]:
        plain = {**asdict(self), "edits": [asdict(edit) for edit in self.edits]}
        del plain["score_factor"]
        return plain


def attribute(
    scorer: Scorer[Any], hypotheses: System | Sequence[str], number: int, *, orders: int = 1000, seed: int = 12345
) -> Attribution:
    """What each edit of sentence `number` (from 1) is worth, as if the sentence stood alone.

    The edits are those that the system gave, or those that its output shows. Up to 12 edits all subsets are scored;
    beyond, so many random `orders`, drawn by `seed`.

    >>> from recte import Corpus, MaxMatch
    >>> scorer = MaxMatch().prepare(Corpus.from_references(["He go to school ."], [["He goes to school ."]]))
    >>> found = attribute(scorer, ["He goes to the school ."], 1)
    >>> [(edit.correction, round(edit.shapley, 3)) for edit in found.edits]
    [('goes', 0.778), ('the', -0.222)]
    """
    system = scorer.system_of(hypotheses)
    if not 1 <= number <= len(scorer.corpus):
        raise InputError(f"sentence: expected 1 to {len(scorer.corpus)}, got {number}")
    if not 1 <= orders <= _MOST_ORDERS:
        raise OptionError(f"orders: expected 1 to {_MOST_ORDERS:,}, got {orders}")
    place = number - 1
    ((tokens, edits),) = scorer.changes(system, [place])
    others: list[list[str]] = [[] for _ in scorer.corpus]

    def values(subsets: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
        texts = [apply_edits(tokens, [edits[e] for e in subset]) for subset in subsets]
        distinct = list(dict.fromkeys(texts))
        # The scorer itself, not one of this sentence alone: it may know other systems or weights of the whole corpus.
        new_scores = candidate_scores(scorer, [*others[:place], distinct, *others[place + 1 :]])[place]
        scores = dict(zip(distinct, new_scores, strict=True))
        return np.array([scores[text] for text in texts])

    count = len(edits)
    exact = count <= MOST_EXACT
    whole, without, single, nothing = _borders(values, count)
    shapley, error = _exact(values, count) if exact else _sample(values, count, orders, seed)
    return Attribution(
        scorer.metric.name,
        whole,
        nothing,
        tuple(
            AttributedEdit(
                edit.start,
                edit.end,
                " ".join(tokens[edit.start : edit.end]),
                edit.corrections[0],
                whole - float(without[e]),
                float(single[e]) - nothing,
                float(shapley[e]),
                float(error[e]),
            )
            for e, edit in enumerate(edits)
        ),
        "exact" if exact else "sampled",
        0 if exact else orders,
        0 if exact else seed,
        score_factor=scorer.metric.score_factor,
    )


def leave_each_out(scorer: Scorer[Any], hypotheses: System | Sequence[str]) -> list[tuple[EditWorth, ...]]:
    """For each sentence, what each edit of it is worth by leaving it out: all sentences in one call.

    >>> from recte import Corpus, MaxMatch
    >>> scorer = MaxMatch().prepare(Corpus.from_references(["He go to school ."], [["He goes to school ."]]))
    >>> (edits,) = leave_each_out(scorer, ["He goes to the school ."])
    >>> [(edit.correction, round(edit.leave_one_out, 3)) for edit in edits]
    [('goes', 0.556), ('the', -0.444)]
    """
    system = scorer.system_of(hypotheses)
    changes = scorer.changes(system, range(len(scorer.corpus)))
    candidates = [
        [apply_edits(tokens, [e for e in edits if e is not left_out]) for left_out in (None, *edits)] if edits else []
        for tokens, edits in changes
    ]
    return [
        tuple(
            EditWorth(
                edit.start, edit.end, " ".join(tokens[edit.start : edit.end]), edit.corrections[0], scores[0] - without
            )
            for edit, without in zip(edits, scores[1:], strict=True)
        )
        for (tokens, edits), scores in zip(changes, candidate_scores(scorer, candidates), strict=True)
    ]


def _borders(values: Values, count: int) -> tuple[float, NDArray[np.float64], NDArray[np.float64], float]:
    """The score with all edits, with all but each, with each alone, and with none."""
    everything = tuple(range(count))
    without = [tuple(e for e in everything if e != left_out) for left_out in everything]
    scores = values([everything, (), *without, *((e,) for e in everything)])
    return float(scores[0]), scores[2 : 2 + count], scores[2 + count :], float(scores[1])


def _exact(values: Values, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shapley's values from all subsets: the gain from each edit, weighed by how many orders meet it there."""
    subsets = np.arange(2**count)
    members = (subsets[:, None] >> np.arange(count)) & 1 == 1
    scores = values([tuple(np.flatnonzero(row).tolist()) for row in members])
    sizes = members.sum(axis=1)
    weights = np.array([1 / (count * math.comb(count - 1, k)) for k in range(count)])
    shapley = np.zeros(count)
    for e in range(count):
        before = subsets[~members[:, e]]
        shapley[e] = (weights[sizes[before]] * (scores[before | 1 << e] - scores[before])).sum()
    return shapley, np.zeros(count)


def _sample(values: Values, count: int, orders: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means over random orders, and their standard errors; no order depends on how many follow."""
    generator = np.random.default_rng(seed)
    drawn = np.stack([generator.permutation(count) for _ in range(orders)])
    prefixes = [tuple(sorted(order[:k].tolist())) for order in drawn for k in range(count + 1)]
    distinct = {subset: i for i, subset in enumerate(dict.fromkeys(prefixes))}
    scores = values(list(distinct))
    along = scores[[distinct[p] for p in prefixes]].reshape(orders, count + 1)
    gains = np.empty((orders, count))
    np.put_along_axis(gains, drawn, np.diff(along, axis=1), axis=1)
    error = gains.std(axis=0, ddof=1) / math.sqrt(orders) if orders > 1 else np.zeros(count)
    return gains.mean(axis=0), error
