"""Languages: one interface, options that are refused where a language has none, and languages of other packages."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib.metadata import EntryPoint

import pytest

import recte
from recte import Corpus, InputError, OptionError
from recte.annotation import Annotated
from recte.cli import main
from recte.extraction.extract import extractor_of
from recte.extraction.languages import LANGUAGES, language_with
from recte.extraction.reference_edits import ExtractionOptions
from recte.extraction.zh.extractor import ChineseExtractor, extract_chinese

CHINESE = Corpus.from_references(["我喜换你"], [["我喜欢你"]])
ENGLISH = Corpus.from_references(["He go ."], [["He goes ."]])


@pytest.fixture
def swedish(monkeypatch):
    """The example package, as its entry point makes it known."""
    point = EntryPoint("sv", "example_language.recte_swedish:Swedish", LANGUAGES.group)
    monkeypatch.setattr(LANGUAGES, "_find_entry_points", lambda: (point,))
    LANGUAGES.__dict__.pop("_entries", None)
    yield
    LANGUAGES.__dict__.pop("_entries", None)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("alignment", "levenshtein"),
        ("merging", "split"),
        ("edits", "gold"),
        ("minimise", False),
        ("retype", False),
        ("behaviour", "official"),
        ("nonsense", 1),
    ],
)
def test_chinese_refuses_options_of_other_languages(option, value):
    options = "granularity, words, lists, simplify, ties"
    with pytest.raises(OptionError, match=rf"^{option}: expected an option of the language zh \({options}\), got "):
        recte.extract(CHINESE, language="zh", **{option: value})


def test_chinese_takes_annotations_of_given_words_alone():
    with pytest.raises(OptionError, match="annotator: expected given:FILE or none for the language zh, got 'spacy:no"):
        recte.extract(CHINESE, language="zh", annotator="spacy:nonsense")
    with pytest.raises(OptionError, match="words, annotations: expected them with --granularity words alone"):
        recte.extract(CHINESE, language="zh", annotator="given:tags.tsv")


def test_chinese_has_its_options_in_python():
    corpus = recte.extract(CHINESE, language="zh", ties="first", simplify=False)
    assert corpus == extract_chinese(CHINESE, ChineseExtractor(ties="first", simplify=False))
    with pytest.raises(OptionError, match="ties: expected one of all, first, got 'some'"):
        recte.extract(CHINESE, language="zh", ties="some")
    empty = Corpus.from_references(["我", "你"], [["我", " "]])
    with pytest.raises(InputError, match="got an empty one for sentence 2, '你'"):
        recte.extract(empty, language="zh")


def test_other_languages_refuse_options_of_chinese():
    for name in ("en", "universal"):
        with pytest.raises(OptionError, match=f"^ties: expected an option of the language {name} "):
            recte.extract(ENGLISH, language=name, ties="first")
    with pytest.raises(OptionError, match=r"language: expected one of cs, .*, zh, got 'xx'"):
        recte.extract(ENGLISH, language="xx")
    for name in ("uk", "ukrainian", "et"):
        with pytest.raises(OptionError, match=f"got '{name}'; universal types are for any other language"):
            recte.extract(ENGLISH, language=name)
    with pytest.raises(OptionError, match="got 'univresal'; did you mean universal"):
        recte.extract(ENGLISH, language="univresal")
    with pytest.raises(OptionError, match="language: expected one with ERRANT's types, such as en, got 'zh'"):
        extractor_of("builtin", "zh")


def annotated(tokens, **changes):
    columns = {name: ("x",) * len(tokens) for name in ("tag", "pos", "lemma", "dependency")}
    return Annotated(**{"text": tuple(tokens), **columns, "head": (0,) * len(tokens), **changes})


@pytest.mark.parametrize(
    ("annotate", "message"),
    [
        (lambda tokens: [], "annotator mine: expected annotations of 2 sentences, got 0"),
        (lambda tokens: [tokens], "annotator mine: expected each sentence as Annotated, got tuple"),
        (lambda tokens: [annotated(["a"])], "annotator mine: expected the tokens 'He go .' as they were, got 'a'"),
        (lambda tokens: [annotated(tokens, tag=("x",))], "expected a tag, a lemma, a label and a head for each token"),
        (lambda tokens: [annotated(tokens, head=(0, 3, 0))], "a head for each token of 'He go .'"),
        (lambda tokens: [annotated(tokens, head=(0, -1, 0))], "a head for each token of 'He go .'"),
    ],
)
@pytest.mark.parametrize("edits", ["auto", "gold"])
def test_annotators_that_give_something_else_are_named(annotate, message, edits):
    class Mine:
        name = "mine"

        def __call__(self, sentences):
            return [sentence for tokens in sentences for sentence in annotate(tokens)]

    corpus = recte.extract(ENGLISH) if edits == "gold" else ENGLISH
    with pytest.raises(InputError, match=re.escape(message)):
        recte.extract(corpus, annotator=Mine(), edits=edits)


@pytest.mark.parametrize(
    ("language", "options", "most"),
    [
        *(("cs", {}, "one file"), ("de", {}, "one file"), ("fr", {}, "one file")),
        *(("el", {"rules": "package"}, "one file"), ("es", {"rules": "corrected"}, "one file")),
        ("ru", {}, "at most 2 files, separated by commas"),
    ],
)
def test_word_lists_that_nobody_reads_are_refused(language, options, most, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("a\n", encoding="utf-8")
    for files in (f"{path},{path},{path}", f"{path},"):
        with pytest.raises(OptionError, match=f"^word_list: expected {most}, got "):
            _ = language_with(language, {**options, "word_list": files}).types


def test_a_changed_word_list_is_read_again(tmp_path):
    path = tmp_path / "words.txt"
    language = language_with("de", {"word_list": str(path)})
    path.write_text("a\n", encoding="utf-8")
    first, again = language.types, language.types
    path.write_text("a\nb\n", encoding="utf-8")
    assert first is again
    assert language.types.name != first.name


def test_annotators_without_a_name_are_refused():
    with pytest.raises(InputError, match="annotator: expected an Annotator with a name, got function"):
        recte.extract(ENGLISH, annotator=lambda sentences: sentences)


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_every_language_keeps_the_interface(name):
    language = language_with(name, {})
    assert (language.name, language) == (name, type(language)())
    assert language.title
    assert all(f.metadata["help"] for f in fields(language))
    corpus = CHINESE if name == "zh" else ENGLISH
    if name != "zh" and language.annotator is None:
        with pytest.raises(OptionError, match=f"annotator: the language {name} needs annotations of its texts: given:"):
            language.make_extraction()
        return
    extraction = language.make_extraction()
    assert extraction(corpus)[0].annotations[0].edits
    assert extraction(corpus) == extraction(corpus)


def test_a_language_of_another_package(swedish, tmp_path, monkeypatch, capsys):
    corpus = recte.extract(["Jag bor på Lund ."], [["Jag bor i Lund nu ."]], language="sv", merging="split")
    assert [edit.type for edit in corpus[0].annotations[0].edits] == ["R:PREP", "M:OTHER"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source.txt").write_text("Jag bor på Lund .\n", encoding="utf-8")
    (tmp_path / "corrected.txt").write_text("Jag bor i Lund .\n", encoding="utf-8")
    assert main(["extract", "source.txt", "corrected.txt", "--language", "sv"]) == 0
    assert "A 2 3|||R:PREP|||i|||" in capsys.readouterr().out
    gold = Corpus.from_references(["Jag bor på Lund ."], [["Jag bor i Lund ."]])
    score = recte.score(gold, ["Jag bor i Lund ."], metric=recte.metrics.Errant(language="sv"))
    assert score.score == 1.0
    with pytest.raises(OptionError, match="ties: expected an option of the language sv"):
        recte.extract(gold, language="sv", ties="first")


def test_a_package_whose_language_is_none_is_named(monkeypatch):
    point = EntryPoint("nn", "example_language.recte_swedish:CLASSES", LANGUAGES.group)
    monkeypatch.setattr(LANGUAGES, "_find_entry_points", lambda: (point,))
    monkeypatch.delitem(LANGUAGES.__dict__, "_entries", raising=False)
    with pytest.raises(
        OptionError, match=r"^language nn of another package: expected a class derived from Language, got"
    ):
        recte.extract(ENGLISH, language="nn")
    monkeypatch.delitem(LANGUAGES.__dict__, "_entries")
    monkeypatch.delitem(LANGUAGES._loaded, "nn")


def test_types_that_are_no_strings_are_named(swedish, monkeypatch):
    types = type(language_with("sv", {}).types)
    monkeypatch.setattr(types, "__call__", lambda self, source, corrected, span: None)
    with pytest.raises(InputError, match=r"^types of sv: expected a string for each edit, got NoneType"):
        recte.extract(ENGLISH, language="sv")


def test_help_names_every_language_whose_rules_type_edits():
    """Chinese edits are those of another metric."""
    help_text = next(f.metadata["help"] for f in fields(ExtractionOptions) if f.name == "language")
    assert {*LANGUAGES.names()} - {"zh"} <= set(help_text.partition(":")[2].replace(",", "").split())
