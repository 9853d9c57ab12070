"""Outputs without what models, decoders and tokenisers left around the sentences, one for each source.

What is changed has a name in the table of kinds (`recte.text.untidiness.table`) or is a line that was missing, added,
split or joined; everything else stays as it is.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn
from recte.errors import InputError
from recte.text.line_alignment import LinePair, align_lines
from recte.text.line_signatures import Signatures
from recte.text.untidiness.kinds import FEWEST_LINES, LearnedKind, Undo, UntidyKind
from recte.text.untidiness.likeness import compact
from recte.text.untidiness.table import ALL_KINDS
from recte.text.untidy_lines import ComparedTexts, Pairs, ScannedTexts, learn_kind, rows_to_clean

__all__ = ["CleanedOutputs", "Cleaning", "clean"]

_MOST_PASSES = 4  # one kind may hide another
_FEWEST_IN_ROW = 3  # lines that are moved, or numbered by a decoder
_PART = 10_000  # lines that are looked at together
_MOST_KNOWN = 50_000  # lines of a file that are decoded once
_LIKE_SOURCE = 0.6  # share of trigrams that an output has in common with its source
_LONGEST_LABEL = 20  # letters
_GUESSED = {kind.name: kind.guess for kind in ALL_KINDS if kind.guess} | {"missing-lines": "sources stand for them"}


@dataclass(frozen=True)
class Cleaning:
    """One kind of change: what was found in which lines (numbers of the sources, from 1), and the first of them before
    and after it. `undone` is false where lines show a kind that cannot be undone there.
    """

    kind: str
    title: str
    lines: tuple[int, ...]
    before: str
    after: str
    undone: bool = True
    only_sources: bool = False  # whether nothing but the source was left of each of them

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "kind": self.kind,
            "title": self.title,
            "count": len(self.lines),
            "line": self.lines[0],
            "before": self.before,
            "after": self.after,
            "undone": self.undone,
        }

    def __str__(self) -> str:
        return f"{self.kind} ({len(self.lines):,} {'line' if len(self.lines) == 1 else 'lines'})"


@dataclass(frozen=True)
class CleanedOutputs:
    """One output for each source, and what was changed, in the order in which it was.

    >>> clean(["He go home ."], ["He goes home . </s>"]).cleanings[0].kind
    'special-tokens'
    """

    outputs: Sequence[str]
    cleanings: tuple[Cleaning, ...]

    @property
    def summary(self) -> str:
        """The changes in one line; empty where there is none."""
        return ", ".join(str(cleaning) for cleaning in self.cleanings if cleaning.undone)

    @property
    def doubts(self) -> tuple[str, ...]:
        """A line for each change that had to guess, and for each kind that could not be undone."""
        reasons = [(cleaning, _doubt(cleaning)) for cleaning in self.cleanings]
        return tuple(f"{cleaning}: {doubt}, first line {cleaning.lines[0]}" for cleaning, doubt in reasons if doubt)


def _doubt(cleaning: Cleaning) -> str:
    """What is not sure of a change; empty where nothing is."""
    if not cleaning.undone:
        return "could not be undone"
    if cleaning.only_sources and len(cleaning.lines) >= FEWEST_LINES and cleaning.kind not in _GUESSED:
        return "nothing but their sources is left"
    return _GUESSED.get(cleaning.kind, "")


def clean(sources: Sequence[str], outputs: Sequence[str]) -> CleanedOutputs:
    """The outputs without untidiness, one for each source.

    sources: the sentences that the outputs are corrections of, in order.
    outputs: lines as they stand in a system's file; there may be more or fewer than sources.

    >>> cleaned = clean(["He go home .", "It is so ."], ["Corrected: He goes home .", "No changes needed."])
    >>> cleaned.outputs, cleaned.summary
    (('He goes home .', 'It is so .'), 'labels (1 line), no-change (1 line)')
    """
    if not sources:
        raise InputError("sources: expected at least one sentence, got none")
    sources = TextColumn.of(sources)
    lines, cleanings = _decoder_log(TextColumn.of(outputs), len(sources))
    lines, moved = _realign(sources, lines)
    missing = next((len(cleaning.lines) for cleaning in moved if cleaning.kind == "missing-lines"), 0)
    if missing > len(sources) / 2:
        what = f"expected outputs for {len(sources)} sentences, got none for {missing} of them"
        raise InputError(f"{what}: are these the sources of this file, and its lines whole?")
    return _without_kinds(sources, lines, (*cleanings, *moved))


class _Texts:
    """Texts of which some may be changed; those of a small file are decoded once."""

    def __init__(self, column: TextColumn) -> None:
        self._column = column
        self._known = dict(enumerate(column.to_list())) if len(column) <= _MOST_KNOWN else {}
        self._is_changed = False

    def __len__(self) -> int:
        return len(self._column)

    def __getitem__(self, row: int) -> str:
        text = self._known.get(row)
        return self._column[row] if text is None else text

    def take(self, rows: Sequence[int]) -> list[str]:
        """The texts of some rows."""
        if len(self._known) == len(self):
            return [self._known[row] for row in rows]
        texts = list(self._column.take(np.array(rows, dtype=np.int64)))
        return [self._known.get(row, text) for row, text in zip(rows, texts, strict=True)] if self._known else texts

    def update(self, texts: Mapping[int, str]) -> None:
        self._known.update(texts)
        self._is_changed = True

    def to_column(self) -> TextColumn:
        """All texts as they are now."""
        if not self._is_changed:
            return self._column
        return TextColumn.collect(self._known.get(row, text) for row, text in enumerate(self._column))


def _undo_rows(undo: Undo, sources: _Texts, lines: _Texts, rows: NDArray[np.int64]) -> dict[int, str]:
    """What is left of each line that shows a kind, by its row."""
    shown: dict[int, str] = {}
    for first in range(0, len(rows), _PART):
        part = rows[first : first + _PART].tolist()
        for row, source, line in zip(part, sources.take(part), lines.take(part), strict=True):
            text = undo(source, line)
            if text is not None:
                shown[row] = text
    return shown


def _without_kinds(source_texts: TextColumn, texts: TextColumn, cleanings: Sequence[Cleaning]) -> CleanedOutputs:
    """Undo all kinds, as often as one that was hidden comes to light."""
    compared = ComparedTexts(ScannedTexts(source_texts), ScannedTexts(texts))
    sources, lines = _Texts(source_texts), _Texts(texts)
    changes: dict[tuple[str, bool], Cleaning] = {(cleaning.kind, cleaning.undone): cleaning for cleaning in cleanings}
    looks = [_Looks(kind) for kind in ALL_KINDS]
    changed = np.zeros(len(lines), dtype=np.int64)  # at which step each line was changed last
    step = 0
    for _ in range(_MOST_PASSES):
        before = step
        for look in looks:
            shown, detail = look.undo(sources, lines, compared, changed, step)
            if not shown:
                continue
            before_it = lines.take(list(shown))
            new = {row: text for (row, text), line in zip(shown.items(), before_it, strict=True) if text != line}
            for undone in (True, False):
                rows = [row for row in shown if (row in new) == undone]
                if rows:
                    _note(changes, look.kind, detail, rows, sources, lines, shown, undone)
            if new:
                step += 1
                places = np.fromiter(new, dtype=np.int64, count=len(new))
                changed[places] = step
                lines.update(new)
                compared.update(places, TextColumn.collect(new.values()))
        if step == before:
            break
    return CleanedOutputs(lines.to_column(), tuple(changes.values()))


class _Looks:
    """One kind, and what was seen of it so far: a line is looked at again where it was changed since."""

    def __init__(self, kind: UntidyKind | LearnedKind) -> None:
        self.kind = kind
        self._step = -1  # of the last look
        self._waiting: dict[int, str] = {}  # what is left of lines that show the kind, too few so far
        self._learned: tuple[str, Undo] | None = None

    def undo(
        self,
        sources: _Texts,
        lines: _Texts,
        compared: ComparedTexts,
        changed: NDArray[np.int64],
        step: int,
    ) -> tuple[dict[int, str], str]:
        """What is left of each line that shows the kind, by its row, and what was learned of the kind."""
        last, self._step = self._step, step
        if isinstance(self.kind, LearnedKind):
            return self._learn(sources, lines, compared, changed > last) if step > last else ({}, "")
        undo = self.kind.undo
        candidates = rows_to_clean(self.kind, compared)
        candidates = candidates[changed[candidates] > last]
        waiting = {row: text for row, text in self._waiting.items() if changed[row] <= last}
        shown = waiting | _undo_rows(undo, sources, lines, candidates)
        if not self.kind.alone and len(shown) < max(FEWEST_LINES, self.kind.share * len(lines)):
            self._waiting = shown
            return {}, ""
        self._waiting = {}
        return shown, ""

    def _learn(
        self, sources: _Texts, lines: _Texts, compared: ComparedTexts, is_changed: NDArray[np.bool_]
    ) -> tuple[dict[int, str], str]:
        """What is left of the lines, after what is learned of them, or, of those changed since, was learned before."""
        assert isinstance(self.kind, LearnedKind)
        candidates = rows_to_clean(self.kind, compared)
        learned = learn_kind(self.kind, Pairs(sources, lines), candidates, len(lines))
        self._learned = learned or self._learned
        if self._learned is None:
            return {}, ""
        detail, undo = self._learned
        # Sources of some lines begin or end in another way.
        rows = np.flatnonzero(is_changed) if learned is None else np.arange(len(lines))
        return _undo_rows(undo, sources, lines, rows), detail


def _may_be_answer(kind: UntidyKind | LearnedKind) -> bool:
    """Whether the kind hides an output, which may be missing; not where it says that the source is right."""
    return kind.name != "no-change"


def _note(
    changes: dict[tuple[str, bool], Cleaning],
    kind: UntidyKind | LearnedKind,
    detail: str,
    rows: Sequence[int],
    sources: _Texts,
    lines: _Texts,
    shown: Mapping[int, str],
    undone: bool,
) -> None:
    """Add lines to those of the kind."""
    key = (kind.name, undone)
    title = f"{kind.title} ({detail})" if detail else kind.title
    known = changes.get(key) or Cleaning(
        kind.name, title, (), lines[rows[0]], shown[rows[0]], undone, _may_be_answer(kind)
    )
    numbers = tuple(sorted({*known.lines, *(row + 1 for row in rows)}))
    only_sources = known.only_sources and all(shown[row].split() == sources[row].split() for row in rows)
    changes[key] = replace(known, lines=numbers, only_sources=only_sources)


# A line of fairseq's log, or of a list of the best outputs by Moses.
_LOG_LINE = re.compile(r"(?:([A-Z])-(\d+)\t|(\d+) \|\|\| )(.*)", re.DOTALL)


def _decoder_log(lines: TextColumn, count: int) -> tuple[TextColumn, list[Cleaning]]:
    """The hypotheses of a decoder's log, in the order of their numbers, the first of each number."""
    rows = np.flatnonzero(lines.ends - lines.begins > len("H-1"))
    first, second = lines.buffer[lines.begins[rows]], lines.buffer[lines.begins[rows] + 1]
    rows = rows[(second == ord("-")) | ((first >= ord("0")) & (first <= ord("9")))]
    matches = [(row, match) for row in rows.tolist() if (match := _LOG_LINE.fullmatch(lines[row])) is not None]
    places: dict[int, int] = {}
    for row, match in matches:
        if match[1] in ("H", None):
            places.setdefault(int(match[2] or match[3]), row)
    ordered = sorted(places) == list(places) and len(places) == len(lines)
    if ordered or len(places) < min(_FEWEST_IN_ROW, count) or 2 * len(matches) < len(lines):
        return lines, []
    outputs = lines.take(np.array([places[number] for number in sorted(places)], dtype=np.int64))
    what = "hypotheses (H-)" if matches[0][1][1] else "the best outputs"
    title = f"of a decoder's log: the {len(outputs)} of {what} were taken in the order of their numbers"
    log = Cleaning("decoder-log", title, tuple(range(1, len(lines) + 1)), lines[0], outputs[0])
    return TextColumn.collect(outputs), [log]


