"""UCCA graphs in MRP, the interchange format of the shared tasks on meaning representation: one JSON object a line.

A node's `anchors` are stretches of the text (`input`); white space cuts them into words. The root is the node that
`tops` names; several edges between two nodes are one edge with several categories.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from recte.errors import InputError
from recte.files import display_name, read_lines
from recte.studies.faithfulness.graph import PUNCTUATION, Edge, Passage, Terminal, Unit

__all__ = ["read_mrp"]


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
        return _built(graph)
    except InputError as error:
        raise InputError(error.message, name, number) from None
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else f"one with a part of another kind: {error}"
        raise InputError(f"expected an MRP graph with id, input, nodes and edges, got {what}", name, number) from None


def _built(graph: Mapping[str, Any]) -> Passage:
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
                f"expected words apart, got anchors at {before[0]} to {before[1]} and {after[0]} to {after[1]}"
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
