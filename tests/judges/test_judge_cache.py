"""Answers are paid for: none is lost, none is asked twice by two processes, and a cache that fails is told of."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judging_model import GOLD, GOOD, SOURCES, Model
from recte import InputError, OptionError
from recte.caching import result_cache
from recte.caching.disk_cache import DiskCache, KeyLocks

RUN = Path(__file__).with_name("two_runs.py")


@pytest.fixture(autouse=True)
def models():
    """No stub stands for the judge here."""


def slowly(seconds):
    def answer(model, content):
        time.sleep(seconds)
        model.reply(content, {"total_tokens": 100})

    return answer


def started(endpoint, first, last, at_once=2):
    """A process that judges some of the texts."""
    command = [sys.executable, RUN, endpoint, str(first), str(last), str(at_once)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def seen_texts():
    return sorted(item["messages"][1]["content"] for item in Model.seen)


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_two_processes_ask_everything_once(judge):
    """The same 30 texts, and 10 that only one of them has, at the same time."""
    Model.plan = [slowly(0.05)] * 1000
    runs = [started(judge().endpoint, 0, 30), started(judge().endpoint, 0, 40)]
    said = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    points, answers = zip(*(out.split() for out, _ in said), strict=True)
    assert points == ("5.0", "5.0")
    assert len(seen_texts()) == len(set(seen_texts())) == 40
    assert sum(map(int, answers)) == 40
    assert not any(err for _, err in said)


def test_what_a_killed_run_had_is_kept_and_the_other_goes_on(judge, tmp_path):
    Model.plan = [slowly(0.1)] * 1000
    first = started(judge().endpoint, 0, 20, at_once=1)
    wait_for(lambda: len(Model.seen) >= 3)
    second = started(judge().endpoint, 0, 20, at_once=1)
    wait_for(lambda: len(Model.seen) >= 6)
    first.kill()
    first.communicate(timeout=60)
    out, err = second.communicate(timeout=120)
    assert (second.returncode, err) == (0, "")
    assert out.split()[0] == "5.0"
    assert len(set(seen_texts())) == 20
    assert len(seen_texts()) <= 21  # the one on its way when it was killed
    third = started(judge().endpoint, 0, 20)
    assert third.communicate(timeout=60)[0].split() == ["5.0", "0"]
    assert not list(tmp_path.rglob("*.lock"))


def test_a_run_that_fails_leaves_its_work_to_others(judge, monkeypatch):
    Model.plan = ["401"]
    with pytest.raises(InputError, match="401"):
        judge(requests_at_once=1).score(GOLD, GOOD)
    monkeypatch.setattr(result_cache, "_memory", {})
    assert judge().score(GOLD, GOOD).points == 5.0
    assert len(Model.seen) == 4


def test_claims_are_seen_by_others_and_end_with_their_owner(tmp_path):
    cache = DiskCache(tmp_path / "some.sqlite")
    cache.check()
    with KeyLocks.of(cache) as first, KeyLocks.of(cache) as second:
        assert first.acquire([b"a", b"b"]) == {b"a", b"b"}
        assert second.acquire([b"b", b"c"]) == {b"c"}
        assert first.acquire([b"a", b"c"]) == {b"a"}
        second.release()
        assert first.acquire([b"c"]) == {b"c"}
    with KeyLocks.of(cache) as third:
        assert third.acquire([b"a", b"b", b"c"]) == {b"a", b"b", b"c"}
    assert [path.name for path in tmp_path.iterdir()] == ["some.sqlite"]


def test_many_writers_lose_nothing(tmp_path):
    code = (
        "import sys; from pathlib import Path; from recte.caching.disk_cache import DiskCache\n"
        "cache = DiskCache(Path(sys.argv[1]), 'here')\n"
        "for n in range(40): cache.write([(f'{sys.argv[2]}-{n}'.encode(), b'x' * 100)])\n"
    )
    path = tmp_path / "shared.sqlite"
    runs = [subprocess.Popen([sys.executable, "-c", code, path, str(number)]) for number in range(4)]
    assert [run.wait(timeout=120) for run in runs] == [0] * 4
    wanted = [f"{number}-{n}".encode() for number in range(4) for n in range(40)]
    assert len(DiskCache(path).read(wanted)) == 160
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def command(tmp_path, endpoint):
    (tmp_path / "source").write_text("\n".join(SOURCES) + "\n")
    (tmp_path / "a").write_text("\n".join(GOOD) + "\n")
    files = ["-s", tmp_path / "source", "-i", tmp_path / "a", "-m", "llm-judge", "--no-ci"]
    return [sys.executable, "-m", "recte", "score", *files, "--judge", "m1", "--endpoint", endpoint]


def ran(command, limit=None, **settings):
    """As a user: `limit` is the size that no file may pass, as on a full disk."""

    def full():
        import resource

        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    environment = {key: value for key, value in os.environ.items() if key != "RECTE_NEURAL_CACHE"} | settings
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, preexec_fn=full)


def test_a_named_cache_that_cannot_be_written_stops_before_anything_is_paid(judge, tmp_path):
    (tmp_path / "file").write_text("no folder")
    run = ran(command(tmp_path, judge().endpoint), RECTE_NEURAL_CACHE=str(tmp_path / "file" / "cache"))
    assert run.returncode == 2
    wanted = (
        f"recte: RECTE_NEURAL_CACHE: expected a folder that results can be kept in, got {tmp_path / 'file' / 'cache'}"
    )
    assert run.stderr == f"{wanted}: Not a directory\n"
    assert not Model.seen


def test_the_users_cache_is_done_without_and_a_line_says_so(judge, tmp_path):
    (tmp_path / "file").write_text("no folder")
    run = ran(command(tmp_path, judge().endpoint), XDG_CACHE_HOME=str(tmp_path / "file"))
    assert run.returncode == 0
    warnings = [line for line in run.stderr.splitlines() if "warning" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith(f"recte: warning: {tmp_path / 'file' / 'recte' / 'neural'}")
    assert warnings[0].endswith("nothing is kept for the next run: Not a directory")
    assert len(Model.seen) == 3
    quiet = ran([*command(tmp_path, judge().endpoint), "-q"], XDG_CACHE_HOME=str(tmp_path / "file"))
    assert (quiet.returncode, quiet.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("limit", [0, 8192])
def test_a_full_disk_is_told_of(judge, tmp_path, limit):
    """At once where the disk is full at once; in the middle of a run where there was some."""
    named = ran(command(tmp_path, judge().endpoint), limit, RECTE_NEURAL_CACHE=str(tmp_path / "full"))
    assert named.returncode == 2
    assert "RECTE_NEURAL_CACHE: expected a folder that results can be kept in" in named.stderr
    assert len(Model.seen) == 0 if limit == 0 else len(Model.seen) <= 3
    ours = ran(command(tmp_path, judge().endpoint), limit, XDG_CACHE_HOME=str(tmp_path / "home"))
    assert ours.returncode == 0
    assert ours.stderr.count("nothing is kept for the next run") == 1


def test_a_file_that_is_no_database_is_told_of(judge, tmp_path, monkeypatch):
    judge().score(GOLD, GOOD)
    (path,) = (tmp_path / "judgments").glob("*.sqlite")
    path.write_bytes(b"no database" * 1000)
    monkeypatch.setattr(result_cache, "_memory", {})
    with pytest.raises(OptionError, match=r"RECTE_NEURAL_CACHE: .*: file is not a database"):
        judge().score(GOLD, GOOD)


def test_without_a_cache_nothing_is_kept(judge, monkeypatch):
    monkeypatch.setenv("RECTE_NEURAL_CACHE", "off")
    for _ in range(2):
        monkeypatch.setattr(result_cache, "_memory", {})
        judge().score(GOLD, GOOD)
    assert len(Model.seen) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupt_ends_the_run_and_keeps_what_came(judge):
    """The server takes a minute for the third answer; nobody waits for it."""
    Model.plan = [slowly(0.01), slowly(0.01), *[slowly(60)] * 20]
    run = started(judge().endpoint, 0, 10, at_once=1)
    wait_for(lambda: len(Model.seen) >= 3)
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=30)[1].splitlines()[-1] == "KeyboardInterrupt"
    Model.plan, Model.seen = [], []
    assert started(judge().endpoint, 0, 10).communicate(timeout=60)[0].split() == ["5.0", "8"]
