"""Public names of a package, imported when they are first used; and the package's stub.

A package's `__init__` says which module each name comes from:

    EXPORTS = {"recte.corpus.counts": ("Counts",), "recte.corpus.count_merging": ("merge",)}
    __getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)

Type checkers read the stub next to it, which `tests/write_stubs.py` makes from the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import FunctionType
from typing import Any

__all__ = ["define_exports", "format_stub"]

Exports = Mapping[str, Sequence[str]]


def define_exports(
    package: str, exports: Exports, namespaces: Sequence[str] = (), moved: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names come from other modules.

    `exports` has the names that each module gives; `namespaces` are packages that are attributes of this one, and
    `moved` those that were.
    """
    module_of = {name: module for module, names in exports.items() for name in names}
    public = sorted([*module_of, *namespaces])
    known: dict[str, Any] = {}  # one object for each name, for every caller

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in namespaces or name in moved:
            return import_module(f"{package}.{name}")
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name not in known:
            known[name] = _make_public(package, name, getattr(import_module(module_of[name]), name))
        return known[name]

    def __dir__() -> list[str]:  # noqa: N807
        return public

    return __getattr__, __dir__, public


def _make_public(package: str, name: str, value: Any) -> Any:
    """The value; a function is wrapped, so that the types of its arguments are checked.

    In its own module, from which recte's own calls come, a function stays as it is.
    """
    if not isinstance(value, FunctionType) or hasattr(value, "__wrapped__"):
        return value
    from recte.argument_types import check_arguments

    public = check_arguments(value)
    public.__module__, public.__qualname__ = package, name  # where pickle looks for it
    return public


def format_stub(package: str, exports: Exports, namespaces: Mapping[str, str] | None = None) -> str:
    """The stub of a package, which type checkers read instead of its `__init__`.

    >>> print(format_stub("recte", {"recte.corpus.counts": ("Counts",)}, {"human": "recte.studies.human"}), end="")
    from recte.corpus.counts import Counts as Counts
    from recte.studies import human as human
    """
    imports = [(module, name) for module, names in exports.items() for name in names]
    imports += [(module.rpartition(".")[0], module.rpartition(".")[2]) for module in (namespaces or {}).values()]
    lines = [f"from {module} import {name} as {name}" for module, name in sorted(imports)]
    return "".join(f"{line}\n" for line in lines)
