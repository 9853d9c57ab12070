"""`recte figures GOLD SYSTEM... --to FOLDER`: the charts of a report as files, for a paper."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import TO, GoldOptions, names_option, quiet_option, strict_option
from recte.cli.chart_files import ChartSizeOptions, chart_formats_option
from recte.cli.command import Command
from recte.cli.counted_systems import ResamplingOptions, SystemSelection
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.cli.paired_tests import TestOptions
from recte.commands.evaluated_systems import ShownHumanOptions, draw_human_data, evaluate_selection
from recte.errors import check_choice
from recte.messages import report
from recte.options import option, part
from recte.output.charts.overview import overview_charts
from recte.output.charts.theme import for_paper
from recte.output.charts.writing import check_drawable, write_charts
from recte.studies.human.arguments import explain_subsets
from recte.text.printable_text import visible


@dataclass(frozen=True, kw_only=True)
class FigureOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    resampling: ResamplingOptions = part(ResamplingOptions, "intervals")
    tests: TestOptions = part(TestOptions, "tests")
    humans: ShownHumanOptions = part(ShownHumanOptions, "humans")
    to: str = option("figures", "where to write them (default figures)", flags=TO, metavar="FOLDER", group="output")
    only: tuple[str, ...] = option((), "these charts alone, by name", kind=str, metavar="CHART", group="output")
    formats: tuple[str, ...] = chart_formats_option(group="output")
    size: ChartSizeOptions = part(ChartSizeOptions, "output")
    names: tuple[str, ...] = names_option("output")
    strict: bool = strict_option("output")
    quiet: bool = quiet_option("no progress, no warnings, no list of what was written", "output")
    metrics: MetricOptions = part(MetricOptions)


def run(options: FigureOptions) -> None:
    formats = tuple(dict.fromkeys(options.formats))
    check_drawable(formats)  # before the work
    size = options.size.paper_size
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
        data = evaluate_selection(selection, "figures", options.resampling.resampling, tests=options.tests)
    charts = overview_charts(data)
    if humans is not None:
        charts |= draw_human_data(humans, options.humans.reading, options.resampling, selection, data)
    for name in options.only:
        check_choice("--only", name, list(charts))
    drawn = {stem: for_paper(chart) for stem, chart in charts.items() if not options.only or stem in options.only}
    for path in write_charts(drawn, options.to, formats, size, report):
        if not options.quiet:
            print(visible(str(path)))


COMMAND = Command(
    run=run,
    options=FigureOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM..."),
    examples=(
        ("recte figures sample/gold.m2 sample/systems/*.txt --to charts", "every chart as SVG"),
        (
            "recte figures sample/gold.m2 sample/systems/*.txt --formats pdf --chart-width 240pt --font-size 8 "
            "--no-title",
            "for a column",
        ),
    ),
    common=(
        *("-m", "-s", "-r", "-i", "--names", "--human", "--to", "--formats", "--chart-width", "--font-size"),
        *("--no-title", "-q"),
    ),
)
