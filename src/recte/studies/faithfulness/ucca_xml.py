"""UCCA's standard XML: layer 0 holds the words, layer 1 the units with their edges, a file the passage.

An edge has its category as `type`, or in newer files as one or several `<category tag="…"/>` below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.parsers import expat

from recte.errors import InputError
from recte.files import display_name, open_bytes, stem
from recte.formats.xml_parsing import parse_xml_stream
from recte.studies.faithfulness.graph import Edge, Passage, Terminal, Unit

__all__ = ["parse_ucca_xml", "read_ucca_xml"]

_TERMINAL = "Terminal"


def read_ucca_xml(path: str | Path) -> Passage:
    """Read one passage.

    >>> import pathlib, tempfile
    >>> words = '<node ID="0.1" type="Word"><attributes text="Yes"/></node>'
    >>> units = '<node ID="1.1" type="FN"><edge toID="0.1" type="Terminal"/></node>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "7.xml")
    ...     layers = f'<layer layerID="0">{words}</layer><layer layerID="1">{units}</layer>'
    ...     _ = file.write_text(f'<root passageID="7">{layers}</root>')
    ...     read_ucca_xml(file).text_of(0)
    'Yes'
    """
    with open_bytes(path) as stream:
        return parse_ucca_xml(stream, display_name(path))


def parse_ucca_xml(stream: IO[bytes], name: str) -> Passage:
    """Read one passage from an open file, which messages call `name`."""
    reader = _Reader(name)
    parse_xml_stream(stream, name, reader.parser)
    return reader.passage(stem(name))


@dataclass
class _Node:
    id: str
    type: str
    line: int
    layer: str
    attributes: dict[str, str] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)


@dataclass
class _Edge:
    to: str
    line: int
    categories: list[str]
    attributes: dict[str, str] = field(default_factory=dict)


class _Reader:
    """Handlers for one file; each knows the line it is at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._refuse_entity
        self.parser.AttlistDeclHandler = self._refuse_attributes
        self._open: list[str] = []
        self._id = ""
        self._layer = ""
        self._nodes: dict[str, _Node] = {}
        self._node: _Node | None = None

    def _fail(self, message: str, line: int | None = None) -> InputError:
        return InputError(message, self.name, line or self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self._fail(f"expected no entities, got {name!r}")

    def _refuse_attributes(self, element: str, *_: object) -> None:
        raise self._fail(f"expected no attribute declarations, got one of <{element}>")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._open and tag != "root":
            raise self._fail(f"expected <root> of a UCCA passage, got <{tag}>")
        parent = self._open[-1] if self._open else ""
        self._open.append(tag)
        if tag == "root":
            self._id = attributes.get("passageID", "")
        elif tag == "layer" and parent == "root":
            self._layer = self._attribute(tag, attributes, "layerID")
        elif tag == "node" and parent == "layer":
            self._begin_node(attributes)
        elif self._node is not None:
            self._inside_node(self._node, tag, parent, attributes)

    def _begin_node(self, attributes: dict[str, str]) -> None:
        id = self._attribute("node", attributes, "ID")
        if id in self._nodes:
            raise self._fail(f"expected one node {id}, got a second")
        type = self._attribute("node", attributes, "type")
        self._node = self._nodes[id] = _Node(id, type, self.parser.CurrentLineNumber, self._layer)

    def _inside_node(self, node: _Node, tag: str, parent: str, attributes: dict[str, str]) -> None:
        if tag == "edge":
            categories = [attributes["type"]] if attributes.get("type") else []
            to = self._attribute(tag, attributes, "toID")
            node.edges.append(_Edge(to, self.parser.CurrentLineNumber, categories))
        elif tag == "category" and parent == "edge":
            category = self._attribute(tag, attributes, "tag")
            if category not in node.edges[-1].categories:
                node.edges[-1].categories.append(category)
        elif tag == "attributes" and parent in ("node", "edge"):
            (node if parent == "node" else node.edges[-1]).attributes.update(attributes)

    def _attribute(self, tag: str, attributes: dict[str, str], key: str) -> str:
        value = attributes.get(key, "").strip()
        if not value:
            raise self._fail(f"expected <{tag}> to have {key}, got {', '.join(attributes) or 'no attributes'}")
        return value

    def _end(self, tag: str) -> None:
        self._open.pop()
        if tag == "node":
            self._node = None

    def passage(self, name: str) -> Passage:
        """The nodes as a passage, every reference checked; called `name` where the file gives it no id."""
        words = [node for node in self._nodes.values() if node.layer == "0"]
        units = [node for node in self._nodes.values() if node.layer == "1"]
        place_of_word = {node.id: place for place, node in enumerate(words)}
        place_of_unit = {node.id: place for place, node in enumerate(units)}
        edges = []
        for parent, node in enumerate(units):
            for edge in node.edges:
                if edge.to in place_of_word:
                    continue
                if edge.to not in place_of_unit:
                    layer = "terminal" if _TERMINAL in edge.categories else "unit"
                    raise self._fail(
                        f"expected node {node.id} to lead to a {layer}, got {edge.to}, not there", edge.line
                    )
                if not edge.categories:
                    raise self._fail(f"expected the edge {node.id} to {edge.to} to have a type or category", edge.line)
                remote = _is_true(edge.attributes.get("remote"))
                edges.append(Edge(parent, place_of_unit[edge.to], tuple(edge.categories), remote))
        terminals = tuple(Terminal(self._text(node), node.type == "Punctuation") for node in words)
        built = tuple(
            Unit(
                node.id,
                tuple(place_of_word[edge.to] for edge in node.edges if edge.to in place_of_word),
                implicit=_is_true(node.attributes.get("implicit")),
                linkage=node.type == "LKG",
            )
            for node in units
        )
        try:
            return Passage(self._id or name, terminals, built, tuple(edges))
        except InputError as error:
            raise InputError(error.message, self.name) from None

    def _text(self, node: _Node) -> str:
        text = node.attributes.get("text", "")
        if not text:
            raise self._fail(f"expected node {node.id} of layer 0 to have a text, got none", node.line)
        return text


def _is_true(value: str | None) -> bool:
    return value is not None and value.lower() == "true"
