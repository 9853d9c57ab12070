"""Human scores of systems, from judgments, from ratings, or as published.

The human side of a command, whatever a file or a folder holds: judgments, ratings or scores.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError
from recte.formats.metric_scores import read_metric_scores
from recte.messages import note
from recte.studies.human.arguments import HumanOptions
from recte.studies.human.judgment_files import is_judgments, read_ids, read_judgments
from recte.studies.human.judgment_resampling import count_by_group, sum_by_weights
from recte.studies.human.judgments import Judgments
from recte.studies.human.protocols import PROTOCOLS, Protocol, protocol_named, read_protocol_files
from recte.studies.human.ranking import METHODS, human_scores, mean_wins
from recte.studies.human.rating_files import is_ratings, read_ratings
from recte.studies.human.ratings import Ratings
from recte.studies.human.trueskill import TrueSkill

__all__ = ["HumanData", "HumanScores", "read_human_data"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HumanScores:
    """Human scores of systems, in order of their names; with the judgments, or the ratings by system and sentence
    (NaN where there is none), that they come from. `published` scores are a study's own, and not computed here.

    >>> HumanScores.of("human", {"wren": 0.3, "heron": 0.5}).scores.tolist()
    [0.5, 0.3]
    """

    name: str
    systems: tuple[str, ...]
    scores: Floats
    judgments: Judgments | None = None
    ratings: Floats | None = None
    published: bool = False

    @property
    def signed(self) -> str:
        """The part of a signature that names them."""
        return f"human:{self.name}{'|human_scores:published' if self.published else ''}"

    @classmethod
    def of(cls, name: str, scores: Mapping[str, float]) -> HumanScores:
        """From scores by system."""
        systems = tuple(sorted(scores))
        return cls(name, systems, np.array([scores[s] for s in systems], dtype=np.float64))

    @classmethod
    def from_judgments(cls, judgments: Judgments, method: str = "expected-wins", **options: Any) -> HumanScores:
        """Scores by one of the ways to rank systems."""
        return cls(method, judgments.systems, human_scores(judgments, method, **options), judgments)

    @classmethod
    def from_ratings(cls, ratings: Ratings, *, rater_scale: str = "none") -> HumanScores:
        """A system's score is the mean of its rated outputs', each the mean over raters."""
        table = ratings.normalised(rater_scale).table()
        name = "mean-rating" if rater_scale == "none" else f"mean-rating-{rater_scale}"
        return cls(name, ratings.systems, np.nanmean(table, axis=1), ratings=table)

    def without(self, systems: Collection[str]) -> HumanScores:
        """The same scores of the other systems: a system left out of a correlation still was an opponent."""
        for system in systems:
            if system not in self.systems:
                raise OptionError(f"without: expected some of the systems {', '.join(self.systems)}, got {system!r}")
        columns = [i for i, system in enumerate(self.systems) if system not in systems]
        return replace(
            self,
            systems=tuple(self.systems[i] for i in columns),
            scores=self.scores[columns],
            ratings=None if self.ratings is None else self.ratings[columns],
        )

    def resampled(self, weights: NDArray[np.int32]) -> Floats:
        """Scores from judgments of weighted sentences, a row a weighting of all sentences of the corpus."""
        if self.ratings is not None:
            rated = (~np.isnan(self.ratings)).astype(np.float64)
            sums, counts = weights @ np.nan_to_num(self.ratings).T, weights @ rated.T
            means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
            return means
        judgments = self.judgments
        if judgments is None:
            raise OptionError("resampling inputs: expected judgments or ratings, got scores of systems alone")
        judged, group = np.unique(judgments.sentence - (judgments.first_sentence or 0), return_inverse=True)
        by_sentence = count_by_group(judgments.cell, group.reshape(-1), judgments.cell_count)
        tables = sum_by_weights(weights[:, judged], by_sentence).reshape(len(weights), -1, 3)
        if self.name == "expected-wins":
            scores = mean_wins(tables)
        else:
            scores = TrueSkill().for_judgments(len(judgments)).expected(tables, coarse=True)
        return scores[:, [judgments.systems.index(system) for system in self.systems]]


@dataclass(frozen=True)
class HumanData:
    """What people said of systems, from a file or a study's folder: judgments, ratings or scores.

    `published` are human scores by method and system that a study gives. `ids` name the judged sentences, where these
    alone count. `left_out` are systems; human scores are those with them. `window` and `resample` are the
    protocol's.
    `setting` names it in signatures.
    """

    judgments: Judgments | None = None
    ratings: Ratings | None = None
    scores: tuple[HumanScores, ...] = ()
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    window: int | None = None
    resample: str = ""
    setting: str = ""

    @property
    def systems(self) -> Collection[str]:
        """All systems that were judged, rated or scored."""
        judged = self.judgments or self.ratings
        return judged.systems if judged is not None else {system for scores in self.scores for system in scores.systems}


def read_human_data(
    path: str, options: HumanOptions, *, seed: int, judged: bool = False, only: str | None = None
) -> HumanData:
    """The judgments, ratings or scores that a file or folder holds; `judged` takes nothing but judgments.

    `only` is the level that is compared with metrics alone, `system` or `sentence`.
    """
    judging = options.judging
    left_out, methods = judging.without, judging.method or (METHODS[0],)
    if judging.protocol:
        return _read_protocol(path, options, protocol_named(judging.protocol), seed)
    if judging.system_set:
        raise OptionError("--system-set: expected --protocol with it, got none")
    if Path(path).is_dir():
        raise OptionError(f"{path}: expected --protocol to say what a folder holds, got none of {', '.join(PROTOCOLS)}")
    ids = tuple(read_ids(options.ids)) if options.ids is not None else ()
    if judged and is_ratings(path):
        raise InputError("expected judgments of two outputs or more, got ratings, which recte metaeval takes", path)
    if judged or is_judgments(path):
        _refuse_options("judgments", ratings=options.ratings)
        judgments = read_judgments(
            path,
            expand=judging.expand,
            seed=seed,
            first_sentence=judging.first_sentence,
            document=judging.document,
        )
        return HumanData(judgments, methods=methods, ids=ids, left_out=left_out)
    of_judgments = {
        "method": judging.method,
        "document": judging.document,
        "first_sentence": judging.first_sentence,
    }
    if is_ratings(path):
        _refuse_options("ratings", **of_judgments)
        return HumanData(ratings=read_ratings(path, *options.ratings), ids=ids, left_out=left_out)
    _refuse_options("scores of systems", ids=options.ids, **of_judgments, ratings=options.ratings)
    if only == "sentence":
        raise OptionError("--only sentence: expected judgments or ratings, got scores of systems")
    by_name = read_metric_scores(path).systems
    if not by_name:
        raise InputError("expected human scores of systems, got scores of sentences", path)
    scores = tuple(HumanScores.of(name, scores) for name, scores in by_name.items())
    return HumanData(scores=scores, left_out=left_out)


def _refuse_options(got: str, **options: Any) -> None:
    """Refuse options that have no meaning for what the file holds."""
    expected = {"ids": "judgments or ratings", "ratings": "ratings as the first file"}
    for name, value in options.items():
        if value not in (None, ()):
            raise OptionError(f"--{name.replace('_', '-')}: expected {expected.get(name, 'judgments')}, got {got}")


def _read_protocol(path: str, options: HumanOptions, protocol: Protocol, seed: int) -> HumanData:
    """Human scores are those of all systems; a set only picks some of them."""
    judging = options.judging
    files = read_protocol_files(
        path,
        protocol.judgments,
        of_subset=protocol.judgments_of_subset,
        scores=protocol.scores,
        systems=protocol.systems,
        expand=judging.expand,
        seed=seed,
        first_sentence=protocol.first_sentence,
    )
    _refuse_options(
        f"the protocol {protocol.name}", ids=options.ids, document=judging.document, ratings=options.ratings
    )
    judged = files.judgments
    set_name = judging.system_set or next(iter(protocol.sets))
    chosen = protocol.set_named(set_name)
    absent = [system for system in chosen if system not in judged.systems]
    if absent:
        note(f"no judgments of {', '.join(absent)}, of the systems {set_name}: left out")
    return HumanData(
        judged,
        published=files.scores,
        methods=judging.method or protocol.methods,
        ids=tuple(map(str, files.ids)),
        left_out=tuple(system for system in judged.systems if system not in chosen or system in judging.without),
        window=protocol.window,
        resample=protocol.resample,
        setting=f"protocol:{protocol.name}|system_set:{set_name}",
    )
