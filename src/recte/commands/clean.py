"""`recte clean SOURCE OUTPUT --to FILE`: outputs without what models leave in a file besides the sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recte.cli.arguments import TO, ColumnOptions, format_option, quiet_option
from recte.cli.command import Command
from recte.corpus.sentence import Sentence
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, OptionError
from recte.evaluation.cleaning import CleanedOutputs, clean
from recte.evaluation.inputs import outputs_in, read_gold
from recte.files import check_targets, display_name, encode_lines, read_lines, read_once, write_together
from recte.formats.file_formats import looks_like_gold, output_format, text_format
from recte.formats.output_tables import USUAL_COLUMNS, TableColumns
from recte.messages import report, warn
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables

_LONGEST = 60  # letters of an example in a table


@dataclass(frozen=True, kw_only=True)
class CleanOptions:
    source: str = argument("the sources, one sentence a line, or a gold file", metavar="SOURCE")
    outputs: str = argument("a system's file: its lines may be more or fewer than sentences", metavar="OUTPUT")
    to: str | None = option(
        None, "where to write the outputs, one for each sentence", kind=str, flags=TO, metavar="FILE", excludes="target"
    )
    dry_run: bool = option(False, "write nothing: show what would be changed", excludes="target")
    columns: ColumnOptions = part(ColumnOptions)
    format: str = format_option()
    quiet: bool = quiet_option("no progress, no warnings")


def run(options: CleanOptions) -> None:
    if options.to is None and not options.dry_run:
        raise OptionError("clean: expected --to FILE or --dry-run, got neither")
    read_once([options.source, options.outputs])
    sources = _read_sources(options.source)
    cleaned = clean(sources, _read_outputs(options.outputs, sources, options.columns.names))
    if options.to is not None:
        check_targets([options.to], [options.source, options.outputs])
        written = text_format(options.to)
        assert written.text_lines is not None, "a format is chosen among those that can be written"
        rows = zip(map(Sentence, sources), map(written.writable_text, cleaned.outputs), strict=True)
        write_together({options.to: encode_lines(options.to, written.text_lines(rows))})
        report(f"{options.to}: {len(cleaned.outputs):,} outputs")
    if options.format == "json":
        print(document(sentences=len(sources), changes=[cleaning.to_dict() for cleaning in cleaned.cleanings]))
    else:
        print_tables([_table(options.outputs, cleaned)], options.format)
    for doubt in cleaned.doubts:
        warn(f"{display_name(options.outputs)}: {doubt}")


def _read_sources(path: str) -> TextColumn:
    """The sentences of a gold file, or the lines of a text."""
    if looks_like_gold(path):
        return TextColumn.collect(" ".join(sentence.tokens) for sentence in read_gold(path))
    sources = TextColumn.collect(read_lines(path))
    if not len(sources):
        raise InputError("expected at least one sentence, got an empty file", display_name(path), 1)
    return sources


def _read_outputs(path: str, sources: TextColumn, columns: TableColumns) -> TextColumn:
    has_texts = columns != USUAL_COLUMNS or output_format(path).read_outputs is not None
    sentences = (Sentence(source, id=str(number)) for number, source in enumerate(sources, 1))
    with_edits = InputError("expected a file with texts, got one with edits, which recte clean leaves alone", path)
    if not has_texts:
        raise with_edits

    def texts() -> Iterator[str]:
        for output in outputs_in(path, sentences, columns):
            if output.edits is not None or output.made_from is not None:
                raise with_edits
            yield output.text

    return TextColumn.collect(texts())


def _table(path: str, cleaned: CleanedOutputs) -> Table:
    """What was changed, how often, and an example of each."""
    rows = [
        (
            cleaning.kind if cleaning.undone else f"{cleaning.kind} (not undone)",
            f"{len(cleaning.lines):,}",
            str(cleaning.lines[0]),
            cleaning.title,
            *_example(cleaning.before, cleaning.after),
        )
        for cleaning in cleaned.cleanings
    ]
    return Table(
        f"What is changed in {display_name(path)}",
        ("kind", "lines", "first", "what", "before", "after"),
        tuple(rows),
        notes=() if rows else ("nothing: no line shows a kind of untidiness",),
        words=3,
    )


def _example(before: str, after: str) -> Sequence[str]:
    """Both texts around the first place where they differ."""
    first = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    begin = max(first - _LONGEST // 3, 0)
    return [_cut(text, begin) for text in (before, after)]


def _cut(text: str, begin: int) -> str:
    shown = ("..." if begin else "") + text[begin : begin + _LONGEST]
    return shown + "..." if len(text) > begin + _LONGEST else shown


COMMAND = Command(
    run=run,
    options=CleanOptions,
    forms=("SOURCE OUTPUT --to FILE", "SOURCE OUTPUT --dry-run"),
    examples=(
        ("recte clean sample/gold.m2 sample/systems/wren.txt --dry-run", "show what would be changed"),
        ("recte clean sample/gold.m2 sample/systems/wren.txt --to wren.clean.txt", "write tidy outputs"),
    ),
)
