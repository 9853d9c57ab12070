"""What many lines of a file show together: the same beginning or end, columns, one answer, a sign."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recte.patterns import compile_later
from recte.text.untidiness.kinds import EDGE, FEWEST_LINES, LONGEST_EDGE, Undo
from recte.text.untidiness.likeness import ALIKE, share_of_words, takes_words, words_of

__all__ = [
    "ODD_SIGNS",
    "learn_answer",
    "learn_columns",
    "learn_edge",
    "learn_sign",
    "learn_source",
]

_DIGITS, _SOLID = compile_later(r"\d+"), compile_later(r"\S")
_LIKE = 5  # letters by which an end is known for that of its source
_PLAIN_WORDS = 0.1  # of lines: marks and words that a system may add on purpose
_FEWEST_WITH_MARKS = 10  # lines
_SENTENCE = 3  # words that no system adds on purpose to many lines
_ADDED_MARKS = compile_later(r"[\s.,;:!?'\"()。，！？；：、“”’»«…—–-]*")
_SAYS_MORE = compile_later(r"[^\w\s,.'’-]|\d|_")
_OPENER = compile_later(  # a word to the user, which answers a request
    r"\s*(?:yes|okay|ok|sure|certainly|of\s+course|absolutely|no\s+problem|got\s+it)\s*[,.!]\s*", re.IGNORECASE
)


def _edge_of_letters(text: str, size: int, *, last: bool) -> str:
    """The end of a text, or its beginning, with so many letters, and the white space next to it.

    >>> _edge_of_letters("He goes. E O S", 3, last=True), _edge_of_letters("1 ) He", 2, last=False)
    (' E O S', '1 ) ')
    """
    letters = [match.start() for match in _SOLID.finditer(text)]
    if last:
        return text[letters[-size - 1] + 1 :] if size < len(letters) else text
    return text[: letters[size]] if size < len(letters) else text


def learn_edge(last: bool) -> Callable[[Sequence[str], Sequence[str], float], tuple[str, Undo] | None]:
    """Learns what many lines have before the source's beginning, or behind its end; numbers may differ."""

    def edge_of(source: str, output: str) -> str:
        """What the output has more than the source at this end."""
        letters, others = "".join(source.split()), "".join(output.split())  # tokens may be cut in another way
        if len(letters) < EDGE:
            return ""
        size = others[::-1].find(letters[: -EDGE - 1 : -1]) if last else others.find(letters[:EDGE])
        if size <= 0:
            return ""
        edge = _edge_of_letters(output, size, last=last)
        if len(edge) > LONGEST_EDGE:
            return ""
        if last and letters[-1].isalnum() and _ADDED_MARKS.fullmatch(edge):
            return ""  # it may lack a mark
        return edge

    def learn(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
        edges = [edge_of(source, output) for source, output in zip(sources, outputs, strict=True)]
        counts = Counter(_DIGITS.sub("0", edge) for edge in edges if edge.strip())
        shapes: list[str] = []
        for shape, count in counts.most_common():
            is_known = any(shape.endswith(known) if last else shape.startswith(known) for known in shapes)
            fewest = _FEWEST_WITH_MARKS if _ADDED_MARKS.fullmatch(shape) else 2
            if count >= fewest and count * each >= _share_needed(shape) and not is_known:
                shapes.append(shape)
        if not shapes:
            return None
        examples = {_DIGITS.sub("0", edge): edge for edge in reversed(edges)}
        bodies = "|".join(map(_pattern_of_shape, sorted(shapes, key=len, reverse=True)))
        pattern = re.compile(rf"(?:{bodies})\Z" if last else rf"\A(?:{bodies})")

        def undo(source: str, output: str) -> str | None:
            middle = max(len(output) - 2 * LONGEST_EDGE, 0) if last else 0  # a long line is not searched as a whole
            text = (output[:middle] + pattern.sub("", output[middle:])).strip()
            if not text or text == output.strip():
                return None
            if pattern.search(source) is not None:  # which may begin with a number, too
                letters, left, whole = ("".join(line.split()) for line in (source, text, output))
                begins = str.endswith if last else str.startswith
                end = letters[-_LIKE:] if last else letters[:_LIKE]
                if begins(left, end) and (len(letters) > _LIKE or not begins(whole, end)):
                    return text
                return text if pattern.search(text) is not None and not begins(whole, end) else None
            return text

        return " or ".join(repr(examples[shape]) for shape in shapes[:2]), undo

    return learn


_PIECE = compile_later(r"(\s*)([^\W\d]+|\d+|[^\w\s]|\Z)")


def _pattern_of_shape(shape: str) -> str:
    r"""What finds a shape however it is cut into tokens.

    >>> _pattern_of_shape("Yes, "), _pattern_of_shape(" EOS 0")
    ('Yes\\s*,\\s*', '\\s+EOS\\s+\\d+')
    """
    pattern, before = "", ""
    for match in _PIECE.finditer(shape):
        blanks, piece = match.groups()
        between_words = (not before or before.isalnum()) and (not piece or piece.isalnum())
        if blanks and between_words:
            pattern += r"\s+"
        elif blanks or (before and piece and not between_words):
            pattern += r"\s*"
        pattern += r"\d+" if piece == "0" else re.escape(piece)
        before = piece
    return pattern


def _share_needed(shape: str) -> float:
    """Of the lines that have the same at an end: a system may add marks or a few plain words on purpose."""
    says_more = _OPENER.fullmatch(shape) or (_SAYS_MORE.search(shape) and not _ADDED_MARKS.fullmatch(shape))
    return 0.01 if says_more or len(shape.split()) >= _SENTENCE else _PLAIN_WORDS


_DELIMITERS = {"\t": 0.5, ",": 0.95, ";": 0.95, "|": 0.95}  # and the least share of lines with as many
_CELL_LIKE = 0.8  # share of words that the likest of such cells has in common with its source


_NOT_PLAIN = compile_later('["\r\n]')


def _split_cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line, which may stand between quotation marks where commas or semicolons part them."""
    if delimiter in "\t|" or not _NOT_PLAIN.search(line):
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:  # a line end inside, or a cell of many letters
        return []


def _take_column(delimiter: str, width: int, column: int) -> Undo:
    """Takes one column of lines with so many cells, unless the others have words of the source."""

    def undo(source: str, output: str) -> str | None:
        cells = _split_cells(output, delimiter) if delimiter in output else []
        if len(cells) != width or (delimiter == "\t" and delimiter in source):
            return None
        text = cells[column].strip()
        return None if takes_words(source, output, text) else text

    return undo


def _most_alike(pairs: Sequence[tuple[str, str]]) -> float:
    """The share of words that texts can have in common with their sources in the mean, by the numbers of words."""
    sizes = [(len(words_of(source)), len(words_of(text))) for source, text in pairs]
    return sum(2 * min(n, m) / max(n + m, 1) for n, m in sizes) / len(sizes)


def learn_columns(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns which column of a table is the output: the one most like the source that is not the source.

    Commas and other marks of sentences stand between columns where nearly all lines have as many of them.
    """
    for delimiter, least in _DELIMITERS.items():
        fewest = max(least * len(outputs), FEWEST_LINES)
        if sum(delimiter in output for output in outputs) < fewest:
            continue
        rows = [(source, _split_cells(output, delimiter)) for source, output in zip(sources, outputs, strict=True)]
        counts = Counter(len(cells) for _, cells in rows)
        width, count = counts.most_common(1)[0]
        if width == 1 or count < fewest:
            continue
        rows = [(source, cells) for source, cells in rows if len(cells) == width]
        least_alike = ALIKE if delimiter == "\t" else _CELL_LIKE
        alike = [_most_alike([(source, cells[c]) for source, cells in rows]) for c in range(width)]
        if max(alike) < least_alike:
            continue
        for c in range(width):
            if alike[c] >= ALIKE:  # columns below need no closer look
                alike[c] = sum(share_of_words(source, cells[c]) for source, cells in rows) / len(rows)
        same = [sum(source.split() == cells[c].split() for source, cells in rows) / len(rows) for c in range(width)]
        if delimiter != "\t" and not any(cells[c] for _, cells in rows for c in range(width) if alike[c] < ALIKE):
            continue  # a mark at the end
        if max(alike) < least_alike:
            continue
        column = min((c for c in range(width) if alike[c] >= ALIKE), key=lambda c: (same[c] > 0.95, -alike[c]))
        undo = _take_column(delimiter, width, column)
        return f"column {column + 1} of {width} is the output", undo
    return None


_PLAIN_WORD = compile_later(r"\w+")
_ALL_WORDS = 0.95  # share of lines with all words of their sources
_UNLIKE = 0.2  # share of words that an answer to the user has in common with its source, at most
_FEWEST_SAME = 3  # lines


def learn_answer(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns a text that many different sources have as their output, and that is like none of them."""

    def is_answer(source: str, output: str) -> bool:
        return output.strip() != source.strip() and share_of_words(source, output) < _UNLIKE

    counts = Counter(output.strip() for output in outputs)
    answers = Counter(
        output
        for output, source in {(output.strip(), source) for source, output in zip(sources, outputs, strict=True)}
        if counts[output] >= _FEWEST_SAME and output and is_answer(source, output)
    )
    common = {output for output, count in answers.items() if count >= _FEWEST_SAME and count * each >= 0.01}
    if not common:
        return None

    def undo(source: str, output: str) -> str | None:
        return source if output.strip() in common and is_answer(source, output) else None

    return repr(max(sorted(common), key=lambda output: answers[output])), undo


ODD_SIGNS = (
    "#()*+/<=>@[\\]_`{|}~^\u00a6\u00a7\u00ac\u00b2\u00b3\u00b6\u00b9\u2020-\u2023\u203b\u2070-\u209f"
    "\u2190-\u2bff\U0001f000-\U0001faff"
)
_ODD_SIGN = compile_later("[" + re.sub(r"([\\\[\]^])", r"\\\1", ODD_SIGNS) + "]")


def learn_sign(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns a sign, neither letter nor usual punctuation, that many outputs have and their sources have not."""
    counts = Counter[str]()
    for source, output in zip(sources, outputs, strict=True):
        counts.update(set(_ODD_SIGN.findall(output)).difference(source))
    sign, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    if count * each < 0.01:
        return None
    inside = re.compile(rf"[^\s{re.escape(sign)}]{re.escape(sign)}+[^\s{re.escape(sign)}]")
    pairs = [(source, output) for source, output in zip(sources, outputs, strict=True) if sign in output]
    with_all = sum(not Counter(_PLAIN_WORD.findall(s)) - Counter(_PLAIN_WORD.findall(o)) for s, o in pairs)
    keeps_words = with_all > _ALL_WORDS * len(pairs)  # a mark of edits, next to what was deleted

    def undo(source: str, output: str) -> str | None:
        """What is left; a line stays as it is where the sign may be that of an edit, or stands inside a word."""
        if sign not in output or sign in source:
            return None
        if keeps_words or inside.search(output):
            return output
        return " ".join(output.replace(sign, "").split()) or None

    return f"{sign} (U+{ord(sign):04X})", undo


_NEARLY_ALL = 0.8  # share of lines


@dataclass(frozen=True)
class _SourcePattern:
    """What stands before a source and an output, between both, and behind them; the source comes first or last."""

    before: str
    between: str
    behind: str
    source_first: bool
    is_usual: bool  # whether nearly all lines of the file look so

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]], *, source_first: bool, is_usual: bool) -> _SourcePattern | None:
        """What nearly all pairs have in common; None where they have it not."""
        cuts = [_cut_out(source, output, source_first) for source, output in pairs]
        parts = [cut for cut in cuts if cut is not None]
        if len(parts) < max(FEWEST_LINES, _NEARLY_ALL * len(pairs)):
            return None
        first, last = zip(*parts, strict=True)  # what stands before the source, and behind it
        sources = [source.strip() for source, _ in pairs]
        begin, end = _common_beginning(sources), _common_end(sources)  # the output may have these, too
        if source_first:
            near = _without_end(_common_beginning(last), begin)
            far = _without_beginning(_common_end([text[len(near) :] for text in last]), end)
            return cls(_DIGITS.sub("0", first[0]), near, far, True, is_usual)
        near = _without_beginning(_common_end(first), end)
        far = _without_end(_common_beginning([text[: len(text) - len(near)] for text in first]), begin)
        return cls(far, near, _DIGITS.sub("0", last[0]), False, is_usual)

    def undo(self, source: str, output: str) -> str | None:
        cut = _cut_out(source, output, self.source_first, shortest=1)
        if cut is None:
            return None
        before, behind = cut
        known, text = (before, behind) if self.source_first else (behind, before)
        far_begin, far_end = (self.between, self.behind) if self.source_first else (self.before, self.between)
        if _DIGITS.sub("0", known) != (self.before if self.source_first else self.behind):
            return None
        if len(text) < len(far_begin) + len(far_end) or not text.startswith(far_begin) or not text.endswith(far_end):
            return None
        text = text[len(far_begin) : len(text) - len(far_end)].strip()
        is_alike = self.is_usual or _MARK.search(self.between) or share_of_words(source, text) >= ALIKE
        return text if text and is_alike else None


