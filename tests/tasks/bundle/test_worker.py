"""The platform's worker, offline: every case that was run on the real one ends the same way."""

from __future__ import annotations

import json
import socket
import sys
import zipfile
from pathlib import Path

import pytest

from recte.errors import OptionError
from recte.tasks.bundle.bundle_files import BundleFiles
from recte.tasks.bundle.program.submission_check import BadSubmissionError
from recte.tasks.bundle.worker import FreshEnvironment, network_can_be_off, run_submission
from shared_data import golden

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
REFERENCE = BundleFiles("reference", {"gold.txt": b"gold\n"})
LISTING = (
    "import json, pathlib; app = pathlib.Path('..').resolve(); i = app / 'input';"
    "print(sorted(str(p.relative_to(i)) for p in i.rglob('*') if p.is_file()));"
)
GOOD = LISTING + "(app / 'output' / 'scores.json').write_text(json.dumps({'f05': 0.5}))"


def writes(name: str, content: str) -> str:
    return f"import pathlib; pathlib.Path('../output/{name}').write_text({content!r})"


def program(code: str, metadata: str | None = "command: python3 score.py\n") -> dict[str, bytes]:
    files = {"score.py": code.encode()}
    return files if metadata is None else {**files, "metadata.yaml": metadata.encode()}


TEXT = {"en.txt": "a\n"}
SUBMITTED_COMMAND = {
    "metadata": "command: python3 $program/make.py $output\n",
    "make.py": "import sys; open(sys.argv[1] + '/en.txt', 'w').write('a')",
}
# Each case of the real worker: what was sent, and the scoring program.
CASES = {
    "good": (TEXT, program(GOOD)),
    "nested folder + mac files": (
        {"sub/en.txt": "a\n", "__MACOSX/._en.txt": "x", ".DS_Store": "x"},
        program(GOOD),
    ),
    "zip slip": ({"../../evil.txt": "x", "/abs.txt": "x", "en.txt": "a\n"}, program(GOOD)),
    "exit 1": (TEXT, program("import sys; print('bad: 3 lines, expected 5'); sys.exit(1)")),
    "exit 1 with scores": (TEXT, program(GOOD + "; import sys; sys.exit(1)")),
    "exit 0 no scores": (TEXT, program("print('hm')")),
    "bad json": (TEXT, program(writes("scores.json", "{f05: 1"))),
    "NaN": (TEXT, program(writes("scores.json", '{"f05": NaN}'))),
    "scores.txt": (TEXT, program(writes("scores.txt", "f05: 0.25\n"))),
    "empty scores.txt": (TEXT, program(writes("scores.txt", ""))),
    "writes metadata": (TEXT, program(GOOD + "; (app / 'output' / 'metadata').write_text('x')")),
    "submission with metadata, no command": ({"metadata": "x: y\n", "en.txt": "a\n"}, program(GOOD)),
    "submission with command": (SUBMITTED_COMMAND, program(GOOD)),
    "not a zip": (None, program(GOOD)),
    "empty zip": ({}, program(GOOD)),
    "no command in scoring": (TEXT, program(GOOD, "description: x\n")),
    "no metadata in scoring": (TEXT, program(GOOD, None)),
    "shell operators": (TEXT, program("", "command: echo a && python3 score.py > x\n")),
    "crash": (TEXT, program("raise ValueError('gold')")),
}


def sent(folder: Path, files: dict[str, str] | None) -> Path:
    path = folder / "submission.zip"
    if files is None:
        path.write_text("not a zip")
        return path
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def outcome(folder: Path, files, scoring, **options):
    (folder / "work").mkdir()
    return run_submission(
        BundleFiles("program", scoring),
        REFERENCE,
        sent(folder, files),
        folder / "work",
        **{"python": PYTHON, "seconds": 60, "largest": 1 << 20, "run_code": True, **options},
    )


def test_every_case_is_here():
    lines = golden("shared-tasks/worker.tsv").read_text().splitlines()
    assert sorted(line.split("\t")[0] for line in lines[1:]) == sorted(CASES)


