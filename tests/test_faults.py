"""The machine fails: a full disk, a killed or a second writer, streams that are gone. Nothing is half-written."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recte import files
from recte.files import write_bytes, write_lines, write_together
from recte.formats.m2 import read_m2
from recte.formats.parallel import LineColumns

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and devices as Linux has them")
# No file may grow beyond so many bytes: what a full disk does, for any user and any file system.
SMALL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
from recte.cli import main
sys.exit(main(sys.argv[1:]))
"""
WRITERS = {
    "count": ["count", "gold.m2", "systems/wren.txt", "-o", "{out}"],
    "convert": ["convert", "gold.m2", "--to-m2", "{out}"],
    "convert-gz": ["convert", "gold.m2", "--to-m2", "{out}.gz"],
    "extract": ["extract", "systems/wren.txt", "systems/heron.txt", "--to", "{out}"],
    "report": ["report", "gold.m2", "systems/wren.txt", "-o", "{out}"],
}


def run(*command: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


@LINUX
@pytest.mark.parametrize("before", [None, "mine"], ids=["new", "over a file"])
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_what_was_there(sample, name, before):
    if name == "report":
        pytest.importorskip("vl_convert")
        pytest.importorskip("jinja2")
    folder = sample / "written"
    folder.mkdir()
    arguments = [part.format(out="written/out") for part in WRITERS[name]]
    out = Path(arguments[-1])
    if before is not None:
        out.write_text(before)
    done = run(sys.executable, "-c", SMALL_DISK, *arguments)
    assert (done.returncode, done.stderr) == (2, f"recte: {out}: cannot be written: File too large\n")
    assert [path.name for path in folder.iterdir()] == ([] if before is None else [out.name])
    assert before is None or out.read_text() == before


@LINUX
def test_a_full_disk_under_many_files_leaves_none(sample):
    done = run(sys.executable, "-c", SMALL_DISK, "sample", "new")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert [path for path in sample.glob("new/**/*") if path.is_file()] == []


@LINUX
@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "gold.m2", "systems/wren.txt", "-f", "json"],
        ["explain", "gold.m2", "systems/wren.txt", "-n", "1"],
        ["convert", "gold.m2", "--to-m2", "-"],
        ["--list"],
        ["--version"],
        ["score", "--help"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_full_device_behind_standard_output(sample, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "recte", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "command",
    ["score gold.m2 systems/wren.txt", "explain gold.m2 systems/wren.txt -n 1", "count gold.m2 systems/wren.txt -o c"],
    ids=lambda command: command.split()[0],
)
def test_streams_that_are_gone(sample, command, closed):
    done = run("sh", "-c", f"{sys.executable} -m recte {command} {closed}")
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    assert command.split()[0] != "count" or Path("c").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize("output", ["no-such-file", "empty.txt"], ids=["error", "warning"])
def test_messages_that_do_not_fit(sample, output):
    Path("empty.txt").write_text("\n" * 40)
    done = run("sh", "-c", f"{sys.executable} -m recte score gold.m2 {output} 2>/dev/full")
    assert (done.returncode, done.stdout) == (2, "")


def test_errors_without_a_place_to_say_them(sample):
    done = run("sh", "-c", f"{sys.executable} -m recte score no-such-file systems/wren.txt 2>&-")
    assert (done.returncode, done.stdout) == (2, "")


KILLED = """
import signal, sys, time
from recte.files import write_lines

signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it, and hands that on

def lines():
    yield "new\\n" * 100_000
    print("writing", flush=True)
    time.sleep(600)

write_lines(sys.argv[1], lines())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_killed_writer_leaves_the_file_and_its_traces_go(tmp_path, how):
    out = tmp_path / "out.txt"
    out.write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(out)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.send_signal(how)
        process.wait(60)
    assert out.read_text() == "old"
    left = [path for path in tmp_path.iterdir() if path != out]
    assert len(left) == (1 if how == signal.SIGKILL else 0)
    write_lines(out, ["newer\n"])
    assert [path for path in left if not path.exists()] == []  # young ones may be another's
    for path in left:
        os.utime(path, (time.time() - 2 * files._ABANDONED,) * 2)
    write_lines(out, ["newest\n"])
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


TWO = """
import sys
from recte.files import write_bytes

for _ in range(200):
    write_bytes(sys.argv[1], sys.argv[2].encode() * 50_000)
"""


def test_two_writers_never_mix(tmp_path):
    out = tmp_path / "out.txt"
    write_bytes(out, b"a" * 50_000)
    writers = [subprocess.Popen([sys.executable, "-c", TWO, str(out), letter]) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        content = out.read_bytes()
        assert content in (b"a" * 50_000, b"b" * 50_000)
        seen.add(content[:1])
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_of_several_files_all_are_written_or_none(tmp_path):
    def failing():
        yield b"half"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_together({tmp_path / "a": [b"whole"], tmp_path / "b": failing()})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(files.InputError, match="cannot be written"):
        write_together({tmp_path / "a": [b"whole"], tmp_path / "none" / "b": [b"whole"]})
    assert list(tmp_path.iterdir()) == []


def test_a_sentence_with_edits_without_end_is_refused(tmp_path):
    path = tmp_path / "bomb.m2.gz"
    edits = b"A 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n" * 500_000
    path.write_bytes(gzip.compress(b"S a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n\nS a b\n" + edits, 1))
    with pytest.raises(files.InputError, match=r"bomb.m2.gz:4: expected a sentence and its edits in at most 16 MB"):
        read_m2(path)


def test_annotators_without_end_are_refused(tmp_path):
    path = tmp_path / "gold.m2"
    path.write_text("".join(f"S a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||{a}\n\n" for a in range(1001)))
    with pytest.raises(files.InputError, match=r"gold.m2: expected at most 1,000 annotators, got more"):
        read_m2(path)


MANY_LINES = """
import resource, sys
from recte.formats.parallel import LineColumns

lines = LineColumns(sys.argv[1])
lines.take(7)
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 100 * 2**20,) * 2)
print(lines.count_rest(1000))
"""


@LINUX
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves all addresses")
def test_lines_that_were_taken_leave_the_memory(tmp_path):
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"\n" * 20_000_000, 1))
    done = run(sys.executable, "-c", MANY_LINES, str(path))
    assert done.stdout == "19999993\n", done.stderr[-2000:]


RAMBLING = """
import resource
from recte import Corpus, IMeasure, Sentence

