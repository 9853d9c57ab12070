"""HOO's criteria as the facts of the shared task state them."""

from __future__ import annotations

import pytest

from recte import Corpus, Edit, MaxMatch
from recte.metrics import Hoo
from searching import hoo


def score(source: str, edits: list[Edit], hypothesis: str, **options):
    return Hoo(**options).score(Corpus.from_edits([source], [[edits]]), [hypothesis])


def test_correction_without_bonus_is_the_papers_f1():
    edits = [Edit(1, 2, ("goes",)), Edit(3, 3, ("the",))]
    for hypothesis in ("He goes to school .", "He went to the school .", "She goes to school"):
        gold = Corpus.from_edits(["He go to school ."], [[edits]])
        assert Hoo().score(gold, [hypothesis]).score == pytest.approx(
            MaxMatch(beta=1.0).score(gold, [hypothesis]).score
        )


def test_the_three_criteria_are_nested():
    result = score("He go to school", [Edit(1, 3, ("goes to",))], "He went to school", behaviour="optimal")
    assert result.detection["f"] == 1.0
    assert result.recognition["f"] == 1.0  # read over both words, since that is what this criterion wants
    assert result.correction["f"] == 0.0
    diffed = score("He go to school", [Edit(1, 3, ("goes to",))], "He went to school", extraction="word-diff")
    assert (diffed.detection["f"], diffed.recognition["f"]) == (1.0, 0.0)


def test_bonus_rewards_an_optional_edit_left_alone():
    optional = Edit(0, 1, ("A",), required=False)
    left_alone = score("a b", [optional], "a b")
    assert (left_alone.correction["recall"], left_alone.correction["with_bonus"]["recall"]) == (0.0, 1.0)
    also_by_its_corrections = score("a b", [Edit(0, 1, ("A", "a"))], "a b")
    assert also_by_its_corrections.correction["with_bonus"]["f"] == 1.0
    touched = score("a b", [optional], "x b")
    assert touched.correction["with_bonus"]["met"] == 0


@pytest.mark.parametrize(
    ("gold", "hypothesis", "lenient", "strict"),
    [
        (Edit(1, 3, ("x",)), "a b y c d", 1, 0),  # an insertion strictly inside the gold span
        (Edit(2, 2, ("x",)), "a b y c d", 1, 1),  # an insertion at the same place, with another text
        (Edit(2, 2, ("x",)), "a x c d", 1, 1),  # one word replaced at its left, beginning or ending with the gold's
        (Edit(2, 2, ("x",)), "a y c d", 0, 0),  # touching, with another text
        (Edit(2, 2, ("x",)), "a y y d", 1, 0),  # a span strictly around it
        (Edit(0, 1, ("x",)), "a b c y", 0, 0),  # elsewhere
    ],
)
def test_overlap(gold, hypothesis, lenient, strict):
    counted = hoo(["a", "b", "c", "d"], hypothesis.split(), [gold], extraction="word-diff")
    assert (counted["detection"][0], counted["recognition"][0]) == (lenient, strict)


def test_each_annotator_alone_and_the_best():
    gold = Corpus.from_edits(["a b"], [[[Edit(0, 1, ("A",))], [Edit(1, 2, ("B",))]]])
    result = Hoo().score(gold, ["a B"])
    assert result.correction["f"] == 1.0
    assert [result.correction["annotators"][a]["f"] for a in ("0", "1")] == [0.0, 1.0]


def test_a_gold_edit_touched_twice_is_detected_once():
    counted = hoo(["a", "b", "c", "d"], ["x", "b", "c", "y"], [Edit(0, 4, ("z",))], extraction="word-diff")
    assert counted["detection"] == (1, 0, 2, 1, 0)
