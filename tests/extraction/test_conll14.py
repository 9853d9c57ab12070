"""The M2 files of CoNLL-14 and JFLEG, byte for byte from given annotations."""

from __future__ import annotations

import pytest

from annotated_cases import GivenTokens
from recte.corpus.corpus import Annotation, Sentence
from recte.extraction.en.types import EnglishTypes
from recte.extraction.extractor import Extractor
from recte.extraction.gold_edits import retype_edits
from recte.formats.m2 import format_sentence, read_m2
from shared_data import golden, opened, shared


@pytest.fixture(scope="module")
def conll14():
    return GivenTokens(golden("errant/conll14-tokens.tsv.gz"))


@pytest.fixture(scope="module")
def jfleg():
    return GivenTokens(golden("errant/jfleg/dev.tokens.tsv.gz"))


def lines(path):
    return [tuple(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]


def m2_of(extractor, sources, *columns):
    edits = [extractor.edits(list(zip(sources, column, strict=True))) for column in columns]
    sentences = (
        Sentence(" ".join(source), source, tuple(Annotation(str(a), ours) for a, ours in enumerate(of_source)))
        for source, of_source in zip(sources, zip(*edits, strict=True), strict=True)
    )
    return "".join(line for sentence in sentences for line in format_sentence(sentence))


def golden_m2(name):
    with opened(golden(f"errant/{name}.m2.gz")) as stream:
        return stream.read()


@pytest.mark.parametrize("system", ["AMU", "CUUI", "IITB", "INPUT", "IPN", "POST", "SJTU", "UMC"])
def test_systems(conll14, system):
    sources, corrected = lines(shared("data/conll14/source.txt")), lines(shared(f"data/conll14/systems/{system}.txt"))
    assert m2_of(Extractor(conll14, EnglishTypes()), sources, corrected) == golden_m2(f"conll14/{system}")


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("lev", {"alignment": "levenshtein"}),
        ("all-split", {"merging": "split"}),
        ("all-merge", {"merging": "merge"}),
        ("all-equal", {"merging": "equal"}),
    ],
)
def test_strategies(conll14, name, strategy):
    sources, corrected = lines(shared("data/conll14/source.txt")), lines(shared("data/conll14/systems/AMU.txt"))
    assert m2_of(Extractor(conll14, EnglishTypes(), **strategy), sources, corrected) == golden_m2(f"conll14/AMU.{name}")


def test_references(conll14):
    folder = shared("data/conll14")
    references = [lines(folder / "references" / f"ref{number}.txt") for number in (0, 1)]
    got = m2_of(Extractor(conll14, EnglishTypes()), lines(folder / "source.txt"), *references)
    assert got == golden_m2("conll14/references")


@pytest.mark.parametrize(("edits", "name"), [("gold", "gold-spans"), ("auto", "gold-auto")])
def test_gold_edits(conll14, edits, name):
    gold = read_m2(shared("data/conll14/gold.m2"))
    typed = retype_edits(gold.sentences, Extractor(conll14, EnglishTypes()), edits=edits)
    assert "".join(line for s in typed for line in format_sentence(s)) == golden_m2(f"conll14/{name}")


def test_jfleg(jfleg):
    folder = shared("data/jfleg")
    sources = lines(folder / "dev.src")
    references = [lines(folder / f"dev.ref{number}") for number in range(4)]
    extractor = Extractor(jfleg, EnglishTypes())
    assert m2_of(extractor, sources, references[0]) == golden_m2("jfleg/dev.ref0-as-hypothesis")
    assert m2_of(extractor, sources, *references[1:]) == golden_m2("jfleg/dev.ref1-ref2-ref3")
