"""EvalAI's evaluation script around a bundle's scoring: `test_annotation_file` is a zip of a phase's reference data.

`recte bundle codabench` writes that folder (`reference_data/0`, `reference_data/1`, ...) into the bundle. The figures
are those that Codabench would show, by the keys of its columns.
"""

import json
import tempfile
from pathlib import Path

from recte.tasks.bundle.bundle_files import BundleFiles
from recte.tasks.bundle.program.run_scoring import finite, run_scoring
from recte.tasks.bundle.program.submission_check import ExpectedFile, find_files, unpack

LARGEST = 1 << 30  # bytes of a submission, unpacked


def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    """What EvalAI shows; a submission that cannot be scored fails with the one line that says why."""
    with tempfile.TemporaryDirectory() as folder:
        reference, submission, wheels = (Path(folder, name) for name in ("ref", "res", "wheels"))
        submission.mkdir()
        BundleFiles.from_zip(test_annotation_file).write_to(reference)
        task = json.loads((reference / "task.json").read_text("utf-8"))
        expected = tuple(ExpectedFile(**limits) for limits in task["files"])
        unpack(Path(user_submission_file), submission, LARGEST, expected)
        files, notes = find_files(submission, list(expected))
        result = run_scoring(wheels, reference, files, task)
    figures = {column["key"]: finite(column, result["scores"]) for column in task["columns"]}
    print("\n".join([*notes, *result["lines"]]))  # EvalAI keeps it as the submission's log
    return {"result": [{phase_codename: figures}], "submission_result": figures}
