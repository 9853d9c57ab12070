"""Which sentence of the corpus each judgment or rating is of, whatever its file calls it, and scores of just those.

Which sentence of the corpus each judgment is of: files number them from 0 or from 1, and few say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from recte.corpus.sentence_names import SentenceNames, and_more
from recte.errors import InputError, LengthError
from recte.studies.human.judgments import Judgments
from recte.studies.human.ratings import Ratings
from recte.studies.metaeval.scores import MetricScores

__all__ = ["MatchedSentences", "match_sentences", "number_judgments", "score_differences"]

_DEVIATIONS = 5  # how clearly one numbering must be better than the other to be taken


def number_judgments(judgments: Judgments, tables: Sequence[NDArray[np.float64]]) -> Judgments:
    """The judgments with `first_sentence` known; each table holds a metric's scores, the systems by sentences.

    Where the file does not say from what number it counts, it is the one that keeps all sentences inside the corpus;
    where both do, the one by which metrics and judges agree more often, if it does so clearly.
    """
    if judgments.sentence_names:
        raise InputError(
            f"{judgments.name or 'judgments'}: expected numbered sentences, got names such as "
            f"{judgments.sentence_names[0][:60]!r}: `Judgments.on_sentences` numbers them"
        )
    if len(judgments.documents) > 1:
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of one document, got those of "
            f"{', '.join(judgments.documents)}: `document` chooses one (--document)"
        )
    length = min(table.shape[1] for table in tables)
    known = judgments.first_sentence
    starts = [start for start in ((0, 1) if known is None else (known,)) if _fits(judgments, start, length)]
    if not starts:
        first = known or 0
        beyond = [n for n in judgments.sentences if not first <= n < first + length + (known is None)]
        if not beyond:
            beyond = [n for n in judgments.sentences if n in (0, length)]
        counted = "numbered from 0 or from 1" if known is None else f"numbered from {known}"
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of a corpus of {length} {counted}, "
            f"got sentence {beyond[0]}{and_more(beyond)}"
        )
    if len(starts) == 1:
        return judgments.numbered_from(starts[0])
    from_0, from_1 = (
        np.sum([_alike(judgments.numbered_from(start), table) for table in tables], axis=0) for start in starts
    )
    # Comparisons of one sentence, and metrics, go together: each sentence is one observation.
    lead_of_0 = np.bincount(judgments.sentence_groups, weights=from_0 - from_1)
    if abs(lead_of_0.sum()) <= _DEVIATIONS * sqrt((lead_of_0**2).sum()):
        raise InputError(
            f"{judgments.name or 'judgments'}: cannot tell whether sentences are numbered from 0 or from 1: "
            "expected first_sentence to say it"
        )
    return judgments.numbered_from(starts[0] if lead_of_0.sum() > 0 else starts[1])


def _fits(judgments: Judgments, start: int, length: int) -> bool:
    return bool(judgments.sentence.min() >= start and judgments.sentence.max() < start + length)


def _alike(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.int64]:
    alike: NDArray[np.bool_] = np.sign(score_differences(judgments, table)) == judgments.outcome
    return alike.astype(np.int64)


def score_differences(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each judgment, the first system's score of its sentence less the second's."""
    rows = judgments.sentence - (judgments.first_sentence or 0)
    differences: NDArray[np.float64] = table[judgments.first, rows] - table[judgments.second, rows]
    return differences


@dataclass(frozen=True)
class MatchedSentences:
    """Judgments or ratings with sentences numbered from 0 in the order of the metrics' scores.

    `unscored` are judged sentences that the gold marks as not to be scored, by their ids, or without any by their
    numbers from 1: what was said of them is left out.
    """

    metrics: list[MetricScores]
    judgments: Judgments | None = None
    ratings: Ratings | None = None
    unscored: tuple[str, ...] = ()


