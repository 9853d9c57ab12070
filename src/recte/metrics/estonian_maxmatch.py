"""The Estonian M² scorer of the EstGEC corpora: MaxMatch with word-order edits that may contain other edits.

Annotators of these corpora mark a change of word order (`R:WO`) and, inside it, small errors of its words. Such a list
contradicts itself, so the program adds candidates (`candidate_lists`): for each word-order edit that contains others
one list without the contained edits, and one without the word-order edit. Search, counts and choice are MaxMatch's.

Recall by error type has three shares of the gold's edits: *correct*, right *scope*, and *overlap* with a proposed edit.
A second table adds edits inside word-order edits (`inner_edits`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Annotation, Corpus, Edit, Sentence, System
from recte.corpus.counts import Counts, TypeTable
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns, columns_of
from recte.metrics.base import option
from recte.metrics.edit_metric import EditScore
from recte.metrics.maxmatch import MaxMatch, MaxMatchScorer
from recte.options import same_option

__all__ = ["EstonianMaxMatch", "EstonianMaxMatchScorer", "EstonianScore", "candidate_lists"]

WORD_ORDER = "R:WO"
_INNER = "in R:WO\t"  # before the type of an edit that only the second table has; no type of an M2 file has a tab
_NO_FLAGS = (False, False, False)
InnerEdits = Literal["official", "repaired"]


class Flags(NamedTuple):
    """What of a gold edit was proposed."""

    correct: bool
    scope: bool
    overlap: bool


class Proposed(NamedTuple):
    """A proposed edit; `original` are the words that it replaces."""

    start: int
    end: int
    original: str
    correction: str


@dataclass(frozen=True, kw_only=True)
class EstonianScore(EditScore):
    """MaxMatch's score; each of `types` has `scope` and `overlap`, too. `types_with_inner` is the second table."""

    types_with_inner: Mapping[str, Mapping[str, Any]] | None = field(default=None, metadata={"on_request": True})


@dataclass(frozen=True, kw_only=True)
class EstonianMaxMatch(MaxMatch):
    """The Estonian M² scorer. Candidates are numbered in the order in which ties choose among them.

    >>> gold = [Edit(1, 4, ("teda ei tea",), "R:WO"), Edit(3, 4, ("teda",), "R:NOM:FORM")]
    >>> corpus = Corpus.from_edits(["Mina ei tea tema ."], [[gold]])
    >>> EstonianMaxMatch().score(corpus, ["Mina ei tea teda ."]).recall
    1.0
    """

    name: ClassVar[str] = "m2-et"
    title: ClassVar[str] = "Estonian M²"
    bibtex: ClassVar[str] = MaxMatch.bibtex

    max_unchanged_words: int = same_option(MaxMatch, "max_unchanged_words", default=15)
    inner_edits: InnerEdits = option(
        "official",
        "edits inside word-order edits in the second table: official, all as corrected; repaired, as they were",
        choices=("official", "repaired"),
    )

    def prepare(self, gold: Corpus) -> EstonianMaxMatchScorer:
        return EstonianMaxMatchScorer(self, gold)

    def score_against(self, counts: Counts, chosen: NDArray[np.int32]) -> EstonianScore:
        score = super().score_against(counts, chosen)
        values = {f.name: getattr(score, f.name) for f in fields(score)}
        if counts.types is None:
            return EstonianScore(**values)
        values["types"] = _shares(counts, chosen, with_inner=False)
        return EstonianScore(**values, types_with_inner=_shares(counts, chosen, with_inner=True))


def _shares(counts: Counts, chosen: NDArray[np.int32], *, with_inner: bool) -> dict[str, dict[str, Any]]:
    """Figures of each type against the chosen candidates, in the order in which the types first occur."""
    assert counts.types is not None
    column_of = dict(zip(counts.index.tolist(), chosen.tolist(), strict=True))
    sums: dict[str, list[int]] = {}
    for entry in counts.types.entries(counts.columns):
        column = column_of.get(entry.sentence)
        if column is None or counts.columns[column] != entry.column:
            continue
        if entry.type.startswith(_INNER) and not with_inner:
            continue
        cells = sums.setdefault(entry.type.removeprefix(_INNER), [0, 0, 0, 0])
        for place, count in enumerate((entry.gold, entry.found, entry.proposed, entry.correct)):
            cells[place] += count
    return {
        type_: {
            "gold": gold,
            "found": correct,
            "recall": correct / gold,
            "scope": scope / gold,
            "overlap": overlap / gold,
            "proposed": None,
            "correct": None,
            "precision": None,
            "score": None,
        }
        for type_, (gold, correct, scope, overlap) in sums.items()
    }


def candidate_lists(annotations: Sequence[Annotation]) -> list[tuple[Edit, ...]]:
    """The lists of edits of which the best is chosen: those of the annotators, and those that word order adds.

    New lists have the numbers behind those of the annotators; one whose number an annotator has replaces its list.
    """
    lists = {annotation.annotator: annotation.edits for annotation in annotations}
    last = len(lists) - 1
    for annotation in annotations:
        for edit in annotation.edits:
            inside = {_key(other) for other in _inside(annotation.edits, edit)} if edit.type == WORD_ORDER else ()
            if inside:
                lists[str(last + 1)] = tuple(e for e in annotation.edits if _key(e) not in inside)
                lists[str(last + 2)] = tuple(e for e in annotation.edits if _key(e) != _key(edit))
                last += 2
    return list(lists.values())


