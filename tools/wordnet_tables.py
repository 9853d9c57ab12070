"""Build the tables that lemmas are looked up in, from the index and exception files of WordNet 3.0.

    python tools/wordnet_tables.py /usr/share/wordnet src/recte/annotation/data

The files are those of Debian's package `wordnet-base`. Entries of several words are left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")


def entries(folder: Path, part: str) -> list[str]:
    """The lemmas of a part of speech, which the index has in lower case."""
    lines = (folder / f"index.{part}").read_text(encoding="ascii").splitlines()
    return sorted({line.split(" ", 1)[0] for line in lines if not line.startswith(" ") and "_" not in line.split()[0]})


def exceptions(folder: Path, part: str) -> list[str]:
    """Irregular forms, each with its lemmas behind it."""
    lines = (folder / f"{part}.exc").read_text(encoding="ascii").splitlines()
    return sorted({line.strip() for line in lines if line.strip() and "_" not in line})


def main(wordnet: str, data: str) -> None:
    """Write `wordnet.txt`: for each part of speech one line of lemmas, and one of irregular forms and their lemmas."""
    folder = Path(wordnet)
    blocks = [[" ".join(entries(folder, part)), ";".join(exceptions(folder, part))] for part in PARTS]
    lines = "\n".join("\n".join(block) for block in blocks).encode()
    Path(data, "wordnet.txt").write_bytes(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
