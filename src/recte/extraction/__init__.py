"""Pairs of texts into typed edits: align, merge, type. A folder or a module for each language."""

from recte._exports import define_exports

# What the author of a language needs.
EXPORTS = {
    "recte.annotation.annotated": ("Annotated", "Annotator"),
    "recte.extraction.alignment": ("Span",),
    "recte.extraction.extractor": ("TypeRules",),
    "recte.extraction.language": ("Language", "RuleLanguage"),
    "recte.options": ("option",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
