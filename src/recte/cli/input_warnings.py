"""What looks wrong with input, told on standard error: one line for each kind."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from recte.counting import SystemCounts
from recte.plausibility.finding import Finding
from recte.plausibility.plausibility_check import ExpectedTokens
from recte.plausibility.score_range import out_of_range
from recte.visible_text import visible

__all__ = ["add_strict", "expected_tokens", "main_scores_out_of_range", "note", "tell", "tell_all"]


def add_strict(parser: argparse._ActionsContainer) -> None:
    """Whether input that looks wrong is refused."""
    parser.add_argument("--strict", action="store_true", help="input that looks wrong is an error, not a warning")


def expected_tokens(arguments: argparse.Namespace) -> ExpectedTokens | None:
    """The tokens that the preset's texts should be in, where there is a preset and it matters."""
    from recte.testsets.presets import PRESETS

    preset = PRESETS.get(arguments.preset or "")
    if preset is None or not preset.tokens:
        return None
    return ExpectedTokens(preset.expected_tokens(arguments.preset), preset.cut_by or "")


def tell(found: Sequence[Finding], arguments: argparse.Namespace) -> None:
    """Print the warnings, and what was left out. With `--strict` there are no warnings: the input was refused."""
    for finding in found:
        if finding.is_told:
            note(str(finding), arguments, kind=finding.level)


def tell_all(found: Sequence[Finding], arguments: argparse.Namespace) -> None:
    """Print notes, too: for what has no place for them beside its figures."""
    for finding in found:
        note(str(finding), arguments, kind="warning")


def note(text: str, arguments: argparse.Namespace, *, kind: str = "note") -> None:
    """One line on standard error, unless the user wants quiet."""
    if not arguments.quiet:
        print(f"recte: {kind}: {visible(text)}", file=sys.stderr)


def main_scores_out_of_range(counted: Iterable[SystemCounts]) -> dict[str, tuple[Finding, ...]]:
    """By metric, a note for each system whose score is above 100 %; for commands that show of a metric no more."""
    found: dict[str, tuple[Finding, ...]] = {}
    for one in counted:
        columns = [column for column in one.metric.columns if column.path == ("score",)]
        found[one.metric.name] = (
            *found.get(one.metric.name, ()),
            *out_of_range([one.metric.score_counts(one.counts)], columns),
        )
    return found
