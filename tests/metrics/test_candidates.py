"""Many candidates for one source: utilities, and rewards of a training loop."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recte
from example_metric.recte_word_overlap import WordOverlap
from oracles.utilities import utilities
from recte import Corpus, Gleu, IMeasure, InputError, MaxMatch
from recte.corpus.text_columns import TextColumn
from recte.errors import MetricError, TooLongError
from recte.metrics import SentenceAccuracy
from recte.metrics.distinct_texts import DistinctTexts

METRICS = [MaxMatch(), MaxMatch(behaviour="optimal", beta=1.0), Gleu(), IMeasure()]
TEXT = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name}-{len(str(metric))}")
@settings(max_examples=25)
@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=4)), min_size=1, max_size=3))
def test_utilities_are_means_over_all_others(metric, rows):
    sources, candidates = [source for source, _ in rows], [actual for _, actual in rows]
    scorer = metric.prepare(Corpus.from_references(sources, [sources]))
    actual = scorer.utilities(candidates)
    assert [len(row) for row in actual] == [len(row) for row in candidates]
    for source, texts, row in zip(sources, candidates, actual, strict=True):
        assert row == pytest.approx(utilities(metric, source, texts), abs=1e-12)


def test_candidates_are_lists_of_texts():
    scorer = MaxMatch().prepare(Corpus.from_references(["a", "b"], [["a", "b"]]))
    for ask in (scorer.utilities, scorer.candidate_scores):
        with pytest.raises(InputError, match="expected lists of hypotheses, one for each of 2 source sentences, got 1"):
            ask([["a"]])
        with pytest.raises(InputError, match=r"candidates: expected a list of lists .*, got NoneType"):
            ask(None)
        with pytest.raises(InputError, match="hypothesis 1: expected a string, got int"):
            ask([[1], ["a"]])
    with pytest.raises(InputError, match="expected a list of hypotheses for each sentence, got the text 'a'"):
        scorer.utilities([["a"], "a"])


@pytest.mark.parametrize("metric", [MaxMatch(), Gleu(), IMeasure(), recte.Errant(), SentenceAccuracy(), WordOverlap()])
@pytest.mark.parametrize(
    ("hypotheses", "source_of", "told"),
    [
        (["a"], [2], "source_of: expected places from 0 to 1, got 2"),
        (["a"], [-1], "source_of: expected places from 0 to 1, got -1"),
        (["a"], [1.5], "source_of: expected whole numbers, got others, such as '1.5'"),
        (["a"], [0, 1], "source_of: expected 1 places, one for each hypothesis, got 2"),
        (["a"], None, "source_of: expected a list of places of sentences, got NoneType"),
        ("ab", [0, 1], "hypotheses: expected a list of texts, got the text 'ab'"),
        ([None], [0], "hypothesis 1: expected a string, got NoneType"),
    ],
)
def test_every_metric_refuses_the_same_calls(metric, hypotheses, source_of, told):
    scorer = metric.prepare(Corpus.from_references(["a", "b"], [["a", "b"]]))
    with pytest.raises(InputError, match=told):
        scorer.count_candidates(hypotheses, source_of)
    assert scorer.count_candidates(["a", "b", "b"], np.array([0, 1, 1])).index.tolist() == [0, 1, 1]
    assert len(scorer.count_candidates([], [])) == 0


def test_a_metric_gives_one_row_for_each_hypothesis():
    class Short(type(WordOverlap().prepare(Corpus.from_references(["a"], [["a"]])))):
        def _count(self, hypotheses, source_of):
            return super()._count(hypotheses[:1], source_of[:1])

    with pytest.raises(MetricError, match="word-overlap: expected 2 rows, one for each hypothesis, got 1"):
        Short(WordOverlap(), Corpus.from_references(["a"], [["a"]])).count_candidates(["a", "b"], [0, 0])


def test_the_highest_utility_is_the_choice_whatever_is_better():
    class Distance(WordOverlap):
        higher_is_better = False

        def sentence_scores(self, counts):
            return 1 - super().sentence_scores(counts)

    (actual,) = Distance().prepare(Corpus.from_references(["a"], [["a"]])).utilities([["a b", "a b", "c"]])
    assert actual == pytest.approx([-0.5, -0.5, -1.0])


@given(st.lists(st.tuples(st.sampled_from(["", "a", "é b", "\udc80", "x" * 40, "x" * 41]), st.integers(0, 2))))
def test_distinct_texts_are_those_that_differ_or_whose_sources_do(pairs):
    texts, sources = [text for text, _ in pairs], np.array([source for _, source in pairs], dtype=np.int64)
    distinct = list(dict.fromkeys(pairs))
    for column in texts, TextColumn.of(texts):
        actual = DistinctTexts.of(column, sources)
        assert list(actual.texts) == [text for text, _ in distinct]
        assert list(actual.places) == [source for _, source in distinct]
        assert actual.first.tolist() == [pairs.index(pair) for pair in distinct]
        assert actual.number.tolist() == [distinct.index(pair) for pair in pairs]


@pytest.mark.parametrize("metric", [*METRICS, WordOverlap()], ids=lambda metric: f"{metric.name}-{len(str(metric))}")
@settings(max_examples=25)
@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=5)), min_size=1, max_size=3))
def test_equal_candidates_have_the_scores_they_have_alone(metric, rows):
    sources, candidates = [source for source, _ in rows], [actual for _, actual in rows]
    scorer = metric.prepare(Corpus.from_references(sources, [sources, ["a b"] * len(sources)]))
    for place, (texts, actual) in enumerate(zip(candidates, scorer.candidate_scores(candidates), strict=True)):
        alone = [metric.sentence_scores(scorer.count_candidates([text], [place]))[0] for text in texts]
        assert actual == alone


def test_a_candidate_that_is_too_long_is_named_by_its_place():
    scorer = IMeasure(max_cells=1).prepare(Corpus.from_references(["a b c"], [["a b c"]]))
    with pytest.raises(TooLongError, match="hypothesis 3: "):
        scorer.candidate_scores([["a b c", "a b c", "d e f"]])


BATCH = {"source": ["He go .", "I am ."], "references": [["He goes .", "He went ."], "I am ."]}


@pytest.mark.filterwarnings("ignore:m2 as a reward")
def test_a_reward_is_the_sentence_score():
    score = recte.reward("m2", beta=1.0)
    assert score.__name__ == "recte_m2"
    actual = score(prompts=["x", "y"], completions=["He went .", "I be ."], completion_ids=[[1], [2]], **BATCH)
    assert actual == [1.0, 0.0]
    messages = [[{"role": "assistant", "content": " He went .\n"}], [{"role": "assistant", "content": "I am ."}]]
    assert score(completions=messages, **BATCH) == [1.0, 1.0]
    assert pickle.loads(pickle.dumps(score))(completions=messages, **BATCH) == [1.0, 1.0]
    assert score(completions=[]) == []


def test_sources_can_be_looked_up_in_a_gold(tmp_path):
    recte.write_m2(
        tmp_path / "gold.m2", Corpus.from_edits(["He go .", "I am ."], [[[recte.Edit(1, 2, ("goes",))]], [[]]])
    )
    score = recte.reward(gold=tmp_path / "gold.m2", source="text")
    assert score(completions=["He goes .", "He went .", "I am ."], text=["He  go .", "He go .", "I am ."]) == [
        1.0,
        0.0,
        1.0,
    ]
    with pytest.raises(InputError, match="text: expected a sentence of the gold, got 'She'"):
        score(completions=["She"], text=["She"])


def test_what_a_reward_lacks_is_said():
    score = recte.reward("gleu")
    with pytest.raises(InputError, match="expected the data set to have a column 'source', got references"):
        score(completions=["a"], references=["a"])
    with pytest.raises(InputError, match="references: expected 1 values, one for each completion, got 2"):
        score(completions=["a"], source=["a"], references=["a", "b"])
    with pytest.raises(InputError, match="completion 1: expected a text, or messages with the key 'content'"):
        score(completions=[[{}]], source=["a"], references=["a"])
    with pytest.raises(InputError, match="references: expected a reference for each source, got none for 'a'"):
        score(completions=["a"], source=["a"], references=[[]])
    with pytest.raises(recte.OptionError, match="nonsense"):
        recte.reward("gleu", nonsense=1)


@pytest.mark.filterwarnings("ignore:char-meaning as a reward")
def test_lower_is_better_becomes_negative():
    metrics = [recte.metrics.metric_class(name) for name in recte.metrics.metric_names()]
    lower = [cls for cls in metrics if not cls.higher_is_better]
    for cls in lower[:1]:
        actual = recte.reward(cls())(completions=["a b"], source=["a"], references=["a"])
        assert actual[0] <= 0
