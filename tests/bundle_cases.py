"""A small shared task in two languages, and submissions to it."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from recte.evaluation.inputs import GoldFiles
from recte.tasks.bundle.task_draft import task_draft
from sample_folder import write_sample

TASK = """
title = "Correction in two languages"
description = "One submission, two languages, one figure."
terms = "pages/terms.md"
logo = "logo.png"
image = "{image}"
email = "organisers@example.org"
{more}

[[pages]]
title = "Overview"
file = "pages/overview.md"

[[test_sets]]
name = "en"
title = "English"

[[test_sets]]
name = "zh"
title = "Chinese"

[[metrics]]
name = "m2"
figures = ["precision", "recall", "TP"]

[[metrics]]
name = "gleu"
test_sets = ["en"]

[[phases]]
name = "Development"
start = 2027-03-01T12:00:00+02:00
end = 2027-03-31T23:59:59Z
submissions_per_day = 10
submissions = 100
seconds = 300

[phases.data.en]
gold = "dev-en.m2"
baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]

[phases.data.zh]
gold = "sample/chinese/gold.m2"
baselines = ["baselines/magpie.txt", "baselines/wren.txt"]

[[phases]]
name = "Test"
start = 2027-04-01T00:00:00Z
end = 2027-04-07T23:59:59Z
submissions_per_day = 2
submissions = 5
{test}

[phases.data.en]
gold = "sample/gold.m2"
baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]

[phases.data.zh]
gold = "sample/chinese/gold.m2"
baselines = ["baselines/magpie.txt", "baselines/wren.txt"]
"""


def write_task(folder: Path, image: str = "", more: str = "", test: str = "") -> Path:
    """The task file, with everything it names, in an empty folder."""
    write_sample(folder / "sample")
    for path, content in task_draft([GoldFiles(gold=folder / "sample" / "gold.m2")], folder).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "dev-en.m2").write_bytes((folder / "sample" / "gold.m2").read_bytes())
    (folder / "baselines").mkdir()
    for name, bird in (("magpie", "swallow"), ("wren", "crane")):
        content = (folder / "sample" / "chinese" / "systems" / f"{bird}.txt").read_bytes()
        (folder / "baselines" / f"{name}.txt").write_bytes(content)
    ours = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
    path = folder / "TASK.toml"
    path.write_text(TASK.format(image=image or ours, more=more, test=test))
    return path


def submission(path: Path, **files: str | bytes) -> Path:
    """A zip; names of files are given with `_` for the point: `en_txt="..."`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return path


def files_in(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