@pytest.mark.parametrize("case", CASES)
def test_as_the_real_worker(case, tmp_path):
    rows = [line.split("\t") for line in golden("shared-tasks/worker.tsv").read_text().splitlines()]
    row = next(dict(zip(rows[0], cells, strict=False)) for cells in rows if cells[0] == case)
    actual = outcome(tmp_path, *CASES[case])
    assert actual.status == row["final status"]
    tooltip = row["tooltip"].replace("Metadata file not found", "Bad or empty zip file")  # what the site shows of it
    assert actual.tooltip.startswith(tooltip[:55]) if tooltip else actual.tooltip == ""
    scores = json.loads(row["scores sent"])
    if case == "NaN":
        assert actual.scores == {}  # Finished, and nothing was sent
        assert actual.problems({"f05": "F0.5"})
        assert "n/a would rank first" in str(actual.refusal({"f05": "F0.5"}))
    else:
        assert [actual.scores] == (scores or [None])
    if case == "shell operators":
        assert actual.stdout == "a && python3 score.py > x\n"
    elif row["scoring stdout"].startswith("["):
        assert actual.stdout.strip() == row["scoring stdout"]
    if row["files kept from the scoring output"] != "null":
        assert list(actual.kept) == json.loads(row["files kept from the scoring output"])


def test_names_that_lead_out_of_the_zip_are_told_and_do_no_harm(tmp_path):
    actual = outcome(tmp_path, *CASES["zip slip"])
    assert [note.split(":")[0] for note in actual.notes] == ["../../evil.txt", "/abs.txt"]
    assert not list(tmp_path.parent.glob("evil.txt"))
    assert not Path("/abs.txt").exists()


def test_a_command_is_run_only_where_that_is_asked_for(tmp_path):
    with pytest.raises(OptionError, match="--run-code runs it here"):
        outcome(tmp_path, *CASES["submission with command"], run_code=False)


def test_a_bomb_is_not_unpacked(tmp_path):
    with pytest.raises(BadSubmissionError, match=r"expected at most 1\.0 MB when unpacked, got more"):
        outcome(tmp_path, {"en.txt": "a" * (2 << 20)}, program(GOOD))
    (tmp_path / "more").mkdir()
    many = {f"{n}.txt": "" for n in range(10_001)}
    with pytest.raises(BadSubmissionError, match="expected at most 10000 files in the zip, got 10001"):
        outcome(tmp_path / "more", many, program(GOOD))


def test_a_program_that_takes_too_long(tmp_path):
    actual = outcome(tmp_path, TEXT, program("import time; time.sleep(60)"), seconds=1)
    assert (actual.status, actual.tooltip) == ("Failed", "Execution Time Limit exceeded. Limit was 1 seconds")


def test_scores_that_the_platform_drops_are_told(tmp_path):
    actual = outcome(tmp_path, TEXT, program(writes("scores.json", '{"f05": null, "p": "0.5x"}')))
    assert actual.status == "Finished"
    assert len(actual.problems({"f05": "F0.5", "p": "Precision", "r": "Recall"})) == 3


def test_the_environment_is_fresh_and_has_no_network(tmp_path, monkeypatch):
    if not network_can_be_off():
        pytest.skip("needs unshare, to turn the network off")
    monkeypatch.setenv("SECRET", "x")
    environment = FreshEnvironment(tmp_path, PYTHON)
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = (
            "import os, socket, importlib.util as u;"
            "print('SECRET' in os.environ, u.find_spec('numpy'), u.find_spec('recte'));"
            f"print(socket.socket().connect_ex(('127.0.0.1', {server.getsockname()[1]})) != 0)"
        )
        actual = environment.run(["python3", "-c", code], tmp_path, 60)
    assert actual.stdout == "False None None\nTrue\n"


def test_a_python_that_is_not_here(tmp_path):
    from recte.errors import InputError

    with pytest.raises(InputError, match=r"expected Python 3\.99"):
        FreshEnvironment(tmp_path, "3.99")
