"""The word list and the stemmer, against every word of the golden sample."""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from recte import _kernels
from recte.annotation.data_files import is_word
from recte.annotation.lancaster import stem
from shared_data import shared


def test_the_list_is_the_published_one():
    listed = files("recte.annotation").joinpath("data", "words.txt").read_bytes()
    assert listed.count(b"\n") + 1 == 170_565
    assert hashlib.sha256(listed).hexdigest() == "7288ee8e99c6427d30eab9f504e647cd89329c84b629bb0e864c3d72e735fa46"


def test_stems_and_words_of_the_golden_sample():
    with gzip.open(shared("golden", "errant", "words.tsv.gz"), "rt", encoding="utf-8", newline="\n") as lines:
        assert next(lines).split() == ["word", "lancaster_stem", "in_word_list", "alphabetic"]
        words = [line.rstrip("\n").split("\t") for line in lines]
    assert len(words) == 8010
    for word, stemmed, listed, alphabetic in words:
        assert stem(word) == stemmed
        assert (is_word(word) or is_word(word.lower())) == (listed == "1"), word
        assert word.isalpha() == (alphabetic == "1"), word


def test_stems_of_odd_forms():
    assert [stem(word) for word in ("", "a", "s", "y", "123", "'s", "Ünder", "bcd")] == [
        "", "a", "s", "y", "123", "'s", "ünder", "bcd",
    ]  # fmt: skip


@given(st.lists(st.tuples(st.text("abcü'", min_size=1, max_size=3), st.text("xy", max_size=2)), max_size=12), st.data())
def test_sorted_entries_are_found_as_in_a_table(entries, data):
    lines = sorted(f"{key} {rest}" if rest else key for key, rest in entries)
    lines.sort(key=lambda line: line.partition(" ")[0].encode())
    table = {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}  # of equal keys the last
    searched = _kernels.SortedEntries(";".join(lines).encode(), ";")
    for key in [*table, "", "ab", "zz", "\ud800", data.draw(st.text("abcü'; ", max_size=4))]:
        assert searched.get(key) == table.get(key)
