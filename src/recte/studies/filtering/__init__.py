"""Keep the pairs of a large corpus of corrected texts that meet conditions."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.filtering.filtered_pairs": ("filter_pairs",),
    "recte.studies.filtering.pair_conditions": ("PairConditions",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
