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
from recte.evaluation.counting import CHUNK
from recte.evaluation.inputs import GoldFiles
from recte.extraction.reference_edits import EDIT_RULES, EditRule, with_edits
from recte.files import check_targets, encode_lines, is_read_once, read_once, write_together
from recte.formats.file_formats import FileFormat, gold_formats, gold_formats_to_write, no_losses, text_format
from recte.messages import warn
from recte.options import argument, option, part


@dataclass(frozen=True, kw_only=True)
class FormatTargets:
    """The file to write in each format that holds edits or references, or None: `--to-m2` and so on."""

    paths: Mapping[FileFormat, str | None] = field(default_factory=dict)

    @classmethod
    def add_flags(cls, parser: Parser) -> None:
        for format in gold_formats_to_write():
            help = f"write {format.title}; - is standard output"
            parser.add_argument(f"--to-{format.name}", metavar="FILE", help=help)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        return cls(paths={format: values[f"to_{format.name}"] for format in gold_formats_to_write()})


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    gold: str | None = argument(
        f"{', '.join(format.title for format in gold_formats())}; - is standard input",
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
    conversion = _Conversion(gold, options)
    if gold.dropped:
        warn(f"{gold.name}: {gold.dropped} are not kept in the reading {gold.reading_used}")
    for file_format, path in written.items():
        if path and file_format.losses is not no_losses and (lost := file_format.losses(conversion.sentences())):
            warn(f"{path}: {lost}, since {file_format.title} cannot hold them")
    lines: dict[str, Iterable[str]] = {}
    for file_format, path in written.items():
        if path:
            lines[path] = conversion.lines_of_gold(path, file_format)
    if options.to_source:
        lines[options.to_source] = conversion.lines_of_sources(options.to_source)
    if options.to_references:
        conversion.check_reference_files()
    for number, path in enumerate(options.to_references):
        lines[path] = conversion.lines_of_references(path, number)
    together: dict[str | Path, Iterable[bytes]] = {path: encode_lines(path, text) for path, text in lines.items()}
    write_together(together)
    conversion.warn_of_changed_texts()


class _Conversion:
    """The gold, read again for each file that is written, so that no more than a part of it is in memory; what can be
    read only once is kept.
    """

    def __init__(self, gold: GoldFiles, options: ConvertOptions) -> None:
        self.gold = gold
        self.options = options
        self._kept = list(self._read()) if any(map(is_read_once, gold.paths())) else None
        self._changed: dict[str, _ChangedTexts] = {}

    def _read(self) -> Iterator[Corpus]:
        return (corpus for corpus, _ in self.gold.chunks({}, CHUNK))

    def corpora(self) -> Iterator[Corpus]:
        """Parts of the gold; each knows the annotators of all."""
        return self._read() if self._kept is None else iter(self._kept)

    def sentences(self) -> Iterator[Sentence]:
        return (sentence for corpus in self.corpora() for sentence in corpus)

    def lines_of_gold(self, path: str, format: FileFormat) -> Iterator[str]:
        """Lines of a file of sources with their edits or references."""
        counting = self._changed[path] = _ChangedTexts(format)
        if format.lines is not None:
            return format.lines(map(counting.change_sentence, self._sentences_with_edits()), self.options.treebank)
        assert format.reference_lines is not None, "a format is chosen among those that can be written"
        return format.reference_lines(_HeldTexts(self, counting))

    def _sentences_with_edits(self) -> Iterator[Sentence]:
        for corpus in self.corpora():
            yield from with_edits(
                corpus.sentences,
                rule=self.options.reference_edits,
                annotator=self.options.annotation.tagger,
                language=self.options.annotation.language,
            )

    def lines_of_sources(self, path: str) -> Iterator[str]:
        has_words = self.gold.has_words
        return self._text_lines(path, ((s, s.text if has_words else " ".join(s.tokens)) for s in self.sentences()))

    def lines_of_references(self, path: str, number: int) -> Iterator[str]:
        """A reference set; a sentence with fewer references has its first again."""
        return self._text_lines(
            path,
            (
                (sentence, references[number] if number < len(references) else references[0])
                for corpus in self.corpora()
                for sentence, references in zip(corpus, _references(corpus, self.options.reference_rule), strict=True)
            ),
        )

    def _text_lines(self, path: str, texts: Iterable[tuple[Sentence, str]]) -> Iterator[str]:
        format = text_format(path)
        assert format.text_lines is not None, "a format is chosen among those that can be written"
        counting = self._changed[path] = _ChangedTexts(format)
        return format.text_lines((sentence, counting.change_text(text)) for sentence, text in texts)

    def check_reference_files(self) -> None:
        """Refuse another number of files than there are reference sets."""
        files = len(self.options.to_references)
        count, names = 0, tuple[str, ...]()
        for corpus in self.corpora():
            lengths = map(len, _references(corpus, self.options.reference_rule))
            count, names = max(count, max(lengths, default=0)), corpus.annotators
        if files != count:
            who = f" ({', '.join(names)})" if len(names) == count else ""
            raise OptionError(f"--to-references: expected {count} files, one for each annotator{who}, got {files}")

    def warn_of_changed_texts(self) -> None:
        """One line for each file whose format has no place for the line breaks and tabs inside texts."""
        for path, counting in self._changed.items():
            counting.warn(path)


@dataclass(frozen=True)
class _HeldTexts:
    """Sentences and references as a format holds them, read again by each loop over them."""

    conversion: _Conversion
    counting: _ChangedTexts

    def __iter__(self) -> Iterator[tuple[Sentence, Sequence[str]]]:
        held, gold = self.counting.change_text, self.conversion.gold
        self.counting.begin()
        for corpus in self.conversion.corpora():
            for sentence, references in _texts(corpus, gold, self.conversion.options.reference_rule):
                yield replace(sentence, text=held(sentence.text)), [*map(held, references)]


class _ChangedTexts:
    """Texts as a format holds them, and how many of them lose line breaks or tabs inside."""

    def __init__(self, format: FileFormat) -> None:
        self._format = format
        self._lost = [sign for sign in "\n\t" if sign not in format.keeps]
        self._count = 0

    def begin(self) -> None:
        """Count from 0 again, since all texts come again."""
        self._count = 0

    def change_text(self, text: str) -> str:
        self._count += any(sign in text for sign in self._lost)
        return self._format.writable_text(text)

    def change_sentence(self, sentence: Sentence) -> Sentence:
        """The sentence with a text that the format holds; one of one line as it is."""
        text = self.change_text(sentence.text)
        return replace(sentence, text=text) if "\n" in sentence.text else sentence

    def warn(self, path: str) -> None:
        if not self._count:
            return
        what = " and ".join({"\n": "line breaks", "\t": "tabs"}[sign] for sign in self._lost)
        into = "tabs" if "\t" in self._format.keeps else "blanks"
        texts_changed = f"{self._count} text{'' if self._count == 1 else 's'}"
        warn(f"{path}: {what} inside {texts_changed} become {into}, since {self._format.title} cannot hold them")


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
