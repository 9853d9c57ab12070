"""The built-in annotator: what it says of plain sentences, and how far it agrees with spaCy on CoNLL-14."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import _kernels
from recte.annotation import annotator_named
from recte.annotation.annotated_columns import CHILDREN_WANTED
from recte.annotation.builtin.annotator import ALL_TOKENS, lemma_of, load_model
from recte.annotation.builtin.attributes import forms_of
from recte.annotation.given import parse_token_table
from recte.corpus.corpus import Corpus
from recte.extraction.en.types import EnglishTypes
from recte.extraction.extractor import Extractor
from recte.metrics.errant import Errant
from shared_data import shared

ANNOTATOR = annotator_named("builtin")


def _annotate(text):
    return ANNOTATOR([text.split()])[0]


def test_tags_lemmas_and_auxiliaries():
    sentence = _annotate("She has been reading the children 's books .")
    assert sentence.tag == ("PRP", "VBZ", "VBN", "VBG", "DT", "NNS", "POS", "NNS", ".")
    assert sentence.pos == ("PRON", "AUX", "AUX", "VERB", "DET", "NOUN", "PART", "NOUN", "PUNCT")
    assert sentence.lemma == ("she", "have", "be", "read", "the", "child", "'s", "book", ".")
    assert sentence.dependency[1:3] == ("aux", "aux")
    assert sentence.head[1:3] == (3, 3)


def test_one_by_one_is_the_same_as_all_at_once():
    texts = ["He goes .", "", "He goes .", "I can not believe it !", "covid-19 , 3.5 % ünïcode ”", "\ud800 x"]
    sentences = [text.split() for text in texts]
    assert list(ANNOTATOR(sentences)) == [ANNOTATOR([sentence])[0] for sentence in sentences]


@given(st.lists(st.lists(st.text(min_size=1, max_size=8), max_size=6), max_size=4))
def test_every_token_gets_every_column(sentences):
    for tokens, sentence in zip(sentences, ANNOTATOR(sentences), strict=True):
        assert sentence.text == tuple(tokens)
        for column in (sentence.tag, sentence.pos, sentence.lemma, sentence.dependency, sentence.head):
            assert len(column) == len(tokens)
        assert all(0 <= head < len(tokens) for head in sentence.head)


VERBAL = ("He", "has", "been", "is", "to", "not", "have", "go", "going", "gone", "seems", "and", "the", "will", "did")


@given(st.lists(st.lists(st.sampled_from(VERBAL), min_size=1, max_size=14), min_size=1, max_size=4), st.data())
def test_children_of_some_tokens_are_those_of_the_whole_sentence(sentences, data):
    size = sum(map(len, sentences))
    marks = data.draw(st.lists(st.sampled_from((0, 0, 1, CHILDREN_WANTED)), min_size=size, max_size=size))
    _check_wanted(sentences, marks)


def test_a_verb_that_turns_out_to_be_an_auxiliary_ends_no_clause():
    tokens = ["do", "He", "go", "go", "want", "been", "gone"]
    for place in range(len(tokens)):
        _check_wanted([tokens], [CHILDREN_WANTED * (place == other) for other in range(len(tokens))])


def _check_wanted(sentences, marks):
    vocabulary = _kernels.Interner()
    ids, offsets, _ = vocabulary.encode_words(sentences, True)
    columns = ANNOTATOR.annotate_columns(vocabulary.texts(), (ids, offsets))
    wanted = np.array(marks, dtype=np.uint8)
    some, whole = columns.with_dependencies(wanted), columns.with_dependencies(ALL_TOKENS)
    labels = [np.array(sentences.dependency.texts())[wanted > 0].tolist() for sentences in (some, whole)]
    assert labels[0] == labels[1]
    with_children = wanted == CHILDREN_WANTED
    around = [EnglishTypes().number_surroundings(sentences)[with_children].tolist() for sentences in (some, whole)]
    assert some.head[with_children].tolist() == whole.head[with_children].tolist()
    assert around[0] == around[1]


@pytest.mark.parametrize(
    ("text", "tag", "pos", "lemma"),
    [
        ("went", "VBD", "VERB", "go"),
        ("studies", "VBZ", "VERB", "study"),
        ("making", "VBG", "VERB", "make"),
        ("senses", "NNS", "NOUN", "sense"),
        ("wives", "NNS", "NOUN", "wife"),
        ("better", "JJR", "ADJ", "well"),
        ("However", "RB", "ADV", "however"),
        ("People", "NNS", "NOUN", "People"),
        ("her", "PRP", "PRON", "she"),
        ("her", "PRP$", "PRON", "her"),
        ("n't", "RB", "PART", "not"),
        ("ca", "MD", "AUX", "can"),
        ("s", "NNS", "NOUN", "s"),
        ("", "NNS", "NOUN", ""),
    ],
)
def test_lemmas_as_spacy_gives_them(text, tag, pos, lemma):
    assert lemma_of(text, tag, pos) == lemma


@cache
def _golden():
    path = shared("golden", "errant", "conll14-tokens.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return {item.text: item for item in parse_token_table((line.rstrip("\n") for line in lines), path.name)}


def test_lemmas_are_those_of_spacy_where_tags_are():
    columns = Counter(
        lemma_of(text, tag, pos) == lemma
        for item in _golden().values()
        for text, tag, pos, lemma in zip(item.text, item.tag, item.pos, item.lemma, strict=True)
    )
    assert columns[False] <= 16  # of 168,648


def test_agreement_with_the_tags_of_spacy():
    right = Counter()
    for gold, actual in zip(_golden().values(), ANNOTATOR(list(_golden())), strict=True):
        for column in ("tag", "pos", "lemma"):
            right[column] += sum(map(str.__eq__, getattr(gold, column), getattr(actual, column)))
    tokens = sum(map(len, _golden()))
    assert right["tag"] >= 0.971 * tokens
    assert right["pos"] >= 0.972 * tokens
    assert right["lemma"] >= 0.990 * tokens


class _Given:
    name = "golden"

    def __call__(self, sentences):
        return [_golden()[tuple(sentence)] for sentence in sentences]


@pytest.mark.parametrize(
    ("texts", "spans", "typed"),
    [
        (["systems/AMU.txt"], 0.995, 0.945),
        (["systems/UMC.txt"], 0.995, 0.945),
        (["references/ref0.txt", "references/ref1.txt"], 0.985, 0.945),
    ],
    ids=["AMU", "UMC", "references"],
)
def test_edits_are_those_that_spacy_leads_to(texts, spans, typed):
    folder = shared("data", "conll14")
    source = [tuple(line.split()) for line in (folder / "source.txt").read_text(encoding="utf-8").splitlines()]
    pairs = []
    for name in texts:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        pairs += [pair for pair in zip(source, (tuple(line.split()) for line in lines), strict=True) if pair[1]]
    golden, ours = (Extractor(who, EnglishTypes()).edits(pairs) for who in (_Given(), ANNOTATOR))
    assert _agreement(golden, ours, lambda edit: (edit.start, edit.end, edit.corrections)) >= spans
    assert _agreement(golden, ours, lambda edit: (edit.start, edit.end, edit.corrections, edit.type)) >= typed


def _lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_scores_are_those_that_spacy_leads_to():
    golden = {
        row["system"]: float(row["f"])
        for row in _table(shared("golden", "errant", "compare-systems.tsv"))
        if (row["reference"], row["mode"], row["subset"], row["beta"]) == ("references", "cs", "all", "0.5")
    }
    assert len(golden) == 8
    folder = shared("data", "conll14")
    references = [_lines(folder / "references" / f"ref{number}.txt") for number in (0, 1)]
    scorer = Errant().prepare(Corpus.from_references(_lines(folder / "source.txt"), references))
    for system, f in golden.items():
        assert scorer.score(_lines(folder / "systems" / f"{system}.txt")).score == pytest.approx(f, abs=0.001), system


def _table(path):
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def test_the_model_knows_the_lexicon():
    """Answers that the model's file keeps are those that the lexicon gives."""
    forms = load_model("builtin-en-2").forms
    assert len(forms) > 5000
    assert all(forms_of(word) == letters for word, letters in forms.items())


def _agreement(golden, ours, key):
    """F1 of two sets of edits."""
    shared_edits = both = 0
    for a, b in zip(golden, ours, strict=True):
        first, second = Counter(map(key, a)), Counter(map(key, b))
        shared_edits += (first & second).total()
        both += first.total() + second.total()
    return 2 * shared_edits / both
