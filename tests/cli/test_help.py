"""Help that a newcomer can use: it fits a screen, its examples run, and a slip of the pen is understood."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from glob import glob

import pytest

from recte.cli import COMMANDS, HELP, main
from recte.cli.command_table import COMMAND_GROUPS
from recte.metrics import metric_class, metric_names

SCREEN = 40
AROUND_COMMANDS = 14  # lines of the page of all commands that are neither a command nor a title of a group
PAGES = {"": HELP} | {name: entry.load() for name, entry in COMMANDS.items()}


def page(*arguments: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(list(arguments))
    return out.getvalue()


def refused(capsys, *arguments: str) -> str:
    try:
        code = main(list(arguments))
    except SystemExit as left:
        code = left.code
    captured = capsys.readouterr()
    assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
    return captured.err.strip()


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_screen_with_two_examples(command, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    text = page(*filter(None, [command]), "--help")
    lines = text.splitlines()
    assert len(lines) <= (SCREEN if command else AROUND_COMMANDS + len(COMMAND_GROUPS) + len(COMMANDS))
    assert max(map(len, lines)) <= columns
    assert lines[0].startswith(f"usage: recte {command}".rstrip())
    examples = text.partition("\nexamples:\n")[2].partition("\n\n")[0]
    shown = re.sub(r" \\\n +", " ", examples)
    assert all(example in shown for example, _ in PAGES[command].examples)
    assert page(*filter(None, [command]), "-h") == text


def test_commands_are_listed_in_groups():
    assert sum(map(len, COMMAND_GROUPS.values())) == len(COMMANDS)
    lines = iter(page("--help").splitlines())
    for title, commands in COMMAND_GROUPS.items():
        assert f"{title}:" in lines  # goes on behind the last one
        assert [next(lines).split()[0] for _ in commands] == list(commands)


@pytest.mark.parametrize("command", COMMANDS)
def test_all_help_explains_every_option(command):
    first, text = page(command, "--help"), page(command, "--help", "all")
    for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", first.partition("also:")[2]):
        assert re.search(rf"^  (-\w+, )?{flag}\b", text, re.MULTILINE), flag


@pytest.mark.parametrize("command", PAGES)
def test_the_examples_run(command, in_sample, capsys):
    for example, _ in PAGES[command].examples:
        words = shlex.split(example)
        assert words[0] == "recte"
        arguments = [path for word in words[1:] for path in (sorted(glob(word)) or [word])]
        with contextlib.suppress(SystemExit):
            assert main(arguments) == 0, example
        said = capsys.readouterr()
        assert said.out or said.err or "-o" in words or "--to" in words or "convert" in words, example


@pytest.mark.parametrize("metric", metric_names())
def test_help_on_a_metric_has_its_options_alone(metric):
    text = page("score", "--help", metric)
    flags = set(re.findall(r"^  (--[\w-]+)", text, re.MULTILINE))
    ours = (
        {"--" + name.replace("_", "-") for name in metric_class(metric)().options()} if metric != "my-judge" else flags
    )
    assert {flag.removeprefix("--").removeprefix(f"{metric}-") for flag in flags} == {flag[2:] for flag in ours} | {
        "tokens"
    }
    assert text.startswith(f"{metric}: ")


def test_help_on_other_topics(in_sample, capsys):
    assert page("--help", "score") == page("score", "--help")
    assert page("--help", "maxmatch") == page("score", "--help", "m2")
    assert page("score", "--help", "sample/gold.m2") == page("score", "--help")  # a command line with --help inside
    assert page() == page("--help")
    assert "--help: expected all or the name of a metric, got 'nonsense'" in refused(
        capsys, "score", "--help", "nonsense"
    )


def test_slips_of_the_pen(in_sample, capsys):
    score = ("score", "sample/gold.m2", "sample/systems/wren.txt")
    for arguments, said in {
        ("scor",): "did you mean score?",
        (*score, "--one-tabel"): "expected an option of recte score, got '--one-tabel'; did you mean --one-table?",
        (*score, "--behavior", "paper"): "did you mean --behaviour?",
        (*score, "-m", "bleo"): "got 'bleo'; did you mean bleu?",
        (*score, "-m", "Max-Match"): "did you mean maxmatch?",
        (*score, "-f", "latx"): "got 'latx'; did you mean latex?",
        (*score, "--behaviour", "oficial"): "did you mean official?",
        ("references", "extnd", "x"): "did you mean extend?",
        ("sample", "a", "b"): "too many arguments: got 'b' (recte sample --help says more)",
        (*score, "--nothing-of-the-kind"): "got '--nothing-of-the-kind' (recte score --help says more)",
        (*score, "--sort", "glue", "-m", "gleu"): "did you mean gleu?",
    }.items():
        assert said in refused(capsys, *arguments), arguments


def test_gold_behind_the_system_is_told(in_sample, capsys):
    said = refused(capsys, "score", "sample/systems/wren.txt", "sample/systems/heron.txt", "sample/gold.m2")
    assert said == (
        "recte: expected GOLD before the systems, got sample/systems/wren.txt, which is plain text; "
        "sample/gold.m2 looks like gold: put it first"
    )
    assert "expected GOLD before" in refused(
        capsys, "compare", "sample/chinese/systems/crane.txt", "sample/chinese/gold.para", "sample/systems/wren.txt"
    )
    assert "expected a sentence (a line that starts with 'S ')" in refused(
        capsys, "score", "sample/systems/wren.txt", "sample/systems/heron.txt"
    )
    for arguments in (["sample/gold.m2", "sample/gold.m2"], ["sample/gold.m2", "sample/systems/wren.txt"]):
        assert main(["score", *arguments, "-b"]) == 0


def test_a_metric_without_a_judged_system_names_the_flag(in_sample, capsys):
    said = refused(capsys, "metaeval", "sample/judgments.tsv", "sample/gold.m2", "sample/systems/wren.txt", "-m", "m2")
    assert "(--without leaves systems out, in Python `without`)" in said


def test_the_list_of_metrics_has_columns(capsys):
    lines = page("--list").splitlines()
    headers = lines[1]
    starts = [headers.index(header) for header in ("metric", "also", "title", "more")]
    m2 = next(line for line in lines if line.startswith("m2 "))
    cells = [m2[begin:end].strip() for begin, end in zip(starts, [*starts[1:], None], strict=True)]
    assert cells == ["m2", "maxmatch", "MaxMatch (M²)", "--by-type --edits"]
    assert len([line for line in lines if line.split()[0] in metric_names()]) == len(metric_names())
    assert page("score", "--list", "-m", "gleu", "-f", "csv").splitlines() == ["metric,also,title,more", "gleu,,GLEU,"]
    assert '"metric": "gleu"' in page("score", "--list", "-m", "gleu", "-f", "json")
