"""Sections 3.3 and 3.4 of Choshen and Abend (2017): F0.5 of a perfect corrector, and of real ones with intervals."""

from __future__ import annotations

from recte.formats.m2 import read_m2
from recte.metrics.maxmatch import MaxMatch
from recte.statistics.bootstrap import Interval
from recte.statistics.paired import paired_test
from recte.studies.coverage.charts import f_score_chart
from recte.studies.coverage.perfect_scores import bca_over_seeds, perfect_corrector
from recte.studies.papers import conll14
from recte.studies.papers.charts import interval_chart
from recte.studies.papers.conservatism_2017_coverage import answers
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Charts, Computed, PaperTable, grid
from recte.studies.papers.result import ByChance, Value

__all__ = ["F_SCORE_TABLES"]

# As the authors' scorer does it in sections 3.3 and 3.4.
METRIC = MaxMatch(ignore_whitespace_casing=True)
SHOWN = (1, 2, 5, 10, 20)
SEEDS = range(10)  # what chance does to an interval of 1,000 resamples is seen over these


def perfect(data: PaperData, references: int) -> tuple[float, list[Interval]]:
    """F of the released references and outputs, with its BCa interval for each of the seeds."""
    stem = f"{references}_sgss.m2.gz"
    path, output = data.path(f"perfect-corrector/{stem}"), f"perfect-corrector/perfect_output_for_{stem}"

    def scored() -> tuple[float, list[Interval]]:
        gold = read_m2(path, lenient=True)
        counts = METRIC.prepare(gold).count(data.system(output, len(gold)))
        return METRIC.score_counts(counts).score, bca_over_seeds(METRIC, counts, SEEDS)

    return data.once(("perfect", references), scored, f"F0.5 of the released perfect corrector, M = {references}")


def figure3(data: PaperData) -> Computed:
    return {"F0.5, M = 2": perfect(data, 2)[0]}


def figure3_midpoints(data: PaperData) -> Computed:
    return {
        f"midpoint, M = {m}": ByChance.over_seeds([(i.low + i.high) / 2 for i in perfect(data, m)[1]])
        for m in range(1, len(MIDPOINTS) + 1)
    }


def figure3_anew(data: PaperData) -> Computed:
    """Corpora drawn anew from the answers, the output's own answer among the references (as published) or not."""
    sentences = answers(data)
    return {
        f"F0.5, M = {point.references}, own answer {'in' if own else 'left out'}": point.score
        for own in (True, False)
        for point in perfect_corrector(sentences, SHOWN, own_answer=own, resamples=10)
    }


def draw_figure3(data: PaperData) -> Charts:
    sentences = answers(data)
    points = data.once("perfect corrector", lambda: perfect_corrector(sentences, range(1, 21)))
    return {"conservatism-2017-figure3": f_score_chart(points)}


def intervals(data: PaperData) -> dict[str, tuple[float, list[Interval]]]:
    """F of each system by the authors' scorer, with its BCa interval for each of the seeds.

    NTHU's output is the one that the authors had, which has two sentences on other lines than the shared task's.
    """
    counted = {counts.system: counts for counts in conll14.counts(data, METRIC)}
    gold = conll14.gold(data)

    def scored() -> dict[str, tuple[float, list[Interval]]]:
        scorer = METRIC.prepare(gold)
        for name in ("NTHU", "RoRo"):
            counted[name] = scorer.count(data.system(f"conservatism/{name}.output.txt", len(gold), name))
        return {
            name: (METRIC.score_counts(counts).score, bca_over_seeds(METRIC, counts, SEEDS))
            for name, counts in counted.items()
        }

    return data.once("intervals", scored, f"BCa intervals of {len(counted) + 1} systems")


def ends(of: list[Interval]) -> dict[str, ByChance]:
    return {
        "low": ByChance.over_seeds([interval.low for interval in of]),
        "high": ByChance.over_seeds([interval.high for interval in of]),
    }


def figure4(data: PaperData) -> Computed:
    of = intervals(data)
    return {
        f"{name}, {end}": value for name in (*conll14.PARTICIPANTS, "RoRo") for end, value in ends(of[name][1]).items()
    }


