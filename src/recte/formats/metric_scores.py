"""Scores of systems and sentences as tables, in the columns of WMT's metrics tasks.

    metric	language pair	test set	system	score               a system's score
    metric	language pair	test set	system	sentence	score    a sentence's

Sentences are numbered from 0 or from 1, without gaps. Two columns, system
and score, will do for a metric without a name. mt-metrics-eval's NAME-REF.seg.score
and .sys.score are read too, and JSON lines: objects with `system`, `score` and
perhaps `sentence` and `metric`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import NamedTuple, TypeVar

from recte.errors import InputError
from recte.formats.files import display_name, read_lines, stem, write_lines

__all__ = ["ScoreFile", "read_metric_scores", "write_metric_scores"]

Key = TypeVar("Key", str, int)
_SHORT, _SYSTEM, _SENTENCE = 2, 5, 6
_HEADER = ("system", "score")
_LARGEST = 1e50  # beyond it products of squares overflow


class ScoreFile(NamedTuple):
    """Scores by metric and system: one for a system, or one for each sentence in order.

    >>> ScoreFile(systems={"m2": {"wren": 0.5}}, sentences={}).systems["m2"]
    {'wren': 0.5}
    """

    systems: Mapping[str, Mapping[str, float]]
    sentences: Mapping[str, Mapping[str, tuple[float, ...]]]


def read_metric_scores(path: str | Path) -> ScoreFile:
    """Read a table of scores, of systems, sentences or both; more columns behind the score are left alone.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "mine.tsv").write_text("m2\\tsrc-trg\\ttest\\twren\\t0.5\\n")
    ...     read_metric_scores(f"{folder}/mine.tsv").systems
    {'m2': {'wren': 0.5}}
    """
    name = display_name(path)
    systems: dict[str, dict[str, float]] = {}
    sentences: dict[str, dict[str, dict[int, float]]] = {}
    blocks = _toolkit_metric(path)
    for line, text in enumerate(read_lines(path), 1):
        columns = text.split("\t")
        if not text or (line == 1 and tuple(columns) == _HEADER):
            continue
        if blocks is not None:
            columns = text.split()
            if len(columns) != _SHORT:
                raise InputError(f"expected a system and its score, got {len(columns)} columns", name, line)
            of_system = sentences.setdefault(blocks, {}).setdefault(columns[0], {})
            _add(of_system, len(of_system), columns[1], name, line)
            continue
        if text.startswith("{"):
            metric, system, sentence, score = _from_json(text, stem(path), name, line)
            if sentence is None:
                _add(systems.setdefault(metric, {}), system, score, name, line)
            else:
                _add(sentences.setdefault(metric, {}).setdefault(system, {}), sentence, score, name, line)
            continue
        if len(columns) == _SHORT:
            _add(systems.setdefault(stem(path), {}), columns[0], columns[1], name, line)
        elif len(columns) >= _SENTENCE and _is_number(columns[5]):
            if not columns[4].isdecimal() or len(columns[4]) > 9:
                raise InputError(f"expected the number of a sentence, got {columns[4][:40]!r}", name, line)
            of_system = sentences.setdefault(columns[0], {}).setdefault(columns[3], {})
            _add(of_system, int(columns[4]), columns[5], name, line)
        elif len(columns) >= _SYSTEM:
            _add(systems.setdefault(columns[0], {}), columns[3], columns[4], name, line)
        else:
            raise InputError(
                "expected metric, language pair, test set, system (and sentence), score separated by tabs, "
                f"or system and score, got {len(columns)} columns",
                name,
                line,
            )
    if not systems and not sentences:
        raise InputError("expected scores, got none", name)
    return ScoreFile(systems, {metric: _in_order(by_system, metric, name) for metric, by_system in sentences.items()})


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


def _toolkit_metric(path: str | Path) -> str | None:
    """The metric whose segment scores stand in a file of mt-metrics-eval, one block of lines per system; else None."""
    bare = Path(path).name.removesuffix(".gz")
    return bare.removesuffix(".seg.score").rpartition("-")[0] or stem(path) if bare.endswith(".seg.score") else None


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
    wanted = set(range(first, first + length))
    for system, scores in by_system.items():
        if first > 1 or set(scores) != wanted:
            absent = sorted(wanted - set(scores))
            told = f"no sentence {absent[0]}" if absent else f"sentence {max(scores)}"
            raise InputError(
                f"expected sentences numbered from 0 or 1 without gaps, the same for each system, "
                f"got {told} of {system} by {metric}",
                name,
            )
    return {system: tuple(scores[i] for i in sorted(scores)) for system, scores in by_system.items()}
