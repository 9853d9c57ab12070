"""Other import paths of packages: the namespaces of studies, and the paths of version 0.2.

`import recte.human` gives the package `recte.studies.human`; both names are one module. Paths of 0.2 that moved work
until 0.4 with a `DeprecationWarning`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader  # loads half of importlib.resources
else:
    Loader = object

__all__ = ["MOVED", "NAMESPACES", "install"]

# Public namespaces of recte, and the package behind each.
NAMESPACES = {
    "cluster": "recte.evaluation.cluster",
    "conservatism": "recte.studies.conservatism",
    "coverage": "recte.studies.coverage",
    "edits": "recte.edits",
    "faithfulness": "recte.studies.faithfulness",
    "filtering": "recte.studies.filtering",
    "formats": "recte.formats",
    "human": "recte.studies.human",
    "metaeval": "recte.studies.metaeval",
    "metrics": "recte.metrics",
    "output": "recte.output",
    "papers": "recte.studies.papers",
    "statistics": "recte.statistics",
    "tasks": "recte.tasks",
    "text": "recte.text",
}
# Paths of 0.2, and where their names are now.
MOVED = {
    "recte.alignment": "recte.edits",
    "recte.alignment.projection": "recte.edits.projection",
    "recte.counting": "recte.evaluation.counting",
    "recte.counts": "recte.corpus.counts",
    "recte.inference": "recte.statistics",
    "recte.inference.segmenter_study": "recte.studies.segmentation.study",
    "recte.inputs": "recte.evaluation.inputs",
    "recte.merging": "recte.corpus.count_merging",
    "recte.metrics.options": "recte.options",
    "recte.progress": "recte.messages",
    "recte.rendering": "recte.output",
    "recte.rewards": "recte.evaluation.rewards",
    "recte.scoring": "recte.evaluation.scoring",
    "recte.segmentation": "recte.text",
    "recte.sentence": "recte.corpus.sentence",
    "recte.testsets": "recte.tasks",
    "recte.text_scoring": "recte.text.text_scorers",
}
_ALIASES = {f"recte.{name}": package for name, package in NAMESPACES.items() if package != f"recte.{name}"} | MOVED


def find_target(name: str) -> str | None:
    """The real name of the module `name`, or None where it has no other.

    >>> find_target("recte.human.judgments"), find_target("recte.corpus")
    ('recte.studies.human.judgments', None)
    """
    path, rest = name, ""
    while "." in path:
        if path in _ALIASES:
            return _ALIASES[path] + rest
        path, _, last = path.rpartition(".")
        rest = f".{last}{rest}"
    return None


class _AliasLoader(Loader):
    """Gives the module that an alias stands for, as it is."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self.target)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the import system has put the alias's there


class _AliasFinder:
    """Finds modules by the table above, after all other finders."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        real = find_target(fullname) if fullname.startswith("recte.") else None
        if real is None:
            return None
        if fullname in MOVED:
            warnings.warn(f"{fullname} is {real} now; the old path ends with 0.4", DeprecationWarning, stacklevel=2)
        return ModuleSpec(fullname, _AliasLoader(real))


def install() -> None:
    """Let the import system know the aliases, once."""
    if not any(isinstance(finder, _AliasFinder) for finder in sys.meta_path):
        sys.meta_path.append(_AliasFinder())
