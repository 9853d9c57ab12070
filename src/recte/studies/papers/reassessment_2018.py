"""Chollampatt and Ng (2018): which metric agrees with human judgments of the CoNLL-2014 systems."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, Edit
from recte.formats.m2 import read_m2
from recte.formats.metric_scores import read_metric_scores
from recte.metrics.base import Metric
from recte.metrics.explanation import explain
from recte.metrics.gleu import Gleu
from recte.metrics.imeasure import IMeasure
from recte.metrics.maxmatch import MaxMatch
from recte.statistics.correlation import correlation
from recte.studies.coverage.human_ceilings import joined
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_files import read_judgments
from recte.studies.human.ranking import human_scores
from recte.studies.human.trueskill import TrueSkill
from recte.studies.metaeval.charts import scatter_chart, williams_chart
from recte.studies.metaeval.scores import MetricScores, metrics_from_files
from recte.studies.metaeval.sentence_correlation import SentenceLevel, sentence_level
from recte.studies.metaeval.system_correlation import SystemLevel, system_level
from recte.studies.papers.conll14 import PARTICIPANTS, counts, judgments, system
from recte.studies.papers.conll14 import gold as conll14_gold
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Charts, Computed, Paper, PaperTable, grid
from recte.studies.papers.result import ByChance, Value

__all__ = ["PAPER"]

# The published M² scores of sentences are against the last annotator, by a slip of the released scripts.
METRICS: dict[str, Metric] = {
    "GLEU": Gleu(),
    "I-measure": IMeasure(),
    "M²": MaxMatch(sentence_annotator="last"),
}
RELEASED = ("gleu", "imeasure", "m2score")
# TrueSkill is scored by the limit that its random runs tend to.
HUMANS = {"Expected Wins": "expected-wins", "TrueSkill": "expected-trueskill"}
CORRELATIONS = {"r": "pearson", "ρ": "spearman"}
# TrueSkill scores as published (Grundkiewicz et al. 2015): means over 1,000 random runs, to three digits.
PUBLISHED_TRUESKILL = dict(
    zip(
        ["AMU", "CAMB", "RAC", "CUUI", "POST", "PKU", "UMC", "UFC", "IITB", "INPUT", "SJTU", "NTHU", "IPN"],
        (0.273, 0.18, 0.115, 0.105, 0.081, -0.001, -0.023, -0.041, -0.054, -0.061, -0.073, -0.142, -0.358),
        strict=True,
    )
)
RUNS = 1000  # whose mean each published human score is
ALL_RUNS = 2000  # that are played here
REPEATED = 500
HALVES = 5
NOT_NATIVE = "non-native"  # the judge whose rankings the paper's number leaves out
ScoresOf = Callable[[PaperData], list[MetricScores]]


def our_scores(data: PaperData) -> list[MetricScores]:
    return [MetricScores.from_counts(metric, counts(data, metric)) for metric in METRICS.values()]


def read_released_scores(data: PaperData) -> list[MetricScores]:
    names = [f"{name}.{ending}" for name in RELEASED for ending in ("systems.tsv", "sentences.tsv.gz")]
    return metrics_from_files([read_metric_scores(data.path(f"conll14/metric-scores/{name}")) for name in names])


def correlate(data: PaperData, human: str, scores: ScoresOf = our_scores, without: tuple[str, ...] = ()) -> SystemLevel:
    ranking = HumanScores.from_judgments(judgments(data, "expanded"), HUMANS[human]).without(without)
    return data.once(("correlated", human, scores, without), lambda: system_level(ranking, scores(data)))


def correlations(data: PaperData, scores: ScoresOf = our_scores, without: tuple[str, ...] = ()) -> Computed:
    """Pearson's r with TrueSkill is random, since human scores are means over random runs; ranks do not change."""
    computed: dict[str, Value] = {
        f"{metric}, {human}, {c}": getattr(result, kind)
        for human in HUMANS
        for metric, result in zip(METRICS, correlate(data, human, scores, without).metrics, strict=True)
        for c, kind in CORRELATIONS.items()
    }
    humans = random_trueskill(data)
    is_ranked = [name not in without for name in judgments(data, "expanded").systems]
    for metric, of_systems in zip(METRICS, scores(data), strict=True):
        theirs = of_systems.for_systems(judgments(data, "expanded").systems).scores[is_ranked]
        values = [float(correlation("pearson", row[is_ranked], theirs)) for row in humans]
        # The mean is of some runs, too: it is off by so much of a mean of RUNS.
        computed[f"{metric}, TrueSkill, r"] = ByChance(fmean(values), stdev(values) * math.sqrt(1 + RUNS / ALL_RUNS))
    return computed


