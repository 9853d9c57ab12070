"""What is kept between runs comes back as it was, or not at all: damage is noticed, told, and made good."""

from __future__ import annotations

import sqlite3
import warnings

import pytest

from recte import OptionError
from recte.kept_values import KeptValues

VALUES = [(bytes([number]), bytes([number]) * 50) for number in range(200)]
KEYS = [key for key, _ in VALUES]


@pytest.fixture
def kept(tmp_path):
    return KeptValues(tmp_path / "folder" / "values.sqlite")


def unwarned(call, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call(*arguments)


def test_values_come_back(kept):
    assert unwarned(kept.recall, [b"a"]) == {}
    unwarned(kept.remember, VALUES)
    assert unwarned(kept.recall, [*KEYS, b"other"]) == dict(VALUES)
    unwarned(kept.remember, [(b"\x00", b"new")])
    assert unwarned(kept.recall, [b"\x00"]) == {b"\x00": b"new"}


def test_a_database_without_checksums_is_empty(kept):
    """As recte made them before."""
    kept.path.parent.mkdir()
    with sqlite3.connect(kept.path) as database:
        database.execute("CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB)")
    assert unwarned(kept.recall, [b"a"]) == {}
    unwarned(kept.remember, VALUES[:1])
    assert unwarned(kept.recall, [b"\x00"]) == dict(VALUES[:1])


def damaged(kept, how):
    kept.remember(VALUES)
    whole = kept.path.read_bytes()
    kept.path.write_bytes(
        {
            "no database": b"text, and nothing else" * 100,
            "cut off": whole[: len(whole) // 2],
            "first page": whole[:100] + bytes(3000) + whole[3100:],
            "all": b"\xff" * len(whole),
        }[how]
    )


@pytest.mark.parametrize("how", ["no database", "cut off", "first page", "all"])
@pytest.mark.parametrize("named", ["", "RECTE_NEURAL_CACHE"])
def test_a_damaged_file_is_set_aside_and_begun_anew(kept, how, named):
    damaged(kept, how)
    again = KeptValues(kept.path, named)
    with pytest.warns(RuntimeWarning, match=r"values.sqlite is damaged and set aside, and what it kept is made anew: "):
        assert again.recall(KEYS) == {}
    unwarned(again.remember, VALUES)
    assert unwarned(again.recall, KEYS) == dict(VALUES)
    assert sorted(path.name for path in kept.path.parent.iterdir()) == ["values.damaged", "values.sqlite"]


def test_what_was_paid_for_is_left_to_who_named_it(kept):
    damaged(kept, "cut off")
    before = kept.path.read_bytes()
    with pytest.raises(OptionError, match="RECTE_NEURAL_CACHE: expected a folder that results can be kept in"):
        KeptValues(kept.path, "RECTE_NEURAL_CACHE", paid=True).recall(KEYS)
    assert kept.path.read_bytes() == before


def test_a_changed_value_is_not_believed(kept):
    """A database has no checksums of its own: a flipped bit would be a wrong score."""
    kept.remember(VALUES)
    whole = kept.path.read_bytes()
    place = whole.index(bytes([7]) * 50) + 20
    kept.path.write_bytes(whole[:place] + b"\x00" + whole[place + 1 :])
    with pytest.warns(RuntimeWarning, match="some values are damaged, and are made anew"):
        assert kept.recall(KEYS) == {key: value for key, value in VALUES if key != b"\x07"}
    kept.remember(VALUES[7:8])
    assert unwarned(kept.recall, [b"\x07"]) == dict(VALUES[7:8])
