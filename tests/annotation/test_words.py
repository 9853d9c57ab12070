"""The word list and the stemmer, against every word of the golden sample."""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files

from recte.annotation.lancaster import stem
from recte.annotation.words import is_word
from shared_data import shared


def test_the_list_is_the_published_one():
    packed = files("recte.annotation").joinpath("data", "words.txt.gz").read_bytes()
    listed = gzip.decompress(packed)
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
