"""What looks wrong with input, told on standard error: one line for each kind."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from recte.plausibility.finding import WARNING, Finding
from recte.visible_text import visible

__all__ = ["add_strict", "tell"]


def add_strict(parser: argparse._ActionsContainer) -> None:
    """Whether input that looks wrong is refused."""
    parser.add_argument("--strict", action="store_true", help="input that looks wrong is an error, not a warning")


def tell(found: Sequence[Finding], arguments: argparse.Namespace) -> None:
    """Print the warnings; notes are for JSON and the page. With `--strict` there are none: the input was refused."""
    if not arguments.quiet:
        for finding in found:
            if finding.level == WARNING:
                print(f"recte: warning: {visible(str(finding))}", file=sys.stderr)
