"""Options of the commands that read human judgments: how they are read, and how they are drawn for intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recte.errors import InputError, LengthError
from recte.options import option, part
from recte.studies.human.protocols import AVERAGES, METHODS, PROTOCOLS, RATER_SCALES

if TYPE_CHECKING:
    from recte.studies.human.human_scores import HumanData

__all__ = ["HumanOptions", "JudgingOptions", "RatingOptions", "explain_subsets", "resample_option"]


@dataclass(frozen=True, kw_only=True)
class JudgingOptions:
    """How judgments are read, and become scores of systems."""

    method: tuple[str, ...] | None = option(
        None,
        f"how judgments become scores: {', '.join(METHODS)}; the last is TrueSkill without chance "
        f"(default {METHODS[0]})",
        kind=str,
        values="+",
        choices=METHODS,
        metavar="METHOD",
    )
    expand: bool = option(
        True, "compare all systems of a ranking, or one of each group with the same output (XML; default: all)"
    )
    without: tuple[str, ...] = option((), "leave these systems out", kind=str, metavar="SYSTEM")
    document: str | None = option(None, "the judgments of one document or test set alone", kind=str, metavar="NAME")
    first_sentence: int | None = option(
        None,
        "the number of the first sentence in the judgments (default: found out)",
        kind=int,
        choices=(0, 1),
    )
    protocol: str | None = option(
        None,
        "a published setting; the human side is the folder with its files (SEEDA: judgments_edit.xml, TS_edit "
        "and so on; reassessment-2018: rankings.xml)",
        kind=str,
        choices=tuple(PROTOCOLS),
    )
    system_set: str | None = option(
        None,
        "of the protocol: base (default), +INPUT, +fluency or all systems; of reassessment-2018 all (default) or "
        "without-IPN",
        kind=str,
        metavar="SET",
    )


@dataclass(frozen=True, kw_only=True)
class RatingOptions:
    """How ratings become scores and correlations."""

    average: str = option(
        AVERAGES[0],
        "ratings: correlate over the systems of each item, over the items of each system, or over all cells "
        f"(default {AVERAGES[0]})",
        choices=AVERAGES,
    )
    rater_scale: str = option(
        RATER_SCALES[0],
        f"ratings: bring raters to one scale (default {RATER_SCALES[0]})",
        choices=RATER_SCALES,
    )
    windows: int | None = option(
        None, "correlations inside every N neighbours of the human ranking", kind=int, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class HumanOptions:
    """How judgments, ratings and published files are read, and become scores of systems."""

    judging: JudgingOptions = part(JudgingOptions)
    ids: str | None = option(
        None,
        "a judged subset: what the judgments call each of its sentences, one per line (numbers count from 1)",
        kind=str,
        metavar="FILE",
    )
    ratings: tuple[str, ...] = option((), "more ratings, by other raters", kind=str, metavar="FILE")
    rating: RatingOptions = part(RatingOptions)


def resample_option(units: Sequence[str], more: str = "", group: str = "") -> Any:
    """What is drawn of judgments for intervals."""
    return option(
        "sentences",
        f"what is resampled for intervals (default sentences); pairs is the published way{more}",
        choices=units,
        group=group,
    )


@contextmanager
def explain_subsets(humans: HumanData | None) -> Iterator[None]:
    """Say how a judged subset is named, where files of different lengths look like one."""
    try:
        yield
    except LengthError as error:
        if humans is None or humans.ids or (humans.judgments is None and humans.ratings is None):
            raise
        hint = f"{error.message}; of a judged subset --ids FILE names the sentences"
        raise InputError(hint, error.file, error.line) from None
