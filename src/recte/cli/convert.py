"""`recte convert`: gold between the formats of tools and tasks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from recte.alignment.references import REFERENCE_RULES, ReferenceRule, references_from_edits
from recte.cli.arguments import add_reading
from recte.cli.extract import add_annotation, annotator_of
from recte.corpus import Corpus, Sentence
from recte.errors import OptionError
from recte.extraction.reference_edits import EDIT_RULES, with_edits
from recte.formats.file_formats import FileFormat, text_format, written_formats
from recte.formats.files import check_targets, encoded_lines, read_once, write_together
from recte.inputs import GoldFiles
from recte.visible_text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "gold",
        nargs="?",
        metavar="GOLD",
        help="an M2 file (- is standard input), the I-measure's .xml, ChERRANT's .para, a table, a task's .json",
    )
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one per line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    for one in written_formats():
        parser.add_argument(f"--to-{one.name}", metavar="FILE", help=f"write {one.title}; - is standard output")
    parser.add_argument("--to-source", metavar="FILE", help="write the sources, one per line, or essays (.md)")
    parser.add_argument(
        "--to-references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="write references, a file for each annotator, one per line, or essays (.md)",
    )
    add_reading(parser)
    parser.add_argument(
        "--reference-rule",
        choices=REFERENCE_RULES,
        default="nus",
        help="edits into references: nus skips edits of type Um and copies annotator 0 where an annotator has no line; "
        "seeda applies Um; gec-metrics applies Um and takes the source where there is no line (default nus)",
    )
    parser.add_argument(
        "--reference-edits",
        choices=EDIT_RULES,
        default="maxmatch",
        help="references into edits: MaxMatch's lattice, a word diff, or ERRANT's typed edits (default maxmatch)",
    )
    add_annotation(parser)
    parser.add_argument(
        "--treebank",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="with --to-xml, tokenise corrections as the Treebank is, as published",
    )
    parser.add_argument("--lenient", action="store_true", help="drop edits that reach past their sentence")


def run(arguments: argparse.Namespace) -> None:
    if (arguments.gold is None) == (arguments.source is None):
        raise OptionError("convert: expected either GOLD or -s SOURCE")
    if arguments.source is not None and not arguments.reference:
        raise OptionError("-s: expected references with -r, got none")
    gold = GoldFiles(
        gold=arguments.gold,
        source=arguments.source,
        references=tuple(arguments.reference),
        lenient=arguments.lenient,
        reading=arguments.reading,
    )
    read_once(gold.paths())
    written = {one: getattr(arguments, f"to_{one.name}") for one in written_formats()}
    targets = [p for p in (*written.values(), arguments.to_source, *arguments.to_references) if p is not None]
    if not targets:
        flags = ", ".join(f"--to-{one.name}" for one in written)
        raise OptionError(f"convert: expected {flags}, --to-source or --to-references, got none")
    check_targets(targets, gold.paths())
    corpus = gold.corpus(s for s in gold.sentences() if s.scored)
    if gold.dropped:
        _tell(f"{gold.name}: {gold.dropped} are not kept in the reading {gold.reading_used}")
    for one, path in written.items():
        if path and (lost := one.losses(corpus.sentences)):
            _tell(f"{path}: {lost}, since {one.title} cannot hold them")
    lines: dict[str, Iterable[str]] = {}
    if any(path for one, path in written.items() if one.lines is not None):
        edited = with_edits(
            corpus.sentences,
            rule=arguments.reference_edits,
            annotator=annotator_of(arguments),
            language=arguments.language,
        )
        for one, path in written.items():
            if path and one.lines is not None:
                _tell_losses(path, one, (s.text for s in corpus))
                lines[path] = one.lines(_fitted(edited, one), arguments.treebank)
    for one, path in written.items():
        if path and one.reference_lines is not None:
            texts = list(_texts(corpus, gold, arguments.reference_rule))
            _tell_losses(path, one, (text for s, references in texts for text in (s.text, *references)))
            held = [(replace(s, text=one.held(s.text)), [*map(one.held, references)]) for s, references in texts]
            lines[path] = one.reference_lines(held)
    if arguments.to_source:
        sources = [s.text if gold.has_words else " ".join(s.tokens) for s in corpus]
        lines[arguments.to_source] = _text_lines(arguments.to_source, corpus, sources)
    if arguments.to_references:
        for path, column in zip(arguments.to_references, _columns(corpus, arguments), strict=True):
            lines[path] = _text_lines(path, corpus, column)
    together: dict[str | Path, Iterable[bytes]] = {path: encoded_lines(path, text) for path, text in lines.items()}
    write_together(together)


def _tell(line: str) -> None:
    print(f"recte: warning: {visible(line)}", file=sys.stderr)


def _tell_losses(path: str, format: FileFormat, texts: Iterable[str]) -> None:
    """Line breaks and tabs inside texts that the format has no place for: one line for each file."""
    lost = [sign for sign in "\n\t" if sign not in format.keeps]
    count = sum(any(sign in text for sign in lost) for text in texts)
    if count:
        what = " and ".join({"\n": "line breaks", "\t": "tabs"}[sign] for sign in lost)
        into = "tabs" if "\t" in format.keeps else "blanks"
        texts_changed = f"{count} text{'' if count == 1 else 's'}"
        _tell(f"{path}: {what} inside {texts_changed} become {into}, since {format.title} cannot hold them")


def _fitted(sentences: Iterable[Sentence], format: FileFormat) -> Iterator[Sentence]:
    """Sentences whose texts the format can hold; those of one line as they are."""
    return (replace(s, text=format.held(s.text)) if "\n" in s.text else s for s in sentences)


def _text_lines(path: str, corpus: Corpus, texts: Sequence[str]) -> Iterator[str]:
    format = text_format(path)
    assert format.text_lines is not None, "a format is chosen among those that can be written"
    _tell_losses(path, format, texts)
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


def _columns(corpus: Corpus, arguments: argparse.Namespace) -> list[tuple[str, ...]]:
    """Reference sets; a sentence with fewer references than others has its first again."""
    rows = list(_references(corpus, arguments.reference_rule))
    count = max(map(len, rows), default=0)
    if len(arguments.to_references) != count:
        names = corpus.annotators
        who = f" ({', '.join(names)})" if len(names) == count else ""
        raise OptionError(
            f"--to-references: expected {count} files, one for each annotator{who}, got {len(arguments.to_references)}"
        )
    return list(zip(*((*row, *row[:1] * (count - len(row))) for row in rows), strict=True))
