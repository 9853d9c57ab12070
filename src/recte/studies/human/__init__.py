"""Human judgments into rankings: expected wins, TrueSkill, rank ranges and clusters, agreement of judges.

A comparison is a row of numbers, its two systems in order of their names, so the order in a file changes nothing. A
ranking needs only a table of pairs of systems by three outcomes, so drawing comparisons is a multinomial over a few
cells, and drawing sentences one product of weights and each sentence's table.
"""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.human.judge_agreement": ("JudgmentSummary", "summarise"),
    "recte.studies.human.judgments": ("Judgments", "Preference"),
    "recte.studies.human.ranking": ("HumanRanking", "rank_systems"),
    "recte.statistics.agreement": ("icc", "krippendorff_alpha", "weighted_kappa"),
    "recte.studies.human.ratings": ("Rating", "Ratings", "rater_agreement"),
    "recte.studies.human.trueskill": ("TrueSkill",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
