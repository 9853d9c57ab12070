"""Rules of the package as a whole: which package imports which, what starts fast, what is public."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import recte
from recte.cli.command_table import COMMANDS
from recte.metrics import metric_class, metric_names
from structure import find_cycles, import_graph, modules_in_strings, package_graph, package_of, reachable_nodes
from write_stubs import stubs

PACKAGE = Path(recte.__file__).parent


def test_packages_form_no_cycle():
    """Every import counts: at the top, inside a function, for type checkers alone. Each study is a node of its own."""
    assert find_cycles(package_graph(PACKAGE)) == []


# Modules whose strings name modules of higher packages, and which packages: tables of public names, and registries.
NAMED_ABOVE = {
    "recte.formats": {"studies.coverage", "studies.faithfulness", "studies.human"},  # readers of the files of studies
    "recte.output": {"studies.faithfulness"},
    "recte.statistics": {"studies.segmentation"},
    "recte.text": {"edits"},
    "recte.text.text_scorers": {"models"},
}
NAMED_EVERYWHERE = {"recte", "recte._aliases", "recte.cli.command_table"}  # these may name any module


def test_modules_named_in_strings_are_below_but_for_the_listed_ones():
    """A module that is named in a string is imported later; that counts as an import."""
    graph = package_graph(PACKAGE)
    above: dict[str, set[str]] = {}
    for module, named in modules_in_strings(PACKAGE).items():
        if module in NAMED_EVERYWHERE:
            continue
        node = package_of(module)
        for target in {package_of(name) for name in named} - {node, None}:
            if node in reachable_nodes(graph, target):
                above.setdefault(module, set()).add(target)
            else:
                graph[node].add(target)
    assert above == NAMED_ABOVE
    assert find_cycles(graph) == []


def test_only_the_command_line_knows_commands_by_name():
    """Commands are loaded by the table in `cli/command_table.py`; no other module imports one."""
    imported = {name for names in import_graph(PACKAGE).values() for name in names}
    assert not imported & {command.module for command in COMMANDS.values()} - {"recte.cli.completion"}


def test_the_command_line_starts_without_anything_heavy():
    code = (
        "import atexit, sys; from recte.cli import main;"
        "heavy = {'numpy', 'scipy', 'rich', 'torch', 'recte._kernels'};"
        "atexit.register(lambda: print('loaded:', *sorted(heavy & set(sys.modules)))); main(['--help'])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "loaded:"  # `main` ends the program, so this is printed at its end


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
    names = [name for names in recte.EXPORTS.values() for name in names]
    assert len(names) <= 55
    assert dir(recte) == recte.__all__ == sorted([*names, *recte.NAMESPACES])
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        recte.nonsense  # noqa: B018


@pytest.mark.parametrize("namespace", ["recte", *(f"recte.{name}" for name in recte.NAMESPACES)])
def test_every_public_name_has_an_example(namespace):
    package = import_module(namespace)
    folder = Path(package.__file__).parent
    for home, names in getattr(package, "EXPORTS", {}).items():
        for name in names:
            # A module of that name would take its place as soon as it is imported.
            assert not (folder / f"{name}.py").exists(), f"{name} is a module of {namespace}, too"
            assert not (folder / name).is_dir(), f"{name} is a package of {namespace}, too"
            if name != "__version__":
                actual = getattr(package, name)
                assert ">>>" in (actual.__doc__ or ""), f"{home}.{name} has no example"


def test_nothing_asks_for_the_class_of_a_metric():
    """What a metric can do is asked of it: its class is known to its own file alone."""
    metrics = {metric_class(name).__name__ for name in metric_names()}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        ours = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                tested = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)} - ours
                known = {n for n in tested if n in metrics or n.removesuffix("Scorer").removesuffix("Score") in metrics}
                assert not known, f"{path}: isinstance of {known}"


def test_names_of_classes_are_unique():
    """A public class has a name that no other public class of the package has."""
    modules: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


def test_kernel_stub_has_every_function():
    from recte import _kernels

    stub = (PACKAGE / "_kernels.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    assert declared == {name for name in dir(_kernels) if not name.startswith("_")}
