"""Edits that someone marked by hand: typed on their own spans, or extracted from the text they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from recte.annotation import Annotated
from recte.corpus.corpus import Edit, Sentence
from recte.corpus.sentence import UNCORRECTED_TYPES
from recte.extraction.alignment import Span
from recte.extraction.extractor import UNCORRECTED, Extractor

__all__ = ["GOLD_EDITS", "GoldEdits", "retype_edits"]

GoldEdits = Literal["gold", "auto"]
GOLD_EDITS: tuple[GoldEdits, ...] = get_args(GoldEdits)


def retype_edits(
    sentences: Sequence[Sentence], extractor: Extractor, *, edits: GoldEdits, minimise: bool = True, types: bool = True
) -> list[Sentence]:
    """The sentences with types found for their annotators' edits.

    `gold` keeps the spans, less the unchanged tokens at their ends where `minimise` says so; `auto` extracts edits
    in the text that they make. Errors marked without a correction (types `Um` and `UNK`) stay where they are. `types`
    as False keeps the types that gold spans have.
    """
    applied = [[_apply(s.tokens, a.edits) for a in s.annotations] for s in sentences]
    if edits == "auto":
        pairs = [(s.tokens, text) for s, of_sentence in zip(sentences, applied, strict=True) for text, _ in of_sentence]
        extracted = iter(extractor.edits(pairs))
        made = [[_with_uncorrected(a.edits, next(extracted)) for a in s.annotations] for s in sentences]
    else:
        texts = [s.tokens for s in sentences] + [text for of_sentence in applied for text, _ in of_sentence]
        annotated = extractor.annotate(texts) if types else {}
        made = [
            [
                tuple(_gold_edit(s.tokens, text, edit, span, extractor, annotated, minimise) for edit, span in spans)
                for text, spans in of_sentence
            ]
            for s, of_sentence in zip(sentences, applied, strict=True)
        ]
    return [
        replace(
            s,
            text=" ".join(s.tokens),
            annotations=tuple(replace(a, edits=retyped) for a, retyped in zip(s.annotations, of_sentence, strict=True)),
            lines=(),
        )
        for s, of_sentence in zip(sentences, made, strict=True)
    ]


def _apply(tokens: tuple[str, ...], edits: Sequence[Edit]) -> tuple[tuple[str, ...], list[tuple[Edit, Span]]]:
    """The corrected text, and each edit's place in both, edits made from left to right."""
    text = list(tokens)
    growth = 0
    placed = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.type in UNCORRECTED_TYPES:
            placed.append((edit, Span(edit.start, edit.end, edit.start, edit.end)))
            continue
        words = edit.corrections[0].split()
        begin = edit.start + growth
        text[begin : edit.end + growth] = words
        placed.append((edit, Span(edit.start, edit.end, begin, begin + len(words))))
        growth += len(words) - (edit.end - edit.start)
    return tuple(text), placed


def _gold_edit(
    source: tuple[str, ...],
    corrected: tuple[str, ...],
    edit: Edit,
    span: Span,
    extractor: Extractor,
    annotated: dict[tuple[str, ...], Annotated],
    minimise: bool,
) -> Edit:
    if edit.type in UNCORRECTED_TYPES:
        return replace(edit, type=UNCORRECTED)
    if minimise:
        span, words = _minimise(source, span, edit.corrections[0].split())
        edit = replace(edit, start=span.start, end=span.end, corrections=(" ".join(words), *edit.corrections[1:]))
    if not annotated:
        return edit
    return replace(edit, type=extractor.types(annotated[source], annotated[corrected], span))


def _minimise(source: tuple[str, ...], span: Span, words: list[str]) -> tuple[Span, list[str]]:
    """Without equal tokens at the left, then at the right."""
    start, end, first, last = span
    while start < end and words and source[start] == words[0]:
        start, first, words = start + 1, first + 1, words[1:]
    while start < end and words and source[end - 1] == words[-1]:
        end, last, words = end - 1, last - 1, words[:-1]
    return Span(start, end, first, last), words


def _with_uncorrected(edits: Sequence[Edit], extracted: Sequence[Edit]) -> tuple[Edit, ...]:
    marked = [replace(edit, type=UNCORRECTED) for edit in edits if edit.type in UNCORRECTED_TYPES]
    return tuple(sorted([*marked, *extracted], key=lambda e: (e.start, e.end)))
