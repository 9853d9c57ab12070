"""Files of pairs, and what is kept of them in a file: as they are read, or in parts on a cluster.

A stream is enough where each pair is judged when it is read. Parts, and a sample by types, need all verdicts before
anything is written: a byte for each pair, eight with duplicates, and four more with types. The files are then read
again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError
from recte.evaluation.cluster.corpus_parts import Part
from recte.evaluation.cluster.engines import Engine
from recte.evaluation.cluster.part_counting import BadPart, or_bad_part
from recte.evaluation.inputs import GoldFiles
from recte.files import encode_lines, name_without_compression, stem, write_bytes, write_lines
from recte.formats.parallel import parallel_lines
from recte.remote_files import is_address
from recte.studies.filtering.duplicates import SeenPairs, hash_pairs
from recte.studies.filtering.filtered_pairs import CHUNK, PairStream, count_removed
from recte.studies.filtering.pair_conditions import DUPLICATES, ConditionJudge, PairColumns, PairConditions
from recte.studies.filtering.type_sampling import TypeCounts, TypeSample, draw_rows
from recte.threads import at_most_threads

__all__ = [
    "SAMPLE",
    "FilterOutcome",
    "PairSample",
    "check_format",
    "filter_in_parts",
    "filter_stream",
    "one_part",
    "part_targets",
]

SAMPLE = "sample"
_FORMATS = (".tsv", ".jsonl")
_AS_BLANKS = str.maketrans("\n\r\t", "   ")

Progress = Callable[[int], None]


@dataclass(frozen=True)
class PairSample:
    """How many pairs to draw, and how often each type stands in the gold that they are to match."""

    size: int
    types: Mapping[str, int]
    seed: int


@dataclass(frozen=True)
class FilterOutcome:
    """How many pairs were read, how many each condition removed, and how near a sample came to the gold's types."""

    pairs: int
    removed: Counter[str]
    sample: TypeSample | None = None

    @property
    def kept(self) -> int:
        return self.pairs - self.removed.total()


def check_format(path: str) -> None:
    """Refuse a file to write that is in no format for pairs."""
    if not name_without_compression(path).endswith(_FORMATS):
        raise OptionError(
            f"--to: expected a file that ends in {' or '.join(_FORMATS)} (or .gz behind it), got {path!r}"
        )


def filter_stream(
    source: str, corrected: Sequence[str], to: str, conditions: PairConditions, progress: Progress
) -> FilterOutcome:
    """Write the pairs that are kept while the files are read; nothing of them stays in memory but hashes."""
    stream = PairStream(conditions)

    def iterate_pairs() -> Iterator[PairColumns]:
        for pairs in _read_pairs(source, corrected):
            yield pairs.take(stream.rows_kept(pairs))
            progress(len(pairs.sources))

    _write(to, iterate_pairs())
    return FilterOutcome(stream.pairs, stream.removed)


