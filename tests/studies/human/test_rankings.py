"""Expected Wins, TrueSkill, ranges, clusters and agreement compared with their literal twins."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest
import trueskill as package
from hypothesis import given, settings
from hypothesis import strategies as st

from judging import rankings, shuffled, xml
from oracles import human as oracle
from recte import InputError, OptionError, _kernels
from recte.statistics.rank_clusters import clusters, rank_ranges
from recte.studies.human.judge_agreement import agreement, summarise
from recte.studies.human.judgment_files import read_judgments
from recte.studies.human.judgment_resampling import Resampler, resample_tables
from recte.studies.human.judgments import Judgments, Preference, RankedGroup, Ranking
from recte.studies.human.ranking import METHODS, human_scores, mean_wins, rank_systems
from recte.studies.human.trueskill import TrueSkill


def comparisons(judgments: Judgments) -> list[oracle.Comparison]:
    return [(p.first, p.second, p.outcome) for p in judgments.preferences()]


@given(rankings())
def test_expected_wins_is_its_definition(listed):
    judgments = Judgments.from_rankings(listed)
    wanted = oracle.expected_wins(comparisons(judgments))
    assert dict(zip(judgments.systems, mean_wins(judgments.table()), strict=True)) == pytest.approx(wanted)


@given(rankings())
def test_all_pairs_of_a_ranking_are_compared_or_one_of_each_group(listed):
    sizes = [[len(group.systems) for group in ranking.groups] for ranking in listed]
    assert len(Judgments.from_rankings(listed)) == sum(sum(s) * (sum(s) - 1) // 2 for s in sizes)
    unexpanded = Judgments.from_rankings(listed, expand=False)
    assert len(unexpanded) == sum(len(s) * (len(s) - 1) // 2 for s in sizes)
    ranks = [group.rank for ranking in listed for group in ranking.groups]
    if len(set(ranks)) == len(ranks):
        assert unexpanded.ties == 0


@settings(max_examples=25)
@given(rankings(), st.integers(0, 99))
def test_the_order_of_systems_in_a_file_changes_nothing(tmp_path_factory, listed, seed):
    folder = tmp_path_factory.mktemp("order")
    results = []
    for name, content, separator in (("a", listed, " "), ("b", shuffled(listed, seed), ", ")):
        (folder / f"{name}.xml").write_text(xml(content, separator))
        for expand in (True, False):
            judgments = read_judgments(folder / f"{name}.xml", expand=expand)
            results.append(
                [
                    [
                        rank_systems(judgments, method=method, resample=unit, resamples=20)
                        for method in METHODS
                        for unit in ("pairs", "rankings", "sentences")
                    ],
                    rank_systems(judgments, method="trueskill", resample="runs", resamples=20),
                    summarise(judgments),
                ]
            )
    assert results[:2] == results[2:]


@given(
    means=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    sigmas=st.tuples(st.floats(0.05, 2), st.floats(0.05, 2)),
    beta=st.floats(0.3, 100),
    outcome=st.sampled_from((1, 0, -1)),
)
def test_a_match_teaches_what_the_trueskill_package_says(means, sigmas, beta, outcome):
    env = package.TrueSkill(mu=0, sigma=0.5, beta=beta, tau=0, draw_probability=0.25, backend="scipy")
    margin = package.calc_draw_margin(0.25, 2, env)
    got = _kernels.trueskill_match(means[0], sigmas[0], means[1], sigmas[1], outcome, beta, margin)
    first, second = (env.create_rating(m, s) for m, s in zip(means, sigmas, strict=True))
    if outcome >= 0:
        first, second = package.rate_1vs1(first, second, drawn=outcome == 0, env=env)
    else:
        second, first = package.rate_1vs1(second, first, env=env)
    assert got == pytest.approx((first.mu, first.sigma, second.mu, second.sigma), rel=1e-9, abs=1e-9)


def small_judgments() -> Judgments:
    pairs = {("a", "b"): (9, 4, 5), ("a", "c"): (10, 2, 3), ("b", "c"): (6, 6, 5)}
    return Judgments.from_preferences(
        Preference(n, "j", first, second, outcome, n)
        for (first, second), counts in pairs.items()
        for outcome, count in zip((1, 0, -1), counts, strict=True)
        for n in range(count)
    )


def test_runs_of_trueskill_are_those_of_the_published_procedure():
    judgments = small_judgments()
    skill = TrueSkill(matches=150, beta=2.0)
    runs = skill.runs(judgments.table()[None], 4000, seed=1)
    twin = [oracle.trueskill_run(comparisons(judgments), 150, 2.0, seed) for seed in range(60)]
    by_system = np.array([[run[s] for s in judgments.systems] for run in twin])
    error = by_system.std(axis=0) / np.sqrt(len(twin))
    assert (np.abs(runs.mean(axis=0) - by_system.mean(axis=0)) < 4 * error).all()
    assert runs.std(axis=0) == pytest.approx(by_system.std(axis=0), rel=0.4)


def test_trueskill_without_chance_is_what_runs_tend_to():
    judgments = small_judgments()
    table = judgments.table()[None]
    skill = TrueSkill()  # as published: matches teach little, and the mean over runs is the limit
    runs = skill.runs(table, 3000, seed=5)
    error = runs.std(axis=0) / np.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0) - skill.expected(table)[0]) < 4 * error + 0.003).all()


def test_trueskill_repeats_itself_whatever_the_threads(monkeypatch):
    table = small_judgments().table()[None]
    results = []
    for threads in ("1", "2"):
        monkeypatch.setenv("RECTE_THREADS", threads)
        results.append(TrueSkill().runs(table, 100, seed=3))
    assert (results[0] == results[1]).all()
    assert (results[0] != TrueSkill().runs(table, 100, seed=4)).any()


def test_a_system_that_only_ties_or_is_never_met_is_in_the_middle():
    judged = [Preference(1, "j", "a", "b", 0, 0), Preference(1, "j", "c", "d", 1, 0)]
    scores = human_scores(Judgments.from_preferences(judged))
    assert scores.tolist() == [0.5, 0.5, 1.0, 0.0]
    assert np.isfinite(human_scores(Judgments.from_preferences(judged), "trueskill", runs=3)).all()
    assert np.isfinite(human_scores(Judgments.from_preferences(judged), "expected-trueskill")).all()


def test_drawing_pairs_one_by_one_is_a_multinomial():
    judgments = small_judgments()
    generator = np.random.default_rng(1)
    literal = np.stack(
        [
            np.bincount(generator.choice(judgments.cell, len(judgments)), minlength=judgments.cell_count)
            for _ in range(4000)
        ]
    )
    tables = np.concatenate([*resample_tables(judgments, "pairs", 4000, seed=2)]).reshape(4000, -1)
    assert (tables.sum(axis=1) == len(judgments)).all()
    assert tables.mean(axis=0) == pytest.approx(literal.mean(axis=0), abs=0.25)
    assert tables.std(axis=0) == pytest.approx(literal.std(axis=0), rel=0.1, abs=0.01)


def test_drawing_sentences_keeps_their_judgments_together():
    codes, groups = np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1])
    counts = Resampler(groups, 200, seed=1).counts(codes, 3)
    assert set(map(tuple, counts.tolist())) == {(4, 0, 0), (2, 1, 1), (0, 2, 2)}


def test_rank_ranges_drop_the_same_number_at_each_end():
    scores = np.zeros((1000, 2))
    scores[:, 0] = 1
    scores[:26, 0] = -1  # 26 of 1,000 resamples turn the two around: one more than is dropped
    assert rank_ranges(scores) == [(1, 2), (1, 2)]
    scores[25, 0] = 1
    assert rank_ranges(scores) == [(1, 1), (2, 2)]


def test_a_cluster_ends_where_all_later_ranges_are_worse():
    assert clusters([(1, 3), (2, 2), (1, 3), (4, 4)]) == [1, 1, 1, 2]
    assert clusters([(1, 1)]) == [1]
    assert clusters([(1, 4), (2, 2), (5, 5), (3, 5)]) == [1, 1, 1, 1]  # the first range reaches into the last


def test_agreement_by_hand():
    # 60 comparisons by two judges: alike in 45; ann judged 50 of them twice, alike in 40.
    judged = [Preference(n, "ann", "a", "b", 1, n) for n in range(60)]
    judged += [Preference(n, "bob", "a", "b", 1 if n < 45 else -1, n) for n in range(60)]
    inter, intra = agreement(Judgments.from_preferences(judged))
    chance = (105 / 120) ** 2 + (15 / 120) ** 2
    assert inter.kappa == pytest.approx((0.75 - chance) / (1 - chance))
    assert inter.comparisons == 60
    assert intra.kappa is None
    assert intra.comparisons == 0


def test_agreement_is_that_of_outputs_told_apart():
    groups = (RankedGroup(("a", "b"), 1), RankedGroup(("c",), 2))
    listed = [Ranking(sentence, judge, groups) for sentence in range(60) for judge in ("ann", "bob")]
    expanded = Judgments.from_rankings(listed)
    assert (len(expanded), len(expanded.unexpanded())) == (360, 120)
    assert summarise(expanded).inter == agreement(Judgments.from_rankings(listed, expand=False))[0]
    assert summarise(expanded).inter.comparisons == 60
    assert summarise(expanded.without(["b"])).inter.comparisons < 60


def test_judges_with_little_in_common_are_left_out():
    judged = [Preference(n, judge, "a", "b", n % 2, n) for n in range(49) for judge in ("ann", "bob")]
    assert agreement(Judgments.from_preferences(judged))[0].kappa is None


def test_the_system_taken_of_a_group_is_the_same_for_all_judges_of_a_sentence():
    groups = (RankedGroup(("a", "b", "c"), 1), RankedGroup(("d", "e"), 2))
    listed = [Ranking(sentence, judge, groups) for sentence in range(200) for judge in ("ann", "bob")]
    judgments = Judgments.from_rankings(listed, expand=False, seed=1)
    chosen = judgments.first.reshape(200, 2)
    assert (chosen[:, 0] == chosen[:, 1]).all()
    assert np.bincount(chosen[:, 0], minlength=3).min() > 40  # no system is preferred over the corpus


def test_what_makes_no_sense_is_refused():
    judgments = small_judgments()
    with pytest.raises(OptionError, match="method: expected one of expected-wins"):
        rank_systems(judgments, method="elo")
    with pytest.raises(OptionError, match="resample: expected one of pairs, rankings, sentences with expected-wins"):
        rank_systems(judgments, resample="runs")
    with pytest.raises(OptionError, match="level: expected a number between 0 and 1, got 95"):
        rank_systems(judgments, level=95)
    with pytest.raises(OptionError, match="resamples"):
        rank_systems(judgments, resamples=0)
    with pytest.raises(OptionError, match="without: expected some of the systems a, b, c, got 'z'"):
        judgments.without(["z"])
    with pytest.raises(InputError, match="expected at least one comparison"):
        judgments.without(["a", "b"])
    with pytest.raises(OptionError, match="sigma above 0"):
        TrueSkill(sigma=0)


@pytest.mark.parametrize("unit", ["pairs", "sentences"])
def test_many_systems_are_resampled_in_blocks(unit):
    """500 systems have 124,750 pairs: tables of all resamples at once would take gigabytes."""
    choose = random.Random(3)
    pairs = [choose.sample(range(500), 2) for _ in range(3000)]
    judged = [
        Preference(n // 5, "ann", f"s{a}", f"s{b}", choose.choice((1, 0, -1)), n) for n, (a, b) in enumerate(pairs)
    ]
    judgments = Judgments.from_preferences(judged)
    tracemalloc.start()
    ranking = rank_systems(judgments, resample=unit, resamples=200)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(ranking.systems) == len(judgments.systems)
    assert peak < 250_000_000, f"{peak / 1e6:.0f} MB"
