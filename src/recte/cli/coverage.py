"""`recte coverage ANSWERS`: how many corrections there are, and how far few references mislead."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from recte.cli.arguments import add_format, add_width, check_width
from recte.cli.chart_files import add_charts, draw_charts
from recte.coverage.answers import AnsweredSentence
from recte.coverage.kinds import ANSWER_MATCHES, ANSWER_RULES
from recte.coverage.perfect_scores import TEST_SET, UNEDITED, perfect_corrector
from recte.coverage.reference_coverage import REFERENCES, coverage_of
from recte.errors import OptionError
from recte.formats.answers import read_answers
from recte.rendering.charts.coverage import coverage_charts
from recte.rendering.coverage import coverage_tables, sentence_estimates
from recte.rendering.document import document
from recte.rendering.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answers", metavar="ANSWERS", help="many answers a sentence, JSON lines or TSV; - is standard input"
    )
    parser.add_argument("--where", metavar="LABEL=VALUE", help="only the sentences with this value of a label")
    parser.add_argument(
        "--match",
        nargs="+",
        choices=ANSWER_MATCHES,
        default=list(ANSWER_MATCHES),
        help="what makes answers equal: exact, index (which words of the source they change); default both",
    )
    parser.add_argument(
        "--rule",
        choices=ANSWER_RULES,
        default="default",
        help="how answers are compared: default, or official (the authors' program)",
    )
    parser.add_argument(
        "--references",
        nargs="+",
        type=int,
        default=list(REFERENCES),
        metavar="M",
        help="numbers of references (default 1 2 3 5 10 20)",
    )
    parser.add_argument(
        "--wanted",
        nargs="+",
        type=float,
        default=[0.5, 0.75, 0.9],
        metavar="COVERAGE",
        help="coverages to say the references needed for (default 0.5 0.75 0.9)",
    )
    model = parser.add_argument_group("a corrector")
    model.add_argument(
        "--accuracy",
        type=float,
        default=1.0,
        metavar="P",
        help="its true accuracy: the bias scales with it (default 1)",
    )
    model.add_argument(
        "--share", type=float, default=1.0, metavar="P", help="share of sentences that need correction (default 1)"
    )
    model.add_argument(
        "--reward",
        type=float,
        default=1.0,
        metavar="ALPHA",
        help="what a measure gives for a correction in the references (default 1)",
    )
    model.add_argument(
        "--penalty", type=float, default=1.0, metavar="BETA", help="what it takes for one that is not (default 1)"
    )
    model.add_argument(
        "--correct",
        type=int,
        metavar="N",
        help="how many of the sentences a corrector got right: tested against a perfect one",
    )
    drawn = parser.add_argument_group("F of a perfect corrector")
    drawn.add_argument(
        "--f-score",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="draw corpora from the answers and score them",
    )
    drawn.add_argument(
        "--size",
        type=int,
        default=TEST_SET,
        metavar="N",
        help=f"sentences of a corpus (default {TEST_SET}, as CoNLL-2014)",
    )
    drawn.add_argument(
        "--unedited", type=int, default=UNEDITED, metavar="N", help=f"of them correct as they are (default {UNEDITED})"
    )
    drawn.add_argument(
        "--own-answer", action="store_true", help="let references hold the output's own answer, as published"
    )
    drawn.add_argument("--beta", type=float, default=0.5, metavar="X", help="weight of recall in F (default 0.5)")
    parser.add_argument(
        "--samples",
        type=int,
        default=1000,
        metavar="N",
        help="samples of references that are all different (default 1000)",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=20,
        metavar="N",
        help="resamples of the answers, for intervals (default 20; 0: none)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of everything that is drawn (default 0)")
    parser.add_argument("--sentences", action="store_true", help="a table of every sentence's estimates, too")
    add_width(parser)
    add_format(parser)
    add_charts(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    if arguments.seed < 0:
        raise OptionError(f"--seed: expected a number from 0, got {arguments.seed}")
    sentences = _chosen(read_answers(arguments.answers), arguments.where)
    studies = [
        coverage_of(
            sentences,
            match=match,
            **{
                name: getattr(arguments, name)
                for name in ("rule", "references", "wanted", "accuracy", "share", "reward", "penalty", "correct")
            },
            samples=arguments.samples,
            resamples=arguments.resamples,
            seed=arguments.seed,
        )
        for match in dict.fromkeys(arguments.match)
    ]
    perfect = (
        perfect_corrector(
            sentences,
            arguments.references,
            **{name: getattr(arguments, name) for name in ("size", "unedited", "own_answer", "beta", "seed")},
        )
        if arguments.f_score
        else ()
    )
    draw_charts(arguments, lambda: coverage_charts(studies, perfect))
    if arguments.format == "json":
        print(document(coverage=[s.to_dict() for s in studies], perfect_corrector=[asdict(p) for p in perfect]))
        return
    tables = coverage_tables(studies, perfect, arguments.width)
    if arguments.sentences:
        tables += [sentence_estimates(study) for study in studies]
    print_tables(tables, arguments.format)


def _chosen(sentences: tuple[AnsweredSentence, ...], where: str | None) -> tuple[AnsweredSentence, ...]:
    if where is None:
        return sentences
    label, equals, value = where.partition("=")
    chosen = tuple(s for s in sentences if equals and s.labels.get(label) == value)
    if not chosen:
        known = sorted({key for s in sentences for key in s.labels})
        raise OptionError(f"--where: expected LABEL=VALUE of some sentence (labels: {', '.join(known)}), got {where!r}")
    return chosen
