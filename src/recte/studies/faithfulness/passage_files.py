"""Parses from files and folders, and which of them belong together.

UCCA graphs in MRP, the interchange format of the shared tasks on meaning representation: one JSON object a line.

A node's `anchors` are stretches of the text (`input`); white space cuts them into words. The root is the node that
`tops` names; several edges between two nodes are one edge with several categories.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from recte.errors import InputError
from recte.files import display_name, read_lines, stem
from recte.studies.faithfulness.graph import PUNCTUATION, Edge, Passage, Terminal, Unit
from recte.studies.faithfulness.ucca_xml import read_ucca_xml

__all__ = ["PassagePair", "pair_passages", "read_mrp", "read_pair_list", "read_passages"]


def read_mrp(path: str | Path) -> list[Passage]:
    """Read all graphs of a file.

    >>> import pathlib, tempfile
    >>> graph = {"id": "7", "framework": "ucca", "input": "He left", "tops": [0],
    ...     "nodes": [{"id": 0},
    ...               {"id": 1, "anchors": [{"from": 0, "to": 2}]},
    ...               {"id": 2, "anchors": [{"from": 3, "to": 7}]}],
    ...     "edges": [{"source": 0, "target": 1, "label": "A"}, {"source": 0, "target": 2, "label": "P"}]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "parses.mrp")
    ...     _ = file.write_text(json.dumps(graph))
    ...     read_mrp(file)[0].text_of(2)
    'left'
    """
    name = display_name(path)
    passages = [_passage(line, name, number) for number, line in enumerate(read_lines(path), 1) if line.strip()]
    if not passages:
        raise InputError("expected at least one graph, a JSON object a line, got none", name, 1)
    return passages


def _passage(line: str, name: str, number: int) -> Passage:
    try:
        graph = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a JSON object, got something else: {error}", name, number) from None
    if not isinstance(graph, dict):
        raise InputError(f"expected a JSON object, got {line[:40]!r}", name, number)
    try:
        return _build(graph)
    except InputError as error:
        raise InputError(error.message, name, number) from None
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else f"one with a part of another kind: {error}"
        raise InputError(f"expected an MRP graph with id, input, nodes and edges, got {what}", name, number) from None


def _build(graph: Mapping[str, Any]) -> Passage:
    if graph.get("framework", "ucca") != "ucca":
        raise InputError(f"expected a graph of the framework ucca, got {graph['framework']!r}")
    text = str(graph["input"])
    tops = list(graph.get("tops") or [])
    nodes = sorted(graph["nodes"], key=lambda node: node["id"] not in tops[:1])  # the root first, else as they stand
    place_of = {node["id"]: place for place, node in enumerate(nodes)}
    if len(place_of) < len(nodes):
        raise InputError("expected every node to have an id of its own, got one twice")
    merged: dict[tuple[int, int, bool], list[str]] = {}
    for edge in graph.get("edges") or ():
        for end in ("source", "target"):
            if edge[end] not in place_of:
                raise InputError(f"expected edges between nodes, got the {end} {edge[end]!r}, which is not there")
        label = edge.get("label")
        if not isinstance(label, str) or not label:
            raise InputError(f"expected every edge to have a label, got {label!r}")
        key = place_of[edge["source"]], place_of[edge["target"]], _flag(edge, "remote")
        categories = merged.setdefault(key, [])
        if label not in categories:
            categories.append(label)
    spans_of = [
        sorted({span for anchor in node.get("anchors") or () for span in _words(anchor, text)}) for node in nodes
    ]
    spans = sorted({span for spans in spans_of for span in spans})
    for before, after in pairwise(spans):
        if after[0] < before[1]:
            raise InputError(
                f"expected no overlap of words, got anchors {before[0]} to {before[1]} and {after[0]} to {after[1]}"
            )
    place_of_span = {span: place for place, span in enumerate(spans)}
    units = tuple(
        Unit(str(node["id"]), tuple(place_of_span[span] for span in spans), implicit=_flag(node, "implicit"))
        for node, spans in zip(nodes, spans_of, strict=True)
    )
    edges = tuple(Edge(parent, child, tuple(c), remote) for (parent, child, remote), c in merged.items())
    marked = {t for e in edges if PUNCTUATION in e.categories for t in units[e.child].terminals}
    terminals = tuple(
        Terminal(text[start:end], place in marked or _is_mark(text[start:end]))
        for place, (start, end) in enumerate(spans)
    )
    return Passage(" ".join(str(graph["id"]).split()), terminals, units, edges)


def _words(anchor: Mapping[str, Any], text: str) -> Iterator[tuple[int, int]]:
    start, end = anchor["from"], anchor["to"]
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        raise InputError(f"expected anchors inside the {len(text)} characters of the input, got {start!r} to {end!r}")
    for word in text[start:end].split():
        start = text.index(word, start)
        yield start, start + len(word)
        start += len(word)


def _flag(part: Mapping[str, Any], name: str) -> bool:
    """Whether an attribute (or, of a node and in older files, a property) of that name is set."""
    for key in ("attributes", "properties"):
        if name in (part.get(key) or ()):
            values = part.get("values") or ()
            place = part[key].index(name)
            return place >= len(values) or str(values[place]).lower() != "false"
    return False


def _is_mark(word: str) -> bool:
    return all(unicodedata.category(letter).startswith("P") for letter in word)


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
    if path.name.endswith(_MRP):
        return read_mrp(path)
    try:
        return [read_ucca_xml(path)]
    except InputError as error:
        if error.line is None or path.name.endswith(_XML):
            raise
        raise InputError(f"expected UCCA passages (XML or MRP); {error.message}", error.file, error.line) from None


def pair_passages(sources: Mapping[str, Passage], corrected: Mapping[str, Passage]) -> list[PassagePair]:
    """Passages with the same id, in the order of the first; where each side has one alone, those two.

    >>> pair_passages({}, {})
    []
    """
    if len(sources) == len(corrected) == 1:
        ((name, source),), (other,) = sources.items(), corrected.values()
        return [PassagePair(name, source, other)]
    for side, other_side in ((sources, corrected), (corrected, sources)):
        alone = [name for name in side if name not in other_side]
        if alone:
            which = "source" if side is sources else "corrected"
            raise InputError(
                f"expected the same passage ids on both sides, got {alone[0]!r} among the {which} parses alone "
                f"({len(alone)} in all); a pair list (--pairs) can say what belongs together"
            )
    return [PassagePair(name, source, corrected[name]) for name, source in sources.items()]


def read_pair_list(path: str | Path) -> list[PassagePair]:
    """Pairs from a TSV file: source parse, corrected parse, and a group where there is one.

    Files are looked for next to the list; each holds one passage.
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
