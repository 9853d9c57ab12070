"""Tables of one command agree: soft pairwise accuracy of systems and of clusters, rows best first, and the verdict."""

from __future__ import annotations

import pytest

from recte.cli import main

ARGUMENTS = (
    "judgments.tsv",
    "gold.m2",
    "systems/heron.txt",
    "systems/magpie.txt",
    "systems/wren.txt",
    "-m",
    "gleu",
    "m2",
)


@pytest.fixture
def tables(sample, capsys):
    assert main(["metaeval", *ARGUMENTS, "imeasure", "--clusters", "--windows", "3", "-q"]) == 0
    return capsys.readouterr().out.split("\n\n")


def table(tables, title):
    return next(lines for lines in (text.split("\n") for text in tables) if lines[0].startswith(title))


def column(lines, header):
    """The figures of a column by the first cell of their row; figures stand below the end of their header."""
    end = lines[1].index(header) + len(header)
    rows = (line for line in lines[2:] if line[:end].strip() and not line.startswith(("(", "closest")))
    return {line.split()[0]: line[:end].split()[-1] for line in rows if line[0] != " " and line[end - 1].isdigit()}


def test_clusters_show_the_accuracy_of_the_table_of_systems(tables):
    systems = column(table(tables, "System level"), "SPA")
    clusters = column(table(tables, "Clusters of metrics: System level"), "SPA")
    assert {name: systems[name] for name in ("gleu", "m2", "imeasure")} == clusters


def test_rows_are_best_first_and_a_line_says_who_is_closest(tables):
    lines = table(tables, "System level")
    figures = [float(column(lines, " r")[name]) for name in column(lines, " r")]
    assert figures == sorted(figures, reverse=True)
    assert sum(line.startswith("closest to people: ") for line in lines) == 1


def test_windows_stand_last(tables):
    assert tables[-1].startswith("Windows")
