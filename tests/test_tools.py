"""The programs in `tools/` read and write files of the package, which may move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from frozen_outputs import COMMAND_LINES, read_entries
from recte.cli import COMMANDS
from recte.metrics import metric_names

ROOT = Path(__file__).parents[1]
TOOLS = sorted(path for path in (ROOT / "tools").iterdir() if path.suffix in {".py", ".cpp"})
PATH = re.compile(r"\bsrc/recte(?:/[\w.-]*\w)*")
PROGRAM = re.compile(r"\bpython (tools/[\w.]+)")


def test_some_tools_name_files_of_the_package():
    assert sum(len(PATH.findall(path.read_text(encoding="utf-8"))) for path in TOOLS) > 4


@pytest.mark.parametrize("tool", TOOLS, ids=lambda path: path.name)
def test_paths_in_tools_exist(tool):
    text = tool.read_text(encoding="utf-8")
    names = {*PATH.findall(text), *PROGRAM.findall(text)}
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []


def test_outputs_of_every_command_and_every_metric_are_recorded():
    entries = read_entries(COMMAND_LINES.read_text(encoding="utf-8"))
    lines = {line for entry in entries.values() for line in entry}
    assert {f"recte {name} --help" for name in COMMANDS} <= lines
    assert {f"recte --help {name}" for name in metric_names()} <= lines
    assert {f"metric-{name}" for name in metric_names()} <= entries.keys()
