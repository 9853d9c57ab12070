"""What ERRANT and its kin share: edits of hypothesis and reference compared as edits, M2 or text on either side.

A row holds tp, proposed and gold for every pair of annotators, and the pair's place in the order of the files, which
the published tools break their last ties by. A hypothesis has one annotator, unless an M2 file gives it more.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.alignment.edit_search import ProposedEdit
from recte.alignment.verdicts import MatchedEdits
from recte.columns.edited import ColumnEdits
from recte.corpus import Annotation, Corpus, Edit, Sentence, System
from recte.counts import ABSENT, Counts, TypeCount, TypeTable
from recte.errors import InputError, OptionError
from recte.metrics.annotator_choice import precision_recall_f
from recte.metrics.base import Scorer, option
from recte.metrics.compared_columns import ColumnComparison
from recte.metrics.compared_counts import PairCounts, Side, pairs_of
from recte.metrics.edit_comparison import MATCHING, WIDTHS, ComparedEdit, Comparison, Matching, Width, tier_of
from recte.metrics.edit_metric import EditMetric, EditScore, EditScorer
from recte.metrics.weighed_choice import WeighedTies
from recte.threads import thread_count

__all__ = ["ComparedEdits", "ComparedMetric", "ComparedScorer", "TypeNames"]

TypeNames = Literal["type", "category", "operation"]
_TIERS: dict[TypeNames, int] = {"operation": 1, "category": 2, "type": 3}
Average = Literal["micro", "macro"]


@dataclass(frozen=True, kw_only=True)
class ComparedMetric(EditMetric):
    """Options that all such metrics share."""

    tie_rule: ClassVar[str] = "then more tp, fewer wrong, fewer missed, the first decide"
    plain_cells: ClassVar[int] = 4  # tp, proposed, gold, and the pair's place among the sentence's pairs

    matching: Matching = option(
        "correction",
        "when two edits are the same: by span and correction, by type too, by span alone, or token by token",
        choices=MATCHING,
    )
    edit_width: Width = option(
        "all", "which edits count: all, those of one token at most, or those of two and more", choices=WIDTHS
    )
    without_types: str = option("", "types of edits that do not count, separated by commas: R:ORTH,R:SPELL")
    types_by: TypeNames = option(
        "type",
        "what is broken down by type: R:VERB:SVA, its category VERB:SVA, or its operation R",
        choices=tuple(_TIERS),
        scoring_only=True,
    )
    average: Average = option(
        "micro",
        "micro: F of all edits together; macro: the mean of F over types",
        choices=("micro", "macro"),
        scoring_only=True,
    )

    def compared_f(self, f: float) -> float:
        return round(f, 4) if self.rounded else f

    @property
    def rounded(self) -> bool:
        """Whether F of the running totals is rounded before annotators are compared by it, as published."""
        return True

    @property
    @abstractmethod
    def comparison(self) -> Comparison:
        """Which edits count, and when two are the same."""

    @property
    def left_out(self) -> frozenset[str]:
        return frozenset(name.strip() for name in self.without_types.split(",") if name.strip())

    @property
    def weighed_ties(self) -> WeighedTies:
        return "errors"

    def choose(self, triples: NDArray[Any]) -> NDArray[np.int32]:
        if self.choice_rule == "optimal" or self.weighs_edits:
            return super().choose(triples)
        return _kernels.choose_rounded(triples, self.beta, not self.rounded)

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        """As `choose`; of pairs with the same counts the first in the files, whatever the columns' order."""
        triples, order = self.triples(counts), counts.rows[:, :, 3]
        chosen = self.choose(triples)
        there = np.flatnonzero(chosen != ABSENT)
        equal = (triples[there] == triples[there, chosen[there], None]).all(axis=2)
        chosen[there] = np.where(equal, order[there], np.iinfo(np.int32).max).argmin(axis=1)
        return chosen

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        if self.average == "macro":
            of_types = list(self.type_scores(counts, weights).values())
            some = np.array(of_types).reshape(len(of_types), len(weights))
            there = ~np.isnan(some)
            return np.where(there.any(axis=0), np.where(there, some, 0).sum(axis=0) / there.sum(axis=0).clip(1), 1.0)
        if self.choice_rule == "optimal" or self.weighs_edits:
            return super()._score_many(counts, weights)
        totals = _kernels.sum_rounded(
            self.triples(counts),
            np.ascontiguousarray(weights, dtype=np.int32),
            self.beta,
            not self.rounded,
            thread_count(len(weights)),
        )
        return np.array(
            [precision_recall_f(tp, proposed, gold, self.beta)[2] for tp, proposed, gold in totals.tolist()]
        )

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> EditScore:
        score = super().score_counts(counts, sentences=sentences)
        if self.average == "micro":
            return score
        types = self._by_type(counts, self.chosen_columns(counts))
        figures: dict[str, Any] = {
            name: float(np.mean([of_type[name] for of_type in types.values()])) if types else 1.0
            for name in ("precision", "recall", "score")
        }
        return replace(score, **figures)

    def _by_type(self, counts: Counts, chosen: NDArray[np.int32]) -> dict[str, dict[str, Any]]:
        """P, R and F of each type against the chosen annotators; P is 1 without a wrong edit, R without a missed one,
        as published.
        """
        table = {}
        for type_, (_, cells) in self._cells_by_type(counts).items():
            tp, proposed, gold = (int(total) for total in cells.sum(axis=0))
            precision, recall, f = precision_recall_f(tp, proposed, gold, self.beta)
            table[type_] = {
                "gold": gold,
                "found": tp,
                "recall": recall,
                "proposed": proposed,
                "correct": tp,
                "precision": precision,
                "score": f,
            }
        return table

    def _cells_by_type(self, counts: Counts) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """For each type the rows that have it, and tp, proposed and gold there, against the chosen annotators."""
        if counts.types is None:
            raise OptionError("average: expected counts with error types (--by-type) for macro, got counts without")
        chosen = self.chosen_columns(counts)
        row_of = {
            (int(index), counts.columns[column]): row
            for row, (index, column) in enumerate(zip(counts.index.tolist(), chosen.tolist(), strict=True))
            if column != ABSENT
        }
        found: dict[str, tuple[list[int], list[tuple[int, int, int]]]] = {}
        for cell in counts.types.entries(counts.columns):
            row = row_of.get((cell.sentence, cell.column))
            if row is not None:
                rows, cells = found.setdefault(tier_of(cell.type, _TIERS[self.types_by]), ([], []))
                rows.append(row)
                cells.append((cell.correct, cell.proposed, cell.gold))
        return {
            type_: (np.array(rows), np.array(cells, dtype=np.float64)) for type_, (rows, cells) in sorted(found.items())
        }

    def type_scores(self, counts: Counts, weights: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """F of each type for each weighting of the sentences, against the annotators chosen for all of them.

        It is NaN where a weighting leaves no edit of the type.
        """
        beta2 = self.beta**2
        scores = {}
        for type_, (rows, cells) in self._cells_by_type(counts).items():
            tp, proposed, gold = (weights[:, rows].astype(np.float64) @ cells).T
            below = beta2 * gold + proposed
            scores[type_] = np.where(below > 0, (1 + beta2) * tp / np.where(below > 0, below, 1), np.nan)
        return scores

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.options()["behaviour"],
            "annotators": len(counts.columns),
            "beta": self.beta,
            "matching": self.matching,
        }
        return self.with_changed_options(parts)


