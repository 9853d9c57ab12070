"""A budget is kept, whatever a server says that its answers took, and however many are asked at once."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging_model import GOLD, GOOD, SOURCES, Model
from recte import Corpus, InputError, OptionError
from recte.caching import result_cache
from recte.cli import main
from recte.judges.budget import Budget, estimate_tokens, tokens_said

MANY = [f"They were here {number} ." for number in range(30)]
CORPUS = Corpus.from_references(MANY, [MANY])


@pytest.fixture(autouse=True)
def models():
    """No stub stands for the judge here."""


ODD = [
    None,
    {},
    [],
    "100",
    7,
    {"total_tokens": "100"},
    {"total_tokens": -5},
    {"total_tokens": 0},
    {"total_tokens": 1.5},
]
ODD += [{"total_tokens": True}, {"total_tokens": float("nan")}, {"total_tokens": float("inf")}, {"total_tokens": []}]
ODD += [{"total_tokens": 10**30}, {"total_tokens": None}, {"prompt_tokens": 90}, {"completion_tokens": 5}]


@pytest.mark.parametrize("usage", ODD, ids=str)
def test_a_count_that_is_none_is_estimated(judge, usage):
    Model.plan = [lambda model, content: model.reply(content, usage)] * 3
    metric = judge(requests_at_once=1)
    assert metric.score(GOLD, GOOD).points == 5.0
    asked = [estimate_tokens(item["messages"]) for item in Model.seen]
    assert (metric.purse.answers, metric.purse.uncounted) == (3, 3)
    assert metric.purse.spent == metric.purse.estimated == sum(asked)
    assert "estimated, since 3 answers came without a count" in str(metric.purse)


def test_counts_of_parts_add_up():
    assert tokens_said({"prompt_tokens": 90, "completion_tokens": 10}) == 100
    assert tokens_said({"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 20}) == 100
    assert tokens_said({"total_tokens": 20}) == 20


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_no_count_breaks_the_reader(value):
    for usage in (value, {"total_tokens": value}, {"prompt_tokens": value, "completion_tokens": 3}):
        said = tokens_said(usage)
        assert said is None or said > 0


@pytest.mark.parametrize("at_once", [1, 4, 16])
def test_a_budget_is_never_passed(judge, monkeypatch, at_once):
    """Answers of 100 tokens each, on a budget of 750: seven, whatever runs at once."""
    with pytest.raises(
        OptionError, match=r"budget: 700 of 750 tokens are spent, and the next request takes about 1\d\d"
    ):
        judge(budget=750, requests_at_once=at_once).score(CORPUS, MANY)
    assert len(Model.seen) == 7
    monkeypatch.setattr(result_cache, "_memory", {})  # as in another run
    judge(budget=2400, requests_at_once=at_once).score(CORPUS, MANY)
    assert len(Model.seen) == 30


@pytest.mark.parametrize("usage", [None, {"total_tokens": "none of your business"}])
def test_a_server_that_does_not_count_keeps_to_the_budget_too(judge, usage):
    Model.plan = [lambda model, content: model.reply(content, usage)] * 30
    metric = judge(budget=2000, requests_at_once=8)
    with pytest.raises(OptionError, match="tokens are spent"):
        metric.score(CORPUS, MANY)
    assert 0 < metric.purse.spent <= 2000
    assert sum(estimate_tokens(item["messages"]) for item in Model.seen) == metric.purse.spent


def test_bad_answers_and_broken_ones_are_paid_for(judge):
    broken = ["page", "words", lambda model, content: model.reply(None, {"total_tokens": 7})]
    Model.plan = list(broken)
    metric = judge(requests_at_once=1)
    metric.score(GOLD, GOOD)
    assert metric.purse.answers == 6  # three of them bad
    assert metric.purse.uncounted == 2  # a page, and a text that is none


def test_refusals_cost_nothing(judge):
    Model.plan = ["429", "503", "400"]
    metric = judge(requests_at_once=1)
    metric.score(GOLD, GOOD)
    assert (metric.purse.answers, metric.purse.spent) == (3, 300)


def test_nobody_says_that_nothing_was_asked_where_all_was_refused(judge):
    Model.plan = ["401"]
    metric = judge(requests_at_once=1)
    with pytest.raises(InputError, match="answers 401"):
        metric.score(GOLD, GOOD)
    assert str(metric.purse) == "no request was answered"


def test_a_budget_that_is_too_small_for_one_asks_nobody(judge):
    with pytest.raises(OptionError, match="budget: 0 of 10 tokens are spent, and the next request takes about"):
        judge(budget=10).score(GOLD, GOOD)
    assert not Model.seen


def test_parts_of_a_corpus_share_a_budget(judge):
    metric = judge(budget=500, requests_at_once=1)
    metric.prepare(CORPUS[:3]).score(MANY[:3])
    with pytest.raises(OptionError, match="budget: 500 of 500"):
        metric.prepare(CORPUS[3:]).score(MANY[3:])
    assert len(Model.seen) == 5


def test_an_answer_dearer_than_all_before_stops_the_rest(judge):
    Model.plan = [lambda model, content: model.reply(content, {"total_tokens": 5000})] * 30
    metric = judge(budget=2000, requests_at_once=16)
    with pytest.raises(OptionError, match="budget: 5,000 of 2,000"):
        metric.score(CORPUS, MANY)
    assert len(Model.seen) == 1  # the first is waited for


def test_whoever_waits_for_the_limits_goes_when_all_stops():
    budget, stopped = Budget(100), threading.Event()
    budget.reserve(90, stopped)
    waiting = threading.Thread(target=budget.reserve, args=(90, stopped))
    waiting.start()
    stopped.set()
    waiting.join(timeout=20)
    assert not waiting.is_alive()


def test_sources_cost_as_they_are_long(judge):
    judge_of = judge().judge_of()
    short, long = (judge_of.estimate_tokens([("He go .", text)]) for text in ("He goes .", "He goes . " * 100))
    assert long - short == pytest.approx(1000 / 4, abs=5)
    chinese = judge_of.estimate_tokens([("他去", "他" * 400)]) - judge_of.estimate_tokens([("他去", "他")])
    assert chinese == pytest.approx(399 * 3 / 4, abs=2)


@pytest.mark.parametrize("quiet", [False, True])
def test_the_command_line_says_what_was_spent(judge, tmp_path, capsys, monkeypatch, quiet):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").write_text("\n".join(SOURCES) + "\n")
    (tmp_path / "a").write_text("\n".join(GOOD) + "\n")
    Model.plan = [lambda model, content: model.reply(content, {"total_tokens": "?"})]
    command = ["score", "-s", "source", "-i", "a", "-m", "llm-judge", "--judge", "m1", "--endpoint", judge().endpoint]
    command += ["--no-ci", *(["-q"] if quiet else [])]
    assert main(command) == 0
    told = capsys.readouterr().err
    assert ("3 requests were answered, " in told) is not quiet
    assert ("of them estimated, since 1 answer came without a count)\n" in told) is not quiet
    assert main(command) == 0  # all is known
    assert "requests" not in capsys.readouterr().err
    monkeypatch.setattr(result_cache, "_memory", {})
    Model.seen = []
    assert main([*command, "--criterion", "fluency", "--budget", "350", "--requests-at-once", "1"]) == 0
    assert main([*command, "--criterion", "meaning", "--budget", "250", "--requests-at-once", "1"]) == 2
    assert ("2 requests were answered, 200 tokens" in capsys.readouterr().err) is not quiet
