"""Segmenters and normalisation: names for the signature, errors that say how to install, nothing bent by the cut."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Corpus, Edit, MaxMatch, OptionError, normalised, segmented
from recte.text import Characters, Normalisation, SegmentedBy, segmenters
from recte.text.segmenters import segmenter_named


def test_characters_and_the_mark_for_a_missing_constituent():
    assert Characters()("和[缺失成分]。") == list("和[缺失成分]。")
    assert Characters(marks=True)("和 [缺失成分]。") == ["和", "[缺失成分]", "。"]


def test_jieba_is_named_with_its_version():
    pytest.importorskip("jieba")
    jieba = segmenter_named("jieba")
    assert jieba.name == "jieba-0.42.1"
    assert jieba("我喜欢 语言学") == ["我", "喜欢", "语言学"]


@pytest.mark.parametrize(("name", "text"), [("pkuseg", "我喜欢语言学"), ("thulac", "我喜欢语言学")])
def test_other_libraries_where_they_are_installed(name, text):
    pytest.importorskip(name)
    assert "".join(segmenter_named(name)(text)) == text


def test_a_missing_library_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "thulac", None)
    segmenter_named.__globals__["_thulac"].cache_clear()
    with pytest.raises(OptionError, match=r"needs thulac, which is not installed: pip install 'recte\[chinese\]'"):
        segmenter_named("thulac")


def test_any_function_of_a_module(tmp_path, monkeypatch):
    (tmp_path / "my_cutter.py").write_text("def halves(text):\n    return [text[:2], text[2:]]\n\nnumber = 3\n")
    monkeypatch.chdir(tmp_path)
    halves = segmenter_named("my_cutter:halves")
    assert (halves.name, halves("我 喜欢")) == ("my_cutter.halves", ["我喜", "欢"])
    for name, message in [
        ("nosuch", "expected one of given, treebank, 13a, characters"),
        ("nosuch_module:cut", "cannot import 'nosuch_module'"),
        ("my_cutter:thirds", "expected a function 'thirds' in the module 'my_cutter'"),
        ("my_cutter:number", "cannot be called"),
    ]:
        with pytest.raises(OptionError, match=message):
            segmenter_named(name)


def test_width_and_script_and_invisible_characters():
    assert Normalisation(("width",))("ＡＢＣ：１２３ ｶ") == "ABC:123 カ"
    assert Normalisation(("whitespace",))("a\u3000 b\u200b \u200b") == "a b \u200b"
    assert Normalisation(("quotes", "dashes"))("“It’s” ``a'' — b–c --") == '"It\'s" "a" - b-c -'
    pytest.importorskip("opencc")
    assert Normalisation(("simplified",))("我愛漢語") == "我爱汉语"
    with pytest.raises(OptionError, match="expected some of width, simplified, whitespace, quotes, dashes, got 'case'"):
        Normalisation(("case",))


@given(st.text(alphabet="ＡＢa１漢語愛 \u200b。：", max_size=20), st.integers(0, 20))
def test_a_text_is_normalised_the_same_however_it_is_cut(text, place):
    pytest.importorskip("opencc")
    normalise = Normalisation(("width", "simplified"))
    parts = normalise(text[:place]) + normalise(text[place:])
    assert "".join(parts.split()) == "".join(normalise(text).split())


def test_normalised_gold_and_outputs_meet():
    gold = Corpus.from_references(["他 去 北京 ："], [["他 去 了 北京 ："]])
    half_width = ["他 去 了 北京 :"]
    assert MaxMatch().score(gold, half_width).score < 1
    score = MaxMatch().score(normalised(gold, Normalisation(("width",))), half_width)
    assert score.score == 1
    assert "|tokens:given+width(unicode-" in score.signature
    both = segmented(normalised(gold, Normalisation(("width",))), Characters())
    assert "|tokens:characters+width(unicode-" in MaxMatch().score(both, ["他去了北京："]).signature
    assert MaxMatch().score(both, ["他去了北京："]).score == 1


@pytest.mark.parametrize("cut", [lambda text: ["xx", "yy"], lambda text: text[:1], lambda text: None, lambda text: [3]])
def test_a_segmenter_that_changes_the_text_or_fails_is_refused(cut):
    gold = Corpus.from_edits(["我 去"], [[[Edit(1, 2, ("来",))]]])
    with pytest.raises(OptionError, match="tokens bad: expected"):
        segmented(gold, SegmentedBy(cut, "bad"))


def test_ltps_words_by_name(monkeypatch):
    """With a module that answers as LTP 4.2 documents: `pipeline(texts, tasks).cws` has the words of each text."""
    asked = []

    class Model:
        def __init__(self, name):
            asked.append(name)

        def pipeline(self, texts, tasks):
            assert tasks == ["cws"]
            return SimpleNamespace(cws=[[text[:1], text[1:]] for text in texts])

    segmenters._ltp.cache_clear()
    monkeypatch.setitem(sys.modules, "ltp", SimpleNamespace(LTP=Model))
    monkeypatch.setattr(segmenters, "version_of", lambda package: "4.2.14")
    ltp = segmenter_named("ltp")
    assert (ltp.name, ltp("我 喜欢"), ltp("")) == ("ltp-4.2.14-small", ["我", "喜欢"], [])
    assert asked == ["LTP/small"]
    segmenters._ltp.cache_clear()


def test_a_model_of_ltp_that_cannot_be_loaded_is_one_line(monkeypatch):
    def fail(name):
        raise OSError("no network")

    segmenters._ltp.cache_clear()
    monkeypatch.setitem(sys.modules, "ltp", SimpleNamespace(LTP=fail))
    with pytest.raises(OptionError, match="tokens ltp: expected the model LTP/small, which could not be loaded"):
        segmenter_named("ltp")
