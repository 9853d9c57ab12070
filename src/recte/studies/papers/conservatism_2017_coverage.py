"""Sections 2.2 and 3 of Choshen and Abend (2017): how many corrections there are, and what few references do.

Figure 2 of Choshen and Abend (2017) as their program sampled it, with the chance of its random numbers.

A bin of 2.5 corrections is two whole ones and a half one, which is as likely to be drawn as a whole one, yet counts as
half a reference: more are drawn than M. And 1,000 repetitions are shared by four processes that begin with the same
random numbers, for every sentence and every M. So a figure is the mean of some 250 repetitions, and one stream of
numbers moves all sentences together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from recte.studies.coverage.accuracy import coverage_without_replacement, expected_gain, mean_coverage
from recte.studies.coverage.answer_files import read_answers, read_fingerprint, read_histogram
from recte.studies.coverage.charts import accuracy_chart
from recte.studies.coverage.kinds import AnsweredSentence
from recte.studies.coverage.reference_coverage import coverage_of
from recte.studies.coverage.unseen_corrections import Distribution, fingerprint, unseen_of_all
from recte.studies.papers import conll14
from recte.studies.papers.data import MissingData, PaperData
from recte.studies.papers.paper import Charts, Computed, PaperTable, grid
from recte.studies.papers.result import ByChance, Value

__all__ = ["COVERAGE_TABLES", "all_different_coverage", "answers", "independent_coverage"]

REPETITIONS = 250
# How answers were made alike in December 2016.
_NOT_WORD = re.compile(r"\W+")
_SINGLE_LETTER = re.compile(r"\s([a-zA-Z]\s)")
_NOTHING = 1e-3  # what is left of a bin, below which drawing it changes nothing, and the next draw decides

Numbers = NDArray[np.float64]


def independent_coverage(distributions: Sequence[Distribution], references: Sequence[int], seeds: int) -> Numbers:
    """Mean coverage of the sentences by references drawn independently: one row per seed, one column per number.

    A correction that is drawn again covers nothing more, but is a reference, too. The numbers are taken from the stream
    as the program takes them, one after another.
    """
    covered = np.zeros((seeds, len(references)))
    corrections = [_corrections(distribution) for distribution in distributions]
    for seed in range(seeds):
        stream = np.random.default_rng(seed).random(REPETITIONS * max(references) * 8)
        for frequencies, shares in corrections:
            ends = np.cumsum(frequencies)
            drawn = np.minimum(np.searchsorted(ends, stream * ends[-1], side="right"), len(ends) - 1)
            drawn = drawn[shares[drawn] > _NOTHING]
            covered[seed] += [_repetition_mean(drawn, frequencies, shares, number) for number in references]
    return covered / len(distributions)


def _repetition_mean(drawn: NDArray[np.int64], frequencies: Numbers, shares: Numbers, references: int) -> float:
    """What repetitions one after another cover in the mean, each of them so many references long."""
    counted = shares[drawn]
    until = np.concatenate([[0.0], np.cumsum(counted)])
    starts = [0]
    while len(starts) <= REPETITIONS and starts[-1] < len(drawn):
        starts.append(int(np.searchsorted(until, until[starts[-1]] + references - 1e-9)))
    lengths = np.diff(np.minimum(starts, len(drawn)))
    repetition = np.repeat(np.arange(len(lengths)), lengths)
    size = len(repetition)
    missing = references - (until[:size] - until[np.repeat(starts[:-1], lengths)])
    _, first = np.unique(repetition * len(frequencies) + drawn[:size], return_index=True)
    gained = np.minimum(counted[first], missing[first]) * frequencies[drawn[first]]
    return float(gained.sum()) / len(lengths)


def all_different_coverage(distributions: Sequence[Distribution], references: Sequence[int], seed: int) -> Numbers:
    """Mean coverage of the sentences by references that are all different, for each number of them."""
    generator = np.random.default_rng(seed)
    total = np.zeros(len(references))
    for distribution in distributions:
        stream = generator.random((4 * REPETITIONS, 4 * max(references)))
        frequencies, shares = _corrections(distribution)
        is_present = shares > _NOTHING
        total += _different(frequencies[is_present], shares[is_present], stream, references)
    return total / len(distributions)


def _different(frequencies: Numbers, shares: Numbers, stream: Numbers, references: Sequence[int]) -> Numbers:
    """Each draw leaves out all that were drawn before the last one; the last one drawn again is nothing new."""
    ends = np.cumsum(frequencies)
    nothing = len(frequencies)
    starts, masses = np.append(ends - frequencies, np.inf), np.append(frequencies, 0.0)
    rows, draws = stream.shape
    counted, computed = np.zeros((2, rows, draws))
    active, out, last = np.arange(rows), np.full((rows, 0), nothing), np.full(rows, nothing)
    missing = np.full(rows, float(max(references)))
    for draw in range(draws):
        left_out = masses[out]
        before = np.cumsum(left_out, axis=1)
        place = stream[active, draw] * (ends[-1] - left_out.sum(axis=1))
        place += np.where(place[:, None] >= starts[out] - before + left_out, left_out, 0).sum(axis=1)
        chosen = np.minimum(np.searchsorted(ends, place, side="right"), nothing - 1)
        new = chosen != last
        counted[active, draw], computed[active, draw] = np.where(new, (shares[chosen], frequencies[chosen]), 0)
        missing -= counted[active, draw]
        going = missing > 0
        out = np.sort(np.column_stack([out, np.where(new, last, nothing)])[going], axis=1)
        active, last, missing = active[going], chosen[going], missing[going]
        if not active.size:
            break
    before = np.cumsum(counted, axis=1) - counted
    return np.array(
        [
            (np.clip(np.minimum(counted, number - before), 0, None) * computed).sum(axis=1).mean()
            for number in references
        ]
    )


def _corrections(distribution: Distribution) -> tuple[Numbers, Numbers]:
    """Frequency and share of every correction: whole ones, and what is left of a bin; one of each bin first."""
    frequencies, numbers = distribution.arrays()
    whole = np.maximum(np.ceil(numbers).astype(np.int64) - 1, 0)
    bins = np.concatenate([np.arange(len(whole)), np.repeat(np.arange(len(whole)), whole)])
    layers = np.concatenate([np.zeros(len(whole), dtype=np.int64), *(np.arange(1, n + 1) for n in whole)])
    order = np.lexsort((bins, layers))
    bins, layers = bins[order], layers[order]
    return frequencies[bins], np.where(layers < whole[bins], 1.0, numbers[bins] - whole[bins])


MATCHES = ("exact", "index")
SHOWN = (1, 2, 5, 10, 20)
SEEDS = 12
KEPT = 48  # sentences whose estimates were released
DistributionsOf = Callable[[PaperData], list[Distribution]]
# Released histograms that are of other answers than their files' names say: the id of the sentence whose answers,
# rejected ones included, they were estimated from. They were not computed again when answers were.
OTHER_ANSWERS = {"Howeve": "0", "Tracki": "1"}
THRESHOLDS = ("0", "0.001", "0.01", "0.1")


def answers(data: PaperData) -> tuple[AnsweredSentence, ...]:
    path = data.path("crowd/gec_corrections.jsonl")
    return data.once("answers", lambda: read_answers(path))


def histograms(data: PaperData, match: str) -> list[Distribution]:
    """The estimated distributions that were released, of 48 sentences."""
    paths = data.paths("unseen", f"*_{match}_output_hist.txt", KEPT)
    return data.once(("histograms", match), lambda: [read_histogram(path) for path in paths])


def read_released(data: PaperData) -> list[Distribution]:
    return histograms(data, "exact")


def section3_data(data: PaperData) -> Computed:
    gold, sentences = conll14.gold(data), answers(data)
    words = [len(sentence.source.split()) for sentence in sentences]
    return {
        "sentences": len(sentences),
        "fewest answers to one": min(len(s.answers) for s in sentences),
        "sentences kept": len(histograms(data, "exact")),
        "longest, in words": max(words),
        "shortest, in words": min(words),
        "test set, sentences": len(gold),
        "test set, edited by nobody": sum(not any(a.edits for a in s.annotations) for s in gold),
    }


def earlier_fingerprint(texts: Sequence[str]) -> tuple[int, ...]:
    """How often answers repeat, by the words that the authors compared in December 2016: case and blanks at the ends
    count.

    >>> earlier_fingerprint(["A dog 's life.", "A dog's life ."]), earlier_fingerprint(["A dog .", "a dog"])
    ((0, 1), (2,))
    """
    return fingerprint(_SINGLE_LETTER.sub(r"\1", _NOT_WORD.sub(" ", text)) for text in texts)


def answer_fingerprints(data: PaperData) -> dict[str, tuple[int, ...]]:
    """What the 48 released histograms were estimated from, by the letters that name their files."""
    sentences = {sentence.id: sentence for sentence in answers(data)}
    named = {s.labels.get("hist_key", ""): s for s in sentences.values() if s.labels.get("in_published_48") == "true"}
    if len(named) != KEPT or "" in named or not sentences.keys() >= set(OTHER_ANSWERS.values()):
        raise MissingData(
            f"needs crowd/gec_corrections.jsonl to mark {KEPT} sentences by in_published_48 and hist_key: "
            "tools/paper_data.py does it",
            "crowd/gec_corrections.jsonl",
        )
    other = {name: sentences[number] for name, number in OTHER_ANSWERS.items()}
    return {
        name: earlier_fingerprint((*other[name].answers, *other[name].rejected) if name in other else sentence.answers)
        for name, sentence in sorted(named.items())
    }


def estimates_from_answers(data: PaperData) -> list[Distribution]:
    """UNSEENEST's estimates from the answers to the 48 sentences."""
    return [estimate.distribution for estimate in unseen_of_all(list(answer_fingerprints(data).values()))]


