"""Lemmas by WordNet's rules: what NLTK's lemmatiser, which the literature uses, says of the same words."""

from __future__ import annotations

import pytest

from recte.annotation.wordnet import wordnet_lemma, wordnet_lemmas


@pytest.mark.parametrize(
    ("word", "part", "lemma"),
    [
        ("boxes", "noun", "box"),
        ("women", "noun", "woman"),
        ("class", "noun", "class"),
        ("bus", "noun", "bus"),
        ("grandchildren", "noun", "grandchild"),
        ("as", "noun", "a"),
        ("passes", "noun", "pass"),
        ("seems", "noun", "seems"),
        ("serves", "noun", "serf"),
        ("proves", "noun", "prof"),
        ("went", "verb", "go"),
        ("carries", "verb", "carry"),
        ("being", "verb", "be"),
        ("hoping", "verb", "hop"),  # hope and hop are both known; the shorter one is taken
        ("better", "adj", "good"),
        ("largest", "adj", "large"),
        ("quickly", "adv", "quickly"),
        ("xyzzy", "noun", "xyzzy"),
        ("", "noun", ""),
    ],
)
def test_lemmas(word, part, lemma):
    assert wordnet_lemma(word, part) == lemma


def test_an_ending_may_stand_behind_another():
    assert wordnet_lemmas("dresseses", "noun") == wordnet_lemmas("dresses", "noun") == ["dress"]
