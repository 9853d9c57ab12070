"""`recte conservatism GOLD SYSTEM...`: how much systems and annotators change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recte.cli.arguments import (
    format_option,
    lenient_option,
    names_option,
    references_option,
    source_option,
    systems_option,
    width_option,
)
from recte.cli.chart_files import ChartOptions, draw_charts
from recte.cli.command import Command
from recte.corpus.corpus import Corpus, System
from recte.edits.references import annotators_of
from recte.errors import InputError, OptionError
from recte.evaluation.inputs import GoldFiles, system_names
from recte.files import read_once, stem
from recte.formats.m2 import is_m2_file, read_m2
from recte.formats.parallel import read_system
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.terminal import print_tables
from recte.studies.conservatism.change_profiles import conservatism_of
from recte.studies.conservatism.changes import CHANGE_RULES, RuleName
from recte.studies.conservatism.charts import conservatism_charts
from recte.studies.conservatism.tables import conservatism_tables


@dataclass(frozen=True, kw_only=True)
class ConservatismOptions:
    files: tuple[str, ...] = argument("GOLD SYSTEM...; with -s the systems alone", metavar="FILE", values="*")
    input: tuple[str, ...] = systems_option()
    source: str | None = source_option()
    reference: tuple[str, ...] = references_option()
    annotators: tuple[str, ...] = option(
        (), "more annotators: M2 files or rewritten references", kind=str, metavar="FILE"
    )
    rule: RuleName = option(
        "default",
        "what a word and a change is: default, paper (non-alphanumerics removed inside tokens), official (the "
        "authors' program)",
        choices=CHANGE_RULES,
    )
    lenient: bool = lenient_option()
    names: tuple[str, ...] = names_option()
    width: int = width_option()
    format: str = format_option()
    charts: ChartOptions = part(ChartOptions)


def run(options: ConservatismOptions) -> None:
    gold, paths = _gold_and_systems(options)
    read_once([*gold.paths(), *paths, *options.annotators])
    corpus = Corpus(tuple(gold.sentences()))
    systems = [read_system(path, name=name) for name, path in system_names(paths, options.names).items()]
    annotators = [*(annotators_of(corpus) if corpus.annotators else [])]
    for path in options.annotators:
        annotators += _annotators(path, corpus, options.lenient)
    if not systems and not annotators:
        raise OptionError("conservatism: expected systems or annotators, got neither")
    repeated = next((a.name for a in annotators if sum(a.name == b.name for b in annotators) > 1), None)
    if repeated is not None:
        raise OptionError(f"annotators: expected different names, got {repeated!r} twice")
    sources = [" ".join(sentence.tokens) for sentence in corpus]
    study = conservatism_of(sources, systems, annotators, rule=options.rule)
    draw_charts(options.charts, lambda: conservatism_charts(study))
    if options.format == "json":
        print(document(conservatism=study.to_dict()))
    else:
        print_tables(conservatism_tables(study, options.width), options.format)


def _gold_and_systems(options: ConservatismOptions) -> tuple[GoldFiles, list[str]]:
    """Sources may come alone: systems can be looked at with nobody beside them."""
    files = [*options.files, *options.input]
    if options.source is not None:
        return GoldFiles(source=options.source, references=options.reference), files
    if options.reference or not files:
        raise OptionError("conservatism: expected a gold file first, or sources with -s")
    return GoldFiles(gold=files[0], lenient=options.lenient), files[1:]


def _annotators(path: str | Path, corpus: Corpus, lenient: bool) -> list[System]:
    """The annotators of one more file, called after it (and by their number where it holds several)."""
    if not is_m2_file(path):
        return [read_system(path)]
    more = read_m2(path, lenient=lenient)
    if len(more) != len(corpus):
        raise InputError(f"expected {len(corpus)} sentences as in the gold, got {len(more)}", str(path))
    found = annotators_of(more)
    names = [stem(path)] if len(found) == 1 else [f"{stem(path)}:{system.name}" for system in found]
    return [System(name, system.outputs) for name, system in zip(names, found, strict=True)]


COMMAND = Command(
    run=run,
    options=ConservatismOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE [-r REF...] -i SYSTEM..."),
    examples=(
        (
            "recte conservatism sample/gold.m2 sample/systems/*.txt",
            "how much each changes, beside the annotators",
        ),
        ("recte conservatism sample/gold.m2 sample/systems/*.txt --charts charts", "and as pictures"),
    ),
)
