"""Everything that a meta-evaluation can show, computed together: what `recte metaeval` prints and the page draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from recte.errors import OptionError
from recte.options import check_options, option, same_option
from recte.signature import Signature
from recte.statistics.permutation import PERMUTED
from recte.studies.human.arguments import RatingOptions, resample_option
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgments import UNITS, Judgments
from recte.studies.human.ratings import RaterAgreement, Ratings, rater_agreement
from recte.studies.metaeval.ceiling import CorrelationCeiling, human_ceiling
from recte.studies.metaeval.metric_comparison import MetricClusters, sentence_clusters, system_clusters
from recte.studies.metaeval.rating_correlation import RatingLevel, rating_level
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_correlation import RankGroups, SentenceLevel, rank_groups, sentence_level
from recte.studies.metaeval.system_correlation import (
    AGGREGATIONS,
    RESAMPLED,
    SystemLevel,
    aggregated_metric,
    system_level,
)
from recte.studies.metaeval.windows import WindowStudy, window_analysis

__all__ = ["HumanSide", "Study", "StudyOptions", "study_metrics"]

_Signed = TypeVar("_Signed", SystemLevel, SentenceLevel, WindowStudy, RankGroups, MetricClusters)


@dataclass(frozen=True)
class HumanSide:
    """What people say: judgments or ratings of sentences as the metrics' scores have them, and scores of systems.
    `setting` is a published one's part of every signature.

    >>> HumanSide(scores=(HumanScores.of("human", {"heron": 3.0, "wren": 2.0}),)).scores[0].systems
    ('heron', 'wren')
    """

    judgments: Judgments | None = None
    ratings: Ratings | None = None
    scores: tuple[HumanScores, ...] = ()
    setting: str = ""


@dataclass(frozen=True)
class StudyOptions:
    """What to compute, and how surely; each is a flag of `recte metaeval`.

    `only` is `system` or `sentence`. `windows` is the size of windows, `intervals` what is resampled for intervals of
    correlations, `permute` and `aggregate` are methods. `system_order` is what figures with a published rule for ties
    depend on. `average` and `rater_scale` are of ratings; `resample` is what is resampled of judgments.

    >>> StudyOptions(windows=4).resamples
    1000
    """

    only: str | None = option(
        None, "systems or sentences alone (default: both)", kind=str, choices=("system", "sentence")
    )
    intervals: str | None = option(
        None, "intervals of correlations: resample systems, inputs or both", kind=str, choices=RESAMPLED
    )
    permute: Sequence[str] = option((), "permutation tests between metrics", kind=str, choices=PERMUTED)
    leave_one_out: bool = option(False, "correlations without each system")
    windows: int | None = same_option(RatingOptions, "windows")
    rank_gaps: bool = option(False, "pairs by how far apart judges ranked them; figures of both tie rules")
    system_order: Sequence[str] = option(
        (),
        "of the published tie rule, which depends on it: all systems (default: by name)",
        kind=str,
        metavar="SYSTEM",
    )
    aggregate: Sequence[str] = option(
        (),
        f"score systems by sentence scores as humans do, besides averages: {', '.join(AGGREGATIONS)}",
        kind=str,
        choices=AGGREGATIONS,
        metavar="METHOD",
    )
    clusters: bool = option(False, "rank clusters of metrics, by tests of each two of them")
    average: str = same_option(RatingOptions, "average")
    rater_scale: str = same_option(RatingOptions, "rater_scale")
    resample: str = resample_option(UNITS)
    resamples: int = option(1000, "how often (default 1000)", metavar="N")
    trials: int = option(1000, "of permutations (default 1000)", metavar="N")
    level: float = option(0.95, "of intervals (default 0.95)", metavar="X")
    seed: int = option(12345, "of every random step (default 12345)", metavar="N")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def drawn(self) -> dict[str, Any]:
        return {"resamples": self.resamples, "level": self.level, "seed": self.seed}


@dataclass
class Study:
    """What was asked for, of every kind."""

    systems: list[SystemLevel] = field(default_factory=list)
    sentences: SentenceLevel | None = None
    ratings: RatingLevel | None = None
    windows: list[WindowStudy] = field(default_factory=list)
    rank_groups: RankGroups | None = None
    clusters: list[MetricClusters] = field(default_factory=list)
    ceiling: CorrelationCeiling | None = None
    raters: RaterAgreement | None = None

    def sign_all(self, setting: str) -> Study:
        """The same figures, with the setting they were made in before the version in every signature."""

        def sign(result: _Signed) -> _Signed:
            return replace(result, signature=str(Signature.parse(result.signature).add(setting)))

        return replace(
            self,
            systems=[sign(result) for result in self.systems],
            sentences=None if self.sentences is None else sign(self.sentences),
            windows=[sign(part) for part in self.windows],
            rank_groups=None if self.rank_groups is None else sign(self.rank_groups),
            clusters=[sign(part) for part in self.clusters],
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return {
            "system_level": [result.to_dict() for result in self.systems],
            "sentence_level": None if self.sentences is None else self.sentences.to_dict(),
            "rating_level": None if self.ratings is None else self.ratings.to_dict(),
            "windows": [part.to_dict() for part in self.windows],
            "rank_groups": None if self.rank_groups is None else self.rank_groups.to_dict(),
            "metric_clusters": [part.to_dict() for part in self.clusters],
            "human_ceiling": None if self.ceiling is None else asdict(self.ceiling),
            "rater_agreement": None if self.raters is None else asdict(self.raters),
        }


def study_metrics(human: HumanSide, metrics: Sequence[MetricScores], options: StudyOptions) -> Study:
    """Compare metrics with people in every way that was asked for and that both sides allow.

    >>> human = HumanSide(scores=(HumanScores.of("human", {"heron": 3.0, "wren": 2.0, "magpie": 1.0}),))
    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.5, "magpie": 0.4})
    >>> study_metrics(human, [mine], StudyOptions()).systems[0].metrics[0].spearman
    1.0
    """
    if human.judgments is None and (options.rank_gaps or options.system_order):
        flag = "--rank-gaps" if options.rank_gaps else "--system-order"
        raise OptionError(f"{flag}: expected judgments, got {'scores' if human.ratings is None else 'ratings'}")
    study = Study()
    of_systems = options.only != "sentence"
    known = [metric for metric in metrics if metric.sentences is not None]
    if of_systems:
        _system_side(study, human, metrics, known, options)
    # Without sentence scores there is nothing to say, unless it was asked for: then that is said.
    of_sentences = options.only != "system" and (bool(known) or not of_systems)
    if human.judgments is not None:
        study.ceiling = human_ceiling(human.judgments)
        if of_sentences:
            _sentence_side(study, human.judgments, known or metrics, options)
    if human.ratings is not None:
        study.raters = rater_agreement(human.ratings)
        if of_sentences:
            study.ratings = rating_level(
                human.ratings,
                known or metrics,
                average=options.average,
                rater_scale=options.rater_scale,
                clusters=options.clusters,
                swap="pairs" if options.resample == "pairs" else "items",
                trials=options.trials,
                **options.drawn,
            )
            study.clusters += [] if study.ratings.clusters is None else [study.ratings.clusters]
    return study.sign_all(human.setting) if human.setting else study


def _system_side(
    study: Study,
    human: HumanSide,
    metrics: Sequence[MetricScores],
    known: Sequence[MetricScores],
    options: StudyOptions,
) -> None:
    rows = [
        *metrics,
        *(
            aggregated_metric(metric.for_systems(human.scores[0].systems), method, seed=options.seed)
            for method in options.aggregate
            for metric in known
        ),
    ]
    study.systems = [
        system_level(
            scores,
            rows,
            intervals=options.intervals,
            permute=options.permute,
            leave_one_out=options.leave_one_out,
            trials=options.trials,
            **options.drawn,
        )
        for scores in human.scores
    ]
    if options.windows is not None:
        study.windows = [_windows(scores, metrics, options.windows, options) for scores in human.scores]
    if options.clusters and not (human.judgments is None and human.ratings is None):
        study.clusters.append(system_clusters(human.scores[0], known, trials=options.trials, seed=options.seed))


def _windows(human: HumanScores, metrics: Sequence[MetricScores], size: int, options: StudyOptions) -> WindowStudy:
    """With intervals over sentences wherever both sides can be scored again."""
    judged = human.judgments is not None or human.ratings is not None
    can_rescore = all(m.resampled is not None and m.sentences is not None for m in metrics)
    return window_analysis(human, metrics, size=size, intervals=judged and can_rescore, **options.drawn)


def _sentence_side(study: Study, judgments: Judgments, metrics: Sequence[MetricScores], options: StudyOptions) -> None:
    study.sentences = sentence_level(judgments, metrics, resample=options.resample, **options.drawn)
    if options.rank_gaps or options.system_order:
        study.rank_groups = rank_groups(judgments, metrics, order=options.system_order or None)
    if options.clusters:
        study.clusters.append(
            sentence_clusters(judgments, metrics, swap=options.resample, trials=options.trials, seed=options.seed)
        )
