"""Correlations, tests and agreement compared with SciPy and their literal twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from judging import SYSTEMS, rankings, shuffled
from oracles import human as oracle
from recte import InputError, OptionError
from recte.statistics.correlation import correlation, williams
from recte.statistics.permutation import permutation_test
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.metaeval.ceiling import human_ceiling
from recte.studies.metaeval.scores import MetricScores, metrics_from_files
from recte.studies.metaeval.sentence_correlation import calibrate_accuracy, outcome_codes, sentence_level, tau
from recte.studies.metaeval.sentence_matching import number_judgments
from recte.studies.metaeval.soft_accuracy import human_p_values, permute_p_values
from recte.studies.metaeval.system_correlation import system_level

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=4, max_size=9)


@given(st.data())
def test_correlations_are_scipys(data):
    x = data.draw(VALUES)
    y = data.draw(st.lists(st.integers(-5, 5).map(float), min_size=len(x), max_size=len(x)))
    a, b = np.array(x), np.array(y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(correlation("pearson", a, b))
        return
    assert correlation("pearson", a, b) == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-12)
    assert correlation("spearman", a, b) == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-12)
    assert correlation("kendall", a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-12)
    assert correlation("pairwise_accuracy", a, b) == pytest.approx(oracle.pairwise_accuracy(x, y))


def test_many_correlations_at_once_are_each_its_own():
    generator = np.random.default_rng(1)
    humans, metrics = generator.normal(size=(2, 50, 8))
    for kind in ("pearson", "spearman", "kendall", "pairwise_accuracy"):
        at_once = correlation(kind, humans, metrics)
        assert at_once == pytest.approx([float(correlation(kind, h, m)) for h, m in zip(humans, metrics, strict=True)])


def test_williams_on_a_worked_example():
    # Expected Wins, GLEU over M2 (Chollampatt and Ng 2018, Figure 2): r .6907 and .6230, between them .7099
    test = williams(0.6906970336853677, 0.6229837260166085, 0.7098538334016452, 13)
    assert test.p == pytest.approx(0.349, abs=0.001)
    assert williams(0.5, 0.5, 0.9, 10).p == pytest.approx(0.5)
    assert williams(0.5, 0.4, 0.9, 3).p is None
    assert williams(1.0, -1.0, -1.0, 13).p is None


@given(st.lists(st.tuples(st.sampled_from((-1, 0, 1)), st.integers(-3, 3)), min_size=1, max_size=30))
def test_agreement_is_its_definition(pairs):
    humans, differences = [h for h, _ in pairs], [float(d) for _, d in pairs]
    cells = np.bincount(outcome_codes(np.array(humans), np.array(differences)), minlength=9)
    signs = [int(np.sign(d)) for d in differences]
    assert tau("hties", cells) == pytest.approx(oracle.kendall_variant(humans, signs, human_ties=True))
    if any(humans):
        assert tau("noties", cells) == pytest.approx(oracle.kendall_variant(humans, signs, human_ties=False))
    else:
        assert np.isnan(tau("noties", cells))
    best, epsilon = calibrate_accuracy(np.array(humans), np.array(differences))
    assert best == pytest.approx(oracle.calibrated_accuracy(humans, differences))
    at_epsilon = [0 if abs(d) <= epsilon else int(np.sign(d)) for d in differences]
    assert best == pytest.approx(np.mean(np.array(at_epsilon) == humans))


def judged_and_scores(listed, seed=0):
    judgments = Judgments.from_rankings(listed, first_sentence=0)
    table = np.random.default_rng(seed).integers(0, 4, size=(len(SYSTEMS), 5)).astype(float)
    by_system = {system: row.tolist() for system, row in zip(SYSTEMS, table, strict=True)}
    return judgments, MetricScores.of("m", {s: sum(v) for s, v in by_system.items()}, by_system)


@settings(max_examples=30)
@given(rankings(), st.integers(0, 99))
def test_the_order_of_systems_changes_nothing(listed, seed):
    judgments, metric = judged_and_scores(listed)
    turned = Judgments.from_rankings(shuffled(listed, seed), first_sentence=0)
    other = MetricScores.of(
        "o",
        dict.fromkeys(reversed(SYSTEMS), 1.0) | {"bob": 2.0, "eve": 0.5},
        {s: list(range(5)) for s in reversed(SYSTEMS)},
    )
    for unit in ("pairs", "rankings", "sentences"):
        results = [sentence_level(j, [metric, other], resample=unit, resamples=20) for j in (judgments, turned)]
        assert results[0] == results[1]
    results = [
        system_level(
            HumanScores.from_judgments(j),
            [metric, other],
            intervals="systems",
            permute=["systems"],
            leave_one_out=True,
            resamples=20,
            trials=20,
        )
        for j in (judgments, turned)
    ]
    assert results[0] == results[1]


@given(rankings(), st.integers(0, 99))
def test_swapping_the_systems_of_every_pair_changes_nothing(listed, seed):
    """Some scripts take a metric's tie as a win of the second system, so that their τ depends on the order."""
    judgments, metric = judged_and_scores(listed, seed)
    swapped = Judgments.from_preferences(
        (p._replace(first=p.second, second=p.first, outcome=-p.outcome) for p in judgments.preferences()),
        first_sentence=0,
    )
    assert sentence_level(swapped, [metric], resamples=5) == sentence_level(judgments, [metric], resamples=5)


