"""An explanation as lines of text, coloured in a terminal; verdicts have a symbol too, so colour is never alone."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

from recte.output.terminal import is_terminal
from recte.text.printable_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recte.edits.three_way import AlignmentColumn
    from recte.edits.verdicts import JudgedEdit
    from recte.metrics.explanation import Explanation, Figure

__all__ = ["edit_text", "print_explanations"]

_SYMBOLS = {"correct": "✓", "spurious": "✗", "missed": "○"}
_COLOURS = {"correct": "green", "spurious": "red", "missed": "yellow"}
_CLASS_COLOURS = {"TP": "green", "TN": "dim", "FP": "red", "FN": "yellow", "FPN": "magenta"}
_WIDTH = 100


def edit_text(verdict: str, original: str, corrections: Sequence[str]) -> str:
    """An edit with the sign of its verdict.

    >>> edit_text("missed", "go", ["goes", "went"])
    '○ go → goes | went'
    """
    return f"{_SYMBOLS[verdict]} {original or '∅'} → {' | '.join(text or '∅' for text in corrections)}"


Line = list[tuple[str, str]]  # pieces of text, each with its style


def print_explanations(explanations: Sequence[Explanation], stream: TextIO | None = None) -> None:
    """Print the sentence, what was wanted and done, and why it was scored against this annotator or reference.

    Several systems stand one below the other, after their outputs side by side.
    """
    stream = sys.stdout if stream is None else stream
    styled = [line for explanation in explanations for line in (*_lines(explanation), [])][:-1]
    if len(explanations) > 1:
        styled = [*_overview(explanations), [], *styled]
    lines = [[(visible(text), style) for text, style in line] for line in styled]
    if not is_terminal(stream):
        print("\n".join("".join(text for text, _ in line).rstrip() for line in lines), file=stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream)
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def _overview(explanations: Sequence[Explanation]) -> list[Line]:
    """The source and all outputs, one below the other."""
    first = explanations[0]
    width = max(len("source"), *(len(explanation.system) for explanation in explanations))
    lines: list[Line] = [[(f"Sentence {first.number} · {len(explanations)} systems · {first.title}", "bold")], []]
    lines += [[("source".ljust(width + 2), "dim"), (first.source, "")]]
    return lines + [[(each.system.ljust(width + 2), "dim"), (each.hypothesis, "")] for each in explanations]


def _lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = [
        [(f"Sentence {explanation.number} · {explanation.system} · {explanation.title}", "bold")],
        [],
        [("source      ", "dim"), (explanation.source, "")],
        [("hypothesis  ", "dim"), (explanation.hypothesis, "")],
    ]
    lines += _annotator_lines(explanation)
    lines += _reference_lines(explanation)
    lines += _text_lines(explanation)
    if explanation.figures:
        lines += [[], *([(f"  {f.name}  ", "dim"), (_figure(f), "")] for f in explanation.figures)]
    lines += _attribution_lines(explanation)
    label = f"why {explanation.chosen}: " if explanation.is_choice else f"score {explanation.chosen}: "
    lines += [[], [(label, "bold"), (explanation.reason, "")]]
    lines += [[("remark: ", "bold"), (remark, "yellow")] for remark in explanation.remarks]
    return lines


def _attribution_lines(explanation: Explanation) -> list[Line]:
    worth = explanation.attribution
    if worth is None:
        return []
    factor = worth.score_factor
    figures = f"source {factor * worth.source_score:.2f} · hypothesis {factor * worth.score:.2f}"
    how = "all subsets of edits" if worth.method == "exact" else f"{worth.orders} orders, seed {worth.seed}"
    lines: list[Line] = [[], [("what each edit is worth", "bold"), (f"   {figures} · {how}", "dim")]]
    lines += [[("  Shapley  without it     alone", "dim")]]
    for edit in worth.edits:
        values = (edit.shapley, edit.leave_one_out, edit.add_one)
        text = "  ".join(f"{factor * value:+8.2f}" for value in values)
        style = "green" if edit.shapley > 0 else "red" if edit.shapley < 0 else "dim"
        lines.append([(f" {text}  ", style), (f"{edit.original or '∅'} → {edit.correction or '∅'}", "")])
    return lines if worth.edits else [*lines[:-1], [("  nothing was changed", "dim")]]


def _annotator_lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = []
    for view in explanation.annotators:
        mark = " (chosen)" if f"annotator {view.annotator}" == explanation.chosen else ""
        alone = f"alone {explanation.score_name} {100 * view.score:.2f}"
        figures = f"tp {view.tp:g} · proposed {view.proposed:g} · gold {view.gold:g} · {alone}"
        lines += [[], [(f"annotator {view.annotator}{mark}", "bold"), (f"   {figures}", "dim")]]
        lines += [[("  corrected ", "dim"), (view.corrected, "")]]
        spans = [f"{edit.start} {edit.end}" for edit in view.edits]
        width = max(map(len, spans), default=0)
        weights: Sequence[float | None] = view.weights or [None] * len(spans)
        lines += [
            _edit_line(edit, span.ljust(width), weight)
            for edit, span, weight in zip(view.edits, spans, weights, strict=True)
        ]
        if not view.edits:
            lines += [[("  nothing to correct, nothing changed", "dim")]]
    return lines


def _edit_line(edit: JudgedEdit, span: str, weight: float | None) -> Line:
    colour = _COLOURS[edit.verdict]
    corrections = " | ".join(correction or "∅" for correction in edit.corrections)
    line: Line = [
        (f"  {_SYMBOLS[edit.verdict]} {edit.verdict:<8}  ", colour),
        (f"{span}  ", "dim"),
        (f"{edit.original or '∅'} → {corrections}", ""),
    ]
    line += [(f"  {edit.type}", "dim")] if edit.type else []
    return line if weight is None else [*line, (f"  weighs {weight:.4g}", "bold")]


def _reference_lines(explanation: Explanation) -> list[Line]:
    if not explanation.references:
        return []
    lines: list[Line] = []
    if explanation.errors:
        lines += [[], [("errors, and what was picked (*)", "bold")]]
    for number, error in enumerate(explanation.errors, 1):
        for o, (annotators, edits) in enumerate(error.options):
            start = f"  {number}" if o == 0 else "   "
            lines.append(
                [(start, "dim"), (f" {'*' if o == error.picked else ' '} {annotators}  ", "bold"), (edits, "")]
            )
    shown = (
        "references of the annotators, and the mixture picked (*)" if explanation.errors else "references (* chosen)"
    )
    lines += [[], [(shown, "bold")]]
    for view in explanation.references:
        lines.append([(f"{'*' if view.chosen else ' '} {'/'.join(view.annotators)}  ", "bold"), (view.text, "")])
        for aspect, of_aspect in (("correction", view.shown), ("detection ", view.shown_detection)):
            figures = " · ".join(f"{figure.name} {_figure(figure)}" for figure in of_aspect)
            lines += [[(f"      {aspect}  {figures}", "dim")]] if figures else []
    if not explanation.columns:
        return lines
    lines += [[], [("alignment with the chosen reference (correction)", "bold")]]
    return lines + _grid(explanation.columns)


def _figure(figure: Figure) -> str:
    return f"{100 * figure.value:.2f}" if figure.percentage else f"{figure.value:g}"


def _text_lines(explanation: Explanation) -> list[Line]:
    lines: list[Line] = []
    for view in explanation.texts:
        lines += [[], [(f"{view.name}  ", "bold"), (view.text, "")]]
        for name, figure in view.figures.items():
            lines.append([(f"  {name} ", "dim"), (f"{100 * figure:.2f}" if isinstance(figure, float) else figure, "")])
        for ngrams in view.ngrams:
            gained = [(f" ✓ {gram} ", "green") for gram in ngrams.gained]
            kept_wrongly = [(f" ✗ {gram} ", "red") for gram in ngrams.kept_wrongly]
            invented = [(f" ✗✗ {gram} ", "red") for gram in ngrams.invented]
            if gained or kept_wrongly or invented:
                lines.append([(f"  {ngrams.order}-grams", "dim"), *gained, *kept_wrongly, *invented])
    shown = [ngrams for view in explanation.texts for ngrams in view.ngrams]
    if any(n.gained or n.kept_wrongly for n in shown):
        lines += [[], [("✓ gained: in the reference, not in the source", "dim")]]
        lines += [[("✗ kept from the source, not in the reference   ✗✗ in neither", "dim")]]
    elif any(n.invented for n in shown):
        lines += [[], [("✗✗ not in the reference", "dim")]]
    return lines


def _grid(columns: tuple[AlignmentColumn, ...]) -> list[Line]:
    """The alignment as a grid, wrapped to the width of a page; the last row says what each column counts as."""
    cells = [(*(token or "–" for token in column), _class_of(column)) for column in columns]
    labels = ("source", "hypothesis", "reference", "counts as")
    lines: list[Line] = []
    part: list[tuple[str, ...]] = []
    for cell in [*cells, None]:
        used = sum(max(map(_width, c)) + 2 for c in part) + (max(map(_width, cell)) + 2 if cell else 0)
        if part and (cell is None or used > _WIDTH):
            for row, label in enumerate(labels):
                line: Line = [(f"  {label:<12}", "dim")]
                for c in part:
                    width = max(map(_width, c))
                    line.append(
                        (c[row] + " " * (width - _width(c[row]) + 2), _CLASS_COLOURS.get(c[3], "") if row else "")
                    )
                lines.append(line)
            lines.append([])
            part = []
        if cell:
            part.append(cell)
    return lines[:-1]


def _class_of(column: AlignmentColumn) -> str:
    """Table 6 of the paper, for correction."""
    source, hypothesis, reference = column
    if source == hypothesis:
        return "TN" if source == reference else "FN"
    if source == reference:
        return "FP"
    return "TP" if hypothesis == reference else "FPN"


def _width(text: str) -> int:
    """Columns in a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
