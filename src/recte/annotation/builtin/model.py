"""The weights of the built-in annotator, as `tools/train_tagger.py` writes them.

The file is not compressed: unpacking it would take longer than tagging a corpus.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation.data_files import data_file

__all__ = ["MARGIN", "Model", "load_model"]

# A label this far below the best at its place is never chosen: no weights between neighbours are as large.
MARGIN = 600
_ARRAYS = ("templates", "weights_per_feature", "weight_labels", "transitions")


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
    with np.load(data_file(f"{name}.npz").open("rb")) as arrays:
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
    features = np.cumsum(_widened(arrays, f"{part}_feature_steps", np.uint32), dtype=np.uint32)
    weights = _widened(arrays, f"{part}_weights", np.int16)
    templates, counts, weight_labels, transitions = (arrays[f"{part}_{name}"] for name in _ARRAYS)
    return _kernels.Labeller(templates, labels, MARGIN, features, counts, weight_labels, weights, transitions)


def _widened(arrays: Any, name: str, dtype: type[np.generic]) -> NDArray[Any]:
    """An array that was written in half the bits, with the few numbers that need all of them."""
    widened: NDArray[Any] = arrays[name].astype(dtype)
    widened[arrays[f"{name}_large_at"]] = arrays[f"{name}_large"]
    return widened
