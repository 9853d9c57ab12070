"""UDPipe: the rows of the golden files from the model, caching, and what is said where library or model is missing."""

from __future__ import annotations

import sys

import pytest

from recte.annotation import annotator_named
from recte.annotation.cached_annotator import AnnotationCache
from recte.annotation.conllu import parse_conllu
from recte.annotation.udpipe_models import UdpipeAnnotator
from recte.annotation.universal_dependencies import BARE, UNIVERSAL
from recte.errors import InputError, OptionError
from recte.files import read_lines
from shared_data import golden, shared

MODELS = {"it": "italian-twittiro-ud-2.5-191206", "nn": "norwegian-nynorsklia-ud-2.5-191206"}


def model(language):
    pytest.importorskip("ufal.udpipe")
    return str(shared(f"data/udpipe/{MODELS[language]}.udpipe"))


@pytest.mark.parametrize("language", MODELS)
def test_rows_of_the_golden_files(language, tmp_path):
    rows = read_lines(str(golden(f"multigec/{language}/tokens.conllu.gz")))
    expected = [sentence for _, sentence in zip(range(120), parse_conllu(rows, "tokens.conllu", BARE), strict=False)]
    annotator = UdpipeAnnotator(model(language), BARE, cache=AnnotationCache("udpipe", tmp_path))
    assert annotator([sentence.text for sentence in expected]) == expected


def test_annotations_are_kept_by_scheme(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = model("it")
    texts = [["Il", "gatto", "dorme", "."], []]
    bare, universal = UdpipeAnnotator(path, BARE), UdpipeAnnotator(path, UNIVERSAL)
    assert (bare(texts)[0].tag[1], universal(texts)[0].tag[1]) == ("NOUN", "NOUN|Gender=Masc|Number=Sing")
    monkeypatch.setattr(UdpipeAnnotator, "parse", lambda self, texts: pytest.fail("parsed again"))
    assert UdpipeAnnotator(path, BARE)(texts)[0].tag[1] == "NOUN"
    assert bare.name.startswith("udpipe-1.")
    assert MODELS["it"] in bare.name


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    pytest.importorskip("ufal.udpipe")
    with pytest.raises(InputError, match=r"absent.udpipe: expected a UDPipe model: No such file"):
        annotator_named(f"udpipe:{tmp_path}/absent.udpipe")([["a"]])
    # The library ends the process on the text in Cyrillic letters.
    for number, text in enumerate(("no model", "Я бачу сестра .\n", "", "\x12morphodita_parsito")):
        other = tmp_path / f"other-{number}.udpipe"
        other.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="expected a UDPipe 1 model"):
            annotator_named(f"udpipe:{other}")([["a"]])
        with pytest.raises(InputError, match="expected a UDPipe 1 model"):
            UdpipeAnnotator(str(other), cache=AnnotationCache("udpipe", tmp_path))([["a"]])
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    with pytest.raises(OptionError, match=r"needs ufal.udpipe, which is not installed: pip install 'recte\[udpipe\]'"):
        annotator_named(f"udpipe:{other}x")([["a"]])
