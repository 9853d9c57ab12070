"""`recte difficulty GOLD SYSTEM...`: which error types are difficult, by how many systems get them right."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import TO, GoldOptions, format_option, names_option, width_option
from recte.cli.command import Command
from recte.errors import OptionError
from recte.evaluation.counting import CHUNK
from recte.evaluation.inputs import system_names
from recte.formats.edit_values import write_difficulty
from recte.metrics.goto import Goto, GrowingDifficulty
from recte.options import option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables


@dataclass(frozen=True, kw_only=True)
class DifficultyOptions:
    gold: GoldOptions = part(GoldOptions)
    reference_annotator: str | None = option(
        None, "whose edits are the reference (default the first)", kind=str, metavar="NAME"
    )
    to: str | None = option(
        None,
        "save how many systems were right on each chunk, for `score -m goto --difficulty`",
        kind=str,
        flags=TO,
        metavar="FILE",
    )
    names: tuple[str, ...] = names_option()
    format: str = format_option()
    width: int = width_option()


def run(options: DifficultyOptions) -> None:
    gold, paths = options.gold.read_files(lists={"--names": options.names})
    if not paths:
        raise OptionError("difficulty: expected two systems at least, got none")
    growing = GrowingDifficulty(Goto(reference_annotator=options.reference_annotator or ""), len(paths))
    for corpus_and_systems in gold.chunks(system_names(paths, options.names), CHUNK):
        growing.add(*corpus_and_systems)
        del corpus_and_systems  # before the next one is read
    table, types = growing.table(), growing.types()
    if options.to is not None:
        write_difficulty(options.to, table)
    if options.format == "json":
        print(document(systems=growing.systems, types=[t._asdict() for t in types]))
        return
    digits = options.width
    rows = tuple((t.type or "(none)", str(t.edits), f"{t.mean:.{digits}f}", f"{t.std:.{digits}f}") for t in types)
    title = f"Difficulty of error types for {growing.systems} systems"
    print_tables([Table(title, ("type", "edits", "mean weight", "std"), rows)], options.format)


COMMAND = Command(
    run=run,
    options=DifficultyOptions,
    forms=("GOLD SYSTEM...",),
    examples=(
        ("recte difficulty sample/gold.m2 sample/systems/*.txt", "the most difficult error types first"),
        (
            "recte difficulty sample/gold.m2 sample/systems/*.txt --to difficulty.tsv",
            "and a file for recte score -m goto --difficulty",
        ),
    ),
    common=("--to", "--reference-annotator", "--names", "-s", "-r", "-i", "-f", "-w"),
)
