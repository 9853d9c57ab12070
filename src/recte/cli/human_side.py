"""The human side of a command, whatever a file or a folder holds: judgments, ratings or scores."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from recte.cli.human_arguments import hinting_at_ids
from recte.cli.input_warnings import note
from recte.errors import InputError, OptionError
from recte.formats.judgments import is_judgments, read_ids, read_judgments
from recte.formats.metric_scores import read_metric_scores
from recte.formats.protocol_files import read_protocol_files
from recte.formats.ratings import is_ratings, read_ratings
from recte.human.judgments import Judgments
from recte.human.ranking import METHODS
from recte.human.ratings import Ratings
from recte.metaeval.protocols import PROTOCOLS, Protocol, protocol_named
from recte.metaeval.scores import HumanScores, MetricScores
from recte.metaeval.sentence_matching import match_sentences
from recte.metaeval.study import HumanSide
from recte.sentence_names import SentenceNames

__all__ = ["Humans", "read_humans"]

_NAMED = 6  # systems in a note


@dataclass(frozen=True)
class Humans:
    """What a file or a study's folder says of systems: judgments, ratings or scores.

    `published` are human scores by method and system that a study gives. `ids` name the judged sentences, where these
    alone count. `outside` are systems that are left out; human scores are those with them. `window` is the protocol's.
    `setting` names it in signatures.
    """

    judgments: Judgments | None = None
    ratings: Ratings | None = None
    scores: tuple[HumanScores, ...] = ()
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    window: int | None = None
    setting: str = ""

    @property
    def systems(self) -> Collection[str]:
        """Everybody of whom people said something."""
        said = self.judgments or self.ratings
        return said.systems if said is not None else {system for one in self.scores for system in one.systems}

    def beside(
        self, arguments: argparse.Namespace, metrics: Sequence[MetricScores], names: SentenceNames | None
    ) -> tuple[HumanSide, list[MetricScores]]:
        """Both sides on the same sentences; notes say what is left out. `names` are those of the gold's sentences."""
        scored = {system for metric in metrics for system in metric.systems}
        nobody = sorted(scored - set(self.systems))
        if nobody:
            more = f" and {len(nobody) - _NAMED} more" if len(nobody) > _NAMED else ""
            note(f"nobody judged {', '.join(nobody[:_NAMED])}{more}: left out", arguments)
        with hinting_at_ids(self):
            matched = match_sentences(
                metrics, names=names, ids=self.ids, judgments=self.judgments, ratings=self.ratings
            )
        if matched.unscored:
            count = len(matched.unscored)
            are = "sentence is" if count == 1 else "sentences are"
            note(f"{count} judged {are} not scored and left out, first sentence {matched.unscored[0]}", arguments)
        judgments, ratings = matched.judgments, matched.ratings
        wanted = arguments.only != "sentence" if "only" in arguments else True
        if judgments is not None:
            scores = [self._ranked(arguments, judgments, method) for method in self.methods] if wanted else []
            judgments = judgments.without(self.outside)
        elif ratings is not None:
            ratings = ratings.without(self.outside)
            scores = [HumanScores.from_ratings(ratings, rater_scale=arguments.rater_scale)]
            return HumanSide(ratings=ratings, scores=tuple(scores)), matched.metrics
        else:
            scores = list(self.scores)
        kept = tuple(human.without(self.outside) for human in scores)
        return HumanSide(judgments, None, kept, self.setting), matched.metrics

    def _ranked(self, arguments: argparse.Namespace, judgments: Judgments, method: str) -> HumanScores:
        if method in self.published:
            values = np.array([self.published[method][system] for system in judgments.systems])
            return HumanScores(method, judgments.systems, values, judgments, published=True)
        return HumanScores.from_judgments(judgments, method, runs=arguments.resamples, seed=arguments.seed)


def read_humans(arguments: argparse.Namespace, path: str, *, judged: bool = False) -> Humans:
    """The human side, whatever the file or folder holds, as the arguments want it read; `judged` takes nothing else."""
    outside, methods = tuple(arguments.without), tuple(arguments.method or [METHODS[0]])
    if arguments.protocol:
        return _protocol(arguments, path, protocol_named(arguments.protocol))
    if arguments.system_set:
        raise OptionError("--system-set: expected --protocol beside it, got none")
    if Path(path).is_dir():
        raise OptionError(f"{path}: expected --protocol to say what a folder holds, got none of {', '.join(PROTOCOLS)}")
    ids = tuple(read_ids(arguments.ids)) if getattr(arguments, "ids", None) is not None else ()
    if judged and is_ratings(path):
        raise InputError("expected judgments of two outputs or more, got ratings, which recte metaeval takes", path)
    if judged or is_judgments(path):
        _refuse(arguments, "judgments", "ratings")
        judgments = read_judgments(
            path,
            expand=arguments.expand,
            seed=arguments.seed,
            first_sentence=arguments.first_sentence,
            document=arguments.document,
        )
        return Humans(judgments, methods=methods, ids=ids, outside=outside)
    if is_ratings(path):
        _refuse(arguments, "ratings", "method", "document", "first_sentence")
        return Humans(ratings=read_ratings(path, *getattr(arguments, "ratings", ())), ids=ids, outside=outside)
    _refuse(arguments, "scores of systems", "ids", "method", "document", "first_sentence", "ratings")
    if getattr(arguments, "only", None) == "sentence":
        raise OptionError("--only sentence: expected judgments or ratings, got scores of systems")
    by_name = read_metric_scores(path).systems
    if not by_name:
        raise InputError("expected human scores of systems, got scores of sentences", path)
    return Humans(scores=tuple(HumanScores.of(name, scores) for name, scores in by_name.items()), outside=outside)


def _refuse(arguments: argparse.Namespace, got: str, *options: str) -> None:
    """Options that have no meaning for what the file holds."""
    wants = {"ids": "judgments or ratings", "ratings": "ratings as the first file"}
    for option in options:
        if getattr(arguments, option, None) not in (None, []):
            raise OptionError(f"--{option.replace('_', '-')}: expected {wants.get(option, 'judgments')}, got {got}")


def _protocol(arguments: argparse.Namespace, path: str, protocol: Protocol) -> Humans:
    """Human scores are those of all systems; a set only picks some of them."""
    files = read_protocol_files(
        path,
        protocol.judgments,
        of_subset=protocol.judgments_of_subset,
        scores=protocol.scores,
        systems=protocol.systems,
        expand=arguments.expand,
        seed=arguments.seed,
    )
    _refuse(arguments, f"the protocol {protocol.name}", "ids", "document", "ratings")
    judged = files.judgments
    set_name = arguments.system_set or next(iter(protocol.sets))
    wanted = protocol.set_named(set_name)
    absent = [system for system in wanted if system not in judged.systems]
    if absent:
        note(f"no judgments of {', '.join(absent)}, of the systems {set_name}: left out", arguments)
    return Humans(
        judged,
        published=files.scores,
        methods=tuple(arguments.method or [protocol.method]),
        ids=tuple(map(str, files.ids)),
        outside=tuple(system for system in judged.systems if system not in wanted or system in arguments.without),
        window=protocol.window,
        setting=f"protocol:{protocol.name}|system_set:{set_name}",
    )
