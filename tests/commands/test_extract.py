"""`recte extract`: files in, M2 out, and what is refused."""

from __future__ import annotations

import io

import pytest

import recte
from recte.cli import main
from shared_data import golden, opened, shared

HEADER = "text\tpos\ttag\tlemma\tdep\thead\n"
HE, GO, GOES = "He\tPRON\tPRP\the\tnsubj\t1\n", "go\tVERB\tVBP\tgo\tROOT\t1\n", "goes\tVERB\tVBZ\tgo\tROOT\t1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tokens.tsv").write_text(HEADER + HE + GO + "\n" + HE + GOES)
    (tmp_path / "source.txt").write_text("He go\n\nHe goes\n")
    (tmp_path / "one.txt").write_text("He goes\n\nHe  goes\n")
    (tmp_path / "two.txt").write_text("\nNow\nHe goes\n")
    return tmp_path


def printed(capsys, *arguments):
    assert main(["extract", *arguments, "--annotations", "tokens.tsv"]) == 0
    return capsys.readouterr().out


def test_several_files_are_several_annotators(folder, capsys):
    (folder / "tokens.tsv").write_text(HEADER + HE + GO + "\n" + HE + GOES + "\nNow\tADV\tRB\tnow\tROOT\t0\n")
    assert printed(capsys, "source.txt", "one.txt", "two.txt") == (
        "S He go\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A 0 2|||U:OTHER||||||REQUIRED|||-NONE-|||1\n\n"
        "S \n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A 0 0|||M:ADV|||Now|||REQUIRED|||-NONE-|||1\n\n"
        "S He goes\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )


def test_official_drops_empty_sources_and_texts_that_differ_in_spaces(folder, capsys):
    assert printed(capsys, "source.txt", "one.txt", "--behaviour", "official") == (
        "S He go\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS He goes\n\n"
    )


def test_gold_spans_are_minimised_and_retyped_unless_told_otherwise(folder, capsys):
    (folder / "gold.m2").write_text("S He go\nA 0 2|||Vform|||He goes|||REQUIRED|||-NONE-|||0\n")
    assert "A 1 2|||R:VERB:SVA|||goes|||" in printed(capsys, "gold.m2", "--edits", "gold")
    assert "A 0 2|||R:OTHER|||He goes|||" in printed(capsys, "gold.m2", "--edits", "gold", "--no-minimise")
    assert "A 1 2|||Vform|||goes|||" in printed(capsys, "gold.m2", "--edits", "gold", "--no-retype")
    assert "A 1 2|||R:VERB:SVA|||goes|||" in printed(capsys, "gold.m2")


@pytest.mark.parametrize(("edits", "manner"), [("gold", "retyped"), ("auto", "extracted")])
def test_a_gold_says_how_its_edits_were_made_and_the_signature_repeats_it(folder, capsys, edits, manner):
    (folder / "gold.m2").write_text("S He go\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS He goes\n")
    lines = printed(capsys, "gold.m2", "--edits", edits)
    assert lines.startswith(f"# recte edits: {manner} errant+en+given-")
    (folder / "made.m2").write_text(lines)
    made = lines.split("\n")[0].removeprefix("# recte edits: ")
    corpus = recte.read_m2("made.m2")
    assert (corpus.edits_made, len(corpus)) == (made, 2)
    score = recte.score(corpus, ["He goes", "He goes"], metric="errant")
    assert f"reference_edits:given({made.replace(' ', '+')})" in score.signature
    recte.write_m2("again.m2", corpus)
    assert (folder / "again.m2").read_text() == lines
    assert main(["score", "made.m2", "two.txt", "-m", "errant", "--no-ci"]) == 2  # one line too many
    (folder / "three.txt").write_text("He goes\nHe goes\n")
    assert main(["score", "made.m2", "three.txt", "-m", "errant", "--no-ci"]) == 0
    assert f"reference_edits:given({manner}+errant" in capsys.readouterr().out
    assert printed(capsys, "made.m2", "--edits", edits) == lines
    assert "#" not in printed(capsys, "gold.m2", "--edits", edits, "--behaviour", "official")
    assert "#" not in printed(capsys, "gold.m2", "--edits", "gold", "--no-retype")


def test_a_comment_that_does_not_say_how_is_no_comment(folder, capsys):
    (folder / "gold.m2").write_text("# my gold\nS He go\n")
    assert main(["extract", "gold.m2", "one.txt"]) == 2
    (folder / "odd.m2").write_text("# recte edits: made|by:me\nS He go\n")
    assert recte.read_m2("odd.m2").edits_made == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_progress_unless_quiet_or_full_of_edits(folder, monkeypatch):
    (folder / "tokens.tsv").write_text(HEADER + HE + GO + "\n" + HE + GOES)

    def errors(*arguments):
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        assert main(["extract", "source.txt", "one.txt", "--annotations", "tokens.tsv", *arguments]) == 0
        return terminal.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    assert "3/?" in errors("--to", "to.m2")
    assert "3/?" in errors()  # standard output is no terminal here
    assert errors("--to", "to.m2", "-q") == ""
    monkeypatch.setattr("sys.stdout", Terminal())
    assert "3/?" in errors("--to", "to.m2")
    assert errors() == ""


def test_what_was_marked_but_not_corrected_stays(folder, capsys):
    (folder / "gold.m2").write_text(
        "S He go\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\nA 0 1|||Um|||?|||REQUIRED|||-NONE-|||0\n"
    )
    for how in ("gold", "auto"):
        lines = printed(capsys, "gold.m2", "--edits", how).splitlines()
        assert [line.split("|||")[:3] for line in lines[2:4]] == [
            ["A 0 1", "UNK", "?"],
            ["A 1 2", "R:VERB:SVA", "goes"],
        ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["source.txt"], "extract: expected corrected texts behind the source"),
        (["gold.m2", "one.txt"], "extract: expected an M2 file alone"),
        (["source.txt", "short.txt"], "short.txt:1: expected 3 lines, one for each sentence of source.txt, got 1"),
        (["source.txt", "unknown.txt"], "tokens.tsv: expected annotations of 'Who knows', got none"),
    ],
)
def test_bad_input_is_one_line(folder, capsys, arguments, message):
    (folder / "gold.m2").write_text("S He go\n")
    (folder / "short.txt").write_text("He goes\n")
    (folder / "unknown.txt").write_text("Who knows\n\nHe goes\n")
    assert main(["extract", *arguments, "--annotations", "tokens.tsv"]) == 2
    assert capsys.readouterr().err.startswith(f"recte: {message}")