def random_trueskill(data: PaperData) -> NDArray[np.float64]:
    """Human scores as they were published, many times: means over RUNS random runs, to three digits.

    Each row takes RUNS of the ALL_RUNS that were played, drawn with replacement.
    """

    def draw() -> NDArray[np.float64]:
        judged = judgments(data, "expanded")
        played = TrueSkill().runs(judged.table()[None], ALL_RUNS, seed=12345)
        taken = np.random.default_rng(12345).integers(ALL_RUNS, size=(REPEATED, RUNS))
        scores: NDArray[np.float64] = played[taken].mean(axis=1).round(3)
        return scores

    return data.once("random TrueSkill", draw, f"TrueSkill of thirteen systems in {ALL_RUNS:,} random runs")


def correlate_published_trueskill(data: PaperData) -> Computed:
    """Correlations with the human scores as published, instead of recte's own."""
    humans = HumanScores.of("trueskill", PUBLISHED_TRUESKILL)
    return {
        f"{metric}, {label}{c}": getattr(result, kind)
        for label, without in (("", ()), ("without IPN, ", ("IPN",)))
        for metric, result in zip(METRICS, system_level(humans.without(without), our_scores(data)).metrics, strict=True)
        for c, kind in CORRELATIONS.items()
        if f"{metric}, {label}{c}" in TRUESKILL
    }


SYSTEM_COLUMNS = [f"{human}, {c}" for human in HUMANS for c in CORRELATIONS]
TABLE_2 = grid(
    list(METRICS),
    SYSTEM_COLUMNS,
    "0.691 0.407 0.733 0.478",
    "-0.250 -0.385 -0.316 -0.423",
    "0.623 0.687 0.672 0.720",
)
WITHOUT_IPN = grid(["GLEU", "M²"], SYSTEM_COLUMNS, "0.500 0.245 0.584 0.336", "0.593 0.643 0.638 0.692")
TRUESKILL = {
    name.replace("TrueSkill, ", label): printed
    for label, table in (("", TABLE_2), ("without IPN, ", WITHOUT_IPN))
    for name, printed in table.items()
    if "TrueSkill" in name
}


def table1(data: PaperData) -> Computed:
    source = "Thus , advice from hospital plays the important role for this ."
    edits = [Edit(4, 4, ("the",)), Edit(6, 7, ("an",)), Edit(9, 10, ("in",))]
    scorer = IMeasure().prepare(Corpus.from_edits([source], [[edits]]))
    hypothesis = source.replace("the important", "an important")
    columns = explain(scorer, [hypothesis], 1).columns
    return {
        name: " ".join(token or "ε" for token in tokens)
        for name, tokens in zip(("input", "hypothesis", "reference"), zip(*columns, strict=True), strict=True)
    }


def section3(data: PaperData) -> Computed:
    return {f"pairs, {name} set": len(judgments(data, name)) for name in ("expanded", "unexpanded")}


def figure1(data: PaperData) -> Computed:
    scores = {human: correlate(data, human).human_scores for human in HUMANS}
    return {f"leftmost point, {human}": min(of, key=of.__getitem__) for human, of in scores.items()}


def figure2(data: PaperData) -> Computed:
    named = {metric.name: label for label, metric in METRICS.items()}
    return {
        f"{named[test.higher]} above {named[test.lower]}, {human}, {c}": test.p
        for human in HUMANS
        for c, kind in CORRELATIONS.items()
        for test in correlate(data, human).williams
        if test.correlation == kind and test.p is not None
    }


def agreement(data: PaperData, name: str) -> SentenceLevel:
    return sentence_level(judgments(data, name), our_scores(data), resample="pairs")


