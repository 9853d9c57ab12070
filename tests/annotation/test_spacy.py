"""The interface to spaCy, with a stand-in for the library and with the library itself where it is installed."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from recte.annotation import annotator_named
from recte.annotation.cached_annotator import AnnotationCache
from recte.annotation.spacy_models import SpacyAnnotator
from recte.errors import OptionError


class _Document(list):
    def __init__(self, vocab, words):
        super().__init__(SimpleNamespace(text=word, i=place) for place, word in enumerate(words))


class _Pipeline:
    meta = {"lang": "en", "name": "toy", "version": "1.2"}  # noqa: RUF012
    vocab = None

    def __init__(self):
        self.parsed = []

    def pipe(self, documents, batch_size):
        for document in documents:
            self.parsed.append([token.text for token in document])
            for token in document:
                token.tag_, token.pos_, token.lemma_, token.dep_ = "NN", "NOUN", token.text.lower(), "dep"
                token.head = document[0]
            yield document


@pytest.fixture
def pipeline(monkeypatch):
    made, library, tokens = _Pipeline(), ModuleType("spacy"), ModuleType("spacy.tokens")

    def load(name, exclude):
        if name != "en_toy":
            raise OSError("[E050] Can't find model")
        return made

    library.load, tokens.Doc = load, _Document
    monkeypatch.setitem(sys.modules, "spacy", library)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    return made


def test_each_distinct_sentence_is_parsed_once(pipeline, tmp_path):
    memory = AnnotationCache("toy", tmp_path)
    first = SpacyAnnotator("en_toy", cache=memory)([["A", "b"], ["A", "b"], [], ["c"]])
    assert pipeline.parsed == [["A", "b"], [], ["c"]]
    assert first[0].lemma == ("a", "b")
    assert first[0].head == (0, 0)
    again = SpacyAnnotator("en_toy", cache=memory)([["c"], ["d"]])
    assert pipeline.parsed[3:] == [["d"]]
    assert again[0] == first[3]


def test_the_signature_names_the_model_and_its_version(pipeline):
    assert SpacyAnnotator("en_toy").name.endswith("-en_toy-1.2")


def test_a_missing_model_says_how_to_get_it(pipeline):
    with pytest.raises(OptionError, match=r"no model 'en_other': python -m spacy download en_other$"):
        annotator_named("spacy:en_other")([["A"]])


def test_missing_spacy_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(OptionError, match=r"needs spacy, which is not installed: pip install 'recte\[spacy\]'"):
        SpacyAnnotator("en_missing")([["A"]])


def test_a_cache_that_cannot_be_used_is_done_without(pipeline, tmp_path):
    memory = AnnotationCache("toy", tmp_path)
    memory.path.write_text("this is no database")
    with pytest.warns(RuntimeWarning, match="is damaged and set aside"):
        assert SpacyAnnotator("en_toy", cache=memory)([["A"]])[0].lemma == ("a",)
    nowhere = AnnotationCache("toy", tmp_path / "toy.sqlite")  # a folder that is a file
    with pytest.warns(RuntimeWarning, match="nothing is kept for the next run"):
        assert SpacyAnnotator("en_toy", cache=nowhere)([["A"]])[0].lemma == ("a",)


def test_a_real_pipeline_gives_the_same_in_batches_and_one_by_one(tmp_path):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.to_disk(tmp_path / "model")
    texts = [["Hello", "there", "."], ["A", "b-c", "  "], []]

    def parsed(name, sentences):
        memory = AnnotationCache(name, tmp_path)
        return SpacyAnnotator(str(tmp_path / "model"), cache=memory)(sentences)

    assert parsed("all", texts) == [parsed("one", [text])[0] for text in texts]
