"""A paper as data: its tables, each with what is printed and how recte computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recte.metrics.annotator_choice import f_score
from recte.studies.papers.data import MissingData, PaperData
from recte.studies.papers.result import FromRounded, PaperFigure, TableResult, Value, compare_figure, decimals

__all__ = ["Charts", "Computed", "Paper", "PaperTable", "f_from_printed", "grid"]

Computed = Mapping[str, Value]
Charts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """A table or figure: `published` figures by name, as printed; `compute` gives ours under the same names.

    What is published and not computed lacks data, and `why` says which; what is computed and not published is shown
    next to it. `why` explains differences, by the beginning of a figure's name (the empty one stands for all).
    `needs` are
    folders of the data. `printed` is False where the published figures come from what the authors released. `in_words`
    is True where the paper says in words what is put as figures here: these are claims, which hold or not. `instead`
    says, as `why` does, what ours were computed from where the paper's own data cannot be had: then no verdict is
    passed on them.
    """

    name: str
    title: str
    published: Mapping[str, str] = field(default_factory=dict)
    compute: Callable[[PaperData], Computed]
    draw: Callable[[PaperData], Charts] | None = None
    why: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    printed: bool = True
    in_words: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)

    def reproduce(self, paper: str, data: PaperData) -> TableResult:
        """The table with a verdict for each figure; where data is missing, with what is needed."""
        place = ""
        try:
            ours = self.compute(data)
            names = dict.fromkeys([*self.published, *ours])
            figures = [self._figure(name, ours.get(name)) for name in names]
        except MissingData as missing:
            place = missing.place
            figures = [compare_figure(name, printed, None, str(missing)) for name, printed in self.published.items()]
            if not figures:
                figures = [compare_figure(self.title, None, None, str(missing))]
        return TableResult(paper, self.name, self.title, self.printed, tuple(figures), self.notes, place)

    def charts(self, data: PaperData) -> Charts:
        """Vega-Lite specifications by name; none where there is nothing to draw, or nothing to draw it from."""
        if self.draw is None:
            return {}
        try:
            return self.draw(data)
        except MissingData:
            return {}

    def _figure(self, name: str, ours: Value | None) -> PaperFigure:
        figure = compare_figure(name, self.published.get(name), ours, _reason_for(name, self.why), claim=self.in_words)
        instead = _reason_for(name, self.instead)
        return replace(figure, verdict="no data", why=instead) if instead and figure.published else figure


def _reason_for(name: str, reasons: Mapping[str, str]) -> str:
    """The reason with the longest beginning that the name has."""
    beginnings = [beginning for beginning in reasons if name.startswith(beginning)]
    return reasons[max(beginnings, key=len)] if beginnings else ""


@dataclass(frozen=True)
class Paper:
    """A paper by its short name, who wrote it, and its tables in order."""

    name: str
    citation: str
    tables: tuple[PaperTable, ...]


def grid(rows: Sequence[str], columns: Sequence[str], *printed: str) -> dict[str, str]:
    """Names and printed figures of a table, given row by row.

    >>> grid(["GLEU", "M²"], ["r", "ρ"], "0.691 0.407", "0.623 0.687")["M², ρ"]
    '0.687'
    """
    cells = [line.split() for line in printed]
    return {
        f"{row}, {column}": cell
        for row, line in zip(rows, cells, strict=True)
        for column, cell in zip(columns, line, strict=True)
    }


def f_from_printed(printed: Mapping[str, str], beta: float = 0.5) -> dict[str, FromRounded]:
    """F of the P and R that a table prints, under the names of its F.

    >>> round(f_from_printed({"S1, P": "0.60", "S1, R": "0.20", "S1, F0.5": "0.43"})["S1, F0.5"].value, 4)
    0.4286
    """
    name_of_f = f"F{beta:g}"
    values = {}
    for stem in [name.removesuffix(name_of_f) for name in printed if name.endswith(name_of_f)]:
        p, r = (printed[f"{stem}{c}"] for c in "PR")
        half = [10.0 ** -decimals(text) / 2 for text in (p, r)]
        ends = [f_score(max(float(p) + s * half[0], 0), max(float(r) + s * half[1], 0), beta) for s in (-1, 0, 1)]
        values[f"{stem}{name_of_f}"] = FromRounded(ends[1], ends[0], ends[2])
    return values
