"""How text becomes tokens, and tokens become numbers."""

from recte._exports import exported

HOMES = {
    "recte.alignment.projection": ("normalised", "segmented"),
    "recte.segmentation.normalisation": ("Normalisation",),
    "recte.segmentation.segmenters": ("Characters", "SegmentedBy"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
