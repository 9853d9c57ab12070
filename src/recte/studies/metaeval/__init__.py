"""Metrics against humans: correlations over systems, agreement over sentences, and tests of their differences."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.metaeval.ceiling": ("human_ceiling",),
    "recte.studies.metaeval.metric_comparison": ("sentence_clusters", "system_clusters"),
    "recte.studies.human.protocols": ("protocol_named",),
    "recte.studies.metaeval.rating_correlation": ("RatingLevel", "rating_level"),
    "recte.studies.human.human_scores": ("HumanScores",),
    "recte.studies.metaeval.scores": ("MetricScores",),
    "recte.studies.metaeval.sentence_correlation": ("SentenceLevel", "rank_groups", "sentence_level"),
    "recte.studies.metaeval.sentence_matching": ("match_sentences",),
    "recte.studies.metaeval.study": ("HumanSide", "StudyOptions", "study_metrics"),
    "recte.studies.metaeval.system_correlation": ("SystemLevel", "aggregate", "aggregated_metric", "system_level"),
    "recte.studies.metaeval.windows": ("window_analysis",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