def match_sentences(
    metrics: Sequence[MetricScores],
    *,
    names: SentenceNames | None = None,
    ids: Sequence[str] = (),
    judgments: Judgments | None = None,
    ratings: Ratings | None = None,
) -> MatchedSentences:
    """Bring both sides to the same sentences in the same order.

    `names` are those of the whole gold, None where there is none. `ids` are those of a judged subset, in the words of
    the judgments: then these sentences alone count, and metrics may have scored just them, or the whole corpus.
    Judgments that number their sentences, without `ids`, stay as they are where every sentence of the gold is scored.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = Judgments.from_preferences([Preference("s-9", "ann", "heron", "wren", 1, 0)])
    >>> mine = MetricScores.of("mine", {"heron": 1, "wren": 0}, {"heron": [0.1, 0.8], "wren": [0.2, 0.4]})
    >>> match_sentences([mine], ids=["s-8", "s-9"], judgments=judged).judgments.sentence.tolist()
    [1]
    """
    lengths = [metric.sentences.shape[1] for metric in metrics if metric.sentences is not None]
    if not lengths:
        return MatchedSentences(list(metrics), judgments, ratings)
    subset = _Subset.of(names or SentenceNames.of_length(max(lengths)), ids)
    cut = [subset.scores_of(metric) for metric in metrics]
    if judgments is not None:
        on_subset, unscored = _judgments(judgments, subset, cut)
        return MatchedSentences(cut, on_subset, unscored=unscored)
    if ratings is not None:
        lines = _lines_of_ratings(ratings, subset)
        row_of_number = {number: subset.row[line] for number, line in lines.items() if line in subset.row}
        return MatchedSentences(
            cut, None, ratings.on_places(row_of_number, len(subset.row)), subset.unscored(lines.values())
        )
    return MatchedSentences(cut)


@dataclass(frozen=True)
class _Subset:
    """The sentences that count. `lines` are their places in the gold in the order of `ids`, or all without any;
    `row` says which row of scores each of those has that are scored.
    """

    names: SentenceNames
    ids: tuple[str, ...]
    lines: tuple[int, ...]
    row: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, names: SentenceNames, ids: Sequence[str]) -> _Subset:
        whole = not ids or len(ids) == len(names)
        lines = tuple(range(len(names)) if whole else names.places(ids, what="ids"))
        scored_lines = [line for line in lines if names.scored[line]]
        return cls(names, tuple(ids), lines, {line: row for row, line in enumerate(scored_lines)})

    def scores_of(self, metric: MetricScores) -> MetricScores:
        """The metric on these sentences, whether it scored them alone or the whole corpus, with those not scored or
        without.
        """
        if metric.sentences is None:
            return metric
        length, scored_lines = metric.sentences.shape[1], list(self.row)
        scored = [line for line, is_scored in enumerate(self.names.scored) if is_scored]
        for lines in (scored_lines, scored, range(len(self.names)), self.lines):
            if length == len(lines):
                column = {line: place for place, line in enumerate(lines)}
                return (
                    metric
                    if list(lines) == scored_lines
                    else metric.on_sentences([column[line] for line in scored_lines])
                )
        whole = f", or of all {len(self.names)}" if len(self.names) != len(self.lines) else ""
        raise InputError(f"{metric.name}: expected scores of the {len(self.lines)} sentences{whole}, got {length}")

    def unscored(self, lines: Iterable[int]) -> tuple[str, ...]:
        """Those of the lines that are not scored, by their names."""
        called = dict(zip(self.lines, self.ids, strict=True)) if self.ids else {}
        return tuple(called.get(line, str(line + 1)) for line in sorted(lines) if line not in self.row)

    def line_of_name(self, names: Sequence[str], what: str) -> dict[str, int]:
        """The sentence of the gold that each name is of: one of the ids, or an id or a text of the gold."""
        listed = dict(zip(self.ids, self.lines, strict=True)) if self.ids else {}
        if all(name in listed for name in names):
            return {name: listed[name] for name in names}
        line_of = dict(zip(names, self.names.places(names, what=what), strict=True))
        self._check_listed(line_of, what)
        return line_of

    def _check_listed(self, line_of: Mapping[str, int], what: str) -> None:
        absent = [name for name, line in line_of.items() if line not in set(self.lines)]
        if absent:
            more = and_more(absent)
            raise InputError(f"{what}: expected one of the {len(self.ids)} ids, got {absent[0][:60]!r}{more}")


