"""Windows, pairs by rank gap and aggregated metric scores: literal twins, and the published results on CoNLL-2014."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging import SYSTEMS, rankings
from oracles import metaeval as oracle
from oracles.human import expected_wins
from recte.errors import InputError, OptionError
from recte.formats.metric_scores import read_metric_scores
from recte.statistics.correlation import correlation
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_files import read_judgments
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.metaeval.scores import MetricScores, metrics_from_files
from recte.studies.metaeval.sentence_correlation import rank_groups
from recte.studies.metaeval.system_correlation import aggregate, aggregated_metric
from recte.studies.metaeval.windows import window_analysis
from shared_data import golden_json, shared

VALUES = st.lists(st.integers(0, 3).map(float), min_size=5, max_size=5)


@given(st.permutations(range(7)), st.permutations(range(7)), st.integers(3, 7))
@settings(max_examples=30)
def test_windows_are_their_definition(humans, scores, size):
    names = "abcdefg"
    human, metric = (dict(zip(names, map(float, side), strict=True)) for side in (humans, scores))
    actual = window_analysis(HumanScores.of("h", human), [MetricScores.of("m", metric)], size=size).windows
    wanted = oracle.windows(human, metric, size)
    assert [w.pearson for w in actual] == pytest.approx([r for r, _ in wanted])
    assert [w.spearman for w in actual] == pytest.approx([rho for _, rho in wanted])
    assert [(w.first_rank, w.last_rank) for w in actual] == [(k + 1, k + size) for k in range(8 - size)]


def test_a_window_of_equal_scores_has_no_correlation():
    human = HumanScores.of("h", {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0})
    actual = window_analysis(human, [MetricScores.of("m", {"a": 1.0, "b": 1.0, "c": 1.0, "d": 2.0})], size=3).windows
    assert [w.pearson is None for w in actual] == [True, False]
    with pytest.raises(OptionError, match="windows: expected 3 to 4 systems in a window, got 5"):
        window_analysis(human, [], size=5)


@given(rankings(), st.lists(VALUES, min_size=5, max_size=5), st.permutations(SYSTEMS))
@settings(max_examples=40)
def test_pairs_by_ranks_are_their_definition(listed, scores, order):
    judgments = Judgments.from_rankings(listed, first_sentence=0)
    by_system = dict(zip(SYSTEMS, scores, strict=True))
    plain = [(r.sentence, {s: g.rank for g in r.groups for s in g.systems}) for r in listed]
    if not (judgments.outcome != 0).any():
        with pytest.raises(InputError, match="expected comparisons that judges decided"):
            rank_groups(judgments, [MetricScores.of("m", dict.fromkeys(SYSTEMS, 0.0), by_system)])
        return
    actual = rank_groups(judgments, [MetricScores.of("m", dict.fromkeys(SYSTEMS, 0.0), by_system)], order=order)
    accuracy, groups = oracle.sentence_agreement(plain, by_system, order)
    backwards, _ = oracle.sentence_agreement(plain, by_system, order[::-1])
    assert actual.metrics[0].tie_is_second == pytest.approx(accuracy)
    assert actual.metrics[0].tie_is_first == pytest.approx(backwards)
    assert actual.metrics[0].accuracy == pytest.approx((accuracy + backwards) / 2)
    of_groups = {(g.worse, g.better): (pytest.approx(g.tie_is_second), g.pairs) for g in actual.by_ranks}
    assert groups == of_groups
    for group in actual.by_gap:
        same = [g for g in actual.by_ranks if g.gap == group.gap]
        assert group.pairs == sum(g.pairs for g in same)
        assert group.accuracy == pytest.approx(sum(g.accuracy * g.pairs for g in same) / group.pairs)


def test_pairs_without_ranks_have_no_groups():
    judgments = Judgments.from_preferences([Preference(0, "j", "a", "b", 1, 0)], first_sentence=0)
    actual = rank_groups(judgments, [MetricScores.of("m", {"a": 1, "b": 0}, {"a": [1.0], "b": [0.0]})])
    assert (actual.by_ranks, actual.by_gap) == ((), ())
    assert actual.metrics[0].accuracy == 1.0


@given(st.lists(VALUES, min_size=2, max_size=4))
@settings(max_examples=40)
def test_aggregation_is_its_definition(scores):
    table = np.array(scores)
    assert aggregate(table, "trueskill").scores == pytest.approx(oracle.trueskill_pass(scores), abs=1e-9)
    names = "abcd"[: len(scores)]
    comparisons = [
        (names[i], names[j], int(np.sign(table[i, s] - table[j, s])))
        for s in range(5)
        for i in range(len(scores))
        for j in range(i + 1, len(scores))
    ]
    assert aggregate(table, "expected-wins").scores == pytest.approx(list(expected_wins(comparisons).values()))


def test_aggregated_metrics_score_resamples():
    generator = np.random.default_rng(8)
    table = generator.integers(0, 5, size=(4, 30)).astype(float)
    metric = MetricScores("m", ("a", "b", "c", "d"), table.mean(axis=1), table)
    weights = np.stack([np.ones(30, dtype=np.int32), generator.multinomial(30, [1 / 30] * 30).astype(np.int32)])
    for method in ("expected-wins", "trueskill"):
        aggregated = aggregated_metric(metric, method)
        assert aggregated.name == f"m/{method}"
        drawn = aggregated.resampled(weights)
        assert drawn[0] == pytest.approx(aggregated.scores)
        assert drawn[1] == pytest.approx(aggregate(np.repeat(table, weights[1], axis=1), method).scores)
    shuffled = aggregate(table, "trueskill-shuffled", shuffles=50)
    assert shuffled.spread.max() > 0
    assert shuffled.scores == pytest.approx(aggregate(table, "trueskill-shuffled", shuffles=50).scores)
    with pytest.raises(OptionError, match="aggregate: expected one of expected-wins, trueskill, trueskill-shuffled"):
        aggregate(table, "elo")


@pytest.fixture(scope="module")
def conll14():
    files = sorted(shared("data", "conll14", "metric-scores").iterdir())
    metrics = {metric.name: metric for metric in metrics_from_files([read_metric_scores(path) for path in files])}
    golden = golden_json("metaeval/conll14.json")
    texts = shared("data", "conll14", "systems")
    systems = golden["systems"]
    lines = {s: next(texts.glob(f"{s}*")).read_text().replace("\r", "").splitlines() for s in systems}
    lengths = {s: [float(len(line.rstrip())) for line in of_system] for s, of_system in lines.items()}
    metrics["length"] = MetricScores.of("length", {s: sum(v) for s, v in lengths.items()}, lengths)
    return golden, metrics


@pytest.mark.parametrize("name", ["length", "gleu", "imeasure", "m2score"])
def test_published_aggregation_and_windows_on_conll14(conll14, name):
    golden, metrics = conll14
    metric = metrics[name] if name in metrics else metrics[{"m2score": "m2", "imeasure": "i-measure"}[name]]
    wanted = golden["metrics"][name]
    listed = golden["systems"]
    humans = {kind: dict(zip(listed, golden["human"][kind], strict=True)) for kind in ("ew", "ts")}
    rows = [metric.systems.index(system) for system in listed]
    for method in ("expected_wins", "trueskill"):
        scores = aggregate(metric.sentences[rows], method.replace("_", "-")).scores
        assert scores == pytest.approx([wanted[method]["scores"][s] for s in listed], abs=1e-7)
        for kind, human in humans.items():
            values = np.array([human[s] for s in listed])
            actual = [float(correlation(c, values, scores)) for c in ("pearson", "spearman")]
            assert actual == pytest.approx(wanted[method][kind], abs=1e-6)
    for size in (4, 8):
        for kind, human in humans.items():
            scores = MetricScores.of(name, wanted["default"]["scores"])
            windows = window_analysis(HumanScores.of(kind, human), [scores], size=size).windows
            expected = wanted[f"window{size}"][kind]
            assert [w.pearson for w in windows] == pytest.approx([r for r, _ in expected], abs=1e-9)
            assert [w.spearman for w in windows] == pytest.approx([rho for _, rho in expected], abs=1e-9)


def test_published_sentence_level_on_conll14(conll14):
    golden, metrics = conll14
    judgments = read_judgments(shared("data", "conll14", "judgments", "rankings.xml"), first_sentence=0)
    names = {n: n if n in metrics else {"m2score": "m2", "imeasure": "i-measure"}[n] for n in golden["metrics"]}
    listed = [metrics[names[n]] for n in golden["metrics"]]
    in_order = rank_groups(judgments, listed, order=golden["systems"])
    by_name = rank_groups(judgments, listed)
    for place, wanted in enumerate(golden["metrics"].values()):
        actual = in_order.metrics[place]
        assert [actual.tie_is_second, actual.tau_tie_is_second] == pytest.approx(wanted["sentence"], abs=1e-9)
        assert [actual.tie_is_first, actual.tau_tie_is_first] == pytest.approx(wanted["sentence_reversed"], abs=1e-9)
        alphabetical = by_name.metrics[place].tie_is_second
        assert alphabetical == pytest.approx(wanted["sentence_alphabetical"][0], abs=1e-9)
        assert (actual.pairs, actual.metric_ties) == (wanted["decided_pairs"], wanted["metric_ties_among_decided"])
        of_metric = [g for g in in_order.by_ranks if g.metric == actual.metric]
        assert {(g.worse, g.better): g.pairs for g in of_metric} == {tuple(k): n for k, n in wanted["rank_pair_counts"]}
        ranked = {(g.worse, g.better): g.tie_is_second for g in of_metric}
        assert ranked == pytest.approx({tuple(k): v for k, v in wanted["rank_pairs"]}, abs=1e-9)
        gaps = {str(g.gap): [g.tie_is_second, g.pairs] for g in in_order.by_gap if g.metric == actual.metric}
        for gap, value in wanted["by_rank_gap_tie_is_second"].items():
            assert gaps[gap] == pytest.approx(value, abs=1e-9)