@dataclass(frozen=True)
class ComparedEdits(MatchedEdits):
    """A hypothesis' edits beside the references', pair by pair; an edit is right where all its keys are shared."""

    comparison: Comparison = Comparison()

    def partners(self, annotator: str) -> list[list[int]]:
        gold_keys = [set(self.comparison.keys(_compared(edit))) for edit in self.gold(annotator)]
        wanted: set[tuple[int | str, ...]] = set().union(*gold_keys)
        taken: set[int] = set()
        credited = []
        for edit in self.typed_edits(annotator):
            keys = set(self.comparison.keys(_compared(edit)))
            mine = [g for g, theirs in enumerate(gold_keys) if keys & theirs] if keys <= wanted else []
            if self.comparison.duplicates == "one-to-one":
                mine = [g for g in mine if g not in taken][:1]
            taken.update(mine)
            credited.append(mine)
        return credited


def _compared(edit: Edit) -> ComparedEdit:
    corrections = edit.corrections
    text = corrections[0] if len(corrections) == 1 else "||".join(corrections)
    return ComparedEdit(edit.start, edit.end, edit.type, text)


class ComparedScorer(EditScorer):
    """Reference edits, ready to be compared with a hypothesis' edits."""

    metric: ComparedMetric
    takes_columns: ClassVar[bool] = True  # whether edits count as the columns of a corpus and a system have them

    def __init__(self, metric: ComparedMetric, corpus: Corpus) -> None:
        Scorer.__init__(self, metric, corpus)
        self._comparison = metric.comparison
        without_gold = corpus.columns.without_gold
        if without_gold.size:
            bare = corpus[int(without_gold[0])]
            raise InputError(f"expected gold edits or references for sentence {bare.id or bare.text!r}, got none")

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences with their reference edits, to look at."""
        return self._with_reference_edits(self.corpus.sentences)

    @abstractmethod
    def extracted(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        """The typed edits that turn each sentence into its text."""

    @property
    @abstractmethod
    def extraction_name(self) -> str:
        """Who extracted edits, for the signature."""

    def keeps_text(self, sentence: Sentence, text: str) -> bool:
        """Whether a rewritten reference is one of the sentence's annotators."""
        return True

    def _with_reference_edits(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        wanting = [(s, text) for s in sentences if not s.annotations for text in s.references]
        if not wanting:
            return list(sentences)
        edits = iter(self.extracted([s for s, _ in wanting], [text for _, text in wanting]))
        found = []
        for sentence in sentences:
            if sentence.annotations:
                found.append(sentence)
                continue
            made = [(Annotation(str(r), next(edits)), text) for r, text in enumerate(sentence.references)]
            kept = tuple(annotation for annotation, text in made if self.keeps_text(sentence, text))
            annotations = kept or ((Annotation("0"),) if made else ())
            found.append(replace(sentence, annotations=annotations, references=()))
        return found

    @cached_property
    def _references(self) -> list[list[Side]]:
        return [[self._side(a) for a in s.annotations] for s in self.sentences]

    def _side(self, annotation: Annotation) -> Side:
        if not annotation.edits:
            return Side(annotation.annotator, (), {})
        pairs = [(edit, _compared(edit)) for edit in annotation.edits]
        kept = [(edit, compared) for edit, compared in pairs if self._comparison.keeps(compared)]
        return Side(
            annotation.annotator,
            tuple(edit for edit, _ in kept),
            self._comparison.keyed(compared for _, compared in kept),
        )

    def _hypotheses_of(self, system: System) -> tuple[list[list[Side]], str]:
        """The system's annotators of each sentence, and where their edits are from."""
        given = self._given(system)
        if given is not None:
            return [[self._side(a) for a in of_sentence] for of_sentence in given], "given"
        texts = self.segmented(system.outputs)
        return self._hypotheses(texts, range(len(texts))), self.extraction_name

    def _given(self, system: System) -> Sequence[Sequence[Annotation]] | None:
        """Edits of the system's own; where the corpus was cut into other tokens, they no longer fit."""
        if self.corpus.segmenter is not None:
            return None
        if system.annotations is not None:
            return system.annotations
        return None if system.edits is None else [(Annotation("0", tuple(edits)),) for edits in system.edits]

    def _hypotheses(self, texts: Sequence[str], source_of: Sequence[int]) -> list[list[Side]]:
        edits = self.extracted([self.sentences[s] for s in source_of], texts)
        return [[self._side(Annotation("0", own))] for own in edits]

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        return self._counts(self._hypotheses(hypotheses, source_of), source_of, self.extraction_name)

    def _count_system(self, system: System) -> Counts:
        """Edits that the system gave itself are taken as they are."""
        at_once = None if self.metric.looks_at_edits else self._counted_at_once(system)
        if at_once is not None:
            counts = at_once
        elif self.metric.looks_at_edits:
            counts = super()._count_system(system)
        else:
            sides, source = self._hypotheses_of(system)
            counts = self._counts(sides, range(len(sides)), source)
        return self.count_types(system, counts) if self.metric.average == "macro" else counts

    def _counted_at_once(self, system: System) -> Counts | None:
        """Counts from columns, where both sides have them and no edit has to be looked at for itself."""
        own = system.edits.annotations.columns if isinstance(system.edits, ColumnEdits) else None
        if own is None or self.corpus.segmenter is not None or system.annotations is not None:
            return None
        compare = self._column_comparison
        if compare is None or not ColumnComparison.can_compare(self._comparison, own):
            return None
        made = compare(own)
        if made is None:
            return None
        counts = self.counts_of(made[1], made[0], range(len(self.corpus)))
        return replace(counts, made_with={"hypothesis_edits": "given", "reference_edits": self._reference_source})

    @cached_property
    def _column_comparison(self) -> ColumnComparison | None:
        gold = self.corpus.columns
        if (
            not self.takes_columns
            or not gold.annotated.all()
            or not ColumnComparison.can_compare(self._comparison, gold)
        ):
            return None
        return ColumnComparison(self._comparison, gold)

    def edit_sources(self, system: System | None) -> dict[str, str]:
        given = system is not None and self._given(system) is not None
        return {
            "hypothesis_edits": "given" if given else self.extraction_name,
            "reference_edits": self._reference_source,
        }

    def _counts(self, hypotheses: Sequence[Sequence[Side]], source_of: Sequence[int], source: str) -> Counts:
        columns, rows = self._pair_counts(hypotheses, source_of)
        fallbacks = [not all(side.exact for side in ours) for ours in hypotheses]
        counts = self.counts_of(rows, columns, source_of, np.array(fallbacks, dtype=np.bool_))
        return replace(counts, made_with={"hypothesis_edits": source, "reference_edits": self._reference_source})

    @cached_property
    def _pair_counts(self) -> PairCounts:
        return PairCounts(self._comparison, self._references)

    @cached_property
    def _reference_source(self) -> str:
        return "given" if self.corpus.columns.annotated.all() else self.extraction_name

    def count_types(self, system: System, counts: Counts) -> Counts:
        """What is right or missing under the reference's type, what is wrong under the hypothesis' own."""
        cells = []
        sides, _ = self._hypotheses_of(self.system_of(system))
        for i, (ours, references) in enumerate(zip(sides, self._references, strict=True)):
            for column, mine, theirs in pairs_of(ours, references):
                for type_, (tp, fp, fn) in self._comparison.count_by_type(mine.keyed, theirs.keyed).items():
                    cells.append(TypeCount(i + self.corpus.first, column, type_, tp + fn, tp, tp + fp, tp))
        return replace(counts, types=TypeTable.of(cells, counts.columns), system_types=True)

    def matched(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Iterator[MatchedEdits]:
        sides = self._hypotheses(hypotheses, source_of)
        return (self._matched(s, ours) for s, ours in zip(source_of, sides, strict=True))

    def matched_system(self, system: System) -> Iterator[MatchedEdits]:
        sides, _ = self._hypotheses_of(system)
        return (self._matched(s, ours) for s, ours in enumerate(sides))

    def _matched(self, place: int, ours: Sequence[Side]) -> ComparedEdits:
        sentence, pairs = self.sentences[place], list(pairs_of(ours, self._references[place]))
        proposed = {column: [_proposed(sentence, e) for e in mine.edits] for column, mine, _ in pairs}
        annotations = tuple(Annotation(column, theirs.edits) for column, _, theirs in pairs)
        return ComparedEdits(
            replace(sentence, annotations=annotations), proposed, typed=True, comparison=self._comparison
        )


def _proposed(sentence: Sentence, edit: Edit) -> ProposedEdit:
    original = " ".join(sentence.tokens[edit.start : edit.end])
    return ProposedEdit(edit.start, edit.end, original, "||".join(edit.corrections), edit.type)
