"""The chart of windows: a line for each metric, broken where a window has no correlation."""

from __future__ import annotations

from recte.studies.human.human_scores import HumanScores
from recte.studies.metaeval.charts import window_charts
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.windows import window_analysis

HUMAN = HumanScores.of("human", dict(zip("abcdef", (6.0, 5.0, 4.0, 3.0, 2.0, 1.0), strict=True)))
METRICS = [
    MetricScores.of("x", dict(zip("abcdef", (1.0, 2.0, 3.0, 4.0, 5.0, 7.0), strict=True))),
    MetricScores.of("y", dict(zip("abcdef", (1.0, 1.0, 1.0, 4.0, 5.0, 6.0), strict=True))),
]


def test_a_line_joins_the_windows_of_a_metric():
    drawn = window_charts([window_analysis(HUMAN, METRICS, size=3)])["windows-human"]
    for panel, kind in zip(drawn["hconcat"], ("r", "ρ"), strict=True):
        line = next(layer for layer in panel["layer"] if layer["mark"]["type"] == "line")
        assert line["encoding"]["x"]["axis"]["values"] == [1, 2, 3, 4]
        assert line["encoding"]["y"]["title"].endswith(kind)
        rows = drawn["datasets"][panel["data"]["name"]]
        assert [row["value"] is None for row in rows if row["metric"] == "y"] == [True, False, False, False]
        places = {row["metric"]: row["place"] for row in rows if row["ranks"] == "1–3"}
        assert places["x"] < 1 < places["y"]  # side by side
