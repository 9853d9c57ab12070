"""One look for all charts: a configuration for light pages and paper, another for dark pages.

A chart names what its marks are (`style`), never their colour, so that one specification serves both.

Axes that hold names: of systems, of types of errors. Names are values, never fields, so that any text will do.

Names next to points, placed so that they do not cover one another.

How charts call things: metrics' figures, percentages, systems best first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recte.metrics.base import Metric, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.vega_lite import Chart, NamedData

__all__ = [
    "PALETTE",
    "Label",
    "Rows",
    "axis_name",
    "best_first",
    "chart_config",
    "chart_of",
    "figure_name",
    "for_paper",
    "list_names",
    "names_across",
    "names_down",
    "panels",
    "percentage",
    "place_labels",
    "round_score",
    "specification",
]


def figure_name(metric: Metric) -> str:
    """What a metric's score is called: F0.5, I, GLEU.

    >>> import recte
    >>> figure_name(recte.MaxMatch(beta=1.0))
    'F1'
    """
    return next((column.header for column in metric.columns if column.path == ("score",)), metric.title)


def best_first(scores: Sequence[Score]) -> list[Score]:
    """Scores in order, ties by name."""
    return sorted(scores, key=lambda s: (-s.score if s.higher_is_better else s.score, s.system))


def percentage(fraction: float) -> float:
    """A fraction as tables print it, short enough to be embedded.

    >>> percentage(0.123456)
    12.3456
    """
    return round(100 * fraction, 6)


def round_score(metric: Metric, score: float) -> float:
    """A score, or a difference of scores, as tables print it: as a percentage unless the metric says otherwise."""
    return round(metric.score_factor * score, 6)


def axis_name(metric: Metric, name: str) -> str:
    """What an axis of a metric's scores is called, with % where they are percentages."""
    return f"{name} (%)" if metric.score_factor == 100 else name


