"""A dataclass of options declares flags, and gets what was read in the types and ranges that it declares."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from recte.cli.command_table import COMMANDS
from recte.cli.option_flags import add_options, read_options
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.options import REQUIRED, argument, check_options, option, part, same_option


@dataclass(frozen=True, kw_only=True)
class Drawing:
    resamples: int = option(1000, "how many", least=0, most=5000, unit="times")
    fast: bool = option(True, "or slow")


@dataclass(frozen=True, kw_only=True)
class Options:
    files: tuple[str, ...] = argument("what to read", metavar="FILE", values="*")
    output: str = option(REQUIRED, "where to write", kind=str, flags=("-o", "--output"))
    levels: tuple[float, ...] = option((0.5,), "how sure", kind=float)
    pairs: tuple[tuple[str, ...], ...] = option((), "several times", kind=str, values="+", repeated=True)
    drawing: Drawing = part(Drawing, "drawing")


def read(words: str) -> Options:
    parser = Parser()
    add_options(parser, Options)
    options = read_options(Options, vars(parser.parse_args(words.split())))
    assert isinstance(options, Options)
    return options


def test_flags_become_the_dataclass():
    assert read("-o x") == Options(output="x")
    assert read("a b -o x --levels 0.9 1 --pairs a b --pairs c --resamples 0 --no-fast") == Options(
        files=("a", "b"),
        output="x",
        levels=(0.9, 1.0),
        pairs=(("a", "b"), ("c",)),
        drawing=Drawing(resamples=0, fast=False),
    )


def test_mistakes_of_an_author_are_errors_where_they_are_made():
    @dataclass(frozen=True)
    class Plain:
        size: int = 3

    with pytest.raises(TypeError, match=r"Plain\.size: expected a field made by option, argument or part"):
        add_options(Parser(), Plain)
    with pytest.raises(TypeError, match="expected an option of Drawing, got 'draws'"):
        same_option(Drawing, "draws")
    with pytest.raises(TypeError, match="resamples: expected parameters of option, got minimum"):
        same_option(Drawing, "resamples", minimum=3)


def test_parts_have_a_group_in_help():
    parser = Parser()
    add_options(parser, Options)
    groups = {group.title: [action.dest for action in group._group_actions] for group in parser._action_groups}
    assert groups["drawing"] == ["resamples", "fast"]


def test_ranges_are_checked_under_the_flag_s_name(capsys):
    with pytest.raises(OptionError, match=r"^--resamples: expected 0 to 5,000 times, got 5001$"):
        read("-o x --resamples 5001")
    with pytest.raises(SystemExit):
        read("--levels 1")
    assert "the following arguments are required: -o/--output" in capsys.readouterr().err


def test_options_are_checked_in_python_too():
    @dataclass(frozen=True)
    class Study:
        resamples: int = same_option(Drawing, "resamples")
        methods: tuple[str, ...] = option((), "how", kind=str, choices=("a", "b"))

        def __post_init__(self) -> None:
            check_options(self)

    assert Study(methods=["b"]).methods == ("b",)  # type: ignore[arg-type]
    for settings, message in (
        ({"resamples": -1}, "resamples: expected 0 to 5,000 times, got -1"),
        ({"resamples": True}, "resamples: expected int, got bool True"),
        ({"methods": "a"}, "methods: expected a list, got str 'a'"),
        ({"methods": ["c"]}, "methods: expected one of a, b, got 'c'"),
    ):
        with pytest.raises(OptionError, match=f"^{message}$"):
            Study(**settings)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_quiet_and_writes_by_the_same_flags(name):
    """A flag that means the same has the same names everywhere."""
    parser = Parser(prog=f"recte {name}")
    COMMANDS[name].load().add_to(parser)
    inner = [action for action in parser._actions if hasattr(action, "_name_parser_map")]
    for command in [*inner[0].choices.values()] if inner else [parser]:
        flags = [set(action.option_strings) for action in command._actions]
        assert {"-q", "--quiet"} in flags
        assert all({"-o", "--to"} <= names for names in flags if names & {"-o", "--to"})
        assert all({"-f", "--format"} <= names for names in flags if names & {"-f", "--format"})
