"""Values of the right type that a study cannot take are refused by their name, before anything is computed."""

from __future__ import annotations

import numpy as np
import pytest

from recte import Corpus, MaxMatch, System
from recte.errors import RecteError
from recte.signature import Signature
from recte.statistics.agreement import icc, krippendorff_alpha, weighted_kappa
from recte.statistics.bootstrap import bootstrap_weights
from recte.statistics.permutation import permutation_test
from recte.statistics.power import detectable_difference
from recte.statistics.rank_clusters import clusters
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.human.ratings import Rating, Ratings
from recte.studies.human.trueskill import TrueSkill
from recte.studies.metaeval.metric_comparison import cluster_metrics, sentence_clusters, system_clusters
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_correlation import tau
from recte.studies.metaeval.system_correlation import aggregate, system_level
from recte.studies.segmentation.study import segmentation_spread

NAMES = ("a", "b", "c")
FIGURES = np.array([1.0, 2.0, 3.0])
GOLD = Corpus.from_references(["x", "y"], [["X", "Y"]])
COUNTS = [MaxMatch().prepare(GOLD).count(outputs, name=outputs[0]) for outputs in (["X", "y"], ["x", "Y"])]
JUDGMENTS = Judgments.from_preferences(
    [Preference(n, "ann", first, second, 1, n) for n in (0, 1) for first, second in ("ab", "bc")]
)
TIES = Judgments.from_preferences(
    [Preference(n, "ann", first, second, 0, n) for n in (0, 1) for first, second in ("ab", "bc")]
)
RATINGS = Ratings.of([Rating(n, "ann", name, float(n)) for n in (0, 1) for name in NAMES])
HUMAN = HumanScores.of("human", dict(zip(NAMES, FIGURES, strict=True)))


def metric(name: str, sentences: int | None) -> MetricScores:
    by_system = None if sentences is None else {system: np.arange(float(sentences)) for system in NAMES}
    return MetricScores.of(name, dict(zip(NAMES, FIGURES, strict=True)), by_system)


TWO = [metric("m", 2), metric("n", 2)]

REFUSED = {
    "level: expected one of": lambda: krippendorff_alpha(np.ones((2, 3)), "round"),
    "weights: expected one of": lambda: weighted_kappa(FIGURES, FIGURES, weights="cubic"),
    "kind: expected one of": lambda: icc(np.ones((2, 3)), "B,7"),
    "cluster_rule: expected one of": lambda: clusters([(1, 1)], "loose"),
    "expected finite ratings of sentences from 0": lambda: Ratings.of([Rating(0, "ann", "a", float("nan"))]),
    "without: expected some of the systems a, b, c": lambda: RATINGS.without(["d"]),
    "tables: expected one, or one for each of 3 runs": lambda: TrueSkill().runs(np.ones((2, 3, 3), np.int64), 3, 0),
    "runs: expected 1 to 1,000,000, got 0": lambda: TrueSkill().runs(np.ones((1, 3, 3), np.int64), 0, 0),
    "tables: expected by table, pair of systems and outcome": lambda: TrueSkill().runs(np.ones((1, 2, 3), int), 1, 0),
    "tables: expected whole numbers from 0": lambda: TrueSkill().runs(np.full((1, 3, 3), -1), 1, 0),
    "tables: expected up to 1,000,000,000 matches": lambda: TrueSkill().runs(np.full((1, 1, 3), 10**12), 1, 0),
    "resamples: expected at least 1": lambda: bootstrap_weights(3, 0, 1),
    "power, alpha: expected 0.05 to 0.99 and 0 to 1": lambda: detectable_difference(*COUNTS, power=1.0),
    "expected at least one segmenter": lambda: segmentation_spread(GOLD, [System("s", ("x", "y"))], MaxMatch(), []),
    "aggregate: expected one of": lambda: aggregate(np.ones((3, 2)), "sum"),
    "shuffles: expected 1 to 100,000": lambda: aggregate(np.ones((3, 2)), "trueskill-shuffled", shuffles=0),
    "clusters: expected two metrics or more": lambda: cluster_metrics(
        "system", "human", "x", {"m": 1.0}, {}, signature=Signature.of("m")
    ),
    "clusters: expected judgments or ratings": lambda: system_clusters(HUMAN, TWO),
    "clusters: expected metrics that score the same sentences": lambda: system_clusters(
        HumanScores.from_ratings(RATINGS), [metric("m", 2), metric("n", 3)]
    ),
    "clusters: expected scores of the 2 rated sentences": lambda: system_clusters(
        HumanScores.from_ratings(RATINGS), [metric("m", 3), metric("n", 3)]
    ),
    "statistic: expected one of": lambda: sentence_clusters(JUDGMENTS, TWO, statistic="mean"),
    "swap: expected one of": lambda: sentence_clusters(JUDGMENTS, TWO, swap="words"),
    "clusters: expected comparisons that judges decided": lambda: sentence_clusters(TIES, TWO, statistic="noties"),
    "permute: expected one of": lambda: permutation_test(
        "pearson", FIGURES, FIGURES, FIGURES, permuted="words", trials=10, seed=1
    ),
    "variant: expected one of": lambda: tau("other", np.ones(9, dtype=np.int64)),
    "intervals: expected one of": lambda: system_level(HUMAN, TWO, intervals="words"),
    "permute: expected two metrics or more": lambda: system_level(HUMAN, TWO[:1], permute=["systems"]),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_a_study_cannot_take_is_refused(message):
    with pytest.raises(RecteError) as refused:
        REFUSED[message]()
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "figure",
    [lambda: weighted_kappa(FIGURES, FIGURES * np.nan), lambda: icc(np.ones((1, 3))), lambda: icc(np.ones((3, 1)))],
)
def test_agreement_of_nothing_is_none(figure):
    assert figure() is None
