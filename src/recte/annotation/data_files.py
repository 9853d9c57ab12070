"""Files that the package brings along: word lists, tables, the model."""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_file"]

_FOLDER = Path(__file__).parent / "data"


def data_file(name: str) -> Path:
    """Where a file of this name lies. The compiled core needs a folder anyway: a package in an archive cannot run.

    >>> data_file("lancaster.tsv").is_file()
    True
    """
    return _FOLDER / name
