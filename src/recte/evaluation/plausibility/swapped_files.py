"""Sources and references that changed places.

Learners misspell: sources hold words that no reference has, and more of them than references hold new ones. And systems
leave sentences alone: outputs equal an uncorrected source more often than a reference. Where both are the other way
round, the files were swapped; a good system alone, or a fluent reference alone, does not look so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from recte.corpus.gold_columns import Columns
from recte.corpus.text_columns import TextColumn
from recte.evaluation.plausibility.finding import Sighting

__all__ = ["SwapEvidence"]

_FEWEST_WORDS = 20
_CLEARLY = 1.25
_LOOKED_AT = 2000  # sentences of a part


class SwapEvidence:
    """What all parts of a corpus with one reference say together."""

    def __init__(self) -> None:
        self._source_words: set[bytes] = set()
        self._reference_words: set[bytes] = set()
        self._like_source: dict[str, int] = {}
        self._like_reference: dict[str, int] = {}
        self._changed = 0
        self._first = 0

    def look(self, columns: Columns, sources: TextColumn, outputs: dict[str, TextColumn], first: int) -> None:
        """Take in a part; a corpus with several references, or none, says nothing."""
        if not (np.diff(columns.reference_offsets) == 1).all():
            return
        texts, references = list(sources[:_LOOKED_AT]), list(columns.references[:_LOOKED_AT])
        changed = [row for row, (a, b) in enumerate(zip(texts, references, strict=True)) if a != b]
        if changed and not self._changed:
            self._first = first + changed[0] + 1
        self._changed += len(changed)
        for row in changed:
            self._source_words.update(texts[row].encode("utf-8", "surrogatepass").split())
            self._reference_words.update(references[row].encode("utf-8", "surrogatepass").split())
        for name, column in outputs.items():
            self._like_source[name] = self._like_source.get(name, 0) + sum(column[r] == texts[r] for r in changed)
            like = sum(column[r] == references[r] for r in changed)
            self._like_reference[name] = self._like_reference.get(name, 0) + like

    def join(self, other: SwapEvidence) -> None:
        """Take in what another saw of later sentences."""
        self._first = self._first if self._changed else other._first
        self._changed += other._changed
        self._source_words |= other._source_words
        self._reference_words |= other._reference_words
        for name, count in other._like_source.items():
            self._like_source[name] = self._like_source.get(name, 0) + count
        for name, count in other._like_reference.items():
            self._like_reference[name] = self._like_reference.get(name, 0) + count

    def to_plain(self) -> dict[str, Any]:
        """The evidence as plain values, for a file."""
        words = [sorted(w.decode("latin-1") for w in hashes) for hashes in (self._source_words, self._reference_words)]
        like = [self._like_source, self._like_reference]
        return {"words": words, "like": like, "changed": self._changed, "first": self._first}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> SwapEvidence:
        evidence = cls()
        evidence._source_words, evidence._reference_words = ({w.encode("latin-1") for w in k} for k in plain["words"])
        evidence._like_source, evidence._like_reference = map(dict, plain["like"])
        evidence._changed, evidence._first = plain["changed"], plain["first"]
        return evidence

    def sightings(self) -> list[Sighting]:
        """One, if all of it says that source and reference were swapped."""
        only_source = len(self._source_words - self._reference_words)
        only_reference = len(self._reference_words - self._source_words)
        misspelt = only_reference >= _FEWEST_WORDS and only_reference > _CLEARLY * only_source
        left_alone = sum(self._like_reference.values()) > sum(self._like_source.values())
        if not (misspelt and left_alone):
            return []
        lines = tuple(range(self._first, self._first + self._changed))
        detail = f"{only_reference} words are in the reference alone, {only_source} in the source alone"
        return [Sighting("swapped", "source", lines, self._changed, detail)]