def table3(data: PaperData) -> Computed:
    computed: dict[str, Value] = {}
    for name in ("expanded", "unexpanded"):
        result = agreement(data, name)
        computed |= {f"pairs, {name}, HTies": result.pairs, f"pairs, {name}, NoTies": result.decided}
        for label, metric in zip(METRICS, result.metrics, strict=True):
            agreed = {"HTies": metric.hties, "NoTies": metric.noties}
            computed |= {f"{label}, {name}, {variant}": tau for variant, tau in agreed.items() if tau is not None}
        for variant in ("HTies", "NoTies"):
            stars = [label for label, m in zip(METRICS, result.metrics, strict=True) if variant.lower() in m.stands_out]
            computed[f"star, {name}, {variant}"] = ", ".join(stars) or "none"
    return computed


def section332(data: PaperData) -> Computed:
    """How often each metric scores two compared sentences alike."""
    result = agreement(data, "unexpanded")
    ties = {
        label: sum(row[1] for row in metric.outcomes) for label, metric in zip(METRICS, result.metrics, strict=True)
    }
    return {
        "ties of M² less those of GLEU": ties["M²"] - ties["GLEU"],
        **{f"ties, {label}": count for label, count in ties.items()},
    }


def section52_collections(data: PaperData) -> Computed:
    """The two collections of human judgments, and which systems the second has."""
    path = data.path("conll14/judgments/rankings-2015.xml.gz")
    other = data.once("rankings 2015", lambda: read_judgments(path))
    pairs = [pair for pair in other.preferences() if pair.judge != NOT_NATIVE]
    return {
        "comparisons, Grundkiewicz et al.": len(judgments(data, "expanded")),
        "comparisons, Napoles et al.": len(pairs),
        "references among the systems, Napoles et al.": sum(name.startswith("ref") for name in other.systems),
        "of the comparisons, ties": sum(not pair.outcome for pair in pairs),
        "comparisons with the judge who is no native speaker": len(other),
    }


def levels_disagree(data: PaperData) -> Computed:
    """Section 3.3.2: the I-measure agrees with humans over sentences, and not over systems."""
    computed: dict[str, Value] = {}
    for name in ("expanded", "unexpanded"):
        of_sentences = agreement(data, name).metrics[1]
        for variant, tau in (("HTies", of_sentences.hties), ("NoTies", of_sentences.noties)):
            if tau is not None:
                computed[f"τ over sentences, {name}, {variant}"] = tau
    for human in HUMANS:
        of_systems = correlate(data, human).metrics[1]
        computed |= {f"{c} over systems, {human}": getattr(of_systems, kind) for c, kind in CORRELATIONS.items()}
    return computed


def predict_other_half(data: PaperData) -> Computed:
    """Section 3.1: which ranking predicts decided judgments of the other half of the sentences better."""
    judged = judgments(data, "expanded")
    generator = np.random.default_rng(0)
    sentences, place = np.unique(judged.sentence, return_inverse=True)

    def compare() -> list[float]:
        apart = []
        for _ in range(HALVES):
            half = generator.permutation(len(sentences))[place] < len(sentences) // 2
            decided = ~half & (judged.outcome != 0)
            right = []
            for method in HUMANS.values():
                scores = human_scores(judged.select(half), method)
                higher = np.sign(scores[judged.first[decided]] - scores[judged.second[decided]])
                right.append(float((higher == judged.outcome[decided]).mean()))
            apart.append(right[0] - right[1])
        return apart

    apart = data.once("held out", compare, f"predicting held-out judgments, {HALVES} halves of the sentences")
    return {
        "judgments that Expected Wins predicts, less those that TrueSkill does": fmean(apart),
        f"deviation over {HALVES} halves": stdev(apart),
    }


def section52(data: PaperData) -> Computed:
    """How far GLEU's random choice of references moves it, in its standard deviation over draws."""
    two = conll14_gold(data)
    people = [read_m2(data.path(f"conll14/ten-annotators/A{number}.m2")) for number in range(1, 11)]
    spread = {
        number: fmean(
            Gleu().score(gold, system(data, name, two)).std  # type: ignore[attr-defined]
            for name in PARTICIPANTS
        )
        for number, gold in ((2, two), (10, joined(people)))
    }
    return {
        "spread with ten references less that with two": spread[10] - spread[2],
        **{f"spread with {number} references": value for number, value in spread.items()},
    }


