"""Tables with their notes and pictures as one self-contained HTML page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from recte._version import __version__
from recte.output.page.template import asset, content_policy, page_template, trust
from recte.output.tables import Table

__all__ = ["PagePart", "PageSection", "render_tables"]


@dataclass(frozen=True)
class PagePart:
    """A table, its notes as paragraphs, and pictures (SVG) below it."""

    table: Table
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class PageSection:
    """Parts under one heading; `link` is the address of another page and what is said of it."""

    name: str
    lede: str
    parts: tuple[PagePart, ...]
    link: tuple[str, str] | None = None


def render_tables(
    title: str, lede: str, summary: Table, sections: Sequence[PageSection], marked: Sequence[str] = ()
) -> str:
    """The page; cells that hold one of the `marked` words get it as their class."""
    page: str = page_template("tables.html").render(
        policy=content_policy(),
        title=title,
        lede=lede,
        summary=summary,
        marked=tuple(marked),
        version=__version__,
        style=trust(asset("page.css")),
        sections=[
            {
                "name": section.name,
                "lede": section.lede,
                "link": section.link,
                "parts": [
                    {"table": part.table, "pictures": [b64encode(svg).decode() for svg in part.pictures]}
                    for part in section.parts
                ],
            }
            for section in sections
        ],
    )
    return page
