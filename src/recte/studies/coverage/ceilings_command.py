"""`recte ceilings GOLD... -i SYSTEM...`: what people score against people, and systems."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import format_option, lenient_option, names_option, systems_option, width_option
from recte.cli.chart_files import ChartOptions, draw_charts
from recte.cli.command import Command
from recte.evaluation.inputs import system_names
from recte.files import read_once
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.terminal import print_tables
from recte.studies.coverage.charts import ceiling_charts
from recte.studies.coverage.human_ceilings import ceilings, joined
from recte.studies.coverage.tables import ceiling_tables


@dataclass(frozen=True, kw_only=True)
class CeilingOptions:
    gold: tuple[str, ...] = argument(
        "M2 files of the same sentences, two annotators or more in all", metavar="GOLD", values="+"
    )
    input: tuple[str, ...] = systems_option("systems to compare")
    beta: float = option(0.5, "weight of recall in F (default 0.5)", metavar="X")
    most_choices: int = option(300, "choices of references to take at most (default 300)", metavar="N")
    lenient: bool = lenient_option()
    names: tuple[str, ...] = names_option()
    width: int = width_option()
    format: str = format_option()
    charts: ChartOptions = part(ChartOptions)


def run(options: CeilingOptions) -> None:
    read_once([*options.gold, *options.input])
    gold = joined([read_m2(path, lenient=options.lenient) for path in options.gold])
    systems = [read_system(path, name=name) for name, path in system_names(options.input, options.names).items()]
    study = ceilings(gold, systems, beta=options.beta, most_choices=options.most_choices)
    draw_charts(options.charts, lambda: ceiling_charts(study))
    if options.format == "json":
        print(document(ceilings=study.to_dict()))
    else:
        print_tables(ceiling_tables(study, options.width), options.format)


COMMAND = Command(
    run=run,
    options=CeilingOptions,
    forms=("GOLD... [-i SYSTEM...]",),
    examples=(
        ("recte ceilings sample/gold.m2", "what people score against people"),
        ("recte ceilings sample/gold.m2 -i sample/systems/*.txt", "and systems too"),
    ),
)
