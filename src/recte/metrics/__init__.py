"""The metrics, one file each, and the recipe they share."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from recte.errors import OptionError

if TYPE_CHECKING:
    from recte.metrics.base import Metric

__all__ = ["METRICS", "metric_class"]

# Name, aliases and where the class is; nothing is imported before it is asked for.
METRICS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "m2": (("maxmatch",), "recte.metrics.maxmatch", "MaxMatch"),
    "hoo": ((), "recte.metrics.hoo", "Hoo"),
    "imeasure": (("i",), "recte.metrics.imeasure", "IMeasure"),
    "gleu": ((), "recte.metrics.gleu", "Gleu"),
    "sentence-accuracy": (("accuracy",), "recte.metrics.sentence_accuracy", "SentenceAccuracy"),
    "bleu": ((), "recte.metrics.bleu", "Bleu"),
    "char-bleu": ((), "recte.metrics.bleu", "CharBleu"),
    "char-meaning": ((), "recte.metrics.char_meaning", "CharMeaning"),
}


def metric_class(name: str) -> type[Metric]:
    """The class of a metric by its name or alias.

    >>> metric_class("maxmatch").name
    'm2'
    """
    for known, (aliases, module, attribute) in METRICS.items():
        if name == known or name in aliases:
            found: type[Metric] = getattr(import_module(module), attribute)
            return found
    raise OptionError(f"metric: expected one of {', '.join(METRICS)}, got {name!r}")