def _realign(sources: TextColumn, lines: TextColumn) -> tuple[TextColumn, list[Cleaning]]:
    """A line for each source: lines that are missing, added, split or joined are brought in order."""
    if len(lines) == len(sources) and not _is_shifted(sources, lines):
        return lines, []
    with_text = [number for number, line in enumerate(lines, 1) if line.strip()]
    if len(with_text) == len(sources) < len(lines):
        texts_alone = TextColumn.collect(lines[number - 1] for number in with_text)
        if not _is_shifted(sources, texts_alone):
            empty = sorted({*range(1, len(lines) + 1)}.difference(with_text))
            return texts_alone, [
                Cleaning("extra-lines", _LINE_KINDS["extra-lines"], tuple(empty), lines[empty[0] - 1], "")
            ]
    pairs = align_lines(sources, lines)
    if len(lines) == len(sources):
        pairs = _only_long_shifts(pairs)
    return _take_pairs(sources.to_list(), lines.to_list(), pairs)


def _take_pairs(
    sources: Sequence[str], lines: Sequence[str], pairs: Sequence[LinePair]
) -> tuple[TextColumn, list[Cleaning]]:
    """A line for each source, and what was done with lines for it."""
    taken: list[str] = []
    changes: dict[str, list[tuple[int, str, str]]] = {}
    places: list[list[int]] = []
    for pair in pairs:
        covered, theirs = sources[pair.source : pair.source_end], lines[pair.output : pair.output_end]
        if not covered:
            changes.setdefault("extra-lines", []).append((pair.output + 1, theirs[0], ""))
            continue
        if not theirs:
            texts = list(covered)
            changes.setdefault("missing-lines", []).append((pair.source + 1, "", covered[0]))
        elif len(covered) > 1:
            texts = _cut_like(theirs[0], covered)
            changes.setdefault("joined-lines", []).append((pair.source + 1, theirs[0], texts[0]))
        else:
            texts = [" ".join(text.strip() for text in theirs) if len(theirs) > 1 else theirs[0]]
            if len(theirs) > 1:
                changes.setdefault("split-lines", []).append((pair.source + 1, theirs[0], texts[0]))
        taken += texts
        places += [[pair.output] if pair.shape == (1, 1) else [] for _ in covered]
    _choose_candidates(sources, lines, pairs, taken, places, changes)
    return TextColumn.of(taken), [
        Cleaning(kind, title, tuple(number for number, _, _ in listed), listed[0][1], listed[0][2])
        for kind, title in _LINE_KINDS.items()
        if (listed := changes.get(kind))
    ]


