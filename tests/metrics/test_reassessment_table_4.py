"""Chollampatt and Ng (2018), Table 4: GLEU, I (in percent) and M² on the same sentences."""

from __future__ import annotations

import pytest

from recte import Corpus, Edit, Gleu, IMeasure, MaxMatch

WEEKLY = "The weekly quizzes in this course {} it challenging and fun ."
SENIOR = "The senior {} who failed {} to retake the course next year ."


@pytest.mark.parametrize(
    ("source", "annotators", "hypothesis", "gleu", "improvement", "f"),
    [
        (WEEKLY.format("makes"), [[Edit(6, 7, ("make",))]], WEEKLY.format("makes"), 0.392, 0.00, 0.000),
        (WEEKLY.format("makes"), [[Edit(6, 7, ("make",))]], WEEKLY.format("making"), 0.735, -4.00, 0.000),
        *(
            (SENIOR.format("student", "have"), [[Edit(5, 6, ("has",))], [Edit(2, 3, ("students",))]], *rest)
            for rest in (
                (SENIOR.format("student", "has"), 0.661, 100.00, 1.000),
                (SENIOR.format("students", "have"), 0.656, 100.00, 1.000),
                (SENIOR.format("students", "has"), 0.776, -6.11, 0.556),
            )
        ),
    ],
)
def test_table_4(source, annotators, hypothesis, gleu, improvement, f):
    corpus = Corpus.from_edits([source], [annotators])
    assert round(Gleu().score(corpus, [hypothesis]).score, 3) == gleu
    assert round(100 * IMeasure().score(corpus, [hypothesis]).score, 2) == improvement
    assert round(MaxMatch().score(corpus, [hypothesis]).score, 3) == f
