"""Our Treebank words against NLTK's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize.treebank import TreebankWordTokenizer

from recte import read_m2
from recte.text.treebank import treebank_words
from shared_data import shared

PIECES = [
    *"ab1 '\"`.,:;?!-()[]{}<>$%&#@\té",
    "n't",
    "'s",
    "'ll",
    "'RE",
    "cannot",
    "gonna",
    "wanna",
    "gimme",
    "gotta",
    "lemme",
]
PIECES += ["more'n", "d'ye", "'tis", "'twas", "``", "''", "...", "--", " and ", "3,000", "U.S."]


@settings(max_examples=2000)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_the_same_words_as_nltk(text):
    assert treebank_words(text) == TreebankWordTokenizer().tokenize(text)


@pytest.mark.parametrize(("name", "total", "changed"), [("gold.m2", 5598, 10), ("gold-with-alternatives.m2", 7157, 15)])
def test_how_many_corrections_of_conll_change(name, total, changed):
    corpus = read_m2(shared("data", "conll14", name))
    corrections = [e.corrections[0] for s in corpus for a in s.annotations for e in a.edits]
    assert len(corrections) == total
    assert sum(" ".join(treebank_words(c)) != c for c in corrections) == changed
