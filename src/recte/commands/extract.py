"""`recte extract SOURCE CORRECTED... --to FILE`: corrected texts into M2 with typed edits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from itertools import chain, islice
from typing import Any

from recte.cli.arguments import TO, AnnotationOptions, lenient_option, quiet_option
from recte.cli.command import Command
from recte.cli.input_warnings import print_findings
from recte.corpus.corpus import Corpus, Sentence
from recte.errors import OptionError
from recte.evaluation.plausibility.foreign_text import MOST_READ, foreign_lines
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.extraction.alignment import COSTS, MERGING, Costs, Merging
from recte.extraction.extract import choose_annotator
from recte.extraction.gold_edits import GOLD_EDITS, GoldEdits
from recte.extraction.language import EXTRACT_BEHAVIOURS, ExtractBehaviour, Language, RuleLanguage
from recte.extraction.languages import language_with
from recte.extraction.zh.choices import GRANULARITIES, TIES, Granularity, Ties
from recte.files import check_targets, display_name, read_once, write_lines
from recte.formats.m2 import edits_made_line, format_sentences, is_m2_file, iterate_m2
from recte.formats.para import is_para_file, iterate_para_rows
from recte.formats.parallel import parallel_chunks
from recte.gc_paused import gc_paused
from recte.options import argument, option, options_that_differ, part
from recte.output.terminal import ProgressDisplay, is_terminal, progress_bar

_STANDARD_OUTPUT = "-"
_SENTENCES_TOGETHER = 8_000


@dataclass(frozen=True, kw_only=True)
class ChineseOptions:
    """Options that Chinese alone has; None where they were not given."""

    granularity: Granularity | None = option(
        None, "align characters or words (default characters)", kind=str, choices=GRANULARITIES
    )
    words: str | None = option(
        None,
        "who cuts words: given (spaces; tags from --annotations), jieba (with tags), pkuseg, thulac or "
        "module:function (default given)",
        kind=str,
        metavar="NAME",
    )
    lists: str | None = option(
        None, "cilin.txt, confusion_dict.txt and char_meta.txt (default none)", kind=str, metavar="FOLDER"
    )
    simplify: bool | None = option(None, "put corrected texts into simplified characters (default yes)", kind=bool)
    ties: Ties | None = option(
        None, "of equally cheap alignments all, or the first (default all)", kind=str, choices=TIES
    )

    def changes(self) -> dict[str, Any]:
        """Those that were given, by their names."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) is not None}


@dataclass(frozen=True, kw_only=True)
class ExtractOptions:
    source: str = argument("source sentences, one per line, or an M2 file with edits", metavar="SOURCE")
    corrected: tuple[str, ...] = argument(
        "corrected sentences, one file for each annotator", metavar="CORRECTED", values="*"
    )
    to: str = option(_STANDARD_OUTPUT, "the file to write (default: print it)", flags=TO, metavar="M2")
    edits: GoldEdits = option(
        "auto",
        "of an M2 file: auto extracts edits from the corrected text; gold keeps their spans (default auto)",
        choices=GOLD_EDITS,
    )
    minimise: bool = option(True, "gold spans without the unchanged words at their ends")
    retype: bool = option(True, "determine the types of gold spans")
    annotation: AnnotationOptions = part(AnnotationOptions)
    alignment: Costs = option(COSTS[0], f"costs of aligning (default {COSTS[0]})", choices=COSTS)
    merging: Merging = option(
        MERGING[0],
        "words into edits: by the published rules, not at all (split), all that touch (merge), all of one kind "
        f"that touch (equal); default {MERGING[0]}",
        choices=MERGING,
    )
    behaviour: ExtractBehaviour = option(
        "careful",
        "careful: every source line has its block; official: as the published tool, without those of empty lines "
        "and without a line for a text that differs in white space alone (default careful)",
        choices=EXTRACT_BEHAVIOURS,
    )
    lenient: bool = lenient_option("drop edits that reach past their sentence")
    quiet: bool = quiet_option("no progress, no warnings")
    chinese: ChineseOptions = part(ChineseOptions, "Chinese (--language zh)")


