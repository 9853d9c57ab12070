"""The specifications that we write are those that Altair writes for the same calls."""

from __future__ import annotations

import importlib
import json
import pkgutil

import pytest

from output.test_charts import gathered
from output.test_window_chart import HUMAN, METRICS
from recte.edits.references import annotators_of
from recte.output import charts
from recte.output.charts.overview import overview_charts
from recte.studies.conservatism.change_profiles import conservatism_of
from recte.studies.conservatism.charts import conservatism_charts
from recte.studies.metaeval.charts import window_charts
from recte.studies.metaeval.windows import window_analysis

alt = pytest.importorskip("altair")


def drawn() -> dict[str, dict]:
    """Charts with layers, panels, named and inline data, filters, conditions and expressions."""
    data = gathered()
    profiles = conservatism_of(list(data.corpus.unchanged), data.systems, annotators_of(data.corpus))
    return {
        **overview_charts(data),
        **overview_charts(gathered(names=("heron",), metrics=("m2",))),
        **window_charts([window_analysis(HUMAN, METRICS, size=3)]),
        **conservatism_charts(profiles),
    }


def test_specifications_are_those_of_altair(monkeypatch):
    ours = drawn()
    for module in pkgutil.iter_modules(charts.__path__):
        actual = importlib.import_module(f"{charts.__name__}.{module.name}")
        for name, theirs in (("alt", alt), ("Chart", alt.Chart), ("NamedData", alt.NamedData)):
            if module.name != "vega_lite" and hasattr(actual, name):
                monkeypatch.setattr(actual, name, theirs)
    theirs = drawn()
    assert list(ours) == list(theirs)
    for name, chart in ours.items():
        chart.pop("config", None)
        theirs[name].pop("config", None)  # Altair's look; ours is given where a chart is shown
        assert json.loads(json.dumps(chart)) == theirs[name], name
