"""recte scores grammatical error correction systems, and then checks the score.

>>> import recte
>>> gold = recte.Corpus.from_references(["He go to school ."], [["He goes to school ."]])
>>> recte.score(gold, ["He goes to school ."]).score
1.0
"""

from recte._aliases import MOVED, NAMESPACES, install
from recte._exports import define_exports

# What a newcomer would type. Every metric is in `recte.metrics`; studies have namespaces of their own.
EXPORTS = {
    "recte._version": ("__version__",),
    "recte.edits.projection": ("normalised", "segmented"),
    "recte.corpus.corpus": ("Corpus", "System"),
    "recte.corpus.sentence": ("Annotation", "Edit", "Sentence"),
    "recte.corpus.counts": ("Counts",),
    "recte.corpus.count_merging": ("merge",),
    "recte.errors": ("InputError", "MetricError", "OptionError", "RecteError", "TooLongError"),
    "recte.evaluation.cleaning": ("CleanedOutputs", "clean"),
    "recte.evaluation.evaluation": ("Evaluation", "evaluate"),
    "recte.extraction.extract": ("extract",),
    "recte.formats.counts": ("read_counts", "write_counts"),
    "recte.formats.labels": ("read_labels",),
    "recte.formats.m2": ("read_m2", "write_m2"),
    "recte.formats.parallel": ("read_parallel", "read_system"),
    "recte.statistics.comparison": ("compare_systems",),
    "recte.statistics.intervals": ("Resampling", "confidence_interval"),
    "recte.statistics.paired": ("paired_test",),
    "recte.text.raw_outputs": ("tokenise_like",),
    "recte.metrics.base": ("Metric", "Score", "Scorer"),
    "recte.metrics.cherrant": ("Cherrant",),
    "recte.metrics.errant": ("Errant",),
    "recte.metrics.explanation": ("explain",),
    "recte.metrics.gleu": ("Gleu",),
    "recte.metrics.imeasure": ("IMeasure",),
    "recte.metrics.maxmatch": ("MaxMatch",),
    "recte.metrics.sentence_metrics": ("sentence_metric",),
    "recte.output.page.writing": ("report",),
    "recte.evaluation.rewards": ("reward",),
    "recte.evaluation.scoring": ("score",),
    "recte.studies.filtering.filtered_pairs": ("filter_pairs",),
}
install()
_MOVED = [path.removeprefix("recte.") for path in MOVED if path.count(".") == 1]
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS, tuple(NAMESPACES), _MOVED)
