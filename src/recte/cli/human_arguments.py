"""Arguments of the commands that read human judgments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from recte.formats.judgments import read_judgments
from recte.human.judgments import Judgments
from recte.human.ranking import METHODS

__all__ = ["add_judging", "add_method", "add_resampling", "judgments_of"]


def add_method(parser: argparse._ActionsContainer) -> None:
    """How judgments become scores of systems."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=METHODS,
        default=[METHODS[0]],
        metavar="METHOD",
        help=f"how judgments become scores: {', '.join(METHODS)}; the last is TrueSkill without chance "
        f"(default {METHODS[0]})",
    )


def add_judging(parser: argparse._ActionsContainer) -> None:
    """How judgments are read."""
    parser.add_argument(
        "--expand",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare all systems of a ranking, or one of each group with the same output (XML; default: all)",
    )
    parser.add_argument("--without", nargs="+", default=[], metavar="SYSTEM", help="leave these systems out")
    parser.add_argument("--document", metavar="NAME", help="the judgments of one document or test set alone")
    parser.add_argument(
        "--first-sentence",
        type=int,
        choices=(0, 1),
        help="the number of the first sentence in the judgments (default: found out)",
    )


def add_resampling(parser: argparse._ActionsContainer, units: Sequence[str], more: str = "") -> None:
    """How judgments are drawn anew for intervals."""
    parser.add_argument(
        "--resample",
        choices=units,
        default="sentences",
        help=f"what is drawn anew for intervals (default sentences); pairs is the published way{more}",
    )
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="how often (default 1000)")
    parser.add_argument("--level", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of every random step (default 12345)")


def judgments_of(arguments: argparse.Namespace, path: str) -> Judgments:
    """The judgments of a file, as the arguments want them read."""
    return read_judgments(
        path,
        expand=arguments.expand,
        seed=arguments.seed,
        first_sentence=arguments.first_sentence,
        document=arguments.document,
    )
