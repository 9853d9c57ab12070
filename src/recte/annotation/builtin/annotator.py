"""Sentences into annotations with what the package brings along: no download, the same answer everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation.annotated_columns import AnnotatedColumns, NamedColumn
from recte.annotation.builtin.attributes import dependency_attributes, word_attributes
from recte.annotation.builtin.lemmas import lemma_of
from recte.annotation.builtin.model import Model, load_model
from recte.corpus.vocabulary import offsets_of
from recte.threads import thread_count

__all__ = ["BuiltInAnnotator", "coarse_tag"]

_MODEL = "builtin-en-1"
_AUXILIARY = frozenset({"aux", "auxpass"})

# The coarse tag of a fine one, as spaCy has it, unless the label says otherwise.
_COARSE_TAGS = {
    tag: pos
    for pos, tags in {
        "ADJ": "AFX JJ JJR JJS",
        "ADP": "IN RP",
        "ADV": "RB RBR RBS",
        "AUX": "MD",
        "CCONJ": "CC",
        "DET": "DT PDT WP$",
        "INTJ": "UH",
        "NOUN": "NN NNS",
        "NUM": "CD",
        "PART": "POS TO",
        "PRON": "EX PRP PRP$ WDT WP",
        "PROPN": "NNP NNPS",
        "PUNCT": "'' `` , . : -LRB- -RRB- HYPH NFP",
        "SCONJ": "WRB",
        "SYM": "# $ SYM",
        "VERB": "VB VBD VBG VBN VBP VBZ",
        "X": "ADD FW GW LS XX",
    }.items()
    for tag in tags.split()
}


def coarse_tag(label: str) -> tuple[str, str]:
    """A label of the tagger as fine and coarse tag.

    >>> coarse_tag("VBZ|AUX"), coarse_tag("VBZ")
    (('VBZ', 'AUX'), ('VBZ', 'VERB'))
    """
    tag, _, pos = label.partition("|")
    return tag, pos or _COARSE_TAGS[tag]


class BuiltInAnnotator:
    """Tags, lemmas and dependencies of English sentences.

    Dependencies are labels in spaCy's words. Heads are told for auxiliaries alone, whose verb it is; every other
    token is its own head. That is what the rules for types ask for.

    >>> sentence = BuiltInAnnotator()([("He", "has", "gone", "home", ".")])[0]
    >>> sentence.tag, sentence.lemma
    (('PRP', 'VBZ', 'VBN', 'RB', '.'), ('he', 'have', 'go', 'home', '.'))
    >>> sentence.dependency[1], sentence.head[1]
    ('aux', 2)
    """

    @property
    def name(self) -> str:
        """The model, with its version."""
        return _MODEL

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> AnnotatedColumns:
        """The sentences with their annotations."""
        return _annotated(sentences, load_model(_MODEL))


def _annotated(sentences: Sequence[Sequence[str]], model: Model) -> AnnotatedColumns:
    threads = thread_count(len(sentences))
    offsets = offsets_of(map(len, sentences), len(sentences))
    vocabulary = _kernels.Interner()
    text, _, _ = vocabulary.encode_words(sentences, True)
    words = vocabulary.texts()

    attributes = word_attributes(words, model.seen, model.frequent, model.closed, model.forms)
    labels = model.tagger.label(attributes.ravel(), attributes.shape[1], (text, offsets), threads)

    # From here on a type is a word with its label.
    keys = text * np.int64(len(model.tags)) + labels
    known = np.zeros(len(words) * len(model.tags), dtype=np.int32)
    known[keys] = 1
    tagged = np.column_stack(np.divmod(np.flatnonzero(known), len(model.tags)))
    types = (np.cumsum(known, dtype=np.int32) - 1)[keys]
    closed = np.fromiter((word.lower() in model.frequent for word in words), dtype=bool, count=len(words))
    attributes = dependency_attributes(attributes, closed, model.tags, tagged)
    found = model.parser.label(attributes.ravel(), attributes.shape[1], (types, offsets), threads)

    tag_of, pos_of = zip(*map(coarse_tag, model.tags), strict=True)
    return AnnotatedColumns(
        tokens=[tuple(sentence) for sentence in sentences],
        offsets=offsets,
        text=NamedColumn(words, text),
        tag=NamedColumn(tag_of, labels),
        pos=NamedColumn(pos_of, labels),
        lemma=NamedColumn([lemma_of(words[w], tag_of[t], pos_of[t]) for w, t in tagged.tolist()], types),
        dependency=NamedColumn(model.dependencies, found),
        head=_heads(
            np.array([tag.startswith("VB") for tag in tag_of])[labels],
            np.array([label in _AUXILIARY for label in model.dependencies])[found],
            offsets,
        ),
    )


def _heads(verbs: NDArray[np.bool_], auxiliaries: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Each token's head, a place in its sentence: an auxiliary's is the next verb that is no auxiliary."""
    size = len(verbs)
    places = np.arange(size)
    next_verb = np.minimum.accumulate(np.where(verbs & ~auxiliaries, places, size)[::-1])[::-1]
    lengths = np.diff(offsets)
    has_verb = next_verb < np.repeat(offsets[1:], lengths)
    heads = np.where(auxiliaries & has_verb, next_verb, places) - np.repeat(offsets[:-1], lengths)
    return heads.astype(np.int32)
