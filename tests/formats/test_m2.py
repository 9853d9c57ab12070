from __future__ import annotations

import gzip
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Annotation, Edit, InputError, Sentence, read_m2, write_m2
from recte.corpus.corpus import apply_edits
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
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


def test_a_changed_sentence_is_written_again():
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
        ("S a\nI go home\n", 2, "expected a line that starts with 'S ', 'A ' or is empty, got 'I go home'"),
        ("S a\nThe end\n", 2, "expected a line that starts with 'S ', 'A ' or is empty, got 'The end'"),
        ("S a b\nA 0 1|||R||||y|||REQUIRED|||-NONE-|||0\n", 2, "expected three bars between fields, got four in"),
        ("S a b\nA 0 1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", 2, "expected -1 -1 and -NONE- with the type noop"),
        ("S a b\nA 0 0|||noop|||y|||REQUIRED|||-NONE-|||0\n", 2, "expected -1 -1 and -NONE- with the type noop"),
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
    system = read_m2_system(written(tmp_path, NUS.replace("|||2\n", "|||0\n"), "mine.m2"))
    assert (system.name, system.outputs[0]) == ("mine", "He went to school yesterday .")
    assert system.edits[0][0].type == "Vt"


TWO = "S a b\n{}\n{}\n\nS c d\n{}\n{}\n\n"
ZERO, ONE = (f"A 0 1|||X|||{word}|||REQUIRED|||-NONE-|||{name}" for word, name in (("zero", 0), ("one", 1)))


@pytest.mark.parametrize(
    ("lines", "outputs"),
    [
        ((ZERO, ONE, ONE, ZERO), ["zero b", "zero d"]),
        ((ONE, ZERO, ZERO, ONE), ["one b", "one d"]),
        (("", "", ONE, ZERO), ["a b", "one d"]),
        ((ONE, "", "", ""), ["one b", "c d"]),
    ],
)
def test_a_system_is_one_annotator_throughout(tmp_path, lines, outputs):
    path = written(tmp_path, re.sub(r"\n\n+(?!S)", "\n", TWO.format(*lines)), "mine.m2")
    gold = written(tmp_path, "S a b\n\nS c d\n\n")
    by_line = read_m2_system(path)
    ((_, systems),) = GoldFiles(gold=gold).chunks({"mine": path}, 10)
    _, (in_rows,) = read_corpus_and_systems(GoldFiles(gold=gold), {"mine": path})
    for system in (by_line, systems["mine"], in_rows):
        assert list(system.outputs) == outputs
        assert [apply_edits(t.split(), e) for t, e in zip(["a b", "c d"], system.edits, strict=True)] == outputs


def test_annotators_who_mix_are_refused(tmp_path):
    path = written(tmp_path, TWO.format(ZERO, ONE, ONE, ONE.replace("|||1", "|||2")), "mine.m2")
    gold = written(tmp_path, "S a b\n\nS c d\n\n")
    message = (
        "mine.m2: sentence 2: expected edits of annotator 0, whose edits come first in the file, got those of 1, 2"
    )
    for read in (
        lambda: read_m2_system(path),
        lambda: list(GoldFiles(gold=gold).chunks({"mine": path}, 10)),
        lambda: list(GoldFiles(gold=gold).chunks({"mine": path}, 1)),
        lambda: read_corpus_and_systems(GoldFiles(gold=gold), {"mine": path}),
    ):
        with pytest.raises(InputError, match=message):
            read()


def test_annotators_keep_the_order_of_their_first_lines(tmp_path):
    path = written(tmp_path, "S a b\n" + "\n".join([ONE.replace("|||1", "|||10"), ZERO, ONE, ZERO]) + "\n")
    corpus = read_m2(path)
    assert [a.annotator for a in corpus[0].annotations] == ["10", "0", "1"]
    assert corpus.annotators == ("0", "1", "10")


def test_a_sentence_that_could_not_be_annotated(tmp_path):
    text = "S a b\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    (sentence,) = read_m2(written(tmp_path, text))
    assert [a.not_annotatable for a in sentence.annotations] == [True, False]
    assert "".join(format_sentence(replace(sentence, lines=()))) == text


def test_lenient_passes_over_comments_and_no_ops_with_edits(tmp_path):
    path = written(
        tmp_path, "S a b\nI note\nThis\nA 0 1|||noop|||y|||REQUIRED|||-NONE-|||0\nA 0 1|||X||| | y|||R|||-|||0\n"
    )
    (sentence,) = read_m2(path, lenient=True)
    assert [edit.corrections for edit in sentence.annotations[0].edits] == [("| y",)]


def test_plain_output_named_m2_is_told_by_its_first_line(tmp_path):
    assert is_m2_file(written(tmp_path, NUS))
    assert not is_m2_file(written(tmp_path, "Some plain output\n", "perfect.m2"))
    assert not is_m2_file(written(tmp_path, NUS, "output.txt"))
