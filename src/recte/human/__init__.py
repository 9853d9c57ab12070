"""Human judgments into rankings: expected wins, TrueSkill, rank ranges and clusters, agreement of judges."""

from recte._exports import exported

HOMES = {
    "recte.human.judge_agreement": ("JudgmentSummary", "summarise"),
    "recte.human.judgments": ("Judgments", "Preference"),
    "recte.human.ranking": ("HumanRanking", "rank_systems"),
    "recte.human.agreement_coefficients": ("icc", "krippendorff_alpha", "weighted_kappa"),
    "recte.human.ratings": ("Rating", "Ratings", "rater_agreement"),
    "recte.human.trueskill": ("TrueSkill",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
