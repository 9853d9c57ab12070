"""Dahlmeier and Ng (2012): the worked example of MaxMatch, its lattice, and what it finds that a word diff does not."""

from __future__ import annotations

from recte.corpus.corpus import Corpus, Edit
from recte.edits.printed_lattice import EditLattice, edit_lattice
from recte.metrics.hoo import Hoo
from recte.metrics.maxmatch import MaxMatch
from recte.studies.papers import conll14
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Computed, Paper, PaperTable, f_from_printed, grid
from recte.studies.papers.result import Value

__all__ = ["PAPER"]

SOURCE = "Our baseline system feeds word into PB-SMT pipeline ."
HYPOTHESIS = "Our baseline system feeds a word into PB-SMT pipeline ."
GOLD = [Edit(4, 5, ("a word", "words"))]
WORD_DIFF = MaxMatch(extraction="word-diff", beta=1.0)
MAXMATCH = MaxMatch(behaviour="paper", beta=1.0)

FIGURE_1 = (
    "0 1 2 3 4 5 6 7 8 9 10",
    "1 0 1 2 3 4 5 6 7 8 9",
    "2 1 0 1 2 3 4 5 6 7 8",
    "3 2 1 0 1 2 3 4 5 6 7",
    "4 3 2 1 0 1 2 3 4 5 6",
    "5 4 3 2 1 1 1 2 3 4 5",
    "6 5 4 3 2 2 2 1 2 3 4",
    "7 6 5 4 3 3 3 2 1 2 3",
    "8 7 6 5 4 4 4 3 2 1 2",
    "9 8 7 6 5 5 5 4 3 2 1",
)
ROWS_1 = [f"row {number} {word}".rstrip() for number, word in enumerate(["", *SOURCE.split()])]


def section1(data: PaperData) -> Computed:
    gold = Corpus.from_edits([SOURCE], [[GOLD]])
    values: dict[str, Value] = {}
    for name, metric in (("HOO scorer", WORD_DIFF), ("M² scorer", MAXMATCH)):
        values[f"{name}, edits"] = edits(metric, gold, HYPOTHESIS)
        values[f"{name}, F1"] = metric.score(gold, [HYPOTHESIS]).score
    return values


def edits(metric: MaxMatch, gold: Corpus, hypothesis: str) -> str:
    """The edits that a metric reads from a hypothesis, with an asterisk where gold lacks one."""
    (judged,) = metric.prepare(gold).judged_edits([hypothesis])
    return " ".join(
        f"{'' if edit.verdict == 'correct' else '*'}({edit.original or 'ε'} → {edit.corrections[0] or 'ε'})"
        for edit in judged["0"]
        if edit.verdict != "missed"
    )


def lattice() -> EditLattice:
    return edit_lattice(SOURCE, HYPOTHESIS, GOLD)


def figure1(data: PaperData) -> Computed:
    return {name: " ".join(map(str, row)) for name, row in zip(ROWS_1, lattice().matrix, strict=True)}


def figure2(data: PaperData) -> Computed:
    drawn = lattice()
    costs = {
        f"cost of {edge.start}–{edge.end}: {edge.original or 'ε'} → {edge.correction or 'ε'}": edge.cost
        for edge in drawn.edges
    }
    return {**costs, "edges |E|": len(drawn.edges), "edits on the shortest path": sum(e.changes for e in drawn.path)}


def theorem1(data: PaperData) -> Computed:
    """Source a, hypothesis b b, gold (a → b) and (ε → b): the hypothesis is the gold correction."""
    gold = Corpus.from_edits(["a"], [[[Edit(0, 1, ("b",)), Edit(1, 1, ("b",))]]])
    return {
        f"matching edits, {behaviour}": MaxMatch(behaviour=behaviour).prepare(gold).count(["b b"]).rows[0, 0, 0].item()
        for behaviour in ("paper", "optimal", "official")
    }


# Table 2's edits, with sentences written around them.
TABLE_2 = {
    "first": (
        "So the basic translational unit should be word here .",
        "So the basic translational unit should be a word here .",
        [Edit(7, 8, ("a word",))],
    ),
    "second": (
        "They tuned on a development set similar with test set .",
        "They tuned on a development set similar to the test set .",
        [Edit(7, 8, ("to",)), Edit(8, 8, ("the",))],
    ),
    "third": (
        "Xinhua portion of the English Gigaword3 was used .",
        "The xinhua portion of the English Gigaword3 was used .",
        [Edit(0, 0, ("The",))],
    ),
}


def table2(data: PaperData) -> Computed:
    values = {}
    for name, (source, hypothesis, gold) in TABLE_2.items():
        corpus = Corpus.from_edits([source], [[gold]])
        values[f"{name}, M² scorer"] = edits(MAXMATCH, corpus, hypothesis)
        values[f"{name}, HOO scorer"] = edits(WORD_DIFF, corpus, hypothesis)
    return values


TEAMS = ("JU", "LI", "NU", "UI", "UT")
TABLE_1 = grid(
    TEAMS,
    ("HOO scorer, P", "HOO scorer, R", "HOO scorer, F1", "M² scorer, P", "M² scorer, R", "M² scorer, F1"),
    "10.39 3.78 5.54 12.30 4.45 6.53",
    "20.86 3.22 5.57 21.12 3.22 5.58",
    "29.10 7.38 11.77 31.09 7.85 12.54",
    "50.72 13.34 21.12 54.61 14.57 23.00",
    "5.01 4.07 4.49 5.72 4.45 5.01",
)


