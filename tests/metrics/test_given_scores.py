"""Judges whose scores stand in files: metrics with intervals and tests like our own."""

from __future__ import annotations

import json

import numpy as np
import pytest

from recte import Corpus, Resampling, System, compare_systems, confidence_interval
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.formats.metric_scores import read_metric_scores
from recte.metrics.given_scores import given_metric

SCORED = ["gold.m2", "systems/heron.txt", "systems/magpie.txt", "systems/wren.txt"]


@pytest.fixture
def sample(sample):
    """With a judge's scores added."""
    generator = np.random.default_rng(3)
    rows = [
        {"metric": "llm", "system": system, "sentence": n + 1, "score": round(float(generator.normal(mean, 1)), 2)}
        for system, mean in (("heron", 4.0), ("magpie", 2.0), ("wren", 3.0))
        for n in range(40)
    ]
    (sample / "llm.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return sample


def test_a_judge_is_a_metric():
    corpus = Corpus.from_references(["a"] * 12, [["A"] * 12])
    judge = given_metric("llm", {"x": np.arange(12.0), "y": np.arange(12.0) + 1}, scale=2)
    counts = [judge.prepare(corpus).count(System(name, ("b",) * 12)) for name in ("x", "y")]
    assert judge.score_counts(counts[0]).score == pytest.approx(5.5 / 2)
    assert judge.sentence_scores(counts[1])[0] == 0.5
    assert "scores:llm@" in judge.signature(counts[0])
    assert "scale:2" in judge.signature(counts[0])
    interval = confidence_interval(counts[0], metric=judge, resampling=Resampling(resamples=200))
    assert interval.low < 2.75 < interval.high
    assert compare_systems(counts, metric=judge).pairs[0].difference == pytest.approx(0.5)  # the better first
    part = judge.prepare(corpus[3:5]).count(System("x", ("b", "b")))
    assert judge.sentence_scores(part).tolist() == [1.5, 2.0]


def test_what_a_judge_cannot_score():
    corpus = Corpus.from_references(["a", "b"], [["A", "B"]])
    judge = given_metric("llm", {"x": [1.0]})
    with pytest.raises(InputError, match="llm: expected a score for each sentence of x, got 1, none for sentence 2"):
        judge.prepare(corpus).count(System("x", ("a", "b")))
    with pytest.raises(InputError, match="llm: expected scores of y, got those of x"):
        judge.prepare(corpus).count(System("y", ("a", "b")))
    with pytest.raises(OptionError, match="expected a system whose sentences were scored, got other texts"):
        judge.prepare(corpus).candidate_scores([["a"], ["b"]])
    with pytest.raises(OptionError, match="metric: expected a new name, got 'm2', which is taken"):
        given_metric("m2", {"x": [1.0]})
    with pytest.raises(InputError, match="llm: expected finite scores"):
        given_metric("llm", {"x": [float("nan")]})
    with pytest.raises(OptionError, match="scale: expected a number above 0, got 0"):
        given_metric("llm", {"x": [1.0]}, scale=0)


def test_judges_in_score_compare_and_report(sample, capsys):
    assert main(["score", *SCORED, "--scores", "llm.jsonl", "--scale", "100", "-f", "json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert [(s["metric"], s["system"]) for s in scores] == [("llm", s) for s in ("heron", "magpie", "wren")]
    assert 0.03 < scores[0]["score"] < 0.05
    assert scores[0]["interval"]["low"] < scores[0]["score"]
    assert main(["score", *SCORED, "--scores", "llm.jsonl", "-m", "gleu", "--no-ci"]) == 0
    printed = capsys.readouterr().out
    assert "llm" in printed
    assert "GLEU" in printed
    assert main(["compare", *SCORED, "--scores", "llm.jsonl", "--trials", "200"]) == 0
    assert "heron" in capsys.readouterr().out
    arguments = ["report", *SCORED, "--scores", "llm.jsonl", "-m", "m2", "-o", "page.html", "-q", "--resamples", "50"]
    assert main(arguments) == 0
    assert "llm" in (sample / "page.html").read_text()
    (sample / "systems.tsv").write_text("heron\t0.5\n")
    assert main(["score", *SCORED, "--scores", "systems.tsv"]) == 2
    assert "expected scores of sentences, got scores of systems alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "j.jsonl",
            '{"system": "a", "sentence": -1, "score": 1}\n',
            "j.jsonl:1: expected the number of a sentence, got '-1'",
        ),
        ("j.jsonl", '{"system": 3, "score": 1}\n', "expected metric and system as text"),
        ("j.jsonl", '{"system": "a", "score": null}\n', "expected a number as score, got 'None'"),
        ("j.jsonl", "{x\n", "expected a JSON object, got '{x'"),
        ("j.tsv", "system\tsentence\tscore\na\tx\t1\n", "j.tsv:2: expected the number of a sentence, got 'x'"),
        ("j.tsv", "system\tsentence\tscore\na\t1\n", "j.tsv:2: expected 3 columns as in the header, got 2"),
        ("j.tsv", "a\t1\t0.5\n", "j.tsv:1: expected a header with system, score and perhaps sentence"),
        ("m-ref.seg.score", "a 1 2\n", "m-ref.seg.score:1: expected a system and its score, got 3 columns"),
    ],
)
def test_wrong_files_of_scores(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        read_metric_scores(tmp_path / name)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("llm.tsv", "system\tsentence\tscore\na\t1\t4\na\t2\t5\n", {"llm": {"a": (4.0, 5.0)}}),
        ("llm.tsv", "Score\tmetric\tsystem\twhy\tsentence\n4\tfluent\ta\tso\t0\n", {"fluent": {"a": (4.0,)}}),
        ("llm.csv", 'system,sentence,score,why\n"a",1,4,"good, really"\n', {"llm": {"a": (4.0,)}}),
    ],
)
def test_a_header_names_the_columns(tmp_path, name, text, wanted):
    (tmp_path / name).write_text(text)
    assert read_metric_scores(tmp_path / name).sentences == wanted


