"""A corpus in other tokens or normalised text, its gold edits taken along.

Word spans are projected to character offsets in the text without spaces, and from there to the new tokens. With
characters as tokens every span has its place, so that edit metrics need no word segmenter (Lin et al. 2022 say why).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from recte.corpus.corpus import Annotation, Corpus, Edit, Segmenter, Sentence, token_offsets
from recte.edits.references import CharacterEdit, edits_from_characters
from recte.errors import OptionError
from recte.text.english_words import EnglishWords
from recte.text.normalisation import Normalisation, NormalisedTokens
from recte.text.segmenters import SegmentedBy, segmenter_named

__all__ = ["edits_on_tokens", "normalised", "segmented"]


def segmented(corpus: Corpus, segmenter: Segmenter | str) -> Corpus:
    """The corpus in the segmenter's tokens; hypotheses scored against it are cut by the same.

    `segmenter` may be a name, as `--tokens` takes them.

    >>> from recte.text.segmenters import Characters
    >>> words = Sentence("我 喜欢 你", annotations=(Annotation("0", (Edit(1, 2, ("爱",)),)),))
    >>> sentence = segmented(Corpus((words,)), Characters())[0]
    >>> sentence.tokens, sentence.annotations[0].edits[0].start, sentence.annotations[0].edits[0].end
    (('我', '喜', '欢', '你'), 1, 3)
    """
    if isinstance(segmenter, str):
        named = segmenter_named(segmenter)
        if named is None:  # as given
            return corpus
        segmenter = named
    steps = corpus.segmenter.normalisation if isinstance(corpus.segmenter, NormalisedTokens) else None
    cut = segmenter if steps is None else NormalisedTokens(steps, segmenter)
    change = _in_words if isinstance(segmenter, EnglishWords) else _segment
    sentences = tuple(change(sentence, segmenter) for sentence in corpus)
    return replace(corpus, sentences=sentences, segmenter=cut)


def edits_on_tokens(source: Sequence[str], edits: Sequence[Edit], tokens: Sequence[str]) -> tuple[Edit, ...]:
    """Edits of a source as edits of the same text in other tokens; an edit grows to the whole tokens that it touches.

    >>> edits_on_tokens(["a", "well-known", "man"], [Edit(1, 2, ("famous",))], ["a", "well", "-", "known", "man"])
    (Edit(start=1, end=4, corrections=('famous',), type='', required=True, comment=''),)
    """
    borders = {*accumulate(map(len, source))} & {*accumulate(map(len, tokens))}
    text = "".join(c + " " * (place in borders) for place, c in enumerate("".join(source), 1))
    offsets = (*token_offsets(text, source), (len(text), len(text)))

    def move(edit: Edit) -> CharacterEdit:
        start = offsets[edit.start][0]
        end = start if edit.is_insertion else offsets[edit.end - 1][1]
        # An insertion at a border of both stands alone; within a token it becomes a part of that.
        alone = edit.is_insertion and text[:start][-1:] in ("", " ")
        corrections = tuple(f"{c} " if alone and c else c for c in edit.corrections)
        return CharacterEdit(start, end, corrections, edit.type, edit.required, edit.comment)

    projected = edits_from_characters(text, [move(edit) for edit in edits], tokens)
    return tuple(replace(new, line=old.line) for new, old in zip(projected, edits, strict=True))


def normalised(corpus: Corpus, normalisation: Normalisation) -> Corpus:
    """The corpus with every text normalised, word by word; hypotheses scored against it are normalised too.

    >>> words = Sentence("ＯＫ ！", annotations=(Annotation("0", (Edit(0, 1, ("Ｎｏ",)),)),))
    >>> normalised(Corpus((words,)), Normalisation(("width",)))[0].corrected("0")
    'No !'
    """

    def normalise(edit: Edit) -> Edit:
        return replace(edit, corrections=tuple(map(normalisation, edit.corrections)))

    def of(sentence: Sentence) -> Sentence:
        tokens = tuple(map(normalisation.word, sentence.tokens))
        references = tuple(map(normalisation, sentence.references))
        return _with_edits(sentence, normalise, text=" ".join(tokens), tokens=tokens, references=references)

    cut = NormalisedTokens(normalisation, corpus.segmenter)
    return replace(corpus, sentences=tuple(map(of, corpus)), segmenter=cut)


def _with_edits(
    sentence: Sentence,
    change: Callable[[Edit], Edit],
    *,
    text: str,
    tokens: tuple[str, ...],
    references: tuple[str, ...],
) -> Sentence:
    """The sentence in other tokens, each of its gold edits changed to fit them."""

    def change_annotation(annotation: Annotation) -> Annotation:
        return replace(annotation, edits=tuple(map(change, annotation.edits)))

    errors = sentence.errors and tuple(
        replace(error, alternatives=tuple(map(change_annotation, error.alternatives))) for error in sentence.errors
    )
    annotations = tuple(map(change_annotation, sentence.annotations))
    return replace(
        sentence, text=text, tokens=tokens, annotations=annotations, references=references, errors=errors, lines=()
    )


def _in_words(sentence: Sentence, segmenter: Segmenter) -> Sentence:
    """The raw texts cut at their spaces and signs; edits, whose places are in other tokens, cannot come along."""
    if sentence.annotations:
        raise OptionError(f"tokens {segmenter.name}: expected raw text with references, got gold edits in given tokens")
    references = tuple(" ".join(segmenter(reference)) for reference in sentence.references)
    return replace(sentence, tokens=tuple(segmenter(sentence.text)), references=references, lines=())


def _segment(sentence: Sentence, segmenter: Segmenter) -> Sentence:
    """The sentence in the segmenter's tokens, its edits projected through places in the text as it is written."""
    text = _write_text(" ".join(sentence.tokens), segmenter)
    tokens = tuple(segmenter(text))
    starts = (0, *accumulate(map(len, sentence.tokens)))
    offsets = (*token_offsets(text, sentence.tokens), (len(text), len(text)))

    def project(edit: Edit) -> Edit:
        corrections = tuple(_write_text(correction, segmenter) for correction in edit.corrections)
        # An insertion between characters stands alone; between words of a segmenter it may join its neighbours.
        if all(len(token) == 1 for token in tokens):
            whole = replace(edit, start=starts[edit.start], end=starts[edit.end], corrections=corrections)
        else:
            start = offsets[edit.start][0]
            if edit.is_insertion:
                end = start
                corrections = tuple(_insert(text, start, correction, segmenter) for correction in corrections)
            else:
                end = offsets[edit.end - 1][1]
            moved = CharacterEdit(start, end, corrections, edit.type, edit.required, edit.comment)
            whole = replace(edits_from_characters(text, [moved], tokens)[0], line=edit.line)
        return replace(whole, corrections=tuple(" ".join(segmenter(correction)) for correction in whole.corrections))

    references = tuple(" ".join(segmenter(reference)) for reference in sentence.references)
    return _with_edits(sentence, project, text=text, tokens=tokens, references=references)


def _write_text(text: str, segmenter: Segmenter) -> str:
    """A text in tokens as its language is written, where the segmenter sees that; else without blanks."""
    return segmenter.text_of_tokens(text) if isinstance(segmenter, SegmentedBy) else "".join(text.split())


def _insert(text: str, place: int, correction: str, segmenter: Segmenter) -> str:
    """A correction with the blanks that part it from what is before and behind it."""
    if not correction:
        return correction
    behind = text[place : place + 1]
    if behind:
        return correction + (" " if " " in _write_text(f"{correction[-1]} {behind}", segmenter) else "")
    before = text[:place].rstrip()[-1:]
    return (" " if before and " " in _write_text(f"{before} {correction[0]}", segmenter) else "") + correction
