"""The rules of the house: who may import whom, what starts fast, what is public."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import recte

PACKAGE = Path(recte.__file__).parent
# Each room and the rooms it may use. cli is at the top; formats stand beside metrics.
_GROUND = {"alignment", "segmentation", "corpus", "sentence", "columns", "counts", "threads", "extras", "_kernels"}
_STUDIES = {"inference", "human", "metaeval", "conservatism", "coverage", "faithfulness"}
ALLOWED = {
    "cli": {
        "report",
        "papers",
        "scoring",
        *_STUDIES,
        "metrics",
        "formats",
        "sample",
        "extraction",
        "annotation",
        *_GROUND,
    },
    "report": {"scoring", *_STUDIES, "metrics", "formats", *_GROUND},
    "papers": {"report", "scoring", *_STUDIES, "metrics", "formats", *_GROUND},
    "metaeval": {"human", "inference", "metrics", *_GROUND},
    "conservatism": {"annotation", "inference", "metrics", *_GROUND},
    "coverage": {"inference", "metrics", *_GROUND},
    "faithfulness": {"inference", *_GROUND},
    "human": {"inference", *_GROUND},
    "inference": {"metrics", *_GROUND},
    "scoring": {"inference", "metrics", "formats", *_GROUND},
    "metrics": {"extraction", "annotation", "weighing", *_GROUND},
    "extraction": {"annotation", *_GROUND},
    "annotation": {"columns", "threads", "alignment", "segmentation", "corpus", "extras", "formats.files", "_kernels"},
    "weighing": {"extras"},
    "formats": {"human", "coverage", "faithfulness", "weighing", *_GROUND},  # their data types alone
    "alignment": {"segmentation", "corpus", "columns", "threads", "_kernels"},
    "segmentation": {"corpus", "extras"},
    "counts": {"corpus"},
    "columns": {"sentence", "threads", "_kernels"},
    "sentence": set(),
    "threads": set(),
    "sample": set(),
    "corpus": {"sentence", "columns"},
    "extras": set(),
    "errors": set(),
}
FREE = {"__init__", "__main__", "_version"}  # the door and the signs on it
EVERYWHERE = {"errors", "_version"}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = room(path)
    if here in FREE:
        return
    allowed = {here, *ALLOWED[here], *EVERYWHERE}
    for node in ast.walk(ast.parse(path.read_text())):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("recte"):
            modules = [f"{node.module}.{name.name}" if node.module == "recte" else node.module for name in node.names]
        elif isinstance(node, ast.Import):
            modules = [name.name for name in node.names if name.name.startswith("recte.")]
        for module in modules:
            _, *names = module.split(".")
            assert {names[0], ".".join(names[:2])} & allowed, f"{here} imports {module}"


def test_the_command_line_starts_without_anything_heavy():
    code = (
        "import sys; from recte.cli import main; main(['--help']);"
        "heavy = {'numpy', 'scipy', 'rich', 'recte._kernels'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_scoring_needs_neither_scipy_nor_rich_in_a_pipe():
    code = (
        "import sys, recte;"
        "recte.score(['a b'], ['a c'], references=[['a c']]);"
        "heavy = {'scipy', 'rich'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names_are_the_same_for_type_checkers():
    stub = (PACKAGE / "__init__.pyi").read_text()
    assert sorted(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == sorted(recte.__all__)
    for name in recte.__all__:
        if name != "__version__":
            assert ">>>" in (getattr(recte, name).__doc__ or ""), f"{name} has no example"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        recte.nonsense  # noqa: B018


def test_kernel_stub_has_every_function():
    from recte import _kernels

    stub = (PACKAGE / "_kernels.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    assert declared == {name for name in dir(_kernels) if not name.startswith("_")}
