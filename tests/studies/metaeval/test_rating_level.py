"""Studies of ratings, and clusters of metrics."""

from __future__ import annotations

import numpy as np
import pytest

from recte.errors import InputError
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.human.ratings import Rating, Ratings
from recte.studies.metaeval.metric_comparison import sentence_clusters, system_clusters
from recte.studies.metaeval.rating_correlation import average_over, cell_pairs, items_of_pairs, rating_level, rows_of
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_correlation import sentence_level
from recte.studies.metaeval.system_correlation import system_level
from recte.studies.metaeval.tables import rating_level_table

SYSTEMS = ("ada", "bob", "cid", "dot")


def made(items=60, seed=1):
    """Ratings, and metrics that follow them closely, loosely and not at all."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=(4, items)) + np.arange(4)[:, None] / 2
    rated = [
        Rating(i, rater, system, round(float(10 * quality[s, i] + generator.normal(0, 2))))
        for s, system in enumerate(SYSTEMS)
        for i in range(items)
        for rater in ("r1", "r2")
        if i % 9
    ]
    metrics = []
    for name, noise in (("close", 0.2), ("loose", 1.5), ("blind", 100.0)):
        table = quality + generator.normal(0, noise, size=quality.shape)
        sentences = {s: row.tolist() for s, row in zip(SYSTEMS, table, strict=True)}
        metrics.append(
            MetricScores.of(name, {s: sum(v) for s, v in sentences.items()}, sentences).with_sentence_means()
        )
    return Ratings.of(rated, length=items), metrics


def test_a_study_of_ratings():
    ratings, metrics = made()
    gold = ratings.table()
    for average in ("item", "system", "none"):
        result = rating_level(ratings, metrics, average=average, resamples=200)
        close, loose, _ = result.metrics
        assert close.pearson > loose.pearson
        for metric, actual in zip(metrics, result.metrics, strict=True):
            for kind in ("pearson", "kendall_b", "tau_23", "kendall_like"):
                assert getattr(actual, kind) == average_over(kind, gold, metric.sentences, average).value
        assert bool(close.intervals) == (average == "item")
        assert ("± half an interval" in "".join(rating_level_table(result).notes)) == (average == "item")
    actual = rating_level(ratings, metrics, rater_scale="z", resamples=200).metrics[0]
    interval = actual.intervals["pearson"]
    assert interval.low < actual.pearson < interval.high
    assert interval.unit == "items"
    short = MetricScores.of("m", dict.fromkeys(SYSTEMS, 0.0), {s: [0.0] * 59 for s in SYSTEMS})
    with pytest.raises(InputError, match="expected scores of the 60 sentences that the ratings tell of, got 59"):
        rating_level(ratings, [short])


def test_clusters_of_metrics_on_ratings():
    ratings, metrics = made()
    for swap in ("items", "pairs"):
        clusters = rating_level(ratings, metrics, clusters=True, swap=swap, trials=300, resamples=50).clusters
        assert [(m.metric, m.cluster) for m in clusters.metrics] == [("close", 1), ("loose", 2), ("blind", 3)]
        assert clusters.metrics[0].beats == ("loose", "blind")
    for average in ("system", "none"):
        clusters = rating_level(ratings, metrics, average=average, clusters=True, trials=300, resamples=50).clusters
        assert [(m.metric, m.cluster) for m in clusters.metrics] == [("close", 1), ("loose", 2), ("blind", 3)]
        assert f"|average:{average}|" in clusters.signature
        assert "|swapped:items|" in clusters.signature
    system = system_clusters(HumanScores.from_ratings(ratings), metrics, trials=200)
    assert [m.metric for m in system.metrics][-1] == "blind"
    assert system.metrics[-1].cluster > 1


def test_items_are_swapped_whole_whatever_is_averaged():
    """Two metrics equally far from humans: pairs taken as independent would tell them apart about every other time."""
    apart = {"system": 0, "none": 0}
    for seed in range(30):
        generator = np.random.default_rng(seed)
        quality = generator.normal(size=(3, 30)) + generator.normal(size=30)
        rated = [Rating(i, "r", s, float(quality[k, i])) for k, s in enumerate(SYSTEMS[:3]) for i in range(30)]
        metrics = []
        for name in ("one", "two"):
            table = quality + generator.normal(size=(3, 30)) + generator.normal(size=30)
            sentences = {s: table[k].tolist() for k, s in enumerate(SYSTEMS[:3])}
            metrics.append(MetricScores.of(name, dict.fromkeys(SYSTEMS[:3], 0.0), sentences))
        for average in apart:
            actual = rating_level(
                Ratings.of(rated), metrics, average=average, clusters=True, trials=100, resamples=10
            ).clusters
            apart[average] += actual.metrics[-1].cluster > 1
    assert max(apart.values()) <= 7


def test_the_items_of_pairs_of_cells():
    gold = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
    items = np.broadcast_to(np.arange(3.0), gold.shape)
    for average in ("item", "system", "none"):
        first, second = items_of_pairs(gold, average)
        pairs = cell_pairs(rows_of(gold, items.copy(), average))
        assert (first - second).tolist() == pairs.apart.tolist()
        assert average != "item" or (first == second).all()


def test_ratings_at_system_level():
    ratings, metrics = made()
    human = HumanScores.from_ratings(ratings)
    gold = ratings.table()
    assert human.scores == pytest.approx(np.nanmean(gold, axis=1))
    once = np.ones((1, 60), dtype=np.int32)
    assert human.resampled(once)[0] == pytest.approx(human.scores)
    result = system_level(human, metrics, intervals="inputs", resamples=50)
    assert result.metrics[0].soft_pairwise_accuracy > 0.9
    assert result.metrics[0].intervals["pearson"].low > 0.5
    assert human.without(["ada"]).ratings.shape == (3, 60)


def test_clusters_on_judgments_use_the_statistics_of_the_study():
    generator = np.random.default_rng(2)
    _, metrics = made(40)
    judged = Judgments.from_preferences(
        [
            Preference(n, "j", a, b, int(generator.integers(-1, 2)), n)
            for n in range(40)
            for a in SYSTEMS
            for b in SYSTEMS
            if a < b
        ],
        first_sentence=0,
    )
    study = {m.metric: m for m in sentence_level(judged, metrics, resamples=20).metrics}
    for statistic in ("accuracy", "hties", "noties"):
        for swap in ("sentences", "pairs", "rankings"):
            clusters = sentence_clusters(judged, metrics, statistic=statistic, swap=swap, trials=50)
            for metric in clusters.metrics:
                assert metric.value == pytest.approx(getattr(study[metric.metric], statistic))
    with pytest.raises(InputError, match="clusters: expected two metrics or more"):
        sentence_clusters(judged, metrics[:1])


def test_a_lead_nobody_would_believe_in_opens_no_cluster():
    sure = {s: [float(k)] * 30 for k, s in enumerate(SYSTEMS)}
    surer = {s: [float(2 * k) + (i == 0) * 0.1 * k for i in range(30)] for k, s in enumerate(SYSTEMS)}
    metrics = [
        MetricScores.of(name, {s: 1.0 * k for k, s in enumerate(SYSTEMS)}, table)
        for name, table in (("sure", sure), ("surer", surer))
    ]
    rated = Ratings.of([Rating(i, "r", s, 10.0 * k) for k, s in enumerate(SYSTEMS) for i in range(30)])
    clusters = system_clusters(HumanScores.from_ratings(rated), metrics, trials=100)
    assert [m.cluster for m in clusters.metrics] == [1, 1]
