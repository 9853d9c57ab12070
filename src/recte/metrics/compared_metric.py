"""What ERRANT and ChERRANT share: edits that were found in both texts are compared as edits.

A metric says how edits are found (`ComparedScorer.find`, `extracted`) and when two are the same (`match_rule`).
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Annotation, Edit, Sentence, System
from recte.corpus.counts import ABSENT, Counts, absent_rows
from recte.corpus.edit_table import EditTable
from recte.corpus.proposed_edits import ColumnAnnotations, ColumnEdits
from recte.corpus.sentence_columns import ColumnSentences
from recte.edits.edit_context import DeferredEdits
from recte.edits.matching import AGREEMENTS, Agreement, Matches, match, types_of_outcomes
from recte.errors import OptionError
from recte.metrics.annotator_choice import precision_recall_f
from recte.metrics.base import option
from recte.metrics.edit_metric import EditMetric, EditScore, EditScorer

__all__ = ["ComparedMetric", "ComparedScorer", "ComparisonOptions", "EditFilter", "Width", "tier_of"]

UNCORRECTED = "UNK"
_WITH_OPERATION = re.compile("[MRU]:")
_TYPES_OF_A_LIST = 3  # from so many types on, none in common tells different lists
DETECTION: tuple[Agreement, ...] = ("span", "token")  # an error that was not corrected can only be detected
Width = Literal["all", "single", "multi"]
WIDTHS: tuple[Width, ...] = ("all", "single", "multi")
TypeNames = Literal["type", "category", "operation"]
_TIERS: dict[TypeNames, int] = {"operation": 1, "category": 2, "type": 3}
Average = Literal["micro", "macro"]


@dataclass(frozen=True)
class EditFilter:
    """Which edits count: not those of the types `left_out`, and those of less than two tokens, or of two and more.

    `correction_width`: the correction's tokens count too.
    """

    left_out: frozenset[str] = frozenset()
    width: Width = "all"
    correction_width: bool = True

    def __call__(self, table: EditTable) -> EditTable:
        """The table with the edits that count."""
        mask = np.ones(len(table), dtype=np.bool_)
        for name in self.left_out:
            mask &= _kernels.are_equal_to(table.types.spans, name) == 0
        if self.width != "all":
            tokens = table.ends - table.starts
            if self.correction_width:
                words = [len(text.split()) for text in table.joined_corrections]
                tokens = np.maximum(tokens, np.array(words, dtype=np.int64))
            mask &= (tokens < 2) == (self.width == "single")
        return table.select(mask)


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """When two edits are the same, which count, and how they are broken down."""

    matching: Agreement = option(
        "correction",
        "when two edits are the same: by span and correction, by type too, by span alone, or token by token",
        choices=AGREEMENTS,
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

    @property
    def left_out(self) -> frozenset[str]:
        return frozenset(name.strip() for name in self.without_types.split(",") if name.strip())


@dataclass(frozen=True, kw_only=True)
class ComparedMetric(ComparisonOptions, EditMetric):
    """What ERRANT and ChERRANT share: edits of hypothesis and reference are compared as edits."""

    cells: ClassVar[tuple[int, ...]] = (4,)  # tp, proposed, gold, and the pair's place among the sentence's pairs
    tie_rule: ClassVar[str] = "then more tp, fewer wrong, fewer missed, the first decide"

    @property
    def edit_filter(self) -> EditFilter:
        """Which edits count."""
        uncorrected = () if self.matching in DETECTION else (UNCORRECTED,)
        return EditFilter(self.left_out.union(uncorrected), self.edit_width)

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        """As the rule chooses; of pairs with the same counts the first in the files, whatever the columns' order."""
        triples, order = self.triples(counts), counts.rows[:, :, 3]
        chosen = self.choice.choose(triples, self.beta)
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
        return super()._score_many(counts, weights)

    def score_against(self, counts: Counts, chosen: NDArray[np.int32]) -> EditScore:
        score = super().score_against(counts, chosen)
        if _has_two_type_lists(counts):
            score = replace(score, two_type_lists=True)
        if self.average == "micro":
            return score
        types = self._by_type(counts, chosen)
        figures: dict[str, Any] = {
            name: float(np.mean([of_type[name] for of_type in types.values()])) if types else 1.0
            for name in ("precision", "recall", "score")
        }
        return replace(score, **figures)

    def _by_type(self, counts: Counts, chosen: NDArray[np.int32]) -> dict[str, dict[str, Any]]:
        """P, R and F of each type against the chosen annotators; P is 1 without a wrong edit, R without a missed one,
        as published. Recall alone where gold and system have different lists of types.
        """
        table = {}
        recall_alone = _has_two_type_lists(counts)
        for type_, (_, cells) in self._cells_by_type(counts).items():
            tp, proposed, gold = (int(total) for total in cells.sum(axis=0))
            if recall_alone and not gold:
                continue
            precision, recall, f = precision_recall_f(tp, proposed, gold, self.beta)
            table[type_] = {
                "gold": gold,
                "found": tp,
                "recall": recall,
                "proposed": None if recall_alone else proposed,
                "correct": None if recall_alone else tp,
                "precision": None if recall_alone else precision,
                "score": None if recall_alone else f,
            }
        return table

    def _cells_by_type(self, counts: Counts) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """For each type the rows that have it, and tp, proposed and gold there, against the chosen annotators."""
        if counts.types is None:
            raise OptionError("average: expected counts with error types (--by-type) for macro, got counts without")
        if self.average == "macro" and _has_two_type_lists(counts):
            raise OptionError(
                "average: expected types of one list for macro, got two: give the gold's edits types of the system's "
                "list (recte extract GOLD --edits gold, or gold_edits=retyped)"
            )
        chosen = self.chosen_columns(counts)
        types = counts.types
        tiers = [tier_of(name, _TIERS[self.types_by]) for name in types.names]
        blocks = list(types.chosen_entries(counts.index, chosen))
        if not blocks:
            return {}
        entries, rows = map(np.concatenate, zip(*blocks, strict=True))
        cells_of = {}
        for tier in sorted(set(tiers)):
            of_tier = np.array([name == tier for name in tiers], dtype=np.bool_)[types.type[entries]]
            if of_tier.any():
                tp_proposed_gold = types.cells[entries[of_tier]][:, [3, 2, 0]]
                cells_of[tier] = (rows[of_tier], tp_proposed_gold.astype(np.float64))
        return cells_of

    def type_scores(self, counts: Counts, weights: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """F of each type for each weighting of the sentences, against the annotators chosen for all of them.

        It is NaN where a weighting leaves no edit of the type.
        """
        beta2 = self.beta**2
        scores: dict[str, NDArray[np.float64]] = {}
        if self.average == "micro" and _has_two_type_lists(counts):
            return scores
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
        # Edits are signed with the content of these files, whatever folder they are in.
        return self.with_changed_options(parts, leaving_out=("annotator", "word_list"))


def _has_two_type_lists(counts: Counts) -> bool:
    """Whether gold and system name their edits by different lists, such as CoNLL-14's `ArtOrDet` and ERRANT's `R:DET`.

    They do if no type is on both sides, and all types of one side have an operation in front and none of the other (two
    at least), or none of both (three of each at least): a single type may be an accident.
    """
    if counts.types is None:
        return False
    cells = counts.types.cells
    gold = counts.types.names_where(cells[:, 0] > 0)
    wrong = counts.types.names_where(cells[:, 2] > cells[:, 3])
    gold.discard(UNCORRECTED)
    wrong.discard(UNCORRECTED)
    if not gold or not wrong or gold & wrong:
        return False
    gold_coded, wrong_coded = (sum(map(bool, map(_WITH_OPERATION.match, names))) for names in (gold, wrong))
    if not gold_coded and not wrong_coded:
        return min(len(gold), len(wrong)) >= _TYPES_OF_A_LIST
    if (gold_coded, wrong_coded) not in ((0, len(wrong)), (len(gold), 0)):
        return False
    return len(wrong if gold_coded else gold) > 1


def tier_of(type: str, tier: int) -> str:
    """A type as tier 1 (its first letter), 2 (what follows the colon) or 3 (all of it) names it, as published: cut by
    places, whatever the type is.

    >>> [tier_of("R:VERB:SVA", tier) for tier in (1, 2, 3)]
    ['R', 'VERB:SVA', 'R:VERB:SVA']
    """
    if type == UNCORRECTED or tier == 3:
        return type
    return type[:1] if tier == 1 else type[2:]


class ComparedScorer(EditScorer):
    """Reference edits, ready to be compared with a hypothesis' edits."""

    metric: ComparedMetric

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences with their reference edits, to look at."""
        return self._with_reference_edits(self.corpus.sentences)

    @cached_property
    def gold(self) -> EditTable:
        """The references' edits that count."""
        columns = self.corpus.columns
        if self.takes_gold_edits and columns.annotated.all() and isinstance(self.corpus.sentences, ColumnSentences):
            return self.metric.edit_filter(EditTable.of_columns(columns))
        return self._table([sentence.annotations for sentence in self.sentences])

    def _table(self, annotations: Sequence[Sequence[Annotation]]) -> EditTable:
        return self.metric.edit_filter(EditTable.of(annotations))

    @abstractmethod
    def extract(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        """The typed edits that turn each sentence into its text."""

    @property
    @abstractmethod
    def extraction_name(self) -> str:
        """Who extracted edits, for the signature."""

    def keeps_text(self, sentence: Sentence, text: str) -> bool:
        """Whether a rewritten reference is one of the sentence's annotators."""
        return True

    def _with_reference_edits(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        wanting = [(s, text) for s in sentences if not s.annotations for text in s.references]
        if not wanting:
            return sentences
        edits = iter(self.extract([s for s, _ in wanting], [text for _, text in wanting]))
        annotated = []
        for sentence in sentences:
            if sentence.annotations:
                annotated.append(sentence)
                continue
            made = [(Annotation(str(r), next(edits)), text) for r, text in enumerate(sentence.references)]
            true_to_text = tuple(annotation for annotation, text in made if self.keeps_text(sentence, text))
            annotations = true_to_text or ((Annotation("0"),) if made else ())
            annotated.append(replace(sentence, annotations=annotations, references=()))
        return annotated

    def matches_of(self, system: System) -> Matches:
        """Edits that the system gave itself are taken as they are."""
        listed = self._edits_of_file(system)
        if listed is None:
            return super().matches_of(system)
        columns = listed.columns if isinstance(listed, ColumnAnnotations) else None
        proposed = self._table(listed) if columns is None else self.metric.edit_filter(EditTable.of_columns(columns))
        return match(self.gold, proposed, self.metric.match_rule)

    def _edits_of_file(self, system: System) -> Sequence[Sequence[Annotation]] | None:
        """Edits of the system's own; where the corpus was cut into other tokens, they no longer fit."""
        if self.corpus.segmenter is not None:
            return None
        if system.annotations is not None or system.edits is None:
            return system.annotations
        if isinstance(system.edits, ColumnEdits):
            return system.edits.annotations
        return [(Annotation("0", tuple(edits)),) for edits in system.edits]

    def defer_system(self, system: System) -> list[DeferredEdits]:
        if self._edits_of_file(system) is None:
            return super().defer_system(system)
        places = range(len(self.corpus))
        return [DeferredEdits(0, None, lambda: self.in_context(self.matches_of(system), places))]

    def edit_sources(self, system: System | None) -> dict[str, str]:
        has_own_edits = system is not None and self._edits_of_file(system) is not None
        takes_gold_edits = self.takes_gold_edits and self.corpus.columns.annotated.all()
        made = self.corpus.edits_made.replace(" ", "+")
        of_gold = f"given({made})" if made else "given"
        return {
            "hypothesis_edits": "given" if has_own_edits else self.extraction_name,
            "reference_edits": of_gold if takes_gold_edits else self.extraction_name,
        }

    @property
    def takes_gold_edits(self) -> bool:
        """Whether edits that the gold has stay as they are."""
        return True

    def sees_texts_alone(self, system: System) -> bool:
        return self._edits_of_file(system) is None and self.metric.average == "micro"

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        matches = self.matches(hypotheses, source_of)
        return self._counts(matches, source_of, self.edit_sources(None))

    def _count_system(self, system: System) -> Counts:
        if self._edits_of_file(system) is None:
            counts = super()._count_system(system)
        else:
            places = range(len(self.corpus))
            counts = self._counts(self.matches_of(system), places, self.edit_sources(system))
        return self.with_needed_types(system, counts)

    def with_needed_types(self, system: System, counts: Counts) -> Counts:
        return self.count_types(system, counts) if self.metric.average == "macro" else counts

    def _counts(self, matches: Matches, source_of: Sequence[int], sources: Mapping[str, str]) -> Counts:
        names, columns = matches.columns
        rows = absent_rows((len(source_of), len(names), *self.metric.cells), np.int32)
        rows[matches.rows, columns] = np.column_stack([matches.counts, matches.places])
        return replace(self.counts_of(rows, names, source_of), made_with=sources)

    def count_types(self, system: System, counts: Counts) -> Counts:
        """What is right or missing under the reference's type, what is wrong under the hypothesis' own."""
        matches = self.matches_of(self.system_of(system))
        return replace(counts, types=types_of_outcomes(matches, self.corpus.first, counts.columns), system_types=True)
