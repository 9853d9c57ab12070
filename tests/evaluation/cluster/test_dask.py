"""Parts on a real cluster of two processes: lost workers, a lost driver, the command line."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from recte.cluster import dask_engine

import recte
from cluster.part_files import write_parts
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.evaluation.cluster.corpus_parts import pair_parts
from recte.evaluation.cluster.counting_run import CountingRun
from recte.evaluation.cluster.dask_engine import DaskEngine, connect
from recte.evaluation.cluster.part_counting import CountingJob
from recte.evaluation.inputs import GoldFiles
from recte.statistics import drawing

pytest.importorskip("distributed", reason="needs the extra cluster")
pytestmark = pytest.mark.xdist_group("cluster")
CUTS = [0, 10, 20, 30, 40, 50]
PATIENCE = 120  # seconds; a loaded machine may be slow


@pytest.fixture(scope="module")
def engine():
    with connect("local:2") as actual:
        yield actual


def wait_until(true):
    for _ in range(20 * PATIENCE):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


@pytest.fixture(autouse=True)
def _bounded():
    """A test that waits longer than this fails, with the line where it waits."""

    def fail(*_):
        raise AssertionError(f"the test took longer than {5 * PATIENCE} seconds")

    former = signal.signal(signal.SIGALRM, fail)
    signal.alarm(5 * PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)


class Gate:
    """A part of the system `one` as a pipe: whoever reads it waits until `open` writes its text.

    Nothing here waits for ever: a pipe that nobody reads ends the test. At the end of the block a plain file takes the
    pipe's place, and whoever still waits for the pipe finds it empty.
    """

    def __init__(self, folder):
        self.path = folder / "one" / "part-03.txt"
        self.text = self.path.read_text()
        self.path.unlink()
        os.mkfifo(self.path)
        self.pipe = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        both_ends = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)  # lets go whoever waits for a writer
        plain = self.path.with_suffix(".plain")
        plain.write_text(self.text)
        plain.replace(self.path)
        for end in (both_ends, self.pipe):
            if end is not None:
                os.close(end)

    def wait_for_reader(self):
        """Return when a worker has opened the pipe, and so runs the task that reads it."""
        wait_until(self._has_reader)

    def _has_reader(self):
        try:
            self.pipe = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:  # which says that there is no reader
                raise
        return self.pipe is not None

    def open(self):
        """Give the text to the reader; where it was killed, to the next one."""
        wait_until(self._is_written)

    def _is_written(self):
        try:
            os.write(self.pipe, self.text.encode())
        except BrokenPipeError:
            return False
        return True


def test_a_cluster_gives_what_one_process_gives(engine, tmp_path, monkeypatch):
    write_parts(tmp_path, CUTS)
    gold, systems = f"{tmp_path}/gold/*.m2", [f"{tmp_path}/one", f"{tmp_path}/two"]
    for metric in ("m2", "imeasure"):
        here = recte.cluster.count(gold, systems, metric=metric)
        assert recte.cluster.count(gold, systems, metric=metric, client=engine.client) == here
        for poisson_from in (100_000, 10):  # rows come here, or sums
            monkeypatch.setattr(drawing, "POISSON_FROM", poisson_from)
            how = {"metric": metric, "resampling": recte.Resampling(resamples=100)}
            expected = recte.cluster.score(gold, systems, **how)
            assert recte.cluster.score(gold, systems, client=engine.client, **how) == expected
    assert engine.dashboard.startswith("http")


@pytest.mark.parametrize("call", ["count", "score"])
def test_a_worker_killed_in_mid_run_loses_nothing(call, engine, tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "POISSON_FROM", 10)  # scores from sums
    write_parts(tmp_path, CUTS)
    how = {"resampling": recte.Resampling(resamples=100)} if call == "score" else {}
    expected = getattr(recte.cluster, call)(f"{tmp_path}/gold", [f"{tmp_path}/one"], **how)
    before = dict(engine.client.run(os.getpid))
    killed = []

    def at_work():
        return [(a, key) for a, keys in engine.client.processing().items() for key in keys if "count_part" in key]

    def kill():
        with gate:
            gate.wait_for_reader()
            wait_until(lambda: len(at_work()) == 1)  # the part whose worker waits for the pipe
            address, _ = at_work()[0]
            os.kill(before[address], signal.SIGKILL)
            killed.append(address)
            wait_until(lambda: address not in engine.client.scheduler_info()["workers"])
            gate.open()

    gate = Gate(tmp_path)
    thread = threading.Thread(target=kill)
    thread.start()
    actual = getattr(recte.cluster, call)(f"{tmp_path}/gold", [f"{tmp_path}/one"], client=engine.client, **how)
    thread.join()
    assert len(killed) == 1
    assert actual == expected
    wait_until(lambda: len(engine.client.scheduler_info()["workers"]) == 2)  # it is started again


def test_a_driver_killed_and_started_again_counts_no_finished_part_again(engine, tmp_path):
    write_parts(tmp_path, CUTS)
    expected = recte.cluster.count(f"{tmp_path}/gold", [f"{tmp_path}/one"])
    kept = tmp_path / "kept"
    address = engine.client.scheduler.address
    command = [sys.executable, "-m", "recte", "count", "gold", "one", "--cluster", address, "--checkpoint", "kept"]
    with Gate(tmp_path) as gate:
        driver = subprocess.Popen([*command, "-o", "out.counts"], cwd=tmp_path, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: len(list(kept.glob("*.json"))) == len(CUTS) - 1)
            gate.wait_for_reader()  # a task that no worker has begun ends with its driver: nobody would read the pipe
        finally:
            driver.kill()
            driver.wait()
        gate.open()  # lets the worker go, which counts for nobody
    written = {path: path.stat().st_mtime_ns for path in kept.glob("*.json")}
    job = CountingJob((recte.MaxMatch(),), checkpoint=str(kept))
    parts = pair_parts(GoldFiles(gold=f"{tmp_path}/gold"), {"one": f"{tmp_path}/one"})
    actual = CountingRun(DaskEngine(engine.client), parts, job).counts()
    assert actual.restored == len(CUTS) - 1
    assert {item.counts.system: item.counts for item in actual.counted} == expected
    assert all(path.stat().st_mtime_ns == then for path, then in written.items())
    assert not (tmp_path / "out.counts").exists()


def test_the_command_line(engine, tmp_path, capsys, monkeypatch):
    write_parts(tmp_path / "whole", [0])
    write_parts(tmp_path, CUTS)
    monkeypatch.chdir(tmp_path)
    address = engine.client.scheduler.address
    assert main(["score", "whole/gold/part-00.m2", "whole/one/part-00.txt", "--names", "one", "-f", "json"]) == 0
    here = json.loads(capsys.readouterr().out)["scores"]
    assert main(["score", "gold/", "one/part-*.txt", "--cluster", address, "-f", "json", "--checkpoint", "kept"]) == 0
    first = capsys.readouterr()
    assert json.loads(first.out)["scores"] == here
    assert "dashboard at http" in first.err
    assert main(["compare", "gold", "one", "two", "--cluster", address, "--checkpoint", "kept", "--trials", "20"]) == 0
    assert main(["score", "gold", "one", "--cluster", address, "--checkpoint", "kept"]) == 0
    assert f"parts taken from the checkpoint: {len(CUTS)}" in capsys.readouterr().err
    (tmp_path / "one" / "part-02.txt").write_text("one line\n")
    again = ["count", "gold", "one", "--cluster", address, "-o", "out.counts"]
    assert main(again) == 2
    assert "one/part-02.txt:1: expected 10 lines, one for each sentence of " in capsys.readouterr().err
    assert main([*again, "--skip-bad-parts"]) == 0
    assert "gold: 1 of 6 parts were skipped, first part 3; " in capsys.readouterr().err
    assert len(recte.read_counts("out.counts")) == 50


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold", "one", "--checkpoint", "x"], "--checkpoint: expected --cluster with it"),
        (["gold", "one", "--cluster", "local:0"], "cluster: expected local, local:N"),
        (["gold", "nothing", "--cluster", "local:1"], "nothing: no such file"),
        (["gold", "--cluster", "local:1"], "got standard input"),
        (["gold", "one", "--cluster", "local:1", "--edits"], "--edits: expected one machine"),
        (["gold", "one", "--cluster", "local:1", "--scores", "judge.tsv"], "--scores: expected one machine"),
        (["gold", "one"], "gold: expected a file, got a folder; recte score, compare and count read its files"),
        (["gold/part-00.m2", "one/*.txt"], "one/*.txt: expected a file, got a glob; recte score, compare"),
        (["gold/part-00.m2", "-i", "s3://corpus/one/"], "s3://corpus/one/: expected a file, got a folder"),
        (["gold", "one", "--cluster", "no.json"], "no.json: no such file; dask scheduler --scheduler-file no.json"),
        (["gold", "one", "--cluster", "gold.json"], "gold.json: expected a file that dask scheduler --scheduler-file"),
    ],
)
def test_wrong_usage_is_one_line(arguments, message, tmp_path, capsys, monkeypatch):
    write_parts(tmp_path, [0])
    (tmp_path / "gold.json").write_text('{"id": 1}')
    monkeypatch.chdir(tmp_path)
    assert main(["score", *arguments]) == 2
    line = capsys.readouterr().err
    assert message in line
    assert line.count("\n") == 1


def test_workers_of_another_version_are_refused(engine, monkeypatch):
    monkeypatch.setattr(dask_engine, "__version__", "9.9")
    connection = connect(engine.client.scheduler.address)
    with pytest.raises(OptionError, match=r"expected recte 9\.9 on every worker, got 0\.\d"), connection:
        pass


def test_a_scheduler_without_workers_is_waited_for(tmp_path, capsys, monkeypatch):
    """It is found by its file; the first worker comes when the line about the waiting was written."""
    import distributed

    write_parts(tmp_path, CUTS)
    monkeypatch.chdir(tmp_path)
    with distributed.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as cluster:
        (tmp_path / "scheduler.json").write_text(json.dumps(cluster.scheduler.identity()))
        lines = []

        def add_worker(line):
            if not lines:
                cluster.scale(1)
            lines.append(line)

        monkeypatch.setattr(dask_engine, "report", add_worker)
        assert main(["score", "gold", "one", "--cluster", "scheduler.json", "-b"]) == 0
    address = cluster.scheduler_address
    assert lines[0] == f"waiting for workers: the scheduler at {address} has 0 (dask worker {address} starts one)"
    assert "workers: 1; dashboard at http" in capsys.readouterr().err


def test_no_scheduler_at_the_address():
    nobody = connect("tcp://127.0.0.1:1", timeout="1s")
    with pytest.raises(OptionError, match="cluster: no scheduler at tcp://127"), nobody:
        pass


@pytest.mark.parametrize(
    ("sent", "message"),
    [(signal.SIGKILL, "lost the connection to the scheduler at tcp"), (signal.SIGSTOP, "no answer in 2 seconds from")],
)
def test_a_scheduler_that_dies_or_does_not_answer_ends_the_run(sent, message, tmp_path, monkeypatch):
    import distributed

    monkeypatch.setattr(dask_engine, "_WAITING_LINE", 0.5)
    monkeypatch.setattr(dask_engine, "_LONGEST_ANSWER", 2)
    lines = []
    monkeypatch.setattr(dask_engine, "report", lines.append)
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--dashboard-address", ":0"]
    scheduler = subprocess.Popen([*command, "--scheduler-file", str(file)], stderr=subprocess.DEVNULL)
    try:
        wait_until(file.exists)
        with distributed.Client(scheduler_file=str(file), timeout=f"{PATIENCE}s") as client:
            actual = DaskEngine(client)
            thread = threading.Thread(target=lambda: (wait_until(lambda: lines), scheduler.send_signal(sent)))
            thread.start()
            with pytest.raises(InputError, match=message):
                list(actual.as_finished([actual.submit(len, "abc")]))
            thread.join()
    finally:
        scheduler.kill()
        scheduler.wait()
    assert lines[0].startswith("waiting for workers: the scheduler at tcp://")
