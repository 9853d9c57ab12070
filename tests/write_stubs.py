"""Write the stubs of recte and its packages from the tables in their `__init__`: `python tests/write_stubs.py`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import recte
from recte._exports import format_stub

PACKAGE = Path(recte.__file__).parent


def stubs() -> dict[Path, str]:
    """The text of each stub by its path."""
    result = {PACKAGE / "__init__.pyi": format_stub("recte", recte.EXPORTS, recte.NAMESPACES)}
    for init in sorted(PACKAGE.rglob("*/__init__.py")):
        name = ".".join(["recte", *init.parent.relative_to(PACKAGE).parts])
        package = import_module(name)
        if hasattr(package, "EXPORTS"):
            result[init.with_suffix(".pyi")] = format_stub(name, package.EXPORTS)
    return result


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
