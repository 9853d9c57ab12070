"""Pairs of tokenised sentences into typed edits: annotate what changed, align, merge, type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from recte.annotation import Annotated, Annotator
from recte.annotation.annotated_columns import AnnotatedColumns
from recte.corpus.corpus import Edit
from recte.corpus.edit_table import EditTable
from recte.errors import check_choice
from recte.extraction.alignment import (
    COSTS,
    MERGING,
    VERSIONS,
    Costs,
    Merging,
    Span,
    Version,
    edit_spans_among,
    span_rows_among,
)

__all__ = ["UNCORRECTED", "Extractor", "TokenPair", "TypeRules"]

UNCORRECTED = "UNK"  # the type of an error that was marked, and has no correction

TokenPair = tuple[tuple[str, ...], tuple[str, ...]]

_EMPTY = Annotated((), (), (), (), (), ())


class TypeRules(Protocol):
    """A language's types: what an edit is called, from the annotations of both sentences."""

    @property
    def name(self) -> str: ...

    def __call__(self, source: Annotated, corrected: Annotated, span: Span, /) -> str: ...


@dataclass(frozen=True)
class Extractor:
    """Who annotates, which types there are, and how edits are found.

    `alignment` and `merging` are the strategies of `recte.extraction.alignment.edit_spans`, `version` its rules.
    """

    annotator: Annotator
    types: TypeRules
    alignment: Costs = "linguistic"
    merging: Merging = "rules"
    version: Version = "3.0"

    def __post_init__(self) -> None:
        checked = (("alignment", COSTS), ("merging", MERGING), ("version", VERSIONS))
        for name, choices in checked:
            check_choice(name, getattr(self, name), choices)

    @property
    def name(self) -> str:
        """How edits are made, for signatures."""
        changed = [value for value in (self.alignment, self.merging) if value not in (COSTS[0], MERGING[0])]
        return "+".join(["errant", self.types.name, self.annotator.name, *changed])

    @property
    def _rules(self) -> dict[str, Any]:
        return {"costs": self.alignment, "merging": self.merging, "version": self.version}

    def edits(self, pairs: Sequence[TokenPair]) -> list[tuple[Edit, ...]]:
        """The typed edits that turn each source into its correction."""
        edits = {
            pair: tuple(Edit(span.start, span.end, (correction,), type_) for span, correction, type_ in typed)
            for pair, typed in self._type_spans(pairs).items()
        }
        return [edits.get(pair, ()) for pair in pairs]

    def edit_table(self, pairs: Sequence[TokenPair]) -> EditTable:
        """The same as a table: one annotation for each pair, and no object for an edit."""
        typed_spans = self._type_spans(pairs)
        by_pair = [typed_spans.get(pair, []) for pair in pairs]
        edits = list(chain.from_iterable(by_pair))
        return EditTable.of_spans(
            [len(edits_of_pair) for edits_of_pair in by_pair],
            [(span.start, span.end) for span, _, _ in edits],
            [correction for _, correction, _ in edits],
            [type_ for _, _, type_ in edits],
        )

    def spans(self, pairs: Sequence[TokenPair]) -> list[list[Span]]:
        """The same edits as places in source and correction, without types."""
        spans_of = {pair: of_pair for pair, _, _, of_pair in self._find_spans(pairs)}
        return [spans_of.get(pair, []) for pair in pairs]

    def span_rows(
        self, texts: Sequence[tuple[str, ...]], sources: NDArray[np.int64], corrected: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The same for pairs of distinct texts, given by their places: spans as rows, and where each pair's begin."""
        there = np.array([bool(text) for text in texts], dtype=np.bool_)
        place = np.where(there, np.cumsum(there) - 1, int(there.sum()))
        sentences = AnnotatedColumns.of(self.annotator([text for text in texts if text])).with_empty()
        return span_rows_among(sentences, place[sources], place[corrected], **self._rules)

    def _type_spans(self, pairs: Sequence[TokenPair]) -> dict[TokenPair, list[tuple[Span, str, str]]]:
        """Span, correction and type of each edit, by the distinct pairs that differ."""
        types = self.types
        return {
            pair: [
                (span, " ".join(pair[1][span.corrected_start : span.corrected_end]), types(source, corrected, span))
                for span in of_pair
            ]
            for pair, source, corrected, of_pair in self._find_spans(pairs)
        }

    def _find_spans(self, pairs: Sequence[TokenPair]) -> Iterator[tuple[TokenPair, Annotated, Annotated, list[Span]]]:
        """Each distinct pair that differs, annotated, with its spans."""
        changed = list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
        texts = [text for text in dict.fromkeys(chain.from_iterable(changed)) if text]
        sentences = AnnotatedColumns.of(self.annotator(texts)).with_empty()
        place = {text: number for number, text in enumerate([*texts, ()])}
        sources, corrected = (np.array([place[pair[side]] for pair in changed], dtype=np.int64) for side in (0, 1))
        spans = edit_spans_among(sentences, sources, corrected, **self._rules)
        annotated = list(sentences)
        for pair, a, b, of_pair in zip(changed, sources.tolist(), corrected.tolist(), spans, strict=True):
            yield pair, annotated[a], annotated[b], of_pair

    def annotate(self, sentences: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Annotated]:
        """Each distinct sentence with its annotations."""
        distinct = [sentence for sentence in dict.fromkeys(sentences) if sentence]
        return {(): _EMPTY, **dict(zip(distinct, self.annotator(distinct), strict=True))}
