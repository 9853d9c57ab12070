"""From files to counts, to scores, to everything a report shows."""

from recte._exports import define_exports

EXPORTS = {
    "recte.evaluation.evaluation": ("Evaluation", "evaluate"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
