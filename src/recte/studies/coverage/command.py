"""`recte coverage ANSWERS`: how many corrections there are, and how far few references mislead."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from recte.cli.arguments import format_option, width_option
from recte.cli.chart_files import ChartOptions, draw_charts
from recte.cli.command import Command
from recte.errors import OptionError
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.terminal import print_tables
from recte.studies.coverage.answer_files import read_answers
from recte.studies.coverage.charts import coverage_charts
from recte.studies.coverage.kinds import ANSWER_MATCHES, ANSWER_RULES, AnsweredSentence, AnswerMatch, AnswerRule
from recte.studies.coverage.perfect_scores import TEST_SET, UNEDITED, perfect_corrector
from recte.studies.coverage.reference_coverage import REFERENCES, coverage_of
from recte.studies.coverage.tables import coverage_tables, sentence_estimates


@dataclass(frozen=True, kw_only=True)
class CorrectorOptions:
    """A corrector, and what a measure gives it."""

    accuracy: float = option(1.0, "its true accuracy: the bias scales with it (default 1)", metavar="P")
    share: float = option(1.0, "share of sentences that need correction (default 1)", metavar="P")
    reward: float = option(1.0, "what a measure gives for a correction in the references (default 1)", metavar="ALPHA")
    penalty: float = option(1.0, "what it takes for one that is not (default 1)", metavar="BETA")
    correct: int | None = option(
        None,
        "how many of the sentences a corrector got right: tested against a perfect one",
        kind=int,
        metavar="N",
    )


@dataclass(frozen=True, kw_only=True)
class DrawnCorpusOptions:
    """The corpora on which a perfect corrector is scored."""

    size: int = option(TEST_SET, f"sentences of a corpus (default {TEST_SET}, as CoNLL-2014)", metavar="N")
    unedited: int = option(UNEDITED, f"of them correct as they are (default {UNEDITED})", metavar="N")
    own_answer: bool = option(False, "let references hold the output's own answer, as published")
    beta: float = option(0.5, "weight of recall in F (default 0.5)", metavar="X")


@dataclass(frozen=True, kw_only=True)
class CoverageOptions:
    answers: str = argument("many answers a sentence, JSON lines or TSV; - is standard input", metavar="ANSWERS")
    where: str | None = option(None, "only the sentences with this value of a label", kind=str, metavar="LABEL=VALUE")
    match: tuple[AnswerMatch, ...] = option(
        ANSWER_MATCHES,
        "what makes answers equal: exact, index (which words of the source they change); default both",
        kind=str,
        choices=ANSWER_MATCHES,
    )
    rule: AnswerRule = option(
        "default",
        "how answers are compared: default, or official (the authors' program)",
        choices=ANSWER_RULES,
    )
    references: tuple[int, ...] = option(
        tuple(REFERENCES), "numbers of references (default 1 2 3 5 10 20)", kind=int, metavar="M"
    )
    wanted: tuple[float, ...] = option(
        (0.5, 0.75, 0.9),
        "coverages to say the references needed for (default 0.5 0.75 0.9)",
        kind=float,
        metavar="COVERAGE",
    )
    corrector: CorrectorOptions = part(CorrectorOptions, "a corrector")
    f_score: bool = option(True, "draw corpora from the answers and score them", group="F of a perfect corrector")
    corpora: DrawnCorpusOptions = part(DrawnCorpusOptions, "F of a perfect corrector")
    samples: int = option(1000, "samples of references that are all different (default 1000)", metavar="N")
    resamples: int = option(20, "resamples of the answers, for intervals (default 20; 0: none)", metavar="N")
    seed: int = option(0, "of everything that is drawn (default 0)", metavar="N", least=0)
    sentences: bool = option(False, "a table of every sentence's estimates, too")
    width: int = width_option()
    format: str = format_option()
    charts: ChartOptions = part(ChartOptions)


def run(options: CoverageOptions) -> None:
    sentences = _choose(read_answers(options.answers), options.where)
    studies = [
        coverage_of(
            sentences,
            match=match,
            rule=options.rule,
            references=options.references,
            wanted=options.wanted,
            **asdict(options.corrector),
            samples=options.samples,
            resamples=options.resamples,
            seed=options.seed,
        )
        for match in dict.fromkeys(options.match)
    ]
    perfect = (
        perfect_corrector(sentences, options.references, **asdict(options.corpora), seed=options.seed)
        if options.f_score
        else ()
    )
    draw_charts(options.charts, lambda: coverage_charts(studies, perfect))
    if options.format == "json":
        print(document(coverage=[s.to_dict() for s in studies], perfect_corrector=[asdict(p) for p in perfect]))
        return
    tables = coverage_tables(studies, perfect, options.width)
    if options.sentences:
        tables += [sentence_estimates(study) for study in studies]
    print_tables(tables, options.format)


def _choose(sentences: tuple[AnsweredSentence, ...], where: str | None) -> tuple[AnsweredSentence, ...]:
    if where is None:
        return sentences
    label, equals, value = where.partition("=")
    chosen = tuple(s for s in sentences if equals and s.labels.get(label) == value)
    if not chosen:
        known = sorted({key for s in sentences for key in s.labels})
        raise OptionError(f"--where: expected LABEL=VALUE of some sentence (labels: {', '.join(known)}), got {where!r}")
    return chosen


COMMAND = Command(
    run=run,
    options=CoverageOptions,
    forms=("ANSWERS",),
    examples=(
        ("recte coverage sample/answers.jsonl --no-f-score", "how many corrections there are"),
        (
            "recte coverage sample/answers.jsonl --references 1 2 5 --accuracy 0.5 --no-f-score",
            "what few of them see",
        ),
    ),
    common=(
        *("--where", "--match", "--references", "--wanted", "--accuracy", "--share", "--f-score", "--resamples"),
        *("--sentences", "-f", "-w", "--charts"),
    ),
)
