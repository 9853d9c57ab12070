"""What metrics over edits share: rows of true positives, proposed and gold edits, one column per annotator.

Such a metric says how edits are found and matched (`EditScorer.matched`), and by what rule an annotator is chosen for
each sentence. Scores, breakdowns by annotator and type, verdicts and explanations follow from that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.alignment.verdicts import JudgedEdit, MatchedEdits
from recte.corpus import Corpus, Edit, Sentence, System, annotator_order
from recte.counts import ABSENT, Counts, TypeCount, TypeTable, absent_rows, is_present
from recte.errors import InputError, OptionError
from recte.extraction.reference_edits import EditRule, with_edits
from recte.metrics.annotator_choice import (
    best_f,
    choose,
    f_score,
    precision_recall_f,
    scores_of_choices,
)
from recte.metrics.base import Column, Metric, PrecisionRecall, Score, Scorer, option
from recte.metrics.score import EDIT_COLUMNS
from recte.metrics.seen_edits import SeenEdits, SeenSoon
from recte.metrics.tally import Tally
from recte.metrics.weighed_choice import ChoiceRule, WeighedTies
from recte.metrics.weighed_edits import WeighedSides, weighed_sides
from recte.weighing.text_judges import EDIT_VERDICTS, edit_judge
from recte.weighing.weights import EditWeigher, edit_weigher, weights_of

if TYPE_CHECKING:
    from recte.metrics.explanation import Explanation

__all__ = ["EditMetric", "EditScore", "EditScorer"]


@dataclass(frozen=True, kw_only=True)
class EditScore(Score):
    """P, R and F over the edits, against the chosen annotators; `annotators` has each one alone.

    `rejudged` says how many edits beside the gold had which verdict, where verdicts were asked for.
    """

    beyond: ClassVar[str] = "gold edits that stand twice are counted twice, or one gold edit for several proposed"

    tp: float
    fp: float
    fn: float
    proposed: float
    gold: float
    precision: float
    recall: float
    annotators: Mapping[str, Mapping[str, float]]
    rejudged: Mapping[str, int] | None = field(default=None, metadata={"on_request": True})


@dataclass(frozen=True, kw_only=True)
class EditMetric(Metric):
    """A metric with a row of (tp, proposed, gold) for every sentence and annotator.

    A metric whose rows hold more overrides `triples`; one that chooses annotators by another rule overrides
    `choice_rule`, or `choose` and `_score_many`.
    """

    plain_cells: ClassVar[int] = 3  # of a row, before those of verdicts
    judges_edits: ClassVar[bool] = True
    counts_types: ClassVar[bool] = True
    tie_rule: ClassVar[str] = "then more tp, smaller β²·gold + proposed, the first decide"

    beta: float = option(
        0.5, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )

    edit_weights: str = option(
        "",
        "how much an edit counts: length, a file of weights, or a scorer of two texts as module:function",
        loader="recte.formats.edit_values:load_edit_weights",
    )
    edit_verdicts: str = option(
        "",
        "a file, or a judge of two texts as module:function, that says which edits beside the gold are right after all",
        loader="recte.formats.edit_values:load_edit_verdicts",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.looks_at_edits and not self.judges_edits:
            raise OptionError(f"edit_weights, edit_verdicts: expected a metric that judges edits, got {self.name}")

    def possible(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """No more edits found than proposed, nor than the gold has; weights of the two sides may differ."""
        tp, proposed, gold = rows[:, 0], rows[:, 1], rows[:, 2]
        if (tp <= np.minimum(proposed, gold)).all():  # nearly always, and faster
            return super().possible(rows)
        found = (tp <= proposed) | ((self.overcounted == "proposed") & (proposed > 0))
        wanted = (tp <= gold) | ((self.overcounted == "gold") & (gold > 0)) | self.looks_at_edits
        return super().possible(rows) & found & wanted

    @property
    def looks_at_edits(self) -> bool:
        """Whether every edit must be seen, since it has a weight or a verdict of its own."""
        return self.weighs_edits or bool(self.edit_verdicts)

    @property
    def weighs_edits(self) -> bool:
        """Whether edits have weights, and rows hold sums of them."""
        return bool(self.edit_weights)

    def weigher(self) -> EditWeigher:
        """Who weighs edits, where edits have weights."""
        return edit_weigher(self.edit_weights)

    def weighed_cells(self, sides: WeighedSides, place: NDArray[np.int64]) -> NDArray[np.float64]:
        """Plain cells where every edit was seen, by side; `place` is the annotator's among those of the sentence."""
        more = self.plain_cells - sides.triples.shape[1]
        return np.column_stack([sides.triples, *[place] * more])

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self.plain_cells + (len(EDIT_VERDICTS) if self.edit_verdicts else 0),)

    @property
    def dtype(self) -> type[np.int32] | type[np.float64]:  # type: ignore[override]
        return np.float64 if self.weighs_edits else np.int32

    @property
    def weighed_ties(self) -> WeighedTies:
        """What decides between annotators of equal F and true positives, where edits have weights."""
        return "denominator"

    @property
    def choice_rule(self) -> ChoiceRule:
        """`running`: sentence by sentence, best for the totals so far; `optimal`: best for the corpus as a whole."""
        return "running"

    @property
    def overcounted(self) -> Literal["", "proposed", "gold"]:
        """What may be fewer than the true positives, where one edit is counted for several."""
        return ""

    @property
    def chooses_alone(self) -> bool:
        """Whether each sentence has the annotator that suits it best, whatever the others have."""
        return False

    def compared_f(self, f: float) -> float:
        """F of running totals as annotators are compared by it."""
        return f

    def choose(self, triples: NDArray[Any]) -> NDArray[np.int32]:
        """The annotator of each sentence, by the metric's rule."""
        return choose(triples, self.beta, self.choice_rule, self.weighed_ties)

    def triples(self, counts: Counts) -> NDArray[Any]:
        """True positives, proposed and gold, by sentence and annotator, that the score is made of."""
        return np.ascontiguousarray(counts.rows[:, :, :3])

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return self.choose(self.triples(counts))

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return scores_of_choices(self.triples(counts), weights, self.beta, self.choice_rule, self.weighed_ties)

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        if not isinstance(score, EditScore) or not score.proposed:
            return None
        return PrecisionRecall(score.precision, score.recall, self.beta)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            *EDIT_COLUMNS,
            *(Column(v, ("rejudged", v), percentage=False) for v in EDIT_VERDICTS if self.edit_verdicts),
            Column(f"F{self.beta:g}", ("score",)),
        )

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> EditScore:
        triples = self.triples(counts)
        chosen = self.chosen_columns(counts)
        annotated = np.flatnonzero(chosen != ABSENT)
        rejudged = counts.rows[annotated, chosen[annotated], self.plain_cells :].sum(axis=0)
        return EditScore(
            **self.common_figures(counts),
            **self._whole_figures(_summed(triples[annotated, chosen[annotated]])),
            annotators={
                column: {"sentence_count": int(present.sum()), **self._of_sums(_summed(triples[present, c]))}
                for c, (column, present) in enumerate(zip(counts.columns, is_present(triples).T, strict=True))
            },
            rejudged=dict(zip(EDIT_VERDICTS, map(int, rejudged), strict=True)) if self.edit_verdicts else None,
            types=None if counts.types is None else self._by_type(counts, chosen),
            sentences=tuple(self.sentence_entries(counts)) if sentences else None,
        )

    def score_tally(self, tally: Tally) -> EditScore:
        """The score of a corpus from its sums; `tally.chosen` are those of the chosen annotators."""
        by_column = zip(tally.header.columns, tally.present.tolist(), tally.sums.tolist(), strict=True)
        return EditScore(
            **self.common_figures(tally),
            **self._whole_figures(tally.chosen.tolist()),
            annotators={
                column: {"sentence_count": present, **self._of_sums(sums)} for column, present, sums in by_column
            },
        )

    def _whole_figures(self, sums: Sequence[float]) -> dict[str, Any]:
        tp, proposed, gold = sums
        return {**self._of_sums(sums), "fp": proposed - tp, "fn": gold - tp}

    def _of_sums(self, sums: Sequence[float]) -> dict[str, Any]:
        tp, proposed, gold = sums
        precision, recall, f = precision_recall_f(tp, proposed, gold, self.beta)
        return {"tp": tp, "proposed": proposed, "gold": gold, "precision": precision, "recall": recall, "score": f}

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """F of each sentence against the annotator that suits it best."""
        return best_f(self.triples(counts), self.beta)

    def _by_type(self, counts: Counts, chosen: NDArray[np.int32]) -> dict[str, dict[str, Any]]:
        """Figures of each error type against the chosen annotators."""
        totals = {} if counts.types is None else counts.types.totals(counts.index, chosen)
        return {
            type_: {
                "gold": gold,
                "found": found,
                "recall": found / gold if gold else None,
                "proposed": proposed if counts.system_types else None,
                "correct": correct if counts.system_types else None,
                "precision": correct / proposed if proposed else None,
                "score": f_score(correct / proposed, found / gold, self.beta) if proposed and gold else None,
            }
            for type_, (gold, found, proposed, correct) in totals.items()
        }

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        triples = self.triples(counts)
        for index, row, present, column, score in zip(
            counts.index.tolist(),
            triples.tolist(),
            is_present(triples).tolist(),
            self.chosen_columns(counts).tolist(),
            self.sentence_scores(counts).tolist(),
            strict=True,
        ):
            by_annotator = {
                name: dict(zip(("tp", "proposed", "gold"), cells, strict=True))
                for name, cells, there in zip(counts.columns, row, present, strict=True)
                if there
            }
            picked = counts.columns[column]
            yield {
                "sentence": index + 1,
                "score": score,
                "chosen": picked,
                **by_annotator[picked],
                "annotators": by_annotator,
            }


