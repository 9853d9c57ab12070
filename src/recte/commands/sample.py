"""`recte sample FOLDER`: the bundled sample, to try things on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recte.cli.command import Command
from recte.cli.new_files import write_new_files
from recte.options import argument, option
from recte.sample import sample_files
from recte.text.printable_text import visible


@dataclass(frozen=True, kw_only=True)
class SampleOptions:
    folder: str = argument("where to write; made if it is not there", metavar="FOLDER")
    force: bool = option(False, "write over files that are there")


def run(options: SampleOptions) -> None:
    files = {Path(options.folder, name): content for name, content in sample_files().items()}
    write_new_files(files, force=options.force, same_may_stay=True)
    folder = visible(options.folder)
    print(f"recte score {folder}/gold.m2 {folder}/systems/*.txt")
    print(f"recte report {folder}/gold.m2 {folder}/systems/*.txt -m m2 imeasure gleu")


COMMAND = Command(
    run=run,
    options=SampleOptions,
    forms=("FOLDER",),
    examples=(
        ("recte sample sample", "gold, three systems, human judgments"),
        ("recte sample sample --force", "once more, over what is there"),
    ),
)
