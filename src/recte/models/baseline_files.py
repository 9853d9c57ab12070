"""BERTScore's tables of baselines: LAYER,P,R,F, one line per layer."""

from __future__ import annotations

import math
from hashlib import blake2b
from pathlib import Path

from recte.errors import InputError
from recte.files import display_name, read_lines, stem
from recte.models.baselines import Baseline, register_baselines

__all__ = ["load_baselines", "read_baselines"]


def read_baselines(path: str | Path) -> dict[int, Baseline]:
    """The baselines of each layer, named after the file and its content.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "mine.tsv")
    ...     _ = file.write_text("LAYER,P,R,F\\n3,0.4,0.41,0.405\\n")
    ...     read_baselines(file)[3].f
    0.405
    """
    name, lines = display_name(path), list(read_lines(path))
    if not lines or [cell.strip().upper() for cell in lines[0].split(",")] != ["LAYER", "P", "R", "F"]:
        raise InputError(f"expected the header LAYER,P,R,F, got {lines[0][:40] if lines else ''!r}", name, 1)
    digest = blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    found: dict[int, Baseline] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            layer, *figures = line.split(",")
            p, r, f = map(float, figures)
            if not all(math.isfinite(x) and x < 1 for x in (p, r, f)):
                raise ValueError
            found[int(layer)] = Baseline(f"{stem(path)}-{digest}", p, r, f)
        except ValueError:
            raise InputError(f"expected a layer and three numbers below 1, got {line[:40]!r}", name, number) from None
    return found


def load_baselines(path: str) -> None:
    """Make a table known by its file's name, for the option `baseline_file`."""
    register_baselines(path, read_baselines(path))
