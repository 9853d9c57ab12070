"""`--list` and `--citation`: what recte computes, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence

from recte._version import __version__
from recte.metrics import METRICS, metric_class

_RECTE = f"""@software{{recte,
  title = {{recte: evaluation of grammatical error correction}},
  author = {{{{The recte authors}}}},
  version = {{{__version__}}}
}}"""


def print_metrics(names: Sequence[str] | None) -> None:
    """One metric a line: name, aliases, title."""
    for name in names or METRICS:
        metric = metric_class(name)
        aliases = ", ".join(METRICS[metric.name][0])
        print(f"{metric.name:<12}{metric.title}{f' (also {aliases})' if aliases else ''}")


def print_citations(names: Sequence[str] | None) -> None:
    """BibTeX for recte and each metric."""
    for entry in dict.fromkeys([_RECTE, *(metric_class(name).bibtex for name in names or METRICS)]):
        print(entry, end="\n\n")
