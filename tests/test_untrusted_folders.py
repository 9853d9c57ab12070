"""A folder with data is not a folder with code, whatever lies in it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from recte.cli import main
from recte.metrics import registry
from recte.output.tables import delimited_lines

RECTE = str(Path(sys.executable).with_name("recte"))
TRAP = "import pathlib; pathlib.Path('ran').touch()\n"


@pytest.mark.parametrize(
    "options",
    [
        ("score", "-m", "m2", "--edit-weights", "weights.tsv"),
        ("score", "-m", "m2", "--edit-verdicts", "verdicts.tsv"),
        ("report", "-m", "m2", "--edit-weights", "weights.tsv", "--to", "page.html"),
    ],
)
def test_modules_in_the_folder_of_the_data_are_not_imported(sample, options):
    """Data files of options are read by recte's own functions; a `jinja2.py` in their folder is not ours."""
    pytest.importorskip("vl_convert")
    Path("weights.tsv").write_text("sentence\tstart\tend\tcorrection\tweight\n1\t0\t1\tx\t2\n")
    Path("verdicts.tsv").write_text("sentence\tstart\tend\tcorrection\tverdict\n1\t0\t1\tx\tvalid\n")
    for name in ("jinja2", "markupsafe", "numpy", "scipy", "rich", "vl_convert", "csv", "json"):
        Path(f"{name}.py").write_text(TRAP)
    command = [RECTE, options[0], "gold.m2", "systems/wren.txt", *options[1:]]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not Path("ran").exists(), done.stderr
    assert "Traceback" not in done.stderr


def test_a_plug_in_that_ends_the_program_is_one_line(sample, monkeypatch, tmp_path, capsys):
    """A module that calls `sys.exit()` when it is imported once ended `recte --list` with exit code 0 and no output."""
    (tmp_path / "ending_plug_in.py").write_text("import sys\nsys.exit()\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("ending", "ending_plug_in:Metric", registry.GROUP)
    monkeypatch.setattr(registry, "_iterate_installed", lambda: [point])
    registry._entries.cache_clear()
    try:
        assert main(["score", "gold.m2", "systems/wren.txt", "-m", "ending"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert main(["--list"]) == 0
        assert "MaxMatch" in capsys.readouterr().out
    finally:
        registry._entries.cache_clear()


@pytest.mark.parametrize("limit", ["m2=nan", "m2=inf", "nan"])
def test_a_limit_is_a_finite_number(sample, limit, capsys):
    assert main(["score", "gold.m2", "systems/wren.txt", "--fail-under", limit]) == 2
    assert "--fail-under: expected METRIC=NUMBER" in capsys.readouterr().err


def test_a_number_of_threads_with_thousands_of_digits(sample, capsys, monkeypatch):
    monkeypatch.setitem(os.environ, "RECTE_THREADS", "9" * 5000)
    assert main(["score", "gold.m2", "systems/wren.txt"]) == 2
    assert "RECTE_THREADS: expected a number from 1 to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("＝1+1", "'＝1+1"),
        ("x;=cmd", "x;'=cmd"),
        ("-1.5", "-1.5"),
        ("a-b", "a-b"),
        ("@x;+y", "'@x;'+y"),
    ],
)
def test_no_cell_is_a_formula(cell, written):
    assert [*delimited_lines([[cell]], "\t")] == [written]
