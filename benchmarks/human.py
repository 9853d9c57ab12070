"""Human rankings and agreement: the published procedures, compared with how long the published scripts need."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
# Of the published scripts, on the machine the facts were observed on: one TrueSkill run, and 1,000 resamples.
PUBLISHED_TRUESKILL_RUN = 30
PUBLISHED_EXPECTED_WINS = 203


@lru_cache
def judgments():  # type: ignore[no-untyped-def]
    from recte.formats import read_judgments

    return read_judgments(CONLL / "judgments" / "rankings.xml")


def trueskill() -> Iterator[Figure]:
    from recte.human import TrueSkill

    table = judgments().table()[None]
    seconds = best_of(1, lambda: TrueSkill().runs(table, 1000, seed=1))
    yield Figure(
        "TrueSkill: 1,000 runs of 109,099 matches",
        f"{seconds:.1f} s; the published script needs {1000 * PUBLISHED_TRUESKILL_RUN / seconds:.0f} times as long",
        "under 30 s",
        seconds < 30,
    )
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles.human import trueskill_run

    pairs = [(p.first, p.second, p.outcome) for p in judgments().preferences()]
    slow = best_of(1, lambda: trueskill_run(pairs, 2000, 1363.7, 1)) / 2000
    yield Figure(
        "TrueSkill: a match beside the trueskill package (its setting up included)",
        f"{slow / (seconds / 1000 / 109_099):.0f} times faster",
        "100 times at least",
        slow / (seconds / 1000 / 109_099) >= 100,
    )
    seconds = best_of(3, lambda: TrueSkill().expected(table))
    yield Figure("TrueSkill without chance", f"{seconds:.2f} s", "under 1 s", seconds < 1)


def bootstraps() -> Iterator[Figure]:
    import numpy as np

    from recte.studies.human.judgment_resampling import Resampler, resample_tables
    from recte.studies.human.ranking import mean_wins
    from recte.studies.metaeval.sentence_correlation import outcome_codes, tau

    for unit in ("pairs", "sentences"):
        seconds = best_of(
            5, lambda unit=unit: mean_wins(np.concatenate([*resample_tables(judgments(), unit, 1000, seed=1)]))
        )
        ratio = f"; the published script needs {PUBLISHED_EXPECTED_WINS / seconds:.0f} times as long"
        yield Figure(
            f"Expected Wins: 1,000 resamples of {unit}",
            f"{seconds:.3f} s{ratio if unit == 'pairs' else ''}",
            "under 0.5 s",
            seconds < 0.5,
        )
    scores = np.random.default_rng(1).normal(size=len(judgments())).round(1)
    codes = outcome_codes(judgments().outcome, scores)
    for unit in ("pairs", "sentences"):
        seconds = best_of(
            5, lambda unit=unit: tau("hties", Resampler.of(judgments(), unit, 1000, seed=1).counts(codes, 9))
        )
        yield Figure(f"τ: 1,000 resamples of {unit}", f"{1000 * seconds:.0f} ms", "under 0.1 s", seconds < 0.1)


def one_call() -> Iterator[Figure]:
    scores = sorted(map(str, (CONLL / "metric-scores").glob("*.tsv*")))
    done = run([*RECTE, "metaeval", str(CONLL / "judgments" / "rankings.xml"), "--scores", *scores], repeats=3)
    yield Figure(
        "recte metaeval: Tables 2 and 3 and Williams' tests, start-up and reading included",
        f"{done.wall:.1f} s wall",
        "under 5 s",
        done.wall < 5,
    )


def modern_metaevaluation() -> Iterator[Figure]:
    """15 systems, 391 sentences, 5 metrics, 1,000 resamples: everything that SEEDA's setting and ratings ask for."""
    import numpy as np

    from recte.studies.human.human_scores import HumanScores
    from recte.studies.human.judgments import Judgments, RankedGroup, Ranking
    from recte.studies.human.ratings import Rating, Ratings
    from recte.studies.metaeval.metric_comparison import sentence_clusters, system_clusters
    from recte.studies.metaeval.rating_correlation import rating_level
    from recte.studies.metaeval.scores import MetricScores
    from recte.studies.metaeval.sentence_correlation import rank_groups, sentence_level
    from recte.studies.metaeval.system_correlation import AGGREGATIONS, aggregated_metric, system_level
    from recte.studies.metaeval.windows import window_analysis

    generator = np.random.default_rng(1)
    systems = [f"s{k:02}" for k in range(15)]
    quality = generator.normal(size=(15, 391)) + np.linspace(0, 1, 15)[:, None]
    metrics = []
    for number in range(5):
        table = (quality + generator.normal(0, 0.5 + number, quality.shape)).round(1)
        sentences = dict(zip(systems, table.tolist(), strict=True))
        metrics.append(MetricScores.of(f"m{number}", dict.fromkeys(systems, 0.0), sentences).with_sentence_means())
    rankings = []
    for item in range(600):
        chosen = generator.permutation(15)[:8]
        ranks = 1 + np.argsort(np.argsort(-quality[chosen, item % 391])) // 2
        groups = tuple(RankedGroup((systems[s],), int(r)) for s, r in zip(chosen, ranks, strict=True))
        rankings.append(Ranking(item % 391, f"j{item % 3}", groups))
    judgments = Judgments.from_rankings(rankings, first_sentence=0)
    rated = [
        Rating(i, rater, system, round(float(quality[s, i] + generator.normal()), 1))
        for s, system in enumerate(systems)
        for i in range(391)
        for rater in ("r1", "r2")
    ]
    ratings = Ratings.of(rated)

    def whole() -> None:
        human = HumanScores.from_judgments(judgments, "expected-trueskill")
        aggregated = [aggregated_metric(metric, method) for metric in metrics for method in AGGREGATIONS]
        system_level(human, [*metrics, *aggregated])
        sentence_level(judgments, metrics)
        rank_groups(judgments, metrics)
        window_analysis(human, metrics, intervals=True)
        system_clusters(human, metrics)
        sentence_clusters(judgments, metrics)
        rating_level(ratings, metrics, clusters=True)
        system_level(HumanScores.from_ratings(ratings), metrics, intervals="inputs")

    start = time.process_time()
    whole()
    seconds = time.process_time() - start
    yield Figure(
        "meta-evaluation: judgments and ratings of 15 systems, 391 sentences, 5 metrics, 1,000 resamples",
        f"{seconds:.1f} s of CPU",
        "under 5 s",
        seconds < 5,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["human"])
