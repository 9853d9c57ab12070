"""Readings of characters."""

from __future__ import annotations

from cherrant_cases import text_of
from recte.annotation.pinyin import character_readings


def test_every_character_of_the_basic_block():
    table = dict(line.split("\t") for line in text_of("resources", "pinyin-characters.tsv.gz").splitlines())
    for code in range(0x4E00, 0xA000):
        expected = set(table.get(chr(code), "").split(",")) - {""}
        assert set(character_readings(chr(code))) == expected, chr(code)
