"""A table as data, and as CSV, Markdown or LaTeX; `table_layout` lays it out for a terminal."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from recte.patterns import compile_later
from recte.streamed import Streamed
from recte.text.printable_text import visible

__all__ = [
    "COLUMN_POINTS",
    "StreamedRows",
    "Table",
    "csv_lines",
    "delimited_lines",
    "markdown_grid",
    "markdown_lines",
    "to_csv",
    "to_latex",
    "to_markdown",
]

_FORMULA = compile_later(r"(?:^|(?<=;))(?=[=+\-@＝＋－＠])")  # where a formula would begin


class StreamedRows(Streamed[tuple[str, ...]]):
    """Rows of a table that are too many to keep, made when they are written."""

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (tuple(map(visible, row)) for row in super().__iter__())


@dataclass(frozen=True)
class Table:
    """Headers and cells as text; the first column names a row, the others hold figures, or `words` in the last ones.

    Names come from files and users: what a terminal would obey is written out.
    """

    title: str
    headers: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]  # a tuple, or `StreamedRows`
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()  # cells that hold the best value of their column
    best_note: str = ""  # what is said of them, where they can be seen to be bold
    words: int = 0  # so many columns at the end hold words: set to the left, and broken where a line is too long
    groups: tuple[tuple[str, int], ...] = ()  # headers above the headers, and how many columns each is above
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)  # signs behind cells, such as †
    caption: str = ""  # what stands in place of the title; in LaTeX the table is then a float with this caption

    def is_figure(self, column: int) -> bool:
        """Whether the column is set to the right."""
        return 0 < column < len(self.headers) - self.words

    @property
    def flat_headers(self) -> tuple[str, ...]:
        """One header for each column, with its group's before it."""
        above = [group for group, span in self.groups for _ in range(span)] or [""] * len(self.headers)
        return tuple(" ".join(filter(None, both)) for both in zip(above, self.headers, strict=True))

    @property
    def bold_notes(self) -> tuple[str, ...]:
        """The notes, with what is said of the best where it stands in bold."""
        return (self.best_note, *self.notes) if self.best and self.best_note else self.notes

    def without_notes(self) -> Table:
        """The same table with nothing below it."""
        return replace(self, notes=(), best_note="")

    def parts(self) -> list[range]:
        """The columns that belong together: groups, or single columns; the first column is none of them."""
        spans = [span for _, span in self.groups] or [1] * len(self.headers)
        starts = [sum(spans[:place]) for place in range(len(spans))]
        ranges = [range(start, start + span) for start, span in zip(starts, spans, strict=True)]
        return [part for part in (range(max(part.start, 1), part.stop) for part in ranges) if part]

    def only(self, columns: Sequence[int]) -> Table:
        """The same table with these columns alone."""
        place = {column: number for number, column in enumerate(columns)}
        above = [number for number, (_, span) in enumerate(self.groups) for _ in range(span)]
        groups = [above[column] for column in columns] if above else []
        return replace(
            self,
            headers=tuple(self.headers[c] for c in columns),
            rows=StreamedRows(len(self.rows), lambda: (tuple(row[c] for c in columns) for row in self.rows)),
            best=frozenset((r, place[c]) for r, c in self.best if c in place),
            marks={(r, place[c]): mark for (r, c), mark in self.marks.items() if c in place},
            words=sum(c >= len(self.headers) - self.words for c in columns),
            groups=tuple((self.groups[g][0], groups.count(g)) for g in dict.fromkeys(groups)),
        )

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", visible(self.caption or self.title))
        object.__setattr__(self, "caption", visible(self.caption))
        object.__setattr__(self, "headers", tuple(map(visible, self.headers)))
        if not isinstance(self.rows, StreamedRows):
            object.__setattr__(self, "rows", tuple(tuple(map(visible, row)) for row in self.rows))
        object.__setattr__(self, "notes", tuple(map(visible, self.notes)))
        object.__setattr__(self, "best_note", visible(self.best_note))
        object.__setattr__(self, "groups", tuple((visible(name), span) for name, span in self.groups))


def to_markdown(table: Table) -> str:
    """A pipe table, with the title above and the signatures below."""
    return "\n".join(markdown_lines(table))


def markdown_lines(table: Table) -> Iterator[str]:
    """The lines of `to_markdown`."""
    plain = [note.replace("`", "'") for note in table.bold_notes]
    notes = [f"`{note}`" if "|" in note else _markdown(note) for note in plain]  # a signature is code
    yield from (f"**{_markdown(table.title)}**", "")
    yield from _markdown_grid_lines(table)
    for note in notes:
        yield from ("", note)


def markdown_grid(table: Table) -> str:
    """A pipe table alone: headers and rows."""
    return "\n".join(_markdown_grid_lines(table))


def _markdown_grid_lines(table: Table) -> Iterator[str]:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    yield line(map(_markdown, table.flat_headers))
    yield line("---:" if table.is_figure(c) else "---" for c in range(len(table.headers)))
    for r, row in enumerate(table.rows):
        yield line(
            (f"**{_markdown(cell)}**" if (r, c) in table.best else _markdown(cell)) + table.marks.get((r, c), "")
            for c, cell in enumerate(row)
        )


