"""What the commands that read human judgments share: how they are read, how they are drawn anew."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recte.errors import InputError, LengthError
from recte.human.choices import AVERAGES, METHODS, RATER_SCALES
from recte.metaeval.protocols import PROTOCOLS

if TYPE_CHECKING:
    from recte.cli.human_side import Humans

__all__ = ["add_humans", "add_judging", "add_resampling", "hinting_at_ids"]


def add_humans(parser: argparse._ActionsContainer) -> None:
    """How judgments, ratings and published files are read, and become scores of systems."""
    add_judging(parser)
    parser.add_argument(
        "--ids",
        metavar="FILE",
        help="a judged subset: what the judgments call each of its sentences, one per line (numbers count from 1)",
    )
    parser.add_argument("--ratings", nargs="+", default=[], metavar="FILE", help="more ratings, by other raters")
    parser.add_argument(
        "--average",
        choices=AVERAGES,
        default=AVERAGES[0],
        help="ratings: correlate over the systems of each item, over the items of each system, or over all cells "
        f"(default {AVERAGES[0]})",
    )
    parser.add_argument(
        "--rater-scale",
        choices=RATER_SCALES,
        default=RATER_SCALES[0],
        help=f"ratings: bring raters to one scale (default {RATER_SCALES[0]})",
    )
    parser.add_argument(
        "--windows", type=int, metavar="N", help="correlations inside every N neighbours of the human ranking"
    )


def add_judging(parser: argparse._ActionsContainer) -> None:
    """How judgments are read, and become scores of systems."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=METHODS,
        metavar="METHOD",
        help=f"how judgments become scores: {', '.join(METHODS)}; the last is TrueSkill without chance "
        f"(default {METHODS[0]})",
    )
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
    parser.add_argument(
        "--protocol",
        choices=tuple(PROTOCOLS),
        help="a published setting; the human side is the folder with its files (SEEDA: judgments_edit.xml, TS_edit "
        "and so on)",
    )
    parser.add_argument(
        "--system-set", metavar="SET", help="of the protocol: base (default), +INPUT, +fluency or all systems"
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


@contextmanager
def hinting_at_ids(humans: Humans | None) -> Iterator[None]:
    """Says how a judged subset is named, where files of different lengths look like one."""
    try:
        yield
    except LengthError as error:
        if humans is None or humans.ids or (humans.judgments is None and humans.ratings is None):
            raise
        hint = f"{error.message}; of a judged subset --ids FILE names the sentences"
        raise InputError(hint, error.file, error.line) from None
