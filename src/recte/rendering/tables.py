"""One table of scores, rendered for a terminal, a pipe, a paper or a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recte.metrics.base import Column, Score
from recte.visible_text import visible

__all__ = [
    "Table",
    "convention_table",
    "markdown_grid",
    "score_table",
    "sentence_table",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_text",
    "type_table",
]


@dataclass(frozen=True)
class Table:
    """Headers and cells as text; the first column names a row, the others hold figures, or `words` in the last ones.

    Names come from files and users: what a terminal would obey is written out.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()  # cells that hold the best value of their column
    words: int = 0  # so many columns at the end hold words: set to the left, and broken where a line is too long

    def is_figure(self, column: int) -> bool:
        """Whether the column is set to the right."""
        return 0 < column < len(self.headers) - self.words

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", visible(self.title))
        object.__setattr__(self, "headers", tuple(map(visible, self.headers)))
        object.__setattr__(self, "rows", tuple(tuple(map(visible, row)) for row in self.rows))
        object.__setattr__(self, "notes", tuple(map(visible, self.notes)))


def score_table(
    title: str,
    scores: Sequence[Score],
    columns: Sequence[Column],
    digits: int = 2,
    *,
    apart: bool = False,
) -> Table:
    """One row a system, percentages, the best of each column marked; intervals last, their ends `apart` on request.

    Where a figure is above 100 %, or a count negative, a note below the table says why.
    """
    values = [[_figure(score.to_dict(), column.path) for column in columns] for score in scores]
    cells = tuple(
        (_name(score), *(_format(value, column, digits) for value, column in zip(row, columns, strict=True)))
        for score, row in zip(scores, values, strict=True)
    )
    best = set()
    for c, column in enumerate(columns):
        whole = [row[c] for score, row in zip(scores, values, strict=True) if not score.subset]
        if column.path == ("score",) and len(whole) > 1:
            top = max(whole) if scores[0].higher_is_better else min(whole)
            best |= {(r, c + 1) for r, row in enumerate(values) if row[c] == top and not scores[r].subset}
    signatures = dict.fromkeys(score.signature for score in scores)
    headers = ("system", *(c.header for c in columns))
    if any(score.interval for score in scores):
        headers = (*headers, *_interval_headers(scores, apart))
        cells = tuple((*row, *_interval_cells(score, digits, apart)) for score, row in zip(scores, cells, strict=True))
    beyond = tuple(filter(None, (_beyond(s, row, columns) for s, row in zip(scores, values, strict=True))))
    return Table(title, headers, cells, (*signatures, *beyond), best=frozenset(best))


def _beyond(score: Score, row: Sequence[Any], columns: Sequence[Column]) -> str:
    """Which figures of a score are above 100 % or are negative counts, and why."""
    odd = [
        column.header
        for value, column in zip(row, columns, strict=True)
        if value is not None and (value > 1 if column.percentage else isinstance(value, int) and value < 0)
    ]
    return f"{_name(score)}: {', '.join(odd)} out of range: {score.beyond}" if odd else ""


def _interval_headers(scores: Sequence[Score], apart: bool) -> tuple[str, ...]:
    level = next(score.interval["level"] for score in scores if score.interval)
    return ("low", "high") if apart else (f"{100 * level:g}% interval",)


def _interval_cells(score: Score, digits: int, apart: bool) -> tuple[str, ...]:
    if not score.interval:
        return ("–", "–") if apart else ("–",)
    if not apart:
        return (_interval(score.interval, digits),)
    return tuple(f"{100 * score.interval[end]:.{digits}f}" for end in ("low", "high"))


def _name(score: Score) -> str:
    if not score.subset:
        return score.system
    return f"{score.system} [{', '.join(f'{key}={value}' for key, value in score.subset.items())}]"


