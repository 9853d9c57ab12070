"""How much a system changes, compared with how much people change (Choshen and Abend, section 2)."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.conservatism.change_profiles": ("ConservatismStudy", "conservatism_of"),
    "recte.studies.conservatism.sentence_cutting": ("SentencePair", "cut_sentences"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
