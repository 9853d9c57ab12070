"""`--list` and `--citation`: what recte computes, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence

from recte._version import __version__
from recte.metrics import metric_class, metric_names
from recte.metrics.registry import aliases_of

_RECTE = f"""@software{{recte,
  title = {{recte: evaluation of grammatical error correction}},
  author = {{{{The recte authors}}}},
  version = {{{__version__}}}
}}"""


def print_metrics(names: Sequence[str] | None) -> None:
    """One metric per line: name, aliases, title."""
    for name in names or metric_names():
        metric = metric_class(name)
        aliases = ", ".join(aliases_of(metric.name))
        print(f"{metric.name:<12}{metric.title}{f' (also {aliases})' if aliases else ''}")


def print_citations(names: Sequence[str] | None) -> None:
    """BibTeX for recte and each metric."""
    for entry in dict.fromkeys([_RECTE, *(metric_class(name).bibtex for name in names or metric_names())]):
        print(entry, end="\n\n")
