"""Random little sentences and annotations: few word types, many insertions, duplicates and unsorted gold."""

from __future__ import annotations

from hypothesis import strategies as st

from recte import Edit

WORDS = ("a", "b", "c")


def sentences(max_size: int = 8) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(WORDS), max_size=max_size)


def corrections() -> st.SearchStrategy[tuple[str, ...]]:
    text = st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join)
    return st.lists(text, min_size=1, max_size=2).map(tuple)


@st.composite
def edits(draw: st.DrawFn, length: int, max_size: int = 5) -> tuple[Edit, ...]:
    drawn = []
    for _ in range(draw(st.integers(0, max_size))):
        start = draw(st.integers(0, length))
        end = draw(st.one_of(st.just(start), st.integers(start, min(length, start + 3))))
        drawn.append(Edit(start, end, draw(corrections()), required=draw(st.booleans())))
    return tuple(drawn)


@st.composite
def cases(draw: st.DrawFn, max_words: int = 8, max_edits: int = 5) -> tuple[list[str], list[str], tuple[Edit, ...]]:
    """A source, a hypothesis and one annotation."""
    source, hypothesis = draw(sentences(max_words)), draw(sentences(max_words))
    return source, hypothesis, draw(edits(len(source), max_edits))
