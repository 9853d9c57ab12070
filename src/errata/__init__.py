"""errata scores grammatical error correction systems, and then checks the score.

>>> import errata
>>> gold = errata.Corpus.from_references(["He go to school ."], [["He goes to school ."]])
>>> errata.score(gold, ["He goes to school ."]).score
1.0
"""

from importlib import import_module
from typing import Any

from errata._version import __version__

# Where each public name lives. Nothing is imported before it is used, so that the command line starts at once;
# __init__.pyi says the same to type checkers.
_HOMES = {
    "errata.alignment.edit_search": ("ProposedEdit",),
    "errata.alignment.projection": ("normalised", "segmented"),
    "errata.alignment.references": (
        "CharacterEdit",
        "annotators_of",
        "edits_from_characters",
        "edits_from_references",
        "references_from_edits",
        "with_references",
    ),
    "errata.alignment.verdicts": ("JudgedEdit",),
    "errata.conservatism.study": ("ConservatismStudy", "conservatism_of"),
    "errata.corpus": ("Annotation", "Corpus", "Edit", "GoldError", "Sentence", "System"),
    "errata.counts": ("Counts", "merge"),
    "errata.coverage.accuracy": (
        "accuracy_distribution",
        "coverage_without_replacement",
        "expected_bias",
        "expected_gain",
        "mean_coverage",
        "references_needed",
    ),
    "errata.coverage.answers": ("AnsweredSentence",),
    "errata.coverage.ceilings": ("CeilingStudy", "ceilings", "joined"),
    "errata.coverage.distribution": ("Distribution",),
    "errata.coverage.perfect_corrector": ("perfect_corrector",),
    "errata.coverage.study": ("CoverageStudy", "coverage_of"),
    "errata.coverage.unseen": ("chao1", "fingerprint", "good_turing", "unseen"),
    "errata.coverage.extension": ("extend_references",),
    "errata.errors": ("ErrataError", "InputError", "OptionError", "TooLongError"),
    "errata.faithfulness.dag_f_score": ("DagFScore", "dag_f_score"),
    "errata.faithfulness.distsim": ("DistSim", "distsim"),
    "errata.faithfulness.graph": ("Passage",),
    "errata.faithfulness.scorers": ("score_text_faithfulness",),
    "errata.faithfulness.study": ("score_agreement", "score_faithfulness"),
    "errata.faithfulness.uccasim": ("UccaSim", "uccasim"),
    "errata.formats.answers": ("read_answers",),
    "errata.formats.judgments": ("read_judgments", "write_judgments"),
    "errata.formats.metric_scores": ("ScoreFile", "read_metric_scores", "write_metric_scores"),
    "errata.formats.counts": ("read_counts", "write_counts"),
    "errata.formats.imeasure_xml": ("read_imeasure_xml", "write_imeasure_xml"),
    "errata.formats.labels": ("read_labels",),
    "errata.formats.m2": ("iterate_m2", "read_m2", "read_m2_system", "write_m2"),
    "errata.formats.mrp": ("read_mrp",),
    "errata.formats.para": ("read_para",),
    "errata.formats.parallel": ("read_parallel", "read_system"),
    "errata.human.agreement": ("JudgmentSummary", "summarise"),
    "errata.human.judgments": ("Judgments", "Preference"),
    "errata.human.ranking": ("HumanRanking", "rank_systems"),
    "errata.human.trueskill": ("TrueSkill",),
    "errata.inference.comparison": ("compare_systems",),
    "errata.inference.intervals": ("Resampling", "confidence_interval", "difference_interval"),
    "errata.inference.paired": ("baseline_test", "paired_test"),
    "errata.inference.power": ("detectable_difference",),
    "errata.inference.resampling": ("Interval",),
    "errata.formats.passages": ("pair_passages", "read_passages"),
    "errata.formats.ucca_xml": ("read_ucca_xml",),
    "errata.inference.segmentation_spread": ("segmentation_spread",),
    "errata.metaeval.ceiling": ("human_ceiling",),
    "errata.metaeval.scores": ("HumanScores", "MetricScores"),
    "errata.metaeval.sentence_level": ("SentenceLevel", "sentence_level"),
    "errata.metaeval.system_level": ("SystemLevel", "system_level"),
    "errata.metrics.base": ("Metric", "Score", "Scorer"),
    "errata.metrics.bleu": ("Bleu", "CharBleu"),
    "errata.metrics.char_meaning": ("CharMeaning",),
    "errata.metrics.explanation": ("explain",),
    "errata.metrics.gleu": ("Gleu",),
    "errata.metrics.hoo": ("Hoo",),
    "errata.metrics.imeasure": ("IMeasure",),
    "errata.metrics.maxmatch": ("MaxMatch",),
    "errata.metrics.sentence_accuracy": ("SentenceAccuracy",),
    "errata.report.graph_drawing": ("draw_graphs",),
    "errata.scoring": ("score",),
    "errata.segmentation.normalisation": ("Normalisation",),
    "errata.segmentation.segmenters": ("Characters", "SegmentedBy"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'errata' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
