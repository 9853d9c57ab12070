"""Sentences into annotations with what the package brings along: no download, the same answer everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from recte.annotation.annotated import Annotated
from recte.annotation.builtin.attributes import dependency_attributes, word_attributes
from recte.annotation.builtin.lemmas import lemma_of
from recte.annotation.builtin.model import Model, load_model
from recte.columns.vocabulary import offsets_of
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

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        """The sentences with their annotations."""
        texts = [tuple(sentence) for sentence in sentences]
        distinct = list(dict.fromkeys(text for text in texts if text))
        annotated: dict[tuple[str, ...], Annotated] = {(): Annotated((), (), (), (), (), ())}
        if distinct:
            annotated.update(zip(distinct, _annotated(distinct, load_model(_MODEL)), strict=True))
        return [annotated[text] for text in texts]


def _annotated(sentences: Sequence[tuple[str, ...]], model: Model) -> list[Annotated]:
    threads = thread_count(len(sentences))
    offsets = offsets_of(map(len, sentences), len(sentences))
    numbers: dict[str, int] = {}
    tokens = [numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(sentences)]
    words = list(numbers)

    attributes = word_attributes(words, model.seen, model.frequent, model.closed)
    text = (np.array(tokens, dtype=np.int32), offsets)
    labels = model.tagger.label(attributes.ravel(), attributes.shape[1], text, threads)

    # From here on a type is a word with its label.
    keys, types = np.unique(text[0] * np.int64(len(model.tags)) + labels, return_inverse=True)
    tagged = np.column_stack(np.divmod(keys, len(model.tags)))
    closed = np.fromiter((word.lower() in model.frequent for word in words), dtype=bool, count=len(words))
    attributes = dependency_attributes(attributes, closed, model.tags, tagged)
    types = types.astype(np.int32).ravel()
    found = model.parser.label(attributes.ravel(), attributes.shape[1], (types, offsets), threads)

    tag_of, pos_of = zip(*map(coarse_tag, model.tags), strict=True)
    lemma_of_type = [lemma_of(words[word], tag_of[label], pos_of[label]) for word, label in tagged.tolist()]
    columns = ((tag_of, labels), (pos_of, labels), (lemma_of_type, types), (model.dependencies, found))
    told = [list(map(table.__getitem__, numbered.tolist())) for table, numbered in columns]
    ends = offsets.tolist()
    annotated = []
    for sentence, begin, end in zip(sentences, ends, ends[1:], strict=False):
        tag, pos, lemma, dependency = (tuple(column[begin:end]) for column in told)
        annotated.append(Annotated(sentence, tag, pos, lemma, dependency, _heads(tag, dependency)))
    return annotated


def _heads(tags: Sequence[str], dependencies: Sequence[str]) -> tuple[int, ...]:
    """Each token's head: an auxiliary's is the next verb that is no auxiliary."""
    heads = list(range(len(tags)))
    verb = -1
    for place in range(len(tags) - 1, -1, -1):
        if dependencies[place] in _AUXILIARY:
            heads[place] = verb if verb >= 0 else place
        elif tags[place].startswith("VB"):
            verb = place
    return tuple(heads)