def test_a_judge_in_explain_and_a_hint_at_its_scale(sample, capsys):
    rows = [f"{system}\t{n}\t{3 + n % 2}\n" for system in ("heron", "magpie", "wren") for n in range(1, 41)]
    (sample / "llm.tsv").write_text("".join(["system\tsentence\tscore\n", *rows]))
    assert main(["explain", *SCORED[:2], "--scores", "llm.tsv", "--scale", "5", "-n", "3"]) == 0
    assert "score 80.00: the score given for it" in capsys.readouterr().out
    assert main(["score", *SCORED, "--scores", "llm.tsv", "--no-ci"]) == 0
    assert "out of range: scores are printed as percentages, and --scale divides given ones" in capsys.readouterr().out
    assert main(["score", *SCORED, "--scores", "llm.tsv", "--no-ci", "--scale", "5"]) == 0
    assert "out of range" not in capsys.readouterr().out


def test_scores_of_lines_that_cannot_be_annotated_are_passed_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.para").write_text("1\t我好\t我很好\n2\t乱\t无法标注\n3\t他好\t他很好\n", encoding="utf-8")
    (tmp_path / "mine.txt").write_text("我很好\n乱\n他好\n", encoding="utf-8")
    (tmp_path / "llm.tsv").write_text("system\tsentence\tscore\nmine\t1\t0.2\nmine\t2\t1\nmine\t3\t0.4\n")
    assert main(["score", "gold.para", "mine.txt", "--scores", "llm.tsv", "-b"]) == 0
    assert capsys.readouterr().out == "30.00\n"


def test_judges_need_no_references(sample, capsys):
    (sample / "source.txt").write_text("He go .\n" * 40)
    assert main(["score", "-s", "source.txt", *SCORED[1:], "--scores", "llm.jsonl", "--no-ci", "-b"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_system_scores_of_mt_metrics_eval(tmp_path):
    path = tmp_path / "en.mqm.sys.score"
    path.write_text("b 0.5\na\t1\nc None\n")
    assert read_metric_scores(path).systems == {"en.mqm": {"b": 0.5, "a": 1.0}}


def test_segment_scores_of_mt_metrics_eval(tmp_path):
    path = tmp_path / "COMET-refA.seg.score"
    path.write_text("b 0.5\nb\t0.25\na  1\na 2\n")
    assert read_metric_scores(path).sentences == {"COMET": {"b": (0.5, 0.25), "a": (1.0, 2.0)}}
