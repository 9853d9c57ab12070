"""Section 2 of Choshen and Abend (2017): how much systems and references change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice

import numpy as np

from recte.edits.references import annotators_of
from recte.errors import InputError
from recte.files import read_lines
from recte.studies.conservatism.change_profiles import ConservatismStudy, Profile, conservatism_of
from recte.studies.conservatism.changes import Changes, changes
from recte.studies.conservatism.charts import conservatism_charts
from recte.studies.conservatism.sentence_cutting import SentencePair, cut_sentences
from recte.studies.conservatism.word_changes import RuleName, change_rule
from recte.studies.papers import conll14
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Charts, Computed, PaperTable, grid

__all__ = ["CHANGE_TABLES"]

NTHU = "NTHU, the authors' file"
OWN_FILES = {"RoRo": "conservatism/RoRo.output.txt", NTHU: "conservatism/NTHU.output.txt"}
PAIRED = {"gold": "reference", **{name: name for name in (*conll14.PARTICIPANTS, "RoRo")}}


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


def text(data: PaperData, name: str) -> str:
    """What a system or the reference has of the test set, as the authors had it.

    RAC's output was cleaned, and the reference put together by hand: their texts are what the authors' pairs have of
    them, in a row.
    """
    if name in ("gold", "RAC"):
        return " ".join(row[1] for row in stored_pairs(data, name)) + "\n"
    place = OWN_FILES.get(name, f"conll14/systems/{name}.txt")
    return "".join(f"{line}\n" for line in read_lines(data.path(place)))


def stored_pairs(data: PaperData, name: str) -> list[list[str]]:
    """The sentence pairs as the authors cut them: source, corrected, and what they counted."""
    path = data.path(f"conservatism/{PAIRED[name]}.tsv.gz")
    rows = [line.split("\t") for line in read_lines(path)]
    if rows[0][:2] != ["source", "corrected"] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("expected a table of sentence pairs with the columns source and corrected", str(path))
    return rows[1:]


def pairs(data: PaperData, name: str) -> list[SentencePair]:
    """The sentence pairs of a system or of the reference, cut by recte."""
    source = "".join(f"{line}\n" for line in read_lines(data.path("conll14/source.txt")))
    return data.once(
        ("pairs", name),
        lambda: cut_sentences(source, text(data, name), rule="official"),
        f"cutting the sentences of {name}",
    )


def changes_of(data: PaperData, name: str) -> Changes:
    """Word changes and ρ of the sentence pairs, by the authors' rule."""

    def count() -> Changes:
        cut = pairs(data, name)
        return changes([pair.source for pair in cut], [pair.corrected for pair in cut], change_rule("official"))

    return data.once(("changes of pairs", name), count)


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
    """The two figures that the text gives, on the authors' pairs, and what it claims of all systems, line by line."""
    profiles = by_name(study(data, "official"))
    references = [profiles["annotator 0"], profiles["annotator 1"]]
    systems = [profiles[name] for name in conll14.PARTICIPANTS]
    five = {name: int((changes_of(data, name).word_changes == 5).sum()) for name in PAIRED}
    return {
        "sentences with 5 changed words, references": five.pop("gold"),
        "sentences with 5 changed words, most of a system": max(five.values()),
        **{
            f"{name}: annotators' least less systems' most": min(map(measure, references)) - max(map(measure, systems))
            for name, measure in CLAIMED.items()
        },
        **{
            f"sentences with 5 changed words, {name}, line by line, rule {rule}": five_changes(
                by_name(study(data, rule))[name]
            )
            for rule in ("official", "paper", "default")
            for name in ("annotator 0", "annotator 1", "AMU")
        },
    }


def figure1(data: PaperData) -> Computed:
    found: dict[str, float] = {}
    for name in (*PAIRED, NTHU):
        did = changes_of(data, name)
        found[f"{name}, words changed"] = float(did.word_changes.mean())
        found[f"{name}, order ρ"] = float(np.nanmean(did.rho))
    return found


def figure1_cuts(data: PaperData) -> Computed:
    """Sentences split and concatenated, and how many of our pairs are as the authors cut them."""
    found: dict[str, int | float] = {}
    same = total = 0
    for name in PAIRED:
        cut, stored = pairs(data, name), stored_pairs(data, name)
        kinds = Counter(pair.kind for pair in cut)
        found |= {f"{name}, {kind}": kinds[kind] for kind in ("split", "concatenated")}
        ours = Counter((words_only(pair.source), words_only(pair.corrected)) for pair in cut)
        theirs = Counter((words_only(row[0]), words_only(row[1])) for row in stored)
        same, total = same + (ours & theirs).total(), total + len(stored)
        if name == "gold":
            found["share of pairs cut as the authors did, gold"] = same / total
            same = total = 0
    found["share of pairs cut as the authors did, systems"] = same / total
    kinds = Counter(pair.kind for pair in pairs(data, NTHU))
    return {**found, **{f"{NTHU}, {kind}": kinds[kind] for kind in ("split", "concatenated")}}


