"""`recte completion bash|zsh|fish`: a script that makes a shell complete commands, options and their values.

The script holds everything it needs, so that a press of the Tab key starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recte.cli.command import Command
from recte.cli.command_table import COMMANDS
from recte.cli.parser import Parser
from recte.options import argument

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, kw_only=True)
class CompletionOptions:
    shell: str = argument(", ".join(SHELLS), metavar="SHELL", choices=SHELLS)


def run(options: CompletionOptions) -> None:
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](_commands()))


class Flag(NamedTuple):
    """An option by its names, what it says of itself, and its values: so many of them, any where none are named."""

    names: tuple[str, ...]
    summary: str
    takes: int  # values: 0, 1, or 2 for any number
    values: tuple[str, ...]


class CompletedCommand(NamedTuple):
    """A command with its options; a command inside another is called by both names."""

    summary: str
    flags: tuple[Flag, ...]
    words: tuple[str, ...] = ()  # what may stand without a flag, besides files


def _commands() -> dict[str, CompletedCommand]:
    commands = {}
    for name, command in COMMANDS.items():
        parser = Parser(prog=f"recte {name}")
        command.load().add_to(parser)
        if parser.declare is not None:
            parser.declare(["--help", "all"])
        inner = next((a for a in parser._actions if isinstance(a, argparse._SubParsersAction)), None)
        commands[name] = CompletedCommand(command.summary, tuple(_flags(parser)), _words(parser))
        for word, subparser in ({} if inner is None else inner.choices).items():
            commands[f"{name} {word}"] = CompletedCommand("", tuple(_flags(subparser)), _words(subparser))
    return commands


def _words(parser: argparse.ArgumentParser) -> tuple[str, ...]:
    plain = [action for action in parser._actions if not action.option_strings]
    return tuple(str(choice) for action in plain for choice in action.choices or ())


def _flags(parser: argparse.ArgumentParser) -> Iterator[Flag]:
    from recte.metrics import metric_names

    for action in parser._actions:
        if action.option_strings:
            values = tuple(map(str, action.choices or ()))
            if action.dest in ("metrics", "metric", "help"):
                values = (*values, *metric_names(), *(("all",) if action.dest == "help" else ()))
            takes = 0 if action.nargs == 0 else 2 if action.nargs in ("+", "*") else 1
            text = " ".join((action.help or "").replace("%%", "%").split())
            yield Flag(tuple(action.option_strings), text, takes, values)


def _cases(commands: Mapping[str, CompletedCommand]) -> str:
    """A function for bash and zsh alike: what may stand where, by command, and by flag or `options` or `words`.

    A flag that takes any number of values has a + behind it.
    """
    rows = [_case([":words"], [name for name in commands if " " not in name])]
    rows.append(_case([":options"], ["--help", "--version", "--list", "--citation"]))
    for name, command in commands.items():
        flags = [flag for spelling in command.flags for flag in spelling.names if flag.startswith("--")]
        rows.append(_case([f"{name}:options"], flags))
        if command.words:
            rows.append(_case([f"{name}:words"], command.words))
        for flag in command.flags:
            if flag.takes and flag.values:
                many = "+" if flag.takes > 1 else ""
                rows.append(_case([f"{name}:{spelling}{many}" for spelling in flag.names], flag.values))
    return "\n".join(["_recte_words() {", '    case "$1:$2" in', *rows, "    esac", "}"])


def _case(keys: Sequence[str], words: Sequence[str]) -> str:
    patterns = "|".join(f'"{key}"' for key in keys)
    return f"        {patterns}) echo '{' '.join(words)}' ;;"


# Which command the words before the cursor name, which flag was last, and how many values it has: for both shells.
_WHERE = r"""
        if [[ "$word" == -* ]]; then flag="$word"; since=0; continue; fi
        since=$((since + 1))
        if [[ -z "$command" ]]; then command="$word"; flag=""
        elif [[ -n "$(_recte_words "$command $word" options)" ]]; then command="$command $word"; flag=""; fi
    done
    found=""
    if [[ "$current" == -* ]]; then found="$(_recte_words "$command" options)"
    elif [[ -n "$flag" ]]; then
        found="$(_recte_words "$command" "$flag+")"
        if [[ -z "$found" && "$since" == 0 ]]; then found="$(_recte_words "$command" "$flag")"; fi
    fi
    if [[ -z "$found" && ( -z "$flag" || "$since" != 0 ) ]]; then found="$(_recte_words "$command" words)"; fi
"""


def _bash(commands: Mapping[str, CompletedCommand]) -> str:
    return f"""# Completion of recte for bash: source it, or put it where bash-completion looks.
{_cases(commands)}
_recte() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" command="" flag="" since=0 word found place
    for ((place = 1; place < COMP_CWORD; place++)); do
        word="${{COMP_WORDS[place]}}"{_WHERE}
    COMPREPLY=()
    if [[ -n "$found" ]]; then mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current"); fi
}}
complete -o default -F _recte recte"""


def _zsh(commands: Mapping[str, CompletedCommand]) -> str:
    return f"""#compdef recte
# Completion of recte for zsh: put it as _recte into a folder of $fpath, or source it after compinit.
{_cases(commands)}
_recte() {{
    local current="${{words[CURRENT]}}" command="" flag="" since=0 word found
    for word in "${{(@)words[2,CURRENT-1]}}"; do{_WHERE}
    if [[ -n "$found" ]]; then compadd -- ${{=found}}; else _files; fi
}}
if [[ "$funcstack[1]" == _recte ]]; then _recte "$@"; else compdef _recte recte; fi"""


def _fish(commands: Mapping[str, CompletedCommand]) -> str:
    lines = ["# Completion of recte for fish: put it into ~/.config/fish/completions/recte.fish."]
    for name, command in commands.items():
        outer, _, word = name.partition(" ")
        where = f"__fish_seen_subcommand_from {outer}" + (f"; and __fish_seen_subcommand_from {word}" if word else "")
        if not word:
            lines.append(f"complete -c recte -f -n __fish_use_subcommand -a {outer} -d {_quote(command.summary)}")
        if command.words:
            lines.append(f"complete -c recte -n {_quote(where)} -a {_quote(' '.join(command.words))}")
        for flag in command.flags:
            names = " ".join(map(_fish_name, flag.names))
            values = f" -a {_quote(' '.join(flag.values))}" if flag.takes and flag.values else ""
            takes = "" if not flag.takes else " -x" if flag.values else " -r"
            lines.append(f"complete -c recte -n {_quote(where)} {names}{takes}{values} -d {_quote(flag.summary)}")
    return "\n".join(lines)


def _fish_name(flag: str) -> str:
    if flag.startswith("--"):
        return f"-l {flag[2:]}"
    return f"-s {flag[1:]}" if len(flag) == 2 else f"-o {flag[1:]}"


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


COMMAND = Command(
    run=run,
    options=CompletionOptions,
    forms=("bash|zsh|fish",),
    examples=(
        ("recte completion bash", "put it into ~/.local/share/bash-completion/completions/recte"),
        ("recte completion fish", "put it into ~/.config/fish/completions/recte.fish"),
    ),
)
