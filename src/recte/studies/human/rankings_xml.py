"""Rankings as Appraise writes them: a judge ranks up to five outputs of a sentence, systems with equal output merged.

    <ranking-item id="0" src-id="135" user="annotator01">
      <translation rank="3" system="CAMB"/>
      <translation rank="1" system="IITB INPUT IPN"/>
    </ranking-item>

Names of merged systems are separated by spaces or commas; lower ranks are better. Items of the user `admin` are tests
of the tool and are left out. `src-id` is a number, or any text that the sentence is called by; where an item has none,
its `id` is the sentence, as in the rankings of Napoles et al. (2015). A `doc-id` may name the document that `src-id`
counts in, or nothing but the item.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.parsers import expat

from recte.errors import InputError
from recte.files import display_name
from recte.formats.xml_parsing import parse_xml
from recte.studies.human.judgments import RankedGroup, Ranking

__all__ = ["read_rankings_xml"]

_TESTER = "admin"


def read_rankings_xml(path: str | Path) -> list[Ranking]:
    """Every ranking of the file, in order, with sentences numbered as they are there."""
    reader = _Reader(display_name(path))
    parse_xml(path, reader.parser)
    return reader.rankings


class _Reader:
    """Handlers for one file; each knows the line it is at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rankings: list[Ranking] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse_entity
        self._item: tuple[int | str, str, str] | None = None
        self._groups: list[RankedGroup] = []

    def _fail(self, message: str) -> InputError:
        return InputError(message, self.name, self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self._fail(f"expected no entity declarations, got one of {name!r}")

    def _attribute(self, attributes: dict[str, str], tag: str, name: str) -> str:
        if name not in attributes:
            raise self._fail(f"expected <{tag} {name}=...>, got none")
        return attributes[name]

    def _number(self, attributes: dict[str, str], tag: str, name: str) -> int:
        text = self._attribute(attributes, tag, name)
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise self._fail(f"expected a number in {name}, got {text[:40]!r}")
        return int(text)

    def _sentence(self, attributes: dict[str, str], tag: str) -> int | str:
        """The number of a sentence, or a text that it is called by."""
        text = self._attribute(attributes, tag, "id" if "src-id" not in attributes and "id" in attributes else "src-id")
        text = text.strip()
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            if not text:
                raise self._fail("expected the number or the id of a sentence in src-id, got none")
            return text
        if int(text) < 0:
            raise self._fail(f"expected a sentence number of 0 or more in src-id, got {text}")
        return int(text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "ranking-item":
            if self._item is not None:
                raise self._fail("expected <translation> inside <ranking-item>, got another <ranking-item>")
            sentence = self._sentence(attributes, tag)
            self._item = sentence, self._attribute(attributes, tag, "user"), attributes.get("doc-id", "")
            self._groups = []
        elif tag == "translation":
            if self._item is None:
                raise self._fail("expected <translation> inside a <ranking-item>, got it outside")
            systems = tuple(s for s in re.split(r"[\s,]+", self._attribute(attributes, tag, "system")) if s)
            if not systems:
                raise self._fail("expected the name of a system, got none")
            self._check_new(systems)
            self._groups.append(RankedGroup(systems, self._number(attributes, tag, "rank")))

    def _check_new(self, systems: tuple[str, ...]) -> None:
        known = [system for group in self._groups for system in group.systems]
        for place, system in enumerate(systems):
            if system in known or system in systems[:place]:
                raise self._fail(f"expected each system once in a ranking, got {system!r} twice")

    def _end(self, tag: str) -> None:
        if tag == "ranking-item" and self._item is not None:
            sentence, judge, document = self._item
            if judge != _TESTER:
                self.rankings.append(Ranking(sentence, judge, tuple(self._groups), document))
            self._item = None
