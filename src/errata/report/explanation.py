"""An explanation as lines of text, coloured in a terminal; verdicts have a symbol too, so colour is never alone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from errata.report.terminal import is_terminal

if TYPE_CHECKING:
    from errata.alignment.verdicts import JudgedEdit
    from errata.metrics.explanation import Explanation

__all__ = ["print_explanation"]

_SYMBOLS = {"correct": "✓", "spurious": "✗", "missed": "○"}
_COLOURS = {"correct": "green", "spurious": "red", "missed": "yellow"}

Line = list[tuple[str, str]]  # pieces of text, each with its style


def print_explanation(explanation: Explanation, stream: TextIO | None = None) -> None:
    """Print the sentence, what each annotator wanted and got, and why this annotator was chosen."""
    stream = sys.stdout if stream is None else stream
    lines = _lines(explanation)
    if not is_terminal(stream):
        print("\n".join("".join(text for text, _ in line).rstrip() for line in lines), file=stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream)
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def _lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = [
        [(f"Sentence {explanation.number} · {explanation.system} · {explanation.title}", "bold")],
        [],
        [("source      ", "dim"), (explanation.source, "")],
        [("hypothesis  ", "dim"), (explanation.hypothesis, "")],
    ]
    for view in explanation.annotators:
        mark = " (chosen)" if view.annotator == explanation.chosen else ""
        alone = f"alone F{explanation.beta:g} {100 * view.score:.2f}"
        figures = f"tp {view.tp} · proposed {view.proposed} · gold {view.gold} · {alone}"
        lines += [[], [(f"annotator {view.annotator}{mark}", "bold"), (f"   {figures}", "dim")]]
        lines += [[("  wanted    ", "dim"), (view.corrected, "")]]
        spans = [f"{edit.start} {edit.end}" for edit in view.edits]
        width = max(map(len, spans), default=0)
        lines += [_edit_line(edit, span.ljust(width)) for edit, span in zip(view.edits, spans, strict=True)]
        if not view.edits:
            lines += [[("  nothing to correct, nothing changed", "dim")]]
    lines += [[], [(f"why annotator {explanation.chosen}: ", "bold"), (explanation.reason, "")]]
    return lines


def _edit_line(edit: JudgedEdit, span: str) -> Line:
    colour = _COLOURS[edit.verdict]
    corrections = " | ".join(correction or "∅" for correction in edit.corrections)
    line: Line = [
        (f"  {_SYMBOLS[edit.verdict]} {edit.verdict:<8}  ", colour),
        (f"{span}  ", "dim"),
        (f"{edit.original or '∅'} → {corrections}", ""),
    ]
    return [*line, (f"  {edit.type}", "dim")] if edit.type else line
