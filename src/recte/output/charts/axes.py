"""Axes that hold names: of systems, of types of errors. Names are values, never fields, so that any text will do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.output.charts import vega_lite as alt

__all__ = ["names_across", "names_down"]

_GAP = 0.04  # between cells


def names_down(field: str, names: Sequence[str], gap: float = _GAP) -> Any:
    """A row a name, in this order."""
    scale = alt.Scale(type="band", domain=list(names), paddingInner=gap, paddingOuter=gap / 2)
    return alt.Y(f"{field}:N", title=None, sort=None, scale=scale)


def names_across(field: str, names: Sequence[str]) -> Any:
    """A column a name, in this order, the names above and aslant so that long ones have room."""
    scale = alt.Scale(type="band", domain=list(names), paddingInner=_GAP, paddingOuter=_GAP / 2)
    axis = alt.Axis(orient="top", labelAngle=-40, labelAlign="left", labelLimit=120)
    return alt.X(f"{field}:N", title=None, sort=None, scale=scale, axis=axis)
