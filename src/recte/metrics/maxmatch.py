"""MaxMatch (M²): Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction".

Of all ways to read a hypothesis as edits of its source, the one that agrees most with an annotator counts. A row
holds tp, proposed and gold edits for every annotator; choosing among annotators is part of scoring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.alignment.edit_search import (
    BEHAVIOURS,
    EXTRACTIONS,
    Behaviour,
    EditSearch,
    Extraction,
    InitialInsertions,
    ProposedEdit,
    SearchOptions,
)
from recte.alignment.references import EDIT_RULES, EditRule, with_edits
from recte.alignment.verdicts import JudgedEdit, credited, judge
from recte.corpus import Corpus, Sentence, System
from recte.counts import ABSENT, Counts, TypeCount
from recte.errors import InputError
from recte.metrics.annotator_choice import (
    ChoiceRule,
    check_beta,
    choose,
    precision_recall_f,
    scores_of_choices,
    sentence_f,
)
from recte.metrics.base import Column, Metric, Score, Scorer, option
from recte.metrics.mixed_gold import mixed_sentences

__all__ = ["EditMetric", "EditScorer", "MaxMatch", "MaxMatchScore", "MaxMatchScorer"]


@dataclass(frozen=True, kw_only=True)
class MaxMatchScore(Score):
    """P, R and F over the edits, against the chosen annotators; `annotators` has each one alone."""

    tp: int
    fp: int
    fn: int
    proposed: int
    gold: int
    precision: float
    recall: float
    annotators: Mapping[str, Mapping[str, float]]
    types: Mapping[str, Mapping[str, float | None]] | None = field(default=None, metadata={"on_request": True})


@dataclass(frozen=True, kw_only=True)
class EditMetric(Metric):
    """Options that all metrics over edits share."""

    inexact: ClassVar[str] = "too unlike their source for an exact search, scored by a word diff"

    behaviour: Behaviour = option(
        "official",
        "official: as the published scorer counts; paper: as printed; optimal: true maximum overlap, best annotators",
        choices=BEHAVIOURS,
    )
    beta: float = option(0.5, "weight of recall in F; below 1 leans to precision", scoring_only=True)
    max_unchanged_words: int = option(2, "how many unchanged words an edit may hold")
    ignore_whitespace_casing: bool = option(False, "drop proposed edits that change only white space or case")
    initial_insertions: InitialInsertions = option(
        "running",
        "offsets of words inserted before the first (official behaviour): running as in version 3.2, or zero",
        choices=("running", "zero"),
    )
    extraction: Extraction = option("maxmatch", "how edits are found in a hypothesis", choices=EXTRACTIONS)
    reference_edits: EditRule = option("maxmatch", "how rewritten references are turned into edits", choices=EDIT_RULES)
    max_lattice: int = option(20_000, "vertices of an edit lattice beyond which a word diff stands in")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_beta(self.beta)
        self.search_options()  # checks the rest

    def search_options(self) -> SearchOptions:
        return SearchOptions(
            behaviour=self.behaviour,
            extraction=self.extraction,
            max_unchanged_words=self.max_unchanged_words,
            initial_insertions=self.initial_insertions if self.behaviour == "official" else "zero",
            ignore_whitespace_casing=self.ignore_whitespace_casing,
            max_lattice=self.max_lattice,
        )

    def choose(self, counts: NDArray[np.int32]) -> NDArray[np.int32]:
        """The annotator of each sentence, by the behaviour's rule."""
        return choose(counts, self.beta, self._choice_rule)

    @property
    def _choice_rule(self) -> ChoiceRule:
        return "optimal" if self.behaviour == "optimal" else "running"

    def score_many(self, counts: Counts, weights: NDArray[np.int32]) -> NDArray[np.float64]:
        return scores_of_choices(self.triples(counts), weights, self.beta, self._choice_rule)

    def triples(self, counts: Counts) -> NDArray[np.int32]:
        """True positives, proposed and gold, by sentence and annotator, that the score is made of."""
        return counts.rows

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.behaviour,
            "annotators": len(counts.columns),
            "beta": self.beta,
            "max_unchanged_words": self.max_unchanged_words,
        }
        return self.with_changed_options(parts)


