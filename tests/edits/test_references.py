from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Annotation, Corpus, Edit, InputError, Sentence
from recte.corpus.corpus import apply_edits
from recte.edits import (
    CharacterEdit,
    edits_from_characters,
    edits_from_references,
    references_from_edits,
    with_references,
)
from recte.extraction.reference_edits import with_edits
from strategies import sentences


@given(sentences(), sentences(), st.sampled_from(["maxmatch", "word-diff"]))
def test_edits_made_from_a_reference_give_it_back(source, reference, rule):
    (edits,) = edits_from_references([" ".join(source)], [" ".join(reference)], rule=rule)
    assert apply_edits(source, edits) == " ".join(reference)


def test_operations_are_named():
    (edits,) = edits_from_references(["a b c d e f"], ["a x c d f y"], rule="word-diff")
    assert [(e.start, e.end, e.corrections, e.type) for e in edits] == [
        (1, 2, ("x",), "R"),
        (4, 5, ("",), "U"),
        (6, 6, ("y",), "M"),
    ]


@pytest.mark.parametrize("uncorrected", ["Um", "UNK"])  # as annotators write it, and as ERRANT's types have it
def test_the_three_published_rules(uncorrected):
    edits = (Edit(0, 1, ("A",), uncorrected), Edit(1, 2, ("B",), "X"))
    sentence = Sentence("a b", annotations=(Annotation("0", edits),))
    assert references_from_edits(sentence, ["0", "1"], rule="nus") == ("a B", "a B")
    assert references_from_edits(sentence, ["0", "1"], rule="seeda") == ("A B", "A B")
    assert references_from_edits(sentence, ["0", "1"], rule="gec-metrics") == ("A B", "a b")


def test_edits_and_references_both_ways():
    corpus = Corpus.from_edits(["a b c"], [[[Edit(1, 2, ("B",))], []]])
    rewritten = with_references(corpus)
    assert rewritten[0].references == ("a B c", "a b c")
    (again,) = with_edits(rewritten.sentences)
    assert [apply_edits(again.tokens, a.edits) for a in again.annotations] == ["a B c", "a b c"]


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("He go home", CharacterEdit(3, 5, ("goes",)), Edit(1, 2, ("goes",))),
        ("He go home", CharacterEdit(5, 5, ("es",)), Edit(1, 2, ("goes",))),  # glued to the word before
        ("He go home", CharacterEdit(6, 6, ("to ",)), Edit(2, 2, ("to",))),  # a word of its own
        ("He go home", CharacterEdit(5, 5, (" to",)), Edit(2, 2, ("to",))),
        ("in the end", CharacterEdit(3, 7, ("",)), Edit(1, 2, ("",))),  # with the space behind it
        ("in the end", CharacterEdit(2, 6, ("",)), Edit(1, 2, ("",))),  # with the space before it
        ("can not go", CharacterEdit(3, 4, ("",)), Edit(0, 2, ("cannot",))),  # the space alone
        ("unhappy", CharacterEdit(0, 2, ("",)), Edit(0, 1, ("happy",))),
        ("a", CharacterEdit(0, 0, ("The ",)), Edit(0, 0, ("The",))),
        ("a b", CharacterEdit(1, 2, (" x ", "")), Edit(0, 2, ("a x b", "ab"))),  # alternatives share one span
        ("", CharacterEdit(0, 0, ("Hi",)), Edit(0, 0, ("Hi",))),
    ],
)
def test_character_offsets(text, edit, expected):
    (converted,) = edits_from_characters(text, [edit])
    assert converted == expected
    corrected = apply_edits(text.split(), [converted])
    assert corrected.split() == (text[: edit.start] + edit.corrections[0] + text[edit.end :]).split()


@given(st.text("ab ", max_size=12), st.data())
def test_character_edits_keep_their_meaning(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    correction = data.draw(st.text("ab ", max_size=4))
    (edit,) = edits_from_characters(text, [CharacterEdit(start, end, (correction,))])
    assert apply_edits(text.split(), [edit]).split() == (text[:start] + correction + text[end:]).split()


def test_character_offsets_past_the_end():
    with pytest.raises(InputError, match="edit 2 9: expected offsets within the 4 characters of its text"):
        edits_from_characters("abcd", [CharacterEdit(2, 9, ("x",))])
