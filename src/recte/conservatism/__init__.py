"""How much a system changes, beside how much people change (Choshen and Abend, section 2)."""

from recte._exports import exported

HOMES = {
    "recte.conservatism.change_profiles": ("ConservatismStudy", "conservatism_of"),
    "recte.conservatism.sentence_cutting": ("SentencePair", "cut_sentences"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
