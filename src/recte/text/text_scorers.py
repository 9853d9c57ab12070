"""Scorers of two texts: one way to add one, whoever uses it.

A scorer is a function of two texts that gives a number. One that has an attribute `many` is called by it instead, once,
with the list of all pairs, and gives a list. Faithfulness (`--scorer`) and weights of edits (`--edit-weights`) take the
same scorers: a function as `module:function`, or a name of `NAMED`.
"""

from __future__ import annotations

import math
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from recte.errors import InputError, OptionError, RecteError
from recte.extras import function_named

__all__ = ["NAMED", "BatchedScorer", "TextScorer", "command_scorer", "scorer_named", "scores_of"]

TextScorer = Callable[[Any, Any], Any]

# Scorers of our own; what makes one is called when it is asked for, and loads no model before texts come.
NAMED = {
    "bertscore": "recte.models.text_pairs:bertscore",
    "some-meaning": "recte.models.text_pairs:some_meaning",
    "impara-similarity": "recte.models.text_pairs:impara_similarity",
}


@dataclass(frozen=True)
class BatchedScorer:
    """A function of two lists of texts as a scorer.

    >>> BatchedScorer(lambda a, b: [x == y for x, y in zip(a, b)]).many([("a", "a"), ("a", "b")])
    [True, False]
    """

    function: Callable[[Sequence[str], Sequence[str]], Any]

    def __call__(self, a: str, b: str) -> Any:
        return self.many([(a, b)])[0]

    def many(self, pairs: Sequence[tuple[str, str]]) -> Any:
        return self.function([a for a, _ in pairs], [b for _, b in pairs])


def scorer_named(name: str, option: str = "scorer") -> TextScorer:
    """One of our own by its name, or the callable that `module:function` names; `option` asks, for messages.

    >>> scorer_named("operator:ne").__name__
    'ne'
    """
    if name in NAMED:
        made: TextScorer = function_named(NAMED[name], option)()
        return made
    return function_named(name, option)


def scores_of(
    scorer: TextScorer, pairs: Sequence[tuple[str, str]], *, who: str, unit: str = "pair of texts"
) -> list[float]:
    """A finite number for each pair; equal pairs are scored once, and all in one call if the scorer can.

    `who` is what messages call the scorer, `unit` what they call a pair.

    >>> scores_of(lambda a, b: len(a) / len(b), [("a", "bb"), ("a", "bb")], who="lengths")
    [0.5, 0.5]
    """
    distinct = list(dict.fromkeys(pairs))
    many = getattr(scorer, "many", None)
    try:
        figures = list(many(distinct) if many else [scorer(a, b) for a, b in distinct])
    except RecteError:
        raise
    except (Exception, SystemExit) as error:  # whatever a stranger's scorer raises is one line for its user
        raise InputError(f"{who}: {type(error).__name__}: {' '.join(str(error).split())}") from error
    if len(figures) != len(distinct):
        raise InputError(f"{who}: expected {len(distinct)} figures, one for each {unit}, got {len(figures)}")
    known: dict[tuple[str, str], float] = {}
    for pair, figure in zip(distinct, figures, strict=True):
        try:
            known[pair] = float(figure)
        except (TypeError, ValueError):
            known[pair] = math.nan
        if not math.isfinite(known[pair]):
            raise InputError(f"{who}: expected a number for {unit} {pairs.index(pair) + 1}, got {figure!r}")
    return [known[pair] for pair in pairs]


def command_scorer(command: str) -> BatchedScorer:
    """A scorer that runs a command once: two texts with a tab between them a line in; a number a line out.

    >>> command_scorer("awk -F '\\\\t' '{ print ($1 == $2) }'").many([("a b", "a b"), ("c", "d")])
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
            message = " ".join(done.stderr.split())[-200:] or "nothing on standard error"
            raise InputError(f"scorer command: {words[0]} ended with exit code {done.returncode}: {message}")
        return done.stdout.splitlines()

    return BatchedScorer(score)


def _cell(text: str) -> str:
    return " ".join(text.split())  # tabs and line ends would be taken for the table's own
