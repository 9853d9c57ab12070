"""Annotated sentences of the golden files, and random ones."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from recte.annotation import Annotated

# Words that meet every rule: case, punctuation, apostrophes, hyphens, possessives, near-equal spellings.
WORDS = ("a", "A", "the", "The", "cat", "cats", "-", "'s", "it's", "its", ",", "..", "on-line", "online", "line", "on")
TAGS = ("NN", "POS")
COARSE = ("ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "PRON", "ADP")
LEMMAS = ("a", "cat", "be")


def annotated(rows: Sequence[Sequence[object]]) -> Annotated:
    """A golden sentence: tokens as text, coarse tag, fine tag, lemma, dependency, head."""
    if not rows:
        return Annotated((), (), (), (), (), ())
    text, pos, tag, lemma, dependency, head = map(tuple, zip(*rows, strict=True))
    return Annotated(text, tag, pos, lemma, dependency, head)  # type: ignore[arg-type]


def random_sentences(max_size: int = 8, words: Sequence[str] = WORDS) -> st.SearchStrategy[Annotated]:
    token = st.tuples(st.sampled_from(words), st.sampled_from(COARSE), st.sampled_from(TAGS), st.sampled_from(LEMMAS))
    return st.lists(token, max_size=max_size).map(
        lambda tokens: annotated([(*token, "dep", place) for place, token in enumerate(tokens)])
    )


@st.composite
def changed_sentences(draw: st.DrawFn, max_size: int = 30, words: Sequence[str] = WORDS) -> tuple[Annotated, Annotated]:
    """A sentence, and the same with words deleted, inserted, replaced and moved here and there."""
    source = draw(random_sentences(max_size, words))
    columns = (source.text, source.pos, source.tag, source.lemma, source.dependency, source.head)
    rows: list[Sequence[object]] = list(zip(*columns, strict=True))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(rows)))
        end = draw(st.integers(start, min(len(rows), start + 3)))
        fresh = draw(random_sentences(2, words))
        new = list(zip(fresh.text, fresh.pos, fresh.tag, fresh.lemma, fresh.dependency, fresh.head, strict=True))
        moved = draw(st.permutations(rows[start:end]))
        rows[start:end] = draw(st.sampled_from([[], new, moved, [*new, *moved]]))
    return source, annotated(rows)


class GivenTokens:
    """The annotations of a golden file, looked up by their tokens."""

    name = "golden"

    def __init__(self, path: Path) -> None:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            blocks = stream.read().split("\n", 1)[1].split("\n\n")
        self._known: dict[tuple[str, ...], Annotated] = {}
        for block in blocks:
            rows = [line.split("\t") for line in block.split("\n") if line]
            sentence = annotated([(*fields, int(head)) for *fields, head in rows])
            self._known[sentence.text] = sentence

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[Annotated]:
        return [self._known[tuple(sentence)] for sentence in sentences]
