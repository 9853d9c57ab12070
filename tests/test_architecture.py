"""The rules of the house: who may import whom, what starts fast, what is public."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import recte
from recte.metrics import metric_class, metric_names
from write_stubs import stubs

PACKAGE = Path(recte.__file__).parent
# Each room and the rooms it may use. cli is at the top; formats stand beside metrics.
_DATA = {"corpus", "sentence", "sentence_names", "columns", "counts", "merging"}
_GROUND = {"alignment", "segmentation", *_DATA, "threads", "extras", "_kernels"}
_FINDING = {"extraction", "annotation"}
_CALLS = {"inputs", "counting", "scoring", "evaluation"}  # from files to counts, scores, everything a report shows
_STUDIES = {"inference", "human", "metaeval", "conservatism", "coverage", "faithfulness"}
ALLOWED = {
    "cli": {
        "bundle",
        "testsets",
        "plausibility",
        "rendering",
        "papers",
        "cluster",
        *_CALLS,
        *_STUDIES,
        "metrics",
        "formats",
        "sample",
        *_FINDING,
        "text_scoring",
        *_GROUND,
    },
    "rendering": {"bundle", "plausibility", "progress", *_CALLS, *_STUDIES, "metrics", "formats", *_GROUND},
    "papers": {"rendering", *_CALLS, *_STUDIES, "metrics", "formats", *_GROUND},
    "cluster": {"plausibility", "scoring", "counting", "inputs", "inference", "metrics", "formats", *_GROUND},
    "bundle": {"plausibility", "scoring", "counting", "inputs", "human", "inference", "metrics", "formats", *_GROUND},
    "testsets": {"formats"},
    "evaluation": {"plausibility", "scoring", "counting", "inputs", "inference", "metrics", *_GROUND},
    "rewards": {"scoring", "inputs", "metrics", *_GROUND},
    "scoring": {"counting", "inputs", "inference", "metrics", "formats", *_GROUND},
    "counting": {"inputs", "metrics", "formats", *_GROUND},
    "plausibility": {"metrics", "corpus", "columns", "threads", "_kernels"},
    "inputs": {"formats", *_GROUND},
    "metaeval": {"human", "inference", "metrics", *_GROUND},
    "conservatism": {"annotation", "inference", "metrics", *_GROUND},
    "coverage": {"inference", "metrics", *_GROUND},
    "faithfulness": {"inference", "text_scoring", *_GROUND},
    "human": {"inference", "judging", "neural", *_GROUND},
    "inference": {"metrics", *_GROUND},
    "metrics": {"extraction", "annotation", "weighing", "neural", "judging", *_GROUND},
    "extraction": {"annotation", *_GROUND},
    "annotation": {"columns", "threads", "alignment", "segmentation", "corpus", "extras", "formats.files", "_kernels"},
    "weighing": {"text_scoring", "extras"},
    "formats": {
        "human",
        "coverage",
        "faithfulness",
        "weighing",
        "neural.baselines",
        *_GROUND,
    },  # their data types alone
    "neural": {"extras", "progress", "threads"},
    "judging": {"neural"},
    "text_scoring": {"extras"},
    "progress": set(),
    "alignment": {"segmentation", "corpus", "columns", "threads", "_kernels"},
    "segmentation": {"corpus", "extras"},
    "counts": {"corpus"},
    "merging": {"counts", "corpus"},
    "columns": {"sentence", "threads", "_kernels"},
    "sentence": set(),
    "sentence_names": {"sentence"},
    "threads": set(),
    "sample": set(),
    "corpus": {"sentence", "columns"},
    "extras": set(),
    "errors": set(),
    "argument_types": set(),
    "visible_text": set(),
    "user_cache": set(),
    "kept_values": set(),
    "notices": set(),
    "objects_kept": set(),
}
FREE = {"__init__", "__main__", "_version", "_exports"}  # the door and the signs on it
EVERYWHERE = {
    *("errors", "argument_types", "visible_text", "user_cache", "kept_values", "notices", "objects_kept"),
    *("_version", "_exports"),
}


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
        "heavy = {'numpy', 'scipy', 'rich', 'torch', 'recte._kernels'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
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
    for path, text in stubs().items():
        assert path.read_text() == text, f"{path}: run python tests/write_stubs.py"


def test_the_flat_api_fits_on_a_screen():
    names = [name for names in recte.HOMES.values() for name in names]
    assert len(names) <= 55
    assert dir(recte) == recte.__all__ == sorted([*names, *recte.NAMESPACES])
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        recte.nonsense  # noqa: B018


@pytest.mark.parametrize("namespace", ["recte", *(f"recte.{name}" for name in recte.NAMESPACES)])
def test_every_public_name_has_an_example(namespace):
    package = import_module(namespace)
    folder = Path(package.__file__).parent
    for home, names in getattr(package, "HOMES", {}).items():
        for name in names:
            # A module of that name would take its place as soon as it is imported.
            assert not (folder / f"{name}.py").exists(), f"{name} is a module of {namespace}, too"
            assert not (folder / name).is_dir(), f"{name} is a package of {namespace}, too"
            if name != "__version__":
                found = getattr(package, name)
                assert ">>>" in (found.__doc__ or ""), f"{home}.{name} has no example"


def test_module_names_mean_something_without_their_folder():
    """Commands are called as users type them, tables as their study, formats as what they hold; others differ."""
    said_twice = ("cli", "rendering", "sample", "formats")
    stems = [p.stem for p in PACKAGE.rglob("*.py") if room(p) not in said_twice and not p.stem.startswith("__")]
    assert sorted({stem for stem in stems if stems.count(stem) > 1}) == []


def test_nothing_asks_for_the_class_of_a_metric():
    """What a metric can do is asked of it: its class is known to its own file alone."""
    metrics = {metric_class(name).__name__ for name in metric_names()}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                tested = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)} - own
                known = {n for n in tested if n in metrics or n.removesuffix("Scorer").removesuffix("Score") in metrics}
                assert not known, f"{path}: isinstance of {known}"


@pytest.mark.parametrize(
    "path",
    sorted(path for ending in ("py", "js", "css", "html") for path in PACKAGE.rglob(f"*.{ending}")),
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_a_module_can_be_read_in_one_sitting(path):
    assert len(path.read_text().splitlines()) <= 400


def test_kernel_stub_has_every_function():
    from recte import _kernels

    stub = (PACKAGE / "_kernels.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    assert declared == {name for name in dir(_kernels) if not name.startswith("_")}
