"""CoNLL-2014 as several papers use it: the gold, thirteen systems, judgments; read and counted once."""

from __future__ import annotations

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.formats.m2 import read_m2
from recte.metrics.base import Metric
from recte.studies.human.judgment_files import read_judgments
from recte.studies.human.judgments import Judgments
from recte.studies.papers.data import PaperData

__all__ = ["BASELINE", "PARTICIPANTS", "counts", "describe", "gold", "judgments", "system", "systems"]

PARTICIPANTS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
BASELINE = "INPUT"


def gold(data: PaperData, name: str = "gold.m2") -> Corpus:
    """One of the gold files: `gold.m2` has two annotators, `gold-with-alternatives.m2` five."""
    path = data.path(f"conll14/{name}")
    return data.once(("gold", name), lambda: read_m2(path))


def system(data: PaperData, name: str, corpus: Corpus) -> System:
    """The output of a participant, or the source as INPUT, for the sentences of a gold file."""
    return data.system(f"conll14/systems/{name}.txt", len(corpus))


def systems(data: PaperData, corpus: Corpus) -> list[System]:
    """The twelve participants and the source, in order of their names."""
    return [system(data, name, corpus) for name in sorted((*PARTICIPANTS, BASELINE))]


def judgments(data: PaperData, name: str) -> Judgments:
    """The human comparisons, `expanded` or `unexpanded`."""
    path = data.path(f"conll14/judgments/{name}.csv.gz")
    return data.once(("judgments", name), lambda: read_judgments(path), f"reading judgments ({name})")


def counts(data: PaperData, metric: Metric) -> list[Counts]:
    """A metric's counts of all thirteen, against the two annotators."""
    corpus = gold(data)
    outputs = systems(data, corpus)

    def count() -> list[Counts]:
        scorer = metric.prepare(corpus)
        return [scorer.count(output) for output in outputs]

    return data.once(("counts", metric), count, f"{describe(metric)} of {len(outputs)} systems on CoNLL-2014")


def describe(metric: Metric) -> str:
    """The metric's title, and the options that are not the usual ones."""
    usual = type(metric)().options()
    changed = [f"{name} {value}" for name, value in metric.options().items() if value != usual[name]]
    return f"{metric.title}, {', '.join(changed)}," if changed else metric.title