def test_conll14_byte_for_byte(tmp_path):
    data, to = shared("data/conll14"), tmp_path / "amu.m2"
    tokens = golden("errant/conll14-tokens.tsv.gz")
    files = [str(data / "source.txt"), str(data / "systems" / "AMU.txt")]
    assert main(["extract", *files, "--annotations", str(tokens), "--to", str(to)]) == 0
    with opened(golden("errant/conll14/AMU.m2.gz")) as stream:
        assert to.read_text(encoding="utf-8") == stream.read()


def test_no_warning_of_english_rules_where_none_find_edits(tmp_path, capsys):
    gold = tmp_path / "gold.m2"
    block = "S Я бачу сестра .\nA 1 3|||G/Case|||бачу сестру|||REQUIRED|||-NONE-|||0\n\n"
    gold.write_text(3 * block, encoding="utf-8")
    words = ["extract", str(gold), "--edits", "gold", "--to", str(tmp_path / "out.m2")]
    assert main([*words, "--no-retype"]) == 0
    assert capsys.readouterr().err == ""
    assert "A 2 3|||G/Case|||сестру|||" in (tmp_path / "out.m2").read_text(encoding="utf-8")
    assert main(words) == 0
    assert "3 of 3 lines are not English" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--edits", "gold"], ["--no-minimise"], ["--no-retype"]])
def test_options_about_gold_spans_are_refused_with_plain_texts(words, tmp_path, capsys):
    for name, text in (("source.txt", "He go .\n"), ("corrected.txt", "He goes .\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["extract", str(tmp_path / "source.txt"), str(tmp_path / "corrected.txt"), *words]) == 2
    assert "expected them with an M2 file, got plain texts" in capsys.readouterr().err
