"""The compiled readers compared with plain Python: the same sentences or the same error."""

from __future__ import annotations

import gzip
import pickle
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutated_files import compare, said
from oracles.m2 import iterate_m2 as oracle_m2
from recte import _kernels, read_m2, read_system
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import Vocabulary
from recte.files import read_lines
from recte.formats.m2 import m2_chunks, survey_m2
from recte.formats.parallel import parallel_chunks
from shared_data import shared

SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2004\u200a\u2028\u2029\u202f\u205f\u3000"


@pytest.mark.parametrize("seed", range(0, 600, 100))
def test_mutated_files(tmp_path, seed):
    for item in range(seed, seed + 100):
        compare(tmp_path / "gold.m2", item)


@pytest.mark.parametrize(
    "name",
    ["conll14/gold.m2", "conll14/gold-with-alternatives.m2", "ukrainian/gec-only.test.m2"],
)
@pytest.mark.parametrize("threads", ["1", "3"])
def test_real_gold(name, threads, monkeypatch):
    monkeypatch.setenv("RECTE_THREADS", threads)
    path = shared("data", *name.split("/"))
    corpus = read_m2(path)
    assert [said(s) for s in corpus] == [said(s) for s in oracle_m2(path)]
    assert survey_m2(path)[:2] == (len(corpus), corpus.annotators)


def test_real_outputs():
    for path in sorted(shared("data", "conll14", "systems").glob("*.txt")):
        assert read_system(path).outputs == list(read_lines(path))


def test_chunks_are_the_whole_and_their_fingerprints_add_up(tmp_path):
    path = shared("data", "conll14", "gold.m2")
    whole = read_m2(path)
    chunks = list(m2_chunks(path, 100))
    assert [len(chunk) for chunk in chunks] == [100] * 13 + [12]
    assert [s for chunk in chunks for s in chunk] == list(whole)
    firsts = range(0, len(whole), 100)
    total = sum(int(c.columns.fingerprints(f).sum()) for c, f in zip(chunks, firsts, strict=True))
    assert total % 2**32 == whole.fingerprint


def test_a_read_corpus_is_the_same_as_one_of_objects():
    from recte import Corpus

    read = read_m2(shared("data", "conll14", "gold-with-alternatives.m2"))
    made = Corpus(tuple(read), read.name)
    assert made == read
    assert made.annotators == read.annotators
    assert (made.fingerprints == read.fingerprints).all()
    assert pickle.loads(pickle.dumps(read)) == read
    assert read[3:9] == made[3:9]
    assert (read[3:9].fingerprints == read.fingerprints[3:9]).all()


def test_a_broken_archive_gives_what_stands_before_the_break(tmp_path):
    import random

    text = "".join(f"S {random.Random(i).random()}\n\n" for i in range(100_000))
    packed = gzip.compress(text.encode())
    (tmp_path / "gold.m2.gz").write_bytes(packed[: len(packed) // 2])
    chunks = m2_chunks(tmp_path / "gold.m2.gz", 100)
    assert next(chunks)[0].id == "1"
    with pytest.raises(Exception, match="expected a gzip file"):
        list(chunks)


def test_parallel_chunks_know_their_numbers(tmp_path):
    (tmp_path / "src").write_text("a\nb\nc\n")
    (tmp_path / "ref").write_text("A\nB\nC\n")
    chunks = list(parallel_chunks(tmp_path / "src", [tmp_path / "ref"], 2))
    assert [(s.id, s.text, s.references) for chunk in chunks for s in chunk] == [
        ("1", "a", ("A",)),
        ("2", "b", ("B",)),
        ("3", "c", ("C",)),
    ]


LETTERS = st.sampled_from(SPACES + "abé你\u200b😀\x00\x0e")
# Words of all lengths, and texts beyond the 64 bytes that are looked at together.
WORDS = st.lists(st.sampled_from(["a", "é", "\u3000", "b" * 7, "b" * 8, "b" * 16, "b" * 17, "bc" * 20]), max_size=40)


@given(st.lists(st.one_of(st.text(LETTERS, max_size=12), WORDS.map(" ".join)), max_size=20))
def test_words_are_those_of_str_split(texts):
    for column in (texts, TextColumn.of(texts)):
        vocabulary = Vocabulary()
        (ids, offsets), passing = vocabulary.encode_texts(column, extend=False)
        assert [len(text.split()) for text in texts] == [b - a for a, b in pairwise(offsets)]
        assert [passing[i] for i in ids] == [word for text in texts for word in text.split()]
        (again, _), unknown = vocabulary.encode_texts(column, extend=True)
        assert unknown == []
        assert vocabulary.words(again) == tuple(word for text in texts for word in text.split())


def test_a_vocabulary_pickles_and_copies():
    vocabulary = Vocabulary(["a", "\ud800", ""])
    for other in (pickle.loads(pickle.dumps(vocabulary)), vocabulary.copy()):
        assert other.interner.texts() == ["a", "\ud800", ""]
        other.encode([["b"]], extend=True)
    assert len(vocabulary) == 3


@given(st.lists(st.text(max_size=5), max_size=10))
def test_a_text_column_is_a_sequence_of_its_texts(texts):
    column = TextColumn.of(texts)
    assert column == texts
    assert list(column) == [column[i] for i in range(len(texts))] == texts
    assert column[1:3] == texts[1:3]
    assert repr(column) == repr(tuple(texts))


def test_threads_change_nothing_in_the_numbers_of_words():
    texts = [f"word{i % 97} word{i % 89} word{i}" for i in range(20_000)]
    column = TextColumn.of(texts)
    encoded = [Vocabulary().interner.encode_spans(column.spans, True, threads) for threads in (1, 4)]
    assert (encoded[0][0] == encoded[1][0]).all()
    assert (encoded[0][1] == encoded[1][1]).all()


BLOCKS = [
    b"S a b\n\n",
    b"S\n\n",
    b"S a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n",
    b"S a b\r\nT0 note\r\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-||| me \r\n\r\n",
    b"\n",
]


@given(st.booleans(), st.lists(st.sampled_from(BLOCKS), max_size=8), st.integers(1, 40))
def test_a_survey_finds_what_reading_finds(mark, blocks, size):
    content = (b"\xef\xbb\xbf" if mark else b"") + b"".join(blocks)
    survey = _kernels.M2Survey()
    for begin in range(0, len(content), size):
        survey.feed(content[begin : begin + size])
    survey.finish()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "gold.m2")
        path.write_bytes(content)
        sentences = list(oracle_m2(path)) if content.count(b"S") else []
    names = {a.annotator for s in sentences for a in s.annotations}
    assert survey.sentences == len(sentences)
    assert {name.decode() or "0" for name in survey.annotators} == names