_MARK = compile_later(r"\S")


def _cut_out(source: str, output: str, source_first: bool, *, shortest: int = EDGE) -> tuple[str, str] | None:
    """What stands before the source in the output, and behind it; None for a short source or another output."""
    original = source.strip()
    if len(original) < shortest:
        return None
    before, middle, behind = output.partition(original) if source_first else output.rpartition(original)
    return (before, behind) if middle else None


def _common_beginning(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    size = next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:size]


def _common_end(texts: Sequence[str]) -> str:
    return _common_beginning([text[::-1] for text in texts])[::-1]


def _without_end(text: str, beginning: str) -> str:
    """The text without the longest beginning of another text at its end."""
    size = next((k for k in range(len(beginning), 0, -1) if text.endswith(beginning[:k])), 0)
    return text[: len(text) - size]


def _without_beginning(text: str, end: str) -> str:
    """The text without the longest end of another text at its beginning."""
    return _without_end(text[::-1], end[::-1])[::-1]


def learn_source(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns what stands around a source and an output in one line, where nearly all lines have the same."""
    pairs = [pair for pair in zip(sources, outputs, strict=True) if len(pair[0].strip()) >= EDGE]
    for source_first in (True, False):
        is_usual = len(sources) * each >= _NEARLY_ALL
        pattern = _SourcePattern.of(pairs, source_first=source_first, is_usual=is_usual) if pairs else None
        if pattern is None or "\t" in pattern.between:  # columns are another kind
            continue
        texts = [(source, pattern.undo(source, output)) for source, output in pairs]
        alike = sum(text is not None and share_of_words(source, text) >= ALIKE for source, text in texts)
        if alike >= max(FEWEST_LINES, _NEARLY_ALL * len(pairs)):
            parts = ("source", "output") if source_first else ("output", "source")
            return repr(pattern.between.join(parts)), pattern.undo
    return None
