"""Error types as a table: of one system with all counts, of several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recte.metrics.base import Column, Score
from recte.output.score_tables import figure_text, interval_text
from recte.output.tables import Table

__all__ = ["type_table"]

_Figures = Mapping[str, Any]
_GOLD = Column("gold", ("gold",), percentage=False)
_FOUND = Column("found", ("found",), percentage=False)
_PROPOSED = Column("proposed", ("proposed",), percentage=False)
_CORRECT = Column("correct", ("correct",), percentage=False)
_P, _R = Column("P", ("precision",)), Column("R", ("recall",))
_ALL = "all"


def type_table(title: str, scores: Sequence[Score], digits: int = 2, *, intervals: bool = False) -> Table:
    """One row per error type, the most frequent first, and one for all of them: precision, recall and F where known.

    Several systems stand side by side; one alone has its counts and intervals too. Notes say why figures of types
    and figures of the whole do not add up, or differ between systems.
    """
    alone = len(scores) == 1
    of = {score.full_name: score.types or {} for score in scores}
    types = _by_frequency(list(of.values()))
    one_gold = alone or all(len({_count(t.get(name), "gold") for t in of.values()}) == 1 for name in types)
    headers, groups = ["type"], [("", 1)]
    columns: list[list[str]] = []
    if one_gold:
        first = next(iter(of.values()))
        headers.append("gold")
        groups[0] = ("", 2)
        columns.append([*(_cell(first.get(name), _GOLD, digits) for name in types), _whole(scores[0], _GOLD, digits)])
    for score in scores:
        shown = [column for column in _columns(score, alone) if not (one_gold and column is _GOLD)]
        figures = of[score.full_name]
        for column in shown:
            headers.append(column.header)
            columns.append([*(_cell(figures.get(t), column, digits) for t in types), _whole(score, column, digits)])
        level = next((f["interval"]["level"] for f in figures.values() if f.get("interval")), None)
        if level is not None and (alone or intervals):
            headers.append(f"{100 * level:g}% interval")
            cells = [interval_text((figures.get(name) or {}).get("interval"), digits) for name in types]
            columns.append([*cells, interval_text(score.interval, digits)])
        groups.append((score.full_name, len(headers) - sum(span for _, span in groups)))
    rows = tuple((name or "(none)", *(column[r] for column in columns)) for r, name in enumerate([*types, _ALL]))
    notes = (*_why_they_differ(scores), *dict.fromkeys(score.signature for score in scores))
    return Table(title, tuple(headers), rows, notes, groups=() if alone else tuple(groups))


def _by_frequency(of_systems: Sequence[Mapping[str, _Figures]]) -> list[str]:
    """Every type, the most frequent in the gold first, then the most often proposed."""
    names = sorted({name for types in of_systems for name in types})
    return sorted(
        names, key=lambda n: tuple(-sum(_count(t.get(n), key) for t in of_systems) for key in ("gold", "proposed"))
    )


def _count(figures: _Figures | None, key: str) -> int:
    return 0 if figures is None else figures[key] or 0


def _columns(score: Score, alone: bool) -> list[Column]:
    """What is known of a system's types: precision and F only where the system's edits have types."""
    types = (score.types or {}).values()
    f = Column(f"F{score.options.get('beta', 1.0):g}", ("score",))
    if not any(figures["proposed"] is not None for figures in types):
        return [_GOLD, _FOUND, _R] if alone else [_GOLD, _R]
    if alone:
        return [_GOLD, _FOUND, _R, _PROPOSED, _CORRECT, _P, f]
    return [_GOLD, _P, _R, f]


def _cell(figures: _Figures | None, column: Column, digits: int) -> str:
    """A figure of a type; a share of no edit at all says nothing."""
    (key,) = column.path
    if not column.percentage:
        return str(_count(figures, key))
    if figures is None or not _count(figures, {"precision": "proposed", "recall": "gold"}.get(key, "gold")):
        return "–"
    return figure_text(figures[key], column, digits)


def _whole(score: Score, column: Column, digits: int) -> str:
    """The figure of all types: the score's own."""
    names = {"found": "tp", "correct": "tp"}
    return figure_text(getattr(score, names.get(column.path[0], column.path[0]), None), column, digits)


def _why_they_differ(scores: Sequence[Score]) -> list[str]:
    """What a reader who adds figures up, or compares those of two systems, must know."""
    notes = []
    if len({getattr(score, "gold", 0) for score in scores}) > 1:
        notes.append(
            "gold: the edits of the annotators that were chosen for each system, so that their number differs between "
            "systems"
        )
    apart = [s.full_name for s in scores if _sum(s, "proposed") not in (None, getattr(s, "proposed", None))]
    if apart:
        notes.append(
            f"{', '.join(apart)}: by type P is of the edits that the system itself gave; the row {_ALL} has those that "
            "the metric found in its text, which may be more or fewer"
        )
    apart = [
        s.full_name
        for s in scores
        if (_sum(s, "gold"), _sum(s, "found")) != (getattr(s, "gold", None), getattr(s, "tp", None))
    ]
    if apart:
        notes.append(
            f"{', '.join(apart)}: types count edits, the row {_ALL} has what the metric makes of them: edits may stand "
            "twice, be weighed, or lie in sentences without a chosen annotator"
        )
    if any(_kinds_apart(score) for score in scores):
        notes.append(
            "a right edit counts under the gold's type, a wrong one under the system's own, and these come from "
            "different lists: recte extract GOLD --edits gold gives the gold ERRANT's types"
        )
    return notes


def _sum(score: Score, key: str) -> int | None:
    found = [figures[key] for figures in (score.types or {}).values()]
    return None if any(value is None for value in found) else sum(found)


def _kinds_apart(score: Score) -> bool:
    """Whether no type of a wrong edit is among the types of the gold."""
    types = score.types or {}
    wrong = {name for name, f in types.items() if (f["proposed"] or 0) > (f["correct"] or 0)}
    return bool(wrong) and not any(_count(types[name], "gold") for name in wrong)
