"""`recte report GOLD SYSTEM... --to FILE`: one self-contained HTML page."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import TO, GoldOptions, names_option, quiet_option, strict_option
from recte.cli.chart_files import ChartSizeOptions, chart_formats_option
from recte.cli.command import Command
from recte.cli.counted_systems import ResamplingOptions, SystemSelection
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.cli.paired_tests import TestOptions
from recte.commands.evaluated_systems import ShownHumanOptions, draw_human_data, evaluate_selection
from recte.errors import OptionError
from recte.files import check_folder_of, write_bytes
from recte.formats.labels import read_tracks
from recte.gc_paused import gc_paused
from recte.messages import report, write_line
from recte.options import option, part
from recte.output.charts.overview import overview_charts
from recte.output.charts.theme import for_paper
from recte.output.charts.writing import check_drawable, write_charts
from recte.output.page.leaderboard import render_leaderboard
from recte.output.page.template import check_pages
from recte.output.page.writing import render_page
from recte.studies.human.arguments import explain_subsets


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    resampling: ResamplingOptions = part(ResamplingOptions, "intervals")
    tests: TestOptions = part(TestOptions, "tests")
    humans: ShownHumanOptions = part(ShownHumanOptions, "humans")
    to: str = option("report.html", "the page (default report.html)", flags=TO, metavar="FILE", group="output")
    figures: str | None = option(
        None, "also write the charts as files into this folder", kind=str, metavar="FOLDER", group="output"
    )
    formats: tuple[str, ...] = chart_formats_option(group="output")
    size: ChartSizeOptions = part(ChartSizeOptions, "output")
    title: str | None = option(None, "its title (default the gold's name)", kind=str, metavar="TEXT", group="output")
    leaderboard: bool = option(
        False, "a page for many systems: ranks and clusters by each metric, and their sentences", group="output"
    )
    tracks: str | None = option(
        None, "of the leaderboard: systems and the tracks they run in", kind=str, metavar="TSV", group="output"
    )
    attribute: bool = option(
        False, "show what each edit is worth by each metric: the score less without it", group="output"
    )
    names: tuple[str, ...] = names_option("output")
    strict: bool = strict_option("output")
    quiet: bool = quiet_option("no progress, no warnings, no word of what was written", "output")
    metrics: MetricOptions = part(MetricOptions)


def run(options: ReportOptions) -> None:
    with gc_paused():  # until the page is written and nothing of it is left to look through
        _write(options)


def _write(options: ReportOptions) -> None:
    formats = tuple(dict.fromkeys(options.formats))
    check_folder_of("--to", options.to)  # before the work, as all that follows
    options.gold.check_not_read(options.to)
    check_pages()
    check_drawable(formats if options.figures else ())
    size = options.size.paper_size
    _check_leaderboard(options)
    tracks = None if options.tracks is None else read_tracks(options.tracks)
    humans = options.humans.read(options.resampling.seed)
    selection = SystemSelection(
        gold=options.gold,
        metrics=options.metrics,
        score_files=options.score_files,
        names=options.names,
        strict=options.strict,
        subset=() if humans is None else humans.ids,
    )
    with explain_subsets(humans):
        data = evaluate_selection(
            selection,
            "report",
            options.resampling.resampling,
            title=options.title,
            attribute=options.attribute,
            tests=options.tests,
        )
    charts = {}
    if options.figures is not None or not options.leaderboard:
        charts = overview_charts(data, differences=options.figures is not None)
    if humans is not None:
        charts |= draw_human_data(humans, options.humans.reading, options.resampling, selection, data)
    page = (render_leaderboard(data, tracks) if options.leaderboard else render_page(data, charts)).encode()
    if options.figures is not None:
        drawn = {stem: for_paper(chart) for stem, chart in charts.items()}
        write_charts(drawn, options.figures, formats, size, report)
    write_bytes(options.to, page)
    if not options.quiet and options.to != "-":
        write_line(f"{options.to}: open it in a browser", prefix="")


def _check_leaderboard(options: ReportOptions) -> None:
    if options.tracks is not None and not options.leaderboard:
        raise OptionError("--tracks: expected --leaderboard too, got --tracks alone")
    if options.humans.human is not None and options.leaderboard:
        raise OptionError("--leaderboard: expected no --human, which the report shows, got both")


COMMAND = Command(
    run=run,
    options=ReportOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM..."),
    examples=(
        (
            "recte report sample/gold.m2 sample/systems/*.txt -o report.html",
            "scores, tests and sentences on one page",
        ),
        (
            "recte report sample/gold.m2 sample/systems/*.txt -m m2 gleu --figures charts --formats pdf",
            "and its charts as files",
        ),
    ),
    common=(
        *("-m", "-s", "-r", "-i", "--names", "--to", "--title", "--human", "--leaderboard"),
        *("--attribute", "--figures", "-q"),
    ),
)
