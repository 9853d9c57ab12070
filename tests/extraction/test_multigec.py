"""MultiGEC-2025: M2 files byte for byte, types, alignments, scores, and the whole local evaluation."""

from __future__ import annotations

import json

import pytest

import recte
from annotated_cases import annotated
from recte.annotation import Annotator
from recte.cli import main
from recte.corpus.corpus import Annotation, Corpus, Sentence
from recte.errors import OptionError
from recte.extraction.alignment import Span, align, edit_spans
from recte.extraction.languages import language_with
from recte.extraction.multigec.types import MultiGecTypes, Unannotated
from recte.formats.m2 import format_sentence
from recte.metrics.errant import Errant
from shared_data import golden, golden_lines, opened, shared

WITH_TAGS = ("it", "nn", "lt")
LANGUAGES = ("cs", "de", "el", "et", "lv", "ru", "sl", "sv", "uk", *WITH_TAGS)


def texts(language, name):
    with opened(golden(f"multigec/{language}/{name}.txt")) as stream:
        return [tuple(line.split()) for line in stream]


def extractor(mode, language):
    annotator = None if mode == "none" else f"given:{golden(f'multigec/{language}/tokens.conllu')}"
    rules = "official" if mode in ("none", "conllu") else mode
    return language_with("multigec", {"rules": rules}).make_extractor(annotator)


@pytest.mark.parametrize(
    ("language", "mode"),
    [*((name, "none") for name in LANGUAGES), *((n, m) for n in WITH_TAGS for m in ("xpos", "upos")), ("is", "conllu")],
)
def test_m2_files(language, mode):
    by_rules = extractor(mode, language)
    sources = texts(language, "source")
    for name in ("corrected", "hypothesis"):
        edits = by_rules.edits(list(zip(sources, texts(language, name), strict=True)))
        sentences = [Sentence(" ".join(s), s, (Annotation("0", e),)) for s, e in zip(sources, edits, strict=True)]
        with opened(golden(f"multigec/{language}/{name}.{mode}.m2")) as stream:
            assert "".join(line for s in sentences for line in format_sentence(s)) == stream.read()


def test_types():
    for case in golden_lines("multigec/typing-cases.jsonl"):
        sides = annotated(case["orig"]), annotated(case["cor"])
        for edit, type_ in (("edit", "type"), ("minimised", "minimised_type")):
            assert MultiGecTypes("upos")(*sides, Span(*case[edit])) == case[type_], case


def test_types_of_whole_edits_without_annotation():
    with opened(golden("multigec/none-pairs.tsv")) as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream]
    for source, corrected, type_ in rows[1:] if rows[0][0] == "source" else rows:
        a, b = Unannotated()([source.split(), corrected.split()])
        assert MultiGecTypes()(a, b, Span(0, len(a), 0, len(b))) == type_, (source, corrected)


@pytest.mark.parametrize("rules", ["xpos", "upos"])
def test_fine_tags_need_annotations(rules):
    with pytest.raises(OptionError, match=f"^rules: expected annotations with the fine tags of {rules}: given:FILE"):
        recte.extract(["a b"], [["a c"]], language="multigec", rules=rules)


def test_alignments():
    strategies = {"rules": "rules", "split": "all-split", "merge": "all-merge", "equal": "all-equal"}
    cases = golden_lines("multigec/align-cases.jsonl")
    lines = {(c["lang"], name): texts(c["lang"], name) for c in cases for name in ("source", "hypothesis")}
    annotators: dict[tuple[str, str], Annotator] = {}
    pairs = []
    for case in cases:
        key = case["lang"], case["mode"]
        if key not in annotators:
            annotators[key] = extractor(case["mode"], case["lang"]).annotator
        sides = [[lines[case["lang"], name][case["line"]]] for name in ("source", "hypothesis")]
        pairs.append((annotators[key](sides[0])[0], annotators[key](sides[1])[0]))
    for case, aligned in zip(cases, align(pairs), strict=True):
        assert aligned.cost == case["cost"]
        assert [[operation, *span] for operation, span in aligned.steps] == case["ops"]
    for merging, name in strategies.items():
        edits = edit_spans(pairs, merging=merging)
        assert [[list(span) for span in spans] for spans in edits] == [[e[:4] for e in c["edits"][name]] for c in cases]


@pytest.mark.parametrize(("system", "f"), [("AMU", 0.3035), ("UMC", 0.2138)])
def test_english_without_annotation_is_the_official_figure(system, f):
    folder = shared("data/conll14")

    def lines(name):
        return (folder / name).read_text(encoding="utf-8").splitlines()

    gold = Corpus.from_references(lines("source.txt"), [lines(f"references/ref{number}.txt") for number in (0, 1)])
    score = recte.score(gold, lines(f"systems/{system}.txt"), metric=Errant(language="multigec"))
    assert round(score.score, 4) == f
    assert "hypothesis_edits:errant+multigec+none" in score.signature


@pytest.mark.parametrize(
    ("corpus", "references", "figures"),
    [
        ("it-merlin", 1, [0.5664, 0.405, 0.5246, 61.7293]),
        ("sv-swell_gold", 1, [0.5814, 0.4054, 0.535, 57.3142]),
        ("cs-natform", 2, [0.5119, 0.3945, 0.4831, 56.6423]),
    ],
)
def test_the_whole_local_evaluation(corpus, references, figures, capsys, monkeypatch):
    pytest.importorskip("syntok")
    folder = golden("multigec/local-eval")
    monkeypatch.chdir(folder)
    gold = ["-s", f"ref/{corpus}-orig-dev.md", "-r", *(f"ref/{corpus}-ref{k + 1}-dev.md" for k in range(references))]
    words = ["score", *gold, "-i", f"res/{corpus}-hypo1-dev.md", "--tokens", "syntok", "--no-ci", "-q", "-f", "json"]
    assert main([*words, "--preset", "multigec-2025"]) == 0
    scores = {s["metric"]: s for s in json.loads(capsys.readouterr().out)["scores"] if s["system"] != "do-nothing"}
    gleu, errant = scores["gleu"], scores["errant"]
    assert [round(errant[key], 4) for key in ("precision", "recall", "score")] == figures[:3]
    assert round(100 * gleu["score"], 4) == figures[3]
