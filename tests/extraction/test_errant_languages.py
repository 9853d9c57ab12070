"""German, Greek, Spanish, French and Russian: M2 files, types and stems of the programs, on given annotations."""

from __future__ import annotations

import json

import pytest

from annotated_cases import annotated
from recte.annotation import Annotated
from recte.annotation.given import parse_token_table
from recte.corpus.corpus import Annotation, Edit, Sentence
from recte.extraction.alignment import Span, edit_spans
from recte.extraction.de.stemmer import stem as german_stem
from recte.extraction.es.stemmer import stem as spanish_stem
from recte.extraction.languages import language_with
from recte.extraction.ru.stemmer import stem as russian_stem
from recte.formats.m2 import format_sentence
from shared_data import golden, opened

FOLDER = "errant-languages"
STRATEGIES = {"rules": "rules", "all-split": "split", "all-merge": "merge"}
# Language, its options without the word list, whether it has one, the M2 files, the key of types.
VARIANTS = [
    ("de", {}, True, tuple(STRATEGIES), "type"),
    ("ru", {}, True, tuple(STRATEGIES), "type"),
    ("es", {}, False, tuple(STRATEGIES), "type"),
    ("es", {"rules": "corrected"}, True, ("rules.spanish-words",), "type_spanish_words"),
    ("fr", {}, True, tuple(STRATEGIES), "type"),
    ("el", {}, False, tuple(STRATEGIES), "type"),
    ("el", {"rules": "package"}, True, ("rules.package",), "type_package"),
]


def edit_of(types, source, corrected, span):
    words = corrected.text[span.corrected_start : span.corrected_end]
    return Edit(span.start, span.end, (" ".join(words),), types(source, corrected, span))


def language_of(code, options, has_words):
    files = ("words.txt", "words-frequency.txt") if code == "ru" else ("words.txt",)
    words = {"word_list": ",".join(str(golden(f"{FOLDER}/{code}/{file}")) for file in files)} if has_words else {}
    return language_with(code, {**options, **words})


@pytest.mark.parametrize(("code", "options", "has_words", "names", "key"), VARIANTS)
def test_m2_files(code, options, has_words, names, key):
    with opened(golden(f"{FOLDER}/{code}/tokens.tsv")) as stream:
        sentences = list(parse_token_table(stream.read().split("\n"), "tokens.tsv"))
    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))  # equal tokens may be tagged in two ways
    for name in names:
        language = language_of(code, options, has_words)
        spans = edit_spans(pairs, merging=STRATEGIES.get(name, "rules"), version=language.chosen_version)
        sentences = [
            Sentence(
                " ".join(a.text), a.text, (Annotation("0", tuple(edit_of(language.types, a, b, s) for s in of_pair)),)
            )
            for (a, b), of_pair in zip(pairs, spans, strict=True)
        ]
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
                text, pos, tag, lemma, dependency, head, *features = columns
                for column in features:
                    tag = tuple(f"{t}|{values}" if values else t for t, values in zip(tag, column, strict=True))
                sides.append(Annotated(text, tag, pos, lemma, dependency, head))
            assert types(*sides, Span(*case["edit"])) == case[key], case


@pytest.mark.parametrize(("code", "stem"), [("de", german_stem), ("es", spanish_stem), ("ru", russian_stem)])
def test_stems(code, stem):
    with opened(golden(f"{FOLDER}/{code}/stems.tsv")) as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream]
    assert len(rows) > 2_000
    assert [[word, stem(word)] for word, _ in rows] == rows


@pytest.mark.parametrize("code", ["de", "ru"])
def test_corrected_rules_lose_no_edit_in_merging(code):
    """The published rule joins "Wir WIR" for its capital, and loses the deletion before it."""
    tags = {"ja": "INTJ"}
    source, correction = (
        annotated([(word, tags.get(word, "PRON"), "", word.lower(), "dep", 0) for word in text.split()])
        for text in ("ja Wir WIR", "wir")
    )
    spans = {}
    for rules in ("official", "corrected"):
        language = language_with(code, {"rules": rules})
        (spans[rules],) = edit_spans([(source, correction)], version=language.chosen_version)
        assert language.types.name == (code if rules == "official" else f"{code}-corrected")
    assert spans == {"official": [Span(1, 3, 0, 1)], "corrected": [Span(0, 1, 0, 0), Span(1, 3, 0, 1)]}
