"""Gold that says less, or more, than it seems to."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus
from recte.corpus.gold_columns import Columns
from recte.corpus.sentence import UNCORRECTED_TYPES
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import runs
from recte.evaluation.plausibility.finding import Sighting

__all__ = ["odd_gold"]

_RARELY = 0.01
_NEGATIVE = re.compile(rb"\nA -[^|\n]*\|\|\|(?!noop\|)")  # never the first line; a literal beginning is found fast
_EDIT = re.compile(rb"^A (?!-)[^|\n]*\|\|\|(?!noop\|)", re.MULTILINE)


def odd_gold(corpus: Corpus, first: int) -> list[Sighting]:
    """What the edits and references of the corpus show; `first` sentences came before."""
    columns = corpus.columns
    sightings = [*_edits(columns), _unmatchable_edits(columns), *_references(corpus, columns, first)]
    sightings.append(Sighting("not-annotated", "gold", corpus.unscored, len(corpus) + len(corpus.unscored)))
    if isinstance(corpus.sentences, ColumnSentences) and corpus.sentences.m2 is not None:
        sightings += _m2(corpus.sentences, first)
    return sightings


def _edits(columns: Columns) -> Iterator[Sighting]:
    """Edits that stand twice, and edits that overlap, of one annotator."""
    count = len(columns.starts)
    annotation = np.repeat(np.arange(len(columns.edit_offsets) - 1), np.diff(columns.edit_offsets))
    order = _in_order(annotation, columns.starts, columns.ends)
    edit, next_one = order[:-1], order[1:]
    neighbours = annotation[edit] == annotation[next_one]
    same = (
        neighbours & (columns.starts[edit] == columns.starts[next_one]) & (columns.ends[edit] == columns.ends[next_one])
    )
    duplicates = []
    for place in np.flatnonzero(same).tolist():
        a, b = int(edit[place]), int(next_one[place])
        if _corrections(columns, a) == _corrections(columns, b):
            duplicates.append(int(columns.lines[b]))
    overlapping = neighbours & ~same & (columns.starts[next_one] < columns.ends[edit])
    yield Sighting("duplicate-edits", "gold", tuple(sorted(duplicates)), count)
    lines = columns.lines[next_one[overlapping]]
    yield Sighting("overlapping-edits", "gold", tuple(sorted(lines.tolist())), count)


def _unmatchable_edits(columns: Columns) -> Sighting:
    """Edits that no output can show: their corrections change nothing, or have white space that no tokens have.

    Errors that were marked and not corrected are no edits of scorers that know their types.
    """
    edits = np.repeat(np.arange(len(columns.starts)), np.diff(columns.correction_offsets))
    ids, offsets = columns.words
    source_ids, source_offsets = columns.tokens
    counts = np.diff(offsets)
    of_annotation = np.repeat(np.arange(len(columns)), np.diff(columns.annotation_offsets))
    begins = source_offsets[np.repeat(of_annotation, np.diff(columns.edit_offsets))] + columns.starts
    unchanged = counts == (columns.ends - columns.starts)[edits]
    with_words = np.flatnonzero(unchanged & (counts > 0))
    unchanged[with_words] = ids[offsets[with_words]] == source_ids[begins[edits[with_words]]]
    alike = with_words[unchanged[with_words]]  # in their first words
    if len(alike):
        places, runs_of_words = runs(offsets[alike], offsets[alike + 1])
        source_places, _ = runs(begins[edits[alike]], begins[edits[alike]] + counts[alike])
        unchanged[alike] = np.logical_and.reduceat(ids[places] == source_ids[source_places], runs_of_words[:-1])
    matchable = _kernels.are_spaced(columns.corrections.spans).astype(np.bool_) & ~unchanged
    unmatchable = np.bincount(edits, weights=matchable, minlength=len(columns.starts)) == 0
    for uncorrected in UNCORRECTED_TYPES:
        unmatchable &= _kernels.are_equal_to(columns.types.spans, uncorrected) == 0
    return Sighting(
        "unmatchable-edits", "gold", tuple(sorted(columns.lines[unmatchable].tolist())), len(columns.starts)
    )


def _in_order(annotation: NDArray[np.int64], starts: NDArray[np.int32], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """The edits by annotation, start and end. Nearly all stand so, and a sort by one number sees that."""
    places = 1 + int(ends.max(initial=0))
    if (len(annotation) + 1) * places**2 >= 2**63:
        return np.lexsort((ends, starts, annotation))
    return np.argsort((annotation * places + starts) * places + ends, kind="stable")


def _corrections(columns: Columns, edit: int) -> list[str]:
    return list(columns.corrections[int(columns.correction_offsets[edit]) : int(columns.correction_offsets[edit + 1])])


def _references(corpus: Corpus, columns: Columns, first: int) -> Iterator[Sighting]:
    """Sentences whose gold asks for nothing; only where all are so is that odd."""
    size = len(corpus)
    if len(columns.references):
        changed = np.zeros(size, dtype=np.bool_)
        rows = np.repeat(np.arange(size), np.diff(columns.reference_offsets))
        sources = TextColumn.of(corpus.unchanged)
        for reference, row in enumerate(rows.tolist()):
            changed[row] = changed[row] or columns.references[reference].split() != sources[row].split()
            if changed.any() and reference > len(rows) // 100:
                break  # it was enough to know that some are changed
        unchanged = () if changed.any() else tuple(range(first + 1, first + size + 1))
    elif len(columns.annotators):
        unchanged = () if len(columns.starts) else tuple(range(first + 1, first + size + 1))
    else:
        unchanged = ()
    yield Sighting("no-corrections", "gold", unchanged, size)


def _missing(sentences: ColumnSentences) -> NDArray[np.int64]:
    """Sentences that lack an annotator, where nobody ever says that nothing is to be changed.

    An annotator who is always there, with others added now and then, is a way to annotate; several who all are
    missing here and there are what is left of a file without its noop lines.
    """
    columns, details = sentences.columns, sentences.m2
    assert details is not None
    none = np.zeros(0, dtype=np.int64)
    unchanged = (np.diff(columns.edit_offsets) == 0) & (details.implied == 0)
    count = len(columns.annotators)
    if count < 2 or unchanged.any():
        return none
    rows = np.repeat(np.arange(len(sentences)), np.diff(columns.annotation_offsets))
    present = np.zeros((len(sentences), count), dtype=np.bool_)
    told = details.implied == 0
    present[rows[told], columns.annotator_columns[told]] = True
    with_some = np.flatnonzero(present.any(axis=1))
    present = present[with_some]
    if not len(present) or ((~present).mean(axis=0) < _RARELY).any():
        return none
    return with_some[~present.all(axis=1)]


def _m2(sentences: ColumnSentences, first: int) -> Iterator[Sighting]:
    """What an M2 file says that its edits do not."""
    details, columns = sentences.m2, sentences.columns
    assert details is not None
    size = len(sentences)
    implied = np.flatnonzero(details.implied)
    left_out = np.searchsorted(columns.annotation_offsets, implied, side="right") - 1
    yield Sighting("left-out", "gold", tuple((left_out + first + 1).tolist()), size)
    yield Sighting("missing-annotators", "gold", tuple((_missing(sentences) + first + 1).tolist()), size)
    negative = []
    if size:
        begin, end = int(details.blocks.begins[0]), int(details.blocks.ends[-1])
        whole = details.blocks.buffer[begin:end].tobytes()
        # Counting is much faster than a pattern, and says of most files that there is none.
        none = whole.count(b"\nA -") == whole.count(b"\nA -1 -1|||noop|")
        for match in () if none else _NEGATIVE.finditer(whole):
            row = int(np.searchsorted(details.blocks.begins, match.end() + begin, side="right")) - 1
            negative.append(row + first + 1)
    yield Sighting("negative-spans", "gold", tuple(negative), size)
    dropped: list[int] = []
    for row in np.flatnonzero(details.dropped).tolist():
        begin, end = columns.edit_offsets[columns.annotation_offsets[row : row + 2]].tolist()
        dropped += [row + first + 1] * (len(_EDIT.findall(details.blocks[row].encode())) - (end - begin))
    yield Sighting("dropped-edits", "gold", tuple(dropped), size)