@dataclass(frozen=True, kw_only=True)
class MaxMatch(EditMetric):
    """The M² scorer.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> MaxMatch().score(gold, ["He goes to the school ."]).precision
    0.5
    """

    name: ClassVar[str] = "m2"
    title: ClassVar[str] = "MaxMatch (M²)"
    cells: ClassVar[tuple[int, ...]] = (3,)
    has_edits: ClassVar[bool] = True
    bibtex: ClassVar[str] = """@inproceedings{dahlmeier-ng-2012-better,
  title = {Better Evaluation for Grammatical Error Correction},
  author = {Dahlmeier, Daniel and Ng, Hwee Tou},
  booktitle = {Proceedings of NAACL-HLT 2012},
  pages = {568--572},
  year = {2012}
}"""

    mix: bool = option(False, "mix corrections of different annotators, error by error")
    sentence_annotator: Literal["best", "last"] = option(
        "best",
        "whose counts a sentence alone is scored by; last is a slip in published scores",
        choices=("best", "last"),
        scoring_only=True,
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("TP", ("tp",), percentage=False),
            Column("FP", ("fp",), percentage=False),
            Column("FN", ("fn",), percentage=False),
            Column("P", ("precision",)),
            Column("R", ("recall",)),
            Column(f"F{self.beta:g}", ("score",)),
        )

    def recount_needed(self, counted_with: Mapping[str, Any]) -> str | None:
        # A mixture is chosen by F while counting.
        if self.mix and counted_with.get("beta") != self.beta:
            return "beta"
        return super().recount_needed(counted_with)

    def prepare(self, gold: Corpus) -> MaxMatchScorer:
        return MaxMatchScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> MaxMatchScore:
        chosen = self.choose(counts.rows)
        picked = counts.rows[np.flatnonzero(chosen != ABSENT), chosen[chosen != ABSENT]]
        tp, proposed, gold = (int(total) for total in picked.sum(axis=0, dtype=np.int64))
        precision, recall, f = precision_recall_f(tp, proposed, gold, self.beta)
        return MaxMatchScore(
            **self.common_figures(counts),
            score=f,
            tp=tp,
            fp=proposed - tp,
            fn=gold - tp,
            proposed=proposed,
            gold=gold,
            precision=precision,
            recall=recall,
            annotators={column: self._alone(counts, c) for c, column in enumerate(counts.columns)},
            types=None if counts.types is None else self._by_type(counts, chosen),
            sentences=tuple(self.sentence_entries(counts)) if sentences else None,
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        alone = sentence_f(counts.rows, self.beta)
        if self.sentence_annotator == "best":
            return np.asarray(np.nanmax(alone, axis=1))
        last = alone.shape[1] - 1 - np.argmax(~np.isnan(alone)[:, ::-1], axis=1)
        return np.asarray(alone[np.arange(len(alone)), last])

    def _alone(self, counts: Counts, column: int) -> dict[str, float]:
        present = counts.rows[counts.rows[:, column, 0] != ABSENT, column]
        tp, proposed, gold = (int(total) for total in present.sum(axis=0, dtype=np.int64))
        precision, recall, f = precision_recall_f(tp, proposed, gold, self.beta)
        return {
            "sentence_count": len(present),
            "tp": tp,
            "proposed": proposed,
            "gold": gold,
            "precision": precision,
            "recall": recall,
            "score": f,
        }

    def _by_type(self, counts: Counts, chosen: NDArray[np.int32]) -> dict[str, dict[str, float | None]]:
        wanted = {
            (int(i), counts.columns[c])
            for i, c in zip(counts.index.tolist(), chosen.tolist(), strict=True)
            if c != ABSENT
        }
        totals: dict[str, list[int]] = {}
        for cell in counts.types or ():
            if (cell.sentence, cell.column) in wanted:
                total = totals.setdefault(cell.type, [0, 0, 0, 0])
                for i, value in enumerate((cell.gold, cell.found, cell.proposed, cell.correct)):
                    total[i] += value
        return {
            type_: {
                "gold": gold,
                "found": found,
                "recall": found / gold if gold else None,
                "proposed": proposed if counts.system_types else None,
                "correct": correct if counts.system_types else None,
                "precision": correct / proposed if proposed else None,
            }
            for type_, (gold, found, proposed, correct) in sorted(totals.items())
        }

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        chosen = self.choose(counts.rows)
        for index, row, column, score in zip(
            counts.index.tolist(),
            counts.rows.tolist(),
            chosen.tolist(),
            self.sentence_scores(counts).tolist(),
            strict=True,
        ):
            by_annotator = {
                name: dict(zip(("tp", "proposed", "gold"), cells, strict=True))
                for name, cells in zip(counts.columns, row, strict=True)
                if cells[0] != ABSENT
            }
            picked = counts.columns[column]
            yield {
                "sentence": index + 1,
                "score": score,
                "chosen": picked,
                **by_annotator[picked],
                "annotators": by_annotator,
            }


class EditScorer(Scorer[Any]):
    """Sources and gold edits, ready to search hypotheses for theirs."""

    metric: EditMetric

    def __init__(self, metric: EditMetric, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.sentences: list[Sentence] = with_edits(corpus.sentences, rule=metric.reference_edits)
        bare = next((s for s in self.sentences if not s.annotations), None)
        if bare is not None:
            raise InputError(f"expected gold edits or references for sentence {bare.id or bare.text!r}, got none")
        self.search = EditSearch(self.sentences, [s.annotations for s in self.sentences])


class MaxMatchScorer(EditScorer):
    """MaxMatch with its gold."""

    metric: MaxMatch

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        search, _, pairs = self.gold_for(hypotheses, source_of)
        rows, fallbacks = search.count(hypotheses, self.metric.search_options(), pairs)
        return self.counts_of(rows, search.annotators, source_of, fallbacks)

    def gold_for(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[EditSearch, Sequence[Sentence], Sequence[int]]:
        """What to search: the gold as it is, or one annotation mixed for each hypothesis."""
        if not self.metric.mix:
            return self.search, self.sentences, source_of
        sentences = [self.sentences[s] for s in source_of]
        mixed = mixed_sentences(sentences, hypotheses, self.metric.search_options(), self.metric.beta)
        return EditSearch(mixed, [s.annotations for s in mixed]), mixed, range(len(mixed))

    def _traced(self, hypotheses: Sequence[str]) -> Iterable[tuple[Sentence, dict[str, tuple[ProposedEdit, ...]]]]:
        hypotheses = self.segmented(hypotheses)
        search, sentences, pairs = self.gold_for(hypotheses, range(len(self.corpus)))
        return zip(sentences, search.trace(hypotheses, self.metric.search_options(), pairs), strict=True)

    def judged_edits(self, hypotheses: Sequence[str]) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        """For each sentence and annotator, every edit with its verdict."""
        return [
            {
                a.annotator: judge(sentence.tokens, proposed[a.annotator], a.edits, self.metric.behaviour)
                for a in sentence.annotations
            }
            for sentence, proposed in self._traced(hypotheses)
        ]

    def judged_against(self, hypotheses: Sequence[str], annotators: Sequence[str]) -> list[tuple[JudgedEdit, ...]]:
        """For each sentence every edit with its verdict against one annotator."""
        found = []
        for (sentence, proposed), annotator in zip(self._traced(hypotheses), annotators, strict=True):
            annotation = sentence.annotation(annotator)
            edits = () if annotation is None else annotation.edits
            found.append(judge(sentence.tokens, proposed.get(annotator, ()), edits, self.metric.behaviour))
        return found

    def count_types(self, system: System, counts: Counts) -> Counts:
        """The counts with a table by error type beside the rows: recall by the gold's types, and precision by the
        system's own where it gave its edits.
        """
        cells: list[TypeCount] = []
        for i, (sentence, proposed) in enumerate(self._traced(system.outputs)):
            own = () if system.edits is None else system.edits[i]
            for a in sentence.annotations:
                partners = credited(sentence.tokens, proposed[a.annotator], a.edits, self.metric.behaviour)
                found = {g for mine in partners for g in mine}
                cells.extend(TypeCount.of_sentence(i + self.corpus.first, a.annotator, a.edits, found, own))
        return replace(counts, types=tuple(cells), system_types=system.edits is not None)
