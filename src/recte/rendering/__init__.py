"""Scores made visible: tables, documents, explanations."""

from recte._exports import exported

HOMES = {
    "recte.rendering.graph_drawing": ("draw_graphs",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
