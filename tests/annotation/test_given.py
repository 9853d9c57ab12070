"""Annotations from files: CoNLL-U and tables, and what is said of bad ones."""

from __future__ import annotations

import gzip

import pytest

from recte.annotation import annotator_named
from recte.annotation.conllu import parse_conllu
from recte.annotation.given import parse_token_table
from recte.errors import InputError, OptionError

CONLLU = """# text = Zum Haus ist sie gelaufen
1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_
1\tZu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\t_\tCase=Dat|Number=Sing\t6\tobl\t_\t_
4\tist\tsein\tAUX\tVAFIN\t_\t6\taux\t_\t_
5\tsie\tsie\tPRON\tPPER\t_\t6\tnsubj:pass\t_\t_
5.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
6\tgelaufen\tlaufen\tVERB\tVVPP\t_\t0\troot\t_\t_

1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_
"""
TABLE = "text\tpos\ttag\tlemma\tdep\thead\nHe\tPRON\tPRP\the\tnsubj\t1\ngoes\tVERB\tVBZ\tgo\tROOT\t1\n"


def test_conllu():
    first, second = parse_conllu(CONLLU.splitlines(), "de.conllu")
    assert first.text == ("Zu", "dem", "Haus", "ist", "sie", "gelaufen")
    assert first.tag[:3] == ("ADP", "DET|Case=Dat", "NOUN|Case=Dat|Number=Sing")
    assert first.pos == ("ADP", "DET", "NOUN", "AUX", "PRON", "VERB")
    assert first.lemma[3] == "sein"
    assert first.dependency == ("prep", "det", "pobj", "aux", "nsubjpass", "ROOT")
    assert first.head == (2, 2, 5, 5, 5, 5)
    assert (second.text, second.lemma, second.head) == (("_",), ("_",), (0,))


def test_an_adjective_after_a_copula():
    rows = ("1 Hon hon PRON _ _ 3 nsubj", "2 är vara AUX _ _ 3 cop", "3 trött trött ADJ _ _ 0 root")
    lines = ["\t".join([*row.split(), "_", "_"]) for row in rows]
    assert next(parse_conllu(lines, "sv.conllu")).dependency == ("nsubj", "cop", "acomp")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1\tZu", "2\tZu", "de.conllu:3: expected token 1, got 2"),
        ("1\tZu\tzu", "1\tZu", "de.conllu:3: expected 10 columns separated by tabs, got 9"),
        ("1\tZu", "x\tZu", "de.conllu:3: expected a token's number, got 'x'"),
        ("APPR\t_\t3", "APPR\t_\tx", "de.conllu:3: expected the number of the head, got 'x'"),
        ("APPR\t_\t3", "APPR\t_\t9", "de.conllu:3: expected a head from 0 to 6, got 9"),
        ("zu\tADP", "zu\t_", "de.conllu:3: expected a form and a universal tag"),
    ],
)
def test_bad_conllu(old, new, message):
    with pytest.raises(InputError, match=message):
        list(parse_conllu(CONLLU.replace(old, new).splitlines(), "de.conllu"))


def test_a_table_and_its_last_sentence_without_an_empty_line():
    (sentence,) = parse_token_table(TABLE.splitlines(), "t.tsv")
    assert (sentence.text, sentence.tag, sentence.head) == (("He", "goes"), ("PRP", "VBZ"), (1, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("text\tpos", "form\tpos", "t.tsv:1: expected the header text pos tag lemma dep head"),
        ("nsubj\t1", "nsubj", "t.tsv:2: expected 6 columns separated by tabs, got 5"),
        ("ROOT\t1", "ROOT\t2", "t.tsv:3: expected a head from 0 to 1, got '2'"),
        ("ROOT\t1", "ROOT\t-1", "t.tsv:3: expected a head from 0 to 1, got '-1'"),
    ],
)
def test_bad_tables(old, new, message):
    with pytest.raises(InputError, match=message):
        list(parse_token_table(TABLE.replace(old, new).splitlines(), "t.tsv"))


def test_files_are_looked_up_by_tokens(tmp_path):
    table, conllu = tmp_path / "t.tsv", tmp_path / "de.conllu.gz"
    table.write_text(TABLE)
    conllu.write_bytes(gzip.compress(CONLLU.encode()))
    annotator = annotator_named(f"given:{table},{conllu}")
    known = annotator([["_"], [], ["He", "goes"]])
    assert [one.pos for one in known] == [("PUNCT",), (), ("PRON", "VERB")]
    assert annotator.name.startswith("given-")
    assert annotator.name != annotator_named(f"given:{table}").name
    with pytest.raises(InputError, match="expected annotations of 'He went', got none"):
        annotator([["He", "went"]])


def test_names_of_annotators():
    for name in ("nonsense", "spacy:", "given:", "builtin:x"):
        with pytest.raises(OptionError, match="expected builtin, spacy:MODEL or given:FILE"):
            annotator_named(name)
    with pytest.raises(InputError, match="no such file"):
        annotator_named("given:/nowhere/at/all.tsv")
