"""Prints how long README and docs are: words as `wc -w` counts them, and words of a sentence.

    python tools/prose.py              all pages together
    python tools/prose.py --longest 20 and the longest sentences

Code, tables and headings have no sentences; a term in backticks is one word.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[1]
LONG = 20  # words that a sentence should have at most


def split_sentences(page: str) -> Iterator[str]:
    """The sentences of a Markdown page; items of a list are separate."""
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^(?:    |\||#|!\[|<!--).*$", "\n", text, flags=re.MULTILINE)
    prose = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "term", prose))
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*:]|\d+\.) )", prose):
        for sentence in re.split(r"(?<=[.!?])[*)]*\s+", " ".join(block.split())):
            if len(sentence.split()) > 2:
                yield sentence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--longest", type=int, default=0, metavar="N")
    pages = [(ROOT / "README.md").read_text(), *(path.read_text() for path in sorted((ROOT / "docs").rglob("*.md")))]
    sentences = sorted((s for page in pages for s in split_sentences(page)), key=lambda s: -len(s.split()))
    lengths = [len(sentence.split()) for sentence in sentences]
    for sentence in sentences[: parser.parse_args().longest]:
        print(f"{len(sentence.split())} words: {sentence}")
    words = sum(len(page.split()) for page in pages)
    print(f"{words:,} words; {len(sentences):,} sentences with {fmean(lengths):.1f} words on average")
    print(f"{sum(length > LONG for length in lengths)} sentences have more than {LONG} words")


if __name__ == "__main__":
    main()
