"""Input that means harm, or by chance does it: one clear line, nothing obeyed, nothing lost."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import time
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import recte
from recte import Corpus, files
from recte.cli import main
from recte.errors import TooLongError
from recte.formats.counts import read_counts, write_counts
from recte.metrics import CharMeaning
from recte.metrics.base import Column, Score
from recte.output.document import document
from recte.output.score_tables import score_table
from recte.output.tables import Table, to_csv, to_markdown
from recte.output.terminal import to_text
from recte.text.printable_text import visible

EVIL = "a\x1b[31mb\x9bc\nd\x00\u202e"


def table(name):
    return Table(name, ("system", "P"), ((name, "1.00"),), (name,))


def test_text_is_printed_not_obeyed():
    text = to_text(table(EVIL))
    assert not set(text) & set("\x1b\x9b\x00\u202e")
    assert len(text.splitlines()) == 4
    assert "a\\x1b[31mb\\x9bc\\nd\\x00\\u202e" in text
    assert visible("é 你 – ✓") == "é 你 – ✓"


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-2+3", "@sum"])
def test_spreadsheets_compute_nothing(cell):
    assert f"'{cell}" in to_csv(table(cell))
    assert "-1.50" in to_csv(Table("t", ("a", "b"), (("x", "-1.50"),))).split("\n")[1].split(",")


def test_markdown_is_no_markup():
    text = to_markdown(table("<script>x</script> [a](javascript:b)"))
    assert "<script" not in text
    assert "](javascript" not in text
    note = to_markdown(table("a|b`c")).rsplit("\n", 1)[1]  # as a signature: it is code
    assert note == "`a|b'c`"


def test_json_has_no_controls():
    text = document(name=EVIL + "\udcff")
    assert not set(text) & set("\x1b\x9b\x00\udcff")
    assert json.loads(text)["name"] == EVIL + "\udcff"


@pytest.fixture
def pair(tmp_path):
    gold, out = tmp_path / "gold.m2", tmp_path / "out.txt"
    gold.write_text("S He go .\nA 1 2|||S\x1b[31mVA|||goes|||REQUIRED|||-NONE-|||0\n")
    out.write_text("He \x1b]0;evil\x07goes .\n")
    return [str(gold), str(out)]


@pytest.mark.parametrize(
    "command", [["score"], ["score", "--by-type"], ["explain", "-n", "1"], ["score", "-f", "json"]]
)
def test_commands_print_no_escapes(command, pair, capsys):
    name, *rest = command
    names = ["--names", "evil\x1b[31m\nname"] if name == "score" else []
    assert main([name, *pair, *rest, *names]) == 0
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    assert main(["score", "no\x1b[31mfile", pair[1]]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_the_page_has_no_controls(pair, tmp_path):
    pytest.importorskip("vl_convert")
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    assert main(["report", *pair, "-o", str(page), "-q", "--names", "a\x00\x1bb", "--title", "t\x00\udcff"]) == 0
    assert not {0, 0x1B} & set(page.read_bytes())


@pytest.mark.parametrize("format", ["svg", "json", "png", "pdf"])
def test_charts_have_no_controls(format, pair, tmp_path, capsys):
    pytest.importorskip("vl_convert")
    names = ["--names", "a\x1b[31m\x00\x9b\u202e\ufffe\uffff\udcff"]
    assert main(["figures", *pair, "-q", *names, "--to", str(tmp_path / "charts"), "--formats", format]) == 0
    written = list((tmp_path / "charts").iterdir())
    assert written
    if format in ("svg", "json"):
        assert any("a\\x1b[31m" in path.read_text().replace("\\\\", "\\") for path in written)
        assert not set("\x1b\x00\x9b\ufffe\uffff") & set("".join(path.read_text() for path in written))


def test_figures_out_of_range_have_a_reason(tmp_path, capsys):
    edit = "A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n"
    (tmp_path / "gold.m2").write_text(f"S He go .\n{edit}{edit}")
    (tmp_path / "out.txt").write_text("He goes .\n")
    assert main(["score", str(tmp_path / "gold.m2"), str(tmp_path / "out.txt"), "--no-ci"]) == 0
    out = capsys.readouterr().out
    assert "200.00" in out
    assert "out: FP, P, F0.5 out of range: gold edits that stand twice are counted twice" in out
    line = ["score", str(tmp_path / "gold.m2"), str(tmp_path / "out.txt"), "--no-ci"]
    assert main([*line, "-f", "json"]) == 0
    notes = [w for w in json.loads(capsys.readouterr().out)["warnings"] if w["kind"] == "out-of-range"]
    assert [(note["where"], note["level"], note["count"]) for note in notes] == [("out", "note", 3)]
    assert main([*line, "-f", "csv"]) == 0
    header, row = list(csv.reader(capsys.readouterr().out.splitlines()))[:2]
    assert header[-1] == "note"
    assert row[-1].startswith("FP, P, F0.5 out of range")
    assert main([*line, "-b"]) == 0
    assert "out: FP, P, F0.5 out of range" in capsys.readouterr().err
    corpus, system = recte.read_m2(line[1]), recte.read_system(line[2])
    assert [f.kind for f in recte.evaluate(corpus, [system]).findings if f.kind == "out-of-range"] == ["out-of-range"]
    score = Score(system="x", metric="m", score=1.0, signature="", higher_is_better=True, options={}, sentence_count=1)
    assert score_table("t", [score], [Column("S", ("score",))]).notes == ("",)


def test_comparisons_have_the_reason_too(tmp_path, capsys):
    edit = "A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n"
    (tmp_path / "gold.m2").write_text(f"S He go .\n{edit}{edit}\n" * 6)
    (tmp_path / "good.txt").write_text("He goes .\n" * 6)
    (tmp_path / "idle.txt").write_text("He go .\n" * 6)
    files = [str(tmp_path / name) for name in ("gold.m2", "good.txt", "idle.txt")]
    reason = "good: F0.5 out of range: gold edits that stand twice are counted twice"
    for more in ([], ["--baseline", "idle"]):
        assert main(["compare", *files, *more]) == 0
        assert reason in capsys.readouterr().out
    assert main(["compare", *files, "-f", "json"]) == 0
    notes = [w for w in json.loads(capsys.readouterr().out)["warnings"] if w["kind"] == "out-of-range"]
    assert [(note["where"], note["level"]) for note in notes] == [("good", "note")]
    assert main(["compare", *files, "-f", "csv"]) == 0
    assert reason in capsys.readouterr().err
    assert main(["compare", *files, "-f", "csv", "-q"]) == 0
    assert capsys.readouterr().err == ""
    human = tmp_path / "human.tsv"
    human.write_text("system\tscore\ngood\t1\nidle\t0\nbad\t-1\n")
    (tmp_path / "bad.txt").write_text("He gone .\n" * 6)
    assert main(["metaeval", str(human), *files, str(tmp_path / "bad.txt"), "-f", "json"]) == 0
    notes = [w for w in json.loads(capsys.readouterr().out)["warnings"] if w["kind"] == "out-of-range"]
    assert [note["where"] for note in notes] == ["good"]


def test_the_sample_writes_over_nothing(tmp_path, capsys):
    assert main(["sample", str(tmp_path)]) == 0
    (tmp_path / "gold.m2").write_text("mine")
    assert main(["sample", str(tmp_path)]) == 2
    assert "gold.m2: is there already" in capsys.readouterr().err
    assert (tmp_path / "gold.m2").read_text() == "mine"
    assert main(["sample", str(tmp_path), "--force"]) == 0
    assert (tmp_path / "gold.m2").read_text() != "mine"


def test_the_sample_finds_a_folder_in_its_way(tmp_path, capsys):
    (tmp_path / "gold.m2").mkdir()
    assert main(["sample", str(tmp_path)]) == 2
    assert "gold.m2: is there already, and holds something else" in capsys.readouterr().err
    assert main(["sample", str(tmp_path), "--force"]) == 2
    assert "gold.m2: cannot be written: is a directory" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.txt"))  # all or none


def test_texts_too_long_to_compare_are_refused():
    text = "ab" * 20_000
    with pytest.raises(TooLongError, match="expected at most 1,000,000,000 pairs of characters"):
        CharMeaning().score(Corpus.from_references([text], [["a"]]), [text])


def test_an_empty_name_is_refused(pair, capsys):
    for arguments in (["convert", pair[0], "--to-m2", ""], ["score", *pair, "--tokens", ""], ["score", pair[0], ""]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert "expected a value, got an empty one" in capsys.readouterr().err


def test_read_only_files_stay_and_left_files_go(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("mine")
    path.chmod(0o444)
    with pytest.raises(files.InputError, match=r"kept\.txt: cannot be written: is read-only"):
        files.write_bytes(path, b"other")
    assert path.read_text() == "mine"
    old, young = (tmp_path / f".new.txt.{name}.recte-part" for name in ("old", "young"))
    for left in (old, young):
        left.write_text("half")
    os.utime(old, (time.time() - 7200,) * 2)
    files.write_bytes(tmp_path / "new.txt", b"whole")
    assert (old.exists(), young.exists()) == (False, True)


@pytest.fixture
def counts(pair, tmp_path):
    path = tmp_path / "x.counts"
    assert main(["count", *pair, "-o", str(path), "-q"]) == 0
    return path


def rewritten(path, change):
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = change(arrays["header"].tobytes())
    arrays["header"] = np.frombuffer(header, dtype=np.uint8)
    np.savez_compressed(path.open("wb"), **arrays)


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.replace(b'"beta": 0.5', b'"beta": Infinity'),
        lambda header: b"[" * 200_000,
        lambda header: header.replace(b'"version": 2', b'"version": ' + b"9" * 5000),
        lambda header: b"\xff\xfe",
        lambda header: header.replace(b'"system": "out"', b'"system": null'),
        lambda header: header.replace(b'"tokens": "given"', b'"tokens": []'),
        lambda header: header.replace(b'"ties": false', b'"ties": {}'),
        lambda header: header.replace(b'"made_with": {}', b'"made_with": {"tagger": 1}'),
        lambda header: header.replace(b'"columns": ["0"]', b'"columns": [0]'),
    ],
    ids=["infinity", "nesting", "digits", "bytes", "system", "tokens", "ties", "tagger", "columns"],
)
def test_odd_counts_headers_are_refused(change, counts, capsys):
    rewritten(counts, change)
    assert main(["score", str(counts)]) == 2
    assert "expected a counts file made by recte count" in capsys.readouterr().err


def test_counts_with_options_of_another_recte_are_refused(counts, capsys):
    rewritten(counts, lambda header: header.replace(b'"beta": 0.5', b'"beta": 0.5, "new": 1'))
    assert main(["score", str(counts)]) == 2
    assert "counts: expected those made without new, got 1; count the system again" in capsys.readouterr().err


@pytest.mark.parametrize("index", [[-1, 0], [1, 1], [1, 0]])
def test_odd_places_of_sentences_are_refused(index, tmp_path, monkeypatch):
    gold = Corpus.from_references(["a", "b"], [["A", "B"]])
    actual = recte.MaxMatch().prepare(gold).count(["A", "b"])
    odd = replace(actual, index=np.array(index))
    with pytest.raises(files.InputError, match="expected the places of sentences in their order"):
        write_counts(tmp_path / "x", odd)
    with monkeypatch.context() as patched:
        patched.setattr("recte.formats.counts._check_sentences", lambda counts: None)
        write_counts(tmp_path / "x", odd)
    with pytest.raises(files.InputError, match="expected a counts file made by recte count"):
        read_counts(tmp_path / "x")


def test_bombs_are_refused(counts, tmp_path, capsys, monkeypatch):
    buffer = io.BytesIO()
    np.lib.format.write_array_header_2_0(buffer, {"descr": "<i8", "fortran_order": False, "shape": (10**15,)})
    with zipfile.ZipFile(counts, "a") as archive:
        archive.writestr("huge.npy", buffer.getvalue())
    assert main(["score", str(counts)]) == 2
    for limit, what in (("_MOST_BYTES", "other arrays"), ("_MOST_ROW_BYTES", "rows")):
        with monkeypatch.context() as patched:
            patched.setattr(f"recte.formats.counts.{limit}", 100)
            assert main(["score", str(counts)]) == 2
            assert f"of {what} unpacked, got" in capsys.readouterr().err
    monkeypatch.setattr(files, "LONGEST_LINE", 1000)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b"a" * 5_000_000))
    with pytest.raises(files.InputError, match="expected lines of at most"):
        list(files.byte_blocks(bomb))
    with pytest.raises(files.InputError, match="expected lines of at most"):
        list(files.read_lines(bomb))


def test_two_systems_of_one_name_are_refused():
    gold = Corpus.from_references(["a", "b"], [["A", "B"]])
    with pytest.raises(recte.OptionError, match="systems: expected different names, got 'x' twice"):
        recte.evaluate(gold, [recte.System("x", ("A", "b"))] * 2)


def test_names_that_are_no_unicode_are_kept(counts):
    actual = read_counts(counts)
    write_counts(counts, replace(actual, system="a\udcff"))
    assert read_counts(counts).system == "a\udcff"


def test_a_module_that_ends_the_program(pair, tmp_path, capsys, monkeypatch):
    (tmp_path / "ending_module.py").write_text("raise SystemExit(0)")
    monkeypatch.chdir(tmp_path)
    assert main(["score", *pair, "--tokens", "ending_module:cut"]) == 2
    assert "SystemExit" in capsys.readouterr().err


def test_a_path_that_no_system_takes(pair, capsys):
    assert main(["score", "x" * 5000, pair[1]]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_lost_streams(pair):
    line = f"{sys.executable} -m recte score {' '.join(pair)}"
    full = subprocess.run(f"{line} >/dev/full", shell=True, capture_output=True, text=True, check=False)
    assert (full.returncode, full.stderr) == (2, "recte: No space left on device\n")
    for closing in (">&-", "2>&-", ">&- 2>&-"):
        ended = subprocess.run(f"{line} {closing}", shell=True, capture_output=True, text=True, check=False)
        assert "Traceback" not in ended.stderr + ended.stdout
        assert ended.returncode == 0
    gone = subprocess.run(
        f"{sys.executable} -m recte score {pair[0]} - <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert (gone.returncode, len(gone.stderr.splitlines())) == (2, 1)


def test_file_names_are_printed_not_obeyed(pair, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evil = "sys\x1b[31m\x9b.txt"
    os.link(pair[1], evil)
    for command in (
        ["score", pair[0], evil],
        ["score", evil, pair[0]],
        ["explain", pair[0], evil, "-n", "1", "-f", "json"],
        ["count", pair[0], evil, "-o", "c\x1b[1m"],
        ["score", "c\x1b[1m"],
        ["sample", "folder\x1b[1m"],
    ):
        assert main(command) in (0, 2)
        printed = capsys.readouterr()
        assert not {"\x1b", "\x9b"} & set(printed.out + printed.err)


def test_names_that_no_encoding_knows(pair, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"w\xffn.txt")
    os.link(pair[1], name)
    for command in (
        ["score", pair[0], name],
        ["score", pair[0], name, "-f", "json"],
        ["explain", pair[0], name, "-n", "1"],
        ["count", pair[0], name, "-o", name + ".counts"],
        ["score", name + ".counts"],
        ["convert", pair[0], "--to-m2", name + ".m2"],
    ):
        assert main(command) == 0
    assert main(["score", pair[0], name + "x"]) == 2


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("raise ValueError('a\\x1b[31m\\nb')", "ValueError"),
        ("def (", "SyntaxError"),
        ("cut = None", ""),
        ("def cut(text): return 3", ""),
        ("def cut(text): return [None]", ""),
        ("def cut(text): raise KeyError(text)", "KeyError"),
    ],
)
def test_modules_that_fail_are_one_line(content, wrong, pair, tmp_path, capsys, monkeypatch):
    name = f"failing_{abs(hash(content))}"
    (tmp_path / f"{name}.py").write_text(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["score", *pair, "--tokens", f"{name}:cut"]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "\x1b" not in said
    assert wrong in said


def changed_arrays(path, change):
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    change(arrays)
    np.savez_compressed(path.open("wb"), **arrays)


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update({"ties-outcomes": a["ties-outcomes"][:, :-1].copy()}),
        lambda a: a.update({"ties-outcomes": a["ties-outcomes"] - 100}),
        lambda a: a.update({"ties-outcomes": a["ties-outcomes"] * 1.5}),
        lambda a: a.update({"ties-outcomes": a["ties-outcomes"][:-1].copy()}),
        lambda a: a.update({"ties-sentence": a["ties-sentence"] + 10**6}),
        lambda a: a.update({"ties-sentence": a["ties-sentence"] * 1.5}),
        lambda a: a.update({"ties-outcomes": a["ties-outcomes"].astype(str)}),
    ],
    ids=["columns", "negative", "fractions", "fewer", "no sentence", "half sentences", "text"],
)
def test_odd_ties_are_refused(change, tmp_path, capsys):
    gold, out, path = (str(tmp_path / name) for name in ("gold.m2", "out.txt", "x.counts"))
    with open(gold, "w") as stream:
        stream.write("S a a b b a\nA 1 3|||X|||b a|||REQUIRED|||-NONE-|||0\n")
    with open(out, "w") as stream:
        stream.write("b a a a b\n")
    assert main(["count", gold, out, "-m", "imeasure", "--tie-range", "-o", path, "-q"]) == 0
    assert read_counts(path).ties.outcomes.size
    assert main(["score", path]) == 0
    capsys.readouterr()
    changed_arrays(tmp_path / "x.counts", change)
    assert main(["score", path]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