def words_only(sentence: str) -> str:
    return " ".join(sentence.split())


def treebank(data: PaperData) -> Computed:
    """Word changes in the Treebank of Learner English, by the authors' rule."""
    paths = [data.path(f"conservatism/tle.{side}.conllu.gz") for side in ("learner", "corrected")]
    learner, corrected = (list(map(words_only, islice(read_lines(path), TREEBANK))) for path in paths)
    did = data.once("tle", lambda: changes(learner, corrected, change_rule("official")))
    return {
        "words changed in a sentence": float(did.word_changes.mean()),
        "sentences with 5 changed words": int((did.word_changes == 5).sum()),
        "words changed in a sentence, references of CoNLL-2014": float(changes_of(data, "gold").word_changes.mean()),
    }


def draw_figure1(data: PaperData) -> Charts:
    drawn = conservatism_charts(study(data, "default"))
    return {f"conservatism-2017-figure1-{name}": chart for name, chart in drawn.items()}


TREEBANK = 1400  # as many of its first sentences as the authors took
COLUMNS_1 = ("words changed", "order ρ", "split", "concatenated")
FIGURE_1 = grid(
    tuple(PAIRED),
    COLUMNS_1,
    "2.026 0.9856 42 30",
    "0.626 0.9987 2 3",
    "1.222 0.9954 1 1",
    "0.667 0.9972 9 0",
    "0.050 0.9998 0 0",
    "0.169 1.0000 2 0",
    "0.713 0.9961 2 2",
    "0.311 1.0000 0 0",
    "0.650 0.9979 0 0",
    "0.290 0.9998 0 0",
    "0.213 0.9989 1 1",
    "0.005 1.0000 0 0",
    "0.725 0.9971 1 3",
    "0.363 0.9979 1 2",
)
WORDS_1, CUTS_1 = (
    {name: printed for name, printed in FIGURE_1.items() if name.endswith(columns)}
    for columns in (COLUMNS_1[:2], COLUMNS_1[2:])
)
OTHER_CUT = (
    "the paper's figure is of 1,247 pairs that were not released; the authors made the lines of the reference by hand, "
    "and ours are cut from its text, 1,196 of 1,238 as in another run of theirs, whose stored result is {}"
)
OTHER_FILE = (
    "NTHU's figures here are those of the shared task's output, and not of the file that the authors released and that "
    "Figure 4 is of; those of that file stand below."
)

CHANGE_TABLES = (
    PaperTable(
        name="section2",
        title="Section 2: references change more than systems",
        published={
            "sentences with 5 changed words, references": "44",
            "sentences with 5 changed words, most of a system": "11",
            **{f"{name}: annotators' least less systems' most": "> 0" for name in CLAIMED},
        },
        compute=section2,
        instead={"sentences with 5 changed words, references": OTHER_CUT.format(45)},
        why={
            "changed sentences": "the paper is mistaken: CAMB changes words in more sentences than annotators do, "
            "and so it does in the results the authors released (951 of 1,309, the references 772 of 1,247)",
        },
        notes=(
            "By the authors' rule (official), which does not count inflections as changes: the first two figures "
            "on pairs that recte cuts as the authors' program does, the rest line by line; then by other rules.",
        ),
        needs=("conll14", "conservatism"),
    ),
    PaperTable(
        name="figure1",
        title="Figure 1: words changed, and word order",
        published=WORDS_1,
        compute=figure1,
        draw=draw_figure1,
        instead={"gold, words": OTHER_CUT.format("2.042"), "gold, order": OTHER_CUT.format("0.9857")},
        notes=(
            "The paper prints no figures here; the released ones are of the authors' stored results. Ours are computed "
            "from the texts, which recte cuts into pairs. The charts are by recte's default rule, line by line.",
            "IITB's, SJTU's and RoRo's lines end with a space, which the authors' program makes two: the empty word "
            "between them takes part in the matching of words.",
            "RAC's output and the reference are the texts that the authors' pairs have in a row: RAC's was cleaned.",
            OTHER_FILE,
        ),
        needs=("conll14", "conservatism"),
        printed=False,
    ),
    PaperTable(
        name="figure1-cuts",
        title="Figure 1: sentences split and concatenated",
        published=CUTS_1,
        compute=figure1_cuts,
        instead={"gold, split": OTHER_CUT.format(36), "gold, concatenated": OTHER_CUT.format(39)},
        notes=(
            "Counted in the pairs of sentences that recte cuts from the texts, by the rule official of recte cut.",
            "The authors released how often their program found each case: the figures of systems are the same there.",
            OTHER_FILE,
        ),
        needs=("conll14", "conservatism"),
        printed=False,
    ),
    PaperTable(
        name="section2-treebank",
        title="Section 2: the Treebank of Learner English",
        compute=treebank,
        notes=(
            "The paper says that results are similar, and prints none.",
            "The first 1,400 sentences, which the authors took.",
        ),
        needs=("conservatism",),
    ),
)
