"""Edits, sentences, corpora, systems and counts; and the arrays behind them, which kernels take."""

from recte._exports import define_exports

EXPORTS = {
    "recte.corpus.corpus": ("Corpus", "System"),
    "recte.corpus.counts": ("Counts",),
    "recte.corpus.sentence": ("Annotation", "Edit", "Sentence"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