def _judgments(
    judgments: Judgments, subset: _Subset, metrics: Sequence[MetricScores]
) -> tuple[Judgments, tuple[str, ...]]:
    what = judgments.name or "judgments"
    if not judgments.sentence_names and not subset.ids and all(subset.names.scored):
        return judgments, ()
    if len(judgments.documents) > 1:
        raise InputError(
            f"{what}: expected sentences of one document, got those of {', '.join(judgments.documents)}: `document` "
            "chooses one (--document)"
        )
    if judgments.sentence_names:
        by_name = subset.line_of_name([judgments.sentence_names[n] for n in judgments.sentences], what)
        line = {n: by_name[judgments.sentence_names[n]] for n in judgments.sentences}
    elif subset.ids:
        line = {n: subset.lines[place] for n, place in _places(judgments, judgments.in_subset(subset.ids)).items()}
    else:
        first = _first_sentence(judgments, subset, metrics)
        line = {n: n - first for n in judgments.sentences}
    row_of = {n: subset.row[place] for n, place in line.items() if place in subset.row}
    if not row_of:
        raise InputError(f"{what}: expected judgments of sentences that are scored, got none")
    return judgments.on_places(row_of), subset.unscored(line.values())


def _places(before: Judgments, after: Judgments) -> dict[int, int]:
    """Where each sentence of some judgments is in the same ones with new numbers."""
    return dict(zip(before.sentence.tolist(), after.sentence.tolist(), strict=True))


def _first_sentence(judgments: Judgments, subset: _Subset, metrics: Sequence[MetricScores]) -> int:
    """The number of the first sentence in the judgments; those that are not scored count too, and tie for everybody."""
    tables = []
    for metric in metrics:
        if metric.sentences is not None:
            scores = metric.for_systems(judgments.systems).sentence_table("sentences")
            tables.append(np.zeros((len(scores), len(subset.names))))
            tables[-1][:, list(subset.row)] = scores
    return number_judgments(judgments, tables).first_sentence or 0


def _lines_of_ratings(ratings: Ratings, subset: _Subset) -> dict[int, int]:
    """The sentence of the gold that each number (or name) in the ratings is of."""
    what = ratings.name or "ratings"
    numbers = np.unique(ratings.sentence).tolist()
    if ratings.by_line and ratings.length not in (len(subset.lines), len(subset.names)):
        whose = "id" if subset.ids else "sentence of the corpus"
        expected = f"expected {len(subset.lines)} lines for each system, one for each {whose}"
        raise LengthError(f"{expected}, got {ratings.length}", ratings.name or None)
    if ratings.sentence_names:
        by_name = subset.line_of_name([ratings.sentence_names[n] for n in numbers], what)
        return {n: by_name[ratings.sentence_names[n]] for n in numbers}
    if subset.ids and ratings.length != len(subset.ids):  # else their lines are those of the ids
        listed = dict(zip(subset.ids, subset.lines, strict=True))
        absent = [n + 1 for n in numbers if str(n + 1) not in listed]
        if absent:
            raise InputError(
                f"{what}: expected one of the {len(listed)} ids, got sentence {absent[0]}{and_more(absent)}"
            )
        return {n: listed[str(n + 1)] for n in numbers}
    beyond = [n + 1 for n in numbers if n >= len(subset.lines)]
    if beyond:
        raise InputError(
            f"{what}: expected ratings of the {len(subset.lines)} sentences of the corpus, got sentence "
            f"{beyond[0]}{and_more(beyond)}"
        )
    return {n: subset.lines[n] for n in numbers}
