"""All checks of input together, part by part, and what is worth a warning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from recte.corpus.corpus import CLEANED, Corpus, System
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError
from recte.evaluation.plausibility.finding import NOTE, WARNING, Finding, Sighting
from recte.evaluation.plausibility.foreign_text import MOST_READ, foreign_lines
from recte.evaluation.plausibility.gold_oddities import odd_gold
from recte.evaluation.plausibility.line_order import find_misplaced_lines
from recte.evaluation.plausibility.swapped_files import SwapEvidence
from recte.evaluation.plausibility.text_oddities import SourceTexts, odd_letters, odd_texts, odd_tokens, raw_texts
from recte.metrics.base import Metric
from recte.text.line_signatures import Signatures
from recte.text.untidiness.table import ALL_KINDS
from recte.text.untidy_lines import LOST_SIGNS, ComparedTexts, ScannedTexts, untidy_rows

__all__ = ["KINDS", "ExpectedTokens", "Kind", "PlausibilityCheck", "findings", "refuse"]

LOOKED_AT_WHOLE = 100_000  # sentences; behind them a tenth of each part is looked at
_SAMPLED = 1_000
_NEVER = 2.0
_FEWEST_MISPLACED, _MISPLACED = 3, 0.1  # lines of other sentences, and their share
_OF_OWN_LINES = ("cut-off", "long", "no-final-mark", "lost-words", "blanks", *LOST_SIGNS)


@dataclass(frozen=True)
class Kind:
    """What a kind is called, and from how many on, and from which share on, it is a warning; below it is a note."""

    message: str  # with {count}, {of}, {line}
    share: float
    fewest: int = 3


KINDS = {
    "misaligned": Kind("{count} of {of} lines fit another source line better than their own, first line {line}", 0.0),
    "unlike": Kind("{count} of {of} lines share almost nothing with their source, first line {line}", 0.01),
    "empty": Kind("{count} of {of} lines are empty where the source is not, first line {line}", 0.005),
    "cut-off": Kind("{count} of {of} lines have less than 60 % of their source, first line {line}", 0.01),
    "long": Kind("{count} of {of} lines are half as long again as their source, or longer, first line {line}", 0.01),
    "blanks": Kind("{count} of {of} lines have far more or fewer blanks than their source, first line {line}", 0.01),
    "no-final-mark": Kind(
        "{count} of {of} lines end in a word where the source ends in a mark: were they cut off? first line {line}",
        0.0125,
    ),
    "lost-words": Kind(
        "{count} of {of} lines are their source without several words in a row: were these lost? first line {line}",
        0.0125,
    ),
    **{
        kind: Kind(f"{{count}} of {{of}} lines have no {signs}, as their sources have, first line {{line}}", 0.5, 10)
        for kind, signs in (
            ("lost-digits", "digits"),
            ("lost-commas", "commas"),
            ("lost-accents", "letters with accents"),
            ("lost-quotes", "quotation marks"),
        )
    },
    **{
        kind.name: Kind(f"{{count}} of {{of}} lines {kind.title}, first line {{line}}", kind.share)
        for kind in ALL_KINDS
    },
    "detokenised": Kind(
        "{count} of {of} lines look detokenised: punctuation has no space next to it, as it has in the source, "
        "first line {line}; --outputs raw puts them on the source's tokens",
        0.01,
    ),
    "tokenised": Kind(
        "{count} of {of} lines look tokenised: punctuation has a space next to it, which the source has not, "
        "first line {line}",
        0.02,
    ),
    "clitics": Kind(
        "{count} of {of} lines join n't or 's to the word, which the source does not, first line {line}; --outputs raw "
        "puts them on the source's tokens",
        0.01,
    ),
    "composition": Kind(
        "{count} of {of} lines are composed Unicode (NFC) where the source is not, or the reverse, first line {line}",
        0.01,
    ),
    "width": Kind(
        "{count} of {of} lines have half-width signs for full-width ones or the reverse, first line {line}", 0.02
    ),
    "case": Kind(
        "{count} of {of} lines are lower-cased, or upper-cased, where the source has both, first line {line}", 0.02
    ),
    "capitals": Kind("{count} of {of} lines have far more or fewer capitals than the source, first line {line}", 0.01),
    "raw-source": Kind(
        "{count} of {of} lines look untokenised: punctuation is joined to words, first line {line}", 0.2, 1
    ),
    "other-annotator": Kind("edits of {of} texts are found with the built-in English tags", 1.0, 1),
    "other-tokens": Kind("all {of} texts were cut into other tokens", 1.0, 1),
    "swapped": Kind("source and reference look swapped in {count} of {of} sentences, first line {line}", 0.0),
    "not-annotated": Kind(
        "{count} of {of} sentences are not scored, as impossible to annotate or left out, first sentence {line}", _NEVER
    ),
    "no-corrections": Kind("the gold changes nothing in all {of} sentences", 1.0),
    "left-out": Kind("{count} of {of} sentences have no line of any annotator, first sentence {line}", _NEVER),
    "missing-annotators": Kind(
        "{count} of {of} sentences lack an annotator, and no line says noop: who changed nothing is unknown, "
        "first sentence {line}",
        0.05,
    ),
    "duplicate-edits": Kind("{count} of {of} edits stand twice, first line {line}", 0.01),
    "overlapping-edits": Kind("{count} of {of} edits overlap another of their annotator, first line {line}", 0.05),
    "unmatchable-edits": Kind(
        "{count} of {of} edits match no output and lower recall: their corrections change nothing, or have white space "
        "other than single blanks, first line {line}",
        0.01,
        1,
    ),
    "negative-spans": Kind("{count} edits with a negative span are read as no edit, first sentence {line}", 0.0, 2),
    "bad-parts": Kind("{count} of {of} parts were skipped, first part {line}", 0.0, 1),
    "not-english": Kind(
        "{count} of {of} lines are not English, and English rules find and type their edits: --language and "
        "--annotator set others, first line {line}",
        0.4,
    ),
    "dropped-edits": Kind("--lenient dropped {count} edits, first in sentence {line}", 0.0, 1),
}


@dataclass(frozen=True)
class ExpectedTokens:
    """Tokens that texts should be in: what is `said` where they are not, and the `segmenter` that makes them.

    `annotator` is what is said where the built-in English tagger finds the edits, and the task's was another.
    """

    said: str
    segmenter: str = ""
    annotator: str = ""

    def are(self, cut_by: str) -> bool:
        """Whether texts "by" a segmenter, with its name in the signature, are in these."""
        return bool(self.segmenter) and cut_by.startswith(f"by {self.segmenter}")


@dataclass
class _Seen:
    """What all parts so far showed of one kind in one place."""

    count: int = 0
    of: int = 0
    line: int = 0
    detail: str = ""

    def add(self, sighting: Sighting) -> None:
        line = sighting.lines[0] if sighting.lines else 0
        self.join(_Seen(len(sighting.lines), sighting.of, line, sighting.detail if sighting.lines else ""))

    def join(self, other: _Seen) -> None:
        """What came behind."""
        self.line = self.line if self.count else other.line
        self.count += other.count
        self.of += other.of
        self.detail = self.detail or other.detail


class PlausibilityCheck:
    """Looks at a corpus and its systems part by part, in order; `findings` says what it saw.

    `first` is the place of the first sentence, where others look at those before it: see `join`. `expected` are the
    tokens that texts should be in; without them, any are as good.
    """

    def __init__(self, first: int = 0, *, expected: ExpectedTokens | None = None) -> None:
        self._expected = expected
        self.reads_english: bool | None = None  # whether English rules find edits; None: unknown
        self.tags_builtin = False  # whether the built-in English tagger tags them
        self._seen: dict[tuple[str, str], _Seen] = {}
        self._swap = SwapEvidence()
        self._sentences = first

    def look(self, corpus: Corpus, systems: Mapping[str, System]) -> None:
        """Take in the next part; of a very large corpus, its beginning."""
        first, size = self._sentences, len(corpus)
        self._sentences += size
        if first >= LOOKED_AT_WHOLE and size > _SAMPLED:
            corpus, systems = corpus[:_SAMPLED], {name: system[:_SAMPLED] for name, system in systems.items()}
        sources = TextColumn.of(corpus.source_texts).narrow()
        outputs = {name: TextColumn.of(system.outputs).narrow() for name, system in systems.items()}
        for name, column in outputs.items():
            if len(column) != len(sources):
                raise InputError(
                    f"{name}: expected {len(sources)} hypotheses, one for each sentence, got {len(column)}"
                )
        signatures, texts, scanned = Signatures.of(sources), SourceTexts(sources), ScannedTexts(sources)
        for where, column in [*outputs.items(), *_references(corpus)]:
            self.add(find_misplaced_lines(where, signatures, Signatures.of(column), first))
            compared = ComparedTexts(scanned, ScannedTexts(column))
            self.add(odd_texts(where, compared, first))
            self.add(odd_letters(where, texts, column, first))
            is_cleaned = where in systems and CLEANED in systems[where].changed
            self.add(_untidy_sightings(where, compared, first, is_cleaned=is_cleaned))
            if corpus.segmenter is None:
                self.add(odd_tokens(where, compared, first))
        self.add([raw_texts(texts, first) if corpus.segmenter is None else _retokenised_texts(corpus, first)])
        self.add(odd_gold(corpus, first))
        if not corpus.columns.annotated.all() or any(
            system.edits is None and system.annotations is None for system in systems.values()
        ):
            lines = tuple(range(first + 1, first + size + 1))
            self.add([Sighting("other-annotator", "source", lines, size)])
            if self.reads_english is not False:
                self.add([foreign_lines(list(sources[:MOST_READ]), first)])
        if first < LOOKED_AT_WHOLE:  # its words are all kept
            self._swap.look(corpus.columns, sources, outputs, first)

    def set_metrics(self, metrics: Iterable[Metric]) -> None:
        """Take in how the metrics find edits of the texts."""
        english = [metric for metric in metrics if metric.reads_english]
        self.reads_english = bool(english)
        self.tags_builtin = any(metric.options().get("annotator") == "builtin" for metric in english)

    def join(self, other: PlausibilityCheck) -> None:
        """Take in what another saw of the sentences behind those of this one."""
        for key, seen in other._seen.items():
            self._seen.setdefault(key, _Seen()).join(seen)
        self._swap.join(other._swap)
        self._sentences = max(self._sentences, other._sentences)

    def to_plain(self) -> dict[str, Any]:
        """What was seen as plain values, for a file; `from_plain` makes a check of them again."""
        seen = [[*key, *astuple(tally)] for key, tally in self._seen.items()]
        return {"sentences": self._sentences, "seen": seen, "swap": self._swap.to_plain()}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> PlausibilityCheck:
        check = cls(plain["sentences"])
        check._seen = {(where, kind): _Seen(*rest) for where, kind, *rest in plain["seen"]}
        check._swap = SwapEvidence.from_plain(plain["swap"])
        return check

    def add(self, sightings: Iterable[Sighting]) -> None:
        """Take in what others saw."""
        for sighting in sightings:
            self._seen.setdefault((sighting.where, sighting.kind), _Seen()).add(sighting)

    def findings(self) -> tuple[Finding, ...]:
        """Warnings first, then notes, each in the order of systems."""
        seen = dict(self._seen)
        for sighting in self._swap.sightings():
            seen.setdefault((sighting.where, sighting.kind), _Seen()).add(sighting)
        if not self.reads_english:
            seen.pop(("source", "not-english"), None)
        raw = seen.get(("source", "raw-source"), _Seen())
        if 2 * raw.count > raw.of:  # to join a mark to a word corrects such sources
            seen = {key: tally for key, tally in seen.items() if key[1] != "detokenised"}
        tagged = seen.pop(("source", "other-annotator"), None)
        if tagged is not None and self.tags_builtin and self._expected is not None and self._expected.annotator:
            seen["source", "other-annotator"] = replace(tagged, detail=self._expected.annotator)
        for key in (("source", "raw-source"), ("source", "other-tokens")):
            other = seen.pop(key, None)
            if other is not None and self._expected is not None and not self._expected.are(other.detail):
                seen[key] = replace(other, detail="; ".join(filter(None, (other.detail, self._expected.said))))
        for where, kind in list(seen):
            # Lines of other sentences are no longer or shorter than those: one warning says what is wrong.
            if kind in _OF_OWN_LINES and _is_misplaced(where, seen):
                del seen[where, kind]
        all_findings = [_finding(kind, where, tally) for (where, kind), tally in seen.items() if tally.count]
        told = [f for f in all_findings if f.kind != "no-corrections" or f.level == WARNING]
        return tuple(sorted(told, key=lambda finding: finding.level == NOTE))

    def refuse(self) -> None:
        """Let the first warning be an error."""
        refuse(self.findings())


def _is_misplaced(where: str, seen: Mapping[tuple[str, str], _Seen]) -> bool:
    """Whether many lines are those of other sentences."""
    tallies = [seen.get((where, kind), _Seen()) for kind in ("misaligned", "unlike")]
    return any(tally.count >= max(_FEWEST_MISPLACED, _MISPLACED * tally.of) for tally in tallies)


def _finding(kind: str, where: str, seen: _Seen) -> Finding:
    rule = KINDS[kind]
    odd = seen.count >= rule.fewest and seen.count >= rule.share * seen.of
    message = rule.message.format(count=seen.count, of=seen.of, line=seen.line)
    if seen.detail:
        message = f"{message}; {seen.detail}"
    return Finding(kind, WARNING if odd else NOTE, where, seen.count, seen.of, seen.line, message)


def _references(corpus: Corpus) -> Iterator[tuple[str, TextColumn]]:
    """Rewritten references by their number, where every sentence has as many."""
    columns = corpus.columns
    each = np.diff(columns.reference_offsets)
    if not len(each) or not each[0] or not (each == each[0]).all():
        return
    for number in range(int(each[0])):
        yield f"reference {number + 1}", columns.references[number :: int(each[0])]


def _untidy_sightings(where: str, compared: ComparedTexts, first: int, *, is_cleaned: bool) -> Iterator[Sighting]:
    """The kinds of untidiness; of outputs that were not cleaned, whether that undoes them."""
    for shown in untidy_rows(compared):
        lines = tuple(row + first + 1 for row in shown.rows)
        undone = "--clean undoes it" if shown.can_be_undone and not is_cleaned else ""
        detail = "; ".join(filter(None, (undone, shown.detail)))
        yield Sighting(shown.kind.name, where, lines, len(compared.outputs.texts), detail)


def _retokenised_texts(corpus: Corpus, first: int) -> Sighting:
    by = "" if corpus.segmenter is None else f"by {corpus.segmenter.name}"
    return Sighting("other-tokens", "source", tuple(range(first + 1, first + len(corpus) + 1)), len(corpus), by)


def findings(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric] = (), *, expected: ExpectedTokens | None = None
) -> tuple[Finding, ...]:
    """What looks wrong with a corpus and systems: misplaced, empty or otherwise written lines, odd gold.

    `expected` are the tokens that texts should be in, where that is known; `metrics` will read the texts.

    >>> gold = Corpus.from_references(["He go to school ."] * 4, [["He goes to school ."] * 4])
    >>> [str(finding) for finding in findings(gold, [System("mine", ("",) * 4)])]
    ['mine: 4 of 4 lines are empty where the source is not, first line 1']
    """
    check = PlausibilityCheck(expected=expected)
    check.set_metrics(metrics)
    check.look(corpus, {system.name: system for system in systems})
    return check.findings()


def refuse(findings: Sequence[Finding]) -> None:
    """Let the first warning be an error."""
    warnings = [finding for finding in findings if finding.level == WARNING]
    if warnings:
        more = f" ({len(warnings) - 1} more)" if len(warnings) > 1 else ""
        raise InputError(f"{warnings[0]}{more}")
