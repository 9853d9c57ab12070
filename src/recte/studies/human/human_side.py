"""The human side of a command, whatever a file or a folder holds: judgments, ratings or scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recte.errors import InputError, OptionError
from recte.formats.metric_scores import read_metric_scores
from recte.messages import note
from recte.studies.human.arguments import HumanOptions
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_files import is_judgments, read_ids, read_judgments
from recte.studies.human.judgments import Judgments
from recte.studies.human.protocols import PROTOCOLS, Protocol, protocol_named, read_protocol_files
from recte.studies.human.ranking import METHODS
from recte.studies.human.rating_files import is_ratings, read_ratings
from recte.studies.human.ratings import Ratings

__all__ = ["HumanData", "read_human_data"]


@dataclass(frozen=True)
class HumanData:
    """What people said of systems, from a file or a study's folder: judgments, ratings or scores.

    `published` are human scores by method and system that a study gives. `ids` name the judged sentences, where these
    alone count. `left_out` are systems; human scores are those with them. `window` is the protocol's.
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
        raise OptionError("--system-set: expected --protocol beside it, got none")
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
        methods=judging.method or (protocol.method,),
        ids=tuple(map(str, files.ids)),
        left_out=tuple(system for system in judged.systems if system not in chosen or system in judging.without),
        window=protocol.window,
        setting=f"protocol:{protocol.name}|system_set:{set_name}",
    )
