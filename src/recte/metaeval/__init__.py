"""Metrics against humans: correlations over systems, agreement over sentences, and tests of their differences."""

from recte._exports import exported

HOMES = {
    "recte.metaeval.ceiling": ("human_ceiling",),
    "recte.metaeval.scores": ("HumanScores", "MetricScores"),
    "recte.metaeval.sentence_correlation": ("SentenceLevel", "sentence_level"),
    "recte.metaeval.system_correlation": ("SystemLevel", "system_level"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