def estimates_from_fingerprints(data: PaperData) -> list[Distribution]:
    """The same from the released fingerprints, but for the two histograms that are of other answers."""
    paths = data.paths("unseen", "*_exact_input_hist.txt", KEPT)
    seen = {path.name.partition("_")[0]: read_fingerprint(path) for path in paths}
    other = answer_fingerprints(data)
    return [
        estimate.distribution for estimate in unseen_of_all([other[n] if n in OTHER_ANSWERS else seen[n] for n in seen])
    ]


def table1_estimated(data: PaperData, distributions: DistributionsOf) -> Computed:
    """Table 1 by our estimates, and how far they are from the released ones in any sentence."""
    ours, theirs = distributions(data), read_released(data)
    computed = dict(table1(data, distributions))
    for gamma in THRESHOLDS:
        apart = (
            a.variants_above(float(gamma)) - b.variants_above(float(gamma)) for a, b in zip(ours, theirs, strict=True)
        )
        computed[f"variants, γ = {gamma}, most apart in the {KEPT} sentences"] = max(map(abs, apart))
    return computed


def table1(data: PaperData, distributions: DistributionsOf = read_released) -> Computed:
    computed = {}
    of = distributions(data)
    for gamma in THRESHOLDS:
        computed[f"variants, γ = {gamma}"] = fmean(d.variants_above(float(gamma)) for d in of)
        computed[f"mass, γ = {gamma}"] = fmean(d.mass_above(float(gamma)) for d in of)
    return computed


