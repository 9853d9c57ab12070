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
