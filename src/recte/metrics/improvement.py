"""The I-measure's figures from token counts (Felice and Briscoe 2015, section 2.3); the kernel has the formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte import _kernels

__all__ = ["FIGURES", "aspect_figures", "figure_table"]

# What the kernel says of one row of counts. WAcc is a ratio of two sums, which some need apart.
FIGURES = ("precision", "recall", "f", "acc", "wacc_right", "wacc_all", "wacc", "wacc_base", "i")


def figure_table(
    counts: NDArray[Any], baseline: NDArray[Any] | None, weight: float = 2.0, beta: float = 0.5
) -> dict[str, NDArray[np.float64]]:
    """Every figure of many rows: `counts` are tp, tn, fp, fn, fpn, and `baseline` is tn, fn of the source.

    Without a baseline it is taken from the counts, as printed in the paper.
    """
    baselines = np.zeros((0, 2)) if baseline is None else np.ascontiguousarray(baseline, dtype=np.float64)
    found = _kernels.improvement_figures(np.ascontiguousarray(counts, dtype=np.float64), baselines, weight, beta)
    return dict(zip(FIGURES, found.T, strict=True))


def aspect_figures(
    counts: Sequence[int], baseline: tuple[int, int] | None, weight: float = 2.0, beta: float = 0.5
) -> dict[str, float]:
    """All figures of tp, tn, fp, fn, fpn. `baseline` is tn, fn of the source; None takes it from the counts as printed.

    >>> round(100 * aspect_figures((19, 13062, 7, 665, 2), None)["i"], 2)  # UFC in the paper's Table 11
    1.35
    """
    table = figure_table(np.array([counts]), None if baseline is None else np.array([baseline]), weight, beta)
    found = {name: float(values[0]) for name, values in table.items()}
    shown = ("precision", "recall", "f", "acc", "wacc")
    return {
        **dict(zip(("tp", "tn", "fp", "fn", "fpn"), counts, strict=True)),
        **{name: found[name] for name in shown},
        "acc_base": found["wacc_base"],
        "wacc_base": found["wacc_base"],
        "i": found["i"],
    }
