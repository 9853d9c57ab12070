"""Coverage against its literal twins, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recte.coverage import AnsweredSentence

from oracles.coverage import fluid_coverage, simulated_coverage, unseenest_by_linprog, unseenest_objective
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.studies.coverage.accuracy import (
    accuracy_distribution,
    coverage_without_replacement,
    expected_bias,
    expected_gain,
    mean_coverage,
    references_needed,
)
from recte.studies.coverage.kinds import answer_kinds
from recte.studies.coverage.perfect_scores import perfect_corrector
from recte.studies.coverage.reference_coverage import coverage_of
from recte.studies.coverage.unseen_corrections import (
    Distribution,
    chao1,
    fingerprint,
    good_turing,
    unseen,
    unseen_of_all,
)

FINGERPRINTS = st.lists(st.integers(0, 6), min_size=1, max_size=8).filter(any)
ATOMS = [0.3, 0.2, 0.1, 0.1, *[0.02] * 10, *[0.01] * 10]
AS_DISTRIBUTION = Distribution((0.3, 0.2, 0.1, 0.02, 0.01), (1.0, 1.0, 2.0, 10.0, 10.0))


@settings(max_examples=40)
@given(FINGERPRINTS)
def test_the_program_says_what_its_solution_is_worth(seen):
    actual = unseen(seen)
    x, h = actual.distribution.frequencies, actual.distribution.variants
    assert unseenest_objective(seen, x, h) == pytest.approx(actual.objective, abs=1e-6)
    assert sum(a * b for a, b in zip(x, h, strict=True)) == pytest.approx(1)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 9) | st.integers(0, 300), min_size=1, max_size=30).filter(any))
def test_the_program_is_solved_as_by_scipy(seen):
    actual = unseen(seen)
    x, masses, objective = unseenest_by_linprog(seen)
    assert actual.objective == pytest.approx(objective, abs=1e-7)
    ours = dict(zip(actual.distribution.frequencies, actual.distribution.variants, strict=True))
    assert [f * ours.get(f, 0.0) for f in x.tolist()] == pytest.approx(masses.tolist(), abs=1e-6)


def test_programs_are_solved_each_for_itself():
    seen = [(3, 1), (1,), (0, 0, 4), (30,), (12, 5, 0, 1)] * 20
    assert unseen_of_all(seen) == [unseen(f) for f in seen]
    with pytest.raises(InputError, match="expected each answer at most 2000 times, got one 2001 times"):
        unseen([0] * 2000 + [1])


@settings(max_examples=20)
@given(FINGERPRINTS, st.randoms(use_true_random=False))
def test_no_other_distribution_is_nearer(seen, random):
    actual = unseen(seen)
    answers = sum(i * f for i, f in enumerate(seen, 1))
    for _ in range(20):
        x = [random.uniform(0.01 / answers, min(len(seen) / answers, 1)) for _ in range(4)]
        masses = np.random.default_rng(random.getrandbits(32)).dirichlet(np.ones(4))
        # The grid is 5 % wide: a distribution between its points can be nearer by a little.
        assert unseenest_objective(seen, x, masses / x) >= actual.objective - 0.05 * sum(seen)


def test_all_answers_equal_and_all_different():
    assert unseen((0, 0, 0, 0, 1)).distribution.mass_above(0.5) == pytest.approx(1, abs=0.02)
    assert unseen((30,)).distribution.variants_above(0) > 300


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30))
def test_fingerprints_and_simple_estimators(answers):
    seen = fingerprint(answers)
    assert sum(i * f for i, f in enumerate(seen, 1)) == len(answers)
    assert sum(seen) == len(set(answers)) <= chao1(seen)
    assert good_turing(seen) == sum(answers.count(a) == 1 for a in set(answers)) / len(answers)


@pytest.mark.parametrize("references", [1, 2, 5, 20])
def test_coverage_is_what_simulation_gives(references):
    simulated = simulated_coverage(ATOMS, references, replacement=True, samples=4000, seed=references)
    assert AS_DISTRIBUTION.coverage(references) == pytest.approx(simulated, abs=0.012)


def test_coverage_without_replacement_is_what_simulation_and_the_limit_give():
    curve = coverage_without_replacement(AS_DISTRIBUTION, 24, samples=4000)
    for references in (1, 2, 3, 8, 16):
        simulated = simulated_coverage(ATOMS, references, replacement=False, samples=4000, seed=references)
        assert curve[references - 1] == pytest.approx(simulated, abs=0.012)
        if references >= 3:
            assert curve[references - 1] == pytest.approx(fluid_coverage(ATOMS, references), abs=0.012)
    assert curve[-1] == pytest.approx(1)
    assert (np.diff(curve) >= 0).all()


@given(st.lists(st.floats(0.05, 0.95), min_size=1, max_size=12), st.integers(1, 5))
def test_accuracy_is_scipys_poisson_binomial(frequencies, references):
    from scipy import stats

    if not hasattr(stats, "poisson_binom"):
        pytest.skip("this SciPy has no poisson_binom")
    distributions = [Distribution((x,), (1 / x,)) for x in frequencies]
    ours = accuracy_distribution(distributions, references)
    peer = stats.poisson_binom([d.coverage(references) for d in distributions])
    assert ours.probabilities == pytest.approx([peer.pmf(k) for k in range(len(frequencies) + 1)], abs=1e-9)
    assert ours.mean == pytest.approx(mean_coverage(distributions, references))
    assert ours.p_value(0, "less") == pytest.approx(peer.cdf(0), abs=1e-9)
    assert ours.p_value(len(frequencies), "less") == 1.0


def test_references_needed_is_the_fewest():
    distributions = [AS_DISTRIBUTION, Distribution((0.001,), (1000.0,))]
    for wanted in (0.1, 0.4, 0.7, 0.95):
        needed = references_needed(distributions, wanted)
        assert mean_coverage(distributions, needed) >= wanted
        assert needed == 1 or mean_coverage(distributions, needed - 1) < wanted
    assert references_needed([Distribution((1e-12,), (1e12,))], 0.5) is None


def test_bias_scales_and_gain_turns():
    covered = AS_DISTRIBUTION.coverage(2)
    assert expected_bias(covered) == pytest.approx(1 - covered)
    assert expected_bias(covered, accuracy=0.5, share=0.25) == pytest.approx(expected_bias(covered) / 8)
    # Section 2.2, its lines one by one: P(y ∈ Y | correct) P(correct) α − (P(wrong) + P(correct) P(y ∉ Y)) β
    accuracy, reward, penalty = 0.6, 2.0, 3.0
    literal = covered * accuracy * reward - ((1 - accuracy) + accuracy * (1 - covered)) * penalty
    assert expected_gain(covered, accuracy=accuracy, reward=reward, penalty=penalty) == pytest.approx(literal)
    assert expected_gain(0.5) == 0


def test_kinds_of_answers():
    source = "The people 's lives are hard ."
    answers = ["The peoples lives are hard", "the people's lives are hard", "The people 's lives are very hard ."]
    assert len(set(answer_kinds(source, answers))) == 3
    assert len(set(answer_kinds(source, answers[:2], rule="official"))) == 1
    assert answer_kinds(source, answers, "index") == [(1, 2), (), ()]
    assert len(set(answer_kinds(source, answers, "index", "official"))) == 2  # an inserted word counts as different


def sentence(*answers, source="He go home ."):
    return AnsweredSentence(source, answers, id="1")


def test_perfect_corrector_with_one_answer_is_perfect_and_with_none_in_common_is_not():
    same = perfect_corrector([sentence(*["He goes home ."] * 5)], [1, 3], size=50, unedited=5, resamples=50)
    assert [s.score for s in same] == [1.0, 1.0]
    apart = [sentence("He goes home .", "He went home .", "He walks home .")]
    left_out = perfect_corrector(apart, [1, 2], size=60, unedited=0, resamples=50)
    assert [s.score for s in left_out] == [0.0, 0.0]
    published = perfect_corrector(apart, [1, 2], size=600, unedited=0, resamples=50, own_answer=True)
    assert published[0].score == pytest.approx(1 / 3, abs=0.06)
    assert published[1].score == pytest.approx(5 / 9, abs=0.06)
    assert published[0].interval.low < published[0].score < published[0].interval.high


def test_same_seed_same_study():
    answered = [sentence(*["He goes home ."] * 5, "He went home .", "He is going home .")]
    item, two = (coverage_of(answered, seed=4, resamples=3) for _ in range(2))
    assert item == two != coverage_of(answered, seed=5, resamples=3)
    json.dumps(item.to_dict(), allow_nan=False)


def test_estimates_lie_in_their_intervals():
    study = coverage_of([sentence(*["He goes home ."] * 9, *"abcdefghijk")], resamples=10)
    for point in study.curve:
        assert point.coverage_interval.low <= point.coverage <= point.coverage_interval.high
        assert point.coverage <= point.without_replacement + 0.03


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"references": []}, "references: expected numbers from 1"),
        ({"references": [10**6]}, "references: expected numbers from 1 to 1000"),
        ({"accuracy": 1.5}, "accuracy: expected a share from 0 to 1, got 1.5"),
        ({"wanted": [1.0]}, "wanted: expected shares between 0 and 1, got 1.0"),
        ({"reward": float("nan")}, "reward: expected a number from 0, got nan"),
        ({"penalty": float("inf")}, "penalty: expected a number from 0, got inf"),
        ({"samples": 0}, "samples: expected 1 to 100000, got 0"),
        ({"resamples": 10**9}, "resamples: expected 0 to 100000, got 1000000000"),
        ({"match": "fuzzy"}, "match, rule: expected one of"),
        ({"correct": 9}, "correct: expected 0 to 1 sentences, got 9"),
        ({"resamples": -1}, "resamples: expected 0 to 100000, got -1"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(OptionError, match=message):
        coverage_of([sentence("a", "b")], **{"resamples": 0, **options})


def test_input_is_checked():
    with pytest.raises(InputError, match="expected answers for sentence 1"):
        coverage_of([sentence()])
    with pytest.raises(InputError, match="two answers or more per sentence, got 1 for 'He go home"):
        perfect_corrector([sentence("a")])
    with pytest.raises(InputError, match=r"fingerprint: expected how many answers were given once, .* got no answer$"):
        unseen((0, 0))
    with pytest.raises(InputError, match=r"got -1 answers given 1500 times$"):
        unseen((0,) * 1499 + (-1,))


def test_command(sample, capsys):
    drawn = ["--charts", "pictures", "--chart-formats", "svg", "pdf"]
    options = ["--resamples", "2", "--size", "60", "--unedited", "6", "--correct", "2"]
    assert main(["coverage", "answers.jsonl", "-f", "json", *options, *drawn]) == 0
    actual = json.loads(capsys.readouterr().out)
    assert [study["match"] for study in actual["coverage"]] == ["exact", "index"]
    assert len(actual["coverage"][0]["sentences"]) == 6
    assert [score["references"] for score in actual["perfect_corrector"]] == [1, 2, 3, 5, 10, 20]
    assert {p.name for p in (sample / "pictures").iterdir()} == {
        *("accuracy.svg", "accuracy.pdf", "f-score.svg", "f-score.pdf")
    }
    assert (
        main(["coverage", "answers.jsonl", "--where", "level=B1", "--sentences", "--resamples", "0", "--no-f-score"])
        == 0
    )
    printed = capsys.readouterr().out
    assert "2 sentences, 32 answers" in printed
    assert "UNSEENEST" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["answers.jsonl", "--where", "level"], "--where: expected LABEL=VALUE of some sentence (labels: level)"),
        (["answers.jsonl", "--seed", "-1"], "--seed: expected 0 or more"),
        (["answers.jsonl", "--resamples", "0", "--unedited", "5000"], "unedited: expected 0 to 1311"),
        (["answers.jsonl", "--resamples", "0", "--beta", "-3"], "beta: expected a number"),
        (["answers.jsonl", "--resamples", "0", "--size", "0"], "size: expected 1 to 10000 sentences, got 0"),
        (["answers.jsonl", "--resamples", "0", "--size", "99999999999"], "size: expected 1 to 10000 sentences"),
        (["answers.jsonl", "--references", "0"], "references: expected numbers from 1"),
    ],
)
def test_command_refuses_in_one_line(sample, capsys, arguments, message):
    assert main(["coverage", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
