"""The final ranking: submissions and baselines in one table, clusters, and the digits of `recte compare`."""

from __future__ import annotations

import csv
import json
import re
import shutil
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from bundle_cases import submission
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.statistics.intervals import Resampling
from recte.tasks.bundle.bundle_files import zip_files
from recte.tasks.bundle.final_ranking import Standing, final_ranking, mean_ranking, phase_named, ranking_of
from recte.tasks.bundle.ranking_tables import final_pages

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")
pytest.importorskip("vl_convert", reason="pages need vl-convert: pip install 'recte[report]'")


@pytest.fixture
def submissions(task_folder, tmp_path, good):
    folder = tmp_path / "submissions"
    folder.mkdir()
    submission(folder / "heron.zip", **good)
    submission(folder / "copy.zip", **good)
    submission(folder / "broken.zip", en_txt="x\n", zh_txt="y\n")
    return folder


def test_rankings_with_clusters(task, submissions, tmp_path):
    named = {path.stem: path for path in sorted(submissions.glob("*.zip"))}
    final = final_ranking(task, task.phases[1], named, tmp_path / "work")
    assert dict(final.refused) == {"broken": "en.txt: expected 40 lines, one for each sentence, got 1"}
    assert [ranking.title for ranking in final.rankings] == [
        "Mean of 2 test sets",
        "English: MaxMatch (M²)",
        "English: GLEU",
        "Chinese: MaxMatch (M²)",
    ]
    english = final.rankings[1]
    assert list(english.standings) == ["copy", "heron", "wren", "magpie"]
    # Six pairs, corrected by Holm: forty sentences no longer tell wren apart.
    assert english.ranks == {"copy": (1, 3), "heron": (1, 3), "wren": (1, 3), "magpie": (4, 4)}
    assert english.clusters == {"copy": 1, "heron": 1, "wren": 1, "magpie": 2}


def test_clusters_are_those_of_a_report(task, submissions, tmp_path):
    from recte.evaluation.evaluation import evaluate
    from recte.evaluation.inputs import read_corpus_and_systems

    final = final_ranking(task, task.phases[1], {"heron": submissions / "heron.zip"}, tmp_path / "work")
    item = final.sets[0]
    corpus, systems = read_corpus_and_systems(item.gold, final.outputs["en"])
    shown = evaluate(corpus, systems, item.metrics)
    for ranking, metric in zip(final.rankings[1:3], item.metrics, strict=True):
        comparison = shown.comparisons[metric.name]
        assert tuple(ranking.standings) == comparison.systems
        expected = {name: n for n, group in enumerate(comparison.clusters, 1) for name in group}
        assert ranking.clusters == expected
        assert ranking.ranks == comparison.rank_ranges
        for name, interval in zip(comparison.systems, comparison.intervals, strict=True):
            standing = ranking.standings[name]
            assert (standing.low, standing.high) == (100 * interval.low, 100 * interval.high)


