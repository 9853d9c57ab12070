"""`recte data list|get|path`: test sets by name."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import format_option
from recte.cli.command import Command, Subcommand
from recte.messages import report, warn
from recte.options import argument, option
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.tasks.catalogue import catalogue_of_user, folder_of_sets, test_set_named, test_sets
from recte.tasks.presets import PRESETS
from recte.tasks.store import get_test_set, stored_set_files, test_set_files


@dataclass(frozen=True, kw_only=True)
class DataListOptions:
    """Test sets that have a name."""

    format: str = format_option()


@dataclass(frozen=True, kw_only=True)
class DataGetOptions:
    name: str = argument("", metavar="NAME")
    source: str | None = option(
        None, "a file, or a folder with the files, that you have", kind=str, flags=("--from",), metavar="PATH"
    )


@dataclass(frozen=True, kw_only=True)
class DataPathOptions:
    name: str = argument("", metavar="NAME")


def list_sets(options: DataListOptions) -> None:
    if options.format == "json":
        print(document(test_sets=_to_rows(_sets()), presets=_to_rows(_presets())))
    else:
        print_tables([_sets(), _presets()], options.format)


def print_paths(options: DataPathOptions) -> None:
    for path in test_set_files(options.name):
        print(path)


def get_set(options: DataGetOptions) -> None:
    test_set = test_set_named(options.name)
    if options.source is None and stored_set_files(test_set) is not None:
        report(f"{test_set.name} is here already")
    else:
        page = f" ({test_set.page})" if test_set.page else ""
        title, licence = test_set.title or test_set.name, test_set.licence or "none stated"
        report(f"{title}; licence: {licence}{page}")
        get_test_set(test_set.name, source=options.source, say=report)
        unchecked = [file.name for file in test_set.files if not file.sha256]
        if unchecked:
            warn(f"not checked, its hash is not known: {', '.join(unchecked)}")
    print(f"recte score -t {test_set.name} SYSTEM...")


def _to_rows(table: Table) -> list[dict[str, str | None]]:
    return [
        {header: None if cell == "–" else cell for header, cell in zip(table.headers, row, strict=True)}
        for row in table.rows
    ]


def _sets() -> Table:
    rows = tuple(
        (
            test_set.name,
            str(test_set.sentences or "–"),
            "yes" if stored_set_files(test_set) else "–",
            "fetched" if test_set.has_addresses else "asked for",
            test_set.title,
        )
        for test_set in test_sets().values()
    )
    notes = (
        "fetched: recte data get NAME; asked for: recte data get NAME --from FILE, see recte data get NAME",
        f"kept in {folder_of_sets()}; sets of your own: {catalogue_of_user()}",
    )
    return Table("Test sets", ("name", "sentences", "here", "how", "what"), rows, notes, words=2)


def _presets() -> Table:
    rows = tuple((name, " ".join(preset.words), preset.task) for name, preset in PRESETS.items())
    return Table("Presets: --preset NAME stands for these options", ("name", "options", "task"), rows, words=2)


COMMAND = Command(
    forms=("list", "get NAME [--from PATH]", "path NAME"),
    examples=(
        ("recte data list", "test sets and presets, and which sets are here"),
        ("recte data get --help", "how to get one"),
    ),
    subcommands={
        "list": Subcommand("test sets and presets, and which sets are here", list_sets, DataListOptions),
        "get": Subcommand("fetch a test set, check it and keep it", get_set, DataGetOptions),
        "path": Subcommand("print where the files of a test set are", print_paths, DataPathOptions),
    },
)
