from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from recte import Annotation, Corpus, Edit, MaxMatch, Sentence, read_m2, read_system, segmented
from recte.corpus.corpus import GoldError, apply_edits
from recte.text import Characters, SegmentedBy
from shared_data import shared
from strategies import edits


class Pairs:
    """A segmenter for the test: two characters a token."""

    name = "pairs"

    def __call__(self, text):
        text = "".join(text.split())
        return [text[i : i + 2] for i in range(0, len(text), 2)]


@given(st.data())
def test_projected_edits_give_the_same_text(data):
    words = data.draw(st.lists(st.sampled_from(["ab", "c", "def"]), max_size=5))
    drawn = data.draw(edits(len(words), 1))
    sentence = Sentence(" ".join(words), annotations=(Annotation("0", drawn),))
    for segmenter in (Characters(), Pairs()):
        (projected,) = segmented(Corpus((sentence,)), segmenter)
        assert "".join(projected.tokens) == "".join(words)
        again = apply_edits(projected.tokens, projected.annotations[0].edits)
        assert "".join(again.split()) == "".join(apply_edits(words, drawn).split())


def test_everything_goes_along():
    edit = Edit(0, 1, ("xy",), "T", required=False, comment="why", line=7)
    sentence = Sentence(
        "ab c", annotations=(Annotation("0", (edit,)),), errors=(GoldError((Annotation("0", (edit,)),)),), id="3"
    )
    (projected,) = segmented(Corpus((sentence,)), Characters())
    moved = projected.annotations[0].edits[0]
    assert (moved.start, moved.end, moved.corrections, moved.line) == (0, 2, ("x y",), 7)
    assert (moved.type, moved.required, moved.comment, projected.id) == ("T", False, "why", "3")
    assert projected.errors[0].alternatives[0].edits == (moved,)


def test_hypotheses_are_cut_as_the_corpus_was_and_the_signature_says_so():
    words = Sentence("我 喜欢 你", annotations=(Annotation("0", (Edit(1, 2, ("爱",)),)),))
    corpus = segmented(Corpus((words,)), Characters())
    for hypothesis in ("我 爱 你", "我爱你", "我爱 你"):
        score = MaxMatch().score(corpus, [hypothesis])
        assert score.score == 1.0
        assert "|tokens:characters|" in score.signature


@given(st.data())
def test_a_language_with_blanks_keeps_them(data):
    words = data.draw(st.lists(st.sampled_from(["He", "did", "n't", "well-known", "."]), min_size=1, max_size=6))
    drawn = data.draw(edits(len(words), 1))
    sentence = Sentence(" ".join(words), annotations=(Annotation("0", drawn),))
    (same,) = segmented(Corpus((sentence,)), SegmentedBy(str.split, "words"))
    assert same.tokens == tuple(words)
    moved = [(edit.start, edit.end, edit.corrections) for edit in same.annotations[0].edits]
    assert moved == [(e.start, e.end, tuple(" ".join(c.split()) for c in e.corrections)) for e in drawn]
    (finer,) = segmented(Corpus((sentence,)), SegmentedBy(lambda text: re.findall(r"\w+|[^\w\s]", text), "signs"))
    applied = apply_edits(finer.tokens, finer.annotations[0].edits)
    assert "".join(applied.split()) == "".join(apply_edits(words, drawn).split())


def test_a_segmenter_of_real_outputs_that_cuts_as_the_gold_changes_nothing():
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs
    words = segmented(gold, SegmentedBy(str.split, "words"))
    assert MaxMatch().score(words, outputs).score == MaxMatch().score(gold, outputs).score
