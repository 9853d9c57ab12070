"""What a metric gives: a score with its figures, the columns of its table, and aligned texts to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from recte.data_frames import flat_figures, make_data_frame
from recte.errors import check_choice
from recte.streamed import Streamed

__all__ = ["EDIT_COLUMNS", "AlignedSentence", "Column", "PrecisionRecall", "Score", "mean_score"]


ScoreRows = Literal["score", "types", "sentences", "edits"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a metric's table: where the figure is in a score, and whether to print it as a percentage.

    >>> Column("words", ("length",), percentage=False).header
    'words'
    """

    header: str
    path: tuple[str, ...]
    percentage: bool = True


# What metrics over edits or chunks show before their score.
EDIT_COLUMNS = (
    *(Column(kind.upper(), (kind,), percentage=False) for kind in ("tp", "fp", "fn")),
    Column("P", ("precision",)),
    Column("R", ("recall",)),
)


@dataclass(frozen=True, kw_only=True)
class Score:
    """A system's score by one metric. Fractions in full precision; metrics add their own figures.

    `types` has the figures of each error type, where the metric counts types and they were asked for. `runs` is there
    where the figures are means over the runs of a system: `scores` of each run, and their standard deviation `sd`.

    >>> import recte
    >>> score = recte.score(["He go ."], ["He goes ."], references=[["He goes ."]])
    >>> score.metric, score.score, sorted(score.to_dict())[:4]
    ('m2', 1.0, ['annotators', 'fallback_sentences', 'fn', 'fp'])
    """

    # Why a figure may be above 100 %, or a count negative.
    out_of_range_reason: ClassVar[str] = "so the metric is defined"

    system: str
    metric: str
    score: float
    signature: str
    higher_is_better: bool
    options: Mapping[str, Any]
    interval: Mapping[str, Any] | None = None
    subset: Mapping[str, str] | None = field(default=None, metadata={"on_request": True})
    score_factor: int = field(default=100, metadata={"internal": True})  # what tables multiply the score by
    sentence_count: int
    fallback_sentences: tuple[int, ...] = ()
    # What to know of single sentences, where the metric says something of some.
    remarks: tuple[Mapping[str, Any], ...] | None = field(default=None, metadata={"on_request": True})
    # An entry for each sentence, on request; those of recte's metrics are made when they are read.
    sentences: Sequence[Mapping[str, Any]] | None = field(default=None, metadata={"on_request": True})
    types: Mapping[str, Mapping[str, Any]] | None = field(default=None, metadata={"on_request": True})
    runs: Mapping[str, Any] | None = field(default=None, metadata={"on_request": True})

    @property
    def full_name(self) -> str:
        """The system, and the part of the corpus where the score is of a part."""
        if not self.subset:
            return self.system
        return f"{self.system} [{', '.join(f'{key}={value}' for key, value in self.subset.items())}]"

    def figure(self, path: Sequence[str]) -> Any:
        """A figure by where it is, as a column of the metric's table says; None where the score has none."""
        value: Any = getattr(self, path[0])
        for key in path[1:]:
            value = None if value is None else value[key]
        return value

    def __float__(self) -> float:
        return self.score

    def to_dataframe(self, rows: ScoreRows = "score", *, library: Any = None) -> Any:
        """A data frame of pandas or Polars: one row with every figure, or a row for each of the `rows`.

        `types`, `sentences` and `edits` are there where they were asked for. Names of figures inside others have dots:
        `interval.low`. `library` is the module to use; see `recte.data_frames`.

        >>> from types import SimpleNamespace
        >>> import recte
        >>> score = recte.score(["He go ."], ["He goes ."], references=[["He goes ."]], sentences=True)
        >>> score.to_dataframe("sentences", library=SimpleNamespace(DataFrame=dict))["score"]
        [1.0]
        """
        check_choice("rows", rows, get_args(ScoreRows))
        return make_data_frame(self.rows(rows), library)

    def rows(self, rows: ScoreRows = "score") -> list[dict[str, Any]]:
        """What `to_dataframe` shows, as plain rows."""
        names = {"system": self.system, "metric": self.metric, **(self.subset or {})}
        plain = self.to_dict()
        types, sentences = plain.pop("types", None), plain.pop("sentences", None)
        if rows == "score":
            return [
                {**names, **{key: v for key, v in flat_figures(plain) if not key.startswith(("options.", "subset."))}}
            ]
        if rows == "types":
            return [{**names, "type": name, **dict(flat_figures(of))} for name, of in (types or {}).items()]
        if rows == "sentences":
            return [{**names, **dict(flat_figures(entry))} for entry in sentences or ()]
        return [
            {**names, "sentence": entry["sentence"], **edit}
            for entry in sentences or ()
            for edit in entry.get("edits", ())
        ]

    def to_dict(self) -> dict[str, Any]:
        """The score as plain dicts, lists, numbers and text; what was not asked for is left out."""
        return {key: _plain(value) for key, value in self._shown_fields().items()}

    def to_streamed_dict(self) -> dict[str, Any]:
        """`to_dict` for writing, with what is streamed as it is."""
        shown = self._shown_fields()
        return {key: value if isinstance(value, Streamed) else _plain(value) for key, value in shown.items()}

    def _shown_fields(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self) if not f.metadata.get("internal")}
        on_request = {f.name for f in fields(self) if f.metadata.get("on_request")}
        return {key: value for key, value in values.items() if value is not None or key not in on_request}


def mean_score(scores: Sequence[Score]) -> Score:
    """The score of a system with several runs: the mean of each figure, with the scores of the runs and their spread.

    A figure that a run lacks has no mean. What is said of single sentences, or by type, is left out.

    >>> import recte
    >>> outputs = (["He goes ."], ["He go ."])
    >>> runs = [recte.score(["He go ."], output, references=[["He goes ."]], metric="gleu") for output in outputs]
    >>> mean_score(runs).runs["scores"] == tuple(run.score for run in runs)
    True
    """
    values = tuple(score.score for score in scores)
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    means = {f.name: _mean([getattr(score, f.name) for score in scores]) for f in fields(scores[0]) if f.init}
    unchanged = ("fallback_sentences", "score_factor", "sentence_count", "higher_is_better", "options", "interval")
    changed = {name: mean for name, mean in means.items() if name not in unchanged}
    left_out = {"sentences": None, "remarks": None, "types": None}
    return replace(scores[0], **{**changed, **left_out, "runs": {"scores": values, "sd": spread}})


def _mean(values: Sequence[Any]) -> Any:
    """The mean of numbers, also inside mappings; None where one is missing; of anything else the first."""
    first = values[0]
    if isinstance(first, Mapping):
        known = [value for value in values if isinstance(value, Mapping)]
        return {key: _mean([value.get(key) for value in known]) for key in first}
    if any(value is None for value in values):
        return None
    if isinstance(first, (int, float)) and not isinstance(first, bool):
        return first if all(value == first for value in values) else float(np.mean(values))
    return first


class PrecisionRecall(NamedTuple):
    """Precision and recall of a score, and the weight of recall in the F that they make."""

    precision: float
    recall: float
    beta: float


@dataclass(frozen=True)
class AlignedSentence:
    """The reference that a metric chose for a sentence, and the alignment of source, hypothesis and reference: one byte
    per column, the sum of 4 (source), 2 (hypothesis) and 1 (reference).
    """

    reference: str
    columns: bytes


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list, Streamed)):
        return [_plain(item) for item in value]
    return value
