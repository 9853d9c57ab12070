"""Build the word list that decides what is a misspelling, from the word lists of SCOWL.

    python tools/word_list.py /usr/share/dict/scowl src/recte/annotation/data

The published ERRANT uses SCOWL 2020.12.07, British, up to size 70. This takes the same lists from Debian's package
`scowl` (2020.12.07-2). The published list has two words that the package lacks; they are added below.
"""

from __future__ import annotations

import hashlib
import sys
import unicodedata
from pathlib import Path

DIALECTS = ("english", "british", "british_z", "british_variant_1", "special")
LARGEST = 70
PUBLISHED_ONLY = ("mys", "sangs")
# Of the published list: all entries, sorted and joined by newlines.
PUBLISHED_SHA256 = "7288ee8e99c6427d30eab9f504e647cd89329c84b629bb0e864c3d72e735fa46"


def without_accents(word: str) -> str:
    """The word as written by someone whose keyboard has no accents."""
    return "".join(mark for mark in unicodedata.normalize("NFD", word) if not unicodedata.combining(mark))


def entries(folder: Path) -> set[str]:
    """All entries of the published list."""
    actual = set(PUBLISHED_ONLY)
    for path in folder.iterdir():
        dialect, size = path.stem.split("-")[0], int(path.suffix[1:])
        if dialect in DIALECTS and size <= LARGEST:
            actual.update(path.read_text(encoding="utf-8").split())
    return actual | {without_accents(word) for word in actual}


def main(scowl: str, data: str) -> None:
    """Write `words.txt` into the folder of data."""
    words = entries(Path(scowl))
    lines = "\n".join(sorted(words)).encode()
    if hashlib.sha256(lines).hexdigest() != PUBLISHED_SHA256:
        sys.exit(f"{scowl}: the {len(words)} entries are not those of SCOWL 2020.12.07 as published")
    Path(data, "words.txt").write_bytes(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
