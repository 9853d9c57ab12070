"""`--list` and `--citation`: what recte computes, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence

from recte._version import __version__
from recte.cli.metric_flags import usable_metrics
from recte.metrics import metric_class, metric_names
from recte.metrics.base import Metric
from recte.metrics.registry import aliases_of

_RECTE = f"""@software{{recte,
  title = {{recte: evaluation of grammatical error correction}},
  author = {{{{The recte authors}}}},
  version = {{{__version__}}}
}}"""


def print_metrics(names: Sequence[str] | None) -> None:
    """One metric per line: name, aliases, title."""
    width = max(map(len, metric_names()))
    for metric in _metrics(names):
        aliases = ", ".join(aliases_of(metric.name))
        print(f"{metric.name:<{width}}  {metric.title}{f' (also {aliases})' if aliases else ''}")


def print_citations(names: Sequence[str] | None) -> None:
    """BibTeX for recte and each metric."""
    for entry in dict.fromkeys([_RECTE, *(metric.bibtex for metric in _metrics(names))]):
        if entry:
            print(entry, end="\n\n")


def _metrics(names: Sequence[str] | None) -> list[type[Metric]]:
    """The metrics of those names, or all that can be loaded."""
    return [metric_class(name) for name in names] if names else list(usable_metrics().values())
