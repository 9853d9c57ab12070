"""Which outputs differ from their sources."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["find_changed_sentences"]


def find_changed_sentences(sources: Sequence[str], outputs: Sequence[str]) -> NDArray[np.bool_]:
    """Which sentences an output changed at all; white space between words does not count.

    >>> find_changed_sentences(["He go .", "Good ."], ["He goes .", "Good  ."]).tolist()
    [True, False]
    """
    pairs = zip(sources, outputs, strict=True)
    return np.array([o != s and o.split() != s.split() for s, o in pairs], dtype=np.bool_)
