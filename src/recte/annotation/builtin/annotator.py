"""Sentences into annotations with what the package brings along: no download, the same answer everywhere.

Lemmas by rule: irregular forms first, then endings cut off as WordNet does (Miller 1995).

The answers are those of spaCy's English lemmatiser, given the same tags: base forms stay, proper nouns keep their
capitals, and a form that nothing can be cut from stays as it is written.

The weights of the built-in annotator, as `tools/train_tagger.py` writes them.

The file is a line of JSON, which says what the model knows of words and which arrays follow, and then the arrays
as they lie in memory, each padded to eight bytes. It is not packed: unpacking would take longer than tagging a corpus.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation.annotated_columns import CHILDREN_WANTED, AnnotatedColumns, NamedColumn
from recte.annotation.builtin.attributes import dependency_attributes, word_attributes
from recte.annotation.data_files import data_file
from recte.annotation.wordnet import ENDINGS, PartOfSpeech, irregular_lemmas, is_lemma
from recte.corpus.vocabulary import EncodedText, Integers, runs
from recte.threads import thread_count

__all__ = ["MARGIN", "BuiltInAnnotator", "Model", "coarse_tag", "lemma_of", "load_model"]

_PARTS: dict[str, PartOfSpeech] = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj"}
_BASE_TAGS = frozenset({"NN", "VB", "VBP", "JJ"})
_AUXILIARIES = {
    form: lemma
    for lemma, forms in {
        "be": "am are be been being is was were 'm 're 's",
        "have": "had has have 've",
        "do": "did do does doing done",
        "will": "'ll wo",
        "would": "'d",
        "can": "ca",
        "shall": "sha",
    }.items()
    for form in forms.split()
}
_PRONOUNS = {"i": "I", "me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "'s": "us"}
# Adverbs lose no endings: too many end in -er and -est (however, never, almost).
_ADVERBS = {
    "best": "well",
    "better": "well",
    "closer": "close",
    "deeper": "deep",
    "earlier": "early",
    "farther": "far",
    "faster": "fast",
    "further": "far",
    "harder": "hard",
    "hardest": "hard",
    "longer": "long",
    "longest": "long",
    "quicker": "quick",
    "slower": "slow",
    "sooner": "soon",
}


@lru_cache(maxsize=1 << 16)
def lemma_of(text: str, tag: str, pos: str) -> str:
    """The lemma of a token with these tags.

    >>> lemma_of("Children", "NNS", "NOUN"), lemma_of("making", "VBG", "VERB"), lemma_of("Paris", "NNP", "PROPN")
    ('child', 'make', 'Paris')
    """
    low = text.lower()
    if pos == "PROPN":
        return text
    if pos == "AUX":
        return _AUXILIARIES.get(low, low)
    if pos == "ADV":
        return _ADVERBS.get(low, low)
    if tag == "PRP":
        return _PRONOUNS.get(low, low)
    if low == "n't":
        return "not"
    if pos == "VERB" and low in ("am", "are"):
        return "be"
    part = _PARTS.get(pos)
    if part is None or tag in _BASE_TAGS:
        return low
    return _remove_inflection(low, part) or text


def _remove_inflection(low: str, part: PartOfSpeech) -> str:
    irregular = irregular_lemmas(low, part)
    if irregular:
        return irregular[-1]
    guesses = [low.removesuffix(old) + new for old, new in ENDINGS[part] if low.endswith(old) and low != old]
    known = (guess for guess in guesses if is_lemma(guess, part) or not guess.isalpha())
    return next(known, guesses[0] if guesses else "")


# A label this far below the best at its place is never chosen: no weights between neighbours are as large.
MARGIN = 600
ALL_TOKENS: NDArray[np.uint8] = np.array([], dtype=np.uint8)  # labels are wanted for every token
_ARRAYS = ("templates", "weights_per_feature", "weight_labels", "transitions")


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Both labellers with their labels; `seen`, `frequent` and `closed` are what training knew of words.

    A label of the tagger is a Penn tag, with the coarse tag after a bar where the tag leaves it open: `VBZ|AUX`.
    `forms` has the answers of `lexicon.forms_of` for the words that were seen, so that most words need no search.
    """

    tagger: _kernels.Labeller
    tags: tuple[str, ...]
    seen: dict[str, str]
    frequent: frozenset[str]
    closed: dict[str, str]
    forms: dict[str, str]
    parser: _kernels.Labeller
    dependencies: tuple[str, ...]


