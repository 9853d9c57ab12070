"""What the commands that read human judgments share: where they are, how they are read, how they are drawn anew."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from recte.cli.input_warnings import note
from recte.errors import InputError, LengthError, OptionError
from recte.formats.judgments import is_judgments, read_ids, read_judgments
from recte.formats.metric_scores import read_metric_scores
from recte.formats.protocol_files import read_protocol_files
from recte.formats.ratings import is_ratings, read_ratings
from recte.human.judgments import Judgments
from recte.human.ranking import METHODS
from recte.human.ratings import RATER_SCALES, Ratings
from recte.metaeval.protocols import PROTOCOLS, Protocol, protocol_named
from recte.metaeval.rating_statistics import AVERAGES
from recte.metaeval.scores import HumanScores, MetricScores
from recte.metaeval.sentence_matching import match_sentences
from recte.metaeval.study import HumanSide
from recte.sentence_names import SentenceNames

__all__ = ["Humans", "add_humans", "add_judging", "add_resampling", "hinting_at_ids", "read_humans"]

_NAMED = 6  # systems in a note


def add_humans(parser: argparse._ActionsContainer) -> None:
    """How judgments, ratings and published files are read, and become scores of systems."""
    add_judging(parser)
    parser.add_argument(
        "--ids",
        metavar="FILE",
        help="a judged subset: what the judgments call each of its sentences, one per line (numbers count from 1)",
    )
    parser.add_argument("--ratings", nargs="+", default=[], metavar="FILE", help="more ratings, by other raters")
    parser.add_argument(
        "--average",
        choices=AVERAGES,
        default=AVERAGES[0],
        help="ratings: correlate over the systems of each item, over the items of each system, or over all cells "
        f"(default {AVERAGES[0]})",
    )
    parser.add_argument(
        "--rater-scale",
        choices=RATER_SCALES,
        default=RATER_SCALES[0],
        help=f"ratings: bring raters to one scale (default {RATER_SCALES[0]})",
    )
    parser.add_argument(
        "--windows", type=int, metavar="N", help="correlations inside every N neighbours of the human ranking"
    )


def add_judging(parser: argparse._ActionsContainer) -> None:
    """How judgments are read, and become scores of systems."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=METHODS,
        metavar="METHOD",
        help=f"how judgments become scores: {', '.join(METHODS)}; the last is TrueSkill without chance "
        f"(default {METHODS[0]})",
    )
    parser.add_argument(
        "--expand",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare all systems of a ranking, or one of each group with the same output (XML; default: all)",
    )
    parser.add_argument("--without", nargs="+", default=[], metavar="SYSTEM", help="leave these systems out")
    parser.add_argument("--document", metavar="NAME", help="the judgments of one document or test set alone")
    parser.add_argument(
        "--first-sentence",
        type=int,
        choices=(0, 1),
        help="the number of the first sentence in the judgments (default: found out)",
    )
    parser.add_argument(
        "--protocol",
        choices=tuple(PROTOCOLS),
        help="a published setting; the human side is the folder with its files (SEEDA: judgments_edit.xml, TS_edit "
        "and so on)",
    )
    parser.add_argument(
        "--system-set", metavar="SET", help="of the protocol: base (default), +INPUT, +fluency or all systems"
    )


def add_resampling(parser: argparse._ActionsContainer, units: Sequence[str], more: str = "") -> None:
    """How judgments are drawn anew for intervals."""
    parser.add_argument(
        "--resample",
        choices=units,
        default="sentences",
        help=f"what is drawn anew for intervals (default sentences); pairs is the published way{more}",
    )
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="how often (default 1000)")
    parser.add_argument("--level", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of every random step (default 12345)")


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


@contextmanager
def hinting_at_ids(humans: Humans | None) -> Iterator[None]:
    """Says how a judged subset is named, where files of different lengths look like one."""
    try:
        yield
    except LengthError as error:
        if humans is None or humans.ids or (humans.judgments is None and humans.ratings is None):
            raise
        hint = f"{error.message}; of a judged subset --ids FILE names the sentences"
        raise InputError(hint, error.file, error.line) from None


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
