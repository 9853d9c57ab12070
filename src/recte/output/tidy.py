"""Every figure of every score as one long table, one row per figure, for programs: always loadable as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from recte.metrics.base import Score
from recte.output.tables import delimited_lines
from recte.text.printable_text import visible

if TYPE_CHECKING:
    from recte.statistics.comparison import Comparison

__all__ = ["TIDY_COLUMNS", "TIDY_FORMATS", "tidy_lines"]

TIDY_COLUMNS = ("system", "metric", "figure", "value", "low", "high", "signature")
TIDY_FORMATS = {"tidy": ",", "tidy-tsv": "\t"}  # a format, and what stands between its cells
# What a score holds besides its figures, or what has rows of its own.
_NO_FIGURES = frozenset(
    ("system", "metric", "signature", "higher_is_better", "options", "interval", "subset", "fallback_sentences")
)
_Row = dict[str, Any]


def tidy_lines(
    scores: Sequence[Score], comparisons: Mapping[str, Comparison], delimiter: str, *, conventions: bool = False
) -> Iterator[str]:
    """Fractions in full precision under `TIDY_COLUMNS`; a cell without a value is empty. A signature stands once, in
    the row of its score, since it would be most of a long table.

    What was asked for by part, type or sentence has one more column each, at the end. `comparisons` with a baseline
    are by metric; `conventions` are those of Chinese spelling check.
    """
    asked_for = {
        "part": any(score.subset for score in scores),
        "type": any(score.types for score in scores),
        "sentence": any(score.sentences for score in scores),
    }
    header = (*TIDY_COLUMNS, *(key for key, is_there in asked_for.items() if is_there))
    of_scores = chain.from_iterable(_rows(score, conventions) for score in scores)
    rows = chain(of_scores, chain.from_iterable(map(_differences, comparisons.values())))
    return delimited_lines(chain([header], ([_text(row.get(key)) for key in header] for row in rows)), delimiter)


def _rows(score: Score, conventions: bool) -> Iterator[_Row]:
    common = {"system": score.system, "metric": score.metric}
    if score.subset:
        common["part"] = ", ".join(f"{key}={value}" for key, value in score.subset.items())
    values = score.to_streamed_dict()
    types, sentences = values.pop("types", None) or {}, values.pop("sentences", None) or ()
    if not conventions:
        values.pop("conventions", None)
    for figure, value in _leaves({key: value for key, value in values.items() if key not in _NO_FIGURES}):
        more = {**_ends(score.interval), "signature": score.signature} if figure == "score" else {}
        yield {**common, "figure": figure, "value": value, **more}
    for type_, figures in types.items():
        for figure, value in _leaves({key: v for key, v in figures.items() if key != "interval"}):
            ends = _ends(figures.get("interval")) if figure == "score" else {}
            yield {**common, "figure": figure, "value": value, "type": type_ or "(none)", **ends}
    for entry in sentences:
        for figure, value in _leaves({key: v for key, v in entry.items() if key not in ("sentence", "edits")}):
            yield {**common, "figure": figure, "value": value, "sentence": entry["sentence"]}


def _leaves(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, float | None]]:
    """Numbers with the way to them; a figure that has no value is there, without one."""
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{key}.")
        elif value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            yield f"{above}{key}", value
        elif isinstance(value, (list, tuple)) and all(isinstance(item, (int, float)) for item in value):
            yield from ((f"{above}{key}.{place}", item) for place, item in enumerate(value, 1))


def _differences(comparison: Comparison) -> Iterator[_Row]:
    for pair in comparison.pairs:
        common = {"system": pair.first, "metric": comparison.metric}
        ends = _ends(pair.interval.to_dict())
        row = {**common, "figure": f"difference.{pair.second}", "value": pair.difference, **ends}
        yield {**row, "signature": comparison.signature}
        yield {**common, "figure": f"p.{pair.second}", "value": comparison.p(pair)}


def _ends(interval: Mapping[str, Any] | None) -> _Row:
    return {"low": interval["low"], "high": interval["high"]} if interval else {}


def _text(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else visible(str(value))
