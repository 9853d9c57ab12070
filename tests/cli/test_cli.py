"""The command line as a user meets it: what it prints, and what it says of bad input."""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import subprocess
import sys

import pytest

from recte.cli import main
from recte.evaluation import counting
from recte.formats.file_formats import gold_formats_to_write

KEYS = {"system", "metric", "score", "signature", "higher_is_better", "options"}


def run(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys, *arguments: str) -> str:
    """The one line that a refusal prints."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("recte: ")
    return captured.err.removeprefix("recte: ").rstrip("\n")


def test_a_table_of_several_systems(sample, capsys):
    out = run(capsys, "score", "gold.m2", "systems/heron.txt", "systems/wren.txt", "systems/magpie.txt", "-m", "m2")
    assert out.splitlines()[:5] == [
        "MaxMatch (M²)",
        "system  TP  FP  FN      P      R   F0.5    95% interval",
        "heron   40   9  10  81.63  80.00  81.30  [70.83, 90.55]",
        "wren    23   9  28  71.88  45.10  64.25  [49.99, 76.36]",
        "magpie   4  64  47   5.88   7.84   6.19   [1.50, 12.16]",
    ]
    assert out.splitlines()[5].startswith("m2|behaviour:official|annotators:2|beta:0.5|max_unchanged_words:2|")


def test_json_is_one_object_of_plain_rows(sample, capsys):
    document = json.loads(run(capsys, "score", "gold.m2", "systems/wren.txt", "-m", "maxmatch", "hoo", "-f", "json"))
    assert document["schema_version"] == 1
    m2, hoo = document["scores"]
    assert set(m2) >= KEYS | {"tp", "fp", "fn", "proposed", "gold", "precision", "recall", "interval"}
    assert (m2["system"], m2["metric"], m2["tp"], m2["options"]["beta"]) == ("wren", "m2", 23, 0.5)
    assert m2["interval"]["low"] < m2["score"] < m2["interval"]["high"]
    without = run(capsys, "score", "gold.m2", "systems/wren.txt", "-f", "json", "--no-ci")
    assert json.loads(without)["scores"][0]["interval"] is None
    assert "sentences" not in m2
    assert set(hoo) >= KEYS | {"detection", "recognition", "correction"}


def test_sentence_level_entries(sample, capsys):
    document = json.loads(run(capsys, "score", "gold.m2", "systems/wren.txt", "-f", "json", "-sl"))
    (row,) = document["scores"]
    assert len(row["sentences"]) == 40
    entry = row["sentences"][6]
    assert set(entry) == {"sentence", "score", "chosen", "tp", "proposed", "gold", "annotators"}
    assert entry["annotators"][entry["chosen"]] == {key: entry[key] for key in ("tp", "proposed", "gold")}
    assert sum(e["tp"] for e in row["sentences"]) == row["tp"]
    table = run(capsys, "score", "gold.m2", "systems/wren.txt", "systems/heron.txt", "-sl")
    assert len(table.splitlines()) == 43
    assert table.splitlines()[-1].startswith("m2|behaviour:official")


def test_edits_with_verdicts(sample, capsys):
    document = json.loads(run(capsys, "score", "gold.m2", "systems/wren.txt", "-f", "json", "--edits"))
    edits = document["scores"][0]["sentences"][6]["edits"]
    assert [(e["verdict"], e["start"], e["corrections"]) for e in edits] == [
        ("correct", 3, ["an"]),
        ("missed", 6, ["who"]),
        ("correct", 10, ["stories"]),
    ]


def test_error_types(sample, capsys):
    document = json.loads(run(capsys, "score", "gold.m2", "systems/wren.txt", "-f", "json", "--by-type"))
    row = document["scores"][0]
    assert sum(figures["gold"] for figures in row["types"].values()) == row["gold"]
    assert sum(figures["found"] for figures in row["types"].values()) == row["tp"]
    assert "wren by error type" in run(capsys, "score", "gold.m2", "systems/wren.txt", "--by-type")


def test_a_typed_system_has_precision_by_type(sample, capsys):
    (sample / "mine.m2").write_text((sample / "gold.m2").read_text())
    document = json.loads(run(capsys, "score", "gold.m2", "mine.m2", "-f", "json", "--by-type"))
    row = document["scores"][0]
    assert row["types"]["Tense"]["precision"] == 1.0
    assert row["system"] == "mine"


def test_breakdown_by_label(sample, capsys):
    arguments = ("score", "gold.m2", "systems/wren.txt", "--labels", "labels.tsv", "--by", "level", "-f", "json")
    scores = json.loads(run(capsys, *arguments))["scores"]
    assert [score.get("subset") for score in scores] == [None, {"level": "B1"}, {"level": "B2"}, {"level": "C1"}]
    assert sum(score["sentence_count"] for score in scores[1:]) == 40
    assert "C1 (8)" in run(capsys, *arguments[:-2])
    message = "--by: expected one of the labels document, level, topic, got 'age'"
    assert refused(capsys, *arguments[:5], "--by", "age") == message


def test_other_formats(sample, capsys):
    systems = ("systems/heron.txt", "systems/wren.txt")
    latex = run(capsys, "score", "gold.m2", *systems, "-f", "latex")
    assert r"heron & 40 & 9 & 10 & 81.63 & 80.00 & \textbf{81.30} & [70.83, 90.55] \\" in latex
    assert "| wren | 23 | 9 | 28 | 71.88 | 45.10 | 64.25 | [49.99, 76.36] |" in run(
        capsys, "score", "gold.m2", *systems, "-f", "markdown"
    )
    lines = run(capsys, "score", "gold.m2", *systems, "-f", "csv").splitlines()
    assert lines[:2] == [
        "system,metric,score,low,high,TP,FP,FN,P,R",
        "heron,m2,81.30,70.83,90.55,40,9,10,81.63,80.00",
    ]
    assert run(capsys, "score", "gold.m2", *systems, "-b", "-w", "4") == "81.3008\n64.2458\n"


def test_references_instead_of_m2(sample, capsys):
    run(capsys, "convert", "gold.m2", "--to-source", "src", "--to-references", "r0", "r1")
    as_text = run(capsys, "score", "-s", "src", "-r", "r0", "r1", "-i", "systems/heron.txt", "-b")
    assert float(as_text) > 70
    assert run(capsys, "score", "systems/heron.txt", "-s", "src", "-r", "r0", "r1", "-b") == as_text
    run(capsys, "convert", "-s", "src", "-r", "r0", "r1", "--to-m2", "again.m2")
    assert run(capsys, "score", "again.m2", "systems/heron.txt", "-b") == as_text


def test_standard_input_and_compressed_files(sample, capsys, monkeypatch):
    expected = run(capsys, "score", "gold.m2", "systems/wren.txt", "-b")
    text = (sample / "systems/wren.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run(capsys, "score", "gold.m2", "-b") == expected
    (sample / "gold.m2.gz").write_bytes(gzip.compress((sample / "gold.m2").read_bytes()))
    (sample / "wren.txt.gz").write_bytes(gzip.compress(text))
    assert run(capsys, "score", "gold.m2.gz", "wren.txt.gz", "-b") == expected


def test_names(sample, capsys):
    out = run(capsys, "score", "gold.m2", "systems/wren.txt", "--names", "My system", "-f", "csv")
    assert out.splitlines()[1].startswith("My system,")
    assert "expected 1, one for each system, got 2" in refused(
        capsys, "score", "gold.m2", "systems/wren.txt", "--names", "a", "b"
    )


def test_counts_files_score_like_texts_and_merge(sample, capsys):
    whole = run(capsys, "score", "gold.m2", "systems/wren.txt", "--beta", "1", "-b")
    run(capsys, "count", "gold.m2", "systems/wren.txt", "-o", "wren.counts")
    assert run(capsys, "score", "wren.counts", "--beta", "1", "-b") == whole
    document = json.loads(run(capsys, "score", "wren.counts", "-f", "json"))
    assert document == json.loads(run(capsys, "score", "gold.m2", "systems/wren.txt", "-f", "json"))

    blocks = (sample / "gold.m2").read_text().split("\n\n")
    lines = (sample / "systems/wren.txt").read_text().splitlines(keepends=True)
    for name, part in (("a", slice(0, 15)), ("b", slice(15, 40))):
        (sample / f"{name}.m2").write_text("\n\n".join(blocks[part]) + "\n\n")
        (sample / f"{name}.txt").write_text("".join(lines[part]))
        first = str((part.start or 0) + 1)
        run(capsys, "count", f"{name}.m2", f"{name}.txt", "-o", f"{name}.counts", "--first", first, "--names", "wren")
    run(capsys, "count", "--merge", "b.counts", "a.counts", "-o", "merged.counts")
    assert json.loads(run(capsys, "score", "merged.counts", "-f", "json")) == document
    message = refused(capsys, "score", "wren.counts", "--max-unchanged-words", "3")
    told = "counts: expected those made with max_unchanged_words 3, got 2; count the system again"
    assert message == f"wren.counts: {told}"


def test_explain(sample, capsys):
    out = run(capsys, "explain", "gold.m2", "systems/wren.txt", "--sentence", "7")
    assert "annotator 0 (chosen)   tp 2 · proposed 2 · gold 3 · alone F0.5 90.91" in out
    assert "  ✓ correct   3 4    a → an  Article" in out
    assert "  ○ missed    6 7    which → who  Pronoun" in out
    assert "why annotator 0: F0.5 over sentences 1 to 7 ties with annotator 1" in out
    optimal = run(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "7", "--behaviour", "optimal")
    assert "worth most for the whole corpus" in optimal
    document = json.loads(run(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "7", "-f", "json"))
    assert document["chosen"] == "annotator 0"
    gleu = run(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", "gleu")
    assert "1-grams ✓ an  ✓ stories  ✗ which" in gleu
    assert "2 of 3 gold edits met" in run(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", "hoo")
    for metric in ("bleu", "char-bleu", "sentence-accuracy", "char-meaning"):
        assert "reference 0" in run(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", metric)
    message = refused(capsys, "explain", "gold.m2", "systems/wren.txt", "-n", "41")
    assert message == "sentence: expected 1 to 40, got 41"


@pytest.mark.parametrize(
    "flags",
    [
        ("-m", "m2"),
        ("-m", "m2", "--behaviour", "optimal", "--lattice"),
        ("-m", "errant", "--attribute", "-f", "json"),
        ("-m", "gleu"),
        ("-m", "goto"),
        ("-m", "cleme"),
        ("-m", "imeasure"),
        ("-m", "hoo", "--strict"),
    ],
)
def test_explain_keeps_the_part_that_has_the_sentence(flags, sample, capsys, monkeypatch):
    command = ["explain", "gold.m2", "systems/wren.txt", "systems/heron.txt", "-q", *flags, "-n"]
    whole = [run(capsys, *command, str(number)) for number in (7, 8, 40)]
    monkeypatch.setattr(counting, "CHUNK", 7)
    assert [run(capsys, *command, str(number)) for number in (7, 8, 40)] == whole
    assert refused(capsys, *command, "41") == "sentence: expected 1 to 40, got 41"


def test_list_and_citation(capsys):
    assert run(capsys, "--list").splitlines()[2].split() == [
        "m2",
        "maxmatch",
        "MaxMatch",
        "(M²)",
        "--by-type",
        "--edits",
    ]
    assert run(capsys, "score", "--list") == run(capsys, "--list")
    assert len(run(capsys, "score", "--list", "-m", "m2").splitlines()) == 4
    citations = run(capsys, "--citation")
    for key in (
        "dahlmeier-ng-2012-better",
        "felice-briscoe-2015-towards",
        "choshen-abend-2017-conservatism",
        "chollampatt-ng-2018-reassessment",
        "lin-etal-2022-new",
    ):
        assert citations.count(f"{{{key},") == 1


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["-V"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("recte ")


def test_sample(tmp_path, capsys):
    out = run(capsys, "sample", str(tmp_path / "try"))
    assert (tmp_path / "try" / "systems" / "heron.txt").exists()
    assert out.startswith("recte score ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "gold.m2", "none.txt"), "none.txt: no such file"),
        (("score", "none.m2", "systems/wren.txt"), "none.m2: no such file"),
        (("score", "gold.m2", "systems"), "systems: expected a file, got a folder"),
        (("score", "systems", "systems/wren.txt"), "systems: expected a file, got a folder"),
        (
            ("score", "gold.m2", "short.txt"),
            "short.txt:2: expected 40 lines, one for each sentence of gold.m2, got 2",
        ),
        (
            ("score", "gold.m2", "long.txt"),
            "long.txt:41: expected 40 lines, one for each sentence of gold.m2, got 80",
        ),
        (("score", "gold.m2", "empty"), "empty:1: expected 40 lines, one for each sentence of gold.m2, got 0"),
        (("score", "empty", "systems/wren.txt"), "empty:1: expected at least one sentence"),
        (("score", "gold.m2", "latin.txt"), "latin.txt:1: expected UTF-8, got byte 0xe9 at byte 4 of the line"),
        (("score", "broken.m2", "systems/wren.txt"), "broken.m2:2: expected 6 fields"),
        (("score", "past.m2", "systems/wren.txt"), "past.m2:2: edit 9 12 reaches past the 1 tokens of its sentence"),
        (
            ("score", "gold.m2", "systems/wren.txt", "-m", "bleurt"),
            "metric: expected one of m2, hoo, ",
        ),
        (
            ("score", "gold.m2", "systems/wren.txt", "--beta", "0"),
            "--beta: expected a number from 0.01 to 100, got 0.0",
        ),
        (("score", "-s", "short.txt", "short.txt"), "-s: expected references with -r, got none"),
        (("score", "-r", "short.txt"), "-r: expected the source with -s, got none"),
        (("score",), "expected a gold file and systems, got no file"),
        (("score", "gold.m2", "systems/wren.txt", "-w", "99"), "-w: expected 0 to 15 digits, got 99"),
        (
            ("score", "gold.m2", "systems/wren.txt", "-m", "hoo", "--sentence-annotator", "last"),
            "--sentence-annotator: none",
        ),
        (("explain", "gold.m2", "-n", "1"), "explain: expected at least one system, got none"),
        (
            ("convert", "gold.m2"),
            f"convert: expected {', '.join(f'--to-{format.name}' for format in gold_formats_to_write())}, --to-source "
            "or --to-references, got none",
        ),
        (("convert", "--to-m2", "x"), "convert: expected either GOLD or -s SOURCE"),
        (
            ("convert", "gold.m2", "--to-references", "r0"),
            "--to-references: expected 2 files, one for each annotator (0, 1)",
        ),
        (
            ("count", "gold.m2", "systems/wren.txt", "-o", "no/folder"),
            "-o: expected a file in a folder that is there, got 'no/folder'",
        ),
        (("count", "--merge", "gold.m2", "-o", "x"), "gold.m2: expected a counts file made by recte count"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(sample, capsys, arguments, message):
    (sample / "short.txt").write_text("a\nb\n")
    (sample / "long.txt").write_text("a\n" * 80)
    (sample / "empty").write_text("")
    (sample / "latin.txt").write_bytes(b"caf\xe9\n")
    (sample / "broken.m2").write_text("S a\nA 0 1|||X\n")
    (sample / "past.m2").write_text("S a\nA 9 12|||X|||y|||REQUIRED|||-NONE-|||0\n")
    before = sorted(sample.rglob("*"))
    assert refused(capsys, *arguments).startswith(message)
    assert sorted(sample.rglob("*")) == before


def test_wrong_usage_is_exit_code_two_without_a_traceback(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["score", "--nonsense"])
    assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_fallbacks_are_told(sample, capsys):
    assert main(["score", "gold.m2", "systems/magpie.txt", "--max-lattice", "12", "-b"]) == 0
    captured = capsys.readouterr()
    assert "recte: warning: magpie: " in captured.err
    assert "too unlike their source for an exact search, scored by a word diff" in captured.err
    run(capsys, "score", "gold.m2", "systems/magpie.txt", "--max-lattice", "12", "-b", "-q")


def in_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command prints where its output is a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "recte", *arguments]
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=env)
    os.close(theirs)
    chunks = []
    try:
        while chunk := os.read(ours, 65536):
            chunks.append(chunk)
    except OSError:  # the other end closed
        pass
    process.wait()
    os.close(ours)
    return b"".join(chunks).decode()


def test_colour_in_a_terminal_only_and_no_color_honoured(sample):
    arguments = ("score", "gold.m2", "systems/wren.txt", "systems/heron.txt")
    environment = dict.fromkeys(("NO_COLOR",), "")
    assert "\x1b[" in in_a_terminal(*arguments, **environment)
    assert "\x1b[" not in in_a_terminal(*arguments, NO_COLOR="1")
    assert "\x1b[" in in_a_terminal("explain", *arguments[1:3], "-n", "7", **environment)
    plain = subprocess.run([sys.executable, "-m", "recte", *arguments], capture_output=True, text=True, check=True)
    assert "\x1b[" not in plain.stdout


def test_a_reader_that_leaves_early_is_no_error(sample):
    command = f"{sys.executable} -m recte score gold.m2 systems/wren.txt -sl -f json | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr
