from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.errors import InputError
from recte.evaluation.inputs import GoldFiles
from recte.formats.fcgec import complete_references, official_references


def insertion(place, label):
    return {"pos": place, "tag": "INS_1", "label": label}


def change(place, count, label):
    return {"pos": place, "tag": f"MOD_{count}+INS_1", "label": label}


def test_readings_differ_where_the_converter_has_faults():
    after_list = [{"Insert": [insertion(0, ["x", "y"])]}, {"Delete": [0]}]
    assert official_references("ab", after_list) == ("axb", "ayb")
    assert complete_references("ab", after_list) == ("axb", "ayb", "b")
    dropped = [{"Delete": [1], "Insert": [insertion(0, ["x"])], "Modify": [change(2, 1, ["z"])]}]
    assert official_references("abc", dropped) == ("axbc", "abz")
    assert complete_references("abc", dropped) == ("axz",)
    switched = [{"Switch": [1, 0]}, {"Insert": [insertion(1, "c")]}]
    assert official_references("ab", switched) == ("ba", "bac")
    assert complete_references("ab", switched) == ("ba", "abc")


def by_hand(text, entry):
    """What an entry says, one character at a time."""
    made = [item["label"] for item in entry["Insert"] if item["pos"] == -1]
    skipped = 0
    for place, character in enumerate(text):
        for item in entry["Modify"]:
            if item["pos"] == place:
                made.append(item["label"])
                skipped = int(item["tag"][4])
        if not skipped and place not in entry["Delete"]:
            made.append(character)
        skipped = max(skipped - 1, 0)
        made += [item["label"] for item in entry["Insert"] if item["pos"] == place]
    return "".join(made)


@st.composite
def entries(draw):
    """A text and an entry whose operations do not meet."""
    text = draw(st.text("abcdef", min_size=1, max_size=12))
    kinds = draw(st.lists(st.sampled_from("kdim2"), min_size=len(text), max_size=len(text)))
    entry = {"Delete": [], "Insert": [], "Modify": []}
    if draw(st.booleans()):
        entry["Insert"].append(insertion(-1, "X"))
    place = 0
    while place < len(text):
        kind = kinds[place]
        if kind == "d":
            entry["Delete"].append(place)
        elif kind == "i":
            entry["Insert"].append(insertion(place, draw(st.text("XY", min_size=1, max_size=2))))
        elif kind in "m2":
            count = min(1 + (kind == "2"), len(text) - place)
            entry["Modify"].append(change(place, count, "Z"))
            place += count - 1
        place += 1
    return text, entry


@given(entries())
def test_one_entry_without_alternatives(case):
    text, entry = case
    assert complete_references(text, [entry]) == official_references(text, [entry]) == (by_hand(text, entry),)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("text", "sentence a: expected an object with the key 'sentence'"),
        ({"sentence": "ab"}, "sentence a: expected the key 'operation' of gold"),
        ({"sentence": "ab", "operation": "{"}, "sentence a: expected operations of FCGEC"),
        ({"sentence": "ab", "operation": "[1]"}, "expected a list of entries"),
        ({"sentence": "ab", "operation": '[{"Delete": [2]}]'}, "expected places within the 2 characters, got 2"),
        ({"sentence": "ab", "operation": '[{"Switch": [0, 0]}]'}, "expected a Switch of all 2 characters"),
        ({"sentence": "ab", "operation": '[{"Insert": [{"pos": 0}]}]'}, "no key 'label'"),
        (
            {"sentence": "ab", "operation": '[{"Modify": [{"pos": 0, "tag": "X", "label": "c"}]}]'},
            "expected operations",
        ),
    ],
)
def test_wrong_files(tmp_path, row, message):
    path = tmp_path / "gold.json"
    path.write_text(json.dumps({"first": {"sentence": "x", "operation": "[]"}, "a": row}))
    with pytest.raises(InputError) as caught:
        list(GoldFiles(gold=path).sentences())
    assert message in str(caught.value)