def different_references(data: PaperData, match: str) -> Sequence[float]:
    """Coverage by 1 to 20 references that are all different, sampled."""
    of = histograms(data, match)
    return data.once(
        ("different", match),
        lambda: np.mean([coverage_without_replacement(d, 20, seed=s) for s, d in enumerate(of)], axis=0).tolist(),
        f"coverage by references that are all different ({match} match)",
    )


def figure2(data: PaperData) -> Computed:
    computed: dict[str, float] = {}
    for match in MATCHES:
        of, different = histograms(data, match), different_references(data, match)
        computed |= {f"{match} match, M = {m}": mean_coverage(of, m) for m in SHOWN}
        computed |= {f"{match} match, M = {m}, all different": different[m - 1] for m in SHOWN}
    return computed


def figure2_sampled(data: PaperData) -> Computed:
    """Figure 2 by the authors' way of sampling, with its chance; and as it is without chance.

    How far chance goes is known from references drawn independently, where the program is followed number by number; it
    is taken to go as far where they are all different.
    """
    computed: dict[str, Value] = {}
    for match in MATCHES:
        of = histograms(data, match)
        runs = independent_coverage(of, SHOWN, SEEDS)
        means = all_different_coverage(of, SHOWN, seed=0)
        for place, m in enumerate(SHOWN):
            chance = ByChance.over_seeds(runs[:, place].tolist())
            computed[f"{match} match, M = {m}"] = chance
            computed[f"{match} match, M = {m}, all different"] = ByChance(float(means[place]), chance.deviation)
    return {**computed, **{f"{name}, without chance": value for name, value in figure2(data).items()}}


def figure2_words(data: PaperData) -> Computed:
    """What the text says of Figure 2. Index match is both as released and as the paper defines it: changed places."""
    computed = dict(figure2(data))
    computed["index match, M = 5, released"] = computed["index match, M = 5"]
    sentences = answers(data)
    defined = data.once(
        "index match as defined",
        lambda: coverage_of(sentences, match="index", references=(5,), resamples=0),
        "UNSEENEST of the places that answers change",
    )
    computed["index match, M = 5, as defined"] = defined.curve[0].coverage
    return {name: computed[name] for name in FIGURE_2}


