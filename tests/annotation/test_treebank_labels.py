"""What the built-in annotator learns from the treebank: labels in spaCy's words."""

from __future__ import annotations

import pytest

from treebank_labels import Token, dependency_labels, tag_labels, with_whole_words


def _sentence(*rows):
    return [Token(*row.split(":")[:3], int(row.split(":")[3]), row.split(":", 4)[4]) for row in rows]


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (["because:ADP:IN:2:case", "of:ADP:IN:0:fixed", "rain:NOUN:NN:-1:root"], ["IN|SCONJ", "IN", "NN"]),
        (["of:SCONJ:IN:1:mark", "being:AUX:VBG:2:cop", "late:ADJ:JJ:-1:root"], ["IN", "VBG|AUX", "JJ"]),
        (["than:SCONJ:IN:1:mark", "asking:VERB:VBG:-1:root"], ["IN", "VBG"]),
        (["than:SCONJ:IN:2:mark", "you:PRON:PRP:2:nsubj", "ask:VERB:VBP:-1:root"], ["IN|SCONJ", "PRP", "VBP"]),
        (["all:DET:DT:-1:root", "of:ADP:IN:2:case", "them:PRON:PRP:0:nmod"], ["DT|PRON", "IN", "PRP"]),
        (["all:DET:DT:1:det", "men:NOUN:NNS:-1:root"], ["DT", "NNS"]),
        (["At:ADP:IN:2:case", "least:ADJ:JJS:2:amod", "one:NUM:CD:-1:root"], ["IN", "RBS", "CD"]),
        (["each:DET:DT:-1:root", "other:ADJ:JJ:0:fixed"], ["DT", "JJ"]),
        (["what:DET:WDT:1:det", "day:NOUN:NN:-1:root"], ["WP", "NN"]),
        (["no:DET:DT:1:det", "one:PRON:NN:-1:root"], ["DT", "NN"]),
    ],
)
def test_tags_are_those_of_spacy(rows, labels):
    assert tag_labels(_sentence(*rows)) == labels


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (["it:PRON:PRP:1:expl", "rains:VERB:VBZ:-1:root"], ["nsubj", "ROOT"]),
        (["such:ADJ:JJ:2:case", "as:ADP:IN:0:fixed", "tea:NOUN:NN:-1:root"], ["amod", "prep", "ROOT"]),
        (["by:SCONJ:IN:1:mark", "asking:VERB:VBG:-1:root"], ["prep", "ROOT"]),
        (["if:SCONJ:IN:1:mark", "asked:VERB:VBN:-1:root"], ["mark", "ROOT"]),
    ],
)
def test_dependencies_are_those_of_spacy(rows, labels):
    assert dependency_labels(_sentence(*rows)) == labels


def test_words_that_the_treebank_splits_become_one():
    sentence = _sentence(
        "We:PRON:PRP:3:nsubj", "can:AUX:MD:3:aux", "not:PART:RB:3:advmod", "use:VERB:VB:-1:root",
        "so:ADV:RB:6:advmod", "-:PUNCT:HYPH:6:punct", "called:VERB:VBN:7:amod", "tests:NOUN:NNS:3:obj",
    )  # fmt: skip
    whole = with_whole_words(sentence)
    assert [token.form for token in whole] == ["We", "cannot", "use", "so-called", "tests"]
    assert tag_labels(whole) == ["PRP", "MD", "VB", "JJ", "NNS"]
    assert [token.head for token in whole] == [2, 2, -1, 4, 2]
    assert dependency_labels(whole)[1] == "aux"
