"""Public names of a package, found when they are used, so that nothing is imported before; and its stub.

A package's `__init__` says where its names live:

    __getattr__, __dir__, __all__ = exported(__name__, {"recte.counts": ("Counts",), "recte.merging": ("merge",)})

Type checkers read the stub beside it, which `tests/write_stubs.py` makes from the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

__all__ = ["exported", "stub"]

Homes = Mapping[str, Sequence[str]]


def exported(
    package: str, homes: Homes, namespaces: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names live in other modules.

    `homes` has the names of each module; `namespaces` are packages inside this one.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    public = sorted([*home_of, *namespaces])
    known: dict[str, Any] = {}  # one object for each name, whoever asks

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in namespaces:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name not in known:
            known[name] = _at_the_door(package, import_module(home_of[name]), name)
        return known[name]

    def __dir__() -> list[str]:  # noqa: N807
        return public

    return __getattr__, __dir__, public


def _at_the_door(package: str, home: ModuleType, name: str) -> Any:
    """What is public; a function checks the types of its arguments. In its own module, whence our own calls come, it
    stays as it is, so that nothing depends on who imported what before.
    """
    found = getattr(home, name)
    if not isinstance(found, FunctionType) or hasattr(found, "__wrapped__"):
        return found
    from recte.argument_types import checked

    public = checked(found)
    public.__module__, public.__qualname__ = package, name  # where pickle finds it
    return public


def stub(package: str, homes: Homes, namespaces: Sequence[str] = ()) -> str:
    """What type checkers read instead of the package's `__init__`.

    >>> print(stub("recte", {"recte.merging": ("merge",)}, ["human"]), end="")
    from recte import human as human
    from recte.merging import merge as merge
    """
    lines = [f"from {package} import {name} as {name}" for name in sorted(namespaces)]
    lines += [f"from {home} import {name} as {name}" for home in sorted(homes) for name in sorted(homes[home])]
    return "".join(f"{line}\n" for line in lines)
