"""Parses from files and folders, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from recte.errors import InputError
from recte.files import display_name, read_lines, stem
from recte.studies.faithfulness.graph import Passage
from recte.studies.faithfulness.mrp import read_mrp
from recte.studies.faithfulness.ucca_xml import read_ucca_xml

__all__ = ["PassagePair", "pair_passages", "read_pair_list", "read_passages"]

_XML = (".xml", ".xml.gz")
_MRP = (".mrp", ".mrp.gz", ".json", ".json.gz", ".jsonl", ".jsonl.gz")


class PassagePair(NamedTuple):
    """A source and its correction, or two annotations of one text; `group` is a name to average by.

    >>> from recte.studies.faithfulness.graph import Terminal, Unit
    >>> passage = Passage("7", (Terminal("Yes"),), (Unit("1.1", (0,)),), ())
    >>> PassagePair("7", passage, passage).group
    ''
    """

    name: str
    source: Passage
    corrected: Passage
    group: str = ""


def read_passages(path: str | Path) -> dict[str, Passage]:
    """All passages of a file (UCCA's XML, or MRP) or of the files of a folder, by their ids.

    Where two passages of a folder have the same id, all of them go by their files' names.

    >>> import pathlib, tempfile
    >>> graph = '{"id": "7", "input": "Yes", "nodes": [{"id": 0, "anchors": [{"from": 0, "to": 3}]}]}'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "parses.mrp").write_text(graph)
    ...     list(read_passages(folder))
    ['7']
    """
    root = Path(path)
    if not root.is_dir():
        files = [root]
    else:
        files = sorted(file for file in root.iterdir() if file.name.endswith((*_XML, *_MRP)))
        if not files:
            raise InputError(
                f"expected files named {', '.join((*_XML[:1], *_MRP[:1]))} in the folder, got none", str(path)
            )
    read = [(file, passage) for file in files for passage in _of_file(file)]
    by_id = {passage.id: passage for _, passage in read}
    if len(by_id) == len(read):
        return by_id
    by_file = {stem(file): passage for file, passage in read}
    if len(by_file) < len(read):
        twice = next(p.id for _, p in read if sum(p.id == other.id for _, other in read) > 1)
        raise InputError(f"expected every passage to have an id of its own, got {twice!r} twice", display_name(path))
    return by_file


def _of_file(path: Path) -> list[Passage]:
    return read_mrp(path) if path.name.endswith(_MRP) else [read_ucca_xml(path)]


def pair_passages(sources: Mapping[str, Passage], corrected: Mapping[str, Passage]) -> list[PassagePair]:
    """Passages with the same id, in the order of the first; where each side has one alone, those two.

    >>> pair_passages({}, {})
    []
    """
    if len(sources) == len(corrected) == 1:
        ((name, source),), (other,) = sources.items(), corrected.values()
        return [PassagePair(name, source, other)]
    for one, other_side in ((sources, corrected), (corrected, sources)):
        alone = [name for name in one if name not in other_side]
        if alone:
            which = "source" if one is sources else "corrected"
            raise InputError(
                f"expected the same passage ids on both sides, got {alone[0]!r} among the {which} parses alone "
                f"({len(alone)} in all); a pair list (--pairs) can say what belongs together"
            )
    return [PassagePair(name, source, corrected[name]) for name, source in sources.items()]


def read_pair_list(path: str | Path) -> list[PassagePair]:
    """Pairs from a TSV file: source parse, corrected parse, and a group where there is one.

    Files are looked for beside the list; each holds one passage.
    """
    name = display_name(path)
    folder = Path(path).parent
    known: dict[str, Passage] = {}
    pairs = []
    for number, fields in _pair_lines(path):
        for file in fields[:2]:
            if file not in known:
                passages = _of_file(folder / file)
                if len(passages) != 1:
                    raise InputError(f"expected files of one passage, got {len(passages)} in {file}", name, number)
                known[file] = passages[0]
        source, corrected = fields[:2]
        label = f"{stem(source)} {stem(corrected)}" if stem(source) != stem(corrected) else stem(source)
        pairs.append(PassagePair(label, known[source], known[corrected], fields[2] if len(fields) > 2 else ""))
    if not pairs:
        raise InputError("expected at least one pair, got none", name, 1)
    return pairs


def _pair_lines(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            fields = line.split("\t")
            if not 2 <= len(fields) <= 3 or not all(fields[:2]):
                raise InputError(
                    "expected source parse, corrected parse and perhaps a group, separated by tabs, "
                    f"got {len(fields)} fields",
                    display_name(path),
                    number,
                )
            yield number, fields
