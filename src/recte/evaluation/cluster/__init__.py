"""Counting on many machines: parts to workers, counts back."""

from recte._exports import define_exports

EXPORTS = {
    "recte.evaluation.cluster.cluster_counts": ("count", "score"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
