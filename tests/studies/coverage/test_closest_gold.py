"""References that follow the output."""

from __future__ import annotations

import json

import numpy as np
import pytest

from recte import Corpus, Gleu, MaxMatch, System
from recte.cli import main
from recte.errors import InputError
from recte.statistics.bootstrap import bootstrap_weights
from recte.studies.coverage.closest_gold import closest_gold_study

SOURCES = ["He go home .", "I has a cat .", "She eat it ."] * 5
FIXED = ["He went home .", "I have a cat .", "She ate it ."] * 5
# `loyal` gives the fixed references but for the last sentence; `free` corrects as well, in other words.
OUTPUTS = {"loyal": [*FIXED[:-1], SOURCES[-1]], "free": ["He goes home .", "I had a cat .", "She eats it ."] * 5}
CLOSEST = {"loyal": FIXED, "free": OUTPUTS["free"]}


@pytest.mark.parametrize("metric", [MaxMatch(), Gleu()])
def test_scores_and_shifts_are_those_of_the_metric(metric):
    gold = Corpus.from_references(SOURCES, [FIXED])
    study = closest_gold_study(gold, OUTPUTS, CLOSEST, metric=metric, resamples=200)
    weights = bootstrap_weights(len(SOURCES), 200, 12345)
    drawn = {}
    for actual in study.systems:
        system = System(actual.system, tuple(OUTPUTS[actual.system]))
        ours = Corpus.from_references(SOURCES, [CLOSEST[actual.system]])
        both = Corpus.from_references(SOURCES, [FIXED, CLOSEST[actual.system]])
        wanted = [metric.score(corpus, system).score for corpus in (gold, ours, both)]
        assert [actual.fixed, actual.own, actual.both] == pytest.approx(wanted)
        assert actual.shift == pytest.approx(wanted[1] - wanted[0])
        shifts = np.subtract(*(metric.score_many(metric.prepare(c).count(system), weights) for c in (ours, gold)))
        drawn[actual.system] = shifts
        assert [actual.interval.low, actual.interval.high] == pytest.approx(np.quantile(shifts, [0.025, 0.975]))
    difference = study.differences[0]
    assert (difference.first, difference.second) == ("loyal", "free")
    assert difference.difference == pytest.approx(study.systems[0].shift - study.systems[1].shift)
    assert difference.interval.low == pytest.approx(np.quantile(drawn["loyal"] - drawn["free"], 0.025))
    assert difference.p < 0.05


def test_an_order_that_turns_is_named():
    study = closest_gold_study(Corpus.from_references(SOURCES, [FIXED]), OUTPUTS, CLOSEST, resamples=200)
    assert study.kendall == -1.0
    assert [(t.better_on_fixed, t.better_on_own) for t in study.turned] == [("loyal", "free")]
    # It turns in every resample that draws the last sentence: 1 - (14/15)^15 of them.
    assert study.turned[0].share == pytest.approx(1 - (14 / 15) ** 15, abs=0.12)
    loyal, free = study.systems
    assert free.precision == 1.0
    assert loyal.recall == pytest.approx(0.0)


def test_few_sentences_have_no_intervals():
    gold = Corpus.from_references(SOURCES[:3], [FIXED[:3]])
    part = {name: texts[:3] for name, texts in OUTPUTS.items()}
    study = closest_gold_study(gold, part, part)
    assert study.systems[0].interval is None
    assert study.differences == ()


def test_what_is_missing_is_said():
    gold = Corpus.from_references(SOURCES, [FIXED])
    with pytest.raises(InputError, match="expected corrections of the output of every system, got none of free"):
        closest_gold_study(gold, OUTPUTS, {"loyal": FIXED})
    with pytest.raises(InputError, match="loyal: expected 15 corrections of its output, one for each source, got 2"):
        closest_gold_study(gold, OUTPUTS, {**CLOSEST, "loyal": FIXED[:2]})
    with pytest.raises(InputError, match="expected systems to score"):
        closest_gold_study(gold, {}, {})


def test_the_command(sample, capsys):
    arguments = ["closest", "gold.m2", "systems/heron.txt", "systems/wren.txt", "--closest", "systems/heron.txt"]
    assert main([*arguments, "-m", "m2"]) == 2
    assert "--closest: expected 2 files, one for each system, got 1" in capsys.readouterr().err
    arguments += ["systems/heron.txt", "--resamples", "50", "-m", "m2", "gleu"]
    assert main([*arguments, "-f", "json"]) == 0
    studies = json.loads(capsys.readouterr().out)["closest_gold"]
    assert [study["metric"] for study in studies] == ["m2", "gleu"]
    assert studies[0]["systems"][0]["own"] == 1.0  # corrected by itself
    assert main(arguments) == 0
    assert "References that follow the output, m2" in capsys.readouterr().out


def test_judges_say_which_order_is_nearer(sample, capsys):
    rows = [f"{system}\t{n}\t{score}\n" for system, score in (("heron", 4), ("wren", 3)) for n in range(1, 41)]
    (sample / "judge.tsv").write_text("".join(["system\tsentence\tscore\n", *rows]))
    arguments = ["closest", "gold.m2", "systems/heron.txt", "systems/wren.txt", "--resamples", "50"]
    arguments += ["--closest", "systems/wren.txt", "systems/heron.txt", "--scores", "judge.tsv"]
    assert main([*arguments, "-m", "m2", "-f", "json"]) == 0
    study = json.loads(capsys.readouterr().out)["closest_gold"][0]
    assert study["judged"] == [{"judge": "judge", "fixed": 1.0, "own": -1.0, "both": 1.0}]
    assert main([*arguments, "-m", "m2"]) == 0
    assert "Which order is nearer to a judge's?" in capsys.readouterr().out
    assert main([*arguments, "-f", "json"]) == 0  # the default metric stands with judges in files
    assert json.loads(capsys.readouterr().out)["closest_gold"] == [study]
    assert main([*arguments, "-m", "perplexity"]) == 2
    assert "a metric that compares with references, such as -m m2, got perplexity, judge" in capsys.readouterr().err
    (sample / "heron.two.txt").write_text((sample / "systems/heron.txt").read_text())
    arguments[2] = "heron.two.txt"
    assert main(arguments) == 2
    assert "expected scores of heron.two, got those of heron, wren; --names says" in capsys.readouterr().err
    assert main([*arguments, "--names", "heron", "wren"]) == 0


def test_the_signature_tells_closest_golds_apart():
    gold = Corpus.from_references(SOURCES, [FIXED])
    signed = [
        closest_gold_study(gold, OUTPUTS, closest, resamples=20).signature
        for closest in (CLOSEST, CLOSEST, {**CLOSEST, "loyal": OUTPUTS["free"]}, dict(OUTPUTS))
    ]
    assert signed[0] == signed[1]
    assert len(set(signed)) == 3
    assert "|closest:" in signed[0]