def _markdown(text: str) -> str:
    """Text that makes neither a cell, nor markup, nor a link."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("](", "]\\(")


def to_latex(table: Table) -> str:
    """A tabular for a paper (package booktabs), with the notes printed below it; a float where it has a caption.

    A table that would be wider than a column of a paper is made as wide as the place where it stands (graphicx).
    """
    body = [
        _latex_row(
            [
                (rf"\textbf{{{text}}}" if (r, c) in table.best else text)
                + (rf"\rlap{{{_tex(table.marks[r, c])}}}" if (r, c) in table.marks else "")
                for c, text in enumerate(map(_tex_figure, row))
            ]
        )
        for r, row in enumerate(table.rows)
    ]
    alignment = "".join("r" if table.is_figure(c) else "l" for c in range(len(table.headers)))
    tabular = [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        *_latex_groups(table),
        _latex_row([*map(_tex_header, table.headers)]),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if _latex_width(table) > COLUMN_POINTS:
        tabular = [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", *tabular, r"\unskip}"]
    lines = [*tabular, *_latex_notes(table.bold_notes)]
    if table.caption:
        lines = [r"\begin{table}", r"\centering", *lines, rf"\caption{{{_tex(table.caption)}}}", r"\end{table}"]
    return "\n".join([f"% {table.title}", *lines])


COLUMN_POINTS = 219  # a column of two on A4 paper (ACL): 77 mm
_LETTER_POINTS, _GAP_POINTS = 4.9, 12  # of a font of 10 pt: letters and digits on average, and between two columns


def _latex_width(table: Table) -> float:
    """About how many points wide the table is."""
    texts = [table.headers, *table.rows]
    letters = sum(max(len(row[c]) for row in texts) for c in range(len(table.headers)))
    return _LETTER_POINTS * letters + _GAP_POINTS * len(table.headers)


def _latex_row(cells: Sequence[str]) -> str:
    line = " & ".join(cells) + r" \\"
    return "{}" + line if line[0] in "[*" else line  # which the end of the row before would take for its own


def _latex_groups(table: Table) -> list[str]:
    """The headers above the headers, with a line below each."""
    if not any(name for name, _ in table.groups):
        return []
    cells, rules, column = [], [], 1
    for name, span in table.groups:
        cells.append(rf"\multicolumn{{{span}}}{{c}}{{{_tex_header(name)}}}" if name else " & ".join([""] * span))
        rules.append(rf"\cmidrule(lr){{{column}-{column + span - 1}}}" if name else "")
        column += span
    return [_latex_row(cells), "".join(rules)]


def _latex_notes(notes: Sequence[str]) -> list[str]:
    """Small print as wide as the column that the table stands in; a signature may be broken where a part of it ends."""
    if not notes:
        return []
    lines = [_tex(note).replace("$|$", r"$|$\allowbreak{}") for note in notes]
    return [
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        "\\par\n".join(lines),
        r"\end{minipage}",
    ]


_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "²": "$^2$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "ρ": r"$\rho$",
        "τ": r"$\tau$",
        "κ": r"$\kappa$",
        "ε": r"$\varepsilon$",
        "±": r"$\pm$",
        "−": "$-$",
        "·": r"$\cdot$",
        "→": r"$\rightarrow$",
        "≤": r"$\le$",
        "′": "$'$",
        "…": r"\dots{}",
        "†": r"$^{\dagger}$",
        "‡": r"$^{\ddagger}$",
        **{character: f"${character}$" for character in "<>|"},  # text fonts have other signs in their places
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)
_MINUS = compile_later(r"(?<![^\s\[(])-(?=\.?\d)")
_F_OF_BETA = compile_later(r"\b(\w?F)(\d+(?:\.\d+)?)\b")


def _tex(text: str) -> str:
    return text.translate(_TEX)


def _tex_figure(text: str) -> str:
    """A cell in which the hyphen before a number is a minus sign."""
    return _tex(_MINUS.sub("−", text))


def _tex_header(text: str) -> str:
    """Header text, the β of an F-score below the line."""
    return _F_OF_BETA.sub(r"\1$_{\2}$", _tex(text))


def to_csv(table: Table) -> str:
    """Comma-separated, headers first, nothing else; a cell without a figure is empty."""
    return "\n".join(csv_lines(table))


def csv_lines(table: Table) -> Iterator[str]:
    """The lines of `to_csv`."""
    rows = (["" if cell == "–" else cell for cell in row] for row in table.rows)
    return delimited_lines(chain([table.flat_headers], rows), ",")


def delimited_lines(rows: Iterable[Sequence[str]], delimiter: str) -> Iterator[str]:
    """Rows as lines of cells, quoted where they must be, and computed by no spreadsheet."""
    line = _Line()
    writer = csv.writer(line, delimiter=delimiter, lineterminator="\n")
    for row in rows:
        writer.writerow([*map(_no_formula, row)])
        yield line.text.removesuffix("\n")


class _Line:
    """What a CSV writer wrote last."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text


def _no_formula(cell: str) -> str:
    """The cell, with a mark where a spreadsheet would compute it, also one that separates cells by semicolons; numbers
    stay.
    """
    if not _FORMULA.search(cell):
        return cell
    try:
        float(cell)
    except ValueError:
        return _FORMULA.sub("'", cell)
    return cell
