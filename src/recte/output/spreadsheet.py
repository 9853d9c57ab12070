"""Scores as one table for a spreadsheet: a row for each system and metric, and one for each part, type or sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from recte.corpus.corpus import DO_NOTHING
from recte.evaluation.plausibility.score_range import out_of_range
from recte.metrics.base import Column, Metric, Score
from recte.output.explanation import edit_text
from recte.output.score_tables import figure_text, p_and_verdict, with_spread
from recte.output.tables import StreamedRows, Table
from recte.streamed import Streamed

if TYPE_CHECKING:
    from recte.statistics.comparison import Comparison

__all__ = ["spreadsheet_table"]

_FIRST = ("system", "metric", "part", "type", "sentence", "score", "low", "high")
_LAST = ("note", "remark")
_TYPE_FIGURES = ("gold", "found", "proposed", "correct", "scope", "overlap")
_SHARES = {"precision": "P", "recall": "R"}


def spreadsheet_table(
    title: str,
    by_metric: Mapping[Metric, Sequence[Score]],
    digits: int = 2,
    *,
    sentences: bool = False,
    texts: bool = False,
    conventions: bool = False,
    comparisons: Mapping[str, Comparison] | None = None,
    columns_of: Mapping[str, Sequence[Column]] | None = None,
) -> Table:
    """One row per figure's owner, percentages, a cell without a figure empty; what no row has is no column.

    Error types have rows of their own where they were counted. `sentences` has a row for each sentence instead of one
    for each system, with their `texts` where entries have some; `conventions` adds one for each way to count;
    `comparisons`, by metric, what a test said; `columns_of` are the figures shown, by metric, where not all of its
    columns.
    """
    if sentences:
        whole = [score for scores in by_metric.values() for score in scores if not score.subset]
        count = sum(len(score.sentences or ()) for score in whole)
        rows_of = Streamed(count, lambda: chain.from_iterable(_sentence_rows(score, digits) for score in whole))
        return _table(title, _sentence_keys(whole, rows_of if texts else ()), rows_of)
    rows: list[dict[str, str]] = []
    for metric, scores in by_metric.items():
        shown = with_spread((columns_of or {}).get(metric.name, metric.columns), scores)
        for score in scores:
            comparison = (comparisons or {}).get(metric.name)
            rows += [_row(metric, score, shown, digits, comparison)]
            if score.system != DO_NOTHING:
                rows += _type_rows(score, digits)
            if conventions:
                rows += _convention_rows(score, digits)
    return _table(title, chain.from_iterable(rows), rows)


def _table(title: str, keys: Iterable[str], rows: Sequence[Mapping[str, str]]) -> Table:
    """Rows with a column for each of the keys, those of every row first and remarks last."""
    distinct = dict.fromkeys(keys)
    headers = [key for key in _FIRST if key in distinct]
    headers += [key for key in distinct if key not in (*_FIRST, *_LAST)]
    headers += [key for key in _LAST if key in distinct]
    cells = StreamedRows(len(rows), lambda: (tuple(row.get(key, "") for key in headers) for row in rows))
    return Table(title, tuple(headers), cells)


def _names(score: Score) -> dict[str, str]:
    names = {"system": score.system, "metric": score.metric}
    if score.subset:
        names["part"] = ", ".join(f"{key}={value}" for key, value in score.subset.items())
    return names


def _row(
    metric: Metric, score: Score, columns: Sequence[Column], digits: int, comparison: Comparison | None
) -> dict[str, str]:
    row = _names(score)
    for column in columns:
        header = "score" if column.path == ("score",) else column.header
        row[header.removeprefix("± ")] = figure_text(score.figure(column.path), column, digits)
    row |= _ends(score.interval, digits, score.score_factor)
    if comparison is not None:
        p, verdict = (None, "") if score.subset else p_and_verdict(comparison, score.system)
        row |= {"p": "" if p is None else f"{p:.6g}", f"against {comparison.baseline}": verdict}
    for finding in out_of_range([score], metric.columns):
        row["note"] = finding.message
    return {key: "" if cell == "–" else cell for key, cell in row.items()}


def _ends(interval: Mapping[str, Any] | None, digits: int, factor: int) -> dict[str, str]:
    return {end: f"{factor * interval[end]:.{digits}f}" for end in ("low", "high")} if interval else {}


def _type_rows(score: Score, digits: int) -> Iterator[dict[str, str]]:
    percent = Column("", ())
    inner = getattr(score, "types_with_inner", None) or {}
    for name, figures in (
        *(score.types or {}).items(),
        *((f"{name} (with inner edits)", f) for name, f in inner.items()),
    ):
        row = {**_names(score), "type": name or "(none)"}
        row |= {key: str(figures[key]) for key in _TYPE_FIGURES[:4] if figures.get(key) is not None}
        row |= {key: figure_text(figures[key], percent, digits) for key in _TYPE_FIGURES[4:] if key in figures}
        if figures.get("proposed"):
            row["P"] = figure_text(figures.get("precision"), percent, digits)
        if figures.get("gold"):
            row["R"] = figure_text(figures.get("recall"), percent, digits)
            row["score"] = figure_text(figures.get("score"), percent, digits)
            row |= _ends(figures.get("interval"), digits, 100)
        yield {key: "" if cell == "–" else cell for key, cell in row.items()}


def _sentence_rows(score: Score, digits: int) -> Iterator[dict[str, str]]:
    names = _names(score)
    for entry in score.sentences or ():
        remark = {"remark": entry["remark"]} if "remark" in entry else {}
        figure = f"{score.score_factor * entry['score']:.{digits}f}"
        yield {**names, "sentence": str(entry["sentence"]), "score": figure, **_texts(entry), **remark}


def _sentence_keys(scores: Sequence[Score], rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """The keys of all `_sentence_rows`; only where they have texts are the rows made for it."""
    for score in scores:
        yield from _names(score)
        yield from ("sentence", "score")
        if score.remarks:
            yield "remark"
    yield from chain.from_iterable(rows)


def _texts(entry: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a sentence and its edits, where they were asked for; each reference has a column."""
    texts = {key: entry[key] for key in ("source", "output") if key in entry}
    if "edits" in entry and texts:
        edits = (edit_text(edit["verdict"], edit["original"], edit["corrections"]) for edit in entry["edits"])
        texts["edits"] = "; ".join(edits)
    return texts | {f"reference {number}": text for number, text in enumerate(entry.get("references", ()), 1)}


def _convention_rows(score: Score, digits: int) -> Iterator[dict[str, str]]:
    f1 = Column("", ("f",))
    for name, of in (getattr(score, "conventions", None) or {}).items():
        tasks = ("detection", "correction")
        cells = {f"{t} F1": "" if of[t] is None else figure_text(of[t]["f"], f1, digits) for t in tasks}
        yield {**_names(score), "convention": name, **cells, "who": of["who"], "what is particular": of["rule"]}
