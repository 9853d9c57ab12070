"""A metric of another package, installed, in every command that knows metrics: recte has no line about it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sample_folder import write_sample

EXAMPLE = Path(__file__).parents[1] / "example_metric"
SYSTEMS = [f"systems/{name}.txt" for name in ("heron", "magpie", "wren")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package in it, and the sample."""
    pytest.importorskip("scikit_build_core")
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("example")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    shutil.copytree(EXAMPLE, folder / "source")
    target = ["--target", str(folder / "packages"), str(folder / "source")]
    subprocess.run([*command, *target], check=True, capture_output=True)
    return write_sample(folder)


@pytest.fixture
def recte(installed):
    def run(*arguments: str, code: int = 0) -> str:
        environment = {**os.environ, "PYTHONPATH": str(installed / "packages")}
        done = subprocess.run(
            [sys.executable, "-m", "recte", *arguments], cwd=installed, env=environment, capture_output=True, text=True
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    return run


def test_score_with_flags_and_intervals(recte):
    plain = json.loads(recte("score", "gold.m2", *SYSTEMS, "-m", "word-overlap", "-f", "json"))["scores"]
    folded = json.loads(recte("score", "gold.m2", SYSTEMS[0], "-m", "jaccard", "--ignore-case", "-f", "json"))["scores"]
    assert [score["system"] for score in plain] == ["heron", "magpie", "wren"]
    assert plain[0]["score"] <= folded[0]["score"] <= 1
    assert plain[0]["interval"]["low"] < plain[0]["score"] < plain[0]["interval"]["high"]
    assert "word-overlap|ignore_case:yes|" in folded[0]["signature"]
    assert "do-nothing" in recte("score", "gold.m2", *SYSTEMS, "-m", "word-overlap", "m2")
    assert "--word-overlap-seed" in recte("score", "--help", "all")
    recte("score", "gold.m2", *SYSTEMS, "-m", "word-overlap", "--word-overlap-seed", "3", "--seed", "4")
    assert "word-overlap" in recte("--list")


def test_a_function_is_a_metric_by_its_entry_point(recte):
    def scores_of(name):
        return json.loads(recte("score", "gold.m2", *SYSTEMS, "-m", name, "-f", "json"))["scores"]

    figures = [
        [(score["score"], score["interval"]) for score in scores_of(n)] for n in ("shared-words", "word-overlap")
    ]
    assert figures[0] == figures[1]
    assert recte("compare", "gold.m2", *SYSTEMS, "-m", "shared-words", "--trials", "100")


def test_compare(recte):
    actual = json.loads(recte("compare", "gold.m2", *SYSTEMS, "-m", "word-overlap", "-f", "json", "--trials", "500"))
    (comparison,) = actual["comparisons"]
    assert len(comparison["pairs"]) == 3
    assert "Word overlap" in recte("compare", "gold.m2", *SYSTEMS, "-m", "word-overlap", "--trials", "500")


def test_metaeval(recte):
    text = recte("metaeval", "judgments.tsv", "gold.m2", *SYSTEMS, "-m", "word-overlap", "gleu", "--resamples", "50")
    assert "word-overlap" in text


def test_explain(recte):
    text = recte("explain", "gold.m2", SYSTEMS[0], "-n", "3", "-m", "word-overlap")
    assert "shared words, of all words" in text


def test_report(recte, installed):
    pytest.importorskip("vl_convert")
    recte("report", "gold.m2", *SYSTEMS, "-m", "word-overlap", "m2", "-o", "page.html", "-q")
    page = (installed / "page.html").read_text()
    assert "Word overlap" in page
    assert "scores-word-overlap" in page


def test_counts_files(recte):
    for number, system in enumerate(SYSTEMS[:2]):
        recte("count", "gold.m2", system, "-m", "word-overlap", "-o", f"{number}.counts")
    whole = json.loads(recte("score", "gold.m2", *SYSTEMS[:2], "-m", "word-overlap", "-f", "json"))["scores"]
    counted = json.loads(recte("score", "0.counts", "1.counts", "-f", "json"))["scores"]
    assert counted == whole
    assert recte("compare", "0.counts", "1.counts", "--trials", "100")


def test_without_the_package_its_counts_are_refused_in_one_line(recte, installed):
    recte("count", "gold.m2", SYSTEMS[0], "-m", "word-overlap", "-o", "alone.counts")
    done = subprocess.run(
        [sys.executable, "-m", "recte", "score", "alone.counts"], cwd=installed, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("recte: metric: expected one of m2, ")
    assert done.stderr.count("\n") == 1
