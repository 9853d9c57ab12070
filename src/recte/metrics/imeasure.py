"""The I-measure: Felice and Briscoe (2015), "Towards a standard evaluation method for grammatical error detection and
correction".

Source, hypothesis and reference are aligned token by token; each column is a true or false positive or negative, for
detection and for correction. Weighted accuracy (WAcc) rewards corrections above unchanged words, and improvement (I)
says how far the system comes from the source's own WAcc towards 1 (or falls back towards 0). The reference is chosen
sentence by sentence, so a row holds the chosen reference's counts and its baseline's.

The I-measure's figures from token counts (Felice and Briscoe 2015, section 2.3); the kernel has the formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus, Sentence, System
from recte.corpus.counts import Counts, TieTable, plain_rows
from recte.edits.three_way import (
    CELLS,
    OPTIMISE,
    Optimise,
    ReferenceChoice,
    ReferenceChoices,
    ReferenceSearch,
    ThreeWayOptions,
)
from recte.errors import InputError, OptionError, describe_choices
from recte.extraction.reference_edits import with_edits
from recte.metrics.base import AlignedSentence, Column, Score, Scorer, SummedMetric, option
from recte.metrics.explanation import ErrorView, Explanation, Figure, ReferenceView
from recte.metrics.tally import SumTally, TallyRule
from recte.threads import thread_count

__all__ = ["FIGURES", "IMeasure", "IMeasureScore", "IMeasureScorer", "aspect_figures", "figure_table"]

# What the kernel says of one row of counts. WAcc is a ratio of two sums, which some need apart.
FIGURES = ("precision", "recall", "f", "acc", "wacc_right", "wacc_all", "wacc", "wacc_base", "i")


def figure_table(
    counts: NDArray[Any], baseline: NDArray[Any] | None, weight: float = 2.0, beta: float = 0.5
) -> dict[str, NDArray[np.float64]]:
    """Every figure of many rows: `counts` are tp, tn, fp, fn, fpn, and `baseline` is tn, fn of the source.

    Without a baseline it is taken from the counts, as printed in the paper.
    """
    baselines = np.zeros((0, 2)) if baseline is None else np.ascontiguousarray(baseline, dtype=np.float64)
    values = _kernels.improvement_figures(np.ascontiguousarray(counts, dtype=np.float64), baselines, weight, beta)
    return dict(zip(FIGURES, values.T, strict=True))


def aspect_figures(
    counts: Sequence[int], baseline: tuple[int, int] | None, weight: float = 2.0, beta: float = 0.5
) -> dict[str, float]:
    """All figures of tp, tn, fp, fn, fpn. `baseline` is tn, fn of the source; None takes it from the counts as printed.

    >>> round(100 * aspect_figures((19, 13062, 7, 665, 2), None)["i"], 2)  # UFC in the paper's Table 11
    1.35
    """
    table = figure_table(np.array([counts]), None if baseline is None else np.array([baseline]), weight, beta)
    first_row = {name: float(values[0]) for name, values in table.items()}
    shown = ("precision", "recall", "f", "acc", "wacc")
    return {
        **dict(zip(("tp", "tn", "fp", "fn", "fpn"), counts, strict=True)),
        **{name: first_row[name] for name in shown},
        "acc_base": first_row["wacc_base"],
        "wacc_base": first_row["wacc_base"],
        "i": first_row["i"],
    }


_DETECTION, _CORRECTION, _BASELINE = slice(0, 4), slice(4, 9), slice(9, 11)
_CANDIDATES = 32  # distinct count vectors a sentence keeps for a choice over the corpus


@dataclass(frozen=True, kw_only=True)
class IMeasureScore(Score):
    """`correction` and `detection` each have tp, tn, fp, fn, fpn, precision, recall, f, acc, wacc, acc_base, wacc_base
    and i. `score` is the improvement of correction.
    """

    correction: Mapping[str, float]
    detection: Mapping[str, float]
    tie_range: Mapping[str, float] | None = field(default=None, metadata={"on_request": True})


@dataclass(frozen=True, kw_only=True)
class IMeasure(SummedMetric):
    """The I-measure.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["You have missed word ."], [[[Edit(3, 4, ("a word",))]]])
    >>> score = IMeasure().score(gold, ["You have missed a word ."])
    >>> score.correction["tp"], score.score
    (1, 1.0)
    """

    name: ClassVar[str] = "imeasure"
    title: ClassVar[str] = "I-measure"
    do_nothing_can_win: ClassVar[bool] = True
    cells: ClassVar[tuple[int, ...]] = (len(CELLS),)
    inexact: ClassVar[str] = "with too many combinations of corrections to try all, searched by segments"
    bibtex: ClassVar[str] = """@inproceedings{felice-briscoe-2015-towards,
  title = {Towards a standard evaluation method for grammatical error detection and correction},
  author = {Felice, Mariano and Briscoe, Ted},
  booktitle = {Proceedings of NAACL-HLT 2015},
  pages = {578--587},
  year = {2015}
}"""

    behaviour: Literal["official", "paper"] = option(
        "official",
        "the baseline: official aligns the source again, paper takes it inside the existing alignment",
        choices=("official", "paper"),
    )
    mix: bool = option(False, "mix corrections of different annotators, error by error")
    weight: float = option(2.0, "weight w of true and false positives in WAcc", least=1, most=1000)
    beta: float = option(0.5, "weight of recall in F; below 1 leans to precision", least=0.01, most=100)
    optimise: Optimise = option(
        "wacc", "what the reference is chosen for, of correction or of detection", choices=OPTIMISE
    )
    optimise_level: Literal["sentence", "corpus"] = option(
        "sentence",
        "choose each reference for its sentence, or greedily for the corpus so far",
        choices=("sentence", "corpus"),
    )
    match_cost: int = option(0, "cost of a pair of equal tokens in the alignment")
    mismatch_cost: int = option(3, "cost of a pair of different tokens")
    gap_cost: int = option(2, "cost of a token aligned with a gap")
    treebank: bool = option(True, "tokenise M2 corrections as the Treebank is, as published")
    tie_range: bool = option(False, "also the range of I over equally good alignments")
    references_of: str = option("", "score on the references that this system chose")
    max_combinations: int = option(
        100_000, "combinations of corrections a sentence may have before segments are searched"
    )
    max_cells: int = option(64_000_000, "cells of an alignment beyond which a sentence is refused")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (1 <= self.max_combinations <= 10**8 and 1 <= self.max_cells <= 10**9):
            raise OptionError(
                "max_combinations, max_cells: expected 1 to 100,000,000 and 1 to 1,000,000,000, "
                f"got {self.max_combinations} and {self.max_cells}"
            )
        if self.tie_range and (self.behaviour, self.optimise_level) != ("official", "sentence"):
            raise OptionError("tie_range: expected behaviour official and optimise_level sentence, got another")
        self.three_way()  # checks the costs

    def three_way(self) -> ThreeWayOptions:
        return ThreeWayOptions(
            match_cost=self.match_cost,
            mismatch_cost=self.mismatch_cost,
            gap_cost=self.gap_cost,
            weight=self.weight,
            beta=self.beta,
            printed_baseline=self.behaviour == "paper",
            optimise=self.optimise,
            max_combinations=self.max_combinations,
            max_cells=self.max_cells,
            candidates=1 if self.optimise_level == "sentence" else _CANDIDATES,
        )

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """A token that is wrong and missed at once is among those wrong and among those missed."""
        fp, fn, fpn = (rows[:, CELLS.index(f"correction_{kind}")] for kind in ("fp", "fn", "fpn"))
        return super().valid_rows(rows) & (fpn <= fp) & (fpn <= fn)

    @property
    def columns(self) -> tuple[Column, ...]:
        counts = [Column(key.upper(), ("correction", key), percentage=False) for key in ("tp", "tn", "fp", "fn", "fpn")]
        return (
            *counts,
            Column("P", ("correction", "precision")),
            Column("R", ("correction", "recall")),
            Column(f"F{self.beta:g}", ("correction", "f")),
            Column("WAcc", ("correction", "wacc")),
            Column("base", ("correction", "wacc_base")),
            Column("I", ("score",)),
            *(Column(f"I {end}", ("tie_range", end)) for end in ("low", "high") if self.tie_range),
        )

    @property
    def more_columns(self) -> tuple[Column, ...]:
        """Figures of detection (D…) and correction (C…), as in the paper's tables."""
        aspects = {"detection": ("tp", "tn", "fp", "fn"), "correction": ("tp", "tn", "fp", "fn", "fpn")}
        shares = {"P": "precision", "R": "recall", f"F{self.beta:g}": "f", "Acc": "acc", "WAcc": "wacc"}
        shares |= {"base": "wacc_base", "I": "i"}
        columns = [Column("Acc", ("correction", "acc"))]
        for aspect, cells in aspects.items():
            letter = aspect[0].upper()
            columns += [Column(f"{letter}{cell.upper()}", (aspect, cell), percentage=False) for cell in cells]
            columns += [Column(f"{letter}{header}", (aspect, key)) for header, key in shares.items()]
        return tuple(replace(c, path=("score",)) if c.path == ("correction", "i") else c for c in columns)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts = {"behaviour": self.behaviour, "mix": self.mix, "weight": self.weight, "beta": self.beta}
        return self.with_changed_options(parts, leaving_out=["tie_range"])

    def prepare(self, gold: Corpus) -> IMeasureScorer:
        if self.references_of:
            raise OptionError("references_of: expected all systems at once: use prepare_with, or on_references_of")
        return IMeasureScorer(self, gold)

    @property
    def looks_at_other_systems(self) -> bool:
        return bool(self.references_of)

    def prepare_with(self, gold: Corpus, systems: Mapping[str, System]) -> IMeasureScorer:
        """Where `references_of` names one of the systems, the references that it chose."""
        if not self.references_of:
            return self.prepare(gold)
        if self.references_of not in systems:
            raise OptionError(f"references_of: {describe_choices(systems, self.references_of, 'systems')}")
        scorer = IMeasureScorer(replace(self, references_of=""), gold)
        return scorer.on_references_of(systems[self.references_of], self.references_of)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> IMeasureScore:
        rows = self._choose(self.read_rows(counts))
        self._check_ties(counts)
        totals = rows.sum(axis=0, dtype=np.int64).tolist()
        detection, correction = self.figures(totals)
        return IMeasureScore(
            **self.common_figures(counts),
            score=correction["i"],
            correction=correction,
            detection=detection,
            tie_range=None if counts.ties is None else self._tie_range(counts, counts.ties, totals),
            sentences=self.all_entries(counts) if sentences else None,
        )

    def tally_rule(self, references: int) -> TallyRule | None:
        return SumTally(self) if self.optimise_level == "sentence" and not self.tie_range else None

    def takes_fractions(self, counts: Counts) -> bool:
        return len(counts.columns) == 1

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        if len(counts.columns) == 1:
            return super()._score_many(counts, weights)
        options = self.three_way().kernel()
        threads = thread_count(len(weights))
        rows, weights = np.ascontiguousarray(self.read_rows(counts)), np.ascontiguousarray(weights)
        return self.scores_of_sums(_kernels.sum_greedy(rows, weights, options, threads).astype(np.float64))

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        return self._choose(self.read_rows(counts)).astype(np.float64)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._correction(sums)["i"]

    def _correction(self, rows: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """The correction figures of each row."""
        baseline = None if self.behaviour == "paper" else rows[:, _BASELINE]
        return figure_table(rows[:, _CORRECTION], baseline, self.weight, self.beta)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self.scores_of_sums(self.summands(counts))

    def paired_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Weighted accuracy, which the paper's t-test pairs (section 3): I of a sentence alone jumps at its base."""
        return self._correction(self._choose(self.read_rows(counts)))["wacc"]

    def baseline_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Weighted accuracy of the source on the same references, to pair with `paired_scores`."""
        return self._correction(self._choose(self.read_rows(counts)))["wacc_base"]

    def figures(self, row: Sequence[int]) -> tuple[dict[str, float], dict[str, float]]:
        """Detection and correction figures of one row of counts, or of a sum of rows."""
        baseline = None if self.behaviour == "paper" else (row[_BASELINE][0], row[_BASELINE][1])
        return (
            aspect_figures((*row[_DETECTION], 0), baseline, self.weight, self.beta),
            aspect_figures(row[_CORRECTION], baseline, self.weight, self.beta),
        )

    def _choose(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """The best candidate's row of each sentence: the first, or the one best for the corpus so far."""
        if rows.shape[1] == 1:
            return rows[:, 0]
        chosen = _kernels.choose_greedy(np.ascontiguousarray(rows), self.three_way().kernel())
        return rows[np.arange(len(rows)), chosen]

    def _check_ties(self, counts: Counts) -> None:
        """Whether other outcomes are such that alignments of these sentences can have."""
        if counts.ties is not None:
            outcomes = counts.ties.outcomes
            whole = outcomes.shape[1:] == (_BASELINE.start,) and outcomes.dtype.kind == "i" and (outcomes >= 0).all()
            if not whole or not np.isin(counts.ties.sentence, counts.index).all():
                raise InputError("counts: expected ties that alignments of these sentences can have, got others")

    def _tie_range(self, counts: Counts, ties: TieTable, totals: Sequence[int]) -> dict[str, float]:
        """The lowest and highest I that other optimal alignments with the same references could give."""
        order = np.argsort(ties.sentence, kind="stable")
        outcomes = ties.outcomes[order]
        tied, firsts = np.unique(ties.sentence[order], return_index=True)
        by_index = np.argsort(counts.index)
        places = by_index[np.searchsorted(counts.index, tied, sorter=by_index)]
        own_sums = self._choose(self.read_rows(counts))[places, : _BASELINE.start].sum(axis=0)
        terms = figure_table(outcomes[:, _CORRECTION], None, self.weight)
        ends = {}
        for end, sign in (("low", -1.0), ("high", 1.0)):
            picked, best = np.full(len(tied), -1), own_sums
            for _ in range(100):  # a ratio of two sums, as in Dinkelbach's method
                sums = [*(np.array(totals[: _BASELINE.start]) - own_sums + best).tolist(), *totals[_BASELINE]]
                worth = sign * (terms["wacc_right"] - self.figures(sums)[1]["wacc"] * terms["wacc_all"])
                of_sentence = np.split(worth, firsts)[1:]
                chosen = firsts + np.array([np.argmax(worths) for worths in of_sentence], dtype=np.int64)
                if np.array_equal(chosen, picked):
                    break
                picked, best = chosen, outcomes[chosen].sum(axis=0)
            ends[end] = self.figures(sums)[1]["i"]
        return ends

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        rows = self._choose(self.read_rows(counts))
        for index, row in plain_rows(counts.index, rows):
            detection, correction = self.figures(row)
            yield {"sentence": index + 1, "score": correction["i"], "correction": correction, "detection": detection}


class IMeasureScorer(Scorer[IMeasure]):
    """The I-measure with its gold."""

    metric: IMeasure

    def __init__(self, metric: IMeasure, corpus: Corpus, *, mix: bool | None = None) -> None:
        super().__init__(metric, corpus)
        mix = metric.mix if mix is None else mix
        columns = corpus.columns
        bare = columns.without_gold
        if bare.size:
            sentence = corpus[int(bare[0])]
            raise InputError(
                f"expected gold edits or references for sentence {sentence.id or sentence.text!r}, got none"
            )
        sentences = with_edits(corpus.sentences) if mix else corpus.sentences
        self.search = ReferenceSearch(sentences, mix=mix, treebank=metric.treebank, columns=columns)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        return self._count_and_choose(hypotheses, source_of)[0]

    def _count_and_choose(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> tuple[Counts, ReferenceChoices]:
        rows, searched, picks = self.search.count(hypotheses, self.metric.three_way(), source_of)
        counts = self.counts_of(rows, tuple(map(str, range(rows.shape[1]))), source_of, searched)
        ties = self._ties(hypotheses, source_of, picks) if self.metric.tie_range else None
        return replace(counts, ties=ties), picks

    def count_and_align(self, system: System) -> tuple[Counts, tuple[AlignedSentence, ...] | None]:
        """Counts, and the alignment with the reference chosen for each sentence; none if that is chosen for the
        corpus as a whole.
        """
        if self.metric.optimise_level == "corpus":
            return super().count_and_align(system)
        outputs = self.segmented(self.system_of(system).outputs)
        with self.locating_errors(system):
            counts, aligned = self._count_and_align_texts(outputs, range(len(outputs)))
        return self.name_counts(counts, system), aligned

    def sees_texts_alone(self, system: System) -> bool:
        return not self.metric.tie_range  # other outcomes are told by sentence

    def _count_and_align_texts(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[Counts, tuple[AlignedSentence, ...] | None]:
        counts, picks = self._count_and_choose(hypotheses, source_of)
        if self.metric.optimise_level == "corpus":
            return counts, None
        alignments = self.search.align_chosen(picks, source_of, self.metric.three_way())
        return counts, tuple(AlignedSentence(*alignment) for alignment in alignments)

    def explain(self, system: System, number: int) -> Explanation:
        return _explain_references(self, system, number)

    def _ties(self, hypotheses: Sequence[str], source_of: Sequence[int], picks: Sequence[ReferenceChoice]) -> TieTable:
        sentences, tied = [], []
        for hypothesis, sentence, pick in zip(hypotheses, source_of, picks, strict=True):
            tokens = self.search.sentences[sentence].tokens
            outcomes = self.search.tie_outcomes(tokens, hypothesis.split(), pick.tokens, self.metric.three_way())
            if len(outcomes) > 1:
                sentences += [sentence + self.corpus.first] * len(outcomes)
                tied += outcomes
        cells = np.array(tied, dtype=np.int32).reshape(-1, _BASELINE.start)
        return TieTable(np.array(sentences, dtype=np.int64), cells)

    def figures_against(self, sentence: int, hypothesis: Sequence[str], reference: Sequence[str]) -> dict[str, float]:
        """The correction figures of one hypothesis against one reference, whether it would be chosen or not."""
        return self.aspects_against(sentence, hypothesis, reference)[1]

    def aspects_against(
        self, sentence: int, hypothesis: Sequence[str], reference: Sequence[str]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """The figures of detection and of correction against one reference."""
        tokens = self.search.sentences[sentence].tokens
        alone = Sentence(" ".join(tokens), tokens, references=(" ".join(reference),))
        search = ReferenceSearch([alone], mix=False, treebank=False)
        rows, _, _ = search.count([" ".join(hypothesis)], replace(self.metric.three_way(), candidates=1), [0])
        detection, correction = self.metric.figures(rows[0, 0].tolist())
        return detection, correction

    def chosen_references(self, hypotheses: System | Iterable[str]) -> list[str]:
        """The reference chosen for each hypothesis: score other systems on these to compare them fairly (2.3.2)."""
        outputs = self.system_of(hypotheses).outputs
        if self.metric.optimise_level == "corpus":
            raise OptionError("optimise_level: expected sentence where chosen references are wanted, got corpus")
        _, _, picks = self.search.count(self.segmented(outputs), self.metric.three_way(), range(len(outputs)))
        return [" ".join(pick.tokens) for pick in picks]

    def on_references_of(self, hypotheses: System | Iterable[str], name: str = "another system") -> IMeasureScorer:
        """A scorer on the references that these hypotheses chose; `name` says in the signature whose they are."""
        chosen = self.chosen_references(hypotheses)
        sentences = tuple(
            replace(s, annotations=(), errors=None, references=(text,), lines=())
            for s, text in zip(self.corpus, chosen, strict=True)
        )
        metric = replace(self.metric, references_of=name)
        return IMeasureScorer(metric, replace(self.corpus, sentences=sentences), mix=False)


_OPTIMISED = {"wacc": "WAcc", "i": "I", "acc": "accuracy", "precision": "P", "recall": "R", "f": "F"}
_COUNTS = ("tp", "tn", "fp", "fn", "fpn")
_SHOWN = {"precision": "P", "recall": "R", "f": "F", "acc": "Acc", "wacc": "WAcc", "wacc_base": "base", "i": "I"}


def _explain_references(scorer: IMeasureScorer, system: System, number: int) -> Explanation:
    """The references of sentence `number` (from 1), the one that was chosen, and the alignment with it."""
    metric, place = scorer.metric, number - 1
    if metric.optimise_level == "corpus":
        raise OptionError("explain: expected optimise_level sentence, got corpus")
    text = scorer.segmented([system.outputs[place]])[0]
    hypothesis = text.split()
    sentence = scorer.search.sentences[place]
    options = metric.three_way()
    _, searched, picks = scorer.search.count([text], options, [place])
    chosen = picks[0]
    # The references one can list: each annotator's own, and the mixture that was chosen.
    listed = scorer.search.references(place)
    listed.setdefault(chosen.tokens, (f"mixed ({', '.join(chosen.annotators)})",))
    views = tuple(
        _view(
            annotators,
            " ".join(tokens),
            scorer.aspects_against(place, hypothesis, tokens),
            tokens == chosen.tokens,
            metric.beta,
        )
        for tokens, annotators in listed.items()
    )
    names = {tokens: _list_names(annotators) for tokens, annotators in listed.items()}
    total = scorer.search.combinations[place]
    what = f"{total:,} combinations of corrections" if metric.mix else f"{total} reference(s)"
    how = "searched by segments" if searched[0] else "tried"
    aspect = "detection" if metric.optimise.startswith("detection-") else "correction"
    key = metric.optimise.removeprefix("detection-")
    reason = f"highest {_OPTIMISED[key]} of {aspect}, of {what} {how}"
    of_aspect = [view.detection if aspect == "detection" else view.figures for view in views]
    best = next(figures for view, figures in zip(views, of_aspect, strict=True) if view.chosen)
    tied = [v for v, figures in zip(views, of_aspect, strict=True) if not v.chosen and figures[key] == best[key]]
    if tied:
        reason += "; tied ones were chosen among by WAcc, I and accuracy, then by those of detection, then the first"
    return Explanation(
        number=number,
        system=system.name,
        title=metric.title,
        score_name="I",
        source=" ".join(sentence.tokens),
        hypothesis=" ".join(hypothesis),
        chosen=names[chosen.tokens],
        reason=reason,
        references=views,
        errors=_error_views(scorer, place, chosen.picked),
        columns=scorer.search.align(sentence.tokens, hypothesis, chosen.tokens, options).columns,
    )


def _view(
    annotators: tuple[str, ...],
    text: str,
    aspects: tuple[dict[str, float], dict[str, float]],
    chosen: bool,
    beta: float,
) -> ReferenceView:
    detection, correction = aspects
    shown = [
        (
            *(Figure(key.upper(), figures[key], percentage=False) for key in _COUNTS),
            *(Figure(f"F{beta:g}" if key == "f" else name, figures[key]) for key, name in _SHOWN.items()),
        )
        for figures in (correction, detection)
    ]
    return ReferenceView(annotators, text, correction, chosen, shown[0], detection, shown[1])


def _error_views(scorer: IMeasureScorer, place: int, picked: tuple[int, ...]) -> tuple[ErrorView, ...]:
    if not scorer.search.mix:
        return ()
    tokens = scorer.search.sentences[place].tokens
    views = []
    for options, pick in zip(scorer.search.options[place], picked, strict=True):
        described = tuple(
            (
                "/".join(option.annotators) or "–",
                ", ".join(f"{' '.join(tokens[a:b]) or '∅'} → {' '.join(words) or '∅'}" for a, b, words in option.edits)
                or "left alone",
            )
            for option in options
        )
        views.append(ErrorView(described, pick))
    return tuple(views)


def _list_names(annotators: tuple[str, ...]) -> str:
    if annotators[0].startswith("mixed"):
        return f"the {annotators[0].replace('mixed', 'mixture', 1)}"
    people = ("who changed nothing" if a == "source" else a for a in annotators)
    return f"the reference of annotator {' and '.join(people)}"
