"""FCGEC's JSON: an object from id to sentence, with the operations that correct it.

There are two readings. `official` gives the references that the task's own converter makes, faults included: from the
first entry whose label is a list on, each insertion and each change is a reference of its own, and deletions and
switches are lost; and a switch stays for the references after it. `complete` applies each entry as it is described.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from recte.corpus.corpus import Sentence
from recte.errors import InputError
from recte.files import can_be_read_again, display_name, name_without_compression, read_lines
from recte.formats.file_formats import FileFormat
from recte.patterns import compile_later

__all__ = ["FCGEC", "complete_references", "official_references"]

_CHANGED = compile_later(r"MOD_(\d+)")
_MOST_REFERENCES = 1000  # of one entry; lists of alternatives multiply


class _Change(NamedTuple):
    """Replace `replaced` characters from `place`, or with 0 insert behind it; one of the labels says by what."""

    place: int
    replaced: int
    labels: tuple[str, ...]
    listed: bool


class _Entry(NamedTuple):
    """One entry of a sentence's operations; `switch` says where each character comes from."""

    switch: tuple[int, ...] | None
    deleted: frozenset[int]
    changes: tuple[_Change, ...]

    @property
    def listed(self) -> bool:
        """Whether an insertion or a change has alternatives; the task's converter looks at the first of each kind."""
        kinds = {change.replaced > 0: change.listed for change in reversed(self.changes)}
        return any(kinds.values())


def _entry(operation: Mapping[str, Any], size: int) -> _Entry:
    switch = operation.get("Switch")
    if switch is not None and sorted(switch) != list(range(size)):
        raise ValueError(f"expected a Switch of all {size} characters")
    changes = [_change(values, 0) for values in operation.get("Insert", ())]
    changes += [_change(values, int(_CHANGED.match(values["tag"])[1])) for values in operation.get("Modify", ())]  # type: ignore[index]
    deleted = frozenset(operation.get("Delete", ()))
    for place in (*deleted, *(change.place for change in changes)):
        if not isinstance(place, int) or not -1 <= place < size:
            raise ValueError(f"expected places within the {size} characters, got {place!r}")
    return _Entry(None if switch is None else tuple(switch), deleted, tuple(changes))


def _change(values: Mapping[str, Any], replaced: int) -> _Change:
    label = values["label"]
    listed = isinstance(label, list)
    labels = tuple(label) if listed else (label,)
    if not labels or not all(isinstance(label_text, str) for label_text in labels):
        raise ValueError("expected a label that is a text, or a list of them")
    return _Change(values["pos"], replaced, labels, listed)


def _apply(text: str, deleted: frozenset[int], changes: Sequence[tuple[_Change, str]]) -> str:
    replaced = {change.place: (change.replaced, label) for change, label in changes if change.replaced}
    inserted = {change.place: label for change, label in changes if not change.replaced}
    made, place = [inserted.get(-1, "")], 0
    while place < len(text):
        count, label = replaced.get(place, (1, "" if place in deleted else text[place]))
        made.append(label)
        place += count
        made.append(inserted.get(place - 1, ""))
    return "".join(made)


def _switch(text: str, switch: tuple[int, ...] | None) -> str:
    return text if switch is None else "".join(text[place] for place in switch)


def complete_references(text: str, operations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Every entry with all it says; alternatives give one reference each.

    >>> insertion = {"pos": -1, "tag": "INS_1", "label": ["我", "他"]}
    >>> complete_references("很很好", [{"Delete": [1], "Insert": [insertion]}])
    ('我很好', '他很好')
    """
    references = []
    for entry in (_entry(operation, len(text)) for operation in operations):
        if prod(len(change.labels) for change in entry.changes) > _MOST_REFERENCES:
            raise ValueError(f"expected at most {_MOST_REFERENCES} alternatives in an entry")
        switched = _switch(text, entry.switch)
        for labels in product(*(change.labels for change in entry.changes)):
            chosen = list(zip(entry.changes, labels, strict=True))
            references.append(_apply(switched, entry.deleted, chosen))
    return tuple(references)


def official_references(text: str, operations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """As the task's converter makes them.

    >>> insertion = {"pos": -1, "tag": "INS_1", "label": ["我", "他"]}
    >>> official_references("很很好", [{"Delete": [1], "Insert": [insertion]}, {"Delete": [0]}])
    ('我很很好', '他很很好')
    """
    references, listed = [], False
    for entry in (_entry(operation, len(text)) for operation in operations):
        listed = listed or entry.listed
        if listed:
            for change in entry.changes:
                references += [_apply(text, frozenset(), [(change, label)]) for label in change.labels]
            continue
        text = _switch(text, entry.switch)
        # The converter has one tag per character: an insertion or a change takes the place of a deletion.
        deleted = entry.deleted - {change.place for change in entry.changes}
        references.append(_apply(text, deleted, [(change, change.labels[0]) for change in entry.changes]))
    return tuple(references)


def is_fcgec_file(path: str | Path) -> bool:
    """Whether the file is named `.json` and begins as one object over several sentences."""
    if not name_without_compression(str(path)).endswith(".json") or not can_be_read_again(path):
        return False
    first = "".join(line.strip() for line, _ in zip(read_lines(path), range(3), strict=False))
    return re.match(r'\{\s*"[^"]*"\s*:\s*\{', first) is not None


def _read(path: str | Path, official: bool) -> Iterator[Sentence]:
    name = display_name(path)
    try:
        rows = json.loads("\n".join(read_lines(path)))
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a JSON object from ids to sentences, got none: {error}", name) from None
    if not isinstance(rows, dict) or not rows:
        raise InputError("expected a JSON object from ids to sentences, got none", name)
    for id_, row in rows.items():
        yield _sentence(id_, row, name, official)


def _sentence(id_: str, row: Any, name: str, official: bool) -> Sentence:
    if not isinstance(row, dict) or not isinstance(row.get("sentence"), str):
        raise InputError(f"sentence {id_}: expected an object with the key 'sentence'", name)
    text = row["sentence"]
    if "operation" not in row:
        raise InputError(f"sentence {id_}: expected the key 'operation' of gold, got a sentence without gold", name)
    operations = row["operation"]
    try:
        entries = json.loads(operations) if isinstance(operations, str) else operations
        if not isinstance(entries, list) or not all(isinstance(operation, dict) for operation in entries):
            raise ValueError("expected a list of entries")
        references = (official_references if official else complete_references)(text, entries)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        what = f"no key {error}" if isinstance(error, KeyError) else error
        raise InputError(f"sentence {id_}: expected operations of FCGEC: {what}", name) from None
    return Sentence(text, references=references or (text,), id=id_)


def _format(reading: str, readings: tuple[FileFormat, ...] = ()) -> FileFormat:
    return FileFormat(
        "fcgec",
        "FCGEC's JSON",
        is_fcgec_file,
        read_gold=lambda path, lenient: _read(path, reading == "official"),
        has_words=False,
        reading=reading,
        readings=readings,
    )


FCGEC = _format("official", (_format("complete"),))