def run(options: ExtractOptions) -> None:
    common = {f.name: getattr(options, f.name) for f in fields(RuleLanguage)}
    language_options = {
        **options_that_differ(RuleLanguage, common),
        **options.annotation.language_options,
        **options.chinese.changes(),
    }
    language = language_with(options.annotation.language, language_options)
    source, corrected = options.source, options.corrected
    is_whole = is_m2_file(source) or (language.reads_para and is_para_file(source))
    if is_whole and corrected:
        raise OptionError(
            f"extract: expected an M2 file alone (Chinese: or .para), or a source with texts, got {source}"
        )
    if not is_whole and not corrected:
        raise OptionError("extract: expected corrected texts behind the source, got none")
    if not is_whole and (options.edits == "gold" or not options.minimise or not options.retype):
        raise OptionError("--edits gold, --no-minimise, --no-retype: expected them with an M2 file, got plain texts")
    read_once([source, *corrected])
    check_targets([options.to], [source, *corrected])
    extraction = language.make_extraction(choose_annotator(options.annotation.tagger))
    parts = _read_parts(source, corrected, language, lenient=options.lenient)
    finds_edits = not (is_whole and options.edits == "gold" and not options.retype)
    if language.name == "en" and finds_edits:
        parts = _warn_of_other_languages(parts)
    says_manner = is_whole and common["behaviour"] != "official"
    is_printed = options.to == _STANDARD_OUTPUT and is_terminal(sys.stdout)  # a bar among the lines would hide some
    with nullcontext(ProgressDisplay()) if is_printed else progress_bar("sentences") as progress:
        lines = _iterate_lines(parts, extraction, display_name(source), progress, says_manner=says_manner)
        write_lines(options.to, lines)


def _read_parts(
    source: str, corrected: Sequence[str], language: Language, *, lenient: bool
) -> Iterator[Sequence[Sentence]]:
    """Sentences with references or edits, from an M2 file, a .para file or plain texts, some at a time."""
    sentences: Iterator[Sentence]
    if language.reads_para and is_para_file(source):
        sentences = (Sentence(text, references=tuple(texts)) for _, text, *texts in iterate_para_rows(source))
    elif is_m2_file(source):
        sentences = iterate_m2(source, lenient=lenient)
    else:
        yield from parallel_chunks(source, corrected, _SENTENCES_TOGETHER)
        return
    while part_of_all := tuple(islice(sentences, _SENTENCES_TOGETHER)):
        yield part_of_all


def _warn_of_other_languages(parts: Iterator[Sequence[Sentence]]) -> Iterator[Sequence[Sentence]]:
    """The same parts, with a warning where the first sentences are not English."""
    first = next(parts, ())
    check = PlausibilityCheck()
    check.reads_english = True
    check.add([foreign_lines([sentence.text for sentence in first[:MOST_READ]], 0)])
    print_findings(check.findings())
    return chain([first] if first else [], parts)


def _iterate_lines(
    parts: Iterator[Sequence[Sentence]],
    extraction: Callable[[Corpus], Corpus],
    name: str,
    progress: Callable[[int], None],
    *,
    says_manner: bool,
) -> Iterator[str]:
    """The lines of the M2 file, part by part of the sentences; the first says how edits of a gold were made."""
    first = 0
    for part_of_all in parts:
        with gc_paused():
            corpus = extraction(Corpus(part_of_all, name=name, first=first))
            lines = list(format_sentences(corpus.sentences))
        if says_manner and first == 0:
            yield edits_made_line(corpus)
        yield from lines
        first += len(part_of_all)
        progress(len(part_of_all))


COMMAND = Command(
    run=run,
    options=ExtractOptions,
    forms=("SOURCE CORRECTED...", "GOLD.m2 --edits gold", "GOLD.para --language zh"),
    examples=(
        ("recte extract sample/gold.m2 --edits gold --to typed.m2", "give gold edits ERRANT's types"),
        ("recte extract sample/chinese/gold.para --language zh", "Chinese edits, as ChERRANT finds them"),
    ),
    common=(
        *("--to", "--edits", "--retype", "--annotator", "--annotations", "--language", "--merging"),
        *("--behaviour", "--words"),
    ),
)
