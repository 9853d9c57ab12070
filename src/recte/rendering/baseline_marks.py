"""Which systems differ from a baseline, as signs in a table and in words below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # most tables of scores compare nothing
    from recte.inference.comparison import Comparison

__all__ = ["BETTER", "WORSE", "mark_note", "mark_of", "p_and_verdict"]

BETTER, WORSE = "†", "‡"


def mark_of(comparison: Comparison, system: str) -> str:
    """† where a system is significantly better than the baseline, ‡ where it is worse, nothing where neither shows."""
    return {"better": BETTER, "worse": WORSE}.get(p_and_verdict(comparison, system)[1], "")


def p_and_verdict(comparison: Comparison, system: str) -> tuple[float | None, str]:
    """The p that decides, and better, worse or the same for all that is known; nothing of the baseline itself."""
    found = comparison.pair(system, comparison.baseline or "")
    if found is None:
        return None, ""
    pair, sign = found
    if not comparison.is_significant(pair):
        return comparison.p(pair), "not significant"
    higher = sign * pair.difference > 0
    return comparison.p(pair), "better" if higher == comparison.higher_is_better else "worse"


def mark_note(comparison: Comparison) -> str:
    """What the signs say, and by which test."""
    from recte.rendering.comparison import test_name

    tested = f"p < {comparison.alpha:g} by {test_name(comparison)}"
    return f"{BETTER} better, {WORSE} worse than {comparison.baseline}: {tested}"
