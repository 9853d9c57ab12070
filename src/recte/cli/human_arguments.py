"""Arguments of the commands that read human judgments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from recte.errors import InputError, OptionError
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

__all__ = [
    "Humans",
    "add_judging",
    "add_method",
    "add_protocol",
    "add_rating",
    "add_resampling",
    "humans_of",
    "judgments_of",
]


def add_method(parser: argparse._ActionsContainer) -> None:
    """How judgments become scores of systems."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=METHODS,
        metavar="METHOD",
        help=f"how judgments become scores: {', '.join(METHODS)}; the last is TrueSkill without chance "
        f"(default {METHODS[0]})",
    )


def add_judging(parser: argparse._ActionsContainer) -> None:
    """How judgments are read."""
    parser.add_argument(
        "--expand",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare all systems of a ranking, or one of each group with the same output (XML; default: all)",
    )
    parser.add_argument("--without", nargs="+", default=[], metavar="SYSTEM", help="leave these systems out")
    parser.add_argument(
        "--ids",
        metavar="FILE",
        help="a judged subset: the id of each sentence of the corpus in the judgments, one per line",
    )
    parser.add_argument("--document", metavar="NAME", help="the judgments of one document or test set alone")
    parser.add_argument(
        "--first-sentence",
        type=int,
        choices=(0, 1),
        help="the number of the first sentence in the judgments (default: found out)",
    )


def add_protocol(parser: argparse._ActionsContainer) -> None:
    """Published settings by name."""
    parser.add_argument(
        "--protocol",
        choices=tuple(PROTOCOLS),
        help="a published setting; HUMAN is the folder with its files (SEEDA: judgments_edit.xml, TS_edit and so on)",
    )
    parser.add_argument(
        "--system-set", metavar="SET", help="of the protocol: base (default), +INPUT, +fluency or all systems"
    )


def add_rating(parser: argparse._ActionsContainer) -> None:
    """How ratings are read and averaged."""
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


def judgments_of(arguments: argparse.Namespace, path: str) -> Judgments:
    """The judgments of a file, as the arguments want them read."""
    return read_judgments(
        path,
        expand=arguments.expand,
        seed=arguments.seed,
        first_sentence=arguments.first_sentence,
        document=arguments.document,
        ids=None if arguments.ids is None else read_ids(arguments.ids),
    )


@dataclass
class Humans:
    """What a file says of systems: judgments, ratings or scores; `scores` are those of systems, in every way wanted.

    `ids` are the numbers (from 1) of the judged sentences in the whole corpus, where these alone count.
    """

    judgments: Judgments | None = None
    ratings: Ratings | None = None
    scores: list[HumanScores] = field(default_factory=list)
    ids: tuple[int, ...] | None = None

    def judged_part(self, metric: MetricScores) -> MetricScores:
        """The metric on the judged sentences alone, whether it scored these or the whole corpus."""
        if self.ids is None or metric.sentences is None or metric.sentences.shape[1] == len(self.ids):
            return metric
        length = metric.sentences.shape[1]
        if max(self.ids) > length or min(self.ids) < 1:
            raise InputError(
                f"{metric.name}: expected scores of the {len(self.ids)} judged sentences, or of a corpus that holds "
                f"sentence {max(self.ids)}, got {length}"
            )
        return metric.on_sentences([number - 1 for number in self.ids])


def humans_of(arguments: argparse.Namespace) -> Humans:
    """The human side of a meta-evaluation, whatever the file holds."""
    path, left_out = arguments.human, arguments.without
    if arguments.protocol:
        return _protocol(arguments, protocol_named(arguments.protocol))
    if arguments.system_set:
        raise OptionError("--system-set: expected --protocol beside it, got none")
    if is_judgments(path):
        judgments = judgments_of(arguments, path)
        scores = [] if arguments.only == "sentence" else _ranked(arguments, judgments)
        ids = None if arguments.ids is None else _numbers(read_ids(arguments.ids))
        return Humans(judgments.without(left_out), scores=[human.without(left_out) for human in scores], ids=ids)
    if arguments.ids is not None:
        raise OptionError("--ids: expected judgments to look sentences up in, got others")
    if is_ratings(path):
        ratings = read_ratings(path, *arguments.ratings).without(left_out)
        return Humans(ratings=ratings, scores=[HumanScores.from_ratings(ratings, rater_scale=arguments.rater_scale)])
    if arguments.only == "sentence":
        raise OptionError("--only sentence: expected judgments or ratings, got scores of systems")
    by_name = read_metric_scores(path).systems
    if not by_name:
        raise InputError("expected human scores of systems, got scores of sentences", path)
    return Humans(scores=[HumanScores.of(name, of_systems).without(left_out) for name, of_systems in by_name.items()])


def _ranked(arguments: argparse.Namespace, judgments: Judgments) -> list[HumanScores]:
    return [
        HumanScores.from_judgments(judgments, method, runs=arguments.resamples, seed=arguments.seed)
        for method in arguments.method or [METHODS[0]]
    ]


def _numbers(ids: Sequence[str]) -> tuple[int, ...] | None:
    return tuple(map(int, ids)) if all(one.isdecimal() for one in ids) else None


def _protocol(arguments: argparse.Namespace, protocol: Protocol) -> Humans:
    """Human scores are those of all systems; a set only picks some of them."""
    files = read_protocol_files(
        arguments.human,
        protocol.judgments,
        of_subset=protocol.judgments_of_subset,
        scores=protocol.scores,
        systems=protocol.systems,
        expand=arguments.expand,
        seed=arguments.seed,
    )
    judged = files.judgments
    wanted = protocol.set_named(arguments.system_set or next(iter(protocol.sets)))
    scores = []
    for method in [] if arguments.only == "sentence" else arguments.method or [protocol.method]:
        if method in files.scores:
            published = files.scores[method]
            values = np.array([published[system] for system in judged.systems])
            scores.append(HumanScores(method, judged.systems, values, judged))
        else:
            scores.append(HumanScores.from_judgments(judged, method, runs=arguments.resamples, seed=arguments.seed))
    outside = [system for system in judged.systems if system not in wanted or system in arguments.without]
    kept = [human.without(outside) for human in scores]
    return Humans(judged.without(outside), scores=kept, ids=files.ids)
