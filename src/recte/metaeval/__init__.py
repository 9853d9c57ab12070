"""Metrics against humans: correlations over systems, agreement over sentences, and tests of their differences."""

from recte._exports import exported

HOMES = {
    "recte.metaeval.aggregation": ("aggregate", "aggregated_metric"),
    "recte.metaeval.ceiling": ("human_ceiling",),
    "recte.metaeval.metric_comparison": ("sentence_clusters", "system_clusters"),
    "recte.metaeval.protocols": ("protocol_named",),
    "recte.metaeval.rank_gaps": ("rank_groups",),
    "recte.metaeval.rating_correlation": ("RatingLevel", "rating_level"),
    "recte.metaeval.scores": ("HumanScores", "MetricScores"),
    "recte.metaeval.sentence_correlation": ("SentenceLevel", "sentence_level"),
    "recte.metaeval.sentence_matching": ("match_sentences",),
    "recte.metaeval.study": ("HumanSide", "StudyOptions", "study_metrics"),
    "recte.metaeval.system_correlation": ("SystemLevel", "system_level"),
    "recte.metaeval.windows": ("window_analysis",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
