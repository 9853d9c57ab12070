"""`recte sample FOLDER`: the bundled sample, to try things on."""

from __future__ import annotations

import argparse
from pathlib import Path

from recte.errors import InputError
from recte.formats.files import write_bytes
from recte.sample import sample_files
from recte.visible_text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where to write; made if it is not there")
    parser.add_argument("--force", action="store_true", help="write over files that are there")


def run(arguments: argparse.Namespace) -> None:
    files = sample_files()
    paths = {Path(arguments.folder, name): content for name, content in files.items()}
    there = next((path for path, content in paths.items() if _holds_another(path, content)), None)
    if there is not None and not arguments.force:
        raise InputError("is there already, and holds something else (--force writes over it)", str(there))
    for path, content in paths.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", str(path.parent)) from None
        write_bytes(path, content)
    folder = visible(str(arguments.folder))
    print(f"recte score {folder}/gold.m2 {folder}/systems/*.txt")
    print(f"recte report {folder}/gold.m2 {folder}/systems/*.txt -m m2 imeasure gleu")


def _holds_another(path: Path, content: bytes) -> bool:
    """Whether something else would be lost."""
    try:
        return path.exists() and path.read_bytes() != content
    except OSError:
        return True
