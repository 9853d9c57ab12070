"""Scores made visible: tables, documents, explanations."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.faithfulness.graph_drawing": ("draw_graphs",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
