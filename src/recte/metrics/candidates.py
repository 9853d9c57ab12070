"""Several hypotheses for each source: their scores, and how well each agrees with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.errors import InputError, TooLongError
from recte.metrics.distinct_texts import DistinctTexts

if TYPE_CHECKING:
    from recte.metrics.base import Scorer

__all__ = ["candidate_scores", "candidate_utilities", "check_candidates", "scores_of_texts"]


def check_candidates(
    hypotheses: Sequence[str], source_of: Sequence[int], sentences: int
) -> tuple[Sequence[str], Sequence[int]]:
    """Hypotheses that are texts, and for each the place of one of so many sentences."""
    texts = _texts(_check_listed(hypotheses, "hypotheses", "texts"))
    places = _check_listed(source_of, "source_of", "places of sentences")
    if set(map(type, places)) - {int}:
        array = np.asarray(places)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"source_of: expected whole numbers, got others, such as {str(places[0])[:40]!r}")
        places = array.tolist()
    if len(places) != len(texts):
        raise InputError(f"source_of: expected {len(texts)} places, one for each hypothesis, got {len(places)}")
    if places and not 0 <= min(places) <= max(places) < sentences:
        odd = next(place for place in places if not 0 <= place < sentences)
        raise InputError(f"source_of: expected places from 0 to {sentences - 1}, got {odd}")
    return texts, places


def candidate_scores(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> list[list[float]]:
    """Each candidate's score alone, by source; one call of the kernel for all."""
    flat = _flat(scorer, candidates)
    lengths = list(map(len, candidates))
    ends = accumulate(lengths)
    scores = scores_of_texts(scorer, flat, np.repeat(np.arange(len(lengths)), lengths))
    return [scores[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def scores_of_texts(scorer: Scorer[Any], texts: Sequence[str], source_of: NDArray[np.int64]) -> list[float]:
    """Each text's score alone, against the sentence at a place that there is.

    Models often say the same twice, so equal texts of one source are counted once.
    """
    if not texts:  # no edit to look at, say, in a system that changes nothing
        return []
    distinct = DistinctTexts.of(texts, source_of)
    try:
        counts = scorer._count(scorer.segmented(distinct.texts), distinct.places)
    except TooLongError as error:
        if error.hypothesis:  # say which of all
            raise TooLongError(error.message, int(distinct.first[error.hypothesis - 1]) + 1, error.system) from None
        raise
    scores: list[float] = scorer.metric.sentence_scores(counts)[distinct.number].tolist()
    return scores


def candidate_utilities(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> list[list[float]]:
    """Each candidate's mean score where the others are the reference in turn, by source; one call of the kernel.

    Equal candidates are compared once, and count as often as they stand there. Without others, a utility is 0. The
    highest is the best: where less is better, scores are negated, as a reward negates them.

    >>> import recte
    >>> scorer = recte.MaxMatch().prepare(recte.Corpus.from_references(["He go ."], [["He goes ."]]))
    >>> candidate_utilities(scorer, [["He goes .", "He goes .", "He went ."]])
    [[0.5, 0.5, 0.0]]
    """
    flat = iter(scorer.segmented(_texts(_flat(scorer, candidates))))
    texts = [[next(flat) for _ in of_sentence] for of_sentence in candidates]
    distinct = [list(dict.fromkeys(of_sentence)) for of_sentence in texts]
    sources = [s for s, kinds in enumerate(distinct) for _ in kinds]  # of each candidate as a reference
    if not sources:
        return [[] for _ in candidates]
    unchanged = list(scorer.corpus.unchanged)
    references = [text for of_sentence in distinct for text in of_sentence]
    rivals = scorer.metric.prepare(Corpus.from_references([unchanged[s] for s in sources], [references]))
    hypotheses = [text for s in sources for text in distinct[s]]
    source_of = [place for place, s in enumerate(sources) for _ in distinct[s]]
    sign = 1 if scorer.metric.higher_is_better else -1
    scores = iter((sign * scorer.metric.sentence_scores(rivals.count_candidates(hypotheses, source_of))).tolist())
    utilities = []
    for of_sentence, kinds in zip(texts, distinct, strict=True):
        against = {reference: {text: next(scores) for text in kinds} for reference in kinds}
        times, others = Counter(of_sentence), len(of_sentence) - 1
        total = {text: sum(times[r] * against[r][text] for r in kinds) - against[text][text] for text in kinds}
        utilities.append([total[text] / others if others else 0.0 for text in of_sentence])
    return utilities


def _flat(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> Sequence[str]:
    """All candidates in a row, once they are known to be lists, one for each source."""
    expected = f"lists of hypotheses, one for each of {len(scorer.corpus)} source sentences"
    if len(_check_listed(candidates, "candidates", expected)) != len(scorer.corpus):
        raise InputError(f"candidates: expected {expected}, got {len(candidates)}")
    if set(map(type, candidates)) != {list}:
        for of_sentence in candidates:
            _check_listed(of_sentence, "candidates", "hypotheses for each sentence")
    return list(chain.from_iterable(candidates))


def _check_listed(values: Any, name: str, what: str) -> Any:
    """What has a length and an order; a text has both, but is no list of anything."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not hasattr(values, "__getitem__"):
        got = f"the text {values[:40]!r}" if isinstance(values, (str, bytes)) else type(values).__name__
        raise InputError(f"{name}: expected a list of {what}, got {got}")
    return values


def _texts(values: Sequence[Any]) -> Sequence[str]:
    return values if set(map(type, values)) <= {str} else System.of(values).outputs  # which refuses what is no text
