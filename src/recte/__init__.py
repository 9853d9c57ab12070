"""recte scores grammatical error correction systems, and then checks the score.

>>> import recte
>>> gold = recte.Corpus.from_references(["He go to school ."], [["He goes to school ."]])
>>> recte.score(gold, ["He goes to school ."]).score
1.0
"""

from recte._exports import exported

# What a newcomer would type. Every metric is in `recte.metrics`; studies have namespaces of their own.
HOMES = {
    "recte._version": ("__version__",),
    "recte.alignment.projection": ("normalised", "segmented"),
    "recte.corpus": ("Annotation", "Corpus", "Edit", "Sentence", "System"),
    "recte.counts": ("Counts",),
    "recte.merging": ("merge",),
    "recte.errors": ("InputError", "MetricError", "OptionError", "RecteError", "TooLongError"),
    "recte.evaluation": ("Evaluation", "evaluate"),
    "recte.extraction.extract": ("extract",),
    "recte.formats.counts": ("read_counts", "write_counts"),
    "recte.formats.labels": ("read_labels",),
    "recte.formats.m2": ("read_m2", "write_m2"),
    "recte.formats.parallel": ("read_parallel", "read_system"),
    "recte.inference.comparison": ("compare_systems",),
    "recte.inference.intervals": ("Resampling", "confidence_interval"),
    "recte.inference.paired": ("paired_test",),
    "recte.metrics.base": ("Metric", "Score", "Scorer"),
    "recte.metrics.cherrant": ("Cherrant",),
    "recte.metrics.errant": ("Errant",),
    "recte.metrics.explanation": ("explain",),
    "recte.metrics.gleu": ("Gleu",),
    "recte.metrics.imeasure": ("IMeasure",),
    "recte.metrics.maxmatch": ("MaxMatch",),
    "recte.rendering.page.writing": ("report",),
    "recte.rewards": ("reward",),
    "recte.scoring": ("score",),
}
NAMESPACES = (
    "alignment",
    "cluster",
    "conservatism",
    "coverage",
    "faithfulness",
    "formats",
    "human",
    "inference",
    "metaeval",
    "metrics",
    "papers",
    "rendering",
    "segmentation",
    "testsets",
)
__getattr__, __dir__, __all__ = exported(__name__, HOMES, NAMESPACES)
