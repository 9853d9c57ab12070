"""Reproduced tables in the form that reports print, and the table of verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any, TypeVar

from recte.output.page.table_page import PagePart, PageSection, render_tables
from recte.output.tables import Table, markdown_grid
from recte.studies.papers.paper import Paper, PaperTable
from recte.studies.papers.result import CLAIMS, VERDICTS, PaperFigure, TableResult, decimals

__all__ = [
    "contents",
    "html_page",
    "markdown_page",
    "paper_sections",
    "result_notes",
    "result_table",
    "to_list",
    "to_markdown",
    "verdict_table",
]

T = TypeVar("T")
Pictures = Mapping[tuple[str, str], Sequence[T]]  # by paper and table

_FEW = 3  # names that a note spells out
_WIDTH = 100  # of notes in plain text
_LONG = 30  # letters of a text that is not repeated


def result_table(result: TableResult) -> Table:
    """A line a figure: published, ours, the difference and the verdict; what is to be said of them as notes."""
    headers = ("", "published" if result.printed else "released", "ours", "difference", "verdict")
    notes = [line for note in result_notes(result) for line in wrap(note, _WIDTH)]
    return Table(result.title, headers, tuple(_line(figure) for figure in result.figures), tuple(notes))


def _line(figure: PaperFigure) -> tuple[str, ...]:
    digits = decimals(figure.published) if figure.published and figure.published[0] not in CLAIMS else None
    difference = figure.difference
    if difference is None:
        apart = ""
    elif isinstance(figure.ours, int):
        apart = f"{difference:+.0f}" if difference else "0"
    else:
        apart = f"{difference:+.{(digits or 0) + 2}f}"
    same = isinstance(figure.ours, str) and figure.ours == figure.published and len(figure.ours) > _LONG
    ours = "the same" if same else _number(figure.ours, digits)
    return figure.name, figure.published or "–", ours, apart, figure.verdict


def _number(value: int | float | str | None, digits: int | None) -> str:
    """One digit more than is printed, so that rounding shows."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.{(2 if abs(value) >= 2 else 4) if digits is None else digits + 1}f}"
    return str(value)


def result_notes(result: TableResult) -> tuple[str, ...]:
    """Why figures differ or lack data, each reason once, then what the paper's module says of the table."""
    reasons: dict[str, list[str]] = {}
    for figure in result.figures:
        if figure.why:
            reasons.setdefault(f"{figure.verdict}: {figure.why}", []).append(figure.name)
    texts = []
    for reason, names in reasons.items():
        whole = len(reasons) == 1 and (len(names) > _FEW or len(names) == len(result.figures))
        who = "; ".join(names) if len(names) <= _FEW else f"{len(names)} figures"
        texts.append(reason if whole else f"{who}: {reason}")
    return (*texts, *result.notes)


def verdict_table(results: Sequence[TableResult]) -> Table:
    """How many figures of each paper have each verdict."""
    papers = list(dict.fromkeys(result.paper for result in results))
    counted = [[sum(r.verdicts[v] for r in results if r.paper == paper) for v in VERDICTS] for paper in papers]
    rows = [(paper, *map(str, row), str(sum(row))) for paper, row in zip(papers, counted, strict=True)]
    if len(papers) > 1:
        totals = [sum(column) for column in zip(*counted, strict=True)]
        rows.append(("all", *map(str, totals), str(sum(totals))))
    return Table("Verdicts", ("paper", *VERDICTS, "figures"), tuple(rows))


def missing_table(results: Sequence[TableResult]) -> Table | None:
    """What each missing file would give: the tables that need it first, and their published figures."""
    by_file: dict[str, list[TableResult]] = {}
    for result in results:
        if result.missing:
            by_file.setdefault(result.missing, []).append(result)
    rows = [
        (place, str(sum(f.published is not None for r in of_file for f in r.figures)), result.paper, result.name)
        if number == 0
        else ("", "", result.paper, result.name)
        for place, of_file in by_file.items()
        for number, result in enumerate(of_file)
    ]
    notes = (
        "docs/paper-data.md says where each file comes from",
        "a table may need further files, which it names then",
    )
    headers = ("file", "figures", "paper", "table")
    return Table("Missing files, and what they would give", headers, tuple(rows), notes, words=4) if rows else None


def contents(tables: Sequence[tuple[Paper, PaperTable]]) -> str:
    """What can be asked for, paper by paper, and which data it needs."""
    lines: list[str] = []
    for paper, table in tables:
        heading = f"{paper.name}: {paper.citation}"
        if heading not in lines:
            lines += [*([""] if lines else []), heading]
        needs = f" [{', '.join(table.needs)}]" if table.needs else ""
        lines.append(f"  {table.name:<21} {table.title}{needs}")
    return "\n".join([*lines, "", "In brackets: the data that a table needs, folders of --data."])


def to_list(tables: Sequence[tuple[Paper, PaperTable]]) -> list[dict[str, Any]]:
    """The same as plain dicts, a paper each."""
    return [
        {
            "name": paper.name,
            "citation": paper.citation,
            "tables": [
                {"name": table.name, "title": table.title, "needs": list(table.needs)}
                for of, table in tables
                if of.name == paper.name
            ],
        }
        for paper in {paper.name: paper for paper, _ in tables}.values()
    ]


def to_markdown(result: TableResult, pictures: Sequence[str] = ()) -> str:
    """A section with its verdicts; its table, its notes and its pictures (by their files) unfold."""
    drawn = [f"![{result.title}]({picture})" for picture in pictures]
    told = Counter(figure.verdict for figure in result.figures)
    verdicts = ", ".join(f"{told[verdict]} {verdict}" for verdict in VERDICTS if told[verdict])
    folded = ["<details>", "<summary>figures</summary>", markdown_grid(result_table(result)), *result_notes(result)]
    return "\n\n".join([f"### {result.title}", verdicts, *folded, "</details>", *drawn])


def html_page(papers: Sequence[Paper], results: Sequence[TableResult], pictures: Pictures[bytes]) -> str:
    """The same as one self-contained HTML page."""
    sections = [
        PageSection(
            paper.name,
            paper.citation,
            tuple(
                PagePart(
                    replace(result_table(result), notes=result_notes(result)),
                    tuple(pictures.get((paper.name, result.name), ())),
                )
                for result in results
                if result.paper == paper.name
            ),
        )
        for paper in {paper.name: paper for paper in papers}.values()
    ]
    lede = "What five papers report, recomputed next to the published figures."
    return render_tables("Reproduction", lede, verdict_table(results), sections, marked=VERDICTS)


_PAGE_HEAD = """# Reproduction

What five papers report, recomputed by recte, with the published figures. docs/reproduction.md says how to read it."""


def markdown_page(papers: Sequence[Paper], results: Sequence[TableResult], pictures: Pictures[str]) -> str:
    """All results: the number of figures with each verdict first, then a section for each paper."""
    return "\n\n".join([_PAGE_HEAD, markdown_grid(verdict_table(results)), *paper_sections(papers, results, pictures)])


def paper_sections(papers: Sequence[Paper], results: Sequence[TableResult], pictures: Pictures[str]) -> list[str]:
    """Each paper's heading, and below it a section for each of its tables."""
    parts = []
    for paper in {paper.name: paper for paper in papers}.values():
        parts.append(f"## {paper.name}\n\n{paper.citation}")
        of_paper = [result for result in results if result.paper == paper.name]
        parts += [to_markdown(result, pictures.get((paper.name, result.name), ())) for result in of_paper]
    return parts
