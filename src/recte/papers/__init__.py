"""Five papers, every table: the published figures, and how recte computes each of them."""

from recte._exports import exported

HOMES = {
    "recte.papers.reproduction": ("reproduce",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
