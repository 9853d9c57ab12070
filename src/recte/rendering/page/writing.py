"""The report from its parts, as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recte._version import __version__
from recte.evaluation import Evaluation
from recte.formats.files import write_bytes
from recte.rendering.charts.naming import listed
from recte.rendering.charts.overview import overview_charts
from recte.rendering.charts.theme import chart_config
from recte.rendering.page.chart_sections import chart_sections
from recte.rendering.page.explorer import explorer_data
from recte.rendering.page.score_sections import metric_section, score_summary
from recte.rendering.page.template import asset, embedded_json, packed, page_script, page_template, trusted
from recte.rendering.page.vega import vega_script

__all__ = ["render_page", "report", "with_sentences"]

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
    "leaderboard.js",
    "starting.js",
)


def render_page(data: Evaluation, charts: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole report as one HTML text; `charts` are Vega-Lite specifications by name."""
    sections = chart_sections(charts)
    shown = {name: charts[name] for section in sections.values() for name in (chart["name"] for chart in section)}
    return with_sentences(
        "page.html",
        data,
        shown,
        kind="report",
        several=len(data.systems) > 1,
        summary=score_summary(data),
        comparing=bool(data.comparisons),
        sections=[metric_section(data, metric) for metric in data.metrics],
        charts=sections,
    )


def with_sentences(
    template: str, data: Evaluation, drawn: Mapping[str, Mapping[str, Any]], *, kind: str, **variables: Any
) -> str:
    """A page that ends with all sentences and how it was made; what comes before is the template's, of a `kind`.

    `drawn` are the charts that the template shows, `variables` what else it needs.
    """
    metrics = listed([metric.title for metric in data.metrics])
    page: str = page_template(template).render(
        kind=kind,
        title=f"{data.gold}: {_systems(data)} by {metrics}",
        gold=data.gold,
        lede=f"{_systems(data, 'one system, {},')} on {_sentences(data)}, scored by {metrics}",
        version=__version__,
        findings=data.findings,
        signatures=dict.fromkeys(data.scores[metric.name][0].signature for metric in data.metrics),
        citations=dict.fromkeys(metric.bibtex for metric in data.metrics if metric.bibtex),
        newline=trusted("\n"),
        style=trusted(asset("page.css")),
        script=page_script(_SCRIPTS),
        vega=trusted(vega_script() if drawn else ""),
        explorer_data=packed(explorer_data(data)),
        charts_json=embedded_json({"charts": dict(drawn), "configs": _configs()}),
        **variables,
    )
    return page


def _configs() -> dict[str, Any]:
    return {"light": chart_config(dark=False), "dark": chart_config(dark=True)}


def _sentences(data: Evaluation) -> str:
    count = len(data.sentences)
    return f"{count:,} sentence{'' if count == 1 else 's'}"


def _systems(data: Evaluation, alone: str = "{}") -> str:
    """How many, or the name of the only one."""
    return alone.format(data.systems[0].name) if len(data.systems) == 1 else f"{len(data.systems)} systems"


def report(results: Evaluation, path: str | Path | None = None) -> str:
    """One self-contained HTML page that shows every score and sentence of an evaluation; also written to `path`.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go ."], [["He goes ."]])
    >>> report(recte.evaluate(gold, [recte.System("mine", ("He goes .",))]))[:15]
    '<!doctype html>'
    """
    page = render_page(results, overview_charts(results, differences=False))
    if path is not None:
        write_bytes(path, page.encode())
    return page
