"""The metrics, one file each, and the recipe they share."""

from recte._exports import exported

HOMES = {
    "recte.metrics.base": ("Metric", "Score", "Scorer"),
    "recte.metrics.bleu": ("Bleu", "CharBleu"),
    "recte.metrics.char_meaning": ("CharMeaning",),
    "recte.metrics.cherrant": ("Cherrant",),
    "recte.metrics.cleme": ("Cleme", "Cleme2"),
    "recte.metrics.csc": ("Csc",),
    "recte.metrics.errant": ("Errant",),
    "recte.metrics.gleu": ("Gleu",),
    "recte.metrics.goto": ("Goto",),
    "recte.metrics.green": ("Green",),
    "recte.metrics.hoo": ("Hoo",),
    "recte.metrics.imeasure": ("IMeasure",),
    "recte.metrics.llm_judge": ("LlmJudge",),
    "recte.metrics.maxmatch": ("MaxMatch",),
    "recte.metrics.registry": ("load_metrics", "metric_class", "metric_names", "register"),
    "recte.metrics.sentence_accuracy": ("SentenceAccuracy",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
