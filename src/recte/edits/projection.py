"""A corpus in other tokens or normalised text, its gold edits taken along.

Word spans are projected to character offsets in the text without spaces, and from there to the new tokens. With
characters as tokens every span has its place, so that edit metrics need no word segmenter (Lin et al. 2022 say why).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

from recte.corpus.corpus import Annotation, Corpus, Edit, Segmenter, Sentence
from recte.edits.references import CharacterEdit, edits_from_characters
from recte.errors import OptionError
from recte.text.english_words import EnglishWords
from recte.text.normalisation import Normalisation, NormalisedTokens
from recte.text.segmenters import segmenter_named

__all__ = ["normalised", "segmented"]


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
    change = _in_words if isinstance(segmenter, EnglishWords) else _segmented
    sentences = tuple(change(sentence, segmenter) for sentence in corpus)
    return replace(corpus, sentences=sentences, segmenter=cut)


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

    def changed(annotation: Annotation) -> Annotation:
        return replace(annotation, edits=tuple(map(change, annotation.edits)))

    errors = sentence.errors and tuple(
        replace(error, alternatives=tuple(map(changed, error.alternatives))) for error in sentence.errors
    )
    annotations = tuple(map(changed, sentence.annotations))
    return replace(
        sentence, text=text, tokens=tokens, annotations=annotations, references=references, errors=errors, lines=()
    )


def _in_words(sentence: Sentence, segmenter: Segmenter) -> Sentence:
    """The raw texts cut at their spaces and signs; edits, whose places are in other tokens, cannot come along."""
    if sentence.annotations:
        raise OptionError(f"tokens {segmenter.name}: expected raw text with references, got gold edits in given tokens")
    references = tuple(" ".join(segmenter(reference)) for reference in sentence.references)
    return replace(sentence, tokens=tuple(segmenter(sentence.text)), references=references, lines=())


def _segmented(sentence: Sentence, segmenter: Segmenter) -> Sentence:
    joined = "".join(sentence.tokens)
    tokens = tuple(segmenter(joined))
    starts = (0, *accumulate(map(len, sentence.tokens)))

    def project(edit: Edit) -> Edit:
        corrections = tuple("".join(correction.split()) for correction in edit.corrections)
        start, end = starts[edit.start], starts[edit.end]
        # An insertion between characters stands alone; between words of a segmenter it may join its neighbours.
        if all(len(token) == 1 for token in tokens):
            whole = replace(edit, start=start, end=end, corrections=corrections)
        else:
            moved = CharacterEdit(start, end, corrections, edit.type, edit.required, edit.comment)
            whole = replace(edits_from_characters(joined, [moved], tokens)[0], line=edit.line)
        return replace(whole, corrections=tuple(" ".join(segmenter(correction)) for correction in whole.corrections))

    references = tuple(" ".join(segmenter(reference)) for reference in sentence.references)
    return _with_edits(sentence, project, text=joined, tokens=tokens, references=references)
