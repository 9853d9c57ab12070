"""The documentation as a site: `make docs` writes it to build/docs."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

from recte import __version__
from recte.cli import main
from recte.studies.papers.command import PAPERS, paper_named
from recte.studies.papers.paper_tables import paper_sections
from recte.studies.papers.result import TableResult

project = "recte"
author = "The recte authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["reproduction/*"]

html_theme = "furo"
html_title = "recte"
html_static_path: list[str] = []
html_show_sphinx = False
html_show_copyright = False

# Markdown as it is read on a code host: headings are targets, and a table or a picture is no more than that.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

autodoc_member_order = "alphabetical"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "imported-members": True, "show-inheritance": True}


def _as_rst(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are written as Markdown: `code` has one backtick on each side, and a bar is a bar."""
    example = False
    for place, line in enumerate(lines):
        example = line.strip() != "" and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = re.split(r"(`[^`]+`)", line)
            lines[place] = "".join(f"`{p}`" if p[:1] == "`" else re.sub(r"([|*])", r"\\\1", p) for p in parts)


def _write_lists(app: Any, name: str, source: list[str]) -> None:
    """A line that is a call of help becomes a list of the options; <!-- results --> the tables of five papers."""
    source[0] = re.sub(r"^`recte (.* --help \S+)`$", lambda call: _option_list(call[1].split()), source[0], flags=re.M)
    source[0] = re.sub("<!-- results -->", lambda _: _paper_tables(), source[0])


def _option_list(words: list[str]) -> str:
    """What a page of help says of each option, as a definition list; the name of a group stands above its options."""
    with redirect_stdout(StringIO()) as page, suppress(SystemExit):
        main(words)
    items: list[str] = []
    for line in page.getvalue().splitlines():
        if option := re.fullmatch(r"  (-.*?|[A-Z]+)(?:  +(\S.*))?", line):
            items.append(f"`{option[1]}`\n: {_escape(option[2] or '')}")
        elif items and line.startswith(" " * 10):
            items[-1] += f" {_escape(line.strip())}"
        elif group := re.fullmatch(r"(?!options|positional)([a-z -]+):", line):
            items.append(f"**{group[1]}**")
    return re.sub(r"(?<=\w)- (?=\w)", "-", "\n\n".join(items))


def _escape(text: str) -> str:
    return re.sub(r"([<>*|_])", r"\\\1", text)


def _paper_tables() -> str:
    """The tables of docs/reproduction/results.json, with their pictures."""
    stored = json.loads((Path(__file__).parent / "reproduction" / "results.json").read_text())["reproduction"]
    pictures = {(plain["paper"], plain["name"]): plain.get("pictures", []) for plain in stored}
    results = [TableResult.from_dict(plain) for plain in stored]
    return "\n\n".join(paper_sections([paper_named(paper) for paper in PAPERS], results, pictures))


def setup(app: Any) -> None:
    app.connect("source-read", _write_lists)
    app.connect("autodoc-process-docstring", _as_rst)
