"""Write the stubs of recte and its namespaces from the tables in their `__init__`: `python tests/write_stubs.py`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import recte
from recte._exports import stub

PACKAGE = Path(recte.__file__).parent


def stubs() -> dict[Path, str]:
    """The text of each stub by its path."""
    found = {PACKAGE / "__init__.pyi": stub("recte", recte.HOMES, recte.NAMESPACES)}
    for name in recte.NAMESPACES:
        package = import_module(f"recte.{name}")
        if hasattr(package, "HOMES"):
            found[PACKAGE / name / "__init__.pyi"] = stub(f"recte.{name}", package.HOMES)
    return found


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
