"""Intervals, paired tests and power, from counts alone."""

from recte._exports import exported

HOMES = {
    "recte.inference.bootstrap": ("Interval",),
    "recte.inference.comparison": ("compare_systems",),
    "recte.inference.intervals": ("Resampling", "confidence_interval", "difference_interval"),
    "recte.inference.paired": ("baseline_test", "paired_test"),
    "recte.inference.power": ("detectable_difference",),
    "recte.inference.segmenter_study": ("segmentation_spread",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
