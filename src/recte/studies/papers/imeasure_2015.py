"""Felice and Briscoe (2015): the I-measure's worked examples, and CoNLL-2014 scored anew."""

from __future__ import annotations

from recte.corpus.corpus import Annotation, Corpus, Edit, GoldError, Sentence
from recte.metrics.explanation import explain
from recte.metrics.imeasure import IMeasure
from recte.metrics.maxmatch import MaxMatch
from recte.studies.papers.data import PaperData
from recte.studies.papers.imeasure_2015_conll14 import CONLL_TABLES
from recte.studies.papers.imeasure_2015_metrics import METRIC_TABLES
from recte.studies.papers.paper import Computed, Paper, PaperTable, grid

__all__ = ["PAPER"]

# Listing 1's annotation of Table 1's sentence.
LISTING_1 = Corpus(
    (
        Sentence(
            "This machines is designed for help people .",
            annotations=(
                Annotation("1", (Edit(0, 1, ("These",)), Edit(2, 3, ("are",)), Edit(5, 6, ("helping",)))),
                Annotation("2", (Edit(1, 2, ("machine",)), Edit(4, 5, ("to",)))),
            ),
            errors=(
                GoldError(
                    (
                        Annotation("1", (Edit(0, 1, ("These",)), Edit(2, 3, ("are",)))),
                        Annotation("2", (Edit(1, 2, ("machine",)),)),
                    )
                ),
                GoldError((Annotation("1", (Edit(5, 6, ("helping",)),)), Annotation("2", (Edit(4, 5, ("to",)),)))),
            ),
        ),
    )
)
MACHINE = "Machine is design to help people ."
F_COLUMNS = ("P", "R", "F0.5")


def prf(metric: MaxMatch, gold: Corpus, hypothesis: str, name: str = "") -> Computed:
    score = metric.score_counts(metric.prepare(gold).count([hypothesis]))
    return {f"{name}{c}": v for c, v in zip(F_COLUMNS, (score.precision, score.recall, score.score), strict=True)}


def i_measure(gold: Corpus, hypothesis: str, name: str = "", *, mix: bool = False) -> Computed:
    """I with the baseline as printed, and as the released scorer takes it."""
    return {
        f"{name}I": IMeasure(mix=mix, behaviour="paper").score(gold, [hypothesis]).score,
        f"{name}I, released scorer": IMeasure(mix=mix).score(gold, [hypothesis]).score,
    }


def table1(data: PaperData) -> Computed:
    hypothesis = "These machines are designed to help people ."
    return {
        **prf(MaxMatch(), LISTING_1, hypothesis),
        **prf(MaxMatch(mix=True), LISTING_1, hypothesis, "mixed, "),
        **i_measure(LISTING_1, hypothesis, "mixed, ", mix=True),
    }


REFERENCES = (
    "These machines are designed for helping people .",
    "These machines are designed to help people .",
    "This machine is designed for helping people .",
    "This machine is designed to help people .",
)


def listing1(data: PaperData) -> Computed:
    scorer = IMeasure(mix=True).prepare(LISTING_1)
    return {
        "references": scorer.search.combinations[0],
        **{f"reference {n}": scorer.chosen_references([text])[0] for n, text in enumerate(REFERENCES, 1)},
    }


def table2(data: PaperData) -> Computed:
    gold = Corpus.from_edits([MACHINE], [[[Edit(0, 1, ("Machines",)), Edit(1, 3, ("are designed",))]]])
    hypothesis = "Machine is designed to help people ."
    return {**prf(MaxMatch(), gold, hypothesis), **i_measure(gold, hypothesis)}


def table3(data: PaperData) -> Computed:
    edits = [Edit(0, 1, ("Machines",)), Edit(1, 2, ("are",)), Edit(2, 3, ("designed",))]
    gold = Corpus.from_edits([MACHINE], [[edits]])
    hypotheses = {
        "first": "The machine is designed for helping people .",
        "second": "Machines is a design on the helping of the people .",
    }
    found = {k: v for name, text in hypotheses.items() for k, v in prf(MaxMatch(), gold, text, f"{name}, ").items()}
    return found | {k: v for name, text in hypotheses.items() for k, v in i_measure(gold, text, f"{name}, ").items()}


def aligned(source: str, hypothesis: str, reference: str) -> list[str]:
    scorer = IMeasure().prepare(Corpus.from_references([source], [[reference]]))
    columns = explain(scorer, [hypothesis], 1).columns
    return [" ".join(token or "–" for token in row) for row in zip(*columns, strict=True)]


def table4(data: PaperData) -> Computed:
    return dict(zip(("source", "hypothesis", "reference"), aligned("A B", "C", "A"), strict=True))