def _figure(row: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = row
    for key in path:
        value = value[key]
    return value


def _format(value: Any, column: Column, digits: int) -> str:
    if value is None:
        return "–"
    if column.percentage:
        return f"{100 * value:.{digits}f}"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def sentence_table(title: str, scores: Sequence[Score], digits: int = 2) -> Table:
    """One row per sentence, one column per system."""
    headers = ("sentence", *(_name(score) for score in scores))
    by_sentence = zip(*(score.sentences or () for score in scores), strict=True)
    rows = tuple(
        (str(entries[0]["sentence"]), *(f"{100 * entry['score']:.{digits}f}" for entry in entries))
        for entries in by_sentence
    )
    signatures = dict.fromkeys(score.signature for score in scores)
    return Table(title, headers, rows, tuple(signatures))


def type_table(score: Score, types: Mapping[str, Mapping[str, Any]], digits: int = 2) -> Table:
    """One row an error type, the most frequent first."""
    columns = [
        Column("gold", ("gold",), percentage=False),
        Column("found", ("found",), percentage=False),
        Column("R", ("recall",)),
    ]
    if any(figures["proposed"] is not None for figures in types.values()):
        columns += [
            Column("proposed", ("proposed",), percentage=False),
            Column("correct", ("correct",), percentage=False),
            Column("P", ("precision",)),
        ]
    if any("score" in figures for figures in types.values()):
        columns.append(Column(f"F{score.options.get('beta', 1.0):g}", ("score",)))
    headers = ("type", *(c.header for c in columns))
    ordered = sorted(types.items(), key=lambda item: (-item[1]["gold"], item[0]))
    rows = [(name or "(none)", *(_format(f[c.path[0]], c, digits) for c in columns)) for name, f in ordered]
    level = next((f["interval"]["level"] for f in types.values() if f.get("interval")), None)
    if level is not None:
        headers = (*headers, f"{100 * level:g}% interval")
        rows = [(*row, _interval(f.get("interval"), digits)) for row, (_, f) in zip(rows, ordered, strict=True)]
    return Table(f"{_name(score)} by error type", headers, tuple(rows), (score.signature,))


def _interval(interval: Mapping[str, Any] | None, digits: int) -> str:
    if not interval:
        return "–"
    return f"[{', '.join(f'{100 * interval[end]:.{digits}f}' for end in ('low', 'high'))}]"


def convention_table(score: Score, conventions: Mapping[str, Mapping[str, Any]], digits: int = 2) -> Table:
    """One row for each way to count one output, F1 of detection and correction, and what is particular about it."""
    f1 = Column("", ("f",))
    rows = tuple(
        (
            name,
            *("–" if of[task] is None else _format(of[task]["f"], f1, digits) for task in ("detection", "correction")),
            of["who"],
            of["rule"],
        )
        for name, of in conventions.items()
    )
    headers = ("convention", "detection F1", "correction F1", "who", "what is particular")
    return Table(f"{_name(score)} by every convention", headers, rows, (score.signature,), words=2)


def to_text(table: Table) -> str:
    """Aligned columns, for a pipe or a plain terminal."""
    widths = [max(len(row[c]) for row in (table.headers, *table.rows)) for c in range(len(table.headers))]

    def line(cells: Sequence[str]) -> str:
        aligned = (
            cell.rjust(width) if table.is_figure(c) else cell.ljust(width)
            for c, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(aligned).rstrip()

    return "\n".join([table.title, line(table.headers), *map(line, table.rows), *table.notes])


def to_markdown(table: Table) -> str:
    """A pipe table, with the title above and the signatures below."""
    notes = ["`{}`".format(note.replace("`", "'")) for note in table.notes]
    parts = [f"**{_markdown(table.title)}**", "", markdown_grid(table)]
    return "\n".join([*parts, "", *notes] if notes else parts)


def markdown_grid(table: Table) -> str:
    """A pipe table alone: headers and rows."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(map(_markdown, cells)) + " |"

    ruler = ["---:" if table.is_figure(c) else "---" for c in range(len(table.headers))]
    body = (
        tuple(f"**{cell}**" if (r, c) in table.best else cell for c, cell in enumerate(row))
        for r, row in enumerate(table.rows)
    )
    return "\n".join([line(table.headers), line(ruler), *map(line, body)])


def _markdown(text: str) -> str:
    """Text that makes neither a cell, nor markup, nor a link."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("](", "]\\(")


def to_latex(table: Table) -> str:
    """A tabular for a paper (package booktabs), signatures as comments."""
    body = [
        " & ".join(rf"\textbf{{{_tex(cell)}}}" if (r, c) in table.best else _tex(cell) for c, cell in enumerate(row))
        + r" \\"
        for r, row in enumerate(table.rows)
    ]
    alignment = "".join("r" if table.is_figure(c) else "l" for c in range(len(table.headers)))
    return "\n".join(
        [
            f"% {table.title}",
            *(f"% {note}" for note in table.notes),
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            " & ".join(map(_tex, table.headers)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "²": "$^2$",
        "ρ": r"$\rho$",
        "τ": r"$\tau$",
        "κ": r"$\kappa$",
        "ε": r"$\varepsilon$",
        "±": r"$\pm$",
        "−": "$-$",
        "·": r"$\cdot$",
        "→": r"$\rightarrow$",
        **{character: f"${character}$" for character in "<>|"},  # text fonts have other signs in their places
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


def _tex(text: str) -> str:
    return text.translate(_TEX)


def to_csv(table: Table) -> str:
    """Comma-separated, headers first, nothing else."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows(map(_no_formula, row) for row in (table.headers, *table.rows))
    return buffer.getvalue().rstrip("\n")


def _no_formula(cell: str) -> str:
    """The cell, with a mark before it where a spreadsheet would compute it; numbers stay."""
    if cell[:1] not in ("=", "+", "-", "@"):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
