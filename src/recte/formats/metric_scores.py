"""Scores of systems and sentences as tables, in the columns of WMT's metrics tasks.

    metric	language pair	test set	system	score               a system's score
    metric	language pair	test set	system	sentence	score    a sentence's

Sentences are numbered from 0 or from 1, without gaps. Any order of columns will do under a header that names `system`,
`score` and perhaps `sentence` and `metric` (separated by tabs or commas); two columns, system and score, need none. A
metric without a name is called as its file. mt-metrics-eval's NAME-REF.seg.score and .sys.score are read too, and JSON
lines: objects with the same keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import NamedTuple, TypeVar

from recte.errors import InputError
from recte.files import display_name, read_lines, stem, write_lines
from recte.formats.labels import csv_cells

__all__ = ["ScoreFile", "read_metric_scores", "write_metric_scores"]

Key = TypeVar("Key", str, int)
_SHORT, _SYSTEM, _SENTENCE = 2, 5, 6
_HEADER = ("system", "score")
_MISSING = "None"  # mt-metrics-eval's score of a system that nobody judged
_NEXT = -1  # the sentence behind the last one of the same system
_LARGEST = 1e50  # beyond it products of squares overflow


class ScoreFile(NamedTuple):
    """Scores by metric and system: one for a system, or one for each sentence in order.

    >>> ScoreFile(systems={"m2": {"wren": 0.5}}, sentences={}).systems["m2"]
    {'wren': 0.5}
    """

    systems: Mapping[str, Mapping[str, float]]
    sentences: Mapping[str, Mapping[str, tuple[float, ...]]]


def read_metric_scores(path: str | Path) -> ScoreFile:
    """Read a table of scores, of systems, sentences or both; more columns are left alone.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "mine.tsv").write_text("m2\\tsrc-trg\\ttest\\twren\\t0.5\\n")
    ...     read_metric_scores(f"{folder}/mine.tsv").systems
    {'m2': {'wren': 0.5}}
    """
    name = display_name(path)
    systems: dict[str, dict[str, float]] = {}
    sentences: dict[str, dict[str, dict[int, float]]] = {}
    for line, metric, system, sentence, score in _cells(path, name):
        if sentence is None:
            _add(systems.setdefault(metric, {}), system, score, name, line)
        else:
            of_system = sentences.setdefault(metric, {}).setdefault(system, {})
            _add(of_system, len(of_system) if sentence == _NEXT else sentence, score, name, line)
    if not systems and not sentences:
        raise InputError("expected scores, got none", name)
    return ScoreFile(systems, {metric: _in_order(by_system, metric, name) for metric, by_system in sentences.items()})


def _cells(path: str | Path, name: str) -> Iterator[tuple[int, str, str, int | None, str]]:
    """Line, metric, system, sentence (None for a system's score) and score of each line, in whichever form it has."""
    toolkit = _toolkit_file(path)
    judge = stem(path) if toolkit is None else toolkit[0]
    header: list[str] | None = None
    separator = "\t"
    for line, text in enumerate(read_lines(path), 1):
        if not text:
            continue
        if line == 1 and toolkit is None and not text.startswith("{"):
            separator = "\t" if "\t" in text else ","
            cells = [column.strip().lower() for column in csv_cells(text, name, line, separator)]
            if set(_HEADER) <= set(cells):
                header = cells
                continue
            separator = "\t"
        if toolkit is not None:
            columns = text.split()
            if len(columns) != _SHORT:
                raise InputError(f"expected a system and its score, got {len(columns)} columns", name, line)
            if toolkit[1] is not None or columns[1] != _MISSING:
                yield line, judge, columns[0], toolkit[1], columns[1]
        elif text.startswith("{"):
            yield line, *_from_json(text, judge, name, line)
        elif header is not None:
            columns = csv_cells(text, name, line, separator)
            if len(columns) != len(header):
                raise InputError(f"expected {len(header)} columns as in the header, got {len(columns)}", name, line)
            row = dict(zip(header, columns, strict=True))
            number = None if "sentence" not in row else _sentence(row["sentence"], name, line)
            yield line, row.get("metric", judge), row["system"], number, row["score"]
        else:
            yield line, *_read_published(text.split("\t"), judge, name, line)


def _read_published(columns: list[str], judge: str, name: str, line: int) -> tuple[str, str, int | None, str]:
    """A line of WMT's columns, or of a system and its score alone."""
    if len(columns) == _SHORT:
        return judge, columns[0], None, columns[1]
    if len(columns) >= _SENTENCE and _is_number(columns[5]):
        return columns[0], columns[3], _sentence(columns[4], name, line), columns[5]
    if len(columns) >= _SYSTEM:
        return columns[0], columns[3], None, columns[4]
    raise InputError(
        "expected a header with system, score and perhaps sentence and metric; or, without one, metric, language pair, "
        f"test set, system (and sentence), score separated by tabs, or system and score; got {len(columns)} columns",
        name,
        line,
    )


def _sentence(text: str, name: str, line: int) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise InputError(f"expected the number of a sentence, got {text[:40]!r}", name, line)
    return int(text)


def write_metric_scores(path: str | Path, scores: ScoreFile, *, test_set: str = "test") -> None:
    """Write the scores in the same columns, sentences numbered from 0, whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_metric_scores(f"{folder}/mine.tsv", ScoreFile({"m2": {"wren": 0.5}}, {}))
    ...     read_metric_scores(f"{folder}/mine.tsv").systems["m2"]["wren"]
    0.5
    """
    write_lines(path, _lines(scores, test_set))


def _lines(scores: ScoreFile, test_set: str) -> Iterable[str]:
    for metric, by_system in scores.systems.items():
        for system, score in by_system.items():
            yield f"{metric}\tsrc-trg\t{test_set}\t{system}\t{score!r}\n"
    for metric, of_sentences in scores.sentences.items():
        for system, values in of_sentences.items():
            for number, score in enumerate(values):
                yield f"{metric}\tsrc-trg\t{test_set}\t{system}\t{number}\t{score!r}\n"


def _toolkit_file(path: str | Path) -> tuple[str, int | None] | None:
    """Of a file of mt-metrics-eval the name of its metric, and what sentence a line is of: the next of its system, or
    none; None for other files.
    """
    bare = Path(path).name.removesuffix(".gz")
    for ending, sentence in ((".seg.score", _NEXT), (".sys.score", None)):
        if bare.endswith(ending):
            name = bare.removesuffix(ending)
            return name.rpartition("-")[0] or name, sentence
    return None


def _from_json(text: str, judge: str, name: str, line: int) -> tuple[str, str, int | None, str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"expected a JSON object, got {text[:40]!r}", name, line) from None
    metric, system, sentence = value.get("metric", judge), value.get("system"), value.get("sentence")
    if not isinstance(metric, str) or not isinstance(system, str):
        raise InputError(f"expected metric and system as text, got {metric!r} and {system!r}", name, line)
    if sentence is not None and (isinstance(sentence, bool) or not isinstance(sentence, int) or sentence < 0):
        raise InputError(f"expected the number of a sentence, got {str(sentence)[:40]!r}", name, line)
    return metric, system, sentence, str(value.get("score"))


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _add(scores: dict[Key, float], key: Key, score: str, name: str, line: int) -> None:
    if not _is_number(score):
        raise InputError(f"expected a number as score, got {score[:40]!r}", name, line)
    if abs(float(score)) > _LARGEST:
        raise InputError(f"expected a score of at most {_LARGEST:g}, got {score[:40]!r}", name, line)
    if key in scores:
        raise InputError(f"expected one score for each system (and sentence), got a second for {key!r}", name, line)
    scores[key] = float(score)


def _in_order(by_system: Mapping[str, Mapping[int, float]], metric: str, name: str) -> dict[str, tuple[float, ...]]:
    first = min(min(scores) for scores in by_system.values())
    length = max(len(scores) for scores in by_system.values())
    expected = set(range(first, first + length))
    for system, scores in by_system.items():
        if first > 1 or set(scores) != expected:
            absent = sorted(expected - set(scores))
            told = f"no sentence {absent[0]}" if absent else f"sentence {max(scores)}"
            raise InputError(
                f"expected sentences numbered from 0 or 1 without gaps, the same for each system, "
                f"got {told} of {system} by {metric}",
                name,
            )
    return {system: tuple(scores[i] for i in sorted(scores)) for system, scores in by_system.items()}
