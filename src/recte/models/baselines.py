"""BERTScore's baselines: what unrelated texts score with a model and layer, from which scores are rescaled.

The figures are those published with BERTScore (Zhang et al. 2020) for each model, language and layer.

BERTScore's tables of baselines: LAYER,P,R,F, one line per layer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from recte.errors import InputError, OptionError
from recte.files import display_name, read_lines, stem

__all__ = [
    "DEFAULT_LAYERS",
    "Baseline",
    "baseline_for",
    "default_layer",
    "load_baselines",
    "read_baselines",
    "register_baselines",
]


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
    by_layer: dict[int, Baseline] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            layer, *figures = line.split(",")
            p, r, f = map(float, figures)
            if not all(math.isfinite(x) and x < 1 for x in (p, r, f)):
                raise ValueError
            by_layer[int(layer)] = Baseline(f"{stem(path)}-{digest}", p, r, f)
        except ValueError:
            raise InputError(f"expected a layer and three numbers below 1, got {line[:40]!r}", name, number) from None
    return by_layer


def load_baselines(path: str) -> None:
    """Make a table known by its file's name, for the option `baseline_file`."""
    register_baselines(path, read_baselines(path))


DEFAULT_LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "distilbert-base-uncased": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
}


@dataclass(frozen=True)
class Baseline:
    """What P, R and F of unrelated texts are; `source` says who published them.

    >>> Baseline("mine", 0.2, 0.2, 0.5).f
    0.5
    """

    source: str
    p: float
    r: float
    f: float


_PUBLISHED = {
    ("bert-base-uncased", 9): (0.35375935, 0.3537393, 0.35219112),
    ("roberta-large", 17): (0.83150584, 0.8314941, 0.83122575),
    ("roberta-base", 10): (0.8146725, 0.8146619, 0.814463),
    ("bert-base-multilingual-cased", 9): (0.6320527, 0.6320019, 0.63146895),
    ("bert-base-chinese", 8): (0.54804957, 0.5480091, 0.54755783),
}
_registered: dict[str, Mapping[int, Baseline]] = {}


def register_baselines(name: str, by_layer: Mapping[int, Baseline]) -> None:
    """Make a table known by a name, for the option `baseline_file`.

    >>> register_baselines("mine.tsv", {3: Baseline("mine", 0.4, 0.41, 0.405)})
    >>> baseline_for("any-model", 3, "mine.tsv").r
    0.41
    """
    _registered[name] = by_layer


def default_layer(model: str) -> int:
    """The layer that was found best for a model.

    >>> default_layer("some-user/roberta-base")
    10
    """
    name = model.rstrip("/").rpartition("/")[2].partition("@")[0]
    if name not in DEFAULT_LAYERS:
        raise OptionError(f"layer: expected a layer for {model}, since none is published for it: --layer N")
    return DEFAULT_LAYERS[name]


def baseline_for(model: str, layer: int, table: str = "") -> Baseline:
    """The baseline of a model's layer: the published one, or that of the `table` of that name."""
    if not table:
        name = model.rstrip("/").rpartition("/")[2].partition("@")[0]
        published = _PUBLISHED.get((name, layer))
        if published is None:
            raise OptionError(
                f"baseline_file: expected a table for {model}, layer {layer}, since none is published: "
                "--baseline-file FILE, or --no-rescale"
            )
        return Baseline("published", *published)
    if table not in _registered:
        raise OptionError(f"baseline_file: expected a file with the columns LAYER,P,R,F, got {table!r}")
    if layer not in _registered[table]:
        listed = ", ".join(map(str, sorted(_registered[table])))
        raise OptionError(f"baseline_file: expected a line for layer {layer} in {table}, got lines for {listed}")
    return _registered[table][layer]