WEEKLY = "The weekly quizzes in this course {} it challenging and fun ."
SENIOR = "The senior {} who failed {} to retake the course next year ."


def table4(data: PaperData) -> Computed:
    first = Corpus.from_edits([WEEKLY.format("makes")], [[[Edit(6, 7, ("make",))]]])
    second = Corpus.from_edits(
        [SENIOR.format("student", "have")], [[[Edit(5, 6, ("has",))], [Edit(2, 3, ("students",))]]]
    )
    hypotheses = {
        "example 1, hypothesis 1": (first, WEEKLY.format("makes")),
        "example 1, hypothesis 2": (first, WEEKLY.format("making")),
        "example 2, hypothesis 1": (second, SENIOR.format("student", "has")),
        "example 2, hypothesis 2": (second, SENIOR.format("students", "have")),
        "example 2, hypothesis 3": (second, SENIOR.format("students", "has")),
    }
    computed: dict[str, Value] = {}
    for name, (gold, hypothesis) in hypotheses.items():
        computed[f"{name}, GLEU"] = Gleu().score(gold, [hypothesis]).score
        computed[f"{name}, I%"] = 100 * IMeasure().score(gold, [hypothesis]).score
        computed[f"{name}, M²"] = MaxMatch().score(gold, [hypothesis]).score
    return computed


def draw_figure1(data: PaperData) -> Charts:
    return {f"reassessment-2018-figure1-{HUMANS[human]}": scatter_chart(correlate(data, human)) for human in HUMANS}


def draw_figure2(data: PaperData) -> Charts:
    levels = [correlate(data, human) for human in HUMANS]
    return {"reassessment-2018-figure2": williams_chart(levels)}


RANDOM_HUMANS = (
    f"The paper's TrueSkill scores are means over {RUNS:,} random runs, to three digits, so that r is random. Ours "
    f"is the mean over {REPEATED} such means of {ALL_RUNS:,} runs, each to three digits. ρ is of the limit that runs "
    "tend to."
)
TABLE_3 = {
    "pairs, expanded, HTies": "109098",
    "pairs, expanded, NoTies": "49981",
    "pairs, unexpanded, HTies": "20516",
    "pairs, unexpanded, NoTies": "14584",
    **grid(
        list(METRICS),
        [f"{name}, {variant}" for name in ("expanded", "unexpanded") for variant in ("HTies", "NoTies")],
        "0.567 0.388 0.237 0.321",
        "0.564 0.368 0.242 0.293",
        "0.617 0.300 0.348 0.266",
    ),
    "star, expanded, HTies": "M²",
    "star, expanded, NoTies": "GLEU",
    "star, unexpanded, HTies": "M²",
    "star, unexpanded, NoTies": "none",
}
EXAMPLES = ["example 1, hypothesis 1", "example 1, hypothesis 2"] + [f"example 2, hypothesis {n}" for n in (1, 2, 3)]

