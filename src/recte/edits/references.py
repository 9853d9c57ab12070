"""References into edits and edits into references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from recte.corpus.corpus import Corpus, Edit, Sentence, System, annotator_order, apply_edits, token_offsets
from recte.corpus.gold_columns import Columns, EditColumns
from recte.corpus.sentence import UNCORRECTED_TYPES
from recte.corpus.sentence_columns import parallel_sentences
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import gather
from recte.edits.edit_search import EditSearch, SearchOptions, TracedEdits
from recte.errors import InputError

__all__ = [
    "CharacterEdit",
    "ReferenceRule",
    "WordEditRule",
    "annotators_of",
    "changes_of_system",
    "edits_from_characters",
    "edits_from_references",
    "references_from_edits",
    "with_reference_edits",
    "with_references",
]

ReferenceRule = Literal["nus", "seeda", "gec-metrics"]
WordEditRule = Literal["maxmatch", "word-diff"]
_OPERATIONS = np.frombuffer(b"MUR", dtype=np.uint8)  # missing, unnecessary or replaced words, by ERRANT's letters
REFERENCE_RULES: tuple[ReferenceRule, ...] = ("nus", "seeda", "gec-metrics")


def edits_from_references(
    sources: Sequence[str], references: Sequence[str], *, rule: WordEditRule = "maxmatch", max_unchanged_words: int = 0
) -> list[tuple[Edit, ...]]:
    """The edits that turn each source into its reference.

    `maxmatch` takes MaxMatch's own lattice with no gold: fewest steps, then fewest edits, and by default no unchanged
    words inside an edit. `word-diff` takes maximal runs of changed words in a longest common subsequence.

    >>> edits_from_references(["He go home"], ["He goes home"], rule="word-diff")
    [(Edit(start=1, end=2, corrections=('goes',), type='R', required=True, comment=''),)]
    """
    columns = parallel_sentences(TextColumn.of(sources), [TextColumn.of(references)]).columns
    traced = _reference_edits(columns, rule, max_unchanged_words)
    edits: list[list[Edit]] = [[] for _ in sources]
    words = [(source.split(), reference.split()) for source, reference in zip(sources, references, strict=True)]
    columns_of_edits = (column.tolist() for column in traced)
    for pair, _, start, end, source_begin, source_end, hypothesis_begin, hypothesis_end in zip(
        *columns_of_edits, strict=True
    ):
        source, reference = words[pair]
        original, correction = (
            " ".join(source[source_begin:source_end]),
            " ".join(reference[hypothesis_begin:hypothesis_end]),
        )
        edits[pair].append(Edit(start, end, (correction,), type=_operation(original, correction)))
    return [tuple(of_sentence) for of_sentence in edits]


def changes_of_system(
    corpus: Corpus, system: System, places: Sequence[int]
) -> list[tuple[Sequence[str], Sequence[Edit]]]:
    """For each place the source's tokens, and the edits that the system gave, or else those that its output shows.

    >>> corpus = Corpus.from_references(["He go home"], [["He goes home"]])
    >>> [(tokens, edits)] = changes_of_system(corpus, System("mine", ("He went home",)), [0])
    >>> edits[0].corrections
    ('went',)
    """
    tokens = [corpus[place].tokens for place in places]
    if system.edits is not None and corpus.segmenter is None:
        edits = [sorted(system.edits[place], key=lambda e: (e.start, e.end)) for place in places]
        return list(zip(tokens, edits, strict=True))
    outputs = [system.outputs[place] for place in places]
    if corpus.segmenter is not None:
        outputs = [" ".join(corpus.segmenter(output)) for output in outputs]
    return list(zip(tokens, edits_from_references([" ".join(t) for t in tokens], outputs), strict=True))


def _reference_edits(columns: Columns, rule: WordEditRule, max_unchanged_words: int) -> TracedEdits:
    """The edits that turn sources into their references, by `EditSearch.trace`; each hypothesis is a reference."""
    size = len(columns)
    nothing = EditColumns(
        ("0",),
        np.arange(size + 1, dtype=np.int64),
        np.zeros(size, np.int32),
        np.zeros(size + 1, np.int64),
        *(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint8)),
        np.zeros(1, np.int64),
        (np.zeros(0, np.int32), np.zeros(1, np.int64)),
    )
    # Not `official`: its weights would pad every edit with unchanged words.
    options = SearchOptions(behaviour="optimal", extraction=rule, max_unchanged_words=max_unchanged_words)
    offsets = columns.reference_offsets
    ids, ends = columns.reference_words
    source_of = np.repeat(np.arange(size, dtype=np.int64), np.diff(offsets))
    search = EditSearch(columns.vocabulary, columns.tokens, nothing)
    return search.trace((ids, ends[offsets[0] : offsets[-1] + 1]), source_of, options)


def with_reference_edits(columns: Columns, *, rule: WordEditRule = "maxmatch") -> Columns:
    """Columns without annotations with those that their references make, one for each, numbered from 0."""
    traced = _reference_edits(columns, rule, 0)
    offsets = columns.reference_offsets - columns.reference_offsets[0]
    ids, ends = columns.reference_words
    pair, start, end = traced.hypothesis, traced.start, traced.end
    # Corrections are runs of the references' own words.
    words_of = ends[columns.reference_offsets[0] + pair.astype(np.int64)]
    words = gather(ids, words_of + traced.hypothesis_begin, words_of + traced.hypothesis_end)
    references, size = int(offsets[-1]), len(pair)
    in_order = np.arange(references, dtype=np.int64) - np.repeat(offsets[:-1], np.diff(offsets))
    operation = np.where(start == end, 0, np.where(traced.hypothesis_begin == traced.hypothesis_end, 1, 2)).astype(
        np.int64
    )
    return replace(
        columns,
        annotators=tuple(map(str, range(int(np.diff(offsets).max(initial=0))))),
        annotation_offsets=offsets,
        annotator_columns=in_order.astype(np.int32),
        edit_offsets=np.searchsorted(pair, np.arange(references + 1)).astype(np.int64),
        starts=np.ascontiguousarray(start),
        ends=np.ascontiguousarray(end),
        required=np.ones(size, np.uint8),
        optional=np.zeros(size, np.uint8),
        lines=np.zeros(size, np.int64),
        types=TextColumn(_OPERATIONS, operation, operation + 1),
        correction_offsets=np.arange(size + 1, dtype=np.int64),
        corrections=TextColumn.join(columns.vocabulary.interner, words),
        words=words,
    )


def _operation(original: str, correction: str) -> str:
    """Missing, unnecessary or replaced words, by ERRANT's letters."""
    return "M" if not original else "U" if not correction else "R"


