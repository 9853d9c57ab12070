"""Train the model of the built-in annotator on the English Web Treebank of Universal Dependencies.

    python tools/train_tagger.py ../shared/data/ud-english-ewt src/recte/annotation/data/builtin-en-2.model

The treebank's files (train, dev, test) have tab-separated columns: form, lemma, UPOS, XPOS, head, relation. Both models
learn from train and dev; accuracy on test is printed. Tags for the second model come from taggers that have not seen
the sentence (four-fold jackknifing), as it will meet them. Takes some minutes; needs a C++ compiler.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recte import _kernels
from recte.annotation.builtin.annotator import ALL_TOKENS, MARGIN
from recte.annotation.builtin.attributes import (
    DEPENDENCY_TEMPLATES,
    LICENCE_TEMPLATE,
    TAG_TEMPLATES,
    dependency_attributes,
    forms_of,
    template_array,
    word_attributes,
)
from recte.corpus.vocabulary import offsets_of
from treebank_labels import Token, dependency_labels, tag_labels, with_whole_words

ROUNDS = 6
MODELS = 3  # whose mean is taken
DROPPED = 10  # per cent of features, while training
LEAST_COUNT = 2  # of a feature
LEAST_SEEN = 3  # of a word whose tags are kept
LEAST_FREQUENT = 30  # of a word that stands for itself
FOLDS = 4
SCALE = 8  # of weights as integers
SMALLEST = 2  # weight that is kept while training
SMALLEST_WRITTEN = 4  # and in the file
FORBIDDEN = -4000  # the weight of a tag that a word cannot have
OPEN_TAGS = frozenset((
    "ADD", "AFX", "CD", "FW", "JJ", "JJR", "JJS", "NN", "NNP", "NNPS", "NNS", "RB", "RBR", "RBS",
    "SYM", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ",
))  # fmt: skip
ROOT = Path(__file__).parents[1]


class Weights(NamedTuple):
    """What a labeller is made of, without its templates."""

    features: np.ndarray[Any, Any]
    weights_per_feature: np.ndarray[Any, Any]
    weight_labels: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]
    transitions: np.ndarray[Any, Any]


class Words(NamedTuple):
    """What training knows of words: the tags of those seen often enough, the frequent ones, the tags of closed
    classes that each word may have, and the lexicon's answers for those seen.
    """

    seen: dict[str, str]
    frequent: frozenset[str]
    closed: dict[str, str]
    forms: dict[str, str]


def read_treebank(path: Path) -> list[list[Token]]:
    """The sentences of a file."""
    sentences: list[list[Token]] = [[]]
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if line == "\n":
                sentences.append([])
            else:
                form, _, upos, xpos, head, relation = line.rstrip("\n").split("\t")
                sentences[-1].append(Token(form, upos, xpos, int(head) - 1, relation))
    return [sentence for sentence in sentences if sentence]


def is_closed(tag: str) -> bool:
    """Whether no new words take the tag."""
    return tag not in OPEN_TAGS


def words_of(sentences: Sequence[Sequence[Token]], labels: Sequence[Sequence[str]]) -> Words:
    """Count words and their labels."""
    tags: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence, labelled in zip(sentences, labels, strict=True):
        for token, label in zip(sentence, labelled, strict=True):
            tags[token.form.lower()][label] += 1
    seen = {}
    for word, counts in tags.items():
        total = counts.total()
        if total >= LEAST_SEEN:  # a tag seen once on a frequent word is likely a slip
            common = [tag for tag, count in counts.items() if count >= 0.02 * total and (count > 1 or total < 10)]
            seen[word] = "/".join(sorted(common))
    frequent = frozenset(word for word, counts in tags.items() if counts.total() >= LEAST_FREQUENT)
    closed = {word: "/".join(sorted(tag for tag in counts if is_closed(tag))) for word, counts in tags.items()}
    forms = {word: forms_of(word) for word in seen if word.isalpha()}
    return Words(seen, frequent, {word: classes for word, classes in closed.items() if classes}, forms)


class Trainer:
    """The compiled trainer."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.program = self.folder / "train_labeller"
        shared = [ROOT / "cpp" / f"{name}.cpp" for name in ("text/labelling", "support/parallel", "support/interrupt")]
        sources = [ROOT / "tools" / "train_labeller.cpp", *shared]
        subprocess.run(
            ["c++", "-O3", "-std=c++20", "-pthread", f"-I{ROOT / 'cpp'}", *sources, "-o", self.program], check=True
        )

    def __call__(
        self,
        attributes: Any,
        templates: Any,
        tokens: Any,
        lengths: Any,
        gold: Any,
        labels: int,
        *,
        rounds: int = ROUNDS,
        models: int = MODELS,
    ) -> Weights:
        arrays = [[attributes.shape[1], labels], templates, attributes, tokens, lengths, gold]
        flat = [np.asarray(array).astype(np.int64).astype(np.int32).ravel() for array in arrays]
        np.concatenate([part for array in flat for part in ([np.int32(array.size)], array)]).astype(np.int32).tofile(
            self.folder / "in"
        )
        numbers = map(str, (rounds, MARGIN // SCALE, LEAST_COUNT, models, DROPPED))
        subprocess.run([self.program, self.folder / "in", self.folder / "out", *numbers], check=True)
        trained = np.fromfile(self.folder / "out", dtype=np.int32)
        size = int(trained[0])
        features = trained[1 : 1 + size].view(np.uint32)
        weights = np.rint(trained[1 + size : -labels * labels] * (SCALE / 1000)).astype(np.int32).reshape(size, labels)
        weights[np.abs(weights) < SMALLEST] = 0
        kept = weights.any(axis=1)
        rows, columns = np.nonzero(weights[kept])
        return Weights(
            features[kept],
            np.count_nonzero(weights[kept], axis=1).astype(np.uint8),
            columns.astype(np.uint8),
            weights[kept][rows, columns].astype(np.int16),
            np.rint(trained[-labels * labels :] * (SCALE / 1000)).astype(np.int32),
        )


def encoded(sentences: Sequence[Sequence[Token]]) -> tuple[list[str], Any, Any]:
    """Distinct words, the sentences as their numbers, and where sentences begin."""
    numbers: dict[str, int] = {}
    tokens = [numbers.setdefault(token.form, len(numbers)) for sentence in sentences for token in sentence]
    return list(numbers), np.array(tokens, dtype=np.int32), offsets_of(map(len, sentences), len(sentences))


def forbidding(weights: Weights, licences: set[str], tags: Sequence[str]) -> Weights:
    """The weights, with tags of closed classes forbidden to words that training has not seen with them."""
    number = TAG_TEMPLATES.index(LICENCE_TEMPLATE)
    ends = np.cumsum(weights.weights_per_feature)
    rows = {
        int(feature): dict(zip(labels.tolist(), numbers.tolist(), strict=True))
        for feature, labels, numbers in zip(
            weights.features,
            np.split(weights.weight_labels, ends[:-1]),
            np.split(weights.weights, ends[:-1]),
            strict=True,
        )
    }
    for licence in licences:
        allowed = licence.split("/")
        row = rows.setdefault(feature_number(number, zlib.crc32(licence.encode())), {})
        row.update({index: FORBIDDEN for index, tag in enumerate(tags) if is_closed(tag) and tag not in allowed})
    ordered = sorted(rows.items())
    return Weights(
        np.array([feature for feature, _ in ordered], dtype=np.uint32),
        np.array([len(row) for _, row in ordered], dtype=np.uint8),
        np.array([label for _, row in ordered for label in row], dtype=np.uint8),
        np.array([weight for _, row in ordered for weight in row.values()], dtype=np.int16),
        weights.transitions,
    )


def feature_number(template: int, value: int) -> int:
    """The kernel's number of a feature of one cell."""

    def mixed(number: int) -> int:
        number ^= number >> 16
        number = number * 0x85EBCA6B & 0xFFFFFFFF
        number ^= number >> 13
        number = number * 0xC2B2AE35 & 0xFFFFFFFF
        return number ^ number >> 16

    start = mixed(template + 1)
    return max(mixed(start ^ (value + 0x9E3779B9 & 0xFFFFFFFF)) + start * 31 & 0xFFFFFFFF, 1)


class Tagger:
    """The first model."""

    def __init__(
        self, trainer: Trainer, sentences: Sequence[Sequence[Token]], tags: Sequence[str], **effort: int
    ) -> None:
        labels = [tag_labels(sentence) for sentence in sentences]
        self.tags, self.words = tags, words_of(sentences, labels)
        words, tokens, offsets = encoded(sentences)
        numbers = {tag: number for number, tag in enumerate(tags)}
        gold = [numbers[label] for labelled in labels for label in labelled]
        attributes = word_attributes(words, *self.words)
        templates = template_array(TAG_TEMPLATES)
        learnt = trainer(attributes, templates, tokens, np.diff(offsets), gold, len(tags), **effort)
        self.weights = forbidding(learnt, {"", *self.words.closed.values()}, tags)
        self.labeller = _kernels.Labeller(templates, len(tags), MARGIN, *self.weights)

    def __call__(self, sentences: Sequence[Sequence[Token]]) -> Any:
        words, tokens, offsets = encoded(sentences)
        attributes = word_attributes(words, *self.words)
        return self.labeller.label(attributes.ravel(), attributes.shape[1], (tokens, offsets), ALL_TOKENS, 1)


class Parser:
    """The second model."""

    def __init__(self, trainer: Trainer, tagger: Tagger, sentences: Sequence[Sequence[Token]], labels: Any) -> None:
        self.tagger = tagger
        gold = [dependency_labels(sentence) for sentence in sentences]
        self.dependencies = sorted({label for labelled in gold for label in labelled})
        numbers = {label: number for number, label in enumerate(self.dependencies)}
        attributes, types, offsets = self.encoded(sentences, labels)
        flat = [numbers[label] for labelled in gold for label in labelled]
        templates, size = template_array(DEPENDENCY_TEMPLATES), len(self.dependencies)
        self.weights = trainer(attributes, templates, types, np.diff(offsets), flat, size)
        self.labeller = _kernels.Labeller(templates, size, MARGIN, *self.weights)

    def encoded(self, sentences: Sequence[Sequence[Token]], labels: Any) -> tuple[Any, Any, Any]:
        words, tokens, offsets = encoded(sentences)
        keys, types = np.unique(tokens * np.int64(len(self.tagger.tags)) + labels, return_inverse=True)
        tagged = np.column_stack(np.divmod(keys, len(self.tagger.tags)))
        closed = np.array([word.lower() in self.tagger.words.frequent for word in words])
        attributes = word_attributes(words, *self.tagger.words)
        return dependency_attributes(attributes, closed, self.tagger.tags, tagged), types.astype(np.int32), offsets

    def __call__(self, sentences: Sequence[Sequence[Token]]) -> Any:
        attributes, types, offsets = self.encoded(sentences, self.tagger(sentences))
        return self.labeller.label(attributes.ravel(), attributes.shape[1], (types, offsets), ALL_TOKENS, 1)


def jackknifed(trainer: Trainer, sentences: Sequence[Sequence[Token]], tags: Sequence[str]) -> Any:
    """Tags of all tokens, each by a tagger that was trained without its sentence."""
    fold = np.arange(len(sentences)) // 20 % FOLDS  # neighbours are of one text
    actual: list[Any] = [None] * len(sentences)
    for held_out in range(FOLDS):
        rest = [sentences[index] for index in np.flatnonzero(fold != held_out)]
        tagger = Tagger(trainer, rest, tags, rounds=3, models=1)
        tested = np.flatnonzero(fold == held_out)
        labels = tagger([sentences[index] for index in tested])
        ends = np.cumsum([len(sentences[index]) for index in tested])
        for index, part in zip(tested, np.split(labels, ends[:-1]), strict=True):
            actual[index] = part
    return np.concatenate(actual)


def pruned(weights: Weights) -> Weights:
    """The weights that are large enough to be written."""
    kept = np.abs(weights.weights) >= SMALLEST_WRITTEN
    of = np.repeat(np.arange(weights.features.size), weights.weights_per_feature)
    counts = np.bincount(of[kept], minlength=weights.features.size)
    return Weights(
        weights.features[counts > 0],
        counts[counts > 0].astype(np.uint8),
        weights.weight_labels[kept],
        weights.weights[kept],
        weights.transitions,
    )


def arrays_of(part: str, templates: Any, weights: Weights) -> dict[str, Any]:
    """A model's arrays by the names that loading knows; features are sorted, so steps between them need fewer bits."""
    steps = np.diff(weights.features, prepend=np.uint32(0)).astype(np.uint32)
    named = {"templates": templates, **narrowed("feature_steps", steps, np.uint16)}
    named |= {name: array for name, array in weights._asdict().items() if name not in ("features", "weights")}
    named |= narrowed("weights", weights.weights, np.int8)
    return {f"{part}_{name}": array for name, array in named.items()}


def narrowed(name: str, array: Any, dtype: Any) -> dict[str, Any]:
    """An array in half its bits, and apart from it the places and values of numbers that do not fit."""
    fits = array == array.astype(dtype)
    places = np.flatnonzero(~fits).astype(np.uint32)
    return {name: np.where(fits, array, 0).astype(dtype), f"{name}_large_at": places, f"{name}_large": array[places]}


def main(treebank: str, model: str) -> None:
    """Train, print accuracies, write the model."""
    sentences = [item for part in ("train", "dev") for item in read_treebank(Path(treebank, f"{part}.tsv.gz"))]
    sentences += [whole for item in sentences if (whole := with_whole_words(item)) != item]
    test = read_treebank(Path(treebank, "test.tsv.gz"))
    tags = sorted({label for sentence in sentences for label in tag_labels(sentence)})
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(folder)
        tagger = Tagger(trainer, sentences, tags)
        parser = Parser(trainer, tagger, sentences, jackknifed(trainer, sentences, tags))
    for name, labels, known, actual in (
        ("tags", map(tag_labels, test), tags, tagger(test)),
        ("dependencies", map(dependency_labels, test), parser.dependencies, parser(test)),
    ):
        gold = [label for labelled in labels for label in labelled]
        right = sum(known[number] == label for number, label in zip(actual, gold, strict=True))
        print(f"{name}: {right / len(gold):.4f} of {len(gold)} tokens of test")
    about = {
        "tags": tags,
        "dependencies": parser.dependencies,
        "seen": grouped(tagger.words.seen),
        "frequent": " ".join(sorted(tagger.words.frequent)),
        "closed": tagger.words.closed,
        "forms": grouped(tagger.words.forms),
    }
    arrays = {
        **arrays_of("tags", template_array(TAG_TEMPLATES), pruned(tagger.weights)),
        **arrays_of("dependencies", template_array(DEPENDENCY_TEMPLATES), pruned(parser.weights)),
    }
    write_model(Path(model), about, arrays)


def grouped(said: dict[str, str]) -> dict[str, str]:
    """The words of which the same is said, by what is said of them."""
    words: defaultdict[str, list[str]] = defaultdict(list)
    for word, what in said.items():
        words[what].append(word)
    return {what: " ".join(sorted(of)) for what, of in sorted(words.items())}


def write_model(path: Path, about: dict[str, Any], arrays: dict[str, Any]) -> None:
    """A line of JSON, then the arrays as they lie in memory, all padded to eight bytes."""
    listed = [(name, array.dtype.newbyteorder("<").str, array.size) for name, array in arrays.items()]
    line = json.dumps({**about, "arrays": listed}).encode()
    parts = [line + b" " * (-(len(line) + 1) % 8) + b"\n"]
    for array in arrays.values():
        raw = array.astype(array.dtype.newbyteorder("<")).tobytes()
        parts.append(raw + b"\0" * (-len(raw) % 8))
    path.write_bytes(b"".join(parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
