"""Sources and references in the form the I-measure's kernels take, ready for any number of hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import GoldError, Sentence
from recte.corpus.gold_columns import Columns, columns_of
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import EncodedText, gather, offsets_of
from recte.edits.edit_search import check_hypotheses
from recte.edits.error_clusters import (
    ErrorOption,
    Tokens,
    apply_slices,
    cluster_errors,
    combination_count,
    error_options,
    list_references,
)
from recte.errors import OptionError, TooLongError
from recte.text.treebank import treebank_words
from recte.threads import thread_count

__all__ = [
    "AlignmentColumn",
    "Optimise",
    "ReferenceSearch",
    "ThreeWayAlignment",
    "ThreeWayOptions",
]

Optimise = Literal[
    "wacc",
    "i",
    "acc",
    "precision",
    "recall",
    "f",
    "detection-wacc",
    "detection-i",
    "detection-acc",
    "detection-precision",
    "detection-recall",
    "detection-f",
]
OPTIMISE: tuple[Optimise, ...] = get_args(Optimise)  # figures of correction, then those of detection
CELLS = (
    "detection_tp",
    "detection_tn",
    "detection_fp",
    "detection_fn",
    "correction_tp",
    "correction_tn",
    "correction_fp",
    "correction_fn",
    "correction_fpn",
    "baseline_tn",
    "baseline_fn",
)
_SEARCHED, _TOO_LONG = 1, 2
_SOURCE, _HYPOTHESIS, _REFERENCE = 4, 2, 1


@dataclass(frozen=True, kw_only=True)
class ThreeWayOptions:
    """Costs of the alignment, how references are compared, and where exactness gives way."""

    match_cost: int = 0
    mismatch_cost: int = 3
    gap_cost: int = 2
    weight: float = 2.0
    beta: float = 0.5
    printed_baseline: bool = False
    optimise: Optimise = "wacc"
    max_combinations: int = 100_000
    max_cells: int = 64_000_000
    candidates: int = 1

    def __post_init__(self) -> None:
        match, mismatch, gap = self.match_cost, self.mismatch_cost, self.gap_cost
        if not 2 * gap > mismatch > gap > match >= 0 or mismatch > 1000:
            raise OptionError(
                "match_cost, mismatch_cost, gap_cost: expected 2·gap > mismatch > gap > match ≥ 0, up to 1000, "
                f"got match {match}, mismatch {mismatch}, gap {gap}"
            )

    def kernel(self) -> _kernels.IMeasureOptions:
        return _kernels.IMeasureOptions(
            match=self.match_cost,
            mismatch=self.mismatch_cost,
            gap=self.gap_cost,
            weight=self.weight,
            beta=self.beta,
            baseline=int(self.printed_baseline),
            optimise=OPTIMISE.index(self.optimise),
            max_cells=self.max_cells,
            max_combinations=self.max_combinations,
            candidates=self.candidates,
        )


class AlignmentColumn(NamedTuple):
    """One token of each text, None for a gap."""

    source: str | None
    hypothesis: str | None
    reference: str | None


@dataclass(frozen=True)
class ThreeWayAlignment:
    """The published optimal alignment and its cost."""

    columns: tuple[AlignmentColumn, ...]
    cost: int


@dataclass(frozen=True)
class ReferenceChoice:
    """What was chosen for one hypothesis: the reference's words, and whose corrections it holds."""

    tokens: Tokens
    annotators: tuple[str, ...]
    picked: tuple[int, ...] = ()  # mixed: the option of each error


class ReferenceChoices(Sequence[ReferenceChoice]):
    """What was chosen for each hypothesis, made when one is looked at.

    `hypotheses` are these in numbers, and `rows` the places of the references chosen among all, where none was mixed.
    """

    def __init__(
        self, hypotheses: EncodedText, rows: NDArray[np.int64] | None, choice: Callable[[int], ReferenceChoice]
    ) -> None:
        self.hypotheses = hypotheses
        self.rows = rows
        self._choice = choice

    def __len__(self) -> int:
        return len(self.hypotheses[1]) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._choice(i) for i in range(*index.indices(len(self)))]
        return self._choice(range(len(self))[index])


