"""Metric against metric: permutation tests, soft pairwise accuracy on ratings, rank clusters."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from recte.studies.human.human_scores import HumanScores
from recte.studies.human.ratings import Rating, Ratings
from recte.studies.metaeval.metric_comparison import mean_correlation, rank_clusters, swap_cells, swap_outcomes
from recte.studies.metaeval.rating_correlation import average_over, calibrate, cell_pairs, rows_of
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.soft_accuracy import (
    limit_p_values,
    permute_p_values,
    permute_shares,
    soft_pairwise_accuracy,
)
from recte.studies.metaeval.system_correlation import system_level
from recte.studies.metaeval.tables import system_level_table
from shared_data import golden_json

NAMES = {"item": "item", "system": "sys", "none": "none"}


@pytest.fixture(scope="module")
def goldens():
    return golden_json("metaeval/synthetic.json")


def table(rows):
    return np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=np.float64)


def test_rank_clusters_of_the_published_toolkit(goldens):
    for case in goldens["rank_clusters"]:
        assert rank_clusters(case["p"], case["level"]) == case["ranks"]


def test_soft_accuracy_by_enumeration(goldens):
    compared = 0
    for case in goldens["cases"]:
        wanted = case["results"].get("spa_exact_half_ties")
        if wanted is None:
            continue
        gold, metric = table(case["gold"]), table(case["metric"])
        signs = np.array(list(product((1.0, -1.0), repeat=gold.shape[1])))
        humans = permute_p_values(gold, 0, 0, signs=signs)
        scores = permute_p_values(metric, 0, 0, rated=~np.isnan(gold), signs=signs)
        assert soft_pairwise_accuracy(humans, scores) == pytest.approx(wanted, abs=1e-9), case["id"]
        humans, scores = (
            permute_shares(side, 0, 0, rated=~np.isnan(gold), signs=signs).p_values(1.0) for side in (gold, metric)
        )
        published = case["results"]["spa_exact"]  # ties counted whole
        assert soft_pairwise_accuracy(humans, scores) == pytest.approx(published, abs=1e-9), case["id"]
        compared += 1
    assert compared > 50


def test_the_published_soft_accuracy_in_both_orders():
    generator = np.random.default_rng(4)
    ratings, scores = generator.integers(0, 2, size=(2, 4, 6)).astype(float)
    names = "abcd"
    humans = Ratings.of(Rating(n, "r", s, ratings[i, n]) for i, s in enumerate(names) for n in range(6))
    metric = MetricScores.of("m", dict.fromkeys(names, 0.0), dict(zip(names, scores.tolist(), strict=True)))
    result = system_level(HumanScores.from_ratings(humans), [metric.with_sentence_means()])
    actual = result.metrics[0]
    turned = [permute_shares(side[::-1], 1000, 12345).p_values(1.0) for side in (ratings, scores)]
    plain = [permute_shares(side, 1000, 12345).p_values(1.0) for side in (ratings, scores)]
    wanted = [soft_pairwise_accuracy(*plain), soft_pairwise_accuracy(*turned)]
    assert actual.published_soft_accuracy == pytest.approx(wanted)
    assert wanted[0] != pytest.approx(wanted[1], abs=1e-3)
    notes = "\n".join(system_level_table(result).notes)
    assert "SPA as published, ties counted whole, with systems by name and reversed: m 0." in notes


def test_soft_accuracy_does_not_depend_on_the_order_of_systems():
    generator = np.random.default_rng(3)
    scores = generator.integers(0, 3, size=(5, 9)).astype(float)
    scores[2] = scores[4]
    signs = np.array(list(product((1.0, -1.0), repeat=9)))
    first, second = np.triu_indices(5, 1)
    p = np.zeros((5, 5))
    p[first, second] = permute_p_values(scores, 0, 0, signs=signs)
    turned = np.zeros((5, 5))
    turned[first, second] = permute_p_values(scores[::-1], 0, 0, signs=signs)
    assert p[first, second] == pytest.approx(1 - turned[::-1, ::-1][second, first])
    assert p[2, 4] == 0.5


def test_ratings_missing_in_places_are_left_out_of_a_pair():
    generator = np.random.default_rng(4)
    gold = generator.normal(size=(3, 8))
    gold[0, 5:] = np.nan
    alone = permute_p_values(gold[:2, :5], 500, 7)
    signs = 2.0 * np.random.default_rng(7).integers(2, size=(500, 5)) - 1
    wide = np.concatenate([signs, np.ones((500, 3))], axis=1)
    assert permute_p_values(gold, 0, 0, signs=wide)[0] == pytest.approx(alone[0])


def test_the_limit_is_near_what_is_drawn():
    scores = np.random.default_rng(5).normal(size=(4, 300))
    rated = np.random.default_rng(6).random((4, 300)) < 0.8
    drawn = permute_p_values(np.where(rated, scores, np.nan), 20_000, 1)
    assert limit_p_values(scores[None], rated)[0] == pytest.approx(drawn, abs=0.015)


@pytest.mark.parametrize("average", NAMES)
@pytest.mark.parametrize(("kind", "name"), [("pearson", "pearson"), ("kendall", "kendall_b")])
def test_swapping_cells_as_the_published_toolkit_does(goldens, average, kind, name):
    off = 0
    for case in goldens["cases"][::2]:
        wanted = case["results"][NAMES[average]][f"perm_scores_{name}"]
        gold, first, second = (table(case[side]) for side in ("gold", "metric", "metric2"))
        if isinstance(wanted, dict) or wanted[0] is None:
            continue
        statistic = mean_correlation(kind, gold, average)
        for side in (first, second):
            assert statistic(side[None])[0] == pytest.approx(
                average_over(name, gold, side, average).value or 0.0, abs=1e-9
            )
        if np.isnan(gold).any():
            continue  # the peer standardises over the cells with gold, so draws differ
        difference, p = swap_cells(statistic, second, first, 150, 1)
        assert difference == pytest.approx(wanted[0], abs=1e-9)
        off += abs(p - wanted[1]) > 0.15 and p < 0.45  # far above, both stop early
    assert off <= 2


def test_swapping_outcomes_as_the_published_toolkit_does(goldens):
    off = compared = 0
    for case in goldens["cases"]:
        wanted = case["results"]["item"]["perm_pairs_acc23"]
        if isinstance(wanted, dict) or wanted[0] is None:
            continue
        gold = table(case["gold"])
        credits = []
        for side in ("metric2", "metric"):
            pairs = cell_pairs(rows_of(gold, table(case[side]), "item"))
            actual = calibrate(pairs)
            if actual is None:
                break
            signs = np.where(np.abs(pairs.apart) <= actual[1], 0, np.sign(pairs.apart))
            credits.append((signs == pairs.human) / np.bincount(pairs.row)[pairs.row] / pairs.rows)
        else:
            both = np.stack(credits)
            assert both[0].sum() - both[1].sum() == pytest.approx(wanted[0], abs=1e-9)
            p = swap_outcomes(both, np.arange(both.shape[1]), 400, 2)[0, 1]
            off += abs(p - wanted[1]) > 0.15 and p < 0.4
            compared += 1
    assert compared > 80
    assert off <= compared // 25


def test_outcomes_that_hang_together_are_swapped_together():
    credits = np.array([[1.0] * 12, [0.0] * 12])
    apart = swap_outcomes(credits, np.arange(12), 4000, 1)[0, 1]
    together = swap_outcomes(credits, np.repeat(np.arange(3), 4), 4000, 1)[0, 1]
    assert apart < 0.003
    assert together == pytest.approx(1 / 8, abs=0.03)
