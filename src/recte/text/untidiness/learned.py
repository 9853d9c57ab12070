"""What many lines of a file show together: the same beginning or end, columns, one answer, a sign."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from recte.patterns import compile_later
from recte.text.untidiness.kinds import EDGE, LONGEST_EDGE, Undo
from recte.text.untidiness.likeness import ALIKE, share_of_words

__all__ = ["ODD_SIGNS", "learn_answer", "learn_columns", "learn_edge", "learn_sign"]

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
                return text if begins(left, end) and (len(letters) > _LIKE or not begins(whole, end)) else None
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


def learn_columns(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns which column of tab-separated lines is the output: the one most like the source that is not the source."""
    rows = [(source, output.split("\t")) for source, output in zip(sources, outputs, strict=True)]
    rows = [(source, cells) for source, cells in rows if len(cells) > 1 and "\t" not in source]
    if not rows or len(rows) < len(outputs) / 2:
        return None
    width = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    rows = [(source, cells) for source, cells in rows if len(cells) == width]
    alike = [sum(share_of_words(source, cells[c]) for source, cells in rows) / len(rows) for c in range(width)]
    same = [sum(source.split() == cells[c].split() for source, cells in rows) / len(rows) for c in range(width)]
    like = [c for c in range(width) if alike[c] >= ALIKE]
    if not like:
        return None
    column = min(like, key=lambda c: (same[c] > 0.95, -alike[c]))

    def undo(source: str, output: str) -> str | None:
        cells = output.split("\t")
        return cells[column].strip() if len(cells) == width and "\t" not in source else None

    return f"column {column + 1} of {width} is the output", undo


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


ODD_SIGNS = "#()*+/<=>@[\\]_`{|}~^\u2190-\u2bff\U0001f000-\U0001faff"
_ODD_SIGN = compile_later("[" + re.sub(r"([\\\[\]^])", r"\\\1", ODD_SIGNS) + "]")


def learn_sign(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns a sign, neither letter nor usual punctuation, that many outputs have and their sources have not."""
    counts = Counter[str]()
    for source, output in zip(sources, outputs, strict=True):
        counts.update(set(_ODD_SIGN.findall(output)).difference(source))
    sign, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if count * each < 0.01:
        return None
    inside = re.compile(rf"\S{re.escape(sign)}+\S")

    def undo(source: str, output: str) -> str | None:
        """What is left; a line stays as it is where the sign stands inside a word, of which nobody knows the rest."""
        if sign not in output or sign in source:
            return None
        if inside.search(output):
            return output
        return " ".join(output.replace(sign, "").split()) or None

    return f"{sign} (U+{ord(sign):04X})", undo