def list_names(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> list_names(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


Rows = Mapping[str, Sequence[Mapping[str, Any]]]

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"
# After Okabe and Ito: distinguishable for colour-blind readers, and dark (or light) enough for a line on its
# background.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#b4588c", "#a07700", "#3a9bd9", "#6b6b6b")
_DARK_PALETTE = ("#56b4e9", "#f08a3c", "#2fc498", "#e39ac2", "#e6c229", "#9cc9f0", "#b0b0b0")


def chart_config(dark: bool = False) -> dict[str, Any]:
    """Vega-Lite's `config` for a light or a dark background, which shows through."""
    ink, quiet, faint = ("#e8e8e8", "#a9adb3", "#3c4046") if dark else ("#1f2328", "#5c636b", "#e3e5e8")
    categories = list(_DARK_PALETTE if dark else PALETTE)
    # Text stands on these: light cells for dark letters, dark ones for light letters.
    ramp = ["#18293a", "#1d4a70", "#20679c"] if dark else ["#edf4fa", "#bcd7ee", "#7fb2dd"]
    accent, other = categories[0], categories[1]
    return {
        "background": "transparent",
        "font": _FONT,
        "view": {"stroke": "transparent"},
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": ink,
            "fontSize": 15,
            "fontWeight": 600,
            "offset": 12,
            "subtitleColor": quiet,
            "subtitleFontSize": 12,
            "subtitlePadding": 5,
        },
        "axis": {
            "labelColor": ink,
            "titleColor": quiet,
            "gridColor": faint,
            "domainColor": quiet,
            "tickColor": quiet,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "labelLimit": 180,
            "tickCount": 6,
        },
        "axisBand": {"domain": False, "ticks": False, "grid": False, "labelPadding": 8},
        "legend": {"labelColor": ink, "titleColor": quiet, "labelFontSize": 12, "titleFontSize": 12, "labelLimit": 180},
        "mark": {"color": accent},
        "text": {"color": ink, "fontSize": 12},
        "range": {"category": categories, "heatmap": ramp, "ramp": ramp},
        "style": {
            "whisker": {"color": accent, "strokeWidth": 2, "opacity": 0.6},
            "idle": {"color": other},
            "idle-whisker": {"color": other, "strokeWidth": 2, "opacity": 0.6},
            "idle-line": {"color": other, "strokeWidth": 1.5, "strokeDash": [5, 4], "opacity": 0.8},
            "mean": {"color": ink, "strokeWidth": 2, "opacity": 1},
            "contour": {"color": quiet, "strokeWidth": 1, "opacity": 0.5},
            "quiet": {"color": quiet, "fontSize": 11},
            "sure": {"color": ink, "fontWeight": 600, "fontSize": 11},
            "full-cell": {"stroke": faint, "strokeWidth": 1},
            "empty-cell": {"color": "transparent", "stroke": faint, "strokeWidth": 1},
            "band": {"color": faint, "opacity": 0.55},
            "people": {"color": other},
            "range-of-people": {"color": other, "opacity": 0.16},
        },
    }


def for_paper(specification: Mapping[str, Any]) -> dict[str, Any]:
    """The chart with the light look on white, as it is written to a file."""
    return {**specification, "background": "white", "config": chart_config()}


def specification(
    chart: Chart, data: Rows, *, title: str, subtitle: str, description: str, width: int, height: int, columns: int = 0
) -> dict[str, Any]:
    """A chart as a plain specification without a look, which is given where it is shown.

    Its `data` are rows by the names that the chart knows them by. A heat map has so many `columns`, which need their
    space.
    """
    drawn = chart.properties(width=width, height=height, description=description).to_dict()
    lines = subtitle.split("\n") if subtitle else []
    heading = {"text": title, **({"subtitle": lines} if lines else {})}
    cells = {"usermeta": {"columns": columns}} if columns else {}
    return {**drawn, **cells, "title": heading, "datasets": dict(data)}


def panels(chart: Chart, *, title: str, subtitle: str = "", description: str) -> dict[str, Any]:
    """Charts side by side as a plain specification without a look; each has its data inside."""
    drawn = chart.to_dict()
    heading = {"text": title, **({"subtitle": [subtitle]} if subtitle else {})}
    return {**drawn, "title": heading, "description": description}


def chart_of(name: str) -> Chart:
    """A chart of the rows of that name."""
    return Chart(NamedData(name=name))


_GAP = 0.04  # between cells


def names_down(field: str, names: Sequence[str], gap: float = _GAP) -> Any:
    """A row a name, in this order."""
    scale = alt.Scale(type="band", domain=list(names), paddingInner=gap, paddingOuter=gap / 2)
    return alt.Y(f"{field}:N", title=None, sort=None, scale=scale)


def names_across(field: str, names: Sequence[str]) -> Any:
    """A column a name, in this order, the names above and aslant so that long ones fit."""
    scale = alt.Scale(type="band", domain=list(names), paddingInner=_GAP, paddingOuter=_GAP / 2)
    axis = alt.Axis(orient="top", labelAngle=-40, labelAlign="left", labelLimit=120)
    return alt.X(f"{field}:N", title=None, sort=None, scale=scale, axis=axis)


_LETTER, _HEIGHT, _LABEL_GAP = 6.9, 11.0, 6.0  # of text of size 10, in pixels


class Label(NamedTuple):
    """Where a name's middle is, in pixels from the left and from the bottom."""

    x: float
    y: float


class _Box(NamedTuple):
    left: float
    right: float
    low: float
    high: float

    def overlap(self, other: _Box) -> float:
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.high, other.high) - max(self.low, other.low)
        return width * height if width > 0 and height > 0 else 0.0


def _box(label: Label, width: float) -> _Box:
    return _Box(label.x - width / 2, label.x + width / 2, label.y - _HEIGHT / 2, label.y + _HEIGHT / 2)


def _around(x: float, y: float, reach: float) -> _Box:
    return _Box(x - reach, x + reach, y - reach, y + reach)


def place_labels(
    names: Sequence[str], points: Sequence[tuple[float, float]], width: float, height: float
) -> list[Label]:
    """A place for each name in a plot of this size: the first of eight around its point that covers least.

    >>> place_labels(["a"], [(50.0, 50.0)], 100, 100)[0].x > 50
    True
    """
    marks = [_around(x, y, _LABEL_GAP / 2) for x, y in points]
    near = [_around(x, y, 1.5 * _LABEL_GAP) for x, y in points]  # a name there would seem to be that point's
    taken: list[_Box] = []
    labels = []
    for place, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        wide = _LETTER * len(name)
        aside, above = wide / 2 + _LABEL_GAP, _HEIGHT / 2 + _LABEL_GAP - 1
        candidates = [
            Label(x + dx * aside, y + dy * above)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
        ]

        others = near[:place] + near[place + 1 :]

        def cost(label: Label, wide: float = wide, others: Sequence[_Box] = others) -> float:
            box = _box(label, wide)
            outside = max(0.0, -box.left, box.right - width, -box.low, box.high - height)
            covered = sum(box.overlap(other) for other in (*taken, *marks))
            return covered + 0.5 * sum(box.overlap(other) for other in others) + 1000 * outside

        best = min(candidates, key=cost)
        taken.append(_box(best, wide))
        labels.append(best)
    return labels
