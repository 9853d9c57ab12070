"""The scripts of docs/scale.md for batch systems count parts to the digits of the whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from cluster.part_files import write_parts
from recte.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"
PARTS = 10  # as the page has them


@pytest.fixture
def folder(tmp_path):
    """The page's scripts, a corpus in parts, and the same corpus whole."""
    write_parts(tmp_path, list(range(0, 60, 60 // PARTS)))
    (tmp_path / "one").rename(tmp_path / "wren")
    write_parts(tmp_path / "whole", [0])
    for name in ("count_part.sh", "score_parts.sh"):
        (tmp_path / name).write_text(script(name))
    return tmp_path


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def script(name: str) -> str:
    (text,) = (block for block in blocks("bash") if block.startswith(f"# {name}\n"))
    return text


def run(command: list[str], folder: Path, **variables: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **variables}
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def check_scores(folder: Path) -> None:
    """The parts score as the whole does."""
    assert len(list((folder / "counts").iterdir())) == PARTS
    whole = "recte score whole/gold/part-00.m2 whole/one/part-00.txt --names wren -f json"
    assert run(["bash", "score_parts.sh"], folder)
    in_parts = run(["recte", "score", "wren.counts", "-f", "json"], folder)
    assert json.loads(in_parts)["scores"] == json.loads(run(whole.split(), folder))["scores"]


def test_a_slurm_array(folder):
    (array,) = (block for block in blocks("bash") if "SLURM_ARRAY_TASK_ID" in block)
    (folder / "count_array.sh").write_text(array)
    first, last = map(int, re.search(r"--array=(\d+)-(\d+)", array).groups())
    assert (first, last) == (0, PARTS - 1)
    for number in range(first, last + 1):
        run(["bash", "count_array.sh"], folder, SLURM_ARRAY_TASK_ID=str(number))
    check_scores(folder)


def test_an_indexed_job_of_kubernetes(folder):
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, of the development extra")
    (text,) = blocks("yaml")
    job = yaml.safe_load(text)["spec"]
    assert (job["completionMode"], job["completions"]) == ("Indexed", PARTS)
    (container,) = job["template"]["spec"]["containers"]
    for number in range(job["completions"]):
        run(container["command"], folder, JOB_COMPLETION_INDEX=str(number))
    check_scores(folder)


def test_a_job_of_spark(folder, monkeypatch):
    """With a session that runs each task here: what the job asks of Spark is the task and nothing else."""

    class Session:
        sparkContext = types.SimpleNamespace(
            parallelize=lambda numbers, numSlices: types.SimpleNamespace(
                foreach=lambda task: [task(number) for number in numbers]
            )
        )

        def appName(self, name):
            return self

        def getOrCreate(self):
            return self

    module = types.ModuleType("pyspark.sql")
    module.SparkSession = types.SimpleNamespace(builder=Session())
    monkeypatch.setitem(sys.modules, "pyspark", types.ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", module)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    (job,) = (block for block in blocks("py") if "pyspark" in block)
    exec(compile(job, "job.py", "exec"), {})
    check_scores(folder)


@pytest.mark.parametrize("lost", [0, 4, PARTS - 1])
def test_a_part_that_is_missing_is_no_score(lost, folder):
    for number in range(PARTS):
        run(["bash", "count_part.sh", str(number)], folder)
    (folder / "counts" / f"part-{lost:02}.counts").unlink()
    with pytest.raises(subprocess.CalledProcessError) as error:
        run(["bash", "score_parts.sh"], folder)
    assert f"counts/part-{lost:02}.counts: no such file" in error.value.stderr


def test_sentences_that_no_part_has_are_a_warning(tmp_path, capsys, monkeypatch):
    write_parts(tmp_path, [0, 10, 20, 30, 40, 50])
    monkeypatch.chdir(tmp_path)
    for number in (1, 3, 4):
        pair = [f"gold/part-{number:02}.m2", f"one/part-{number:02}.txt"]
        command = ["count", *pair, "--names", "one", "--first", str(10 * number + 1), "-o", f"{number}.counts", "-q"]
        assert main(command) == 0
    merging = ["count", "--merge", "1.counts", "3.counts", "4.counts", "-o", "all.counts"]
    assert main([*merging, "--strict"]) == 2
    line = "all.counts: no counts of sentences 1 to 10, 21 to 30: is a part missing, or --first wrong?"
    assert line in capsys.readouterr().err
    assert not (tmp_path / "all.counts").exists()
    assert main(merging) == 0
    assert f"warning: {line}" in capsys.readouterr().err
    assert main(["count", "--merge", "3.counts", "4.counts", "1.counts", "-o", "all.counts", "-q"]) == 0
    assert capsys.readouterr().err == ""