class ReferenceSearch:
    """Finds the best reference of each hypothesis, among the annotators' own or all mixtures of them."""

    def __init__(
        self, sentences: Sequence[Sentence], *, mix: bool, treebank: bool, columns: Columns | None = None
    ) -> None:
        self.sentences = sentences
        self.mix = mix
        self._treebank = treebank
        self._looked_at: dict[int, dict[Tokens, tuple[str, ...]]] = {}
        of_gold = columns_of(sentences) if columns is None else columns
        self._vocabulary = of_gold.vocabulary.copy()  # corrections cut into other words extend it
        self._sources = of_gold.tokens
        # Errors as a file groups them are known to the sentences alone.
        grouped = not isinstance(sentences, ColumnSentences) and any(s.errors is not None for s in sentences)
        self.options: list[tuple[tuple[ErrorOption, ...], ...]] = []
        if mix:
            self.options = [tuple(error_options(s.tokens, e) for e in self._errors(s)) for s in sentences]
            self._tables = self._make_mixed_tables()
        elif grouped:
            self._tables = self._list_tables()
        else:
            self._tables = self._make_unmixed_tables(of_gold)

    def _errors(self, sentence: Sentence) -> tuple[GoldError, ...]:
        return cluster_errors(sentence, treebank=self._treebank)

    def references(self, place: int) -> dict[Tokens, tuple[str, ...]]:
        """The distinct references of a sentence without mixing, each with the annotators it comes from."""
        if place not in self._looked_at:  # every system asks again
            sentence = self.sentences[place]
            self._looked_at[place] = list_references(sentence, self._errors(sentence))
        return self._looked_at[place]

    @property
    def combinations(self) -> list[int]:
        """How many references each sentence has: distinct ones unmixed, combinations of options mixed."""
        if self.mix:
            return [combination_count(o) for o in self.options]
        counts: list[int] = np.diff(self._tables["reference_offsets"]).tolist()
        return counts

    def _make_unmixed_tables(self, columns: Columns) -> dict[str, Any]:
        offsets, references = _kernels.unmixed_references(
            columns.tokens,
            columns.gold(),
            len(columns.annotators),
            columns.lines,
            self._encode_first_corrections(columns),
            columns.reference_offsets,
            columns.reference_words,
        )
        return {"reference_offsets": offsets, "references": references}

    def _encode_first_corrections(self, columns: Columns) -> EncodedText:
        """The words of each edit's first correction, cut as the Treebank is; each distinct one is cut once."""
        if not self._treebank:
            ids, ends = columns.words
            firsts = columns.correction_offsets[:-1]
            return gather(ids, ends[firsts], ends[firsts + 1])
        distinct = _kernels.Interner()
        buffer, begins, ends = columns.corrections.spans
        firsts = columns.correction_offsets[:-1]
        numbers = distinct.number((buffer, begins[firsts], ends[firsts]))
        (ids, offsets), _ = self._vocabulary.encode([treebank_words(text) for text in distinct.texts()], extend=True)
        return gather(ids, offsets[numbers], offsets[numbers + 1])

    def _list_tables(self) -> dict[str, Any]:
        listed = [list(self.references(place)) for place in range(len(self.sentences))]
        encoded, _ = self._vocabulary.encode([words for of_sentence in listed for words in of_sentence], extend=True)
        return {"reference_offsets": offsets_of(map(len, listed), len(listed)), "references": encoded}

    def _make_mixed_tables(self) -> dict[str, Any]:
        errors = list(chain.from_iterable(self.options))
        options = list(chain.from_iterable(errors))
        edits = [edit for option in options for edit in option.edits]
        encoded, _ = self._vocabulary.encode([words for _, _, words in edits], extend=True)
        return {
            "error_offsets": offsets_of(map(len, self.options), len(self.options)),
            "option_offsets": offsets_of(map(len, errors), len(errors)),
            "edit_offsets": offsets_of((len(option.edits) for option in options), len(options)),
            "starts": np.array([start for start, _, _ in edits], dtype=np.int32),
            "ends": np.array([end for _, end, _ in edits], dtype=np.int32),
            "corrections": encoded,
        }

    def count(
        self, hypotheses: Sequence[str], options: ThreeWayOptions, source_of: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_], ReferenceChoices]:
        """Rows by hypothesis and candidate, which were searched instead of enumerated, and the best references."""
        check_hypotheses(len(hypotheses), source_of)
        encoded, _ = self._vocabulary.encode_texts(hypotheses, extend=False)
        triples: dict[str, Any] = {
            "sources": self._sources,
            "hypotheses": encoded,
            "source_of": np.asarray(source_of, dtype=np.int64),
            **self._tables,
            "options": options.kernel(),
            "threads": thread_count(len(hypotheses)),
        }
        places = None
        if self.mix:
            offsets = offsets_of((len(self.options[s]) for s in source_of), len(source_of))
            rows, chosen, status = _kernels.count_mixed(**triples, chosen_offsets=offsets)

            def choice(i: int) -> ReferenceChoice:
                return self._choose_mixed(source_of[i], chosen[offsets[i] : offsets[i + 1]].tolist())
        else:
            rows, chosen, status = _kernels.count_references(**triples)
            places = self._tables["reference_offsets"][triples["source_of"]] + chosen[:, 0]

            def choice(i: int) -> ReferenceChoice:
                return self._choose_unmixed(source_of[i], int(chosen[i, 0]))

        refused = np.flatnonzero(status == _TOO_LONG)
        if refused.size:
            raise TooLongError(_too_many_cells(options), int(refused[0]) + 1)
        searched: NDArray[np.bool_] = status == _SEARCHED
        return rows, searched, ReferenceChoices(encoded, places, choice)

    def _choose_unmixed(self, sentence: int, reference: int) -> ReferenceChoice:
        tokens, annotators = list(self.references(sentence).items())[reference]
        return ReferenceChoice(tokens, annotators)

    def _choose_mixed(self, sentence: int, picked: Sequence[int]) -> ReferenceChoice:
        nothing = ErrorOption()  # where every combination was contradictory
        options = [of[o] if o >= 0 else nothing for of, o in zip(self.options[sentence], picked, strict=True)]
        tokens = apply_slices(self.sentences[sentence].tokens, [edit for option in options for edit in option.edits])
        owners = tuple("/".join(option.annotators) or "–" for option in options)
        return ReferenceChoice(tokens, owners, tuple(picked))

    def align(
        self, source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str], options: ThreeWayOptions
    ) -> ThreeWayAlignment:
        """The alignment of one triple, to look at."""
        a, b, c = self._triple(source, hypothesis, reference)
        taken, cost = _kernels.align_three(a, b, c, options.kernel())
        if cost < 0:
            raise TooLongError(_too_many_cells(options))
        texts = (_SOURCE, iter(source)), (_HYPOTHESIS, iter(hypothesis)), (_REFERENCE, iter(reference))
        columns = tuple(
            AlignmentColumn(*(next(text) if takes & bit else None for bit, text in texts)) for takes in taken.tolist()
        )
        return ThreeWayAlignment(columns, cost)

    def align_chosen(
        self, picks: ReferenceChoices, source_of: Sequence[int], options: ThreeWayOptions
    ) -> Iterator[tuple[str, bytes]]:
        """For each hypothesis the reference chosen and the alignment with it and its source, a byte a column: 4 source,
        2 hypothesis, 1 reference, added up; none where a triple is too long.
        """
        texts: Iterable[str]
        if picks.rows is None:
            words = [pick.tokens for pick in picks]
            references, _ = self._vocabulary.encode(words, extend=False)
            texts = map(" ".join, words)
        else:
            ids, ends = self._tables["references"]
            references = gather(ids, ends[picks.rows], ends[picks.rows + 1])
            texts = (self._reference_texts[row] for row in picks.rows.tolist())
        (ids, ends), places = self._sources, np.asarray(source_of, dtype=np.int64)
        sources = gather(ids, ends[places], ends[places + 1])
        columns, offsets = _kernels.align_triples(
            sources, picks.hypotheses, references, options.kernel(), thread_count(len(picks))
        )
        flat = columns.tobytes()
        return zip(texts, (flat[begin:end] for begin, end in pairwise(offsets.tolist())), strict=True)

    @cached_property
    def _reference_texts(self) -> tuple[str, ...]:
        """Every reference without mixing, words joined by spaces; all systems choose among them."""
        return tuple(TextColumn.join(self._vocabulary.interner, self._tables["references"]))

    def tie_outcomes(
        self,
        source: Sequence[str],
        hypothesis: Sequence[str],
        reference: Sequence[str],
        options: ThreeWayOptions,
        limit: int = 1000,
    ) -> list[list[int]]:
        """Distinct counts (the first nine of a row) over all optimal alignments."""
        a, b, c = self._triple(source, hypothesis, reference)
        outcomes: list[list[int]] = _kernels.tie_outcomes(a, b, c, limit, options.kernel()).tolist()
        return outcomes

    def _triple(self, *texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        (ids, offsets), _ = self._vocabulary.encode(list(texts), extend=False)
        return ids[: offsets[1]], ids[offsets[1] : offsets[2]], ids[offsets[2] :]


def _too_many_cells(options: ThreeWayOptions) -> str:
    return (
        "source, hypothesis and reference are so long, or so long and unlike, that their alignment needs more than "
        f"max_cells {options.max_cells:,} cells; split the line or raise it"
    )
