"""New files of a command that writes several: what is there is kept, unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recte.errors import InputError
from recte.files import make_folder, write_together

__all__ = ["write_new_files"]


def write_new_files(files: Mapping[Path, bytes], *, force: bool, same_may_stay: bool = False) -> None:
    """Write all of the files or none, in folders that are made where they are not there.

    A file that is there already is an error, unless `force` is given, or with `same_may_stay` where it holds what
    would be written.
    """
    if not force:
        is_in_the_way = _holds_another if same_may_stay else _is_there
        there = next((path for path, content in files.items() if is_in_the_way(path, content)), None)
        if there is not None:
            another = ", and holds something else" if same_may_stay else ""
            raise InputError(f"is there already{another} (--force writes over it)", str(there))
    for folder in dict.fromkeys(path.parent for path in files):
        make_folder(folder)
    write_together({path: [content] for path, content in files.items()})


def _is_there(path: Path, content: bytes) -> bool:
    return path.exists()


def _holds_another(path: Path, content: bytes) -> bool:
    """Whether something else would be lost."""
    try:
        return path.exists() and path.read_bytes() != content
    except OSError:
        return True
