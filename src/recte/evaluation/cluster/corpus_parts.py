"""Gold and systems in parts: which files belong together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from recte.errors import InputError, OptionError
from recte.evaluation.inputs import GoldFiles
from recte.evaluation.raw_systems import writing_of
from recte.files import STANDARD_INPUT, stem
from recte.messages import warn
from recte.remote_files import list_files

__all__ = ["Part", "collection_name", "pair_parts"]

_WILDCARD = re.compile(r"[*?\[]")
_NUMBER = re.compile(r"\d+")
_SAYS_NOTHING = ("", "part", "parts", "shard", "chunk", "out", "output")


@dataclass(frozen=True)
class Part:
    """Some files that belong together: gold and systems of a run of sentences.

    `first` is the place of the first sentence in the whole, and `size` how many there are, once that is known;
    `documents` says whether any part says which document a sentence is from.
    """

    number: int
    gold: GoldFiles
    systems: Mapping[str, str]
    first: int = 0
    size: int = 0
    documents: bool = False

    @property
    def references(self) -> int:
        """How many references a sentence can have, 0 where it is not known before they are read."""
        return len(self.gold.references) or len(self.gold.annotators)

    @property
    def name(self) -> str:
        """What messages call it: its gold file."""
        return self.gold.name

    def files(self) -> list[str]:
        return [*map(str, self.gold.paths()), *self.systems.values()]


def collection_name(path: str) -> str:
    """What a system is called whose files are a folder, a glob or one file.

    >>> collection_name("out/AMU/part-*.txt"), collection_name("out/AMU-*.txt"), collection_name("out/AMU/")
    ('AMU', 'AMU', 'AMU')
    >>> collection_name("AMU.txt")
    'AMU'
    """
    folder, _, last = path.rstrip("/").rpartition("/")
    wildcard = _WILDCARD.search(last)
    if wildcard is None:
        return stem(last)
    before = last[: wildcard.start()].rstrip("-_.")
    return stem(folder.rpartition("/")[2]) or before if before in _SAYS_NOTHING else before


def pair_parts(gold: GoldFiles, systems: Mapping[str, str]) -> list[Part]:
    """The parts of a gold and of systems by name. Each is a glob, a folder or one file; files pair by sorted name."""
    paths = [*map(str, gold.paths()), *systems.values()]
    if STANDARD_INPUT in paths:
        raise OptionError("cluster: expected files that workers can read, got standard input")
    listed = {path: list_files(path) for path in dict.fromkeys(paths)}
    first = paths[0]
    for path in paths[1:]:
        _check_pairs(first, listed[first], path, listed[path])

    def with_files(number: int) -> GoldFiles:
        def own(path: object) -> str | None:
            return None if path is None else listed[str(path)][number]

        references = tuple(listed[str(path)][number] for path in gold.references)
        return replace(
            gold, gold=own(gold.gold), source=own(gold.source), references=references, labels=own(gold.labels)
        )

    golds = [with_files(number) for number in range(len(listed[first]))]
    if gold.outputs == "raw":  # a part alone might show another way to write
        writing = writing_of(chain.from_iterable(part.sentences() for part in golds), gold.output_tokens)
        golds = [replace(part, writing=writing) for part in golds]
    return [
        Part(number, part, {name: listed[path][number] for name, path in systems.items()})
        for number, part in enumerate(golds)
    ]


def _check_pairs(first: str, first_files: Sequence[str], path: str, files: Sequence[str]) -> None:
    if len(files) != len(first_files):
        raise InputError(f"expected {len(first_files)} parts, as many as {first} has, got {len(files)}", path)
    numbers, first_numbers = _numbers(files), _numbers(first_files)
    wrong = next((i for i, (a, b) in enumerate(zip(numbers, first_numbers, strict=True)) if a != b), None)
    if wrong is None:
        return
    if sorted(numbers) == sorted(first_numbers):
        raise InputError(
            f"expected numbers of one width, since parts pair by sorted name, got {_last(files[wrong])} "
            f"for {_last(first_files[wrong])}",
            path,
        )
    if any(number in first_numbers for number in numbers if number):
        warn(
            f"{path}: parts pair by sorted name, so {_last(files[wrong])} goes with {_last(first_files[wrong])}: "
            "is a part missing?"
        )


def _numbers(files: Sequence[str]) -> list[list[int]]:
    return [[int(digits) for digits in _NUMBER.findall(stem(file))][-1:] for file in files]


def _last(path: str) -> str:
    return path.rpartition("/")[2]