def section34(data: PaperData) -> Computed:
    """By how much intervals overlap, which is the paper's test, and p by approximate randomisation."""
    counted = {counts.system: counts for counts in conll14.counts(data, METRIC)}
    of = {name: (score, ends(found)) for name, (score, found) in intervals(data).items()}
    best, second, *others = sorted(of, key=lambda name: -of[name][0])[:4]
    found: dict[str, Value] = {
        f"overlap of best ({best}) and second ({second})": of[second][1]["high"].value - of[best][1]["low"].value
    }
    for place, other in zip(("third", "fourth"), others, strict=True):
        overlap = of[other][1]["high"].value - of[second][1]["low"].value
        found[f"overlap of second ({second}) and {place} ({other})"] = overlap
        found[f"second above {place}, p"] = paired_test(counted[second], counted[other], trials=2000).p
    return found


def draw_figure4(data: PaperData) -> Charts:
    rows = [
        ("source" if name == conll14.BASELINE else name, score, found[0].low, found[0].high)
        for name, (score, found) in intervals(data).items()
    ]
    rows.sort(key=lambda row: row[1])
    return {"conservatism-2017-figure4": interval_chart(rows, "F0.5 of the CoNLL-2014 systems, 95 % intervals", "F0.5")}


# The authors' stored results: plotted midpoints of Figure 3, and the intervals of Figure 4.
MIDPOINTS = ["0.313", "0.417", "0.478", "0.498", "0.520", "0.554", "0.572", "0.571", "0.605", "0.605"]
FIGURE_4 = grid(
    (*conll14.PARTICIPANTS, "RoRo"),
    ("low", "high"),
    "0.3265 0.3708",
    "0.3538 0.3913",
    "0.3428 0.3805",
    "0.0401 0.0816",
    "0.0574 0.0915",
    "0.2763 0.3180",
    "0.2326 0.2762",
    "0.2848 0.3240",
    "0.2567 0.3051",
    "0.1254 0.1788",
    "0.0558 0.1040",
    "0.2323 0.2742",
    "0.4314 0.4792",
)
DRAWN_ANEW = (
    "the file for this number of references was drawn anew after the paper, so that the corpus is another; resampling "
    "its sentences cannot tell how far two such draws are apart"
)

F_SCORE_TABLES = (
    PaperTable(
        name="figure3",
        title="Figure 3: F0.5 of a perfect corrector with two references",
        published={"F0.5, M = 2": "0.42"},
        compute=figure3,
        draw=draw_figure3,
        notes=("From the released references and output. The chart draws corpora anew from the answers.",),
        needs=("perfect-corrector", "crowd"),
    ),
    PaperTable(
        name="figure3-released",
        title="Figure 3: midpoints of the intervals",
        published={f"midpoint, M = {m}": printed for m, printed in enumerate(MIDPOINTS, 1)},
        compute=figure3_midpoints,
        why={"": "not known", **{f"midpoint, M = {m}": DRAWN_ANEW for m in (1, 3, 4, 6, 7, 9, 10)}},
        notes=(
            f"The released figures are the authors' stored results. Ours are means over {len(SEEDS)} seeds of 1,000 "
            "resamples each.",
        ),
        needs=("perfect-corrector",),
        printed=False,
    ),
    PaperTable(
        name="figure3-anew",
        title="Figure 3 with corpora drawn anew from the answers",
        compute=figure3_anew,
        notes=("Edits are runs of changed words; the published procedure has another tokeniser and MaxMatch's edits.",),
        needs=("crowd",),
    ),
    PaperTable(
        name="figure4",
        title="Figure 4: F0.5 of systems, 95 % intervals (BCa)",
        published=FIGURE_4,
        compute=figure4,
        draw=draw_figure4,
        why={"": "not known"},
        notes=(
            f"The released figures are the authors' stored results. Ours are means over {len(SEEDS)} seeds of 1,000 "
            "resamples each.",
            "NTHU's output is the authors' file, which has two sentences on other lines than the shared task's: eight "
            "lines are not the same. Figure 1 is of the shared task's.",
        ),
        needs=("conll14", "conservatism"),
        printed=False,
    ),
    PaperTable(
        name="section3.4",
        title="Section 3.4: which differences are significant",
        published={
            "overlap of best (RoRo) and second (CAMB)": "< 0",
            "overlap of second (CAMB) and third (CUUI)": "> 0",
            "overlap of second (CAMB) and fourth (AMU)": "> 0",
        },
        compute=section34,
        needs=("conll14", "conservatism"),
    ),
)
