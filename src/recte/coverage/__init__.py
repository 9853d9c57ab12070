"""How many corrections a sentence has, and what too few references do to scores."""

from recte._exports import exported

HOMES = {
    "recte.coverage.accuracy": (
        "accuracy_distribution",
        "coverage_without_replacement",
        "expected_bias",
        "expected_gain",
        "mean_coverage",
        "references_needed",
    ),
    "recte.coverage.answers": ("AnsweredSentence",),
    "recte.coverage.closest_gold": ("closest_gold_study",),
    "recte.coverage.distribution": ("Distribution",),
    "recte.coverage.extension": ("extend_references",),
    "recte.coverage.human_ceilings": ("CeilingStudy", "ceilings", "joined"),
    "recte.coverage.perfect_scores": ("perfect_corrector",),
    "recte.coverage.reference_coverage": ("CoverageStudy", "coverage_of"),
    "recte.coverage.unseen_corrections": ("chao1", "fingerprint", "good_turing", "unseen"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
