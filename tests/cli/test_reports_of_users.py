"""What once went wrong: each a case that a reader of the code or a user reported."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recte import Annotation, Corpus, Edit, InputError, MaxMatch, Sentence, merge, read_m2, write_m2
from recte.cli import main
from recte.extraction.reference_edits import with_edits
from recte.formats.m2 import parse_block
from shared_data import shared

WREN = "systems/wren.txt"


def refused(capsys, *arguments: str) -> str:
    try:
        code = main(list(arguments))
    except SystemExit as ended:
        code = ended.code
    captured = capsys.readouterr()
    assert code == 2
    assert captured.err.count("\n") == 1
    return captured.err


def test_pipes_and_links_stay_what_they_are(sample):
    os.mkfifo("pipe")
    heard = []
    listener = threading.Thread(target=lambda: heard.append(open("pipe").read()))  # noqa: SIM115
    listener.start()
    assert main(["convert", "gold.m2", "--to-source", "pipe"]) == 0
    listener.join()
    assert heard[0].startswith("Last summer I go")
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    (sample / "target.txt").write_text("before")
    (sample / "link.txt").symlink_to("target.txt")
    assert main(["convert", "gold.m2", "--to-source", "link.txt"]) == 0
    assert (sample / "link.txt").is_symlink()
    assert (sample / "target.txt").read_text().startswith("Last summer")


def test_process_substitution(sample):
    command = f"{sys.executable} -m recte score <(cat gold.m2) <(cat systems/wren.txt) -b"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "64.25\n"


def test_more_threads_than_there_can_be(sample, capsys, monkeypatch):
    monkeypatch.setenv("RECTE_THREADS", "1024")
    gold = Corpus.from_references(["a b"] * 5000, [["a c"] * 5000])
    assert MaxMatch().score(gold, ["a c"] * 5000).tp == 5000
    monkeypatch.setenv("RECTE_THREADS", "99999999999")
    assert "expected a number from 1 to 1024" in refused(capsys, "score", "gold.m2", WREN)


@pytest.mark.parametrize(
    "change",
    [
        {"rows": np.zeros((3, 2, 3), np.int32)},
        {"rows": np.zeros((40, 2, 2), np.int32)},
        {"rows": np.full((40, 2, 3), -1, np.int32)},
        {"index": np.zeros(3, np.int64)},
        {"header": {"version": "x"}},
        {"header": {"columns": ["0"]}},
        {"header": {"options": {"beta": "x"}}},
        {"header": {"metric": "nonsense"}},
    ],
)
def test_counts_files_that_do_not_fit_together(sample, capsys, change):
    assert main(["count", "gold.m2", WREN, "-o", "good.counts"]) == 0
    with np.load("good.counts") as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes()) | change.get("header", {})
    arrays |= change | {"header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)}
    with open("bad.counts", "wb") as stream:
        np.savez_compressed(stream, **arrays)
    refused(capsys, "score", "bad.counts")


def test_parts_counted_differently_do_not_merge():
    gold = Corpus.from_references(["a", "b"], [["A", "B"]])
    first = MaxMatch().prepare(gold[:1]).count(["A"])
    for other, message in (
        (
            MaxMatch(max_unchanged_words=1).prepare(gold[1:]).count(["B"]),
            "same options, got max_unchanged_words 2 and 1",
        ),
        (MaxMatch().prepare(gold[1:]).count(["B"], name="x"), "same system, got 'system' and 'x'"),
    ):
        with pytest.raises(InputError, match=message):
            merge([first, other])
    with pytest.raises(InputError, match="expected counts to merge, got none"):
        merge([])


def test_precision_by_type_is_over_the_systems_own_edits(sample, capsys):
    text = "S a b c d\nA 3 4|||Prep|||x|||REQUIRED|||-NONE-|||0\nA 4 4|||Art|||y|||REQUIRED|||-NONE-|||0\n"
    (sample / "typed.m2").write_text(text)
    (sample / "mine.m2").write_text(text)
    assert main(["score", "typed.m2", "mine.m2", "--by-type", "-f", "json"]) == 0
    types = json.loads(capsys.readouterr().out)["scores"][0]["types"]
    assert {name: figures["precision"] for name, figures in types.items()} == {"Prep": 1.0, "Art": 1.0}


def test_references_meet_the_tokens_not_the_text():
    sentence = Sentence("go home.", tokens=("go", "home", "."), references=("go homes .",))
    (edited,) = with_edits([sentence])
    assert [(e.start, e.end, e.corrections) for e in edited.annotations[0].edits] == [(1, 2, ("homes",))]


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("a\nb", annotations=(Annotation("0"),)),
        Sentence("a", references=("b",)),
        Sentence("a", annotations=(Annotation("0", (Edit(0, 1, ("x||y",)),)),)),
        Sentence("a", annotations=(Annotation("0", (Edit(0, 1, ("x",), "noop"),)),)),
        Sentence("a", annotations=(Annotation("0", (Edit(0, 1, ("x|",), "t"),)),)),
        Sentence("a", annotations=(Annotation("", (Edit(0, 1, ("x",), "t"),)),)),
    ],
)
def test_what_an_m2_file_cannot_hold_is_refused(tmp_path, sentence):
    with pytest.raises(InputError):
        write_m2(tmp_path / "x.m2", [sentence])
    assert not (tmp_path / "x.m2").exists()


def test_sentences_with_tokens_of_their_own_are_written_as_tokens(tmp_path):
    sentence = Sentence("go home.", ("go", "home", "."), (Annotation("0", (Edit(2, 3, ("!",)),)),))
    write_m2(tmp_path / "x.m2", [sentence])
    assert read_m2(tmp_path / "x.m2")[0].tokens == sentence.tokens


def test_texts_where_lists_are_wanted():
    with pytest.raises(InputError, match="references: expected a list of lists of strings, got a list of strings"):
        Corpus.from_references(["a", "b"], ["ab", "cd"])
    with pytest.raises(InputError, match="corrections: expected a tuple of strings, got 'goes'"):
        Edit(1, 2, "goes")
    scorer = MaxMatch().prepare(Corpus.from_references(["a"], [["b"]]))
    with pytest.raises(InputError, match="expected a list of hypotheses for each sentence, got the text 'ab'"):
        scorer.candidate_scores(["ab"])
    with pytest.raises(InputError, match="gold: expected a Corpus, got list"):
        MaxMatch().prepare([Sentence("a")])
    with pytest.raises(InputError, match="annotator: expected a text such as '0', got 0"):
        Annotation(0)
    with pytest.raises(InputError, match="expected one annotation per annotator, got two"):
        MaxMatch().prepare(Corpus((Sentence("a", annotations=(Annotation("0"), Annotation("0"))),)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "-", "-"), "standard input can be read only once"),
        (("score", "gold.m2", "other.m2"), "other.m2: expected an output for sentence 1, 'Last summer"),
        (("score", "gold.m2", WREN, "--beta", "1e200"), "beta: expected a number from 0.01 to 100"),
        (("score", "gold.m2", WREN, "--beta", "abc"), "--beta: expected a number, got 'abc'"),
        (("explain", "gold.m2", WREN, "-n", "two"), "--sentence: expected a whole number, got 'two'"),
        (("score", "gold.m2", WREN, "-o", "x"), "got '-o': it prints, and > FILE"),
        (("score", "gold.m2", WREN, "--by", "level"), "recte: --by: expected sentences with labels"),
        (("score", "gold.m2", WREN, "--baseline", "heron"), "recte: --baseline: expected one of wren"),
        (("extract", WREN, WREN, "--language", "xx"), "recte: --language: expected one of"),
        (("score", "gold.m2", WREN, "-f", "xml"), "got 'xml'"),
        (
            ("score", "gold.m2", WREN, "--max-lattice", "99999999999999999999"),
            "--max-lattice: expected 1 to",
        ),
        (("score", "-m", "m2", "gold.m2", WREN), "put -m after the files"),
        (
            ("score", "gold.m2", WREN, "-m", "hoo", "--by-type"),
            "--by-type: none of the metrics hoo has it",
        ),
        (("score", "wren.counts", WREN), "wren.counts: expected counts files alone"),
        (("score", "wren.counts", "-m", "hoo"), "wren.counts: expected counts of hoo, got those of m2"),
        (("score", "wren.counts", "--edits"), "counts files hold no edits"),
        (("score", "gold.m2", "/proc/self/mem"), "/proc/self/mem: cannot be read"),
        (("convert", "gold.m2", "--to-m2", "x", "--to-source", "no/x"), "no/x: cannot be written"),
        (
            ("convert", "gold.m2", "--to-m2", "x", "--to-source", "x"),
            "expected different files to write",
        ),
        (("convert", "gold.m2", "--to-m2", "systems"), "systems: cannot be written"),
        (("score", "gold.m2", WREN, "--labels", "long.tsv"), "long.tsv:42: expected 40 lines"),
        (
            ("score", "gold.m2", WREN, "-m", "imeasure", "--references-of", "x"),
            "--references-of: expected one",
        ),
        (("score", "bad.xml", WREN, "-m", "imeasure"), "bad.xml:1: expected well-formed XML"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing_behind(sample, capsys, arguments, message):
    (sample / "other.m2").write_text("S totally different\n\n" * 40)
    (sample / "long.tsv").write_text("level\n" + "B1\n" * 41)
    (sample / "bad.xml").write_text("<scripts>")
    main(["count", "gold.m2", WREN, "-o", "wren.counts"])
    before = sorted(sample.rglob("*"))
    assert message in refused(capsys, *arguments)
    assert sorted(sample.rglob("*")) == before


def test_metrics_may_be_named_twice_or_apart(sample, capsys):
    assert main(["score", "gold.m2", WREN, "-m", "m2", "maxmatch", "-m", "hoo", "-b"]) == 0
    assert capsys.readouterr().out == "64.25\n" + "55.42\n"


def test_the_do_nothing_row_is_last_and_yields_to_a_system_of_that_name(sample, capsys):
    assert main(["score", "gold.m2", WREN, "-m", "gleu", "-f", "csv"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()] == ["system", "wren", "do-nothing"]
    assert main(["score", "gold.m2", WREN, "-m", "gleu", "-f", "csv", "--names", "do-nothing"]) == 0
    assert capsys.readouterr().out.count("do-nothing") == 1
    assert main(["score", "gold.m2", WREN, "-m", "gleu", "-f", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["scores"]) == 1


def test_an_old_terminals_encoding_is_no_crash(sample):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "recte", "explain", "gold.m2", WREN, "-n", "7"]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"annotator 0" in done.stdout


def test_lenient_reading_and_writing_leaves_no_bad_edit():
    lines = ["S a\n", "A 0 9|||X|||y|||REQUIRED|||-NONE-|||0\n", "A 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n"]
    assert parse_block(lines, lenient=True).lines == ()


@pytest.mark.parametrize("behaviour", ["official", "paper", "optimal"])
def test_verdicts_count_as_the_kernels_do(behaviour):
    corpus = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = shared("data", "conll14", "systems", "CAMB.txt").read_text().splitlines()
    scorer = MaxMatch(behaviour=behaviour).prepare(corpus)
    rows = scorer.count(outputs).rows.tolist()
    matches = scorer.matches(outputs, range(len(corpus)))
    counts, pairs = matches.counts.tolist(), zip(matches.rows.tolist(), matches.columns[1].tolist(), strict=True)
    assert [rows[row][column] for row, column in pairs] == counts


def test_the_official_choice_moves_with_the_order_of_sentences():
    """The facts page: AMU's F over 100 shuffles runs from .350034 to .350069."""
    corpus = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = shared("data", "conll14", "systems", "AMU.txt").read_text().splitlines()
    metric = MaxMatch()
    counts = metric.prepare(corpus).count(outputs)
    generator = np.random.default_rng(0)
    scores = set()
    for _ in range(100):
        order = generator.permutation(len(counts))
        scores.add(round(metric.score_counts(replace(counts, rows=counts.rows[order])).score, 6))
    assert len(scores) > 1
    assert min(scores) >= 0.35003
    assert max(scores) <= 0.35007


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "gold.m2", WREN, "--baseline", "nosuch"), "baseline: expected one of wren, got 'nosuch'"),
        (("compare", "gold.m2", WREN, "systems/heron.txt", "--baseline", "nosuch"), "baseline: expected one of wren,"),
        (("score", "gold.m2", WREN, "-m", "m2", "gleu", "--fail-under", "3"), "--fail-under: expected a metric before"),
        (("score", "gold.m2", WREN, "--one-table", "-sl"), "--one-table: expected scores of systems, got -sl"),
        (("report", "gold.m2", WREN, "--to", "no/page.html"), "--to: expected a file in a folder that is there"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_counted(sample, capsys, monkeypatch, arguments, message):
    def counts(*_: object) -> None:
        raise AssertionError("it was counted")

    monkeypatch.setattr("recte.metrics.scorer.Scorer.count", counts)
    assert message in refused(capsys, *arguments)


def test_edits_in_a_format_without_them_are_a_note(in_sample, capsys):
    command = ["score", "sample/gold.m2", "sample/systems/wren.txt", "--edits", "--no-ci"]
    assert main([*command, "-f", "csv"]) == 0
    assert "--edits: edits are printed by -f json alone" in capsys.readouterr().err
    assert main([*command, "-f", "json"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (("count", "gold.m2", WREN), "gold.m2"),
        (("count", "gold.m2", WREN), WREN),
        (("count", "--merge", "a.counts"), "a.counts"),
        (("report", "gold.m2", WREN), "./gold.m2"),
        (("report", "-s", "source.txt", "-r", "r0.txt", "-i", WREN), "r0.txt"),
    ],
)
def test_no_file_that_is_read_is_written_over(command, target, sample, capsys):
    Path("source.txt").write_text("a\n")
    Path("r0.txt").write_text("b\n")
    assert main(["count", "gold.m2", WREN, "-o", "a.counts", "-q"]) == 0
    before = Path(target).read_bytes()
    assert main([*command, "-o", target]) == 2
    assert "expected a file to write that is not read" in capsys.readouterr().err
    assert Path(target).read_bytes() == before