def _read_pairs(source: str, corrected: Sequence[str]) -> Iterator[PairColumns]:
    for _, sources, versions in parallel_lines(source, corrected, max(1, CHUNK // len(corrected))):
        yield PairColumns.of_versions(sources, versions)


def _write(to: str, parts: Iterator[PairColumns]) -> None:
    lines = _lines(parts, "tsv" if name_without_compression(to).endswith(".tsv") else "jsonl")
    if is_address(to):
        write_bytes(to, b"".join(encode_lines(to, lines)))
    else:
        write_lines(to, lines)


def _lines(parts: Iterator[PairColumns], format: str) -> Iterator[str]:
    if format == "tsv":
        yield "source\treference\n"
    for pairs in parts:
        for source, corrected in zip(pairs.sources, pairs.corrected, strict=True):
            if format == "tsv":
                yield f"{source.translate(_AS_BLANKS)}\t{corrected.translate(_AS_BLANKS)}\n"
            else:
                yield json.dumps({"source": source, "references": [corrected]}, ensure_ascii=False) + "\n"


@dataclass
class _PairVerdicts:
    """A byte for each pair of a part, hashes of those that met all conditions, and their types."""

    removed: NDArray[np.uint8]
    hashes: NDArray[np.uint64]
    types: TypeCounts = field(default_factory=TypeCounts)


def filter_in_parts(
    engine: Engine,
    parts: Sequence[Part],
    conditions: PairConditions,
    sample: PairSample | None,
    targets: Sequence[str],
    progress: Progress,
) -> FilterOutcome:
    """Write what is kept of each part into a file of its own; the same pairs however the corpus is cut."""
    tasks = {engine.submit(_judge_part, part, conditions, sample is not None): part.number for part in parts}
    judged: dict[int, _PairVerdicts] = {}
    for task, outcome in engine.as_finished(list(tasks)):
        judged[tasks.pop(task)] = _or_error(outcome)
        progress(len(outcome.removed))
    in_order = [judged[part.number] for part in parts]
    names = ConditionJudge(conditions).names
    if not conditions.duplicates:
        _remove_duplicates(in_order, names.index(DUPLICATES) + 1)
    drawn = None if sample is None else _draw(in_order, sample, len(names) + 1)
    writing = [
        engine.submit(_write_part, part, target, np.flatnonzero(judged_part.removed == 0))
        for part, target, judged_part in zip(parts, targets, in_order, strict=True)
    ]
    for _, failed in engine.as_finished(writing):
        _or_error(failed)
    removed = sum((count_removed(part.removed, (*names, SAMPLE)) for part in in_order), Counter[str]())
    return FilterOutcome(sum(len(part.removed) for part in in_order), removed, drawn)


def _or_error(outcome: Any) -> Any:
    if isinstance(outcome, BadPart):
        raise outcome.reason
    return outcome


def _remove_duplicates(parts: Sequence[_PairVerdicts], place: int) -> None:
    seen = SeenPairs()
    for part in parts:
        rows = np.flatnonzero(part.removed == 0)
        is_first = seen.add(part.hashes)
        part.removed[rows[~is_first]] = place
        if part.types.pairs:
            part.types.pairs = [np.concatenate(part.types.pairs)[is_first]]


def _draw(parts: Sequence[_PairVerdicts], sample: PairSample, place: int) -> TypeSample:
    counts = TypeCounts()
    for part in parts:
        counts.join(part.types)
    if not sum(map(len, counts.pairs)):
        raise InputError("sample: expected pairs that meet the conditions, got none")
    drawn = TypeSample.of(counts, sample.types, sample.size)
    first = before = 0
    for part in parts:
        rows = np.flatnonzero(part.removed == 0)
        chances = np.zeros(len(part.removed))
        chances[rows] = drawn.chances[before : before + len(rows)]
        part.removed[rows[~draw_rows(chances, sample.seed, first)[rows]]] = place
        first, before = first + len(part.removed), before + len(rows)
    return drawn


def _judge_part(part: Part, conditions: PairConditions, with_types: bool) -> _PairVerdicts | BadPart:
    def judge() -> _PairVerdicts:
        judging, types = ConditionJudge(conditions), TypeCounts()
        removed, hashes = [np.zeros(0, np.uint8)], [np.zeros(0, np.uint64)]
        for pairs in _read_pairs(str(part.gold.source), [str(path) for path in part.gold.references]):
            removed.append(judging.find_failures(pairs))
            remaining = pairs.take(np.flatnonzero(removed[-1] == 0))
            if not conditions.duplicates:
                hashes.append(hash_pairs(remaining.sources, remaining.corrected))
            if with_types:
                types.add(judging.types_of(remaining))
        return _PairVerdicts(np.concatenate(removed), np.concatenate(hashes), types)

    with at_most_threads(1):
        return or_bad_part(part, judge)


def _write_part(part: Part, target: str, rows: NDArray[np.int64]) -> BadPart | None:
    def write() -> None:
        _write(target, iterate_pairs())

    def iterate_pairs() -> Iterator[PairColumns]:
        first = 0
        for pairs in _read_pairs(str(part.gold.source), [str(path) for path in part.gold.references]):
            begin, end = np.searchsorted(rows, [first, first + len(pairs.sources)])
            yield pairs.take(rows[begin:end] - first)
            first += len(pairs.sources)

    return or_bad_part(part, write)


def part_targets(parts: Sequence[Part], folder: str) -> list[str]:
    """A file for each part, called as the part of the sources."""
    return [f"{folder.rstrip('/')}/{stem(str(part.gold.source))}.tsv" for part in parts]


def one_part(source: str, corrected: Sequence[str]) -> Part:
    """Files that are no parts, as one part."""
    return Part(0, GoldFiles(source=source, references=tuple(corrected)), {})
