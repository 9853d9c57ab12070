from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from recte import Annotation, Corpus, Edit, InputError, Sentence, score
from recte.corpus.corpus import apply_edits, token_offsets
from strategies import sentences


def test_a_sentence_keeps_its_raw_text_and_where_each_token_stands():
    sentence = Sentence(" He  goes home.", ("He", "goes", "home", "."))
    assert [sentence.text[a:b] for a, b in sentence.offsets] == list(sentence.tokens)
    with pytest.raises(InputError, match="token 'b' does not follow in the text from character 1"):
        token_offsets("a c", ["a", "b"])


@given(sentences())
def test_offsets_of_split_words(words):
    text = "  ".join(words)
    assert [text[a:b] for a, b in token_offsets(text, words)] == words


def test_edits_apply_from_the_end_and_insertions_in_file_order():
    edits = [Edit(0, 0, ("x",)), Edit(0, 0, ("y",)), Edit(0, 1, ("A",)), Edit(2, 3, ("",))]
    assert apply_edits(["a", "b", "c"], edits) == "x y A b"


def test_parts_of_a_corpus_know_their_place_and_their_fingerprints_add_up():
    corpus = Corpus.from_references([f"s {i}" for i in range(5)], [[f"r {i}" for i in range(5)]])
    parts = corpus[:2], corpus[2:4], corpus[4:]
    assert [part.first for part in parts] == [0, 2, 4]
    assert sum(part.fingerprint for part in parts) % 2**32 == corpus.fingerprint
    assert corpus[1:2].fingerprint != Corpus(corpus.sentences[1:2]).fingerprint
    with pytest.raises(InputError, match="expected step 1, got 2"):
        corpus[::2]


def test_labels_are_columns():
    sentence = Sentence("a", document="d1", labels={"level": "B1"})
    assert Corpus((sentence, Sentence("b"))).label_columns == {"level": ("B1", ""), "document": ("d1", "")}


def test_annotators_are_in_order_of_number():
    annotations = tuple(Annotation(a) for a in ("10", "2", "b"))
    assert Corpus((Sentence("a", annotations=annotations),)).annotators == ("2", "10", "b")


def test_reference_columns_must_be_as_long_as_the_sources():
    with pytest.raises(InputError, match="reference 1: expected 2 sentences, one for each source, got 1"):
        Corpus.from_references(["a", "b"], [["a", "b"], ["a"]])
    with pytest.raises(InputError, match="expected annotations for 1 sources, got 0"):
        Corpus.from_edits(["a"], [])


def test_everything_pickles():
    corpus = Corpus.from_edits(["a b"], [[[Edit(0, 1, ("c",))]]])
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    error = InputError("wrong", "file", 3)
    assert str(pickle.loads(pickle.dumps(error))) == "file:3: wrong"


SOURCES = ["He go home .", "They is late ."]
SETS = [["He goes home .", "They are late ."], ["He went home .", "They were late ."]]
ROWS = [[*row] for row in zip(*SETS, strict=True)]


def test_references_of_either_orientation_are_told_by_their_numbers():
    per_sentence = [[*row, "another"] for row in ROWS]
    assert [s.references for s in Corpus.from_references(SOURCES, per_sentence)] == [tuple(row) for row in per_sentence]
    assert [s.references for s in Corpus.by_sentence(SOURCES, ROWS)] == [tuple(row) for row in ROWS]
    assert [s.references for s in Corpus.from_references(SOURCES, SETS)] == [tuple(row) for row in ROWS]


def test_references_of_the_other_orientation_are_refused_where_numbers_allow_both():
    with pytest.raises(InputError, match="a list for each reference set, got what looks like a list for each sentence"):
        Corpus.from_references(SOURCES, ROWS)
    with pytest.raises(InputError, match="a list for each sentence, got what looks like a list for each reference set"):
        Corpus.by_sentence(SOURCES, SETS)
    with pytest.raises(InputError, match="expected a list for each reference set"):
        score(SOURCES, ["He goes home .", "They are late ."], references=ROWS)
