"""Systems with several runs: means, intervals over runs and sentences, their test, and the command line."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy import stats

from recte import Counts, InputError, MaxMatch, OptionError, Resampling, confidence_interval
from recte.cli import main
from recte.metrics.score import mean_score
from recte.statistics import compare_systems, difference_interval
from recte.statistics.intervals import Replicates
from recte.statistics.paired import two_level_test

SENTENCES = 200


def counts_of(right, name="system"):
    """Sentences of one gold edit each, which the system makes rightly or wrongly."""
    rows = np.stack([right, np.ones_like(right), np.ones_like(right)], axis=1)
    size = len(rows)
    return Counts(
        metric="m2",
        options=MaxMatch().options(),
        system=name,
        columns=("0",),
        rows=rows.astype(np.int32).reshape(size, 1, 3),
        index=np.arange(size),
        fallbacks=np.zeros(size, dtype=bool),
        fingerprints=np.zeros(size, dtype=np.uint32),
    )


def drawn_runs(generator, spread, runs=3, name="system"):
    """Runs on one draw of sentences, each with a rate of its own: half the sentences are easy."""
    easy = generator.random(SENTENCES) < 0.5
    rates = 0.5 + spread * generator.standard_normal((runs, 1))
    return [counts_of(generator.random(SENTENCES) < rate + np.where(easy, 0.4, -0.4), name) for rate in rates]


def test_one_run_has_the_interval_of_a_system():
    (run,) = drawn_runs(np.random.default_rng(1), 0.1, runs=1)
    assert confidence_interval([run]) == confidence_interval(run)


def test_equal_runs_have_the_ends_of_one():
    (run,) = drawn_runs(np.random.default_rng(2), 0.1, runs=1)
    interval, alone = confidence_interval([run, run, run]), confidence_interval(run)
    assert (interval.low, interval.high) == pytest.approx((alone.low, alone.high))
    assert (interval.method, interval.runs) == ("two-level", 3)


def test_the_interval_adds_up_both_levels():
    runs = drawn_runs(np.random.default_rng(3), 0.2, runs=4)
    scores, resampled = zip(
        *((r.observed, r.values) for r in (Replicates.of(r, MaxMatch(), Resampling()) for r in runs)),
        strict=True,
    )
    mean = np.mean(resampled, axis=0)
    by_sentence = np.mean([np.var(values - mean, ddof=1) for values in resampled]) * 4 / 3
    of_runs = stats.t.ppf(0.975, 3) * np.sqrt((np.var(scores, ddof=1) - by_sentence) / 4)
    low, high = np.quantile(mean, [0.025, 0.975])
    interval = confidence_interval(runs)
    assert interval.low == pytest.approx(np.mean(scores) - np.hypot(of_runs, np.mean(scores) - low), abs=1e-12)
    assert interval.high == pytest.approx(np.mean(scores) + np.hypot(of_runs, high - np.mean(scores)), abs=1e-12)


def test_intervals_of_three_runs_hold_the_true_mean():
    """Runs differ as much as sentences do here: an interval over sentences alone holds the mean far too seldom."""
    both = sentences = 0
    for number in range(400):
        runs = drawn_runs(np.random.default_rng([7, number]), 0.06)
        resampling = Resampling(resamples=200, seed=number)
        interval = confidence_interval(runs, resampling=resampling)
        both += interval.low <= 0.5 <= interval.high
        alone = confidence_interval(runs[0], resampling=resampling)
        sentences += alone.low <= 0.5 <= alone.high
    assert 0.93 <= both / 400 <= 0.985
    assert sentences / 400 < 0.85


def test_p_belongs_to_the_interval_that_ends_at_zero():
    first, second = (drawn_runs(np.random.default_rng(seed), 0.1) for seed in (8, 9))
    replicates = [Replicates.of(runs, MaxMatch(), Resampling()) for runs in (first, second)]
    difference = replicates[0] - replicates[1]
    p = two_level_test("first", "second", difference).p
    of_runs = [stats.t.ppf(1 - p / 2, 2) * np.sqrt(spread.variance) for spread in difference.spreads]
    of_sentences = stats.norm.ppf(1 - p / 2) * difference.values.std(ddof=1)
    assert np.sqrt(np.sum(np.square([*of_runs, of_sentences]))) == pytest.approx(abs(difference.observed))
    assert two_level_test("second", "first", replicates[1] - replicates[0]).p == pytest.approx(p)


def test_tests_of_three_runs_seldom_err():
    errors = 0
    for number in range(300):
        generator = np.random.default_rng([11, number])
        first, second = (drawn_runs(generator, 0.06, name=name) for name in ("first", "second"))
        pair = compare_systems([first, second], resampling=Resampling(resamples=200, seed=number)).pairs[0]
        errors += pair.p < 0.05
    assert errors / 300 < 0.075


def test_runs_against_a_system_of_one_run():
    runs, alone = drawn_runs(np.random.default_rng(4), 0.1), counts_of(np.zeros(SENTENCES, dtype=bool), "alone")
    comparison = compare_systems([runs, alone])
    assert comparison.test == "two-level"
    assert comparison.scores[0] == pytest.approx(np.mean([MaxMatch().score_counts(run).score for run in runs]))
    assert difference_interval(runs, alone).low == pytest.approx(comparison.pairs[0].interval.low)


def test_what_runs_cannot_have_is_refused():
    runs = drawn_runs(np.random.default_rng(5), 0.1)
    with pytest.raises(OptionError, match="ci: expected percentile"):
        confidence_interval(runs, resampling=Resampling(method="bca"))
    with pytest.raises(OptionError, match="test: expected none with several runs"):
        compare_systems([runs, counts_of(np.ones(SENTENCES, dtype=bool), "other")], test="randomisation")
    with pytest.raises(InputError, match="same sentences"):
        confidence_interval([runs[0], runs[1].part(slice(1, None))])
    with pytest.raises(InputError, match="at least one run"):
        confidence_interval([])


def test_a_mean_has_the_figures_of_all_runs():
    scores = [MaxMatch().score_counts(run) for run in drawn_runs(np.random.default_rng(6), 0.2)]
    mean = mean_score(scores)
    assert mean.tp == pytest.approx(np.mean([score.tp for score in scores]))
    assert mean.runs["sd"] == pytest.approx(np.std([score.score for score in scores], ddof=1))
    assert mean.annotators["0"]["score"] == pytest.approx(np.mean([s.annotators["0"]["score"] for s in scores]))


def test_the_command_line_joins_the_runs_of_a_system(in_sample, capsys):
    runs = ["--runs", "mine=sample/systems/[hw]*.txt"]
    assert main(["score", "sample/gold.m2", "sample/systems/magpie.txt", *runs, "--baseline", "magpie"]) == 0
    table = capsys.readouterr().out
    assert "± sd" in table
    assert "two-level bootstrap over runs and sentences" in table
    assert main(["score", "sample/gold.m2", *runs, "-f", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"]
    assert score["score"] == pytest.approx(np.mean(score["runs"]["scores"]))
    assert "-2runs-" in score["signature"]
    assert main(["score", "sample/gold.m2", *runs, "-f", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert float(row["sd"]) == pytest.approx(100 * score["runs"]["sd"], abs=0.006)
    assert main(["compare", "sample/gold.m2", "sample/systems/magpie.txt", *runs, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["comparisons"][0]["test"] == "two-level"


def test_one_run_alone_is_a_warning(in_sample, capsys):
    assert main(["score", "sample/gold.m2", "--runs", "mine=sample/systems/wren.txt"]) == 0
    assert "mine has one run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runs", "sample/systems/*.txt"], "--runs: expected NAME=FILES"),
        (["--runs", "mine=sample/none*.txt"], "--runs: expected files that fit"),
        (["sample/systems/wren.txt", "--runs", "wren=sample/systems/*.txt"], "got 'wren'"),
        (["--runs", "mine=sample/systems/*.txt", "-sl"], "--runs: expected no -sl"),
        (["--runs", "mine=sample/systems/*.txt", "--by-type"], "--runs: expected no --by-type"),
        (["--runs", "mine=sample/systems/*.txt", "--ci", "bca"], "ci: expected percentile"),
    ],
)
def test_what_does_not_go_with_runs_is_one_line(in_sample, capsys, arguments, message):
    assert main(["score", "sample/gold.m2", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert message in lines[-1]
