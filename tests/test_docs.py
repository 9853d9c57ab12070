"""README and docs are true: every console block prints what it says, every Python block gives what it shows."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest

import recte
from latex_table import compiler, read_latex
from recte.cli import main
from shared_data import shared

ROOT = Path(__file__).parents[1]
NEEDED = {
    "shared-tasks.md": "yaml",
    "paper-results.md": "vl_convert",
}  # libraries of extras, without which a page's commands cannot run
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


RESULTS = ROOT / "docs" / "paper-results.md"  # its commands run on CoNLL-2014


def link_conll14():
    Path("conll14").symlink_to(shared("data", "conll14"))


def shell_blocks(page):
    return re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)


def run_shell(script):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", "-ec", script], env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_results_section_becomes_a_paper(in_sample):
    """Every table is LaTeX that can be read back, and the document compiles where a compiler is at hand."""
    link_conll14()
    for script in shell_blocks(RESULTS):
        run_shell(script)
    tables = {path.stem: path.read_text().split("\n\n") for path in Path().glob("*.tex")}
    assert sorted(tables) == ["lengths", "main", "seeds", "types"]
    for name, parts in tables.items():
        for part in parts:
            headers, *rows = read_latex(part.replace("\\begin{table}\n\\centering\n", ""))[1]
            assert headers[0] in ("system", "type"), name
            assert rows
    assert any(
        "‡" in cell
        for row in read_latex(tables["main"][0].replace("\\begin{table}\n\\centering\n", ""))[1]
        for cell in row
    )
    program = compiler()
    if program is None:
        pytest.skip("needs a LaTeX compiler: apt-get install texlive-latex-recommended")
    pytest.importorskip("vl_convert")
    (figure,) = re.findall(r"^\$ (recte figures .*)$", RESULTS.read_text(), re.MULTILINE)
    run_shell(figure)
    (document,) = re.findall(r"```latex\n(.*?)```", RESULTS.read_text(), re.DOTALL)
    Path("paper.tex").write_text(document)
    flags = [] if "tectonic" in program else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([program, *flags, "paper.tex"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "PDF version" not in done.stdout  # pdfTeX warns where a figure is of a later one


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(page, in_sample, capsys):
    if page.name in NEEDED:
        pytest.importorskip(NEEDED[page.name])
    if page.name == RESULTS.name:
        link_conll14()
        run_shell(shell_blocks(page)[0])
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
        for command, expected in re.findall(r"^\$ recte (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            arguments = [path for word in shlex.split(command) for path in (sorted(glob(word)) or [word])]
            assert main(arguments) == 0
            assert capsys.readouterr().out == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page, in_sample):
    outcome = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0


@pytest.mark.parametrize("page", ["Makefile", "SECURITY.md", "docs/reliability.md"])
def test_named_tests_exist(page):
    """What a page names as the test of a promise, and what `make sanitize` runs."""
    for path, test in re.findall(r"(tests/[\w/]+(?:\.py)?)(?:::(\w+))?", (ROOT / page).read_text()):
        assert (ROOT / path).exists(), path
        assert not test or f"def {test}(" in (ROOT / path).read_text(), f"{path}::{test}"


@pytest.mark.parametrize("path", sorted(Path(recte.__file__).parent.rglob("*.py")), ids=lambda path: path.stem)
def test_docstring_examples(path):
    if path.name == "__main__.py":
        return
    name = ".".join(path.relative_to(Path(recte.__file__).parents[1]).with_suffix("").parts).removesuffix(".__init__")
    module = __import__(name, fromlist=["_"])
    assert doctest.testmod(module).failed == 0


def headings(page: Path) -> set[str]:
    """The targets that a page's headings are, as code hosts and the site make them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if heading and linked.suffix == ".md":
            assert heading in headings(linked), f"{target}#{heading}"


def test_the_site_has_every_page(tmp_path):
    pytest.importorskip("furo", reason="Sphinx and Furo, which make the site, are not installed")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        str(ROOT / "docs"),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr  # an unknown link or a page outside the contents is a warning there
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} <= {page.stem for page in tmp_path.glob("*.html")}


def test_every_option_is_documented():
    """The site has a list of options where a page calls for help: of each metric, and of each command."""
    from recte.cli.command_table import COMMANDS
    from recte.metrics import metric_names

    calls = [re.findall(r"^`recte (\S+) (?:\S+ )*--help (\S+)`$", page.read_text(), re.MULTILINE) for page in PAGES]
    called = [call for of_page in calls for call in of_page]
    assert {name for command, name in called if name != "all"} == set(metric_names())
    assert {command for command, name in called if name == "all"} == set(COMMANDS) - {"completion"}


def test_the_makefile_and_the_pages_agree_on_the_download():
    """As `python -m benchmarks.install` measures it."""
    said = re.findall(r"compiling its core: (\d+) MB to download", (ROOT / "Makefile").read_text())
    for page in PAGES:
        said += re.findall(r"make demo.*?(\d+) MB to download", page.read_text())
    assert len(set(said)) == 1


def test_versions_agree():
    assert f"version: {recte.__version__}" in (ROOT / "CITATION.cff").read_text()
