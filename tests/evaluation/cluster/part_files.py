"""A little corpus with two annotators and two systems, whole and in parts."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = ["he", "she", "go", "goes", "went", "to", "the", "a", "school", "house", "in", "on", "yesterday", "."]
SENTENCES = 60


def _changed(words: list[str], draw: random.Random) -> tuple[list[str], list[tuple[int, int, str]]]:
    """The words with some of them replaced, and the edits that do so."""
    edits = [(i, i + 1, draw.choice(WORDS)) for i in range(len(words)) if draw.random() < 0.3]
    text = list(words)
    for start, _, word in edits:
        text[start] = word
    return text, edits


def sentences(seed: int = 0) -> list[tuple[str, str, str, str]]:
    """For each sentence its M2 block, two outputs, and a reference."""
    draw = random.Random(seed)
    actual = []
    for _ in range(SENTENCES):
        words = draw.choices(WORDS, k=draw.randint(3, 9))
        lines = [f"S {' '.join(words)}"]
        for annotator in range(draw.choice([1, 2, 2])):
            edits = _changed(words, draw)[1]
            lines += [f"A {s} {e}|||R|||{word}|||REQUIRED|||-NONE-|||{annotator}" for s, e, word in edits]
            if not edits:
                lines.append(f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{annotator}")
        texts = [" ".join(_changed(words, draw)[0]) for _ in range(3)]
        actual.append(("\n".join(lines) + "\n\n", *texts))
    return actual


def write_parts(folder: Path, cuts: list[int]) -> None:
    """Gold, two systems and references in folders of parts that begin at `cuts`."""
    listed = sentences()
    for number, (begin, end) in enumerate(zip(cuts, [*cuts[1:], len(listed)], strict=True)):
        part = listed[begin:end]
        sources = [block.split("\n")[0][2:] for block, *_ in part]
        columns = {
            "gold": "".join(block for block, *_ in part),
            "one": "".join(f"{text}\n" for _, text, _, _ in part),
            "two": "".join(f"{text}\n" for _, _, text, _ in part),
            "reference": "".join(f"{text}\n" for _, _, _, text in part),
            "source": "".join(f"{text}\n" for text in sources),
        }
        for name, content in columns.items():
            path = folder / name / f"part-{number:02}.{'m2' if name == 'gold' else 'txt'}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
