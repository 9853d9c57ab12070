from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Annotation, InputError, Sentence
from recte.edits.error_clusters import cluster_errors
from recte.formats import read_imeasure_xml, write_imeasure_xml
from strategies import edits, sentences

GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<scripts>
<script id="essay-1">
<sentence id="7" numann="2">
<text>
This machines is designed for help
people .
</text>
<error-list>
<error id="1" req="yes" type="SVA">
<alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
<alt ann="1"><c start="1" end="2">machine</c></alt>
</error>
</error-list>
</sentence>
<sentence id="8" numann="1"><text>A &amp; B</text><error-list></error-list></sentence>
</script>
</scripts>
"""


LISTING_1 = """<sentence id="1" numann="2">
<text>
This machines is designed for help
people .

</text>
<error-list>
<error id="1" req="yes" type="SVA">
<alt ann="0">
<c start="0" end="1">These</c>
<c start="2" end="3">are</c>

</alt>
<alt ann="1">
<c start="1" end="2">machine</c>

</alt>
</error>
</error-list>
</sentence>
"""


def test_a_sentence_may_stand_alone(tmp_path):
    (sentence,) = read(tmp_path, LISTING_1)
    assert sentence.text == "This machines is designed for help people ."
    assert [a.annotator for a in sentence.annotations] == ["0", "1"]
    with pytest.raises(InputError, match="expected <scripts> or <sentence> at the top, got <text>"):
        read(tmp_path, "<text/>")


def read(tmp_path, text: str):
    path = tmp_path / "gold.xml"
    path.write_text(text)
    return read_imeasure_xml(path)


def test_fields(tmp_path):
    first, second = read(tmp_path, GOOD)
    assert (first.id, first.document, len(first.tokens)) == ("7", "essay-1", 8)
    assert [a.annotator for a in first.errors[0].alternatives] == ["0", "1"]
    assert first.errors[0].required
    assert [len(a.edits) for a in first.annotations] == [2, 1]
    assert second.tokens == ("A", "&", "B")
    assert second.annotations == (Annotation("0"),)


@pytest.mark.parametrize(
    ("wrong", "right", "line", "message"),
    [
        ("</scripts>", "", 19, "expected well-formed XML, got: no element found"),
        ('numann="2"', 'numann="two"', 4, "expected numann of <sentence> to be a number from 0, got 'two'"),
        ('<sentence id="7" ', "<sentence ", 4, "expected <sentence> to have id, got numann"),
        ('end="1"', 'end="99"', 11, "correction 0 99 reaches past the 8 tokens of its sentence"),
        ('<alt ann="0">', "<alt>", 11, "expected <alt> to have ann, got no attributes"),
        ('ann="1"', 'ann="0"', 12, "expected one alternative per annotator, got a second of 0"),
        ('req="yes"', 'req="maybe"', 10, "expected req to be yes or no, got 'maybe'"),
        ('start="0"', "", 11, "expected <c> to have start, got end"),
        ("<error-list>", "stray<error-list>", 9, "expected text only in <text> and <c>, got 'stray'"),
        ("<scripts>", "<scripts><sentence>", 2, "expected <script> inside <scripts>, got <sentence>"),
        ('numann="2"', 'numann="1"', 15, "expected at most numann = 1 annotators, got 2"),
        ('encoding="UTF-8"', 'encoding="foo"', 1, "expected"),
        ('encoding="UTF-8"', 'encoding="big5"', 1, "expected"),
        ('numann="2"', 'numann="99999999"', 4, "expected numann up to 1000, got 99999999"),
        ('start="0"', f'start="{"9" * 5000}"', 11, "expected start of <c> to be a number from 0, got '999"),
        ('start="0"', 'start="١"', 11, "expected start of <c> to be a number from 0, got '١'"),
        ('start="0" end="1"', 'start="2" end="1"', 11, "expected a start before its end, got correction 2 1"),
        ("<error-list>", "<text>again</text><error-list>", 9, "expected one <text> in sentence 7, got a second"),
        (
            "<scripts>",
            '<!DOCTYPE scripts [<!ENTITY a "b">]><scripts>',
            2,
            "expected no entity declarations, got one of 'a'",
        ),
    ],
)
def test_bad_files_are_refused_with_file_and_line(tmp_path, wrong, right, line, message):
    expected = re.escape(f"gold.xml:{line}: {message}")
    with pytest.raises(InputError, match=expected):
        read(tmp_path, GOOD.replace(wrong, right, 1))


def test_entities_that_nothing_declares_do_not_vanish(tmp_path):
    doctype = '<!DOCTYPE scripts SYSTEM "x.dtd"><scripts>'
    with pytest.raises(InputError, match=r"gold\.xml:11: expected text, got the entity &foo; which nothing declares"):
        read(tmp_path, GOOD.replace("<scripts>", doctype).replace(">These<", ">x&foo;y<"))
    declared = '<!DOCTYPE scripts [<!ATTLIST alt ann CDATA "7">]><scripts>'
    with pytest.raises(InputError, match="expected no attribute declarations, got one of <alt>"):
        read(tmp_path, GOOD.replace("<scripts>", declared))


def test_characters_that_xml_cannot_hold_are_refused(tmp_path):
    with pytest.raises(InputError, match="XML cannot hold the character"):
        write_imeasure_xml(tmp_path / "x.xml", [Sentence("a\x01b", annotations=(Annotation("0"),))])
    assert not (tmp_path / "x.xml").exists()


def test_an_error_without_alternatives_and_an_empty_file(tmp_path):
    with pytest.raises(InputError, match="expected an error to have at least one <alt>, got none"):
        read(tmp_path, re.sub(r"<alt.*</alt>\n", "", GOOD))
    with pytest.raises(InputError, match=r"gold\.xml:1: expected at least one sentence, got none"):
        read(tmp_path, "<scripts></scripts>")
    with pytest.raises(InputError, match=r"gold\.xml:1: expected well-formed XML"):
        read(tmp_path, "")


@given(st.data())
def test_what_is_written_is_read_again(tmp_path_factory, data):
    words = data.draw(sentences().filter(bool))
    annotations = tuple(Annotation(a, data.draw(edits(len(words), 3))) for a in ("0", "1"))
    sentence = Sentence(" ".join(words), annotations=annotations, id="1")
    path = tmp_path_factory.mktemp("xml") / "gold.xml"
    write_imeasure_xml(path, [sentence])
    (again,) = read_imeasure_xml(path)
    assert again.tokens == sentence.tokens
    ours = [(e.required, [(a.annotator, a.edits) for a in e.alternatives]) for e in cluster_errors(sentence)]
    theirs = [(e.required, [(a.annotator, a.edits) for a in e.alternatives]) for e in again.errors]

    def plain(errors):
        return [
            (required, [(a, [(x.start, x.end, x.corrections) for x in of]) for a, of in alternatives])
            for required, alternatives in errors
        ]

    assert plain(theirs) == plain(ours)
