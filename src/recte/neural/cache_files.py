"""Where results of models are kept, and what spares loading them: one small database for each."""

from __future__ import annotations

import os
from pathlib import Path

from recte.kept_values import KeptValues
from recte.user_cache import cache_folder

__all__ = ["cache_file"]

_VARIABLE = "RECTE_NEURAL_CACHE"


def cache_file(name: str, *, paid: bool = False) -> KeptValues | None:
    """The values kept under this name, in the folder that RECTE_NEURAL_CACHE names or the user's; None where it is off.

    `paid` ones are dear: a file of them that is damaged is left to the user.
    """
    chosen = os.environ.get(_VARIABLE)
    if chosen == "off":
        return None
    folder = Path(chosen) if chosen else cache_folder("neural")
    return KeptValues(folder / f"{name}.sqlite", _VARIABLE if chosen else "", paid=paid)
