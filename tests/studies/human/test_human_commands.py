"""recte rank and recte metaeval from the command line: what they print, draw, write and refuse."""

from __future__ import annotations

import json

import pytest

from recte.cli import main

SCORED = ["gold.m2", "systems/heron.txt", "systems/magpie.txt", "systems/wren.txt"]


def ran(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    return captured.err


def test_rank_as_json(sample, capsys):
    content = json.loads(ran(capsys, "rank", "judgments.tsv", "--method", "expected-wins", "trueskill", "-f", "json"))
    assert content["judgments"]["pairs"] == 186
    assert content["judgments"]["inter"]["comparisons"] == 66
    assert [ranking["method"] for ranking in content["rankings"]] == ["expected-wins", "trueskill"]
    first = content["rankings"][0]["systems"][0]
    assert first["system"] == "heron"
    assert first["interval"]["low"] < first["score"] < first["interval"]["high"]
    assert (first["interval"]["resamples"], first["interval"]["unit"]) == (1000, "sentences")


def test_rank_prints_every_table_in_every_format(sample, capsys):
    for name in ("text", "latex", "csv", "markdown"):
        printed = ran(capsys, "rank", "judgments.tsv", "--head-to-head", "--judges", "-f", name, "--resamples", "50")
        assert printed.count("heron") > 2
    assert "system,cluster,best rank,worst rank,score,low,high,wins" in ran(
        capsys, "rank", "judgments.tsv", "-f", "csv"
    )


def test_rank_without_a_system_and_by_every_unit(sample, capsys):
    for unit in ("pairs", "rankings", "sentences"):
        printed = ran(capsys, "rank", "judgments.tsv", "--without", "magpie", "--resample", unit, "--resamples", "50")
        assert "magpie" not in printed
    printed = ran(capsys, "rank", "judgments.tsv", "--method", "trueskill", "--resample", "runs", "--resamples", "50")
    assert "resample:runs" in printed


def test_signatures_tell_expanded_judgments_and_means_apart(sample, capsys):
    arguments = ["metaeval", "judgments.tsv", *SCORED, "-m", "m2", "--only", "system"]
    assert "|pairs:186|systems:3|trials" in ran(capsys, *arguments)
    assert "|systems:3|scores:sentence-means|" in ran(capsys, *arguments, "--sentence-means")


def test_rank_writes_our_own_table(sample, capsys):
    before = ran(capsys, "rank", "judgments.tsv", "-o", "again.tsv.gz")
    assert ran(capsys, "rank", "again.tsv.gz") == before


def test_charts_in_every_format(sample, capsys):
    ran(capsys, "rank", "judgments.tsv", "--charts", "drawn", "--chart-formats", "svg", "png", "pdf", "json")
    scores = ["--scores", "four.tsv"]
    (sample / "four.tsv").write_text(
        "".join(f"{m}\ta-b\tt\t{s}\t{v}\n" for m, values in FOUR.items() for s, v in values.items())
    )
    (sample / "human.tsv").write_text("".join(f"{s}\t{v}\n" for s, v in HUMAN.items()))
    ran(capsys, "metaeval", "human.tsv", *scores, "--charts", "drawn", "--chart-formats", "svg", "pdf")
    drawn = {path.name for path in (sample / "drawn").iterdir()}
    assert drawn == {
        *(f"ranking-expected-wins.{ending}" for ending in ("svg", "png", "pdf", "json")),
        *(f"{name}.{ending}" for name in ("scatter-human", "williams") for ending in ("svg", "pdf")),
    }
    ranking = (sample / "drawn" / "ranking-expected-wins.svg").read_text()
    scatter = (sample / "drawn" / "scatter-human.svg").read_text()
    assert all(f">{system}<" in ranking for system in ("heron", "wren", "magpie"))
    assert all(f">{system}<" in scatter for system in HUMAN)


def test_counts_files_stand_in_for_gold_and_systems(sample, capsys):
    wanted = ran(capsys, "metaeval", "judgments.tsv", *SCORED, "-m", "m2", "--intervals", "inputs")
    for system in SCORED[1:]:
        ran(capsys, "count", "gold.m2", system, "-o", f"{system}.counts")
    counts = [f"{system}.counts" for system in SCORED[1:]]
    assert ran(capsys, "metaeval", "judgments.tsv", *counts, "--intervals", "inputs") == wanted


HUMAN = {"a": 0.1, "b": 0.4, "c": 0.2, "d": 0.9, "e": 0.5}
FOUR = {
    "m2": {"a": 0.2, "b": 0.3, "c": 0.3, "d": 0.8, "e": 0.1},
    "gleu": {"a": 0.5, "b": 0.4, "c": 0.7, "d": 0.6, "e": 0.1},
}


def test_metaeval_as_json(sample, capsys):
    arguments = ["metaeval", "judgments.tsv", *SCORED, "-m", "m2", "gleu", "-f", "json", "--resamples", "50"]
    more = ["--intervals", "both", "--permute", "systems", "inputs", "both", "--trials", "50", "--leave-one-out"]
    content = json.loads(ran(capsys, *arguments, *more))
    (level,) = content["system_level"]
    assert level["human"] == "expected-wins"
    assert {m["metric"] for m in level["metrics"]} == {"m2", "gleu"}
    assert set(level["metrics"][0]["intervals"]) <= {"pearson", "spearman", "kendall", "pairwise_accuracy"}
    assert len(level["permutations"]) == 6
    assert content["sentence_level"]["first_sentence"] == 1
    assert content["human_ceiling"]["common"] == 132
    for metric in content["sentence_level"]["metrics"]:
        assert metric["signature"].startswith(f"{metric['metric']}|")


def test_metaeval_prints_everything(sample, capsys):
    arguments = ["metaeval", "judgments.tsv", *SCORED, "-m", "m2", "gleu", "--resamples", "50", "--trials", "50"]
    more = ["--method", "expected-wins", "expected-trueskill", "--permute", "both", "--leave-one-out", "--differences"]
    printed = ran(capsys, *arguments, *more, "--intervals", "inputs", "--sentence-means")
    for title in (
        "System level, Expected Wins",
        "TrueSkill without chance",
        "Permutation tests",
        "One system left out",
    ):
        assert title in printed
    assert "Paired differences" in printed
    assert "Sentence level" not in ran(capsys, *arguments, "--only", "system", "--method", "trueskill")
    assert "System level" not in ran(capsys, *arguments, "--only", "sentence")


def test_human_scores_and_metric_scores_from_files(sample, capsys):
    (sample / "human.tsv").write_text("".join(f"{s}\t{v}\n" for s, v in HUMAN.items()))
    (sample / "m.tsv").write_text(
        "".join(f"{m}\ta-b\tt\t{s}\t{v}\n" for m, values in FOUR.items() for s, v in values.items())
    )
    printed = ran(capsys, "metaeval", "human.tsv", "--scores", "m.tsv")
    assert "System level, human (5 systems)" in printed
    assert "Williams' test, human, Pearson r" in printed
    assert "(4 systems)" in ran(capsys, "metaeval", "human.tsv", "--scores", "m.tsv", "--without", "a")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rank", "nowhere.xml"], "nowhere.xml: no such file"),
        (
            ["rank", "judgments.tsv", "--document", "x"],
            "judgments.tsv: expected judgments of the document 'x', got those",
        ),
        (["metaeval", "judgments.tsv", *SCORED, "--permute", "both"], "permute: expected two metrics or more"),
        (["metaeval", "judgments.tsv", *SCORED, "--differences"], "--differences: expected two metrics or more"),
        (["rank", "gold.m2"], "gold.m2:1: expected rankings as XML, or a table with the columns"),
        (["rank", "judgments.tsv", "--resample", "runs"], "--resample runs: expected --method trueskill"),
        (["rank", "judgments.tsv", "--without", "owl"], "without: expected some of the systems heron, magpie, wren"),
        (["rank", "judgments.tsv", "--seed", "-1"], "seed: expected a number from 0"),
        (["rank", "judgments.tsv", "--seed", "9" * 20], "seed: expected a number from 0 to 2^64 - 1, got 9999"),
        (["metaeval", "judgments.tsv", *SCORED, "--method", "trueskill", "--seed", "9" * 20], "from 0 to 2^64 - 1"),
        (["rank", "judgments.tsv", "--resamples", "1"], "resamples: expected 2 to 1,000,000, got 1"),
        (["rank", "judgments.tsv", "--charts", "gold.m2/x"], "gold.m2/x: cannot be made"),
        (["metaeval", "judgments.tsv", *SCORED, "--level", "95"], "level: expected a number between 0 and 1, got 95"),
        (["metaeval", "judgments.tsv", *SCORED, "--trials", "0"], "trials: expected 1 to 1,000,000, got 0"),
        (["metaeval", "judgments.tsv"], "expected GOLD and systems to score, or --scores, got neither"),
        (["metaeval", "judgments.tsv", "-m", "m2"], "-m: expected GOLD and systems to score, got none"),
        (["metaeval", "judgments.tsv", "gold.m2"], "expected systems to score with the gold, got gold.m2 alone"),
        (["metaeval", "judgments.tsv", *SCORED[:3]], "m2: expected scores for every judged system, got none for wren"),
        (["metaeval", "labels.tsv", *SCORED], "labels.tsv:1: expected"),
        (["metaeval", "judgments.tsv", *SCORED, "--first-sentence", "0"], "expected sentences of a corpus of 40"),
    ],
)
def test_what_is_refused_in_one_line(sample, capsys, arguments, said):
    assert said in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (SCORED[:3], "m2: expected scores for every judged system, got none for wren"),
        ([*SCORED, "--system-order", "owl"], "--system-order: expected judged systems, got 'owl'"),
    ],
)
def test_what_judges_saw_is_looked_at_before_anything_is_scored(sample, capsys, monkeypatch, arguments, said):
    """Models take long, and some are paid."""
    monkeypatch.setattr("recte.cli.counted_systems.SystemSelection.count", None)
    assert said in refused(capsys, "metaeval", "judgments.tsv", *arguments)
