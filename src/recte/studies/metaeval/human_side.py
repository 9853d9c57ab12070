"""Human scores and metrics' scores on the same sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recte.corpus.sentence_names import SentenceNames
from recte.messages import note
from recte.studies.human.arguments import explain_subsets
from recte.studies.human.human_scores import HumanData, HumanScores
from recte.studies.human.judgments import Judgments
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_matching import match_sentences
from recte.studies.metaeval.study import HumanSide, StudyOptions

__all__ = ["match_human_data"]

_NAMED = 6  # systems in a note


def match_human_data(
    humans: HumanData, metrics: Sequence[MetricScores], names: SentenceNames | None, options: StudyOptions
) -> tuple[HumanSide, list[MetricScores]]:
    """Human scores and metrics on the same sentences; notes say what is left out.

    `names` are those of the gold's sentences.
    """
    scored = {system for metric in metrics for system in metric.systems}
    unjudged = sorted(scored - set(humans.systems))
    if unjudged:
        more = f" and {len(unjudged) - _NAMED} more" if len(unjudged) > _NAMED else ""
        note(f"nobody judged {', '.join(unjudged[:_NAMED])}{more}: left out")
    with explain_subsets(humans):
        matched = match_sentences(
            metrics, names=names, ids=humans.ids, judgments=humans.judgments, ratings=humans.ratings
        )
    if matched.unscored:
        count = len(matched.unscored)
        are = "sentence is" if count == 1 else "sentences are"
        note(f"{count} judged {are} not scored and left out, first sentence {matched.unscored[0]}")
    judgments, ratings = matched.judgments, matched.ratings
    if judgments is not None:
        scores = []
        if options.only != "sentence":
            scores = [_rank(humans, judgments, method, options) for method in humans.methods]
        judgments = judgments.without(humans.left_out)
    elif ratings is not None:
        ratings = ratings.without(humans.left_out)
        scores = [HumanScores.from_ratings(ratings, rater_scale=options.rater_scale)]
        return HumanSide(ratings=ratings, scores=tuple(scores)), matched.metrics
    else:
        scores = list(humans.scores)
    compared = tuple(score.without(humans.left_out) for score in scores)
    return HumanSide(judgments, None, compared, humans.setting), matched.metrics


def _rank(humans: HumanData, judgments: Judgments, method: str, options: StudyOptions) -> HumanScores:
    if method in humans.published:
        values = np.array([humans.published[method][system] for system in judgments.systems])
        return HumanScores(method, judgments.systems, values, judgments, published=True)
    return HumanScores.from_judgments(judgments, method, runs=options.resamples, seed=options.seed)
