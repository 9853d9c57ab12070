"""The page from its parts. Text from files meets HTML through Jinja2's autoescape or as JSON, never as markup."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from recte._version import __version__
from recte.evaluation import Evaluation
from recte.extras import optional
from recte.formats.files import write_bytes
from recte.inference.comparison import Comparison
from recte.metrics.base import Metric, Score
from recte.rendering.charts.overview import overview_charts
from recte.rendering.charts.theme import chart_config
from recte.rendering.comparison import comparison_tables
from recte.rendering.page.explorer import explorer_data
from recte.rendering.page.vega import vega_script
from recte.rendering.score_tables import score_table
from recte.rendering.tables import Table
from recte.visible_text import visible

__all__ = ["asset", "page_template", "render_page", "report", "trusted"]

# The page's script, one function in the order of its parts.
_SCRIPTS = (
    "reading.js",
    "quoting.js",
    "details.js",
    "sentence.js",
    "comparing.js",
    "address.js",
    "explorer.js",
    "tables.js",
    "charts.js",
    "starting.js",
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDE = 540  # a chart drawn wider than this takes both columns


def render_page(data: Evaluation, charts: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole report as one HTML text; `charts` are Vega-Lite specifications by name."""
    configs = {"light": chart_config(dark=False), "dark": chart_config(dark=True)}
    page: str = page_template("page.html").render(
        title=f"recte: {data.gold}",
        gold=data.gold,
        version=__version__,
        sentence_count=len(data.sentences),
        systems=[system.name for system in data.systems],
        summary=_summary(data),
        findings=data.findings,
        comparing=bool(data.comparisons),
        sections=[_section(data, metric) for metric in data.metrics],
        charts=[
            {
                "name": name,
                "title": _title(chart),
                "description": chart.get("description", ""),
                "wide": isinstance(chart.get("width"), (int, float)) and chart["width"] > _WIDE,
            }
            for name, chart in charts.items()
        ],
        citations=dict.fromkeys(metric.bibtex for metric in data.metrics if metric.bibtex),
        style=trusted(asset("page.css")),
        script=trusted(page_script()),
        vega=trusted(vega_script() if charts else ""),
        explorer_data=trusted(packed(explorer_data(data))),
        charts_json=trusted(_json({"charts": dict(charts), "configs": configs})),
    )
    return page


def report(results: Evaluation, path: str | Path | None = None) -> str:
    """One self-contained HTML page that shows every score and sentence of an evaluation; also written to `path`.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go ."], [["He goes ."]])
    >>> report(recte.evaluate(gold, [recte.System("mine", ("He goes .",))]))[:15]
    '<!doctype html>'
    """
    page = render_page(results, overview_charts(results))
    if path is not None:
        write_bytes(path, page.encode())
    return page


def page_template(name: str) -> Any:
    """One of our templates: text is escaped, and a name that is missing is an error."""
    jinja2 = optional("jinja2", extra="report", purpose="report")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=_shown
    )
    return environment.from_string(asset(name))


def _shown(value: Any) -> Any:
    """Names and texts with control characters written out; our own markup as it is."""
    return visible(value) if type(value) is str else value


def _summary(data: Evaluation) -> list[dict[str, Any]]:
    """One row a system, in the first metric's order: each metric's score with its interval."""
    order = [score.system for score in _ordered(data, data.metrics[0])]
    order += [s.system for m in data.metrics for s in data.scores[m.name] if s.system not in order]
    rows = []
    for name in dict.fromkeys(order):
        cells = []
        for metric in data.metrics:
            of_metric = data.scores[metric.name]
            score = next((score for score in of_metric if score.system == name), None)
            best = (max if metric.higher_is_better else min)(score.score for score in of_metric)
            cells.append({"text": _with_ends(score), "best": score is not None and score.score == best})
        rows.append({"system": name, "cells": cells})
    return rows


def _with_ends(score: Score | None) -> str:
    if score is None:
        return "–"
    if not score.interval:
        return f"{100 * score.score:.2f}"
    return f"{100 * score.score:.2f} [{100 * score.interval['low']:.2f}, {100 * score.interval['high']:.2f}]"


def _ordered(data: Evaluation, metric: Metric) -> list[Score]:
    """A metric's scores, systems best first, doing nothing last."""
    comparison = data.comparisons.get(metric.name)
    order = {name: place for place, name in enumerate(comparison.systems)} if comparison else {}
    return sorted(data.scores[metric.name], key=lambda score: order.get(score.system, len(order)))


def _section(data: Evaluation, metric: Metric) -> dict[str, Any]:
    comparison = data.comparisons.get(metric.name)
    scores = _ordered(data, metric)
    return {
        "title": metric.title,
        "higher_is_better": metric.higher_is_better,
        "table": _with_clusters(score_table(metric.title, scores, metric.columns), comparison),
        "matrix": None if comparison is None else comparison_tables(comparison)[0],
        "signature": scores[0].signature,
    }


def _with_clusters(table: Table, comparison: Comparison | None) -> dict[str, Any]:
    clusters = {} if comparison is None else _cluster_of(comparison.clusters or ())
    return {
        "headers": table.headers,
        "rows": [
            {"cells": row, "cluster": clusters.get(row[0]), "best": [c for r, c in table.best if r == number]}
            for number, row in enumerate(table.rows)
        ],
    }


def _cluster_of(clusters: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, cluster in enumerate(clusters, 1) for name in cluster}


def _title(chart: Mapping[str, Any]) -> str:
    title = chart.get("title", "")
    return str(title.get("text", "") if isinstance(title, Mapping) else title)


def _json(value: Any) -> str:
    """JSON that can stand inside a script element: no text in it can end that."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _escaped(text).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _escaped(text: str) -> str:
    """JSON that can be encoded: half characters are written out."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def packed(value: Any) -> str:
    """JSON as gzip in base64: a page of ten thousand sentences stays small enough to be sent.

    The browser's own DecompressionStream unpacks it. Level 3 is a third of level 6's time, and a tenth larger.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    compressor = zlib.compressobj(level=3, wbits=31)
    return b64encode(compressor.compress(_escaped(text).encode()) + compressor.flush()).decode()


def page_script() -> str:
    """All scripts of the page as one function, so that nothing of theirs is seen outside."""
    return '(() => {\n"use strict";\n' + "\n".join(map(asset, _SCRIPTS)) + "})();"


def trusted(text: str) -> Any:
    """Our own assets and escaped JSON, which go in as they are."""
    return optional("markupsafe", extra="report", purpose="report").Markup(text)


@cache
def asset(name: str) -> str:
    """A file of the page's own, by its name."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
