"""Choshen and Abend (2017): how much systems dare to change, how many corrections there are, what keeps the meaning."""

from __future__ import annotations

from collections.abc import Callable

from recte.alignment.references import annotators_of
from recte.conservatism.study import ConservatismStudy, Profile, conservatism_of
from recte.conservatism.words import RuleName
from recte.papers import conll14
from recte.papers.conservatism_2017_coverage import COVERAGE_TABLES
from recte.papers.conservatism_2017_f_scores import F_SCORE_TABLES, RORO
from recte.papers.conservatism_2017_faithfulness import FAITHFULNESS_TABLES
from recte.papers.data import PaperData
from recte.papers.paper import Charts, Computed, Paper, PaperTable, grid
from recte.report.charts.conservatism import conservatism_charts

__all__ = ["PAPER"]


def study(data: PaperData, rule: RuleName) -> ConservatismStudy:
    """The twelve systems and the two annotators, sentence by sentence."""
    gold = conll14.gold(data)
    systems = [conll14.system(data, name, gold) for name in conll14.PARTICIPANTS]
    sources = [" ".join(sentence.tokens) for sentence in gold]
    return data.once(
        ("conservatism", rule),
        lambda: conservatism_of(sources, systems, annotators_of(gold), rule=rule),
        f"words that systems and annotators change, by the rule {rule}",
    )


def by_name(study: ConservatismStudy) -> dict[str, Profile]:
    return {f"annotator {p.name}" if p.kind == "annotator" else p.name: p for p in study.profiles}


def five_changes(profile: Profile) -> int:
    return profile.word_change_histogram[5] if len(profile.word_change_histogram) > 5 else 0


def changed_sentences(profile: Profile) -> int:
    return sum(profile.word_change_histogram[1:])


def words_in_a_changed_sentence(profile: Profile) -> float:
    words = sum(number * sentences for number, sentences in enumerate(profile.word_change_histogram))
    return words / changed_sentences(profile)


def disorder_in_a_changed_sentence(profile: Profile) -> float:
    """1 - ρ, which is 0 wherever the order is kept, summed over all sentences, per changed one."""
    return sum(1 - rho for rho in profile.rho_values) / changed_sentences(profile)


CLAIMED: dict[str, Callable[[Profile], float]] = {
    "changed sentences": changed_sentences,
    "words changed in a changed sentence": words_in_a_changed_sentence,
    "1 - ρ in a changed sentence": disorder_in_a_changed_sentence,
}


def section2(data: PaperData) -> Computed:
    """The two figures that the text gives, and what it claims of all systems, by the authors' rule."""
    profiles = by_name(study(data, "official"))
    references = [profiles["annotator 0"], profiles["annotator 1"]]
    systems = [profiles[name] for name in conll14.PARTICIPANTS]

    return {
        "sentences with 5 changed words, annotator 0": five_changes(references[0]),
        "sentences with 5 changed words, most of a system": max(map(five_changes, systems)),
        **{
            f"{name}: annotators' least less systems' most": min(map(measure, references)) - max(map(measure, systems))
            for name, measure in CLAIMED.items()
        },
        **{
            f"sentences with 5 changed words, {name}, rule {rule}": five_changes(by_name(study(data, rule))[name])
            for rule in ("paper", "default")
            for name in ("annotator 0", "annotator 1", "AMU")
        },
    }


def figure1(data: PaperData) -> Computed:
    profiles = by_name(study(data, "official"))
    named = {"gold": "annotator 0", **{name: name for name in conll14.PARTICIPANTS}}
    return {
        f"{label}, {column}": value
        for label, name in named.items()
        for column, value in zip(COLUMNS_1, measures(profiles[name]), strict=True)
    }


def measures(profile: Profile) -> tuple[float, float, int, int]:
    return profile.word_change, profile.rho, profile.split, profile.concatenated


def draw_figure1(data: PaperData) -> Charts:
    drawn = conservatism_charts(study(data, "default"))
    return {f"conservatism-2017-figure1-{name}": chart for name, chart in drawn.items()}


COLUMNS_1 = ("words changed", "order ρ", "split", "concatenated")
FIGURE_1 = {
    "gold": "2.026 0.9856 42 30",
    "AMU": "0.626 0.9987 2 3",
    "CAMB": "1.222 0.9954 1 1",
    "CUUI": "0.667 0.9972 9 0",
    "IITB": "0.050 0.9998 0 0",
    "IPN": "0.169 1.0000 2 0",
    "NTHU": "0.713 0.9961 2 2",
    "PKU": "0.311 1.0000 0 0",
    "POST": "0.650 0.9979 0 0",
    "RAC": "0.290 0.9998 0 0",
    "SJTU": "0.213 0.9989 1 1",
    "UFC": "0.005 1.0000 0 0",
    "UMC": "0.725 0.9971 1 3",
    "RoRo": "0.363 0.9979 1 2",
}
RESPLIT = (
    "the authors split essays into sentences anew and paired them (1,247 to 1,341 pairs), and take lemmas from a "
    "dictionary; ours are the 1,312 sentences line by line, with lemmas by rule"
)

PAPER = Paper(
    "conservatism-2017",
    "Choshen and Abend (2017), Conservatism and Over-conservatism in Grammatical Error Correction",
    (
        PaperTable(
            name="section2",
            title="Section 2: references change more than systems",
            published={
                "sentences with 5 changed words, annotator 0": "44",
                "sentences with 5 changed words, most of a system": "11",
                **{f"{name}: annotators' least less systems' most": "> 0" for name in CLAIMED},
            },
            compute=section2,
            why={
                "sentences with": RESPLIT,
                "changed sentences": "the paper is mistaken: CAMB changes words in more sentences than annotators do, "
                "and so it does in the results the authors released (951 of 1,309, the references 772 of 1,247)",
            },
            notes=(
                "By the authors' rule (official), which does not count inflections as changes; then by the others.",
            ),
            needs=("conll14",),
        ),
        PaperTable(
            name="figure1",
            title="Figure 1: words changed, word order, sentences split and concatenated",
            published=grid(tuple(FIGURE_1), COLUMNS_1, *FIGURE_1.values()),
            compute=figure1,
            draw=draw_figure1,
            why={"": RESPLIT, "RoRo": RORO},
            notes=(
                "The paper prints no figures here; the released ones are of the authors' stored results. The charts "
                "are by recte's default rule.",
            ),
            needs=("conll14",),
            printed=False,
        ),
        *COVERAGE_TABLES,
        *F_SCORE_TABLES,
        *FAITHFULNESS_TABLES,
    ),
)
