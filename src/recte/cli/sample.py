"""`recte sample FOLDER`: the bundled sample, to try things on."""

from __future__ import annotations

import argparse
from pathlib import Path

from recte.errors import InputError
from recte.formats.files import write_bytes
from recte.sample import sample_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where to write; made if it is not there")


def run(arguments: argparse.Namespace) -> None:
    for name, content in sample_files().items():
        path = Path(arguments.folder, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", str(path.parent)) from None
        write_bytes(path, content)
    print(f"recte score {arguments.folder}/gold.m2 {arguments.folder}/systems/*.txt")
    print(f"recte report {arguments.folder}/gold.m2 {arguments.folder}/systems/*.txt -m m2 imeasure gleu")
