"""Shell completion: bash really completes with the script; the others are read by their shells where these are here."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess

import pytest

from recte.cli import COMMANDS, main
from recte.metrics import metric_names

_ASK = r"""
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_recte
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    def written(shell: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert main(["completion", shell]) == 0
        path = tmp_path_factory.mktemp("completion") / f"recte.{shell}"
        path.write_text(out.getvalue())
        return str(path)

    return written


@pytest.fixture(scope="module")
def complete(script):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    path = script("bash")

    def completed(line: str) -> set[str]:
        words = line.split(" ")
        done = subprocess.run(["bash", "-c", _ASK, "bash", path, *words], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return set(done.stdout.split())

    return completed


def test_bash_completes_commands_and_options(complete):
    assert complete("recte ") == set(COMMANDS)
    assert complete("recte sc") == {"score"}
    assert complete("recte --ci") == {"--citation"}
    assert complete("recte score gold.m2 --one") == {"--one-table"}
    assert complete("recte score -m m2 --max-un") == {"--max-unchanged-words"}
    assert complete("recte completion ") == {"bash", "zsh", "fish"}
    assert complete("recte references ext") == {"extend"}
    assert complete("recte references extend --mo") == {"--more-than"}


def test_bash_completes_values(complete):
    assert complete("recte score gold.m2 x.txt -f ") == {
        *("text", "latex", "csv", "markdown", "json", "tidy", "tidy-tsv")
    }
    assert complete("recte score gold.m2 --format ma") == {"markdown"}
    assert complete("recte score gold.m2 x.txt -m ") >= set(metric_names()[:15])
    assert complete("recte score gold.m2 x.txt -m m2 gl") == {"gleu"}  # any number of metrics
    assert complete("recte score --help g") == {"gleu", "green", "goto"}
    assert complete("recte score -f latex ") == set()  # then files, by bash itself
    assert complete("recte score ") == set()


def test_bash_completes_in_an_interactive_shell(script, tmp_path):
    """As a user meets it: the Tab key in a shell behind a terminal."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    import os
    import pty
    import select
    import time

    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"PS1": "> ", "TERM": "dumb", "HOME": str(tmp_path)}
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        end = time.monotonic() + 60
        while text not in seen:
            assert time.monotonic() < end, seen
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 4096)

    until(b"> ")
    os.write(terminal, f"source {script('bash')}\n".encode())
    os.write(terminal, b'recte() { echo "<$*>"; }\n')
    os.write(terminal, b"recte figu\tx.m2 --chart-w\t3in\n")
    until(b"<figures x.m2 --chart-width 3in>")
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(child, 0)


def test_zsh_and_fish_have_the_same(script):
    with open(script("zsh")) as zsh, open(script("fish")) as fish, open(script("bash")) as bash:
        texts = {"zsh": zsh.read(), "fish": fish.read(), "bash": bash.read()}
    assert texts["zsh"].startswith("#compdef recte\n")
    words = texts["bash"].partition("_recte_words() {")[2].partition("\n}")[0]
    assert words in texts["zsh"]
    for name in COMMANDS:
        assert f"__fish_use_subcommand -a {name} -d '" in texts["fish"]
    fish_line = next(line for line in texts["fish"].splitlines() if "-l format " in line and "from score'" in line)
    assert re.search(r"-s f -l format -x -a 'text latex csv markdown json tidy tidy-tsv' -d '", fish_line)
    for shell in ("zsh", "fish"):
        if shutil.which(shell):
            subprocess.run([shell, "-n", script(shell)], check=True)
