"""Several hypotheses for each source: their scores, and how well each agrees with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from recte.corpus import Corpus, System
from recte.errors import InputError

if TYPE_CHECKING:
    from recte.metrics.base import Scorer

__all__ = ["candidate_scores", "candidate_utilities"]


def candidate_scores(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> list[list[float]]:
    """Each candidate's score alone, by source; one call of the kernel for all."""
    flat = _flat(scorer, candidates)
    source_of = list(chain.from_iterable([s] * len(of_sentence) for s, of_sentence in enumerate(candidates)))
    counts = scorer.count_candidates(flat, source_of)
    return _by_sentence(scorer.metric.sentence_scores(counts).tolist(), [len(c) for c in candidates])


def candidate_utilities(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> list[list[float]]:
    """Each candidate's mean score where the others are the reference in turn, by source; one call of the kernel.

    Equal candidates are compared once, and count as often as they stand there. Without others, a utility is 0.

    >>> import recte
    >>> scorer = recte.MaxMatch().prepare(recte.Corpus.from_references(["He go ."], [["He goes ."]]))
    >>> candidate_utilities(scorer, [["He goes .", "He goes .", "He went ."]])
    [[0.5, 0.5, 0.0]]
    """
    flat = iter(scorer.segmented(_flat(scorer, candidates)))
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
    scores = iter(scorer.metric.sentence_scores(rivals.count_candidates(hypotheses, source_of)).tolist())
    utilities = []
    for of_sentence, kinds in zip(texts, distinct, strict=True):
        against = {reference: {text: next(scores) for text in kinds} for reference in kinds}
        times, others = Counter(of_sentence), len(of_sentence) - 1
        total = {text: sum(times[r] * against[r][text] for r in kinds) - against[text][text] for text in kinds}
        utilities.append([total[text] / others if others else 0.0 for text in of_sentence])
    return utilities


def _flat(scorer: Scorer[Any], candidates: Sequence[Sequence[str]]) -> Sequence[str]:
    """All candidates in a row, once they are known to be lists of texts, one for each source."""
    if len(candidates) != len(scorer.corpus):
        wanted = f"expected candidates for {len(scorer.corpus)} source sentences"
        raise InputError(f"{wanted}, got them for {len(candidates)}")
    wrong = next((c for c in candidates if isinstance(c, str)), None)
    if wrong is not None:
        wanted = "candidates: expected a list of hypotheses for each sentence"
        raise InputError(f"{wanted}, got the text {wrong[:40]!r}")
    flat = list(chain.from_iterable(candidates))
    return flat if set(map(type, flat)) <= {str} else System.of(flat).outputs  # which refuses what is no text


def _by_sentence(values: Sequence[float], lengths: Sequence[int]) -> list[list[float]]:
    remaining = iter(values)
    return [list(islice(remaining, length)) for length in lengths]
