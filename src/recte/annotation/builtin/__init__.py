"""Our own annotator for English: a small tagger, lemmas by rule, and the dependencies that types ask for."""

from recte.annotation.builtin.annotator import BuiltInAnnotator

__all__ = ["BuiltInAnnotator"]