def _inside(edits: Sequence[Edit], outer: Edit) -> list[Edit]:
    return [e for e in edits if e.type != WORD_ORDER and outer.start <= e.start and e.end <= outer.end]


def _key(edit: Edit) -> tuple[int, int, tuple[str, ...], str]:
    return edit.start, edit.end, edit.corrections, edit.type


class EstonianMaxMatchScorer(MaxMatchScorer):
    """The gold with its candidates."""

    metric: EstonianMaxMatch

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        with_candidates = []
        for sentence in super().sentences:
            lists = candidate_lists(sentence.annotations)
            annotations = tuple(Annotation(str(place), edits) for place, edits in enumerate(lists))
            with_candidates.append(replace(sentence, annotations=annotations, lines=()))
        return with_candidates

    @cached_property
    def _columns(self) -> Columns:
        return columns_of(self.sentences)

    @cached_property
    def gold(self) -> EditTable:
        return EditTable.of_columns(self._columns)

    def count_types(self, system: System, counts: Counts) -> Counts:
        """The gold's edits by type with their flags, and those inside word-order edits, for every candidate."""
        system = self.system_of(system)
        proposed = self.find(self.segmented(system.outputs), range(len(self.corpus)))
        names: dict[str, int] = {}
        rows: list[tuple[int, ...]] = []
        annotation = 0
        for place, sentence in enumerate(self.sentences):
            lists = [candidate.edits for candidate in sentence.annotations]
            for candidate in sentence.annotations:
                edits = _list_proposed(proposed, annotation, sentence.tokens)
                column = counts.columns.index(candidate.annotator)
                annotation += 1
                for type_, flags in self._flag_types(lists, candidate.edits, edits, sentence.tokens):
                    number = names.setdefault(type_, len(names))
                    rows.append((place + self.corpus.first, column, number, 1, *map(int, flags)))
        table = np.array(rows, dtype=np.int64).reshape(-1, 7)
        types = TypeTable.sum_up(list(names), table[:, 0], table[:, 1], table[:, 2], table[:, 3:])
        return replace(counts, types=types, system_types=False)

    def _flag_types(
        self, lists: Sequence[Sequence[Edit]], gold: Sequence[Edit], proposed: Sequence[Proposed], words: Sequence[str]
    ) -> Iterator[tuple[str, Flags]]:
        """The type and the flags of each of a candidate's edits, then of each that the second table adds."""
        flags = _flag_edits(gold, proposed, words)
        for edit, of_edit in zip(gold, flags, strict=True):
            yield edit.type, of_edit
        texts = set(proposed)
        for outer, of_outer in zip(gold, flags, strict=True):
            if outer.type != WORD_ORDER:
                continue
            holders = [edits for edits in lists if _key(outer) in map(_key, edits)]
            inner = max((_inside(edits, outer) for edits in holders), key=len)
            if self.metric.inner_edits == "official":
                for edit in inner:
                    if Proposed(edit.start, edit.end, _original(edit, words), edit.corrections[0]) not in texts:
                        yield _INNER + edit.type, Flags(True, True, True)
                continue
            listed = set(map(_key, gold))
            missing = [edit for edit in inner if _key(edit) not in listed]
            for edit, alone in zip(missing, _flag_edits(missing, proposed, words), strict=True):
                of_scope = Flags(False, False, True) if of_outer.scope else alone
                yield _INNER + edit.type, Flags(True, True, True) if of_outer.correct else of_scope


def _original(edit: Edit, words: Sequence[str]) -> str:
    return " ".join(words[edit.start : edit.end])


def _list_proposed(table: EditTable, annotation: int, words: Sequence[str]) -> list[Proposed]:
    """The edits proposed against an annotation, from left to right."""
    edits = []
    for number in range(int(table.offsets[annotation]), int(table.offsets[annotation + 1])):
        edit = table[number]
        original = table.misplaced.get(number, _original(edit, words))
        edits.append(Proposed(edit.start, edit.end, original, edit.corrections[0]))
    return edits


def _flag_edits(gold: Sequence[Edit], proposed: Sequence[Proposed], words: Sequence[str]) -> list[Flags]:
    """What of each gold edit was proposed; those before the last correct one are not looked at again."""
    flags = [Flags(*_NO_FLAGS)] * len(gold)
    pointer = 0
    for edit in proposed:
        for place in range(pointer, len(gold)):
            of_gold = gold[place]
            if (of_gold.start, of_gold.end) != (edit.start, edit.end):
                continue
            is_correct = _original(of_gold, words) == edit.original and edit.correction in of_gold.corrections
            flags[place] = Flags(flags[place].correct or is_correct, True, True)
            if is_correct:
                pointer = place + 1
    return [
        of_gold._replace(overlap=of_gold.overlap or any(_touches(edit, place) for edit in proposed))
        for of_gold, place in zip(flags, gold, strict=True)
    ]


def _touches(edit: Proposed, gold: Edit) -> bool:
    same = (edit.start, edit.end) == (gold.start, gold.end)
    return same or (edit.start < gold.end and edit.end > gold.start)
