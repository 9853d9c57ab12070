"""Many candidates for one source: utilities, and rewards of a training loop."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recte
from oracles.utilities import utilities
from recte import Corpus, Gleu, IMeasure, InputError, MaxMatch

METRICS = [MaxMatch(), MaxMatch(behaviour="optimal", beta=1.0), Gleu(), IMeasure()]
TEXT = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name}-{len(str(metric))}")
@settings(max_examples=25)
@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=4)), min_size=1, max_size=3))
def test_utilities_are_means_over_all_others(metric, rows):
    sources, candidates = [source for source, _ in rows], [found for _, found in rows]
    scorer = metric.prepare(Corpus.from_references(sources, [sources]))
    found = scorer.utilities(candidates)
    assert [len(row) for row in found] == [len(row) for row in candidates]
    for source, texts, row in zip(sources, candidates, found, strict=True):
        assert row == pytest.approx(utilities(metric, source, texts), abs=1e-12)


def test_candidates_are_lists_of_texts():
    scorer = MaxMatch().prepare(Corpus.from_references(["a", "b"], [["a", "b"]]))
    with pytest.raises(InputError, match="expected candidates for 2 source sentences, got them for 1"):
        scorer.utilities([["a"]])
    with pytest.raises(InputError, match="expected a list of hypotheses for each sentence, got the text 'a'"):
        scorer.utilities([["a"], "a"])


BATCH = {"source": ["He go .", "I am ."], "references": [["He goes .", "He went ."], "I am ."]}


def test_a_reward_is_the_sentence_score():
    score = recte.reward("m2", beta=1.0)
    assert score.__name__ == "recte_m2"
    found = score(prompts=["x", "y"], completions=["He went .", "I be ."], completion_ids=[[1], [2]], **BATCH)
    assert found == [1.0, 0.0]
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


def test_lower_is_better_becomes_negative():
    metrics = [recte.metrics.metric_class(name) for name in recte.metrics.metric_names()]
    lower = [cls for cls in metrics if not cls.higher_is_better]
    for cls in lower[:1]:
        found = recte.reward(cls())(completions=["a b"], source=["a"], references=["a"])
        assert found[0] <= 0
