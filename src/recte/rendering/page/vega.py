"""Vega in one script, for a page that opens without a network; kept, since vl-convert takes long to make it."""

from __future__ import annotations

from contextlib import suppress

from recte.extras import optional, version_of
from recte.formats.files import write_bytes
from recte.user_cache import cache_folder

__all__ = ["vega_script"]


def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that knows `vegaEmbed`."""
    kept = cache_folder() / f"vega-{version_of('vl-convert-python')}.js"
    with suppress(OSError):
        return kept.read_text(encoding="utf-8")
    script: str = optional("vl_convert", extra="report", purpose="report").javascript_bundle()
    with suppress(Exception):  # a folder that cannot be written costs time, no more
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(kept, script.encode())
    return script
