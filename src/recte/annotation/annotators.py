"""Annotators by name."""

from __future__ import annotations

from functools import cache

from recte.annotation.annotated import Annotator
from recte.errors import OptionError

__all__ = ["annotator_named"]


@cache
def annotator_named(name: str) -> Annotator:
    """`given:FILE` reads annotations beside the text."""
    kind, _, rest = name.partition(":")
    if kind == "given" and rest:
        from recte.annotation.given import GivenAnnotations

        return GivenAnnotations(rest)
    raise OptionError(f"annotator: expected given:FILE, got {name!r}")