def _only_long_shifts(pairs: Sequence[LinePair]) -> list[LinePair]:
    """The pairs of as many lines on both sides, moved only where some lines in a row are."""
    long_shifts: list[LinePair] = []
    moved: list[LinePair] = []
    for pair in (*pairs, None):
        if pair is not None and not (pair.shape == (1, 1) and pair.source == pair.output):
            moved.append(pair)
            continue
        if sum(other.shape == (1, 1) for other in moved) >= _FEWEST_IN_ROW:
            long_shifts += moved
        elif moved:
            long_shifts += [LinePair(at, at + 1, at, at + 1) for at in range(moved[0].source, moved[-1].source_end)]
        moved = []
        long_shifts += [] if pair is None else [pair]
    return long_shifts


_LINE_KINDS = {
    "missing-lines": "missing; their sources stand for them",
    "extra-lines": "too many; they were left out",
    "split-lines": "were put together of several lines",
    "joined-lines": "were cut out of a line with several sentences",
    "candidates": "are one of several outputs for their source",
}


def _is_shifted(sources: TextColumn, lines: TextColumn) -> bool:
    """Whether some lines fit another source nearby better than their own."""
    from recte.evaluation.plausibility.line_order import FARTHEST, find_misplaced_lines

    count = 0
    for first in range(0, len(lines), _PART):
        begin = max(first - FARTHEST, 0)  # lines next to the part may fit, too
        part = slice(begin, first + _PART + FARTHEST)
        sides = [Signatures.of(side[part].narrow()) for side in (sources, lines)]
        moved = find_misplaced_lines("", sides[0], sides[1], begin)[0]
        count += sum(first < number <= first + _PART for number in moved.lines)
        if count >= _FEWEST_IN_ROW:
            return True
    return False


