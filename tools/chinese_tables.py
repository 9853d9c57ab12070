"""Write the tables that Chinese extraction reads: readings of characters, and traditional to simplified.

Run it with pypinyin and OpenCC installed: `python tools/chinese_tables.py`. Both are other people's work; their
licences let us pass the tables on, and are in the same folder.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import opencc
import pypinyin
from pypinyin.constants import PINYIN_DICT

ROOT = Path(__file__).parents[1]
READINGS = "src/recte/annotation/data/pinyin.txt"
SIMPLIFIED = "src/recte/text/data/simplified.txt"


def readings() -> str:
    """One line per syllable without tone: the syllable and all characters that can be read so."""
    by_syllable: dict[str, list[str]] = {}
    for code in sorted(PINYIN_DICT):
        (of_character,) = pypinyin.pinyin(chr(code), style=pypinyin.Style.NORMAL, heteronym=True)
        for syllable in of_character:
            if syllable != chr(code):
                by_syllable.setdefault(syllable, []).append(chr(code))
    lines = [f"{syllable}\t{''.join(characters)}" for syllable, characters in sorted(by_syllable.items())]
    return "\n".join([f"# pypinyin-{version('pypinyin')}", *lines, ""])


def simplified() -> str:
    """One line per text that changes: characters that are written in several ways, phrases, single characters."""
    convert = opencc.OpenCC("t2s").convert
    same = dict(_dictionary("CJK_Compatibility_Ideographs"))
    # OpenCC's character dictionaries hold choices; what it does with a character that stands alone is the rule.
    alone = {c: convert(c) for c in map(chr, range(0x80, sys.maxunicode)) if not 0xD800 <= ord(c) <= 0xDFFF}
    characters = {c: to for c, to in alone.items() if to != c and c not in same}
    phrases = dict(_dictionary("TSPhrases"))
    lines = [f"# opencc-{version('opencc')}"]
    for name, table in (("variants", same), ("phrases", phrases), ("characters", characters)):
        lines += [f"# {name}", *(f"{a}\t{b}" for a, b in sorted(table.items()))]
    return "\n".join([*lines, ""])


def _dictionary(name: str) -> list[tuple[str, str]]:
    """OpenCC's compiled dictionary as pairs; where it offers several, the first counts."""
    folder = Path(opencc.__file__).parent / "clib"
    with tempfile.TemporaryDirectory() as scratch:
        text = Path(scratch, "dictionary.txt")
        command = [folder / "bin/opencc_dict", "-i", folder / f"share/opencc/{name}.ocd2", "-o", text]
        subprocess.run([*command, "-f", "ocd2", "-t", "text"], check=True)
        pairs = (line.split("\t") for line in text.read_text(encoding="utf-8").splitlines())
        return [(key, values.split(" ")[0]) for key, values in pairs]


if __name__ == "__main__":
    (ROOT / READINGS).write_text(readings(), encoding="utf-8")
    (ROOT / SIMPLIFIED).write_text(simplified(), encoding="utf-8")
