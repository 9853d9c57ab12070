"""`recte convert`: gold between the formats of tools and tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from recte.cli.arguments import AnnotationOptions, lenient_option, reading_option, references_option, source_option
from recte.cli.command import Command
from recte.cli.parser import Parser
from recte.corpus.corpus import Corpus, Sentence
from recte.edits.references import REFERENCE_RULES, ReferenceRule, references_from_edits
from recte.errors import OptionError
from recte.evaluation.inputs import GoldFiles
from recte.extraction.reference_edits import EDIT_RULES, EditRule, with_edits
from recte.files import check_targets, encoded_lines, read_once, write_together
from recte.formats.file_formats import FileFormat, text_format, written_formats
from recte.messages import warn
from recte.options import argument, option, part


@dataclass(frozen=True, kw_only=True)
class FormatTargets:
    """The file to write in each format that holds edits or references, or None: `--to-m2` and so on."""

    paths: Mapping[FileFormat, str | None] = field(default_factory=dict)

    @classmethod
    def add_flags(cls, parser: Parser) -> None:
        for format in written_formats():
            help = f"write {format.title}; - is standard output"
            parser.add_argument(f"--to-{format.name}", metavar="FILE", help=help)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        return cls(paths={format: values[f"to_{format.name}"] for format in written_formats()})


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    gold: str | None = argument(
        "an M2 file (- is standard input), the I-measure's .xml, ChERRANT's .para, a table, a task's .json",
        metavar="GOLD",
        values="?",
    )
    source: str | None = source_option()
    reference: tuple[str, ...] = references_option()
    targets: FormatTargets = part(FormatTargets)
    to_source: str | None = option(None, "write the sources, one per line, or essays (.md)", kind=str, metavar="FILE")
    to_references: tuple[str, ...] = option(
        (),
        "write references, a file for each annotator, one per line, or essays (.md)",
        kind=str,
        metavar="FILE",
    )
    reading: str | None = reading_option()
    reference_rule: ReferenceRule = option(
        "nus",
        "edits into references: nus skips edits of type Um and copies annotator 0 where an annotator has no line; "
        "seeda applies Um; gec-metrics applies Um and takes the source where there is no line (default nus)",
        choices=REFERENCE_RULES,
    )
    reference_edits: EditRule = option(
        "maxmatch",
        "references into edits: MaxMatch's lattice, a word diff, or ERRANT's typed edits (default maxmatch)",
        choices=EDIT_RULES,
    )
    annotation: AnnotationOptions = part(AnnotationOptions)
    treebank: bool = option(True, "with --to-xml, tokenise corrections as the Treebank is, as published")
    lenient: bool = lenient_option("drop edits that reach past their sentence")


def run(options: ConvertOptions) -> None:
    if (options.gold is None) == (options.source is None):
        raise OptionError("convert: expected either GOLD or -s SOURCE")
    if options.source is not None and not options.reference:
        raise OptionError("-s: expected references with -r, got none")
    gold = GoldFiles(
        gold=options.gold,
        source=options.source,
        references=options.reference,
        lenient=options.lenient,
        reading=options.reading,
    )
    read_once(gold.paths())
    written = options.targets.paths
    targets = [p for p in (*written.values(), options.to_source, *options.to_references) if p is not None]
    if not targets:
        flags = ", ".join(f"--to-{format.name}" for format in written)
        raise OptionError(f"convert: expected {flags}, --to-source or --to-references, got none")
    check_targets(targets, gold.paths())
    corpus = gold.corpus(s for s in gold.sentences() if s.scored)
    if gold.dropped:
        warn(f"{gold.name}: {gold.dropped} are not kept in the reading {gold.reading_used}")
    for one, path in written.items():
        if path and (lost := one.losses(corpus.sentences)):
            warn(f"{path}: {lost}, since {one.title} cannot hold them")
    lines: dict[str, Iterable[str]] = {}
    if any(path for one, path in written.items() if one.lines is not None):
        edited = with_edits(
            corpus.sentences,
            rule=options.reference_edits,
            annotator=options.annotation.tagger,
            language=options.annotation.language,
        )
        for one, path in written.items():
            if path and one.lines is not None:
                _warn_of_losses(path, one, (s.text for s in corpus))
                lines[path] = one.lines(_fitted(edited, one), options.treebank)
    for one, path in written.items():
        if path and one.reference_lines is not None:
            texts = list(_texts(corpus, gold, options.reference_rule))
            _warn_of_losses(path, one, (text for s, references in texts for text in (s.text, *references)))
            held = [(replace(s, text=one.held(s.text)), [*map(one.held, references)]) for s, references in texts]
            lines[path] = one.reference_lines(held)
    if options.to_source:
        sources = [s.text if gold.has_words else " ".join(s.tokens) for s in corpus]
        lines[options.to_source] = _text_lines(options.to_source, corpus, sources)
    if options.to_references:
        for path, column in zip(options.to_references, _columns(corpus, options), strict=True):
            lines[path] = _text_lines(path, corpus, column)
    together: dict[str | Path, Iterable[bytes]] = {path: encoded_lines(path, text) for path, text in lines.items()}
    write_together(together)


def _warn_of_losses(path: str, format: FileFormat, texts: Iterable[str]) -> None:
    """Line breaks and tabs inside texts that the format has no place for: one line for each file."""
    lost = [sign for sign in "\n\t" if sign not in format.keeps]
    count = sum(any(sign in text for sign in lost) for text in texts)
    if count:
        what = " and ".join({"\n": "line breaks", "\t": "tabs"}[sign] for sign in lost)
        into = "tabs" if "\t" in format.keeps else "blanks"
        texts_changed = f"{count} text{'' if count == 1 else 's'}"
        warn(f"{path}: {what} inside {texts_changed} become {into}, since {format.title} cannot hold them")


def _fitted(sentences: Iterable[Sentence], format: FileFormat) -> Iterator[Sentence]:
    """Sentences whose texts the format can hold; those of one line as they are."""
    return (replace(s, text=format.held(s.text)) if "\n" in s.text else s for s in sentences)


def _text_lines(path: str, corpus: Corpus, texts: Sequence[str]) -> Iterator[str]:
    format = text_format(path)
    assert format.text_lines is not None, "a format is chosen among those that can be written"
    _warn_of_losses(path, format, texts)
    return format.text_lines(zip(corpus, map(format.held, texts), strict=True))


def _texts(corpus: Corpus, gold: GoldFiles, rule: ReferenceRule) -> Iterator[tuple[Sentence, Sequence[str]]]:
    """Sentences and references as they stood; where a format has no words, without spaces between characters."""
    rows = zip(corpus, _references(corpus, rule), strict=True)
    if gold.has_words:
        yield from rows
        return
    for sentence, references in rows:
        yield (
            replace(sentence, text="".join(sentence.tokens), annotations=()),
            ["".join(text.split()) for text in references],
        )


def _references(corpus: Corpus, rule: ReferenceRule) -> Iterator[tuple[str, ...]]:
    annotators = corpus.annotators
    return (references_from_edits(s, annotators, rule=rule) if s.annotations else s.references for s in corpus)


def _columns(corpus: Corpus, options: ConvertOptions) -> list[tuple[str, ...]]:
    """Reference sets; a sentence with fewer references than others has its first again."""
    rows = list(_references(corpus, options.reference_rule))
    count = max(map(len, rows), default=0)
    if len(options.to_references) != count:
        names = corpus.annotators
        who = f" ({', '.join(names)})" if len(names) == count else ""
        raise OptionError(
            f"--to-references: expected {count} files, one for each annotator{who}, got {len(options.to_references)}"
        )
    return list(zip(*((*row, *row[:1] * (count - len(row))) for row in rows), strict=True))


COMMAND = Command(
    run=run,
    options=ConvertOptions,
    forms=("GOLD --to-FORMAT FILE", "-s SOURCE -r REF... --to-m2 FILE"),
    examples=(
        ("recte convert sample/gold.m2 --to-source src.txt --to-references r0.txt r1.txt", "edits into texts"),
        ("recte convert -s src.txt -r r0.txt r1.txt --to-m2 again.m2", "and back"),
    ),
    common=(
        *("-s", "-r", "--to-m2", "--to-xml", "--to-source", "--to-references", "--reference-rule"),
        "--reference-edits",
    ),
)
