"""The copies of synthetic goldens are true, and a test finds its golden or says why it does not."""

from __future__ import annotations

import pytest

import shared_data
from shared_data import COPIES, ROOT, golden, opened

COPIED = sorted(path.relative_to(COPIES).as_posix() for path in COPIES.rglob("*.xz"))


@pytest.mark.parametrize("name", COPIED)
def test_a_copy_holds_what_the_original_holds(name):
    original = golden(name)
    if not original.is_relative_to(ROOT):
        pytest.skip("needs the shared data to compare with (set RECTE_SHARED)")
    with opened(COPIES / name) as copy, opened(original) as whole:
        lines = set(whole)
        assert all(line in lines for line in copy)


def test_a_copy_serves_where_the_shared_data_are_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(shared_data, "ROOT", tmp_path)
    assert golden("maxmatch/random-cases.jsonl") == COPIES / "maxmatch" / "random-cases.jsonl.xz"
    assert golden("errant/random-cases.jsonl.gz") == COPIES / "errant" / "random-cases.jsonl.xz"
    assert shared_data.golden_lines("errant/random-cases.jsonl.gz")[0]["id"] == 0
    assert shared_data.golden_rows("errant/similarity.tsv.gz")[0]["a"] == "rickettsia"
    with pytest.raises(pytest.skip.Exception, match=r"needs golden/maxmatch/systems\.tsv of the shared data"):
        golden("maxmatch/systems.tsv")


def test_the_shared_data_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(shared_data, "ROOT", tmp_path)
    whole = tmp_path / "golden" / "errant" / "random-cases.jsonl.gz"
    whole.parent.mkdir(parents=True)
    whole.touch()
    assert golden("errant/random-cases.jsonl.gz") == whole
