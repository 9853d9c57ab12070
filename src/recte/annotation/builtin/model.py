"""The weights of the built-in annotator, as `tools/train_tagger.py` writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from recte import _kernels

__all__ = ["MARGIN", "Model", "load_model"]

# A label this far below the best at its place is never chosen: no weights between neighbours are as large.
MARGIN = 600
_ARRAYS = ("weights_per_feature", "weight_labels", "weights", "transitions")


@dataclass(frozen=True)
class Model:
    """Both labellers with their labels; `seen`, `frequent` and `closed` are what training knew of words.

    A label of the tagger is a Penn tag, with the coarse tag after a bar where the tag leaves it open: `VBZ|AUX`.
    """

    tagger: _kernels.Labeller
    tags: tuple[str, ...]
    seen: dict[str, str]
    frequent: frozenset[str]
    closed: dict[str, str]
    parser: _kernels.Labeller
    dependencies: tuple[str, ...]


@cache
def load_model(name: str) -> Model:
    """The model of this name in the package's data."""
    with np.load(files("recte.annotation").joinpath("data", f"{name}.npz").open("rb")) as arrays:
        about = json.loads(arrays["about"].tobytes())
        labellers = [_labeller(arrays, part, len(about[part])) for part in ("tags", "dependencies")]
    return Model(
        tagger=labellers[0],
        tags=tuple(about["tags"]),
        seen={word: classes for classes, words in about["seen"].items() for word in words.split(" ")},
        frequent=frozenset(about["frequent"].split(" ")),
        closed=about["closed"],
        parser=labellers[1],
        dependencies=tuple(about["dependencies"]),
    )


def _labeller(arrays: Any, part: str, labels: int) -> _kernels.Labeller:
    features = np.cumsum(arrays[f"{part}_feature_steps"], dtype=np.uint32)
    counts, weight_labels, weights, transitions = (arrays[f"{part}_{name}"] for name in _ARRAYS)
    return _kernels.Labeller(
        arrays[f"{part}_templates"], labels, MARGIN, features, counts, weight_labels, weights, transitions
    )
