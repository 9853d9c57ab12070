"""Templates, styles and scripts of pages.

Text from files meets HTML through Jinja2's autoescape or as JSON, never as markup.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from recte.extras import check_installed, optional
from recte.text.printable_text import visible

__all__ = [
    "asset",
    "check_pages",
    "content_policy",
    "embed_json",
    "pack_json",
    "page_script",
    "page_template",
    "trust",
]

_SURROGATE = re.compile("[\ud800-\udfff]")


def check_pages() -> None:
    """Whether pages can be made, or what to install."""
    for module in ("jinja2", "vl_convert"):
        check_installed(module, extra="report", purpose="report")


def page_template(name: str) -> Any:
    """One of our templates: text is escaped, and a name that is missing is an error."""
    jinja2 = optional("jinja2", extra="report", purpose="report")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_value,
        loader=jinja2.FunctionLoader(asset),
    )
    return environment.get_template(name)


def _escape_value(value: Any) -> Any:
    """Names and texts with control characters written out; our own markup as it is."""
    return visible(value) if type(value) is str else value


def content_policy(scripts: Sequence[str] = ()) -> str:
    """The Content-Security-Policy of a page that runs these scripts and no others, and loads nothing.

    Vega compiles the expressions of charts, which needs 'unsafe-eval'; it only ever sees our own specifications.
    """
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]
    allowed = f"script-src {' '.join(hashes)} 'unsafe-eval'; " if hashes else ""
    images = "img-src data: blob:"
    return f"default-src 'none'; {allowed}style-src 'unsafe-inline'; {images}; base-uri 'none'; form-action 'none'"


def page_script(names: Sequence[str]) -> Any:
    """Scripts of these names as one function, so that nothing of theirs is seen outside."""
    return trust('(() => {\n"use strict";\n' + "\n".join(map(asset, names)) + "})();")


def embed_json(value: Any) -> Any:
    """JSON that can stand inside a script element: no text in it can end that."""
    text = _json(value).replace("<", "\\u003c")
    return trust(text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def pack_json(value: Any) -> Any:
    """JSON as gzip in base64: a page of ten thousand sentences stays small enough to be sent.

    The browser's own DecompressionStream unpacks it. Level 3 is a third of level 6's time, and a quarter larger.
    """
    compressor = zlib.compressobj(level=3, wbits=31)
    return trust(b64encode(compressor.compress(_json(value).encode()) + compressor.flush()).decode())


def _json(value: Any) -> str:
    """JSON that can be encoded: half characters are written out."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def trust(text: str) -> Any:
    """Our own assets and escaped JSON, which go in as they are."""
    return optional("markupsafe", extra="report", purpose="report").Markup(text)


@cache
def asset(name: str) -> str:
    """A file of the page's own, by its name."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
