"""Judgments and scores brought to the same sentences: against a literal look-up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recte.corpus.sentence_names import SentenceNames
from recte.errors import InputError, LengthError
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.human.ratings import Rating, Ratings
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_matching import match_sentences, number_judgments

LENGTH = 12


def metric(lines):
    """Scores that say which line of the gold they are of."""
    rows = {"a": [float(line) for line in lines], "b": [-1.0] * len(lines)}
    return MetricScores.of("m", {"a": 0.0, "b": 0.0}, rows).with_sentence_means()


@given(
    st.lists(st.booleans(), min_size=LENGTH, max_size=LENGTH).filter(lambda s: sum(s) > 1),
    st.lists(st.integers(0, LENGTH - 1), unique=True, min_size=2, max_size=LENGTH - 1),
    st.sampled_from(["number", "id", "text"]),
    st.sampled_from(["scored", "all", "listed", "kept"]),
    st.booleans(),
    st.data(),
)
def test_every_judgment_meets_the_score_of_its_line(scored, listed, called, given_scores, with_ids, data):
    names = SentenceNames(
        tuple(f"s{n}" for n in range(LENGTH)), tuple(f"text  {n}" for n in range(LENGTH)), tuple(scored)
    )
    wanted = listed if with_ids else list(range(LENGTH))
    kept = [line for line in wanted if scored[line]]
    assume(kept)
    call = {
        "number": lambda n: str(n + 1),
        "id": lambda n: f"s{n}",
        "text": lambda n: f"text {n}",
    }[called]
    ids = [call(line) for line in listed] if with_ids else []
    lines = {
        "scored": [n for n in range(LENGTH) if scored[n]],
        "all": range(LENGTH),
        "listed": wanted,
        "kept": kept,
    }[given_scores]
    others = (kept, [n for n in range(LENGTH) if scored[n]], range(LENGTH), wanted)
    first = next(other for other in others if len(other) == len(lines))
    assume(list(first) == list(lines))  # of sets with as many lines nobody could tell which was scored
    judged = data.draw(st.lists(st.sampled_from(wanted), unique=True, min_size=1))
    assume(any(scored[line] for line in judged))
    named = [line + 1 if called == "number" else call(line) for line in judged]
    preferences = [Preference(name, "j", "a", "b", 1, i) for i, name in enumerate(named)]
    judgments = Judgments.from_preferences(preferences, first_sentence=1)
    actual = match_sentences([metric(lines)], names=names, ids=ids, judgments=judgments)
    table = actual.metrics[0].sentences
    assert table[0].tolist() == kept
    ready = number_judgments(actual.judgments, [table])
    met = table[0, ready.sentence - ready.first_sentence].tolist()
    assert met == [float(line) for line in judged if scored[line]]
    assert len(actual.unscored) == sum(not scored[line] for line in judged)
    if called != "number" or not with_ids:
        ratings = Ratings.of(
            Rating(n - 1 if isinstance(n, int) else n, "r", "a", float(i)) for i, n in enumerate(named)
        )
        rated = match_sentences([metric(lines)], names=names, ids=ids, ratings=ratings).ratings
        places = {line: place for place, line in enumerate(kept)}
        assert rated.sentence.tolist() == [places[line] for line in judged if scored[line]]


def test_what_cannot_be_matched():
    names = SentenceNames(("1", "2", "3"), ("x y", "xy", "z"), (True, True, True))
    judged = Judgments.from_preferences([Preference("x y", "j", "a", "b", 1, 0)], name="judged")
    with pytest.raises(
        InputError, match="judged: expected names of single sentences, got 'x y', which is sentence 1 and"
    ):
        match_sentences([metric(range(3))], names=names, judgments=judged)
    judged = Judgments.from_preferences([Preference("w", "j", "a", "b", 1, 0)], name="judged")
    with pytest.raises(
        InputError, match="judged: expected numbers, ids or texts of the 3 sentences of the corpus, got 'w'"
    ):
        match_sentences([metric(range(3))], names=names, judgments=judged)
    with pytest.raises(InputError, match="m: expected scores of the 3 sentences, got 2"):
        match_sentences([metric(range(2))], names=names, judgments=judged)
    with pytest.raises(InputError, match="judged: expected numbered sentences, got names such as 'w'"):
        number_judgments(judged, [np.zeros((2, 3))])
    rated = Ratings.of([Rating(n, "r", "a", 1.0) for n in (0, 3, 9)], name="rated")
    with pytest.raises(
        InputError, match="rated: expected ratings of the 3 sentences of the corpus, got sentence 4 and 1 more"
    ):
        match_sentences([metric(range(3))], names=names, ratings=rated)
    rated = Ratings.of([Rating(0, "r", "a", 1.0)], length=2, name="rated.csv", by_line=True)
    with pytest.raises(
        LengthError, match=r"rated.csv: expected 3 lines for each system, one for each sentence of the corpus, got 2"
    ):
        match_sentences([metric(range(3))], names=names, ratings=rated)
    with pytest.raises(LengthError, match="expected 1 lines for each system, one for each id, got 2"):
        match_sentences([metric(range(3))], names=names, ids=["1"], ratings=rated)
    assert match_sentences([metric(range(3))], names=names, ids=["3", "1"], ratings=rated).ratings.table()[0, 0] == 1.0
    listed = Judgments.from_preferences([Preference("z", "j", "a", "b", 1, 0)], name="judged")
    with pytest.raises(InputError, match="judged: expected one of the 2 ids, got 'z'"):
        match_sentences([metric(range(3))], names=names, ids=["1", "2"], judgments=listed)