def references_from_edits(
    sentence: Sentence, annotators: Sequence[str], *, rule: ReferenceRule = "nus"
) -> tuple[str, ...]:
    """One rewritten sentence an annotator, by a published rule.

    | rule          | `Um` and `UNK`     | annotator without a line for the sentence |
    | `nus`         | skipped            | a copy of its first annotator's           |
    | `seeda`       | applied            | a copy of its first annotator's           |
    | `gec-metrics` | applied            | the source                                |

    >>> from recte.corpus.corpus import Annotation
    >>> sentence = Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))
    >>> references_from_edits(sentence, ["0", "1"], rule="gec-metrics")
    ('He goes', 'He go')
    """
    texts = {
        annotation.annotator: apply_edits(
            sentence.tokens, [edit for edit in annotation.edits if rule != "nus" or edit.type not in UNCORRECTED_TYPES]
        )
        for annotation in sentence.annotations
    }
    source = " ".join(sentence.tokens)
    missing = source if rule == "gec-metrics" or not texts else texts[min(texts, key=annotator_order)]
    return tuple(texts.get(annotator, missing) for annotator in annotators)


def with_references(corpus: Corpus, *, rule: ReferenceRule = "nus") -> Corpus:
    """The corpus with its edits applied, one reference per annotator.

    >>> corpus = Corpus.from_edits(["He go"], [[[Edit(1, 2, ("goes",))]]])
    >>> with_references(corpus)[0].references
    ('He goes',)
    """
    return replace(
        corpus,
        sentences=tuple(
            replace(s, references=references_from_edits(s, corpus.annotators, rule=rule), annotations=())
            if s.annotations
            else s
            for s in corpus
        ),
    )


