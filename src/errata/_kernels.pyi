"""What the compiled core offers. Tokens are integers; a text is (ids, offsets), sentences laid end to end.

`behaviour` is 0 official, 1 paper, 2 optimal; `extraction` 0 MaxMatch, 1 word diff; `criterion` 0 detection,
1 recognition, 2 correction. `folded` holds each token's letters without case as (bytes, offsets), or two empty
arrays. A status is 0 where the search was exact, 1 where the lattice was larger than `max_lattice` vertices and a
word diff stood in, 2 where the pair was too long even for that, 3 where an annotation has too many edits at one
place for the exact choice. All functions release the GIL.
"""

import numpy as np
from numpy.typing import NDArray

Text = tuple[NDArray[np.int32], NDArray[np.int64]]
Folded = tuple[NDArray[np.uint8], NDArray[np.int64]]

class Gold:
    """Annotations laid out flat: sentence, annotation, edit, correction, token."""

    def __init__(
        self,
        annotation_offsets: NDArray[np.int64],
        annotator_columns: NDArray[np.int32],
        edit_offsets: NDArray[np.int64],
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        optional: NDArray[np.uint8],
        correction_offsets: NDArray[np.int64],
        token_offsets: NDArray[np.int64],
        tokens: NDArray[np.int32],
    ) -> None: ...

def count_maxmatch(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    annotators: int,
    threads: int,
    behaviour: int,
    extraction: int,
    max_unchanged_words: int,
    running_offsets: bool,
    max_lattice: int,
    folded: Folded,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """tp, proposed, gold by hypothesis and annotator (-1 where there is no annotation), and each one's status."""

def count_hoo(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    annotators: int,
    threads: int,
    behaviour: int,
    extraction: int,
    max_unchanged_words: int,
    running_offsets: bool,
    max_lattice: int,
    folded: Folded,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """met, spurious, system, gold, missed optional by hypothesis, annotator and criterion, and each one's status."""

def trace_edits(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    criterion: int,
    behaviour: int,
    extraction: int,
    max_unchanged_words: int,
    running_offsets: bool,
    max_lattice: int,
    folded: Folded,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Proposed edits: hypothesis, annotator, start, end, source begin and end, hypothesis begin and end."""

def choose_running(counts: NDArray[np.int32], beta: float) -> NDArray[np.int32]:
    """The annotator the published rule picks for each sentence, one after the other; -1 where there is none."""
