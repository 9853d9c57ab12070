"""Faithfulness without a parser: any scorer of two texts, as a Python callable or as a command."""

from __future__ import annotations

import math
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from recte.errors import InputError, OptionError
from recte.extras import function_named

__all__ = ["TextFaithfulness", "TextScorer", "command_scorer", "named_scorer", "score_text_faithfulness"]

TextScorer = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class TextFaithfulness:
    """A scorer's figure for each sentence of a system, and their mean.

    >>> TextFaithfulness("heron", "my_scorer", (1.0, 0.5)).average
    0.75
    """

    system: str
    scorer: str
    sentences: tuple[float, ...]

    @property
    def average(self) -> float:
        return fmean(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "sentences": list(self.sentences), "average": self.average}


def score_text_faithfulness(
    sources: Sequence[str],
    corrected: Sequence[str],
    scorer: TextScorer,
    *,
    batched: bool = False,
    system: str = "system",
    name: str = "",
) -> TextFaithfulness:
    """How faithful corrections are by a scorer of two texts, called with a source and its correction.

    A `batched` scorer is called once, with the list of all sources and that of all corrections, and gives a list.

    >>> def kept_words(source, corrected):
    ...     return len({*source.split()} & {*corrected.split()}) / len({*source.split()})
    >>> score_text_faithfulness(["Go home now", "Yes"], ["Going home now", "Yes"], kept_words).sentences
    (0.6666666666666666, 1.0)
    """
    name = name or getattr(scorer, "__name__", type(scorer).__name__)
    if len(sources) != len(corrected):
        raise InputError(f"{system}: expected {len(sources)} corrections, one for each source, got {len(corrected)}")
    if not sources:
        raise InputError(f"{system}: expected at least one sentence, got none")
    try:
        figures = list(scorer(sources, corrected) if batched else map(scorer, sources, corrected))
    except (InputError, OptionError):
        raise
    except (Exception, SystemExit) as error:  # whatever a stranger's scorer raises is one line for its user
        raise InputError(f"scorer {name}: {type(error).__name__}: {' '.join(str(error).split())}") from error
    if len(figures) != len(sources):
        raise InputError(f"scorer {name}: expected {len(sources)} figures, one for each sentence, got {len(figures)}")
    numbers = []
    for number, figure in enumerate(figures, 1):
        try:
            value = float(figure)
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"scorer {name}: expected a number for sentence {number}, got {figure!r}")
        numbers.append(value)
    return TextFaithfulness(system, name, tuple(numbers))


def named_scorer(name: str) -> TextScorer:
    """The callable that `module:function` names; modules of the current folder are found too.

    >>> named_scorer("operator:ne").__name__
    'ne'
    """
    return function_named(name, "scorer")


def command_scorer(command: str) -> TextScorer:
    """A batched scorer that runs a command once: source, tab, correction a line in; a number a line out.

    >>> score = command_scorer("awk -F '\\\\t' '{ print ($1 == $2) }'")
    >>> score(["a b", "c"], ["a b", "d"])
    ['1', '0']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"scorer command: expected a command, got {command!r}: {error}") from None
    if not words:
        raise OptionError("scorer command: expected a command, got nothing")

    def score(sources: Sequence[str], corrected: Sequence[str]) -> Any:
        lines = "".join(f"{_cell(s)}\t{_cell(c)}\n" for s, c in zip(sources, corrected, strict=True))
        try:
            done = subprocess.run(words, input=lines, capture_output=True, text=True, encoding="utf-8", check=False)
        except OSError as error:
            raise OptionError(f"scorer command: cannot run {words[0]!r}: {error.strerror or error}") from None
        if done.returncode:
            said = " ".join(done.stderr.split())[-200:] or "nothing on standard error"
            raise InputError(f"scorer command: {words[0]} ended with exit code {done.returncode}: {said}")
        return done.stdout.splitlines()

    score.__name__ = words[0]
    return score


def _cell(text: str) -> str:
    return " ".join(text.split())  # tabs and line ends would be taken for the table's own