def annotators_of(corpus: Corpus) -> list[System]:
    """Each annotator's corrected texts; where one has no line for a sentence, it is taken as left alone.

    >>> [annotator.outputs for annotator in annotators_of(Corpus.from_references(["He go ."], [["He goes ."]]))]
    [('He goes .',)]
    """
    size = len(corpus.annotators)
    rows = [
        references_from_edits(s, corpus.annotators, rule="gec-metrics")
        if s.annotations
        else (*s.references, *[s.text] * (size - len(s.references)))
        for s in corpus
    ]
    return [System(name, texts) for name, texts in zip(corpus.annotators, zip(*rows, strict=True), strict=True)]


@dataclass(frozen=True, slots=True)
class CharacterEdit:
    """Replace the characters from `start` up to `end`, as in HOO data.

    >>> edits_from_characters("He go", [CharacterEdit(3, 5, ("goes",))])[0].start
    1
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    type: str = ""
    required: bool = True
    comment: str = ""


def edits_from_characters(
    text: str, edits: Sequence[CharacterEdit], tokens: Sequence[str] | None = None
) -> tuple[Edit, ...]:
    """Character offsets into token offsets: an edit grows to the whole tokens it touches.

    >>> edits_from_characters("He go home", [CharacterEdit(5, 5, ("es",)), CharacterEdit(6, 6, ("his ",))])
    ... # doctest: +NORMALIZE_WHITESPACE
    (Edit(start=1, end=2, corrections=('goes',), type='', required=True, comment=''),
     Edit(start=2, end=2, corrections=('his',), type='', required=True, comment=''))
    """
    offsets = token_offsets(text, text.split() if tokens is None else tokens)
    return tuple(_edit_from_characters(text, offsets, edit) for edit in edits)


def _edit_from_characters(text: str, offsets: Sequence[tuple[int, int]], edit: CharacterEdit) -> Edit:
    if not 0 <= edit.start <= edit.end <= len(text):
        raise InputError(
            f"edit {edit.start} {edit.end}: expected offsets within the {len(text)} characters of its text"
        )
    touched = [t for t, token in enumerate(offsets) if any(_touches(text, edit, c, token) for c in edit.corrections)]
    if not touched:
        place = sum(end <= edit.start for _, end in offsets)
        touched_range = range(place, place)
        begin, end = edit.start, edit.end
    else:
        touched_range = range(touched[0], touched[-1] + 1)
        begin, end = min(edit.start, offsets[touched[0]][0]), max(edit.end, offsets[touched[-1]][1])
    corrections = tuple(
        " ".join((text[begin : edit.start] + correction + text[edit.end : end]).split())
        for correction in edit.corrections
    )
    return Edit(touched_range.start, touched_range.stop, corrections, edit.type, edit.required, edit.comment)


def _touches(text: str, edit: CharacterEdit, correction: str, token: tuple[int, int]) -> bool:
    """Whether the edit reaches into the token, or would leave new text standing against it without a space."""
    begin, end = token
    after = (correction or text[edit.end : edit.end + 1])[:1]
    before = (correction or text[max(0, edit.start - 1) : edit.start])[-1:]
    glued_left = end == edit.start and bool(after.strip())
    glued_right = begin == edit.end and bool(before.strip())
    return (begin < edit.end and end > edit.start) or glued_left or glued_right
