"""German, Spanish, French and Greek: M2 files, types and stems of the published programs, on given annotations."""

from __future__ import annotations

import json

import pytest

from recte.annotation import Annotated, annotator_named
from recte.corpus.corpus import Annotation, Sentence
from recte.extraction.alignment import Span
from recte.extraction.de.stemmer import stem as german_stem
from recte.extraction.es.stemmer import stem as spanish_stem
from recte.extraction.languages import language_with
from recte.formats.m2 import format_sentence
from shared_data import golden, opened

FOLDER = "errant-languages"
STRATEGIES = {"rules": "rules", "all-split": "split", "all-merge": "merge"}
# Language, its options without the word list, whether it has one, the M2 files, the key of types.
VARIANTS = [
    ("de", {}, True, tuple(STRATEGIES), "type"),
    ("es", {}, False, tuple(STRATEGIES), "type"),
    ("es", {"rules": "corrected"}, True, ("rules.spanish-words",), "type_spanish_words"),
    ("fr", {}, True, tuple(STRATEGIES), "type"),
    ("el", {}, False, tuple(STRATEGIES), "type"),
    ("el", {"rules": "package"}, True, ("rules.package",), "type_package"),
]


def language_of(code, options, has_words, **more):
    words = {"word_list": str(golden(f"{FOLDER}/{code}/words.txt"))} if has_words else {}
    return language_with(code, {**options, **words, **more})


@pytest.mark.parametrize(("code", "options", "has_words", "names", "key"), VARIANTS)
def test_m2_files(code, options, has_words, names, key):
    annotator = annotator_named(f"given:{golden(f'{FOLDER}/{code}/tokens.tsv')}")
    with opened(golden(f"{FOLDER}/{code}/tokens.tsv")) as stream:
        blocks = stream.read().split("\n", 1)[1].rstrip("\n").split("\n\n")
    texts = [tuple(line.split("\t")[0] for line in block.split("\n")) for block in blocks]
    sources, corrected = texts[::2], texts[1::2]
    for name in names:
        merging = STRATEGIES.get(name, "rules")
        extractor = language_of(code, options, has_words, merging=merging).make_extractor(annotator)
        edits = extractor.edits(list(zip(sources, corrected, strict=True)))
        sentences = [Sentence(" ".join(s), s, (Annotation("0", e),)) for s, e in zip(sources, edits, strict=True)]
        with opened(golden(f"{FOLDER}/{code}/{name}.m2")) as stream:
            assert "".join(line for s in sentences for line in format_sentence(s)) == stream.read()


@pytest.mark.parametrize(("code", "options", "has_words", "names", "key"), VARIANTS)
def test_types(code, options, has_words, names, key):
    types = language_of(code, options, has_words).types
    with opened(golden(f"{FOLDER}/{code}/typing-cases.jsonl")) as stream:
        for case in map(json.loads, stream):
            sides = []
            for tokens in (case["orig"], case["cor"]):
                columns = map(tuple, zip(*tokens, strict=True)) if tokens else ((),) * 6
                text, pos, tag, lemma, dependency, head, *_ = columns
                sides.append(Annotated(text, tag, pos, lemma, dependency, head))
            assert types(*sides, Span(*case["edit"])) == case[key], case


@pytest.mark.parametrize(("code", "stem"), [("de", german_stem), ("es", spanish_stem)])
def test_stems(code, stem):
    with opened(golden(f"{FOLDER}/{code}/stems.tsv")) as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream]
    assert len(rows) > 2_000
    assert [[word, stem(word)] for word, _ in rows] == rows
