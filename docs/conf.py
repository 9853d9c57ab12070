"""The documentation as a site: `make docs` writes it to build/docs."""

from __future__ import annotations

import re
from typing import Any

from recte import __version__

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


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", _as_rst)