def section3_scorers(data: PaperData) -> Computed:
    """How far the two scorers' printed figures are apart in each team."""
    return {
        f"{team}, {figure}: M² scorer less HOO scorer": float(TABLE_1[f"{team}, M² scorer, {figure}"])
        - float(TABLE_1[f"{team}, HOO scorer, {figure}"])
        for figure in ("P", "R", "F1")
        for team in TEAMS
    }


def table1_on_conll14(data: PaperData) -> Computed:
    """The two scorers of Table 1 on other data: edits by a word diff, and by MaxMatch."""
    values: dict[str, float] = {}
    for name, metric in (("HOO scorer", WORD_DIFF), ("M² scorer", MAXMATCH)):
        for counts in conll14.counts(data, metric):
            if counts.system != conll14.BASELINE:
                values[f"{counts.system}, {name}, F1"] = 100 * metric.score_counts(counts).score
    higher = sum(values[f"{s}, M² scorer, F1"] > values[f"{s}, HOO scorer, F1"] for s in conll14.PARTICIPANTS)
    ordered = {name: values[name] for name in sorted(values)}
    return {**ordered, "systems with the higher F1 by M²": higher}


def section4(data: PaperData) -> Computed:
    """HOO's correction score without bonus compared with the F1 of section 2.3, on the twelve systems."""
    maxmatch, hoo = MaxMatch(beta=1.0), Hoo()
    pairs = zip(conll14.counts(data, maxmatch), conll14.counts(data, hoo), strict=True)
    apart = [abs(maxmatch.score_counts(a).score - hoo.score_counts(b).score) for a, b in pairs]
    return {"largest difference": max(apart)}


NO_HOO = (
    "needs the test data and runs of the HOO 2011 pilot task, given after registration "
    "(http://groups.google.com/group/hoo-nlp/)"
)

PAPER = Paper(
    "maxmatch-2012",
    "Dahlmeier and Ng (2012), Better Evaluation for Grammatical Error Correction",
    (
        PaperTable(
            name="section1",
            title="Section 1: one hypothesis, two ways to read its edits",
            published={"HOO scorer, edits": "*(ε → a)", "M² scorer, edits": "(word → a word)"},
            compute=section1,
        ),
        PaperTable(
            name="figure1",
            title="Figure 1: the Levenshtein matrix",
            published=dict(zip(ROWS_1, FIGURE_1, strict=True)),
            compute=figure1,
        ),
        PaperTable(
            name="figure2",
            title="Figure 2: the edit lattice and its costs",
            published={"cost of (4, 4)–(5, 6): word → a word": "< 0"},
            compute=figure2,
            notes=("The edge that gold has costs -(u + 1)|E| = -3 · 15; the others are drawn with their costs.",),
        ),
        PaperTable(
            name="theorem1",
            title="Theorem 1: the shortest path has the maximum overlap",
            published={f"matching edits, {behaviour}": "2" for behaviour in ("paper", "optimal", "official")},
            compute=theorem1,
            why={"matching edits, official": "the published scorer (3.2) leaves the paper here, and recte follows it"},
            in_words=True,
        ),
        PaperTable(
            name="table1",
            title="Table 1: teams of the HOO shared task",
            published=TABLE_1,
            compute=lambda data: f_from_printed(TABLE_1, beta=1.0),
            why={"": NO_HOO},
            notes=("F1 is from the printed P and R.",),
        ),
        PaperTable(
            name="section3-scorers",
            title="Section 3: the M² scorer gives higher scores than the official one",
            published={f"{team}, F1: M² scorer less HOO scorer": "> 0" for team in TEAMS},
            compute=section3_scorers,
            notes=("By the figures that Table 1 prints. P is higher for every team too; R is the same for LI.",),
            in_words=True,
        ),
        PaperTable(
            name="table1-conll14",
            title="Table 1's two scorers on CoNLL-2014",
            compute=table1_on_conll14,
            needs=("conll14",),
        ),
        PaperTable(
            name="section3",
            title="Section 3: valid edits found",
            published={"UI, M²": "155", "UI, HOO": "141", "NU, M²": "83", "NU, HOO": "78"},
            compute=lambda data: {},
            why={"": NO_HOO},
        ),
        PaperTable(
            name="table2",
            title="Table 2: edits extracted by the two scorers",
            published={
                "first, M² scorer": "(word → a word)",
                "first, HOO scorer": "*(ε → a)",
                "second, M² scorer": "(with → to) (ε → the)",
                "second, HOO scorer": "*(with → to the)",
                "third, M² scorer": "(ε → The) *(Xinhua portion of → xinhua portion of)",
                "third, HOO scorer": "*(Xinhua → The xinhua)",
            },
            compute=table2,
            notes=("The paper prints fragments; recte's sentences are written around them.",),
        ),
        PaperTable(
            name="section4",
            title="Section 4: HOO's correction score without bonus is F1",
            published={"largest difference": "0.0000"},
            compute=section4,
            needs=("conll14",),
            in_words=True,
        ),
    ),
)