def test_from_the_command_line(task_folder, submissions, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    task = ["--task", str(task_folder / "TASK.toml")]
    zips = [str(path) for path in sorted(submissions.glob("*.zip"))]
    assert main(["bundle", "leaderboard", *zips, *task, "--report", "pages"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[1].split() == ["system", "score", "95", "%", "ranks", "cluster"]
    assert "recte: warning: broken: left out: en.txt: expected 40 lines" in told.err
    assert sorted(path.name for path in Path("pages").iterdir()) == ["en.html", "index.html", "zh.html"]
    assert 'href="en.html"' in Path("pages/index.html").read_text()
    assert main(["bundle", "leaderboard", *zips, *task, "-f", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert rows[0][:3] == ["ranking", "system", "score"]
    assert {len(row) for row in rows} == {8}
    assert rows[0][2:] == ["score", "low", "high", "rank_from", "rank_to", "cluster"]
    assert all(re.fullmatch(r"\d+\.\d\d", cell) for row in rows[1:] for cell in row[2:5])
    assert all(cell.isdecimal() for row in rows[1:] for cell in row[5:])
    assert len({row[0] for row in rows[1:]}) == 4
    assert main(["bundle", "leaderboard", *zips, *task, "-f", "json", "--phase", "Development"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["phase"] == "Development"
    assert document["refused"][0]["system"] == "broken"
    first = document["rankings"][0]["systems"][0]
    assert set(first) == {"system", "score", "low", "high", "rank_from", "rank_to", "cluster"}


def test_a_folder_is_no_submission(task_folder, submissions, capsys):
    assert main(["bundle", "leaderboard", str(submissions), "--task", str(task_folder / "TASK.toml")]) == 2
    assert f"{submissions}: expected the zip of a submission, got a folder: name the zips" in capsys.readouterr().err


def test_implausible_submissions_are_told(task_folder, submissions, tmp_path, good, capsys):
    submission(submissions / "empty.zip", en_txt="\n" * 40, zh_txt=good["zh_txt"])
    zips = [str(submissions / f"{name}.zip") for name in ("empty", "heron")]
    task = ["--task", str(task_folder / "TASK.toml")]
    assert main(["bundle", "leaderboard", *zips, *task, "-f", "json"]) == 0
    told = capsys.readouterr()
    message = "40 of 40 lines are empty where the source is not, first line 1"
    assert f"recte: warning: en: empty: {message}\n" in told.err
    warnings = [item for item in json.loads(told.out)["warnings"] if item["level"] == "warning"]
    assert [(item["test_set"], item["where"], item["message"]) for item in warnings] == [("en", "empty", message)]


def test_the_pages_are_leaderboards(task, submissions, tmp_path):
    """One mechanism with `recte report --leaderboard`: tracks, links to sentences; one page where there is one set."""
    named = {name: submissions / f"{name}.zip" for name in ("heron", "copy")}
    final = final_ranking(task, task.phases[1], named, tmp_path / "work")
    pages = final_pages(final, "Our task", {"heron": ("open",)})
    assert list(pages) == ["index.html", "en.html", "zh.html"]
    assert "<option>open</option>" in pages["en.html"]
    assert 'href="#sentences?system=heron"' in pages["zh.html"]
    assert "Our task: English" in pages["en.html"]
    assert '<a href="index.html">All test sets</a>' in pages["en.html"]
    assert all(ranking.title in unescape(pages["index.html"]) for ranking in final.rankings)
    alone = replace(final, sets=final.sets[:1], rankings=final.rankings[1:3])
    assert list(final_pages(alone, "Our task")) == ["index.html"]
    with pytest.raises(OptionError, match="tracks: expected one of the systems"):
        final_pages(alone, "Our task", {"nobody": ("open",)})


def test_what_cannot_be_ranked(task, submissions, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        final_ranking(task, task.phases[1], {"x": tmp_path / "nowhere.zip"}, tmp_path / "a")
    with pytest.raises(OptionError, match="names: expected others than those of the baselines, got 'wren'"):
        final_ranking(task, task.phases[1], {"wren": submissions / "heron.zip"}, tmp_path / "b")
    with pytest.raises(OptionError, match="phase: expected one of Development, Test"):
        phase_named(task, "x")
    assert phase_named(task, None).name == "Test"


def test_why_too_few_are_left_is_said_first(task_folder, submissions, tmp_path, capsys):
    without = (task_folder / "TASK.toml").read_text().splitlines()
    lonely = task_folder / "lonely.toml"
    lonely.write_text("\n".join(line for line in without if not line.startswith("baselines")))
    pack = submissions / "pack.zip"
    pack.write_bytes(zip_files({"heron.zip": (submissions / "heron.zip").read_bytes(), "list.csv": b"x"}))
    try:
        assert main(["bundle", "leaderboard", str(submissions / "heron.zip"), "--task", str(lonely)]) == 0
        assert "heron" in capsys.readouterr().out
        assert main(["bundle", "leaderboard", str(pack), str(submissions / "broken.zip"), "--task", str(lonely)]) == 2
    finally:
        lonely.unlink()
    first, second, last = capsys.readouterr().err.splitlines()
    assert first.startswith(
        "recte: warning: pack: left out: expected one submission, got a zip of zips (heron.zip): unpack"
    )
    assert second.startswith("recte: warning: broken: left out: en.txt: expected 40 lines")
    assert last == "recte: expected systems to rank on en, got none"


def test_a_bomb_among_submissions_is_left_out(task, submissions, tmp_path):
    submission(submissions / "bomb.zip", en_txt=b"\n" * (2 << 20), zh_txt="x\n")
    named = {"bomb": submissions / "bomb.zip", "heron": submissions / "heron.zip"}
    final = final_ranking(task, task.phases[1], named, tmp_path / "work")
    assert dict(final.refused) == {"bomb": "en.txt: expected at most 1.0 MB, got 2.1 MB"}
    shutil.rmtree(tmp_path / "work")


def test_the_mean_draws_its_test_sets_apart():
    """Shuffled alike for all systems: equal systems stay equal, and sets do not move together."""
    how = Resampling(resamples=1000)
    values = np.random.default_rng(1).normal(50, 1, 1000)
    item = Standing(50.0, 48.0, 52.0, 50.0, values)
    means = mean_ranking([{"a": item, "b": item}, {"a": item, "b": item}], ["a", "b"], how)
    assert (means["a"].resamples == means["b"].resamples).all()
    assert means["a"].resamples.std() == pytest.approx(values.std() / 2**0.5, rel=0.1)
    ranking = ranking_of("x", means, higher_is_better=True)
    assert ranking.clusters == {"a": 1, "b": 1}


def test_lower_may_be_better():
    values = np.random.default_rng(1).normal(0, 0.1, 100)
    standings = {"bad": Standing(5.0, 4.9, 5.1, 5.0, 5 + values), "good": Standing(1.0, 0.9, 1.1, 1.0, 1 - values)}
    ranking = ranking_of("x", standings, higher_is_better=False)
    assert list(ranking.standings) == ["good", "bad"]
    assert ranking.ranks == {"bad": (2, 2), "good": (1, 1)}
    assert ranking.clusters == {"good": 1, "bad": 2}


def test_real_submissions_have_their_published_figures():
    """CoNLL-2014's AMU by MaxMatch and GLEU, as the scoring program and the final ranking count it."""
    from recte.evaluation.inputs import GoldFiles
    from recte.metrics.gleu import Gleu
    from recte.metrics.maxmatch import MaxMatch
    from recte.tasks.bundle.final_ranking import set_rankings
    from recte.tasks.bundle.scoring_task import ScoredSet
    from shared_data import shared

    systems = {name: shared("data", "conll14", "systems", f"{name}.txt") for name in ("AMU", "CAMB")}
    gold = GoldFiles(gold=shared("data", "conll14", "gold.m2"))
    actual = set_rankings(ScoredSet("en", "English", "en.txt", gold, (MaxMatch(), Gleu()), {}), systems, None)
    figures = {metric.name: f"{standings['AMU'].value:.4f}" for metric, standings in actual.items()}
    assert figures == {"m2": "35.0069", "gleu": "58.9564"}
