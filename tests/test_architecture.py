"""The rules of the house: who may import whom, what starts fast, what is public."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import errata

PACKAGE = Path(errata.__file__).parent
# Each room and the rooms it may use. cli is at the top; formats stand beside metrics and know corpus and alignment.
ALLOWED = {
    "cli": {"report", "scoring", "metrics", "formats", "alignment", "corpus", "sample"},
    "report": {"metrics", "alignment"},
    "scoring": {"metrics", "formats", "alignment", "corpus"},
    "metrics": {"alignment", "segmentation", "corpus", "_kernels"},
    "formats": {"alignment", "corpus", "metrics"},  # metrics: only the Counts that a counts file holds
    "alignment": {"segmentation", "corpus", "_kernels"},
    "segmentation": {"corpus"},
    "sample": set(),
    "corpus": set(),
    "errors": set(),
}
EVERYWHERE = {"errors", "_version"}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = room(path)
    if here not in ALLOWED:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("errata"):
            modules = [f"{node.module}.{name.name}" if node.module == "errata" else node.module for name in node.names]
        for module in modules:
            there = module.split(".")[1]
            assert there == here or there in ALLOWED[here] | EVERYWHERE, f"{here} imports {module}"


def test_formats_know_only_the_counts_of_metrics():
    for path in (PACKAGE / "formats").glob("*.py"):
        for module in re.findall(r"from errata\.(metrics[.\w]*)", path.read_text()):
            assert module == "metrics.counts", path


def test_the_command_line_starts_without_anything_heavy():
    code = (
        "import sys; from errata.cli import main; main(['--help']);"
        "heavy = {'numpy', 'scipy', 'rich', 'errata._kernels'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_scoring_needs_neither_scipy_nor_rich_in_a_pipe():
    code = (
        "import sys, errata;"
        "errata.score(['a b'], ['a c'], references=[['a c']]);"
        "heavy = {'scipy', 'rich'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names_are_the_same_for_type_checkers():
    stub = (PACKAGE / "__init__.pyi").read_text()
    assert sorted(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == sorted(errata.__all__)
    for name in errata.__all__:
        assert getattr(errata, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        errata.nonsense  # noqa: B018


def test_kernel_stub_has_every_function():
    from errata import _kernels

    stub = (PACKAGE / "_kernels.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    assert declared == {name for name in dir(_kernels) if not name.startswith("_")}
