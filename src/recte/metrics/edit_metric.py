"""What metrics over edits share: rows of true positives, proposed and gold edits, one column per annotator.

Such a metric says how edits are found (`EditScorer.find`), which are the same (`EditMetric.match_rule`), and how an
annotator is chosen for each sentence. Scores, breakdowns by annotator and type, verdicts, weights and explanations
follow from that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, Sentence, System
from recte.corpus.counts import ABSENT, Counts, is_present, plain_rows
from recte.corpus.edit_table import EditTable
from recte.corpus.vocabulary import runs
from recte.edits.edit_context import DeferredEdits, EditsInContext, SourceColumns, TextPairs, Texts
from recte.edits.matching import IN_GOLD, Matches, MatchRule, match, types_of_gold
from recte.edits.verdicts import JudgedEdit, Verdicts
from recte.errors import InputError
from recte.extraction.reference_edits import EditRule, with_edits
from recte.metrics.annotator_choice import ChoiceRule, best_f, f_score, precision_recall_f
from recte.metrics.base import Column, Metric, PrecisionRecall, Score, Scorer, option
from recte.metrics.resamples import Resamples
from recte.metrics.score import EDIT_COLUMNS
from recte.metrics.tally import Tally

if TYPE_CHECKING:
    from recte.metrics.explanation import Explanation

__all__ = ["ROWS_TOGETHER", "BetaOption", "EditMetric", "EditScore", "EditScorer"]

ROWS_TOGETHER = 4_096  # rows whose edits are found together, while a model reads the texts of the last ones


@dataclass(frozen=True, kw_only=True)
class EditScore(Score):
    """P, R and F over the edits, against the chosen annotators; `annotators` has each one alone.

    `rejudged` says how many edits outside the gold had which verdict, where verdicts were asked for. `two_type_lists`
    is true where gold and system name types by different lists: then `types` has recall alone.
    """

    out_of_range_reason: ClassVar[str] = (
        "gold edits that stand twice are counted twice, or one gold edit for several proposed"
    )

    tp: float
    fp: float
    fn: float
    proposed: float
    gold: float
    precision: float
    recall: float
    annotators: Mapping[str, Mapping[str, float]]
    rejudged: Mapping[str, int] | None = field(default=None, metadata={"on_request": True})
    two_type_lists: bool | None = field(default=None, metadata={"on_request": True})


@dataclass(frozen=True, kw_only=True)
class BetaOption:
    """F's weight."""

    beta: float = option(
        0.5, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )


