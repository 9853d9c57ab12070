"""Metrics of one number per sentence: decorated functions, subclasses, and both from plain files."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import recte
from example_metric.recte_word_overlap import WordOverlap, shared_words
from recte import Corpus, Edit, MetricError, OptionError
from recte.cli import main
from recte.errors import InputError
from recte.metrics import metric_class, metric_names, reference_texts, register

FILE = """
import recte
from recte.metrics import SentenceMetric, option

@recte.sentence_metric("same-length")
def same_length(source, hypothesis, references):
    return any(len(hypothesis.split()) == len(reference.split()) for reference in references)

class Shorter(SentenceMetric):
    name = "shorter"
    title = "Shorter"
    needs_references = False
    words: int = option(0, "by how many words at least", least=0)

    def score_sentence(self, source, hypothesis, references):
        assert references == []
        return len(hypothesis.split()) + self.words < len(source.split())

def plain(source, hypothesis, references):
    return 1.0

value = 3
"""
GOLD = Corpus.from_references(["a b", "c"], [["a b c", "c"]])
SYSTEMS = ["systems/heron.txt", "systems/wren.txt"]

pytestmark = pytest.mark.usefixtures("registered_metrics")


@pytest.fixture
def own_file(sample, monkeypatch):
    """The sample with the file `own_metrics.py` in its folder, which is the working folder."""
    text = FILE.replace(
        "class Shorter", "from dataclasses import dataclass\n\n@dataclass(frozen=True, kw_only=True)\nclass Shorter"
    )
    (sample / "own_metrics.py").write_text(text)
    yield sample
    sys.modules.pop("own_metrics", None)


def overlap(source, hypothesis, references):
    return float(hypothesis in references)


def test_a_function_becomes_a_metric():
    metric = recte.sentence_metric("own", title="Own", percentage=False)(overlap)
    assert metric("a", "b", ["b"]) == 1.0
    score = recte.score(GOLD, ["a b c", "d"], metric=metric, sentences=True)
    assert (score.score, score.metric, score.score_factor) == (0.5, "own", 1)
    assert [entry["score"] for entry in score.sentences] == [1.0, 0.0]
    assert register(metric) is metric
    assert recte.score(GOLD, ["a b c", "d"], metric="own").signature == score.signature
    gold = Corpus.from_references(["a"] * 9, [["b"] * 9])
    assert recte.confidence_interval(metric.prepare(gold).count(["a", "b", "c"] * 3)).high < 1


def test_the_function_and_the_class_agree_and_know_gold_edits():
    gold = Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))]]])
    assert reference_texts(gold) == [["He goes ."]]
    for metric in (shared_words, WordOverlap()):
        assert recte.score(gold, ["He goes ."], metric=metric).score == 1.0
        assert metric.prepare(gold).candidate_scores([["He go .", "He goes ."]]) == [[0.5, 1.0]]
    with pytest.raises(InputError, match="expected references for sentence"):
        shared_words.prepare(Corpus.from_references(["a"], []))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda s, h, r: 1 / 0, "odd: failed while scoring sentence 1: ZeroDivisionError"),
        (lambda s, h, r: float("nan"), "odd: expected a finite score for sentence 1, got nan"),
        (lambda s, h, r: None, "odd: failed while scoring sentence 1: TypeError"),
    ],
)
def test_a_function_that_fails_is_named(function, message):
    with pytest.raises(MetricError, match=message):
        recte.score(GOLD, ["a", "b"], metric=recte.sentence_metric("odd")(function))


def test_the_decorator_wants_a_name_that_is_free():
    with pytest.raises(OptionError, match="sentence_metric: expected a name, as in"):
        recte.sentence_metric.__wrapped__(overlap)
    with pytest.raises(OptionError, match="expected a new name, got 'gleu'"):
        register(recte.sentence_metric("gleu")(overlap))
    with pytest.raises(OptionError, match="metric: expected a name of letters, digits"):
        recte.sentence_metric("a b")


def test_metrics_of_a_plain_file_in_commands(own_file, capsys):
    def run(*arguments, code=0):
        assert main(list(arguments)) == code
        return capsys.readouterr()

    path = list(sys.path)
    name = "own_metrics:same_length"
    scores = json.loads(run("score", "gold.m2", *SYSTEMS, "-m", name, "own_metrics:Shorter", "-f", "json").out)[
        "scores"
    ]
    assert {score["metric"] for score in scores} == {"same-length", "shorter"}
    assert all("interval" in score for score in scores)
    more = json.loads(run("score", "gold.m2", *SYSTEMS, "-m", "own_metrics:Shorter", "--words", "2", "-f", "json").out)
    assert "shorter|words:2|" in more["scores"][0]["signature"]
    assert "same-length" in run("compare", "gold.m2", *SYSTEMS, "-m", name, "--trials", "100").out
    assert "same-length" in run("explain", "gold.m2", SYSTEMS[0], "-n", "2", "-m", name).out
    run("count", "gold.m2", SYSTEMS[0], "-m", name, "-o", "own.counts")
    assert "same-length" in run("score", "own.counts", "-m", name).out
    assert sys.path == path
    assert "same-length" in metric_names()
    assert metric_class("same-length") is metric_class(name)
    run("score", "gold.m2", SYSTEMS[0], "-m", str(own_file / "own_metrics.py") + ":Shorter", "-q")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_metrics:plain", "metric: expected a subclass of recte.Metric from own_metrics:plain, got a function; "),
        ("own_metrics:value", "metric: expected a subclass of recte.Metric from own_metrics:value, got a int; "),
        ("own_metrics:nosuch", "metric: expected a metric 'nosuch' in the module 'own_metrics', got none"),
        ("nosuch:Metric", "metric: cannot import 'nosuch': No module named 'nosuch'"),
        (":Metric", "metric: expected module:metric, got ':Metric'"),
        ("recte.metrics.gleu:Gleu", "metric: expected a new name, got 'gleu', which is taken"),
    ],
)
def test_what_is_no_metric_is_one_line(own_file, capsys, name, message):
    assert main(["score", "gold.m2", SYSTEMS[0], "-m", name]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"recte: {message}")
    assert told.count("\n") == 1


def test_an_installed_module_comes_before_a_file_of_its_name(own_file, capsys):
    (own_file / "json.py").write_text("raise SystemExit('never imported')")
    assert main(["score", "gold.m2", SYSTEMS[0], "-m", "json:Metric"]) == 2
    assert "expected a metric 'Metric' in the module 'json', got none" in capsys.readouterr().err


def test_a_metric_of_a_plain_file_can_be_pickled_for_another_process(own_file):
    metrics = [metric_class("own_metrics:Shorter")(words=3), metric_class("own_metrics:same_length")()]
    (own_file / "metrics.pickle").write_bytes(pickle.dumps(metrics))
    code = "import pickle; print(pickle.load(open('metrics.pickle', 'rb'))[0].options())"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, cwd=own_file)
    assert done.stdout == "{'words': 3}\n"
    assert pickle.loads(pickle.dumps(metrics)) == metrics

    class Child(type(metrics[0])):
        pass

    assert "loaded_as" not in vars(Child)


def test_rows_of_a_sentence_metric_are_floats():
    counts = shared_words.prepare(GOLD).count(["a b c", "c"])
    assert (counts.rows.dtype, counts.rows.shape) == (np.float64, (2, 1, 1))


def test_a_metric_scores_sentences_on_request():
    gold = recte.Corpus.from_references(["a b", "c"], [["a c", "c"]])
    metric = recte.metrics.SentenceAccuracy()
    assert metric.score(gold, ["a c", "d"]).sentences is None
    assert [entry["score"] for entry in metric.score(gold, ["a c", "d"], sentences=True).sentences] == [1.0, 0.0]