def test_renaming_systems_turns_p_values_around():
    judged = [Preference(n, "j", "a", "b", 1 if n < 14 else -1, n) for n in range(20)]
    names = {"a": "z", "b": "b"}
    item = human_p_values(Judgments.from_preferences(judged))
    other = human_p_values(Judgments.from_preferences(p._replace(first=names[p.first]) for p in judged))
    assert item + other == pytest.approx([1.0])
    assert item == pytest.approx([stats.binom.sf(14, 20, 0.5) + stats.binom.pmf(14, 20, 0.5) / 2])
    scores = np.random.default_rng(1).normal(size=(2, 40))
    assert permute_p_values(scores, 1000, 1) + permute_p_values(scores[::-1], 1000, 1) == pytest.approx([1.0])
    assert permute_p_values(np.ones((2, 5)), 100, 1) == pytest.approx([0.5])


def test_a_metrics_p_value_is_that_of_all_swaps():
    scores = np.random.default_rng(3).normal(size=(2, 10))
    apart = scores[0] - scores[1]
    signs = np.array(np.meshgrid(*[[-1, 1]] * 10)).reshape(10, -1)
    exact = (signs.T @ apart > apart.sum() + 1e-9).mean() + 0.5 * np.isclose(signs.T @ apart, apart.sum()).mean()
    assert permute_p_values(scores, 20_000, 1) == pytest.approx([exact], abs=0.015)


@pytest.mark.parametrize("permuted", ["systems", "inputs", "both"])
def test_permutations_swap_what_they_say(permuted):
    """Compared with a loop that swaps scores one trial after another."""
    generator = np.random.default_rng(5)
    human = generator.normal(size=6)
    a = human[:, None] + generator.normal(size=(6, 12))
    b = generator.normal(size=(6, 12))
    observed, p, one_sided = permutation_test("pearson", human, a, b, permuted=permuted, trials=4000, seed=1)
    x, y = ((side - side.mean()) / side.std() for side in (a, b))
    larger = 0
    for _ in range(2000):
        swapped = np.zeros((6, 12), dtype=bool)
        if permuted != "inputs":
            swapped ^= generator.random((6, 1)) < 0.5
        if permuted != "systems":
            swapped ^= generator.random((1, 12)) < 0.5
        u, v = np.where(swapped, y, x).mean(axis=1), np.where(swapped, x, y).mean(axis=1)
        difference = np.corrcoef(human, u)[0, 1] - np.corrcoef(human, v)[0, 1]
        larger += abs(difference) >= abs(observed) - 1e-12
    assert p == pytest.approx(larger / 2000, abs=0.05)
    assert one_sided <= p + 0.05


def numbered_judgments(first: int | None, start: int) -> tuple[Judgments, np.ndarray]:
    table = np.random.default_rng(1).normal(size=(2, 300))
    judged = [Preference(n + start, "j", "a", "b", int(np.sign(table[0, n] - table[1, n])), n) for n in range(5, 290)]
    return Judgments.from_preferences(judged, first_sentence=first), table


@pytest.mark.parametrize("start", [0, 1])
def test_the_first_sentence_is_found_out(start):
    judgments, table = numbered_judgments(None, start)
    assert number_judgments(judgments, [table]).first_sentence == start
    assert number_judgments(judgments.numbered_from(0), [table]).first_sentence == 0  # who says so is believed


@pytest.mark.parametrize("seed", range(10))
def test_many_comparisons_of_few_sentences_decide_nothing(seed):
    generator = np.random.default_rng(seed)
    judged = [
        Preference(sentence, "j", "a", "b", outcome, 100 * sentence + n)
        for sentence, outcome in enumerate(generator.integers(-1, 2, size=40).tolist(), 5)
        for n in range(100)
    ]
    with pytest.raises(InputError, match="cannot tell"):
        number_judgments(Judgments.from_preferences(judged), [generator.normal(size=(2, 60))] * 3)


