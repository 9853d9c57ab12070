"""`recte conservatism GOLD SYSTEM...`: how much systems and annotators change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Self

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
from recte.errors import OptionError
from recte.evaluation.inputs import GoldFiles, system_names
from recte.files import display_name, is_read_once, read_lines, read_once, stem
from recte.formats.m2 import is_m2_file, iterate_m2
from recte.formats.parallel import side_by_side
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.terminal import print_tables
from recte.studies.conservatism.change_profiles import AT_ONCE, ConservatismPart, conservatism_of_parts
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
    systems = system_names(paths, options.names)
    parts = _read_parts(gold, systems, options)
    first = next(parts, None)
    if first is not None and not first.systems and not first.annotators:
        raise OptionError("conservatism: expected systems or annotators, got neither")
    names = [annotator.name for annotator in first.annotators] if first is not None else []
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"annotators: expected different names, got {repeated!r} twice")
    study = conservatism_of_parts(chain([] if first is None else [first], parts), rule=options.rule)
    draw_charts(options.charts, lambda: conservatism_charts(study))
    if options.format == "json":
        print(document(conservatism=study.to_dict()))
    else:
        print_tables(conservatism_tables(study, options.width), options.format)


def _gold_and_systems(options: ConservatismOptions) -> tuple[GoldFiles, list[str]]:
    """Sources may come alone: systems can be described without people to compare with."""
    files = [*options.files, *options.input]
    if options.source is not None:
        return GoldFiles(source=options.source, references=options.reference), files
    if options.reference or not files:
        raise OptionError("conservatism: expected a gold file first, or sources with -s")
    return GoldFiles(gold=files[0], lenient=options.lenient), files[1:]


def _read_parts(
    gold: GoldFiles, systems: Mapping[str, str], options: ConservatismOptions
) -> Iterator[ConservatismPart]:
    """The files side by side, some sentences at a time; all at once where one can be read only once."""
    files = [*gold.paths(), *systems.values(), *options.annotators]
    size = None if any(map(is_read_once, files)) else AT_ONCE
    gold = gold.of_whole()
    more = [_MoreAnnotators.of(path, options.lenient) for path in options.annotators]
    columns = [
        *((display_name(path), read_lines(path)) for path in systems.values()),
        *((display_name(file.path), file.items) for file in more),
    ]
    rows = side_by_side(gold.sentences(), gold.name, columns)
    while chunk := list(islice(rows, size)):
        corpus = Corpus(tuple(sentence for sentence, _ in chunk), everyone=gold.annotators)
        texts_of_files = list(zip(*(items for _, items in chunk), strict=True))
        outputs = [System(name, texts) for name, texts in zip(systems, texts_of_files, strict=False)]
        annotators = annotators_of(corpus) if corpus.annotators else []
        for file, items in zip(more, texts_of_files[len(systems) :], strict=True):
            annotators += file.annotators_of(items)
        yield ConservatismPart([" ".join(sentence.tokens) for sentence in corpus], outputs, annotators)


@dataclass(frozen=True)
class _MoreAnnotators:
    """The annotators of one more file, called after it (and by their number where it holds several)."""

    path: str
    items: Iterator[Any]  # texts, or sentences of an M2 file
    everyone: tuple[str, ...]
    is_m2: bool

    @classmethod
    def of(cls, path: str, lenient: bool) -> Self:
        if not is_m2_file(path):
            return cls(path, read_lines(path), (), False)
        return cls(path, iterate_m2(path, lenient=lenient), GoldFiles(gold=path).of_whole().annotators, True)

    def annotators_of(self, items: Sequence[Any]) -> list[System]:
        if not self.is_m2:
            return [System(stem(self.path), items)]
        listed = annotators_of(Corpus(tuple(items), everyone=self.everyone))
        names = [stem(self.path)] if len(listed) == 1 else [f"{stem(self.path)}:{system.name}" for system in listed]
        return [System(name, system.outputs) for name, system in zip(names, listed, strict=True)]


COMMAND = Command(
    run=run,
    options=ConservatismOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE [-r REF...] -i SYSTEM..."),
    examples=(
        (
            "recte conservatism sample/gold.m2 sample/systems/*.txt",
            "how much each changes, compared with the annotators",
        ),
        ("recte conservatism sample/gold.m2 sample/systems/*.txt --charts charts", "and as pictures"),
    ),
)
