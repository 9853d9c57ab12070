"""Corrections of all annotators grouped into errors, and the references that choosing among them makes.

The released I-measure groups by overlap (Felice and Briscoe 2015, section 3): overlapping corrections are taken as
alternatives of one error, all others as independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from recte.corpus.corpus import Annotation, Edit, GoldError, Sentence, annotator_order
from recte.text.treebank import treebank_words

__all__ = [
    "ErrorOption",
    "can_be_clustered",
    "cluster_errors",
    "combination_count",
    "error_options",
    "list_references",
]

Tokens = tuple[str, ...]


def cluster_errors(
    sentence: Sentence, *, treebank: bool = True, first_correction: bool = True
) -> tuple[GoldError, ...]:
    """The sentence's errors: as its file groups them, or by the published clustering of its edits.

    Edits, longest first, each join the first cluster with a member they overlap, or open one; clusters never merge. An
    edit keeps its first correction, tokenised as the Treebank is, unless told otherwise.

    >>> edits = Annotation("0", (Edit(0, 1, ("These",)),)), Annotation("1", (Edit(0, 2, ("This machine",)),))
    >>> [len(error.alternatives) for error in cluster_errors(Sentence("This machines", annotations=edits))]
    [2]
    """
    if sentence.errors is not None:
        return sentence.errors
    in_file = sorted(
        ((a.annotator, edit) for a in sentence.annotations for edit in a.edits), key=lambda item: item[1].line
    )
    clusters: list[list[tuple[str, Edit]]] = []
    for annotator, edit in sorted(in_file, key=lambda item: item[1].start - item[1].end):
        home = next((c for c in clusters if any(_overlap(edit, other) for _, other in c)), None)
        if home is None:
            clusters.append(home := [])
        home.append((annotator, _prepare(edit, treebank) if first_correction else edit))
    clusters.sort(key=lambda c: (c[0][1].start, c[0][1].end))
    return tuple(_error(cluster, len(sentence.annotations)) for cluster in clusters)


def _overlap(a: Edit, b: Edit) -> bool:
    if (a.start, a.end) == (b.start, b.end):
        return True
    if a.is_insertion or b.is_insertion:
        point, span = (a, b) if a.is_insertion else (b, a)
        return not span.is_insertion and span.start < point.start < span.end
    return a.start < b.end and b.start < a.end


def _prepare(edit: Edit, treebank: bool) -> Edit:
    first = edit.corrections[0]
    return replace(edit, corrections=(" ".join(treebank_words(first) if treebank else first.split()),))


def _error(cluster: Sequence[tuple[str, Edit]], annotators: int) -> GoldError:
    ids = sorted({annotator for annotator, _ in cluster}, key=annotator_order)
    return GoldError(
        alternatives=tuple(Annotation(id_, tuple(edit for a, edit in cluster if a == id_)) for id_ in ids),
        required=len(ids) == annotators,
        type="/".join(dict.fromkeys(edit.type for _, edit in cluster)),
    )


@dataclass(frozen=True, slots=True)
class ErrorOption:
    """One way to deal with an error: edits with their words, or none to leave the text alone."""

    edits: tuple[tuple[int, int, Tokens], ...] = ()
    annotators: tuple[str, ...] = ()


def error_options(tokens: Sequence[str], error: GoldError) -> tuple[ErrorOption, ...]:
    """The distinct options of one error: alternatives that give the same text alone are one, and one that changes
    nothing is the same as leaving the text alone, which is open where the correction is not required.
    """
    by_text: dict[Tokens, ErrorOption] = {}
    for alternative in error.alternatives:
        edits = _join(alternative.edits)
        text = apply_slices(tokens, edits)
        known = by_text.get(text)
        if known is None:
            by_text[text] = ErrorOption(() if text == tuple(tokens) else edits, (alternative.annotator,))
        else:
            by_text[text] = replace(known, annotators=(*known.annotators, alternative.annotator))
    if not error.required:
        by_text.setdefault(tuple(tokens), ErrorOption())
    return tuple(by_text.values())


def _join(edits: Iterable[Edit]) -> tuple[tuple[int, int, Tokens], ...]:
    """Edits of one alternative with the same span are one, their words in a row."""
    spans: dict[tuple[int, int], Tokens] = {}
    for edit in edits:
        spans[edit.start, edit.end] = (*spans.get((edit.start, edit.end), ()), *edit.corrections[0].split())
    return tuple((start, end, words) for (start, end), words in spans.items())


def apply_slices(tokens: Sequence[str], edits: Iterable[tuple[int, int, Tokens]]) -> Tokens:
    """Replace slices one after the other, the last first; an edit that would empty the sentence is undone."""
    text = list(tokens)
    for start, end, words in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        changed = [*text[:start], *words, *text[end:]]
        text = changed or text
    return tuple(text)


def combination_count(options: Sequence[Sequence[ErrorOption]]) -> int:
    """How many combinations of the errors' options there are."""
    product = 1
    for of_error in options:
        product *= len(of_error)
    return product


def list_references(sentence: Sentence, errors: Sequence[GoldError]) -> dict[Tokens, tuple[str, ...]]:
    """Distinct references, each with the annotators it comes from: one for each annotator that has an edit, and the
    source (`source`) where some annotator has none. Rewritten references stand for themselves.
    """
    references: dict[Tokens, tuple[str, ...]] = {}

    def add(text: Tokens, label: str) -> None:
        references[text] = (*references.get(text, ()), label)

    if not sentence.annotations and sentence.errors is None:
        for number, text in enumerate(sentence.references):
            add(tuple(text.split()), str(number))
        return references
    editors = sorted({a.annotator for error in errors for a in error.alternatives}, key=annotator_order)
    for editor in editors:
        edits = [e for error in errors for a in error.alternatives if a.annotator == editor for e in _join(a.edits)]
        add(apply_slices(sentence.tokens, edits), editor)
    if len(editors) < len(sentence.annotations) or not sentence.annotations:
        add(sentence.tokens, "source")
    return references


def can_be_clustered(sentence: Sentence) -> bool:
    """Whether clusters of edits can be taken as errors without looking at them (Felice and Briscoe 2015, section 3).

    No two annotators each have an error the other lacks, and no two errors touch of which one is optional. The paper
    does not say its rule: this one keeps 709 of the CoNLL-2014 sentences, the paper 711.

    >>> edits = Annotation("0", (Edit(0, 1, ("These",)),)), Annotation("1", (Edit(1, 2, ("machine",)),))
    >>> can_be_clustered(Sentence("This machines", annotations=edits))
    False
    """
    errors = cluster_errors(sentence)
    annotators = [{a.annotator for a in error.alternatives} for error in errors]
    for first, second in combinations([a.annotator for a in sentence.annotations], 2):
        corrected_by = [(first in who, second in who) for who in annotators]
        if (True, False) in corrected_by and (False, True) in corrected_by:
            return False
    return not any(
        _touch(a, b) and not (a.required and b.required) for n, a in enumerate(errors) for b in errors[n + 1 :]
    )


def _touch(first: GoldError, second: GoldError) -> bool:
    (a, b), (c, d) = (
        (min(e.start for e in edits), max(e.end for e in edits)) for edits in map(_edits_of, (first, second))
    )
    return a <= d and c <= b


def _edits_of(error: GoldError) -> list[Edit]:
    return [edit for alternative in error.alternatives for edit in alternative.edits]