def draw_figure2(data: PaperData) -> Charts:
    rows = [
        {"references": m, "accuracy": value, "match": f"{match} match", "drawn": drawn}
        for match in MATCHES
        for m in range(1, 21)
        for drawn, value in (
            ("independent", mean_coverage(histograms(data, match), m)),
            ("all different", different_references(data, match)[m - 1]),
        )
    ]
    return {"conservatism-2017-figure2": accuracy_chart(rows)}


def gain(data: PaperData) -> Computed:
    """Section 2.2: what a perfect corrector is expected to gain by correcting, where a miss costs β = 1 or 2."""
    of = histograms(data, "exact")
    return {
        f"expected gain, M = {m}, α = 1, β = {penalty:g}": expected_gain(mean_coverage(of, m), penalty=penalty)
        for penalty in (1.0, 2.0)
        for m in SHOWN
    }


def section35(data: PaperData) -> Computed:
    return {"coverage, M = 2": mean_coverage(histograms(data, "exact"), 2)}


PART, PARTS = 12, 1000  # sentences of a part of the 48, and how many parts are drawn


def bias_by_sentences(data: PaperData) -> Computed:
    """Section 3.3: accuracy on parts of the corpus, compared with accuracy on the whole."""
    generator = np.random.default_rng(0)
    computed: dict[str, Value] = {}
    for m in (2, 10):
        covered = np.array([d.coverage(m) for d in histograms(data, "exact")])
        apart = [float(generator.choice(covered, PART, replace=False).mean() - covered.mean()) for _ in range(PARTS)]
        spread = stdev(apart)
        computed[f"accuracy on {PART} sentences less that on {KEPT}, M = {m}"] = ByChance(
            fmean(apart), spread / math.sqrt(PARTS)
        )
        computed[f"deviation from part to part, M = {m}"] = spread
    return computed


def saturation(data: PaperData) -> Computed:
    """Sections 1, 3.3 and 3.5: what one more reference adds to accuracy, and how straight its curve is."""
    computed: dict[str, float] = {}
    for match in MATCHES:
        accuracy = np.array([mean_coverage(histograms(data, match), m) for m in range(1, 21)])
        gains = np.diff(accuracy)
        computed[f"{match} match, {MOST_GAINED}"] = float(gains[1:].max() - gains[0])
        computed[f"{match} match, {STRAIGHTER}"] = from_line(accuracy[9:]) / from_line(accuracy[:10])
        computed |= {f"{match} match, gained by reference {m}": float(gains[m - 2]) for m in (2, 5, 10, 20)}
    return computed


def from_line(values: Numbers) -> float:
    """How far the farthest value is from the line that fits them best."""
    places = np.arange(len(values))
    return float(np.abs(np.polyval(np.polyfit(places, values, 1), places) - values).max())


MOST_GAINED = "most gained by a reference after the second, less what the second adds"
STRAIGHTER = "farthest from a line, M = 10 to 20 over M = 1 to 10"


