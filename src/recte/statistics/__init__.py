"""Intervals, paired tests and power, from counts alone."""

from recte._exports import define_exports

EXPORTS = {
    "recte.statistics.bootstrap": ("Interval",),
    "recte.statistics.comparison": ("compare_systems",),
    "recte.statistics.intervals": ("Resampling", "confidence_interval", "difference_interval"),
    "recte.statistics.paired": ("baseline_test", "paired_test"),
    "recte.statistics.power": ("detectable_difference",),
    "recte.studies.segmentation.study": ("segmentation_spread",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
