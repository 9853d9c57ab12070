"""Counting on many machines: parts to workers, counts back."""

from recte._exports import exported

HOMES = {
    "recte.cluster.cluster_counts": ("count", "score"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
