"""Extraction from columns: edits typed once for each kind, and lines written together, are those of each pair alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from recte.extraction.extract import extractor_of
from recte.formats.m2 import format_sentence, format_sentences
from recte.formats.parallel import parallel_chunks, write_text
from shared_data import shared

WORDS = ["he", "He", "go", "goes", "has", "had", "been", "is", "are", "was", "going", "gone", "the", "a", "an", "of"]
WORDS += ["in", "house", "houses", "home", ",", ".", "'s", "n't", "do", "did", "can"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


@given(st.lists(st.tuples(SENTENCES, SENTENCES, SENTENCES), min_size=1, max_size=8))
def test_many_pairs_give_the_edits_of_each_alone(rows):
    together = extractor_of("builtin", "en")
    pairs = [(tuple(row[0].split()), tuple(text.split())) for row in rows for text in row[1:]]
    assert together.edits(pairs) == [extractor_of("builtin", "en").edits([pair])[0] for pair in pairs]


@given(st.lists(st.tuples(SENTENCES, SENTENCES, SENTENCES), min_size=1, max_size=8))
def test_dependencies_on_demand_give_the_types_of_whole_annotations(rows):
    extractor = extractor_of("builtin", "en")
    for source, *texts in rows:
        for text in texts:
            pair = tuple(source.split()), tuple(text.split())
            annotated = extractor.annotate(pair)
            expected = [
                extractor.types(annotated[pair[0]], annotated[pair[1]], span) for span in extractor.spans([pair])[0]
            ]
            assert [edit.type for edit in extractor.edits([pair])[0]] == expected


TEXTS = st.lists(st.sampled_from([*WORDS, "|", "||", "-NONE-", "é", "noop", "\t"]), max_size=6).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=6))
def test_lines_of_columns_are_those_of_sentences(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("lines")
    files = [str(folder / name) for name in "abc"]
    for path, texts in zip(files, zip(*rows, strict=True), strict=True):
        write_text(path, texts)
    (sentences,) = parallel_chunks(files[0], files[1:], 100)
    corpus = recte.extract(recte.Corpus(sentences))
    try:
        expected = "".join(line for sentence in corpus for line in format_sentence(sentence))
    except recte.InputError:
        with pytest.raises(recte.InputError, match="an M2 line cannot hold"):
            "".join(format_sentences(corpus.sentences))
    else:
        assert "".join(format_sentences(corpus.sentences)) == expected


def test_the_order_and_number_of_pairs_change_nothing():
    folder = shared("data", "conll14")
    sources, outputs = (
        [tuple(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in (folder / "source.txt", folder / "systems" / "AMU.txt")
    )
    pairs = list(zip(sources, outputs, strict=True))[:400]
    expected = dict(zip(pairs, extractor_of("builtin", "en").edits(pairs), strict=True))
    random.Random(1).shuffle(pairs)
    extractor = extractor_of("builtin", "en")
    for begin in range(0, 400, 100):
        part = pairs[begin : begin + 100]
        assert extractor.edits(part) == [expected[pair] for pair in part]
