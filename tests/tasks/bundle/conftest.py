"""One task in two languages with two phases, its bundle, and wheels of what is installed; made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundle_cases import write_task
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.offline_check import CheckedBundle, read_bundle
from recte.tasks.bundle.task import Task
from recte.tasks.bundle.task_file import read_task


@pytest.fixture(scope="session")
def task_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("task")
    write_task(folder)
    return folder


@pytest.fixture(scope="session")
def task(task_folder) -> Task:
    return read_task(task_folder / "TASK.toml")


@pytest.fixture(scope="session")
def light_files(task) -> BundleFiles:
    """The whole bundle, without wheels: enough for whatever fails before anything is scored."""
    return bundle_files(task, [])


@pytest.fixture(scope="session")
def light_bundle(light_files) -> CheckedBundle:
    return read_bundle(BundleFiles.from_zipped("task.zip", zip_files({n: light_files.read(n) for n in light_files})))


@pytest.fixture
def good(task_folder) -> dict[str, bytes]:
    """The files of a submission that can be scored."""
    sample = task_folder / "sample"
    return {
        "en_txt": (sample / "systems" / "heron.txt").read_bytes(),
        "zh_txt": (sample / "chinese" / "systems" / "crane.txt").read_bytes(),
    }
