"""`--list` and `--citation`: what recte computes, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence

from recte._version import __version__
from recte.cli.metric_flags import load_usable_metrics
from recte.metrics import metric_class
from recte.metrics.base import Metric
from recte.metrics.registry import aliases_of
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import TABLE_FORMATS, print_tables

_RECTE = f"""@software{{recte,
  title = {{recte: evaluation of grammatical error correction}},
  author = {{{{The recte authors}}}},
  version = {{{__version__}}}
}}"""

# Papers whose studies are commands here, and no metric.
_STUDIES = (
    """@misc{choshen-abend-2017-conservatism,
  title = {Conservatism and Over-conservatism in Grammatical Error Correction},
  author = {Choshen, Leshem and Abend, Omri},
  year = {2017}
}""",
    """@inproceedings{chollampatt-ng-2018-reassessment,
  title = {A Reassessment of Reference-Based Grammatical Error Correction Metrics},
  author = {Chollampatt, Shamil and Ng, Hwee Tou},
  booktitle = {Proceedings of COLING 2018},
  pages = {2730--2741},
  year = {2018}
}""",
)


def print_metrics(names: Sequence[str] | None, format: str = "text") -> None:
    """One metric per line: its names, what it is, and what it can do besides scoring."""
    rows = []
    for metric in _metrics(names):
        also = ", ".join(aliases_of(metric.name))
        can = [flag for flag, has in (("--by-type", metric.counts_types), ("--edits", metric.judges_edits)) if has]
        rows.append((metric.name, also, metric.title, " ".join(can)))
    headers = ("metric", "also", "title", "more")
    if format == "json":
        print(document(metrics=[dict(zip(headers, row, strict=True)) for row in rows]))
        return
    notes = ("recte score --help METRIC explains the options of one.",)
    table = Table("Metrics", headers, tuple(rows), notes, words=3)
    print_tables([table], format if format in TABLE_FORMATS else "csv")


def print_citations(names: Sequence[str] | None) -> None:
    """BibTeX for recte and each metric; for all of them also the papers behind studies."""
    studies = () if names else _STUDIES
    for entry in dict.fromkeys([_RECTE, *(metric.bibtex for metric in _metrics(names)), *studies]):
        if entry:
            print(entry, end="\n\n")


def _metrics(names: Sequence[str] | None) -> list[type[Metric]]:
    """The metrics of those names, or all that can be loaded."""
    return [metric_class(name) for name in names] if names else list(load_usable_metrics().values())
