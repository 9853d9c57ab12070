"""Edits of the HOO shared tasks, in XML."""

from __future__ import annotations

import pytest

from recte import InputError
from recte.edits import edits_from_characters
from recte.formats.hoo_edits import read_hoo_edits

TEXT = "He go to the school home ."
EDITS = """<?xml version="1.0" encoding="utf-8"?>
<edits>
  <edit index="0" type="SV" start="3" end="5">
    <original>go</original>
    <corrections><correction>goes</correction><correction>went</correction></corrections>
  </edit>
  <edit index="1" type="UD" start="9" end="13"><original>the </original><corrections><correction><empty/></correction>
  </corrections></edit>
  <edit index="2" type="UN" start="20" end="25"><original>home </original></edit>
</edits>
"""


def test_edits_are_read_and_brought_onto_tokens(tmp_path):
    path = tmp_path / "edits.xml"
    path.write_text(EDITS)
    edits = read_hoo_edits(path)
    assert [(e.start, e.end, e.corrections, e.type) for e in edits] == [
        (3, 5, ("goes", "went"), "SV"),
        (9, 13, ("",), "UD"),
        (20, 25, ("",), "UN"),
    ]
    on_tokens = edits_from_characters(TEXT, edits)
    assert [(e.start, e.end, e.corrections) for e in on_tokens] == [
        (1, 2, ("goes", "went")),
        (3, 4, ("",)),
        (5, 6, ("",)),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<HOO/>", ":1: expected <edits> at the top, got <HOO>"),
        ('<edits>\n<edit start="5" end="3"/></edits>', ":2: expected a start before its end, got the edit 5 3"),
        ('<edits><edit end="3"/></edits>', ":1: expected start of <edit> to be a number from 0, got ''"),
        ('<edits><edit start="1" end="3"><edit/></edit></edits>', ":1: expected no <edit> inside another"),
        ('<!DOCTYPE edits [<!ENTITY a "b">]><edits/>', ":1: expected no entity declarations, got one of 'a'"),
        ("<edits>", "expected well-formed XML"),
    ],
)
def test_what_is_refused(tmp_path, text, message):
    path = tmp_path / "edits.xml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_hoo_edits(path)
    assert message in str(caught.value)
