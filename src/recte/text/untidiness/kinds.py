"""What a kind of untidiness is: how it is seen, and how it is undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["EDGE", "FEWEST_LINES", "LONGEST_EDGE", "LearnedKind", "Undo", "UntidyKind"]

EDGE = 10  # letters or bytes of a source's end, white space apart, that are looked for in its output
LONGEST_EDGE = 200  # of what stands before or behind them
FEWEST_LINES = 3  # that show a kind which is learned, or may be a correction in a line alone

Undo = Callable[[str, str], str | None]


@dataclass(frozen=True)
class UntidyKind:
    """A kind that one line shows.

    `undo` takes a source and its output. It returns None where the output does not show the kind; otherwise the output
    without it, or the output as it is where that cannot be undone. `title` follows "3 of 40 lines". Only lines with
    one of the `signs`, which may be ranges such as `0-9`, and one of the `texts`, if there are any, in small letters
    or capitals, are looked at; without signs, only those that have more than their source where `edge` says: in the
    `whole` (half as long again), at the `other end` (ten bytes, and other last letters), or without it those with other
    first and other last letters. A line alone may be a correction where `alone` is false: the kind is undone where
    enough lines show it. `guess` says how what was lost is guessed, if so. `example` is a source, an output and what is
    left of it.
    """

    name: str
    title: str
    undo: Undo
    example: tuple[str, str, str]
    signs: str = ""
    texts: tuple[str, ...] = ()
    edge: str = ""
    alone: bool = True
    guess: str = ""
    share: float = 0.01


@dataclass(frozen=True)
class LearnedKind:
    """A kind that many lines show together.

    `learn` takes sources and outputs of some lines, and how many lines there are for each of them. It returns what the
    lines show in words, and how to undo it; None where they do not show it. `signs`, `edge` and `guess` are as those
    of `UntidyKind`; `edge` may be the `begin` or the `end` of a line, too.
    """

    name: str
    title: str
    learn: Callable[[Sequence[str], Sequence[str], float], tuple[str, Undo] | None]
    signs: str = ""
    edge: str = ""
    guess: str = ""
    share: float = 0.01
