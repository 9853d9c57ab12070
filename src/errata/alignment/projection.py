"""A corpus cut into other tokens, its gold edits taken along.

Word spans are projected to character offsets in the text without spaces, and from there to the new tokens. With
characters as tokens nothing is lost, so that edit metrics need no word segmenter at all (Lin et al. 2022 say why).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from errata.alignment.references import CharacterEdit, edits_from_characters
from errata.corpus import Annotation, Corpus, Edit, GoldError, Segmenter, Sentence

__all__ = ["segmented"]


def segmented(corpus: Corpus, segmenter: Segmenter) -> Corpus:
    """The corpus in the segmenter's tokens; hypotheses scored against it are cut by the same.

    >>> from errata.segmentation.segmenters import Characters
    >>> words = Sentence("我 喜欢 你", annotations=(Annotation("0", (Edit(1, 2, ("爱",)),)),))
    >>> sentence = segmented(Corpus((words,)), Characters())[0]
    >>> sentence.tokens, sentence.annotations[0].edits[0].start, sentence.annotations[0].edits[0].end
    (('我', '喜', '欢', '你'), 1, 3)
    """
    sentences = tuple(_segmented(sentence, segmenter) for sentence in corpus)
    return replace(corpus, sentences=sentences, segmenter=segmenter)


def _segmented(sentence: Sentence, segmenter: Segmenter) -> Sentence:
    joined = "".join(sentence.tokens)
    tokens = tuple(segmenter(joined))
    starts = (0, *accumulate(map(len, sentence.tokens)))

    def project(edit: Edit) -> Edit:
        corrections = tuple("".join(correction.split()) for correction in edit.corrections)
        moved = CharacterEdit(starts[edit.start], starts[edit.end], corrections, edit.type, edit.required, edit.comment)
        # An insertion between characters stands alone; between words of a segmenter it may join its neighbours.
        if all(len(token) == 1 for token in tokens):
            whole = Edit(moved.start, moved.end, corrections, edit.type, edit.required, edit.comment, edit.line)
        else:
            whole = replace(edits_from_characters(joined, [moved], tokens)[0], line=edit.line)
        return replace(whole, corrections=tuple(" ".join(segmenter(correction)) for correction in whole.corrections))

    def project_all(annotation: Annotation) -> Annotation:
        return replace(annotation, edits=tuple(map(project, annotation.edits)))

    errors = sentence.errors and tuple(
        GoldError(tuple(map(project_all, error.alternatives)), error.required, error.type) for error in sentence.errors
    )
    return replace(
        sentence,
        text=joined,
        tokens=tokens,
        annotations=tuple(map(project_all, sentence.annotations)),
        references=tuple(" ".join(segmenter(reference)) for reference in sentence.references),
        errors=errors,
        lines=(),
    )
