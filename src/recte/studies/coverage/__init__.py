"""How many corrections a sentence has, and what too few references do to scores."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.coverage.accuracy": (
        "accuracy_distribution",
        "coverage_without_replacement",
        "expected_bias",
        "expected_gain",
        "mean_coverage",
        "references_needed",
    ),
    "recte.studies.coverage.kinds": ("AnsweredSentence",),
    "recte.studies.coverage.closest_gold": ("closest_gold_study",),
    "recte.studies.coverage.extension": ("extend_references",),
    "recte.studies.coverage.human_ceilings": ("CeilingStudy", "ceilings", "joined"),
    "recte.studies.coverage.perfect_scores": ("perfect_corrector",),
    "recte.studies.coverage.reference_coverage": ("CoverageStudy", "coverage_of"),
    "recte.studies.coverage.unseen_corrections": ("Distribution", "chao1", "fingerprint", "good_turing", "unseen"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