@dataclass(frozen=True, kw_only=True)
class EditMetric(BetaOption, Metric):
    """A metric with a row of (tp, proposed, gold) for every sentence and annotator.

    `MaxMatch(edit_weights="length")`, or any other metric over edits with weights or verdicts of edits, is
    `WeightedEdits(MaxMatch(), "length")`: what is declared here as options of every such metric is done there.
    """

    cells: ClassVar[tuple[int, ...]] = (3,)
    judges_edits: ClassVar[bool] = True
    counts_types: ClassVar[bool] = True
    tie_rule: ClassVar[str] = "then more tp, smaller β²·gold + proposed, the first decide"

    edit_weights: str = option(
        "",
        "how much an edit counts: length, a file of weights, or a scorer of two texts as module:function",
        loader="recte.formats.edit_values:load_edit_weights",
    )
    edit_verdicts: str = option(
        "",
        "a file, or a judge of two texts as module:function, that says which edits outside the gold are right",
        loader="recte.formats.edit_values:load_edit_verdicts",
    )

    def __new__(cls, **options: Any) -> Self:
        if not (options.get("edit_weights") or options.get("edit_verdicts")):
            return super().__new__(cls)
        from recte.metrics.weighted_edits import WeightedEdits

        values = {name: options.pop(name, "") for name in ("edit_weights", "edit_verdicts")}
        return cast("Self", WeightedEdits(cls(**options), **values))

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """No more edits found than proposed, nor than the gold has."""
        tp, proposed, gold = rows[:, 0], rows[:, 1], rows[:, 2]
        if (tp <= np.minimum(proposed, gold)).all():  # nearly always, and faster
            return super().valid_rows(rows)
        correct = (tp <= proposed) | ((self.overcounted == "proposed") & (proposed > 0))
        is_recall_valid = (tp <= gold) | ((self.overcounted == "gold") & (gold > 0))
        return super().valid_rows(rows) & correct & is_recall_valid

    @property
    @abstractmethod
    def match_rule(self) -> MatchRule:
        """When a proposed edit and one of the gold's are the same."""

    @abstractmethod
    def prepare(self, gold: Corpus) -> EditScorer: ...

    @property
    @abstractmethod
    def choice(self) -> ChoiceRule:
        """How an annotator is chosen for each sentence."""

    @property
    def overcounted(self) -> Literal["", "proposed", "gold"]:
        """What may be fewer than the true positives, where one edit is counted for several."""
        return ""

    @property
    def chooses_alone(self) -> bool:
        """Whether each sentence has the annotator that suits it best, whatever the others have."""
        return False

    @property
    def chooses_together(self) -> bool:
        return not self.chooses_alone

    def triples(self, counts: Counts) -> NDArray[Any]:
        """True positives, proposed and gold, by sentence and annotator, that the score is made of."""
        return np.ascontiguousarray(self.read_rows(counts)[:, :, :3])

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return self.choice.choose(self.triples(counts), self.beta)

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self.choice.scores(self.triples(counts), weights, self.beta)

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        drawn = self.choice.draw_scores(self.triples(counts), resamples, self.beta)
        return super().score_resamples(counts, resamples) if drawn is None else drawn

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        if not isinstance(score, EditScore) or not score.proposed:
            return None
        return PrecisionRecall(score.precision, score.recall, self.beta)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*EDIT_COLUMNS, Column(f"F{self.beta:g}", ("score",)))

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> EditScore:
        entries = self.all_entries(counts) if sentences else None
        return replace(self.score_against(counts, self.chosen_columns(counts)), sentences=entries)

    def score_against(self, counts: Counts, chosen: NDArray[np.int32]) -> EditScore:
        """The score against one annotator of each sentence."""
        triples = self.triples(counts)
        annotated = np.flatnonzero(chosen != ABSENT)
        return EditScore(
            **self.common_figures(counts),
            **self._whole_figures(_sum_up(triples[annotated, chosen[annotated]])),
            annotators={
                column: {"sentence_count": int(present.sum()), **self._of_sums(_sum_up(triples[present, c]))}
                for c, (column, present) in enumerate(zip(counts.columns, is_present(triples).T, strict=True))
            },
            types=None if counts.types is None else self._by_type(counts, chosen),
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
                "found": matched,
                "recall": matched / gold if gold else None,
                "proposed": proposed if counts.system_types else None,
                "correct": correct if counts.system_types else None,
                "precision": correct / proposed if proposed else None,
                "score": f_score(correct / proposed, matched / gold, self.beta) if proposed and gold else None,
            }
            for type_, (gold, matched, proposed, correct) in totals.items()
        }

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        return self.entries_against(counts, self.chosen_columns(counts), self.sentence_scores(counts))

    def entries_against(
        self, counts: Counts, chosen: NDArray[np.int32], scores: NDArray[np.float64]
    ) -> Iterator[dict[str, Any]]:
        """An entry for each sentence: its score alone, and its counts against the annotator chosen for it."""
        triples = self.triples(counts)
        for index, row, present, column, score in plain_rows(
            counts.index, triples, is_present(triples), chosen, scores
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


def _sum_up(triples: NDArray[Any]) -> list[float]:
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

    @cached_property
    def gold(self) -> EditTable:
        """The gold's edits, those of rewritten references among them."""
        return EditTable.of([sentence.annotations for sentence in self.sentences])

    @abstractmethod
    def find(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EditTable:
        """The edits that turn each hypothesis' sentence into it."""

    def matches(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Matches:
        """The edits of hypotheses and those of the gold that they equal."""
        return match(self.gold, self.find(hypotheses, source_of), self.metric.match_rule, source_of)

    def matches_of(self, system: System) -> Matches:
        """As `matches`, of a system, which may have edits of its own; by default those found in its texts."""
        return self.matches(self.segmented(system.outputs), range(len(self.corpus)))

    @cached_property
    def sources(self) -> SourceColumns:
        return SourceColumns.of(self.corpus.columns)

    @cached_property
    def _reference_texts(self) -> Sequence[str]:
        return self.sources.with_annotations(self.gold, self.gold.sentences).to_list()

    def reference_texts(self, matches: Matches, source_of: Sequence[int]) -> Sequence[str]:
        """What each annotation of the matches' gold makes of its sentence; `source_of` is that of each row."""
        if matches.gold is self.gold:
            return self._reference_texts
        places = np.asarray(source_of, dtype=np.int64)  # each row has a gold of its own
        return self.sources.with_annotations(matches.gold, places[matches.gold.sentences]).to_list()

    def verdicts(self, matches: Matches, source_of: Sequence[int]) -> Verdicts:
        """A verdict on every edit; `source_of` is the sentence of each row."""
        return Verdicts(matches, lambda row: self.sources.words(source_of[row]))

    def gold_sentences(self) -> Sequence[Sentence]:
        return self.sentences

    def edit_sources(self, system: System | None) -> dict[str, str]:
        """Who found the edits of a system, or of texts, and of the gold, for the signature; where it can vary."""
        return {}

    def in_context(self, matches: Matches, source_of: Sequence[int]) -> EditsInContext:
        """Every edit of the matches, to be weighed or judged; `source_of` is the sentence of each row."""
        places = np.asarray(source_of, dtype=np.int64)
        references = self.reference_texts(matches, source_of)
        return EditsInContext(matches, self.sources, places, references, self.corpus.first)

    def defer(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> list[DeferredEdits]:
        """The edits of hypotheses and of the gold in parts, each found when it is asked for."""
        return [
            DeferredEdits(
                part.start,
                self._pairs_ahead(source_of[part]),
                partial(self._find_part, hypotheses[part], source_of[part]),
            )
            for part in (slice(begin, begin + ROWS_TOGETHER) for begin in range(0, len(source_of), ROWS_TOGETHER))
        ]

    def defer_system(self, system: System) -> list[DeferredEdits]:
        """As `deferred`, of a system that may have edits of its own."""
        return self.defer(self.segmented(system.outputs), range(len(self.corpus)))

    def _find_part(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EditsInContext:
        return self.in_context(self.matches(hypotheses, source_of), source_of)

    def _pairs_ahead(self, source_of: Sequence[int]) -> TextPairs | None:
        """Sources and references that differ: the gold has edits there, whatever was proposed."""
        places = np.asarray(source_of, dtype=np.int64)
        first, last = (np.searchsorted(self.gold.sentences, places, side=side) for side in ("left", "right"))
        annotations, offsets = runs(first, last)
        sentences = np.repeat(places, np.diff(offsets))
        pairs = zip(sentences.tolist(), annotations.tolist(), strict=True)
        both = [(" ".join(self.sources.words(s)), self._reference_texts[a]) for s, a in pairs]
        texts = Texts()
        numbers = texts.numbers([text for pair in both if pair[0] != pair[1] for text in pair])
        return TextPairs(texts.listed, numbers.reshape(-1, 2))

    def with_needed_types(self, system: System, counts: Counts) -> Counts:
        """The counts with a table by error type, where the metric's score follows from it."""
        return counts

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        places = range(len(self.corpus))
        verdicts = self.verdicts(self.matches_of(self.system_of(hypotheses)), places)
        return [verdicts.of_row(row, None if annotators is None else annotators[row]) for row in places]

    def count_types(self, system: System, counts: Counts) -> Counts:
        """Recall by the gold's types, and precision by the system's own where it gave its edits with types."""
        system = self.system_of(system)
        matches, of_system = self.matches_of(system), None
        if system.edits is not None:
            # Whatever was found in the texts, these are the edits that have types.
            of_system = match(matches.gold, EditTable.of_one_annotator(system.edits), IN_GOLD)
        types = types_of_gold(matches, of_system, self.corpus.first, counts.columns)
        return replace(counts, types=types, system_types=of_system is not None)

    def explain(self, system: System, number: int) -> Explanation:
        return self.explain_part(system, number)

    def explain_part(self, system: System, number: int, counts: Counts | None = None) -> Explanation:
        from recte.metrics.edit_explanation import explain_edits

        of_sentence = type(self)(self.metric, self.corpus[number - 1 : number])
        return explain_edits(self, of_sentence, system, number, counts=counts)
