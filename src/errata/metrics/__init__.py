"""The metrics, one file each, and the recipe they share."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from errata.errors import OptionError

if TYPE_CHECKING:
    from errata.metrics.base import Metric

__all__ = ["METRICS", "metric_class"]

# Name, aliases and where the class is; nothing is imported before it is asked for.
METRICS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "m2": (("maxmatch",), "errata.metrics.maxmatch", "MaxMatch"),
    "hoo": ((), "errata.metrics.hoo", "Hoo"),
    "imeasure": (("i",), "errata.metrics.imeasure", "IMeasure"),
    "gleu": ((), "errata.metrics.gleu", "Gleu"),
    "sentence-accuracy": (("accuracy",), "errata.metrics.sentence_accuracy", "SentenceAccuracy"),
    "bleu": ((), "errata.metrics.bleu", "Bleu"),
    "char-bleu": ((), "errata.metrics.bleu", "CharBleu"),
    "char-meaning": ((), "errata.metrics.char_meaning", "CharMeaning"),
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