@cache
def load_model(name: str) -> Model:
    """The model of this name in the package's data."""
    raw = data_file(f"{name}.model").read_bytes()
    begin = raw.index(b"\n") + 1
    about = json.loads(raw[:begin])
    arrays = {}
    for key, dtype, size in about["arrays"]:
        arrays[key] = np.frombuffer(raw, np.dtype(dtype), size, begin)
        begin += -(-arrays[key].nbytes // 8) * 8
    tagger, parser = (_labeller(arrays, part, len(about[part])) for part in ("tags", "dependencies"))
    return Model(
        tagger=tagger,
        tags=tuple(about["tags"]),
        seen=_by_word(about["seen"]),
        frequent=frozenset(about["frequent"].split(" ")),
        closed=about["closed"],
        forms=_by_word(about["forms"]),
        parser=parser,
        dependencies=tuple(about["dependencies"]),
    )


def _by_word(grouped: dict[str, str]) -> dict[str, str]:
    """What is said of each word, from the words of which the same is said."""
    return {word: value for value, words in grouped.items() for word in words.split(" ")}


def _labeller(arrays: Any, part: str, labels: int) -> _kernels.Labeller:
    features = np.cumsum(_widen(arrays, f"{part}_feature_steps", np.uint32), dtype=np.uint32)
    weights = _widen(arrays, f"{part}_weights", np.int16)
    templates, counts, weight_labels, transitions = (arrays[f"{part}_{name}"] for name in _ARRAYS)
    return _kernels.Labeller(templates, labels, MARGIN, features, counts, weight_labels, weights, transitions)


def _widen(arrays: Any, name: str, dtype: type[np.generic]) -> NDArray[Any]:
    """An array that was written in half the bits, with the few numbers that need all of them."""
    widened: NDArray[Any] = arrays[name].astype(dtype)
    widened[arrays[f"{name}_large_at"]] = arrays[f"{name}_large"]
    return widened


_MODEL = "builtin-en-2"
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
        vocabulary = _kernels.Interner()
        ids, offsets, _ = vocabulary.encode_words(sentences, True)
        return self.annotate_columns(vocabulary.texts(), (ids, offsets)).with_dependencies(ALL_TOKENS)

    def annotate_columns(self, words: Sequence[str], text: EncodedText) -> AnnotatedColumns:
        """The same for sentences that are numbers of words, before their dependencies are asked for."""
        return _annotate(words, text, load_model(_MODEL))


class _WordMemory:
    """What the models look at in words, computed once for each word; after very many words it begins again."""

    most = 1 << 18

    def __init__(self, model: Model) -> None:
        self._model = model
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        self._vocabulary = _kernels.Interner()
        self._attributes = np.zeros((0, 0), dtype=np.uint32)
        self._closed = np.zeros(0, dtype=np.bool_)

    def look_up(self, words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """The words' attributes, and which of them may stand for themselves."""
        with self._lock:
            return self._look_up(words)

    def _look_up(self, words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        if len(self._vocabulary) > self.most:
            self._forget()
        model, known = self._model, len(self._vocabulary)
        numbers, _, _ = self._vocabulary.encode_words([words], True)
        if len(self._vocabulary) > known or not self._attributes.size:
            fresh = self._vocabulary.words(np.arange(known, len(self._vocabulary), dtype=np.int32))
            attributes = word_attributes(fresh, model.seen, model.frequent, model.closed, model.forms)
            closed = np.fromiter((word.lower() in model.frequent for word in fresh), dtype=bool, count=len(fresh))
            # The last row stands for what lies beyond the ends of a sentence.
            self._attributes = np.vstack([self._attributes[:-1], attributes]) if self._attributes.size else attributes
            self._closed = np.append(self._closed, closed)
        return self._attributes[np.append(numbers, -1)], self._closed[numbers]


@cache
def _word_memory(model: Model) -> _WordMemory:
    return _WordMemory(model)


def _annotate(words: Sequence[str], ids_and_offsets: EncodedText, model: Model) -> AnnotatedColumns:
    text, offsets = ids_and_offsets
    threads = thread_count(len(offsets) - 1)
    attributes, closed = _word_memory(model).look_up(words)
    labels = model.tagger.label(attributes.ravel(), attributes.shape[1], (text, offsets), ALL_TOKENS, threads)

    # From here on a type is a word with its label.
    keys = text * np.int64(len(model.tags)) + labels
    known = np.zeros(len(words) * len(model.tags), dtype=np.int32)
    known[keys] = 1
    tagged = np.column_stack(np.divmod(np.flatnonzero(known), len(model.tags)))
    types = (np.cumsum(known, dtype=np.int32) - 1)[keys]
    attributes = dependency_attributes(attributes, closed, model.tags, tagged)
    tag_of, pos_of = zip(*map(coarse_tag, model.tags), strict=True)

    is_verb = np.array([tag.startswith("VB") for tag in tag_of])[labels]
    is_plain_verb = is_verb & np.array([pos != "AUX" for pos in pos_of])[labels]
    is_auxiliary_label = np.array([label in _AUXILIARY for label in (*model.dependencies, "")])

    def label_dependencies(wanted: NDArray[np.uint8]) -> tuple[NamedColumn, NDArray[np.int32]]:
        clauses = _Clauses.around(np.flatnonzero(wanted == CHILDREN_WANTED), is_plain_verb, offsets)
        marks = clauses.mark(wanted)
        numbers = model.parser.label(attributes.ravel(), attributes.shape[1], (types, offsets), marks, threads)
        begins, ends = clauses.find_unsure_sentences(is_auxiliary_label[numbers], offsets)
        if len(begins):
            tokens, unsure_offsets = runs(begins, ends)
            unsure_types, unsure_text = np.unique(types[tokens], return_inverse=True)
            views = attributes[np.append(unsure_types, -1)]
            unsure = unsure_text.astype(np.int32), unsure_offsets
            numbers[tokens] = model.parser.label(views.ravel(), views.shape[1], unsure, ALL_TOKENS, threads)
        heads = _heads(is_verb, is_auxiliary_label[numbers], offsets)
        return NamedColumn((*model.dependencies, ""), numbers), heads  # -1, of tokens not asked for, is the last name

    return AnnotatedColumns(
        offsets=offsets,
        text=NamedColumn(words, text),
        tag=NamedColumn(tag_of, labels),
        pos=NamedColumn(pos_of, labels),
        lemma=NamedColumn([lemma_of(words[w], tag_of[t], pos_of[t]) for w, t in tagged.tolist()], types),
        dependency=NamedColumn(("",), np.zeros_like(text)),
        head=np.zeros_like(text),
        label_dependencies=label_dependencies,
    )


class _Clauses(NamedTuple):
    """Around each of some tokens, those that can decide its children and those of its head.

    An auxiliary's head is the next verb that is no auxiliary. So the token's children stand behind the verb before it;
    where the token is an auxiliary, its head is the next verb.
    """

    tokens: Integers
    firsts: Integers
    lasts: Integers

    @classmethod
    def around(cls, tokens: Integers, is_plain_verb: NDArray[np.bool_], offsets: Integers) -> _Clauses:
        """From the verb before each token up to itself, or to the next verb where it is none."""
        sentences = np.searchsorted(offsets, tokens, side="right") - 1
        verbs = np.flatnonzero(is_plain_verb)
        if not len(tokens) or not len(verbs):
            return cls(tokens, offsets[sentences], offsets[sentences + 1] - 1)
        before, after = np.searchsorted(verbs, tokens) - 1, np.searchsorted(verbs, tokens)
        firsts = np.where(before < 0, 0, verbs[before])
        lasts = np.where(after == len(verbs), offsets[-1], verbs[np.minimum(after, len(verbs) - 1)])
        return cls(tokens, np.maximum(firsts, offsets[sentences]), np.minimum(lasts, offsets[sentences + 1] - 1))

    def mark(self, wanted: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The marks, with those of the clauses."""
        marks = wanted.copy()
        marks[runs(self.firsts, self.lasts + 1)[0]] = 1
        return marks

    def find_unsure_sentences(self, is_auxiliary: NDArray[np.bool_], offsets: Integers) -> tuple[Integers, Integers]:
        """Begin and end of the sentences in which a verb that was to end a clause is an auxiliary itself."""
        sentences = np.searchsorted(offsets, self.tokens, side="right") - 1
        begins, ends = offsets[sentences], offsets[sentences + 1]
        is_unsure = (self.firsts > begins) & is_auxiliary[self.firsts]
        is_unsure |= (self.lasts < ends - 1) & is_auxiliary[self.lasts]
        unsure = np.unique(sentences[is_unsure])
        return offsets[unsure], offsets[unsure + 1]


def _heads(verbs: NDArray[np.bool_], auxiliaries: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Each token's head, a place in its sentence: an auxiliary's is the next verb that is no auxiliary."""
    size = len(verbs)
    places = np.arange(size)
    next_verb = np.minimum.accumulate(np.where(verbs & ~auxiliaries, places, size)[::-1])[::-1]
    lengths = np.diff(offsets)
    has_verb = next_verb < np.repeat(offsets[1:], lengths)
    heads = np.where(auxiliaries & has_verb, next_verb, places) - np.repeat(offsets[:-1], lengths)
    return heads.astype(np.int32)
