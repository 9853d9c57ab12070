"""Random UCCA graphs."""

from __future__ import annotations

from hypothesis import strategies as st

from recte.studies.faithfulness.graph import Edge, Passage, Terminal, Unit

CATEGORIES = ("A", "P", "S", "H", "C", "D", "F", "R", "U")
_WORDS = st.sampled_from(["a", "an", "boy", "boys", "sing", "sings", "home.", "Yes", ",", "."])


@st.composite
def passages(draw, words=None):
    texts = words if words is not None else draw(st.lists(_WORDS, min_size=1, max_size=8))
    terminals = tuple(Terminal(text, punctuation=text in ",.") for text in texts)
    size = draw(st.integers(1, 9))
    place = st.integers(0, size - 1)
    parents = [draw(place) for _ in terminals]
    units = tuple(
        Unit(f"1.{u + 1}", tuple(t for t, home in enumerate(parents) if home == u), linkage=False) for u in range(size)
    )
    categories = st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=2, unique=True).map(tuple)
    edges = [Edge(draw(st.integers(0, u - 1)), u, draw(categories)) for u in range(1, size)]
    for a, b in draw(st.lists(st.tuples(place, place), max_size=3)):
        if a < b:
            edges.append(Edge(a, b, draw(categories), remote=True))
    return Passage("p", terminals, units, tuple(edges))


@st.composite
def annotated_twice(draw):
    words = draw(st.lists(_WORDS, min_size=1, max_size=8))
    return draw(passages(words)), draw(passages(words))
