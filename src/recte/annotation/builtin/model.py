"""The weights of the built-in annotator, as `tools/train_tagger.py` writes them.

The file is a line of JSON, which says what the model knows of words and which arrays follow, and then the arrays
as they lie in memory, each padded to eight bytes. It is not packed: unpacking would take longer than tagging a corpus.
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


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Both labellers with their labels; `seen`, `frequent` and `closed` are what training knew of words.

    A label of the tagger is a Penn tag, with the coarse tag after a bar where the tag leaves it open: `VBZ|AUX`.
    `forms` has the answers of `lexicon.forms_of` for the words that were seen, so that most words need no search.
    """

    tagger: _kernels.Labeller
    tags: tuple[str, ...]
    seen: dict[str, str]
    frequent: frozenset[str]
    closed: dict[str, str]
    forms: dict[str, str]
    parser: _kernels.Labeller
    dependencies: tuple[str, ...]


@cache
def load_model(name: str) -> Model:
    """The model of this name in the package's data."""
    raw = data_file(f"{name}.model").read_bytes()
    begin = raw.index(b"\n") + 1
    about = json.loads(raw[:begin])
    arrays = {}
    for key, dtype, size in about["arrays"]:
        arrays[key] = np.frombuffer(raw, np.dtype(dtype), size, begin)
        begin += -(-arrays[key].nbytes // 8) * 8
    tagger, parser = (_labeller(arrays, part, len(about[part])) for part in ("tags", "dependencies"))
    return Model(
        tagger=tagger,
        tags=tuple(about["tags"]),
        seen=_by_word(about["seen"]),
        frequent=frozenset(about["frequent"].split(" ")),
        closed=about["closed"],
        forms=_by_word(about["forms"]),
        parser=parser,
        dependencies=tuple(about["dependencies"]),
    )


def _by_word(grouped: dict[str, str]) -> dict[str, str]:
    """What is said of each word, from the words of which the same is said."""
    return {word: said for said, words in grouped.items() for word in words.split(" ")}


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
