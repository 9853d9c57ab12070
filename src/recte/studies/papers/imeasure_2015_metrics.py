"""Section 2.3 of Felice and Briscoe (2015): accuracy, its weight, and improvement, from counts."""

from __future__ import annotations

from recte.corpus.corpus import Corpus
from recte.metrics.imeasure import IMeasure
from recte.metrics.improvement import aspect_figures
from recte.studies.papers.charts import improvement_chart, weight_chart
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Charts, Computed, PaperTable, f_from_printed, grid

__all__ = ["METRIC_TABLES"]

TABLE_7 = grid(
    ("S1 on its own references", "S2 on those of S1", "S1 on those of S2", "S2 on its own references"),
    ("P", "R", "F0.5"),
    "0.60 0.20 0.43",
    "0.80 0.05 0.20",
    "0.30 0.30 0.30",
    "0.30 0.40 0.32",
)


# Table 8: TP, FP, TN, FN of five systems.
TABLE_8 = {"Baseline": (0, 0, 6, 4), "S1": (4, 1, 5, 0), "S2": (1, 0, 6, 3), "S3": (1, 1, 5, 3), "S4": (4, 6, 0, 0)}
FIGURES = {"P": "precision", "R": "recall", "F0.5": "f", "Acc": "acc", "WAcc": "wacc"}


def table8(data: PaperData) -> Computed:
    found: dict[str, float] = {}
    for name, (tp, fp, tn, fn) in TABLE_8.items():
        figures = aspect_figures((tp, tn, fp, fn, 0), (6, 4))
        found |= {f"{name}, {c}": figures[key] for c, key in FIGURES.items()}
    return found


def table9(data: PaperData) -> Computed:
    gold = Corpus.from_references(["He go to the school ."], [["He goes to school ."]])
    hypotheses = {
        "correct text": "He goes to school .",
        "better text": "He goes to the school .",
        "no change": "He go to the school .",
        "worse text": "She go to the school .",
        "incorrect text": "She had at one place !",
    }
    return {name: IMeasure().score(gold, [text]).score for name, text in hypotheses.items()}


def draw_figure2(data: PaperData) -> Charts:
    """The paper does not say which counts it drew: Table 8's, with a perfect and a wholly wrong system."""
    systems = {
        "all correct": (4, 6, 0, 0),
        "above baseline (S2)": (1, 6, 0, 3),
        "baseline": (0, 6, 0, 4),
        "below baseline (S3)": (1, 5, 1, 3),
        "all incorrect": (0, 0, 6, 4),
    }
    rows = [
        (name, w, aspect_figures((*counts, 0), (6, 4), weight=w)["wacc"])
        for name, counts in systems.items()
        for w in range(1, 16)
    ]
    return {"imeasure-2015-figure2": weight_chart(rows)}


def draw_figure3(data: PaperData) -> Charts:
    systems = {name: aspect_figures((tp, tn, fp, fn, 0), (6, 4)) for name, (tp, fp, tn, fn) in TABLE_8.items()}
    points = [(name, figures["wacc"], figures["i"]) for name, figures in systems.items()]
    return {"imeasure-2015-figure3": improvement_chart(points, systems["Baseline"]["wacc"])}


def figure2(data: PaperData) -> Computed:
    """What the text says of w: more of it moves systems away from the baseline, which stays where it is."""
    wacc = {
        name: [aspect_figures((tp, tn, fp, fn, 0), (6, 4), weight=w)["wacc"] for w in (1, 2, 15)]
        for name, (tp, fp, tn, fn) in TABLE_8.items()
    }
    return {
        "baseline, w = 2 less w = 1": wacc["Baseline"][1] - wacc["Baseline"][0],
        "above (S2), w = 15 less w = 2": wacc["S2"][2] - wacc["S2"][1],
        "below (S3), w = 15 less w = 2": wacc["S3"][2] - wacc["S3"][1],
    }


def figure3(data: PaperData) -> Computed:
    return {
        f"{name}, I": aspect_figures((tp, tn, fp, fn, 0), (6, 4))["i"] for name, (tp, fp, tn, fn) in TABLE_8.items()
    }


METRIC_TABLES = (
    PaperTable(
        name="table7",
        title="Table 7: scores on other references",
        published={name: printed for name, printed in TABLE_7.items() if name.endswith("F0.5")},
        compute=lambda data: f_from_printed(TABLE_7),
        notes=("The systems are hypothetical, and so are P and R; F0.5 follows from them.",),
    ),
    PaperTable(
        name="table8",
        title="Table 8: more P, R or F is not more accuracy",
        published=grid(
            tuple(TABLE_8),
            ("P", "R", "F0.5", "Acc", "WAcc"),
            "1.00 0.00 0.00 0.60 0.60",
            "0.80 1.00 0.83 0.90 0.87",
            "1.00 0.25 0.62 0.70 0.73",
            "0.50 0.25 0.42 0.60 0.58",
            "0.40 1.00 0.45 0.40 0.40",
        ),
        compute=table8,
    ),
    PaperTable(
        name="figure2",
        title="Figure 2: the weight w moves WAcc away from the baseline",
        published={
            "baseline, w = 2 less w = 1": "0.0",
            "above (S2), w = 15 less w = 2": "> 0",
            "below (S3), w = 15 less w = 2": "< 0",
        },
        compute=figure2,
        draw=draw_figure2,
        notes=("The paper does not say which counts it drew; here they are Table 8's.",),
        in_words=True,
    ),
    PaperTable(
        name="table9",
        title="Table 9: how I is read",
        published={
            "correct text": "1",
            "better text": "> 0",
            "no change": "0",
            "worse text": "< 0",
            "incorrect text": "-1",
        },
        compute=table9,
    ),
    PaperTable(
        name="figure3",
        title="Figure 3: WAcc and I",
        published={
            "Baseline, I": "0",
            "S1, I": "> 0",
            "S2, I": "> 0",
            "S3, I": "< 0",
            "S4, I": "< 0",
        },
        compute=figure3,
        draw=draw_figure3,
        notes=("The paper draws two hypothetical systems; here they are Table 8's.",),
        in_words=True,
    ),
)
