"""Rewards of a training loop: what a model would learn from them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import recte
from recte.formats.parallel import read_system
from recte.metrics import metric_class, metric_names
from recte.metrics.weighted_edits import WeightedEdits
from sample_folder import write_sample
from shared_data import shared

NEED_MODELS = ("some", "impara", "scribendi", "perplexity", "bertscore", "llm-judge", "pt-m2", "pt-errant")
REFUSE_EMPTY = ("csc", "cherrant")


def rows_with_errors(gold):
    """Places of the sentences in which every annotator corrects something."""
    return [place for place, sentence in enumerate(gold) if all(a.edits for a in sentence.annotations)]


@pytest.mark.parametrize("name", [name for name in metric_names() if name not in (*NEED_MODELS, *REFUSE_EMPTY)])
def test_metrics_say_whether_an_empty_output_can_win(name, tmp_path):
    gold = recte.read_m2(write_sample(tmp_path) / "gold.m2")
    rows = rows_with_errors(gold)
    metric = metric_class(name)()
    scorer = metric.prepare(gold)
    sign = 1 if metric.higher_is_better else -1

    def mean_reward(outputs):
        return sign * metric.sentence_scores(scorer.count(outputs))[rows].mean()

    assert (mean_reward([""] * len(gold)) > mean_reward(list(gold.unchanged))) == metric.empty_can_win


def test_a_reward_by_which_silence_pays_is_a_warning():
    for metric in ("m2", "hoo", metric_class("pt-m2")(), WeightedEdits(recte.MaxMatch(), "length")):
        with pytest.warns(RuntimeWarning, match="as a reward: an empty output can score above the unchanged source"):
            recte.reward(metric)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metric in ("errant", "gleu", "cleme"):
            recte.reward(metric)


def test_conll14_pays_as_documented():
    """The table of docs/training.md: the mean over the sentences that both references change."""
    folder = shared("data", "conll14")
    source = read_system(folder / "source.txt").outputs
    references = [read_system(folder / "references" / f"ref{n}.txt").outputs for n in (0, 1)]
    camb = read_system(folder / "systems" / "CAMB.txt").outputs
    rows = [n for n, text in enumerate(source) if all(of_set[n] != text for of_set in references)]
    assert len(rows) == 890
    sources = [source[n] for n in rows]
    columns = {"source": sources, "references": [[of_set[n] for of_set in references] for n in rows]}
    outputs = {
        "copy": sources,
        "empty": [""] * 890,
        "x y z": ["x y z"] * 890,
        "another": [*sources[1:], sources[0]],
        "camb": [camb[n] for n in rows],
    }
    paid = {"m2": (0.000, 0.158, 0.158, 0.169, 0.309), "errant": (0.000, 0.000, 0.000, 0.005, 0.317)}
    for name, expected in paid.items():
        with warnings.catch_warnings(action="ignore"):
            reward = recte.reward(name)
        means = [float(np.mean(reward(completions=texts, **columns))) for texts in outputs.values()]
        assert means == pytest.approx(expected, abs=0.0005), name


def test_references_as_sets_are_refused_with_what_was_expected():
    sources = ["He go home .", "She run fast .", "They is here ."]
    corrected = ["He goes home .", "She runs fast .", "They are here ."]
    score, sets = recte.reward("errant"), [corrected, sources, corrected]
    rows = [list(row) for row in zip(*sets, strict=True)]
    assert score(completions=corrected, source=sources, references=rows) == [1.0] * 3
    with pytest.raises(recte.InputError, match="expected a list for each sentence, got what looks like a list for"):
        score(completions=corrected, source=sources, references=sets)