def _choose_candidates(
    sources: Sequence[str],
    lines: Sequence[str],
    pairs: Sequence[LinePair],
    taken: list[str],
    places: Sequence[Sequence[int]],
    changes: dict[str, list[tuple[int, str, str]]],
) -> None:
    """Of several outputs for one source take the first; where the first always is the source, the second."""
    extra = {pair.output for pair in pairs if pair.shape == (0, 1)}
    if not extra:
        return
    groups: dict[int, list[int]] = {}
    by_source, by_line = (Signatures.of(TextColumn.of(side)) for side in (sources, lines))
    near: list[tuple[int, int]] = []  # a source, and a line that may be its output
    for row, place in enumerate(places):
        if not place:
            continue
        first, last = place[0], place[0] + 1
        while first - 1 in extra:
            first -= 1
        while last in extra:
            last += 1
        near += [(row, at) for at in range(first, last) if lines[at]] if last - first > 1 else []
    of_sources, of_lines = np.array(near, dtype=np.int64).reshape(-1, 2).T
    alike = by_source.likeness(of_sources, by_line, of_lines) >= _LIKE_SOURCE
    for row, at in itertools.compress(near, alike.tolist()):
        groups.setdefault(row, []).append(at)
    groups = {row: group for row, group in groups.items() if len(group) > 1}
    if not groups:
        return
    same = sum(_is_source(lines[group[0]], sources[row]) for row, group in groups.items())
    second = same > 0.95 * len(groups) and len(groups) >= FEWEST_LINES
    left_out = set()
    for row, group in groups.items():
        chosen = lines[group[1 if second else 0]]
        changes.setdefault("candidates", []).append((row + 1, chosen, chosen))
        taken[row] = chosen
        left_out.update(group)
    extras = [change for change in changes["extra-lines"] if change[0] - 1 not in left_out]
    changes["extra-lines"] = extras


def _is_source(line: str, source: str) -> bool:
    """Whether a line is its source, with a label in front such as `Q:` or `-`, or without."""
    letters, of_source = compact(line), compact(source)
    return letters.endswith(of_source) and len(letters) - len(of_source) <= _LONGEST_LABEL


def _cut_like(text: str, sources: Sequence[str]) -> list[str]:
    """A line with several sentences, cut where most of its words are those of each source."""
    if len(sources) == 1:
        return [text.strip()]
    words = text.split()
    first = Counter(sources[0].split())
    others = Counter(word for source in sources[1:] for word in source.split())
    ahead, left = Counter[str](), Counter(words)
    best, place = -1, 0
    for cut in range(len(words) + 1):
        shared = (ahead & first).total() + (left & others).total()
        if shared > best:
            best, place = shared, cut
        if cut < len(words):
            ahead[words[cut]] += 1
            left[words[cut]] -= 1
    return [" ".join(words[:place]), *_cut_like(" ".join(words[place:]), sources[1:])]
