from __future__ import annotations

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Annotation, Edit, InputError, Sentence, read_m2, write_m2
from recte.formats import read_m2_system
from recte.formats.m2 import format_sentence, is_m2_file, parse_block
from shared_data import shared
from strategies import edits, sentences

NUS = """S He go to school yesterday .
A 1 2|||Vt|||went|||REQUIRED|||-NONE-|||0
A 1 2|||Vt|||goes||went|||OPTIONAL|||why not|||1

S I am fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S No lines here .

S The the cat
A 0 1|||Rloc-||||||REQUIRED|||-NONE-|||2
A 1 2|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||2

"""
CHERRANT = """S 我 爱 你 们
T0-A0 我 爱 你们
A 2 4|||S|||你 们|||REQUIRED|||-NONE-|||0
T1-A0 我 爱 你
A 3 4|||R|||-NONE-|||REQUIRED|||-NONE-|||1
"""


def written(tmp_path, text: str, name: str = "gold.m2"):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def test_fields(tmp_path):
    first, fine, bare, deletions = read_m2(written(tmp_path, NUS))
    assert first.id == "1"
    assert first.annotations == (
        Annotation("0", (Edit(1, 2, ("went",), "Vt"),)),
        Annotation("1", (Edit(1, 2, ("goes", "went"), "Vt", required=False, comment="why not"),)),
    )
    assert fine.annotations == (Annotation("0"),)
    assert bare.annotations == (Annotation("0"),)
    assert [edit.corrections for edit in deletions.annotations[0].edits] == [("",), ("",)]


def test_cherrant_lines_are_comments(tmp_path):
    (sentence,) = read_m2(written(tmp_path, CHERRANT))
    assert sentence.tokens == ("我", "爱", "你", "们")
    assert [a.annotator for a in sentence.annotations] == ["0", "1"]


@pytest.mark.parametrize(
    "text",
    [
        NUS,
        CHERRANT,
        "\n\n" + NUS,
        "\ufeff" + NUS,
        NUS.replace("\n", "\r\n"),
        NUS.rstrip("\n"),
        NUS.replace("\n\n", "\n\n\n\n"),
        "S  double  spaces and a tab\there \nA 0 1|||X||| x || y |||REQUIRED||||||7\n",
        "S \nA 0 0|||X|||x|||REQUIRED|||-NONE-|||0\n\nS\n",
    ],
)
def test_reading_and_writing_back_is_lossless(tmp_path, text):
    source = written(tmp_path, text)
    write_m2(tmp_path / "again.m2", read_m2(source))
    assert (tmp_path / "again.m2").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("name", ["conll14/gold.m2", "conll14/gold-with-alternatives.m2", "ukrainian/gec-only.test.m2"])
def test_reading_and_writing_back_real_files_is_lossless(tmp_path, name):
    source = shared("data", *name.split("/"))
    write_m2(tmp_path / "again.m2", read_m2(source))
    assert (tmp_path / "again.m2").read_bytes() == source.read_bytes()


def test_a_changed_sentence_is_written_anew():
    from dataclasses import replace

    sentence = parse_block(["S a b\n", "A 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", "\n"])
    changed = replace(sentence, annotations=(Annotation("0", (Edit(0, 1, ("d",), "X"),)), Annotation("1")))
    assert "".join(format_sentence(changed)) == (
        "S a b\nA 0 1|||X|||d|||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )


@given(st.data())
def test_what_is_written_is_read_again(data):
    words = data.draw(sentences())
    drawn = tuple(Annotation(a, data.draw(edits(len(words)))) for a in ("0", "1"))
    sentence = Sentence(" ".join(words), annotations=drawn, id="1")
    assert parse_block(format_sentence(sentence), id="1") == sentence


@pytest.mark.parametrize(
    "edit",
    [
        Edit(1, 2, ("a\nb",), "R"),
        Edit(1, 2, ("-NONE-",), "R"),
        Edit(1, 2, ("a",), "noop"),
        Edit(1, 2, ("a",), "R|||X"),
        Edit(1, 2, ("a||b",), "R"),
        Edit(1, 2, ("\ud800",), "R"),
    ],
)
def test_what_would_be_read_otherwise_is_not_written(edit):
    sentence = Sentence("a b c", annotations=(Annotation("0", (edit,)),))
    with pytest.raises(InputError, match="cannot hold this edit"):
        format_sentence(sentence)


def test_compressed_files(tmp_path):
    source = written(tmp_path, NUS, "gold.m2.gz")
    write_m2(tmp_path / "again.m2.gz", read_m2(source))
    assert gzip.decompress((tmp_path / "again.m2.gz").read_bytes()).decode() == NUS
    (tmp_path / "broken.m2.gz").write_bytes(b"not gzip at all")
    with pytest.raises(InputError, match=r"broken\.m2\.gz: expected a gzip file"):
        read_m2(tmp_path / "broken.m2.gz")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "expected at least one sentence (a line that starts with 'S '), got none"),
        ("\n\n", 2, "expected at least one sentence (a line that starts with 'S '), got none"),
        ("He goes\n", 1, "expected a sentence (a line that starts with 'S '), got 'He goes'"),
        ("A 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n", 1, "expected a sentence (a line that starts with 'S ')"),
        ("S a b\nA 0 3|||X|||y|||REQUIRED|||-NONE-|||0\n", 2, "edit 0 3 reaches past the 2 tokens of its sentence"),
        ("S a b\nA 1 0|||X|||y|||REQUIRED|||-NONE-|||0\n", 2, "expected a start before its end, got edit 1 0"),
        ("S a b\nA 0|||X|||y|||REQUIRED|||-NONE-|||0\n", 2, "expected two whole numbers as offsets, got '0'"),
        ("S a b\nA x y|||X|||y|||REQUIRED|||-NONE-|||0\n", 2, "expected two whole numbers as offsets, got 'x y'"),
        ("S a b\nA 0 1|||X|||y|||0\n", 2, "expected 6 fields"),
        ("S a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||\n", 2, "expected an annotator in the last field, got none"),
        ("S a\n\nS b\nB nonsense\n", 4, "expected a line that starts with 'S ', 'A ' or is empty, got 'B nonsense'"),
        ("S a\nS b\n", 2, "expected an empty line before the next sentence, got a second 'S' line"),
    ],
)
def test_bad_files_are_refused_with_file_line_expected_and_got(tmp_path, text, line, message):
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(f"{path}:{line}: {message}")):
        read_m2(path)


def test_bytes_that_are_not_utf8(tmp_path):
    path = tmp_path / "latin.m2"
    path.write_bytes(b"S a\n\nS caf\xe9\n")
    with pytest.raises(InputError, match=r"latin\.m2:3: expected UTF-8, got byte 0xe9 at byte 6 of the line"):
        read_m2(path)


def test_lenient_drops_edits_past_the_end(tmp_path):
    path = written(tmp_path, "S a b\nA 0 3|||X|||y|||REQUIRED|||-NONE-|||0\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n")
    assert len(read_m2(path, lenient=True)[0].annotations[0].edits) == 1


def test_a_system_as_m2_keeps_its_edits(tmp_path):
    system = read_m2_system(written(tmp_path, NUS, "mine.m2"))
    assert (system.name, system.outputs[0]) == ("mine", "He went to school yesterday .")
    assert system.edits[0][0].type == "Vt"


def test_plain_output_named_m2_is_told_by_its_first_line(tmp_path):
    assert is_m2_file(written(tmp_path, NUS))
    assert not is_m2_file(written(tmp_path, "Some plain output\n", "perfect.m2"))
    assert not is_m2_file(written(tmp_path, NUS, "output.txt"))
