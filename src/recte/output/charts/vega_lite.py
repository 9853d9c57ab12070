"""Vega-Lite specifications, made part by part: a chart has data, a mark, and channels that show fields of the data.

Names and results are those of Altair, which is the oracle in the tests; it takes a third of a report's time to load and
to copy its objects, and these are dictionaries. A chart is never changed: every method gives another one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

__all__ = [
    "X2",
    "Axis",
    "Chart",
    "Color",
    "Detail",
    "FieldOneOfPredicate",
    "InlineData",
    "Legend",
    "NamedData",
    "OverlayMarkDef",
    "Scale",
    "Size",
    "Step",
    "StrokeDash",
    "Text",
    "Title",
    "Tooltip",
    "X",
    "XValue",
    "Y",
    "YOffset",
    "condition",
    "expr",
    "hconcat",
    "layer",
    "value",
    "vconcat",
]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
_TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
_SECOND = ("x2", "y2")  # where a mark ends that begins at x or y; the type is that of the beginning
_Part = dict[str, Any]


def _options(**options: Any) -> _Part:
    return options


def _channel(field: str, **options: Any) -> _Part:
    """A field, its type behind it: `score:Q` is a quantity, `system:N` a name, `rank:O` has an order."""
    name, _, kind = field.rpartition(":")
    return {**options, "field": name, "type": _TYPES[kind]}


def _second_channel(field: str) -> _Part:
    return {"field": field.rpartition(":")[0]}


Axis = Scale = Legend = OverlayMarkDef = InlineData = NamedData = _options
X = Y = YOffset = Color = Size = StrokeDash = Detail = Text = Tooltip = _channel
X2 = _second_channel


def value(shown: Any) -> _Part:
    """The same for every row."""
    return {"value": shown}


XValue = value


def expr(expression: str) -> _Part:
    """What Vega computes where it draws."""
    return {"expr": expression}


def condition(test: str, if_true: _Part, if_false: _Part) -> _Part:
    """One value where the expression is true of a row, and another where it is not."""
    return {"condition": {"test": test, **if_true}, **if_false}


def Step(pixels: float) -> _Part:  # noqa: N802
    """The space of each name on an axis."""
    return {"step": pixels}


def Title(text: str, **options: Any) -> _Part:  # noqa: N802
    """A title with options."""
    return {"text": text, **options}


def FieldOneOfPredicate(field: str, values: Sequence[Any]) -> _Part:  # noqa: N802
    """Whether a field has one of the values."""
    return {"field": field, "oneOf": list(values)}


class Chart:
    """One mark for each row of the data, or charts in one another's place or next to each other.

    >>> points = Chart(NamedData(name="systems")).mark_circle(size=70).encode(x="recall:Q")
    >>> points.to_dict()["encoding"]
    {'x': {'field': 'recall', 'type': 'quantitative'}}
    """

    def __init__(self, data: _Part | None = None, **parts: Any) -> None:
        self._parts: _Part = {**({} if data is None else {"data": data}), **parts}

    def _with(self, **parts: Any) -> Chart:
        return Chart(**{**self._parts, **parts})

    def __add__(self, other: Chart) -> Chart:
        return layer(self, other)

    def mark_area(self, **options: Any) -> Chart:
        return self._with(mark={"type": "area", **options})

    def mark_bar(self, **options: Any) -> Chart:
        return self._with(mark={"type": "bar", **options})

    def mark_circle(self, **options: Any) -> Chart:
        return self._with(mark={"type": "circle", **options})

    def mark_errorbar(self, **options: Any) -> Chart:
        return self._with(mark={"type": "errorbar", **options})

    def mark_line(self, **options: Any) -> Chart:
        return self._with(mark={"type": "line", **options})

    def mark_point(self, **options: Any) -> Chart:
        return self._with(mark={"type": "point", **options})

    def mark_rect(self, **options: Any) -> Chart:
        return self._with(mark={"type": "rect", **options})

    def mark_rule(self, **options: Any) -> Chart:
        return self._with(mark={"type": "rule", **options})

    def mark_text(self, **options: Any) -> Chart:
        return self._with(mark={"type": "text", **options})

    def mark_tick(self, **options: Any) -> Chart:
        return self._with(mark={"type": "tick", **options})

    def encode(self, **channels: Any) -> Chart:
        """What the channels show, besides what they show already; a text is a field."""
        shown = {name: _encode(name, what) for name, what in channels.items()}
        return self._with(encoding={**self._parts.get("encoding", {}), **shown})

    def properties(self, **properties: Any) -> Chart:
        """Its title, size and whatever else belongs to it as a whole."""
        return self._with(**properties)

    def transform_filter(self, condition: str | _Part) -> Chart:
        """Only the rows of which an expression, or a predicate, is true."""
        return self._add_transform({"filter": condition})

    def transform_regression(self, on: str, regression: str, **options: Any) -> Chart:
        """The line of one field on another, as two rows."""
        return self._add_transform({"on": on, "regression": regression, **options})

    def _add_transform(self, transform: _Part) -> Chart:
        return self._with(transform=[*self._parts.get("transform", []), transform])

    def resolve_scale(self, **scales: str) -> Chart:
        """Which scales its charts share."""
        return self._with(resolve={"scale": scales})

    def without_data(self) -> Chart:
        """The same for whoever has its data already."""
        return Chart(**{key: part for key, part in self._parts.items() if key != "data"})

    @property
    def data(self) -> _Part | None:
        """Where its rows are."""
        content: _Part | None = self._parts.get("data")
        return content

    def to_dict(self) -> _Part:
        """The specification; rows that are inside the chart stand once, by name."""
        datasets: dict[str, Any] = {}
        drawn = _to_plain(self, datasets)
        return {"$schema": _SCHEMA, **drawn, **({"datasets": datasets} if datasets else {})}


def _to_plain(part: Any, datasets: dict[str, Any]) -> Any:
    """Charts within charts as dictionaries, and their rows in `datasets`."""
    if isinstance(part, Chart):
        drawn = {key: _to_plain(value, datasets) for key, value in part._parts.items() if key != "data"}
        if part.data is None:
            return drawn
        if "values" not in part.data:
            return {"data": part.data, **drawn}
        from hashlib import sha256  # loads a large library, and a report's charts name their rows

        rows = part.data["values"]
        name = f"data-{sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:32]}"
        datasets[name] = rows
        return {"data": {"name": name}, **drawn}
    if isinstance(part, dict):
        return {key: _to_plain(value, datasets) for key, value in part.items()}
    return [_to_plain(value, datasets) for value in part] if isinstance(part, (list, tuple)) else part


def _encode(channel: str, what: Any) -> Any:
    """What a channel shows: texts are fields."""
    if isinstance(what, list):
        return [_encode(channel, entry) for entry in what]
    if isinstance(what, str):
        return (_second_channel if channel in _SECOND else _channel)(what)
    return what


def _join(key: str, charts: Sequence[Chart], options: _Part) -> Chart:
    """Charts as one; rows that all of them have are those of the whole."""
    first = charts[0].data
    if first is None or any(chart.data is not first for chart in charts):
        return Chart(None, **{key: list(charts)}, **options)
    return Chart(first, **{key: [chart.without_data() for chart in charts]}, **options)


def layer(*charts: Chart) -> Chart:
    """Charts over one another."""
    return _join("layer", charts, {})


def hconcat(*charts: Chart, **options: Any) -> Chart:
    """Charts side by side."""
    return _join("hconcat", charts, options)


def vconcat(*charts: Chart, **options: Any) -> Chart:
    """Charts below each other."""
    return _join("vconcat", charts, options)
