"""The folder where recte keeps between runs what can be made again."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder(*parts: str) -> Path:
    """Our folder in the user's cache (`XDG_CACHE_HOME`), or one inside it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").joinpath("recte", *parts)
