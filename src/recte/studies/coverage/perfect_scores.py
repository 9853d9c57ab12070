"""The F-score of a perfect corrector by its number of references (section 3.3, Figure 3).

The corrector answers as people do, so its true F is 1; what it gets is what few references leave of it. A corpus is
drawn from the answers: sources, for each an output and M references. Edits are maximal runs of changed words, and match
if they are equal.

Where references may hold the very answer that is the output, it is scored against itself: with 50 answers and 20
references in a third of all sentences. So the output's own answer is left out, unless `own_answer` says as published.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.edits.references import edits_from_references
from recte.errors import InputError, OptionError
from recte.metrics.maxmatch import MaxMatch
from recte.statistics.bootstrap import Interval, bca_interval, bootstrap_weights
from recte.studies.coverage.accuracy import check_references
from recte.studies.coverage.kinds import AnsweredSentence, answer_words

__all__ = ["PerfectScore", "bca_of", "bca_over_seeds", "perfect_corrector"]

# The CoNLL-2014 test set: 1,312 sentences, of which 136 were edited by nobody.
TEST_SET, UNEDITED = 1312, 136
_LARGEST = 10_000  # BCa leaves each sentence out in turn: memory grows with the square


@dataclass(frozen=True)
class PerfectScore:
    """What a perfect corrector scores with so many references, with an interval over sentences."""

    references: int
    beta: float
    precision: float
    recall: float
    score: float
    interval: Interval


@dataclass(frozen=True)
class _Pool:
    """One sentence's answers: which distinct edit sets they are, and how many edits these have and share."""

    kind_of: NDArray[np.int64]
    edits: NDArray[np.int64]
    shared: NDArray[np.int64]


def perfect_corrector(
    sentences: Sequence[AnsweredSentence],
    references: Sequence[int] = (1, 2, 3, 5, 10, 20),
    *,
    size: int = TEST_SET,
    unedited: int = UNEDITED,
    own_answer: bool = False,
    beta: float = 0.5,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[PerfectScore, ...]:
    """Draw a corpus of `size` sentences, `unedited` of them correct as they are, and score it with each number of
    references; the first references of a larger number are those of a smaller one.

    >>> from recte.studies.coverage.kinds import AnsweredSentence
    >>> answered = AnsweredSentence("He go .", ("He goes .", "He goes ."))
    >>> perfect_corrector([answered], [1], size=10, unedited=2, resamples=20)[0].score
    1.0
    """
    check_references(references)
    if not 1 <= size <= _LARGEST:
        raise OptionError(f"size: expected 1 to {_LARGEST} sentences, got {size}")
    if not 0 <= unedited < size:
        raise OptionError(f"unedited: expected 0 to {size - 1} of the {size} sentences, got {unedited}")
    few = next((s for s in sentences if len(s.answers) < 2 - own_answer), None)
    if few is not None or not sentences:
        told = "no sentence" if few is None else f"{len(few.answers)} for {few.source[:40]!r}"
        raise InputError(f"perfect corrector: expected two answers or more per sentence, got {told}")
    generator = np.random.default_rng(seed)
    pools = [_pool(sentence) for sentence in sentences]
    rows = np.zeros((size, max(references), 3), dtype=np.int32)
    for place in generator.permutation(size)[unedited:].tolist():  # the others are correct, and so is their output
        pool = pools[int(generator.integers(len(pools)))]
        answers = len(pool.kind_of)
        output = int(generator.integers(answers))
        drawn = generator.integers(answers if own_answer else answers - 1, size=max(references))
        if not own_answer:
            drawn += drawn >= output
        mine, theirs = pool.kind_of[output], pool.kind_of[drawn]
        rows[place] = np.stack(
            [pool.shared[mine, theirs], np.full(len(theirs), pool.edits[mine]), pool.edits[theirs]], axis=1
        )
    metric = MaxMatch(beta=beta)
    scores = []
    for number in references:
        counts = Counts(
            metric=metric.name,
            options=metric.options(),
            system="perfect",
            columns=tuple(map(str, range(number))),
            rows=np.ascontiguousarray(rows[:, :number]),
            index=np.arange(size, dtype=np.int64),
            fallbacks=np.zeros(size, dtype=np.bool_),
            fingerprints=np.zeros(size, dtype=np.uint32),
        )
        score = metric.score_counts(counts)
        interval = bca_of(metric, counts, resamples=resamples, level=level, seed=seed)
        scores.append(PerfectScore(number, beta, score.precision, score.recall, score.score, interval))
    return tuple(scores)


def bca_of(metric: MaxMatch, counts: Counts, *, resamples: int = 1000, level: float = 0.95, seed: int = 0) -> Interval:
    """The BCa interval of a score over sentences, the choice of annotators made again in each resample."""
    (interval,) = bca_over_seeds(metric, counts, (seed,), resamples=resamples, level=level)
    return interval


def bca_over_seeds(
    metric: MaxMatch, counts: Counts, seeds: Iterable[int], *, resamples: int = 1000, level: float = 0.95
) -> list[Interval]:
    """The same for several seeds, to see what chance does to it; what does not depend on the seed is computed once."""
    left_out = metric.score_many(
        counts, np.ones((len(counts),) * 2, dtype=np.int32) - np.eye(len(counts), dtype=np.int32)
    )
    score = metric.score_counts(counts).score
    return [
        bca_interval(
            metric.score_many(counts, bootstrap_weights(len(counts), resamples, seed)),
            score,
            left_out,
            level,
            seed=seed,
        )
        for seed in seeds
    ]


def _pool(sentence: AnsweredSentence) -> _Pool:
    source = " ".join(answer_words(sentence.source))
    texts = [" ".join(answer_words(answer)) for answer in sentence.answers]
    distinct = list(dict.fromkeys(texts))
    edits = [
        {(edit.start, edit.end, edit.corrections) for edit in of_answer}
        for of_answer in edits_from_references([source] * len(distinct), distinct, rule="word-diff")
    ]
    number = {text: i for i, text in enumerate(distinct)}
    return _Pool(
        np.array([number[text] for text in texts]),
        np.array([len(edit_set) for edit_set in edits]),
        np.array([[len(edit_set & other) for other in edits] for edit_set in edits]),
    )
