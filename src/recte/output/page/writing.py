"""The report from its parts, as one HTML page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from recte._version import __version__
from recte.caching.user_folder import cache_folder, read_own_file
from recte.evaluation.evaluation import Evaluation
from recte.extras import optional, version_of
from recte.files import write_bytes
from recte.output.charts.overview import overview_charts
from recte.output.charts.theme import chart_config, list_names
from recte.output.comparison import test_name
from recte.output.page.explorer import explorer_data
from recte.output.page.score_sections import chart_sections, metric_section, score_summary
from recte.output.page.template import asset, content_policy, embed_json, pack_json, page_script, page_template, trust

__all__ = ["render_page", "report", "vega_script", "with_sentences"]

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
        part=f"of the first {len(data.sentences):,} sentences" if data.scored > len(data.sentences) else "",
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
    metrics = list_names([metric.title for metric in data.metrics])
    scheme_script, script = trust(asset("scheme.js").strip()), page_script(_SCRIPTS)
    vega = trust(vega_script() if drawn else "")
    page: str = page_template(template).render(
        policy=content_policy([scheme_script, *([vega] if drawn else []), script]),
        scheme_script=scheme_script,
        kind=kind,
        title=f"{data.gold}: {_systems(data)} by {metrics}",
        gold=data.gold,
        lede=f"{_systems(data, 'one system, {},')} on {_sentences(data)}, scored by {metrics}",
        version=__version__,
        date=date_of_page(),
        findings=data.findings,
        tested=next((test_name(comparison) for comparison in data.comparisons.values()), ""),
        signatures=dict.fromkeys(data.scores[metric.name][0].signature for metric in data.metrics),
        citations=dict.fromkeys(metric.bibtex for metric in data.metrics if metric.bibtex),
        newline=trust("\n"),
        style=trust(asset("page.css")),
        script=script,
        vega=vega,
        explorer_data=pack_json(explorer_data(data)),
        charts_json=embed_json({"charts": dict(drawn), "configs": _configs()}),
        **variables,
    )
    return page


def date_of_page() -> str:
    """The day, or that of SOURCE_DATE_EPOCH, by which the same input gives the same page."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.date().isoformat()


def _configs() -> dict[str, Any]:
    return {"light": chart_config(dark=False), "dark": chart_config(dark=True)}


def _sentences(data: Evaluation) -> str:
    shown = f" (the first {len(data.sentences):,} are shown)" if data.scored > len(data.sentences) else ""
    return f"{data.scored:,} sentence{'' if data.scored == 1 else 's'}{shown}"


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


def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that knows `vegaEmbed`.

    A cached script has the hash of its content in its name. It is used only if the hash agrees, and if the file is a
    regular one that belongs to the user and that nobody else can change: it runs in every page that is written.
    """
    name = f"vega-{version_of('vl-convert-python')}"
    with suppress(OSError):
        for path in sorted(cache_folder().glob(f"{name}-*.js")):
            content = read_own_file(path)
            if content is not None and path.name == _file_name(name, content):
                return content.decode("utf-8")
    script: str = optional("vl_convert", extra="report", purpose="report").javascript_bundle()
    path = cache_folder() / _file_name(name, script.encode())
    with suppress(Exception):  # a folder that cannot be written costs time, no more
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.is_file():  # a pipe would be waited for
            write_bytes(path, script.encode())
    return script


def _file_name(name: str, content: bytes) -> str:
    return f"{name}-{sha256(content).hexdigest()}.js"
