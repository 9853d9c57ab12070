"""How text becomes tokens, and tokens become numbers."""

from recte._exports import define_exports

EXPORTS = {
    "recte.edits.projection": ("normalised", "segmented"),
    "recte.text.normalisation": ("Normalisation",),
    "recte.text.segmenters": ("Characters", "SegmentedBy"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