scorer = IMeasure().prepare(Corpus([Sentence("He go .", references=("He goes .",))]))
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 400 * 2**20,) * 2)
print(scorer.candidate_scores([["He goes .", "He goes . " * 20_000]]))
"""


@LINUX
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves all addresses")
def test_a_long_text_with_a_short_one_takes_no_table_of_its_square():
    done = run(sys.executable, "-c", RAMBLING)
    assert done.stdout.startswith("[[1.0, "), done.stderr[-2000:]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_the_same_in_whatever_pieces(tmp_path, size):
    wanted = [f"{number:x}" * (number % 5) for number in range(1000)]
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"{line}\n" for line in wanted))
    lines, actual = LineColumns(path), []
    while len(column := lines.take(size)):
        actual += column
    assert actual == wanted


@pytest.mark.parametrize("module", ["recte.cli.parser", "recte.errors", "typing"])
def test_an_interrupt_while_modules_are_imported_leaves_no_traceback(module):
    interrupt = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        f"sys.modules.pop({module!r}, None)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from recte_start import main\n"
    )
    ended = subprocess.run([sys.executable, "-c", interrupt], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@LINUX
def test_a_home_that_cannot_be_written_changes_nothing(sample, tmp_path):
    unwritable = {"HOME": "/dev/null/home", "XDG_CACHE_HOME": "/dev/null/cache"}
    for command in (
        ["score", "gold.m2", "systems/wren.txt", "-q"],
        ["report", "gold.m2", "systems/wren.txt", "-o", str(tmp_path / "page.html"), "-q"],
        ["data", "list"],
    ):
        ended = run(sys.executable, "-m", "recte", *command, env={**os.environ, **unwritable})
        assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr


def test_a_file_that_shrinks_while_it_is_read_has_fewer_lines(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("He goes home .\n" * 1_000_000)
    lines = LineColumns(path)
    assert len(lines.take(10)) == 10
    os.truncate(path, 100)
    assert lines.count_rest() < 1_000_000 - 10


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupt_ends_metaeval_in_one_line(sample):
    """The signal comes as resampling begins."""
    interrupted = (
        "import os, signal, sys\n"
        "from recte.statistics import bootstrap\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "bootstrap._draw = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "from recte.cli import main\n"
        "sys.exit(main(['metaeval', 'judgments.tsv', 'gold.m2', 'systems/heron.txt', 'systems/wren.txt', "
        "'systems/magpie.txt']))\n"
    )
    ended = run(sys.executable, "-c", interrupted)
    assert (ended.returncode, "Traceback" in ended.stderr) == (130, False), ended.stderr
