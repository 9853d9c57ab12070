"""`recte sample FOLDER`: the bundled sample, to try things on."""

from __future__ import annotations

import argparse
from pathlib import Path

from recte.cli.new_files import write_new_files
from recte.sample import sample_files
from recte.visible_text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where to write; made if it is not there")
    parser.add_argument("--force", action="store_true", help="write over files that are there")


def run(arguments: argparse.Namespace) -> None:
    files = {Path(arguments.folder, name): content for name, content in sample_files().items()}
    write_new_files(files, force=arguments.force, same_may_stay=True)
    folder = visible(str(arguments.folder))
    print(f"recte score {folder}/gold.m2 {folder}/systems/*.txt")
    print(f"recte report {folder}/gold.m2 {folder}/systems/*.txt -m m2 imeasure gleu")
