"""What typing and aligning ask of tokens: tags, lemmas and dependencies, from a file, a library or our own tagger."""

from recte.annotation.annotated import Annotated, Annotator, annotator_named

__all__ = ["Annotated", "Annotator", "annotator_named"]
