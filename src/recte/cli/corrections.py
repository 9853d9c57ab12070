"""What to type instead: command lines that are refused, rewritten where it is clear what was meant.

Each rule takes the words of a command line and returns them corrected, or None where it has nothing to correct. A new
mistake is one more function in `_RULES`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = ["correct_command", "is_typed", "suggesting_command", "with_correction"]

_typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())
_FORMATS = ("json", "latex", "csv", "markdown", "tidy")
_OF_SCORE = ("--by", "--by-type", "--one-table", "--edits", "-sl", "--sentence-level", "--sort")
_WITH_GOLD = ("score", "compare", "report", "explain", "figures", "count")


@contextmanager
def suggesting_command(words: Sequence[str]) -> Iterator[None]:
    """Inside the block, messages can say what to type instead of these words."""
    token = _typed.set(tuple(words))
    try:
        yield
    finally:
        _typed.reset(token)


def is_typed(word: str) -> bool:
    """Whether the command line has this word."""
    return word in _typed.get()


def with_correction(message: str, otherwise: str = "") -> str:
    """A message about the command line, with what to type where that is clear; else with other advice behind it."""
    try:
        corrected = correct_command(_typed.get())
    except Exception:  # a message without advice is better than none
        corrected = None
    if corrected is None:
        return message + otherwise
    return f"{message.partition('; did you mean')[0]}; type: recte {shlex.join(corrected)}"


def correct_command(words: Sequence[str]) -> list[str] | None:
    """The words corrected by every rule; None where none has something to correct.

    >>> correct_command(["-hyp", "a.m2", "-ref", "g.m2"])
    ['score', 'g.m2', 'a.m2', '-m', 'errant']
    >>> correct_command(["score", "g.m2", "a.txt", "-m", "ERRANT,GLEU", "--json"])
    ['score', 'g.m2', 'a.txt', '-m', 'errant', 'gleu', '-f', 'json']
    >>> correct_command(["score", "g.m2", "a.txt"])
    """
    corrected = list(words)
    for rule in _RULES:
        corrected = rule(corrected) or corrected
    return None if corrected == list(words) else corrected


def _values(words: Sequence[str], *flags: str) -> list[str]:
    """The words behind a flag, up to the next."""
    place = next((place for place, word in enumerate(words) if word in flags), None)
    if place is None:
        return []
    behind = words[place + 1 :]
    end = next((place for place, word in enumerate(behind) if word.startswith("-") and word != "-"), len(behind))
    return list(behind[:end])


def _without(words: Sequence[str], *flags: str) -> list[str]:
    """The words without some flags and what stands behind them."""
    left = list(words)
    for flag in flags:
        if flag in left:
            place = left.index(flag)
            del left[place : place + 1 + len(_values(left, flag))]
    return left


def _files(words: Sequence[str]) -> list[str]:
    """The words behind the command, up to the first flag."""
    return _values(["-", *words[1:]], "-")


def _errant_compare(words: Sequence[str]) -> list[str] | None:
    """`-hyp FILE -ref FILE`, as ERRANT's program takes them."""
    hypothesis, reference = _values(words, "-hyp"), _values(words, "-ref")
    if not hypothesis or not reference:
        return None
    beta = _values(words, "-b", "--beta")
    by_type = ["--by-type"] if "-cat" in words else []
    return ["score", *reference, *hypothesis, "-m", "errant", *(["--beta", *beta] if beta else []), *by_type]


def _gold_as_reference(words: Sequence[str]) -> list[str] | None:
    """`-s SOURCE -r GOLD.m2`: an M2 file has the sources, too. What stands behind it are systems."""
    from recte.formats.m2 import begins_like_m2

    gold, *systems = _values(words, "-r", "--reference") or [""]
    if not gold or not begins_like_m2(gold) or any(map(begins_like_m2, systems)):
        return None
    left = _without(words, "-s", "--source", "-r", "--reference")
    return [left[0], gold, *systems, *left[1:]]


def _reference_as_gold(words: Sequence[str]) -> list[str] | None:
    """`score REFERENCE SYSTEM`, both plain text: a reference needs its source."""
    from recte.formats.file_formats import looks_like_gold

    files = _files(words)
    if words[:1] and words[0] not in _WITH_GOLD:
        return None
    if any(flag in words for flag in ("-s", "--source", "-t", "--test-set", "-r", "--reference")):
        return None
    if len(files) < 2 or not all(Path(file).is_file() for file in files) or any(map(looks_like_gold, files)):
        return None
    reference, *systems = files
    return [words[0], "-s", "SOURCE", "-r", reference, "-i", *systems, *words[1 + len(files) :]]


def _format_as_flag(words: Sequence[str]) -> list[str] | None:
    """`--json` for `-f json`."""
    return [
        part for word in words for part in (["-f", word[2:]] if word[2:] in _FORMATS and word[:2] == "--" else [word])
    ]


def _tables_of_score(words: Sequence[str]) -> list[str] | None:
    """Breakdowns of scores, asked of `compare`."""
    if words[:1] != ["compare"] or not any(word.partition("=")[0] in _OF_SCORE for word in words):
        return None
    return ["score", *words[1:]]


def _metric_names(words: Sequence[str]) -> list[str] | None:
    """Metrics parted by commas, in capitals, or as the file they are in."""
    from recte.metrics import metric_names

    typed_names = _values(words, "-m", "--metrics")
    if not typed_names:
        return None
    place = next(place for place, word in enumerate(words) if word in ("-m", "--metrics"))
    names: list[str] = []
    files = [value for value in typed_names if not value.endswith(".py") and Path(value).is_file()]
    for name in (part for value in typed_names if value not in files for part in value.split(",") if part):
        if name.endswith(".py") and Path(name).is_file():
            names.append(_metric_of_file(Path(name)))
        else:
            names.append(name.lower() if name.lower() in metric_names() else name)
    left = [*words[:1], *files, *words[1:place]]
    behind = words[place + 1 + len(typed_names) :]
    return [*left, *behind, words[place], *names] if files else [*left, words[place], *names, *behind]


def _metric_of_file(path: Path) -> str:
    """How the first metric of a file is named on the command line."""
    import ast

    module = ".".join(path.with_suffix("").parts)
    for node in ast.parse(path.read_text("utf-8")).body:
        is_function = isinstance(node, ast.FunctionDef) and bool(node.decorator_list)
        if is_function or isinstance(node, ast.ClassDef):
            return f"{module}:{node.name}"  # type: ignore[attr-defined]
    return f"{module}:NAME"


_RULES: tuple[Callable[[Sequence[str]], list[str] | None], ...] = (
    _errant_compare,
    _gold_as_reference,
    _reference_as_gold,
    _format_as_flag,
    _tables_of_score,
    _metric_names,
)
