"""Annotations from files: CoNLL-U and tables, and what is said of bad ones."""

from __future__ import annotations

import gzip

import pytest

import recte
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
    of_text, first, second = parse_conllu(CONLLU.splitlines(), "de.conllu")
    assert of_text.text == ("Zum", "Haus", "ist", "sie", "gelaufen")
    assert (of_text.lemma[0], of_text.pos[0], of_text.head) == ("zu", "ADP", (1, 4, 4, 4, 4))
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
        ("1-2\tZum", "2-3\tZum", "de.conllu:2: expected a multiword token that begins with word 1, got 2-3"),
        ("1-2\tZum", "1-9\tZum", "de.conllu:9: expected the words of the multiword token 1-9"),
        ("5.1\t_", "5.x\t_", "de.conllu:8: expected a token's number, got '5.x'"),
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
    assert [sentence.pos for sentence in known] == [("PUNCT",), (), ("PRON", "VERB")]
    assert annotator.name.startswith("given-")
    assert annotator.name != annotator_named(f"given:{table}").name
    with pytest.raises(InputError, match=r"expected annotations of 'She went', got none$"):
        annotator([["She", "went"]])


def test_a_sentence_in_other_tokens_than_the_annotations_is_shown_with_them(tmp_path):
    conllu = tmp_path / "de.conllu"
    conllu.write_text(CONLLU)
    annotator = annotator_named(f"given:{conllu}")
    tokens = [["Zum", "Haus", "ist", "sie", "gelaufen"], ["Zu", "dem", "Haus", "ist", "sie", "gelaufen"]]
    assert [sentence.lemma[-1] for sentence in annotator(tokens)] == ["laufen", "laufen"]
    with pytest.raises(InputError, match="'Zum Haus ist siegelaufen', got none; the same text stands there in other "):
        annotator([["Zum", "Haus", "ist", "siegelaufen"]])
    with pytest.raises(InputError, match=r"got none; the most similar sentence there is 'Zum Haus ist sie gelaufen'"):
        annotator([["Zum", "Haus", "ist", "er", "gelaufen"]])


def test_a_multiword_token_takes_head_and_relation_of_the_word_whose_head_lies_outside():
    rows = [
        "1-2 au _ _ _ _ _ _ _ _",
        "1 à à ADP _ _ 2 case _ _",
        "2 le le DET _ _ 3 det _ _",
        "3 nez nez NOUN _ _ 0 root _ _",
    ]
    of_text, _ = parse_conllu(["\t".join(row.split()) for row in rows], "fr.conllu")
    assert (of_text.text, of_text.pos, of_text.head) == (("au", "nez"), ("ADP", "NOUN"), (1, 1))
    assert of_text.dependency == ("det", "ROOT")


def test_a_table_may_have_features():
    lines = [
        "text\tpos\ttag\tlemma\tdep\thead\tmorph",
        "дом\tNOUN\tNOUN\tдом\tROOT\t0\tNumber=Sing",
        "и\tX\tX\tи\tROOT\t1\t",
    ]
    (sentence,) = parse_token_table(lines, "ru.tsv")
    assert sentence.tag == ("NOUN|Number=Sing", "X")


def test_names_of_annotators():
    for name in ("nonsense", "spacy:", "given:", "builtin:x"):
        with pytest.raises(OptionError, match="expected builtin, spacy:MODEL, udpipe:FILE or given:FILE"):
            annotator_named(name)
    with pytest.raises(InputError, match="no such file"):
        annotator_named("given:/nowhere/at/all.tsv")


def test_a_changed_file_is_read_again(tmp_path):
    """An error says which annotations are missing; who adds them in a notebook must not see it again."""
    path = tmp_path / "tokens.tsv"
    path.write_text("text\tpos\ttag\tlemma\tdep\thead\nGo\tVERB\tVB\tgo\tROOT\t0\n\n", encoding="utf-8")
    annotator = f"given:{path}"
    assert annotator_named(annotator) is annotator_named(annotator)
    with pytest.raises(InputError, match="expected annotations of 'Come', got none"):
        recte.extract(["Go"], [["Come"]], annotator=annotator)
    with path.open("a", encoding="utf-8") as file:
        file.write("Come\tVERB\tVB\tcome\tROOT\t0\n\n")
    assert recte.extract(["Go"], [["Come"]], annotator=annotator)[0].annotations[0].edits[0].type == "R:VERB"
    metric = recte.metrics.Errant(annotator=annotator)
    assert recte.score(["Go"], ["Come"], references=[["Come"]], metric=metric).score == 1.0


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("errant", {}),
        *(("m2", {name: "errant"}) for name in ("extraction", "reference_edits")),
        ("hoo", {"extraction": "errant"}),
    ],
)
def test_signatures_have_the_content_of_files_and_not_their_folders(metric, options, tmp_path):
    signatures = set()
    for folder in ("here", "there"):
        path = tmp_path / folder / "tokens.tsv"
        path.parent.mkdir()
        path.write_text("text\tpos\ttag\tlemma\tdep\thead\nGo\tVERB\tVB\tgo\tROOT\t0\n\n", encoding="utf-8")
        options["annotator"] = f"given:{path}"
        signatures.add(recte.score(["Go"], ["Go"], references=[["Go"]], metric=metric, **options).signature)
    (signature,) = signatures
    assert "edits:errant+en+given-" in signature
