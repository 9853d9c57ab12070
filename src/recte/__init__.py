"""recte scores grammatical error correction systems, and then checks the score.

>>> import recte
>>> gold = recte.Corpus.from_references(["He go to school ."], [["He goes to school ."]])
>>> recte.score(gold, ["He goes to school ."]).score
1.0
"""

from importlib import import_module
from typing import Any

from recte._version import __version__

# Where each public name lives. Nothing is imported before it is used, so that the command line starts at once;
# __init__.pyi says the same to type checkers.
_HOMES = {
    "recte.alignment.edit_lattice": ("EditLattice", "edit_lattice"),
    "recte.alignment.edit_search": ("ProposedEdit",),
    "recte.alignment.projection": ("normalised", "segmented"),
    "recte.alignment.references": (
        "CharacterEdit",
        "annotators_of",
        "edits_from_characters",
        "edits_from_references",
        "references_from_edits",
        "with_references",
    ),
    "recte.alignment.verdicts": ("JudgedEdit",),
    "recte.conservatism.study": ("ConservatismStudy", "conservatism_of"),
    "recte.corpus": ("Annotation", "Corpus", "Edit", "GoldError", "Sentence", "System"),
    "recte.counts": ("Counts", "merge"),
    "recte.coverage.accuracy": (
        "accuracy_distribution",
        "coverage_without_replacement",
        "expected_bias",
        "expected_gain",
        "mean_coverage",
        "references_needed",
    ),
    "recte.coverage.answers": ("AnsweredSentence",),
    "recte.coverage.ceilings": ("CeilingStudy", "ceilings", "joined"),
    "recte.coverage.distribution": ("Distribution",),
    "recte.coverage.perfect_corrector": ("perfect_corrector",),
    "recte.coverage.study": ("CoverageStudy", "coverage_of"),
    "recte.coverage.unseen": ("chao1", "fingerprint", "good_turing", "unseen"),
    "recte.coverage.extension": ("extend_references",),
    "recte.errors": ("RecteError", "InputError", "OptionError", "TooLongError"),
    "recte.extraction.extract": ("extract",),
    "recte.faithfulness.dag_f_score": ("DagFScore", "dag_f_score"),
    "recte.faithfulness.distsim": ("DistSim", "distsim"),
    "recte.faithfulness.graph": ("Passage",),
    "recte.faithfulness.scorers": ("score_text_faithfulness",),
    "recte.faithfulness.study": ("score_agreement", "score_faithfulness"),
    "recte.faithfulness.uccasim": ("UccaSim", "uccasim"),
    "recte.formats.answers": ("read_answers",),
    "recte.formats.judgments": ("read_judgments", "write_judgments"),
    "recte.formats.metric_scores": ("ScoreFile", "read_metric_scores", "write_metric_scores"),
    "recte.formats.counts": ("read_counts", "write_counts"),
    "recte.formats.imeasure_xml": ("read_imeasure_xml", "write_imeasure_xml"),
    "recte.formats.labels": ("read_labels",),
    "recte.formats.m2": ("iterate_m2", "read_m2", "read_m2_system", "write_m2"),
    "recte.formats.mrp": ("read_mrp",),
    "recte.formats.para": ("read_para",),
    "recte.formats.parallel": ("read_parallel", "read_system"),
    "recte.human.agreement": ("JudgmentSummary", "summarise"),
    "recte.human.judgments": ("Judgments", "Preference"),
    "recte.human.ranking": ("HumanRanking", "rank_systems"),
    "recte.human.trueskill": ("TrueSkill",),
    "recte.inference.comparison": ("compare_systems",),
    "recte.inference.intervals": ("Resampling", "confidence_interval", "difference_interval"),
    "recte.inference.paired": ("baseline_test", "paired_test"),
    "recte.inference.power": ("detectable_difference",),
    "recte.inference.resampling": ("Interval",),
    "recte.formats.passages": ("pair_passages", "read_passages"),
    "recte.formats.ucca_xml": ("read_ucca_xml",),
    "recte.inference.segmentation_spread": ("segmentation_spread",),
    "recte.metaeval.ceiling": ("human_ceiling",),
    "recte.metaeval.scores": ("HumanScores", "MetricScores"),
    "recte.metaeval.sentence_level": ("SentenceLevel", "sentence_level"),
    "recte.metaeval.system_level": ("SystemLevel", "system_level"),
    "recte.metrics.base": ("Metric", "Score", "Scorer"),
    "recte.metrics.bleu": ("Bleu", "CharBleu"),
    "recte.metrics.char_meaning": ("CharMeaning",),
    "recte.metrics.cleme": ("Cleme", "Cleme2"),
    "recte.metrics.csc": ("Csc",),
    "recte.metrics.errant": ("Errant",),
    "recte.metrics.explanation": ("explain",),
    "recte.metrics.gleu": ("Gleu",),
    "recte.metrics.goto": ("Goto",),
    "recte.metrics.green": ("Green",),
    "recte.metrics.hoo": ("Hoo",),
    "recte.metrics.imeasure": ("IMeasure",),
    "recte.metrics.maxmatch": ("MaxMatch",),
    "recte.metrics.sentence_accuracy": ("SentenceAccuracy",),
    "recte.papers.reproduction": ("reproduce",),
    "recte.report.graph_drawing": ("draw_graphs",),
    "recte.scoring": ("score",),
    "recte.segmentation.normalisation": ("Normalisation",),
    "recte.segmentation.segmenters": ("Characters", "SegmentedBy"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'recte' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
