"""`recte data list|get|path`: test sets by name."""

from __future__ import annotations

import argparse
import sys

from recte.rendering.tables import Table
from recte.rendering.terminal import print_tables
from recte.testsets.catalogue import catalogue_of_user, folder_of_sets, test_set_named, test_sets
from recte.testsets.presets import PRESETS
from recte.testsets.store import get_test_set, kept_files, test_set_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="test sets and presets, and which sets are here")
    get = actions.add_parser("get", help="fetch a test set, check it and keep it")
    get.add_argument("name", metavar="NAME")
    get.add_argument("--from", dest="source", metavar="PATH", help="a file, or a folder with the files, that you have")
    path = actions.add_parser("path", help="print where the files of a test set are")
    path.add_argument("name", metavar="NAME")


def run(arguments: argparse.Namespace) -> None:
    if arguments.action == "list":
        print_tables([_sets(), _presets()], "text")
    elif arguments.action == "path":
        for path in test_set_files(arguments.name):
            print(path)
    else:
        _get(arguments)


def _get(arguments: argparse.Namespace) -> None:
    found = test_set_named(arguments.name)
    if arguments.source is None and kept_files(found) is not None:
        print(f"recte: {found.name} is here already", file=sys.stderr)
    else:
        page = f" ({found.page})" if found.page else ""
        title, licence = found.title or found.name, found.licence or "none stated"
        print(f"recte: {title}; licence: {licence}{page}", file=sys.stderr)
        get_test_set(found.name, source=arguments.source, say=lambda line: print(f"recte: {line}", file=sys.stderr))
        unchecked = [file.name for file in found.files if not file.sha256]
        if unchecked:
            print(f"recte: warning: not checked, its hash is not known: {', '.join(unchecked)}", file=sys.stderr)
    print(f"recte score -t {found.name} SYSTEM...")


def _sets() -> Table:
    rows = tuple(
        (
            one.name,
            str(one.sentences or "–"),
            "yes" if kept_files(one) else "–",
            "fetched" if one.has_addresses else "asked for",
            one.title,
        )
        for one in test_sets().values()
    )
    notes = (
        "fetched: recte data get NAME; asked for: recte data get NAME --from FILE, see recte data get NAME",
        f"kept in {folder_of_sets()}; sets of your own: {catalogue_of_user()}",
    )
    return Table("Test sets", ("name", "sentences", "here", "how", "what"), rows, notes, words=2)


def _presets() -> Table:
    rows = tuple((name, " ".join(one.words), one.task) for name, one in PRESETS.items())
    return Table("Presets: --preset NAME stands for these options", ("name", "options", "task"), rows, words=2)