TABLE_1 = {
    **grid(("variants",), [f"γ = {gamma}" for gamma in THRESHOLDS], "1351.24 74.34 8.72 1.35"),
    **grid(("mass",), [f"γ = {gamma}" for gamma in THRESHOLDS], "1 0.75 0.58 0.37"),
}
RELEASED_2 = grid(
    [f"{match} match" for match in MATCHES],
    [f"M = {m}{drawn}" for drawn in ("", ", all different") for m in SHOWN],
    "0.149 0.228 0.346 0.423 0.486 0.153 0.241 0.375 0.462 0.540",
    "0.189 0.291 0.439 0.533 0.618 0.198 0.315 0.478 0.599 0.709",
)
FIGURE_2 = {
    "exact match, M = 20": "0.5",
    "index match, M = 5, released": "> 0.5",
    "index match, M = 5, as defined": "> 0.5",
    "exact match, M = 20, all different": "> 0.7",
    "index match, M = 20, all different": "> 0.7",
}
TWO_OTHERS = (
    "Two released histograms are older estimates, which were not computed again. Tracki's is of its answers and the "
    "rejected one. Howeve's is of the answers and rejected ones of another sentence with the same first six letters."
)
COVERAGE_TABLES = (
    PaperTable(
        name="section3.1",
        title="Sections 3.1 and 3.3: the data",
        published={
            "sentences": "52",
            "fewest answers to one": "50",
            "sentences kept": "48",
            "longest, in words": "< 16",
            "shortest, in words": "> 5",
            "test set, sentences": "1312",
            "test set, edited by nobody": "136",
        },
        compute=section3_data,
        notes=(
            "The 48 sentences kept are those whose first six letters did not collide in the authors' file names, not "
            "those that needed correction, as section 3.1 says.",
        ),
        needs=("conll14", "crowd", "unseen"),
    ),
    PaperTable(
        name="table1",
        title="Table 1: corrections by frequency",
        published=TABLE_1,
        compute=table1,
        notes=("From the 48 estimated histograms that were released.",),
        needs=("unseen",),
    ),
    PaperTable(
        name="table1-fingerprints",
        title="Table 1 by recte's UNSEENEST",
        published=TABLE_1,
        compute=lambda data: table1_estimated(data, estimates_from_fingerprints),
        notes=(
            "From the released fingerprints: how many corrections of a sentence were seen once, twice, …",
            TWO_OTHERS,
        ),
        needs=("unseen", "crowd"),
    ),
    PaperTable(
        name="table1-answers",
        title="Table 1 from the answers themselves",
        published=TABLE_1,
        compute=lambda data: table1_estimated(data, estimates_from_answers),
        notes=(
            "From the answers to the 48 sentences, compared as the authors did in December 2016: runs of other "
            "characters than letters and digits become a space, a single letter is joined to the word before it, and "
            "case and the spaces at the ends stay.",
            TWO_OTHERS,
        ),
        needs=("crowd", "unseen"),
    ),
    PaperTable(
        name="figure2",
        title="Figure 2: what the text says of it",
        published=FIGURE_2,
        compute=figure2_words,
        draw=draw_figure2,
        why={
            "index match, M = 5, released": "the released program also compares how many words were inserted, which "
            "the paper does not say; so the paper's own curve is below 0.5 there",
            "exact match, M = 20, all different": "the paper is mistaken if this is said of exact match: its own "
            "stored result, too, is 0.540 there",
        },
        notes=(
            "That accuracy reaches above 0.7 where references are all different is said before index match is "
            "introduced, so that it reads as said of exact match; it holds of index match alone.",
            "Index match as defined compares the changed places of the source, from the answers of all 52 sentences.",
        ),
        needs=("unseen", "crowd"),
    ),
    PaperTable(
        name="figure2-released",
        title="Figure 2: accuracy of a perfect corrector by number of references",
        published=RELEASED_2,
        compute=figure2_sampled,
        why={
            "": "with one reference the authors' stored figures are a little more than three standard deviations above "
            "the mean of their own way of sampling; those of an earlier run of theirs are within two"
        },
        notes=(
            "The released figures are the authors' stored results. Their program draws what is left of a bin as often "
            "as a whole correction, and counts it as a part of a reference: so figures with few references are not "
            "those without chance, and with one reference the two ways of drawing differ.",
            "Its 1,000 repetitions are some 250, since four processes begin with the same random numbers, and all "
            "sentences have these in common: chance does not average out over sentences.",
            f"Ours are means over {SEEDS} seeds where references are drawn independently. Where they are all "
            "different, ours is the mean of 1,000 repetitions for each sentence, and chance is taken to go as far as "
            "where they are drawn independently: that is an assumption. That the program leaves a correction out one "
            "draw late changes nothing: what it draws again then does not count.",
        ),
        needs=("unseen",),
        printed=False,
    ),
    PaperTable(
        name="section3.5",
        title="Section 3.5: coverage is below a half with two references",
        published={"coverage, M = 2": "< 0.5"},
        compute=section35,
        needs=("unseen",),
    ),
    PaperTable(
        name="section3.3-sentences",
        title="Section 3.3: the bias of accuracy does not depend on the number of sentences",
        published={f"accuracy on {PART} sentences less that on {KEPT}, M = {m}": "0" for m in (2, 10)},
        compute=bias_by_sentences,
        notes=(f"Means over {PARTS:,} parts of {PART} sentences; chance is that of these means.",),
        needs=("unseen",),
    ),
    PaperTable(
        name="section3.5-accuracy",
        title="Sections 1, 3.3 and 3.5: the effect of more references on accuracy saturates",
        published={
            f"{match} match, {claim}": bound
            for match in MATCHES
            for claim, bound in ((MOST_GAINED, "< 0"), (STRAIGHTER, "< 1"))
        },
        compute=saturation,
        notes=("The curve bends less and less, and becomes a line nowhere.",),
        needs=("unseen",),
    ),
    PaperTable(
        name="section2.2",
        title="Section 2.2: the expected utility of correcting at all",
        compute=gain,
        notes=(
            "The paper has the formula and no figures. Below 0, a perfect corrector had better leave sentences alone.",
            "The last line of its derivation is cut off; the terms are those of the line before.",
        ),
        needs=("unseen",),
    ),
)