PAPER = Paper(
    "reassessment-2018",
    "Chollampatt and Ng (2018), A Reassessment of Reference-Based Grammatical Error Correction Metrics",
    (
        PaperTable(
            name="table1",
            title="Table 1: a three-way alignment of the I-measure",
            published={
                "input": "Thus , advice from ε hospital plays the important role for this .",
                "hypothesis": "Thus , advice from ε hospital plays an important role for this .",
                "reference": "Thus , advice from the hospital plays an important role in this .",
            },
            compute=table1,
        ),
        PaperTable(
            name="section3",
            title="Section 3: human comparisons",
            published={"pairs, expanded set": "109098", "pairs, unexpanded set": "20516"},
            compute=section3,
            needs=("conll14",),
        ),
        PaperTable(
            name="table2",
            title="Table 2: correlations with humans over systems",
            published=TABLE_2,
            compute=correlations,
            notes=(
                RANDOM_HUMANS,
                "From recte's own scores of metrics and humans, from texts and judgments to correlations.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="table2-released",
            title="Table 2 from the released metric scores",
            published=TABLE_2,
            compute=lambda data: correlations(data, read_released_scores),
            notes=(
                RANDOM_HUMANS,
                "The metrics' scores are those behind the paper; the humans' are recte's, from the judgments.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="section3.3.1",
            title="Section 3.3.1: the same without IPN",
            published=WITHOUT_IPN,
            compute=lambda data: {
                name: value for name, value in correlations(data, without=("IPN",)).items() if name in WITHOUT_IPN
            },
            notes=(RANDOM_HUMANS,),
            needs=("conll14",),
        ),
        PaperTable(
            name="table2-trueskill",
            title="Table 2 and section 3.3.1, TrueSkill, from the released human scores",
            published=TRUESKILL,
            compute=correlate_published_trueskill,
            notes=(
                "The metrics' scores are recte's; the humans' are those that Grundkiewicz et al. (2015) published.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="figure1",
            title="Figure 1: metrics against humans",
            published=dict.fromkeys((f"leftmost point, {human}" for human in HUMANS), "IPN"),
            compute=figure1,
            draw=draw_figure1,
            needs=("conll14",),
            in_words=True,
        ),
        PaperTable(
            name="figure2",
            title="Figure 2: Williams' tests, p",
            published={
                "GLEU above M², Expected Wins, r": "0.35",
                "GLEU above M², TrueSkill, r": "0.35",
                "M² above GLEU, Expected Wins, ρ": "< 0.10",
                "M² above GLEU, TrueSkill, ρ": "> 0.10",
            },
            compute=figure2,
            draw=draw_figure2,
            notes=("The picture holds more p-values than the text, which these four are from.",),
            needs=("conll14",),
        ),
        PaperTable(
            name="table3",
            title="Table 3: agreement with humans over sentences, Kendall's τ",
            published=TABLE_3,
            compute=table3,
            why={
                "pairs, unexpanded, NoTies": "the paper is inconsistent: its data, and its own τ, have as many decided "
                "pairs as ours",
            },
            notes=(
                "M² scores of sentences are against the last annotator, as in the released scripts; against the best "
                "annotator (recte's default) its τ is higher.",
                "A star: the 95 % interval, from 1,000 resamples of pairs, lies above all others'.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="section3.3.2",
            title="Section 3.3.2: M² assigns more ties than GLEU",
            published={"ties of M² less those of GLEU": "> 0"},
            compute=section332,
            notes=("Over the compared sentences of the unexpanded set.",),
            needs=("conll14",),
        ),
        PaperTable(
            name="section3.3.2-levels",
            title="Section 3.3.2: the I-measure correlates over sentences, and not over systems",
            published={
                **{
                    f"τ over sentences, {name}, {variant}": "> 0"
                    for name in ("expanded", "unexpanded")
                    for variant in ("HTies", "NoTies")
                },
                **{f"{c} over systems, {human}": "< 0" for human in HUMANS for c in CORRELATIONS},
            },
            compute=levels_disagree,
            needs=("conll14",),
        ),
        PaperTable(
            name="section3.1",
            title="Section 3.1: Expected Wins and TrueSkill",
            compute=predict_other_half,
            notes=(
                "The paper quotes Grundkiewicz et al. (2015): Expected Wins performs better. It prints no figure. Here "
                "each ranks systems by half of the sentences, and predicts the decided judgments of the other half: "
                "the difference is within chance.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="section5.2-collections",
            title="Section 5.2: two collections of human judgments",
            published={
                "comparisons, Grundkiewicz et al.": "109098",
                "comparisons, Napoles et al.": "28146",
                "references among the systems, Napoles et al.": "1",
            },
            compute=section52_collections,
            notes=("Without the judge who is no native speaker; systems with the same output are tied.",),
            needs=("conll14",),
        ),
        PaperTable(
            name="section5.2",
            title="Section 5.2: GLEU varies more with more references",
            published={"spread with ten references less that with two": "> 0"},
            compute=section52,
            notes=(
                "The standard deviation over 500 draws, the mean of twelve systems. The paper has up to 18 references; "
                "here are ten annotators' of the same sentences.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="table4",
            title="Table 4: examples",
            published=grid(
                EXAMPLES,
                ["GLEU", "I%", "M²"],
                "0.392 0.00 0.000",
                "0.735 -4.00 0.000",
                "0.661 100.00 1.000",
                "0.656 100.00 1.000",
                "0.776 -6.11 0.556",
            ),
            compute=table4,
        ),
    ),
)
