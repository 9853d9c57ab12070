"""The metrics, one file each, and what authors of metrics need."""

from recte._exports import define_exports
from recte.metrics.registry import BUILT_IN

EXPORTS = {
    **{
        module: tuple(entry.attribute for entry in BUILT_IN if entry.module == module)
        for module in sorted(entry.module for entry in BUILT_IN)
    },
    "recte.metrics.base": ("MeanMetric", "Metric", "Scorer", "SummedMetric", "option"),
    "recte.metrics.registry": ("load_metrics", "metric_class", "metric_names", "register"),
    "recte.metrics.score": ("Column", "Score"),
    "recte.metrics.sentence_metrics": ("SentenceMetric", "reference_texts"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