def _summed(triples: NDArray[Any]) -> list[float]:
    sums: list[float] = triples.sum(axis=0, dtype=np.int64 if triples.dtype.kind == "i" else np.float64).tolist()
    return sums


class EditScorer(Scorer[Any]):
    """Sources and gold edits, ready to match hypotheses with them.

    `rule` says how rewritten references become edits, where the gold has no edits of its own; `annotator` and
    `language` are those of the rule `errant`.
    """

    metric: EditMetric

    def __init__(
        self,
        metric: EditMetric,
        corpus: Corpus,
        *,
        rule: EditRule = "maxmatch",
        annotator: str = "builtin",
        language: str = "en",
    ) -> None:
        super().__init__(metric, corpus)
        self._reference_edits: dict[str, Any] = {"rule": rule, "annotator": annotator, "language": language}
        bare = corpus.columns.without_gold
        if bare.size:
            sentence = corpus[int(bare[0])]
            raise InputError(
                f"expected gold edits or references for sentence {sentence.id or sentence.text!r}, got none"
            )

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences with edits, those of rewritten references among them, to look at."""
        if self.corpus.columns.annotated.all():
            return self.corpus.sentences
        return with_edits(self.corpus.sentences, **self._reference_edits)

    @abstractmethod
    def matched(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Iterable[MatchedEdits]:
        """For each hypothesis, its edits beside the gold's."""

    def matched_system(self, system: System) -> Iterable[MatchedEdits]:
        """For each sentence the system's edits beside the gold's; by default those found in its texts."""
        outputs = self.segmented(system.outputs)
        return self.matched(outputs, range(len(outputs)))

    def gold_sentences(self) -> Sequence[Sentence]:
        return self.sentences

    def edit_sources(self, system: System | None) -> dict[str, str]:
        """Who found the edits of a system, or of texts, and of the gold, for the signature; where it can vary."""
        return {}

    def seen(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> list[SeenSoon]:
        """The edits of hypotheses and of the gold as columns, in parts; by default from objects."""
        places = [s + self.corpus.first for s in source_of]
        return [SeenSoon(0, None, lambda: SeenEdits.of(list(self.matched(hypotheses, source_of)), places))]

    def seen_in(self, system: System) -> list[SeenSoon]:
        """As `seen`, of a system that may have edits of its own."""
        places = range(self.corpus.first, self.corpus.first + len(self.corpus))
        return [SeenSoon(0, None, lambda: SeenEdits.of(list(self.matched_system(system)), places))]

    def _count_texts(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        if not self.metric.looks_at_edits:
            return super()._count_texts(hypotheses, source_of)
        return self._count_seen(self.seen(hypotheses, source_of), source_of, self.edit_sources(None))

    def _count_system(self, system: System) -> Counts:
        if not self.metric.looks_at_edits:
            return super()._count_system(system)
        return self._count_seen(self.seen_in(system), range(len(self.corpus)), self.edit_sources(system))

    def _count_seen(self, parts: Sequence[SeenSoon], source_of: Sequence[int], sources: Mapping[str, str]) -> Counts:
        """Counts where every edit has a weight or a verdict of its own."""
        metric = self.metric
        weigher = metric.weigher() if metric.weighs_edits else None
        judge = edit_judge(metric.edit_verdicts) if metric.edit_verdicts else None
        found = weights_of(weigher, [(part.ahead, part.find) for part in parts])
        names = {edits.annotators[column] for edits, _ in found for column in np.unique(edits.column).tolist()}
        columns = tuple(sorted(names, key=annotator_order))
        place = {name: column for column, name in enumerate(columns)}
        rows = absent_rows((len(source_of), len(columns), *metric.cells), metric.dtype)
        for part, (edits, weights) in zip(parts, found, strict=True):
            sides = weighed_sides(edits, np.asarray(weights, dtype=np.float64), judge)
            verdicts = [sides.verdicts] if judge else []
            ranks = np.array([place.get(name, 0) for name in edits.annotators], dtype=np.int64)
            cells = np.column_stack([metric.weighed_cells(sides, edits.place), *verdicts])
            rows[part.first + edits.row, ranks[edits.column]] = cells
        named = {
            key: what.name for key, what in (("edit_weights", weigher), ("edit_verdicts", judge)) if what is not None
        }
        return replace(self.counts_of(rows, columns, source_of), made_with={**sources, **named})

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        found = []
        for i, matched in enumerate(self.matched_system(self.system_of(hypotheses))):
            wanted = matched.annotators if annotators is None else (annotators[i],)
            found.append({annotator: matched.judged(annotator) for annotator in wanted})
        return found

    def count_types(self, system: System, counts: Counts) -> Counts:
        """Recall by the gold's types, and precision by the system's own where it gave its edits, or where the metric
        finds types itself.
        """
        cells: list[TypeCount] = []
        typed = system.edits is not None
        for i, matched in enumerate(self.matched_system(self.system_of(system))):
            for a in matched.sentence.annotations:
                own: Sequence[Edit] = () if system.edits is None else system.edits[i]
                if system.edits is None and matched.typed:
                    typed, own = True, matched.typed_edits(a.annotator)
                found = matched.found(a.annotator)
                cells.extend(TypeCount.of_sentence(i + self.corpus.first, a.annotator, a.edits, found, own))
        return replace(counts, types=TypeTable.of(cells, counts.columns), system_types=typed)

    def explain(self, system: System, number: int) -> Explanation:
        from recte.metrics.edit_explanation import explain_edits

        return explain_edits(self, system, number)
