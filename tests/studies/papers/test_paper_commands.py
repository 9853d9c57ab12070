"""docs/paper-commands.md: every command is run, and prints what the page says; that is the paper's figure."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from recte.cli import main
from recte.studies.papers.command import PAPERS, paper_named
from recte.studies.papers.imeasure_2015 import PRINTED_10, PRINTED_11, TABLE_11
from recte.tasks.presets import PRESETS
from shared_data import shared

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "paper-commands.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("|") and "`recte " in line
]
VERDICTS = re.compile(r"(\d+) (exact|within rounding|within chance|holds|does not hold)")


def blocks():
    return re.findall(r"```(?:text|xml)\n(.*?)```", PAGE, re.DOTALL)


def write_files(folder, monkeypatch):
    """The folder of the data, with the small files of the page."""
    for path in shared("data").iterdir():
        (folder / path.name).symlink_to(path)
    names = ("example.m2", "example.txt", "listing1.xml", "listing1.txt")
    for name, text in zip(names, blocks(), strict=True):
        (folder / name).write_text(text + ("\n" if name.endswith("m2") else ""))
    columns = {"m2": (PRINTED_10, "mixed, F0.5"), "tokens": (PRINTED_11, "F0.5"), "i": (PRINTED_11, "I")}
    scores = [
        f"{metric}\t{system}\t{table[f'{system}, {column}']}\n"
        for metric, (table, column) in columns.items()
        for system in TABLE_11
    ]
    (folder / "table10-11.tsv").write_text("metric\tsystem\tscore\n" + "".join(scores))
    pairs = (f"ucca/amittaic{n}.xml.gz\tucca/tree{n}.xml.gz\n" for n in (1297, 1298, 1300, 1301))
    (folder / "learner.tsv").write_text("".join(pairs))
    monkeypatch.chdir(folder)


def expanded(command):
    """The words of a command, as a shell gives them."""
    words = []
    for word in shlex.split(command)[1:]:
        words += sorted(map(str, Path().glob(word))) if "*" in word else [word]
    return words


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_a_command_prints_the_papers_figure(row, tmp_path, capsys, monkeypatch):
    _, _, command, _, printed = row
    write_files(tmp_path, monkeypatch)
    words = expanded(command.strip("`"))
    if "jieba" in printed:
        pytest.importorskip("jieba")
    if words[0] == "reproduce":
        assert main([*words, "--data", ".", "-q", "-f", "json"]) == 0
        (table,) = json.loads(capsys.readouterr().out)["reproduction"]
        expected = {verdict: int(number) for number, verdict in VERDICTS.findall(printed)}
        assert expected
        shown = {v: n for v, n in table["verdicts"].items() if n and v not in ("not printed", "no data")}
        assert shown == expected
        return
    assert main(words) == 0
    out = capsys.readouterr().out
    for figure in re.findall(r"`([^`]+)`", printed):
        assert figure in out, out


def test_the_page_has_every_paper_and_its_preset():
    for name in PAPERS:
        assert f"\n## {name}\n" in PAGE
        authors = paper_named(name).citation.partition(")")[0]
        assert f"[{authors})](#{name})" in PAGE
        assert name in PRESETS or name == "conservatism-2017"
    readme = (ROOT / "README.md").read_text()
    for name in PAPERS:
        assert paper_named(name).citation.partition(" (")[0] in readme
