"""`recte extract --language zh`: Chinese texts into the M2 that ChERRANT writes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice

from recte.errors import InputError, OptionError
from recte.extraction.chinese import ChineseExtractor, chinese_sentences
from recte.extraction.chinese_blocks import NO_ERROR, alternatives_of, target_text
from recte.extraction.chinese_choices import Granularity
from recte.extraction.chinese_lists import NO_LISTS, read_lists
from recte.extraction.chinese_words import words_named
from recte.formats.files import display_name, write_lines
from recte.formats.m2 import is_m2_file, iterate_m2
from recte.formats.para import is_para_file, iterate_para_rows
from recte.formats.parallel import iterate_parallel

__all__ = ["run_chinese"]

_CHUNK = 10_000
# What ERRANT's extraction alone has, and how it stands where it was not given.
_ENGLISH = {
    "alignment": "linguistic",
    "merging": "rules",
    "edits": "auto",
    "annotator": "builtin",
    "behaviour": "careful",
}
_Row = tuple[str, Sequence[str]]  # a source and its targets


def run_chinese(arguments: argparse.Namespace) -> None:
    for name, default in _ENGLISH.items():
        if getattr(arguments, name) != default:
            raise OptionError(f"--{name}: expected it without --language zh, got {getattr(arguments, name)!r}")
    extractor = _extractor(arguments)
    write_lines(arguments.to, _lines(_rows(arguments), extractor))


def _extractor(arguments: argparse.Namespace) -> ChineseExtractor:
    granularity: Granularity = arguments.granularity or "characters"
    words = None
    if granularity == "words":
        tagger = "none" if arguments.annotations is None else f"given:{arguments.annotations}"
        words = words_named(arguments.words or "given", tagger)
    elif arguments.words is not None or arguments.annotations is not None:
        raise OptionError("words, annotations: expected them with --granularity words alone")
    lists = read_lists(arguments.lists) if arguments.lists else NO_LISTS
    return ChineseExtractor(granularity, lists, words, arguments.simplify is not False, arguments.ties or "all")


def _rows(arguments: argparse.Namespace) -> Iterator[_Row]:
    """Sources and targets of a .para file, an M2 file, or plain texts."""
    source = arguments.source
    name = display_name(source)
    rows: Iterator[_Row]
    if is_para_file(source):
        rows = ((source, texts) for _, source, *texts in iterate_para_rows(source))
    elif is_m2_file(source):
        rows = (
            (" ".join(s.tokens), [target_text(s.tokens, target) for target in alternatives_of(s).values()])
            for s in iterate_m2(source, lenient=arguments.lenient)
        )
    else:
        rows = ((s.text, s.references) for s in iterate_parallel(source, arguments.corrected))
    for number, (text, targets) in enumerate(rows, 1):
        if any(not target.strip() for target in targets):
            what = f"expected a corrected text or {NO_ERROR} for each source, got an empty one"
            raise InputError(f"{what} for sentence {number}, {text[:40]!r}", name)
        yield text, targets


def _lines(rows: Iterator[_Row], extractor: ChineseExtractor) -> Iterator[str]:
    while chunk := list(islice(rows, _CHUNK)):
        for sentence in chinese_sentences([row[0] for row in chunk], [row[1] for row in chunk], extractor):
            yield from sentence.lines