def test_the_first_sentence_follows_from_the_length_of_the_corpus():
    judged = Judgments.from_preferences([Preference(n, "j", "a", "b", 1, n) for n in (1, 10)])
    assert number_judgments(judged, [np.zeros((2, 10))]).first_sentence == 1
    judged = Judgments.from_preferences([Preference(n, "j", "a", "b", 1, n) for n in (0, 9)])
    assert number_judgments(judged, [np.zeros((2, 10))]).first_sentence == 0
    with pytest.raises(InputError, match="of a corpus of 5 numbered from 0 or from 1, got sentence 9"):
        number_judgments(judged, [np.zeros((2, 5))])
    unclear = Judgments.from_preferences([Preference(3, "j", "a", "b", 1, 0)])
    with pytest.raises(InputError, match="cannot tell whether sentences are numbered from 0 or from 1"):
        number_judgments(unclear, [np.zeros((2, 10))])
    two = Judgments.from_preferences(Preference(1, "ann", "a", "b", 1, n, document) for n, document in enumerate("xy"))
    with pytest.raises(InputError, match="expected sentences of one document, got those of x, y"):
        number_judgments(two, [np.zeros((2, 10))])


def test_one_judge_against_the_rest_by_hand():
    judged = [Preference(1, "ann", "a", "b", 1, 0), Preference(1, "bob", "a", "b", 1, 1)]
    judged += [Preference(2, "ann", "a", "b", -1, 2), Preference(2, "bob", "a", "b", 0, 3)]
    ceiling = human_ceiling(Judgments.from_preferences(judged))
    assert ceiling is not None
    assert ceiling.common == 4  # two comparisons, each judge once the metric
    assert ceiling.hties == pytest.approx(2 / 4)
    assert ceiling.noties == pytest.approx(2 / 3)
    assert human_ceiling(Judgments.from_preferences(judged[:1])) is None


def test_what_cannot_be_compared_is_refused():
    human = HumanScores.of("human", {"a": 1.0, "b": 2.0, "c": 3.0})
    metric = MetricScores.of("m", {"a": 1.0, "b": 2.0})
    with pytest.raises(InputError, match="m: expected scores for every judged system, got none for c"):
        system_level(human, [metric])
    whole = MetricScores.of("m", {"a": 1.0, "b": 2.0, "c": 1.0})
    with pytest.raises(InputError, match="expected different names, got 'm' twice"):
        system_level(human, [whole, whole])
    with pytest.raises(InputError, match="expected at least 3 systems to correlate, got 2"):
        system_level(human.without(["c"]), [metric])
    with pytest.raises(OptionError, match="expected judgments or ratings, got scores of systems alone"):
        system_level(human, [whole], intervals="inputs")
    with pytest.raises(OptionError, match="m: permuting inputs: expected sentence scores"):
        system_level(human, [whole, MetricScores.of("n", whole_scores())], permute=["inputs"])
    judged = Judgments.from_preferences([Preference(1, "j", "a", "b", 1, 0)])
    with pytest.raises(OptionError, match="m: sentence level: expected sentence scores"):
        sentence_level(judged, [whole])
    with pytest.raises(InputError, match="expected each metric's scores in one file, got 'm' in two"):
        metrics_from_files([({"m": {"a": 1.0}}, {}), ({"m": {"a": 1.0}}, {})])
    with pytest.raises(InputError, match="expected as many sentence scores for each system"):
        MetricScores.of("m", {"a": 1, "b": 1}, {"a": [1], "b": [1, 2]})


FIVE = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 5.0, "e": 4.0}


def test_a_metric_that_tells_nothing_apart_is_not_tested():
    human, other = HumanScores.of("human", FIVE), MetricScores.of("other", {s: v**2 for s, v in FIVE.items()})
    flat = MetricScores.of("flat", dict.fromkeys(FIVE, 0.5))
    result = system_level(human, [other, flat], permute=["systems"], trials=20)
    assert (result.metrics[1].pearson, result.williams, result.permutations) == (None, (), ())


def whole_scores() -> dict[str, float]:
    return {"a": 1.0, "b": 3.0, "c": 2.0}


@given(rankings())
def test_leaving_a_system_out_is_correlating_without_it(listed):
    judgments, metric = judged_and_scores(listed)
    human = HumanScores.from_judgments(judgments)
    assume(len(set(human.scores)) > 2)
    whole = system_level(human, [metric], leave_one_out=True).metrics[0]
    assert whole.left_out is not None
    alone = system_level(human.without(["bob"]), [metric.for_systems([s for s in SYSTEMS if s != "bob"])]).metrics[0]
    assert whole.left_out["pearson"]["bob"] == pytest.approx(alone.pearson, nan_ok=True)
