from __future__ import annotations

import numpy as np
import pytest

from recte import Corpus, Gleu, InputError, read_counts, read_parallel, read_system
from recte.files import read_lines, write_lines
from recte.formats.counts import write_counts
from recte.formats.labels import iterate_labels


def test_line_ends_and_byte_order_marks_are_harmless(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_bytes("\ufeffone\r\ntwo\nthree\u2028still\r\n\nlast".encode())
    assert list(read_lines(path)) == ["one", "two", "three\u2028still", "", "last"]


@pytest.mark.parametrize("length", [3, 300_000])
def test_lines_of_a_zstandard_file(tmp_path, length):
    pyarrow = pytest.importorskip("pyarrow")
    lines = [f"He goes {n} ." for n in range(length)]
    with pyarrow.CompressedOutputStream(tmp_path / "out.txt.zst", "zstd") as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    assert list(read_lines(tmp_path / "out.txt.zst")) == lines
    assert list(read_system(tmp_path / "out.txt.zst").outputs) == lines


def test_parallel_text(tmp_path):
    for name, text in (("src", "a\nb\n"), ("r0", "A\nB\n"), ("r1", "x\ny\n")):
        (tmp_path / name).write_text(text)
    corpus = read_parallel(tmp_path / "src", [tmp_path / "r0", tmp_path / "r1"])
    assert [s.references for s in corpus] == [("A", "x"), ("B", "y")]


@pytest.mark.parametrize(("text", "line", "got"), [("A\n", 1, 1), ("A\nB\nC\nD\n", 4, 4), ("", 1, 0)])
def test_files_of_another_length(tmp_path, text, line, got):
    (tmp_path / "src").write_text("a\nb\nc\n")
    (tmp_path / "ref").write_text(text)
    expected = rf"ref:{line}: expected 3 lines, one for each sentence of .*src, got {got}"
    with pytest.raises(InputError, match=expected):
        read_parallel(tmp_path / "src", [tmp_path / "ref"])


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="expected a file, got a directory"):
        read_system(tmp_path)
    with pytest.raises(InputError, match="missing: no such file"):
        read_system(tmp_path / "missing")
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="empty:1: expected at least one sentence, got an empty file"):
        read_parallel(tmp_path / "empty")


def test_nothing_is_half_written(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("before")

    def lines():
        yield "half\n"
        raise InputError("interrupted")

    with pytest.raises(InputError, match="interrupted"):
        write_lines(target, lines())
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(InputError, match="cannot be written"):
        write_lines(tmp_path / "no" / "folder", ["x\n"])


def test_labels(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text("document\tlevel\nd1\tB1\n")
    assert list(iterate_labels(path)) == [{"document": "d1", "level": "B1"}]
    path.write_text("document\tlevel\nd1\n")
    with pytest.raises(InputError, match=r"labels\.tsv:2: expected 2 columns as in the header, got 1"):
        list(iterate_labels(path))
    path.write_text("level\tlevel\n")
    with pytest.raises(InputError, match=r"labels\.tsv:1: expected a header of distinct column names"):
        list(iterate_labels(path))


class _RunsCode:
    def __init__(self, trace):
        self.trace = trace

    def __reduce__(self):
        return open, (str(self.trace), "w")


def test_a_counts_file_runs_no_code(tmp_path):
    good, bad, trace = tmp_path / "good.counts", tmp_path / "bad.counts", tmp_path / "trace"
    gold = Corpus.from_references(["a b"], [["a"]])
    write_counts(good, Gleu().prepare(gold).count(["a"]))
    with np.load(good) as archive:
        arrays = dict(archive)
    for name in arrays:
        with bad.open("wb") as stream:
            np.savez(stream, **{**arrays, name: np.array([_RunsCode(trace)], dtype=object)})
        with pytest.raises(InputError):
            read_counts(bad)
    assert not trace.exists()


def test_counts_files_are_told_from_others(tmp_path):
    path = tmp_path / "not.counts"
    path.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(InputError, match="expected a counts file made by recte count, got something else"):
        read_counts(path)
