"""Rewritten texts into edits, by any rule: MaxMatch's lattice, a word diff, or ERRANT's extraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from recte.corpus.corpus import Annotation, Edit, Sentence
from recte.edits.references import edits_from_references
from recte.options import option

__all__ = ["EDIT_RULES", "EditRule", "ExtractionOptions", "edits_between", "with_edits"]

EditRule = Literal["maxmatch", "word-diff", "errant"]
EDIT_RULES: tuple[EditRule, ...] = get_args(EditRule)


@dataclass(frozen=True, kw_only=True)
class ExtractionOptions:
    """Which rules find typed edits between texts, and who tags the texts for them."""

    language: str = option(
        "en", "whose edits: en, cs, de, el, es, fr, ru, multigec, or universal for any language with UD tags"
    )
    annotator: str = option(
        "builtin", "who tags texts: builtin, spacy:MODEL, udpipe:FILE, or given:FILE (CoNLL-U or TSV)"
    )


def with_edits(
    sentences: Sequence[Sentence], *, rule: EditRule = "maxmatch", annotator: str = "builtin", language: str = "en"
) -> list[Sentence]:
    """Give every sentence that has only references one annotation for each, numbered from 0.

    `annotator` and `language` are those of the rule `errant`.
    """
    wanting = [(s, reference) for s in sentences if not s.annotations for reference in s.references]
    if not wanting:
        return list(sentences)
    texts = [reference for _, reference in wanting]
    edits = iter(edits_between([s for s, _ in wanting], texts, rule=rule, annotator=annotator, language=language))
    return [
        s
        if s.annotations
        else replace(
            s, annotations=tuple(Annotation(str(r), next(edits)) for r in range(len(s.references))), references=()
        )
        for s in sentences
    ]


def edits_between(
    sentences: Sequence[Sentence],
    texts: Sequence[str],
    *,
    rule: EditRule = "maxmatch",
    annotator: str = "builtin",
    language: str = "en",
) -> list[tuple[Edit, ...]]:
    """The edits that turn each sentence into its text, by any rule."""
    if rule == "errant":
        from recte.extraction.extract import extractor_of  # languages and word lists, which the other rules do without

        pairs = [(s.tokens, tuple(text.split())) for s, text in zip(sentences, texts, strict=True)]
        return extractor_of(annotator, language).edits(pairs)
    return edits_from_references([" ".join(s.tokens) for s in sentences], list(texts), rule=rule)