def outcomes(source: str, hypothesis: str, reference: str) -> int:
    """How many different counts the equally good alignments of three texts give."""
    metric = IMeasure()
    search = metric.prepare(Corpus.from_references([source], [[reference]])).search
    return len(search.tie_outcomes(source.split(), hypothesis.split(), reference.split(), metric.three_way()))


def table5(data: PaperData) -> Computed:
    source, other = "Their is wide spread usage of technology .", "There is widespread use of technology ."
    return {
        "different counts, the example": outcomes(source, other, other),
        "different counts, a counterexample": outcomes("c b a", "a", "a c b"),
    }


# Table 6, each column beside an unchanged word x where a gap is wanted: source, hypothesis, reference.
TABLE_6 = {
    "a a a": ("a", "a", "a"),
    "a a b": ("a", "a", "b"),
    "a a –": ("a x", "a x", "x"),
    "a b a": ("a", "b", "a"),
    "a b b": ("a", "b", "b"),
    "a b c": ("a", "b", "c"),
    "a b –": ("a x", "b x", "x"),
    "a – a": ("a x", "x", "a x"),
    "a – b": ("a x", "x", "b x"),
    "a – –": ("a x", "x", "x"),
    "– a a": ("x", "a x", "a x"),
    "– a b": ("x", "a x", "b x"),
    "– a –": ("x", "a x", "x"),
    "– – a": ("x", "x", "a x"),
}


CLASSES_6 = [
    "TN TN",
    "FN FN",
    "FN FN",
    "FP FP",
    "TP TP",
    "TP FPN",
    "TP FPN",
    "FP FP",
    "TP FPN",
    "TP TP",
    "TP TP",
    "TP FPN",
    "FP FP",
    "FN FN",
]
PRINTED_6 = {  # for correction the paper prints FP, FN, FPN wherever it prints FPN
    name: printed.replace("FPN", "FP, FN, FPN")
    for name, printed in grid(tuple(TABLE_6), ("detection", "correction"), *CLASSES_6).items()
}


def table6(data: PaperData) -> Computed:
    found = {}
    for name, (source, hypothesis, reference) in TABLE_6.items():
        score = IMeasure().score(Corpus.from_references([source], [[reference]]), [hypothesis])
        unchanged = "x" in source.split()  # one TN that is not the column's
        for aspect in ("detection", "correction"):
            counted = {k: getattr(score, aspect)[k.lower()] for k in ("TP", "TN", "FP", "FN", "FPN")}
            counted["TN"] -= unchanged
            found[f"{name}, {aspect}"] = ", ".join(k for k, number in counted.items() if number)
    return found


PAPER = Paper(
    "imeasure-2015",
    "Felice and Briscoe (2015), Towards a standard evaluation method for grammatical error detection and correction",
    (
        PaperTable(
            name="table1",
            title="Table 1: the M² scorer cannot mix annotators",
            published={"P": "0.67", "R": "0.67", "F0.5": "0.67"},
            compute=table1,
        ),
        PaperTable(
            name="listing1",
            title="Listing 1: mixed annotations make four references",
            published={"references": "4", **{f"reference {n}": text for n, text in enumerate(REFERENCES, 1)}},
            compute=listing1,
        ),
        PaperTable(
            name="table2",
            title="Table 2: the M² scorer ignores partial matches",
            published={"P": "0.00", "R": "0.00", "F0.5": "0.00", "I": "> 0"},
            compute=table2,
        ),
        PaperTable(
            name="table3",
            title="Table 3: edits of any length count the same",
            published=grid(("first", "second"), F_COLUMNS, "0.33 0.33 0.33", "0.50 0.33 0.45"),
            compute=table3,
            notes=("The first hypothesis is better, says the paper: its I is higher.",),
        ),
        PaperTable(
            name="table4",
            title="Table 4: gaps stay together",
            published={"source": "A B", "hypothesis": "C –", "reference": "A –"},
            compute=table4,
        ),
        PaperTable(
            name="table5",
            title="Table 5: equally good alignments give the same counts",
            published={"different counts, the example": "1", "different counts, a counterexample": "1"},
            compute=table5,
            why={
                "different counts, a counterexample": "the paper is mistaken (section 2.2): for source c b a, "
                "hypothesis a and reference a c b, equally good alignments give different counts"
            },
            in_words=True,
        ),
        PaperTable(
            name="table6",
            title="Table 6: what each column of an alignment counts as",
            published=PRINTED_6,
            compute=table6,
        ),
        *METRIC_TABLES,
        *CONLL_TABLES,
    ),
)
