"""What is stored between runs comes back as it was, or not at all: damage is noticed, told, and made good."""

from __future__ import annotations

import sqlite3
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recte import OptionError
from recte.caching.disk_cache import DiskCache, KeyLocks

VALUES = [(bytes([number]), bytes([number]) * 50) for number in range(200)]
KEYS = [key for key, _ in VALUES]


@pytest.fixture
def disk_cache(tmp_path):
    return DiskCache(tmp_path / "folder" / "values.sqlite")


def unwarned(call, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call(*arguments)


def test_values_come_back(disk_cache):
    assert unwarned(disk_cache.read, [b"a"]) == {}
    unwarned(disk_cache.write, VALUES)
    assert unwarned(disk_cache.read, [*KEYS, b"other"]) == dict(VALUES)
    unwarned(disk_cache.write, [(b"\x00", b"new")])
    assert unwarned(disk_cache.read, [b"\x00"]) == {b"\x00": b"new"}


def test_a_database_without_checksums_is_empty(disk_cache):
    """As recte made them before."""
    disk_cache.path.parent.mkdir()
    with sqlite3.connect(disk_cache.path) as database:
        database.execute("CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB)")
    assert unwarned(disk_cache.read, [b"a"]) == {}
    unwarned(disk_cache.write, VALUES[:1])
    assert unwarned(disk_cache.read, [b"\x00"]) == dict(VALUES[:1])


def damaged(disk_cache, how):
    disk_cache.write(VALUES)
    whole = disk_cache.path.read_bytes()
    disk_cache.path.write_bytes(
        {
            "no database": b"text, and nothing else" * 100,
            "cut off": whole[: len(whole) // 2],
            "first page": whole[:100] + bytes(3000) + whole[3100:],
            "all": b"\xff" * len(whole),
        }[how]
    )


@pytest.mark.parametrize("how", ["no database", "cut off", "first page", "all"])
@pytest.mark.parametrize("named", ["", "RECTE_NEURAL_CACHE"])
def test_a_damaged_file_is_set_aside_and_begun_again(disk_cache, how, named):
    damaged(disk_cache, how)
    again = DiskCache(disk_cache.path, named)
    with pytest.warns(
        RuntimeWarning, match=r"values.sqlite is damaged and set aside, and what it kept is made again: "
    ):
        assert again.read(KEYS) == {}
    unwarned(again.write, VALUES)
    assert unwarned(again.read, KEYS) == dict(VALUES)
    assert sorted(path.name for path in disk_cache.path.parent.iterdir()) == ["values.damaged", "values.sqlite"]


def test_what_was_paid_for_is_left_to_who_named_it(disk_cache):
    damaged(disk_cache, "cut off")
    before = disk_cache.path.read_bytes()
    with pytest.raises(OptionError, match="RECTE_NEURAL_CACHE: expected a folder that results can be kept in"):
        DiskCache(disk_cache.path, "RECTE_NEURAL_CACHE", paid=True).read(KEYS)
    assert disk_cache.path.read_bytes() == before


def test_a_changed_value_is_not_believed(disk_cache):
    """A database has no checksums of its own: a flipped bit would be a wrong score."""
    disk_cache.write(VALUES)
    whole = disk_cache.path.read_bytes()
    place = whole.index(bytes([7]) * 50) + 20
    disk_cache.path.write_bytes(whole[:place] + b"\x00" + whole[place + 1 :])
    with pytest.warns(RuntimeWarning, match="some values are damaged, and are made again"):
        assert disk_cache.read(KEYS) == {key: value for key, value in VALUES if key != b"\x07"}
    disk_cache.write(VALUES[7:8])
    assert unwarned(disk_cache.read, [b"\x07"]) == dict(VALUES[7:8])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 255)), min_size=1, max_size=30), st.integers(0, 3))
def test_bytes_that_changed_anywhere_are_never_an_error(changes, cut):
    """A disk lost bytes of the file: what is read is right or missing, and what is written is there afterwards."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        disk_cache = DiskCache(Path(folder) / "values.sqlite")
        disk_cache.write(VALUES)
        content = bytearray(disk_cache.path.read_bytes())
        for place, byte in changes:
            content[(place if place % 2 else place % 200) % len(content)] = byte
        disk_cache.path.write_bytes(content[: len(content) * (9 - cut) // 9])
        values = disk_cache.read(KEYS)
        assert values.items() <= dict(VALUES).items()
        disk_cache.check()
        with KeyLocks.of(disk_cache) as locks:
            assert locks.acquire(KEYS[:2]) <= set(KEYS[:2])
            disk_cache.write([(b"new", b"value")])
        assert disk_cache.read([b"new"]) in ({b"new": b"value"}, {})


def test_locks_remove_no_file_of_another_folder(disk_cache):
    """A database that another user made names an owner, from which the name of a file is made."""
    disk_cache.write(VALUES)
    other = disk_cache.path.parent.parent / "other.lock"
    other.touch()
    with sqlite3.connect(disk_cache.path) as database:
        database.execute("CREATE TABLE claimed (key BLOB PRIMARY KEY, owner TEXT)")
        for number, owner in enumerate((f"/../../{other.stem}", str(other), "", "\0", "x")):
            database.execute("INSERT INTO claimed VALUES (?, ?)", (bytes([number]), owner))
    with KeyLocks.of(disk_cache) as locks:
        assert locks.acquire(KEYS[:5]) == set(KEYS[:5])
    assert other.exists()
