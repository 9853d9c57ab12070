"""Czech: alignments, M2 files, types, stems and letters of the published program."""

from __future__ import annotations

import math

import pytest

from recte.annotation import Annotated
from recte.annotation.conllu import parse_conllu
from recte.annotation.universal_dependencies import BARE
from recte.corpus.corpus import Annotation, Sentence
from recte.extraction.alignment import MERGING, Span, align, edit_spans
from recte.extraction.cs.letters import block_similarity, letter_cost
from recte.extraction.cs.stemmer import stem
from recte.extraction.cs.types import CzechTypes, is_reordered, transliterate
from recte.extraction.languages import language_with
from recte.extraction.word_list import WordList
from recte.files import read_lines
from recte.formats.m2 import format_sentence
from shared_data import golden, golden_lines, opened

STRATEGIES = dict(zip(MERGING, ("rules", "all-split", "all-merge", "all-equal"), strict=True))


def rows(name):
    with opened(golden(f"czech/{name}.tsv")) as stream:
        _, *lines = stream.read().split("\n")
    return [line.split("\t") for line in lines if line]


def texts(name):
    with opened(golden(f"czech/{name}.txt")) as stream:
        return [tuple(line.split()) for line in stream]


@pytest.fixture(scope="module")
def annotations():
    lines = read_lines(str(golden("czech/tokens.conllu")))
    return {sentence.text: sentence for sentence in parse_conllu(lines, "tokens.conllu", BARE)}


def test_alignments(annotations):
    cases = golden_lines("czech/align-cases.jsonl")
    sources, hypotheses = texts("source"), texts("hypothesis")
    pairs = [(annotations[sources[c["line"]]], annotations[hypotheses[c["line"]]]) for c in cases]
    for case, aligned in zip(cases, align(pairs, version="czech"), strict=True):
        assert aligned.cost == case["cost"]
        assert [[operation, *span] for operation, span in aligned.steps] == case["ops"]
    for merging, name in STRATEGIES.items():
        edits = edit_spans(pairs, merging=merging, version="czech")
        assert [[list(span) for span in spans] for spans in edits] == [[e[:4] for e in c["edits"][name]] for c in cases]


@pytest.mark.parametrize("name", ["corrected", "hypothesis"])
def test_m2_files(name, tmp_path):
    known = tmp_path / "words.txt"
    known.write_text("".join(f"{word}\n" for word, is_known, _ in rows("words") if is_known == "1"), encoding="utf-8")
    czech = language_with("cs", {"word_list": str(known)})
    sources = texts("source")
    extractor = czech.make_extractor(f"given:{golden('czech/tokens.conllu')}")
    assert "+cs+words-" in extractor.name
    edits = extractor.edits(list(zip(sources, texts(name), strict=True)))
    sentences = [Sentence(" ".join(s), s, (Annotation("0", e),)) for s, e in zip(sources, edits, strict=True)]
    with opened(golden(f"czech/{name}.m2")) as stream:
        assert "".join(line for s in sentences for line in format_sentence(s)) == stream.read()


def test_types():
    for case in golden_lines("czech/typing-cases.jsonl"):
        sides = []
        for tokens in (case["orig"], case["cor"]):
            text, pos, lemma, dependency = map(tuple, zip(*tokens, strict=True)) if tokens else ((),) * 4
            sides.append(Annotated(text, pos, pos, lemma, dependency, tuple(range(len(text)))))
        span = Span(*case["edit"])
        edited = sides[0].text[span.start : span.end]
        known = WordList(frozenset(word for word, flag in zip(edited, case["known"], strict=True) if flag))
        assert CzechTypes(known)(*sides, span) == case["type"], case


def test_stems():
    for word, _, expected in rows("words"):
        assert stem(word) == expected


def test_similarities():
    for a, b, ratio, cost in rows("similarity"):
        assert block_similarity(a, b) == float(ratio)
        assert math.isclose(letter_cost(a, b), float(cost), rel_tol=0, abs_tol=0)


def test_reorderings():
    for case in golden_lines("czech/transposition-cases.jsonl"):
        assert is_reordered(tuple(case["a"]), tuple(case["b"])) == case["compatible"]


def test_letters_and_marks_of_european_languages_in_ascii():
    for code, character, expected in rows("unidecode"):
        if int(code, 16) < 0x180:
            assert transliterate(character) == expected, character
