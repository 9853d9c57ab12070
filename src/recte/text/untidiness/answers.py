"""Rules for the answers of models: how the sentence is found in what stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from recte.patterns import compile_later
from recte.text.untidiness.kinds import EDGE
from recte.text.untidiness.likeness import ALIKE, compact, likest, words_of

__all__ = [
    "of_value",
    "once",
    "one_of_lines",
    "take_source",
    "take_source_for_thoughts",
    "without_number",
    "without_quotes",
    "without_repeated_end",
    "without_source",
]

_PHRASE_END = r"[\s.!]*+"
_NO_CHANGE = compile_later(
    r"[\s\"'(\[*]*(?:"
    r"(?:there\s+(?:are|is)\s+)?no\s+(?:grammatical\s+)?(?:changes?|corrections?|errors?|edits?|mistakes?|issues?)"
    r"(?:\s+(?:are|is|were|was|to\s+be))?(?:\s+(?:needed|necessary|required|found|made|to\s+make|detected))?"
    r"(?:\s+(?:in|to|for)\s+(?:the|this)\s+(?:sentence|text))?"
    r"|(?:the|this|your)\s+(?:\w+\s+)?(?:sentence|text)\s+(?:is|looks|seems|appears\s+to\s+be)\s+(?:already\s+)?"
    r"(?:grammatically\s+)?(?:correct|fine|good|ok|okay)(?:\s+as\s+(?:it\s+)?is)?"
    r"|already\s+correct|correct\s+as\s+(?:it\s+)?is|correct|unchanged|nothing\s+to\s+correct|looks\s+good"
    r"|same(?:\s+as\s+(?:the\s+)?(?:source|input|original))?"
    rf"){_PHRASE_END}[\"')\]*]*+{_PHRASE_END}",
    re.IGNORECASE,
)


def take_source(source: str, output: str) -> str | None:
    """The source where the output says that it is correct."""
    return source if _NO_CHANGE.fullmatch(output) and not _NO_CHANGE.fullmatch(source) else None


_OPENING_QUOTE = compile_later(r"(?<!\w)'(?!(?:s|re|ve|ll|d|m)\b)(?=\w)", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "「": "」"}


def without_quotes(source: str, output: str) -> str | None:
    """The text between quotation marks around the whole; two in a row inside are one, as in CSV."""
    text, original = output.strip(), source.strip()
    mark, end = text[:1], text[-1:]
    if len(text) < 3 or _QUOTES.get(mark) != end:
        return None
    inside = text[1:-1].strip()
    if (original[:1] == mark and inside[:1] != mark) or (original[-1:] == end and inside[-1:] != end):
        return None  # they are the source's
    if mark == '"' and '""' in inside and '""' not in source:
        return inside.replace('""', '"')
    if mark == "'":  # or an apostrophe
        several = len(_OPENING_QUOTE.findall(inside)) > len(_OPENING_QUOTE.findall(source))
    else:
        several = inside.count(mark) != source.count(mark) and inside.count(mark) % 2 == 1
    if several:
        return None  # two quotations, one at each end
    return inside


_STRING = r"(?>'[^']*'|\"[^\"]*\")"
_ITEM, _LIST = compile_later(_STRING), compile_later(rf"\s*[\[(]\s*{_STRING}(?>\s*,\s*{_STRING})*+,?\s*[\])]\s*")
_VALUE = compile_later(r"\s*(?:[{\[(].*[}\])]|b(['\"]).*\1)\s*", re.DOTALL)


def of_value(source: str, output: str) -> str | None:
    """The text of a value in JSON or Python that is most like the source, and not equal to it if another is like it,
    too; of a list of words all of them.
    """
    texts = _texts_of_value(output)
    if not texts or _texts_of_value(source):
        return None
    original = source.split()
    changed = [text for text in texts if 3 * len(text) > len(source) and text.split() != original]
    return likest(source, changed or texts).strip()


def one_of_lines(source: str, output: str) -> str | None:
    """The line that is most like the source."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if "\n" in source.strip() or not lines or "\n" not in output:
        return None
    return likest(source, lines)


_KEY_OF_OUTPUT = compile_later(
    r"(?:\w+[_ ])?(?:correct(?:ed|ion)?|output|hypothesis|prediction|generated|revised|fixed)(?:[_ ]\w+)?",
    re.IGNORECASE,
)


def _texts_of_value(text: str) -> list[str]:
    """The texts in a value of JSON or Python, and of more than two all together; none where it is no value."""
    import ast

    if not _VALUE.fullmatch(text):
        return []
    if _LIST.fullmatch(text) and "\\" not in text:  # of Python, most often: its parser needs ten times as long
        return _joined_too([item[1:-1] for item in _ITEM.findall(text)])
    value = None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text.strip())
            break
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            pass
    if isinstance(value, bytes):
        return [value.decode("utf-8", "replace")]
    texts = [] if isinstance(value, str) else list(_texts_inside(value))
    return _joined_too(texts) if isinstance(value, (list, tuple)) else texts


def _joined_too(texts: list[str]) -> list[str]:
    """Texts of a list, of more than two all together, too; of words all together alone."""
    texts = [text for text in texts if text.strip()]
    if len(texts) < 3:
        return texts
    whole = " ".join(texts)
    return [*texts, whole] if any(" " in text for text in texts) else [whole]  # or words


def _texts_inside(value: object) -> Iterator[str]:
    """The texts in a value and in those inside; of an object with a key for outputs those alone."""
    if isinstance(value, str):
        if value.strip():
            yield value
        return
    if isinstance(value, dict):
        of_output = [
            item for key, item in value.items() if isinstance(item, str) and _KEY_OF_OUTPUT.fullmatch(str(key))
        ]
        value = of_output or list(value.values())
    for item in value if isinstance(value, (list, tuple)) else ():
        yield from _texts_inside(item)


_LETTER, _SOLID = compile_later(r"\w"), compile_later(r"\S")
_BETWEEN = " \t\"',;:|/<>=→⇒()[]-"  # what stands between a source and its output
_ARROWS = ("→", "⇒", "➜")
_AROUND = " \t\"'()[]<>"  # what stands around either of them
_LABEL_OF_SOURCE = compile_later(
    r"\b(?:input|original|source|before|incorrect|wrong|src|text|sentence)\W*\Z", re.IGNORECASE
)
_FEWEST_WORDS = 3  # of a source; a shorter one may well stand twice in a correction
_LONGEST_LABEL = 20


def without_source(source: str, output: str) -> str | None:
    """What stands before or behind the source in the output, if it is like it; columns are another kind."""
    if "\t" in output:
        return None
    original = source.strip()
    if len(words_of(original)) < _FEWEST_WORDS:
        return None
    before, middle, behind = output.partition(original)
    if not middle:
        text, original = " ".join(output.replace('""', '"').split()), " ".join(source.split())
        before, middle, behind = text.partition(original)
    if not middle:  # but perhaps in other tokens
        letters, place = compact(original), compact(output).find(compact(original))
        if place < 0:
            return None
        places = [match.start() for match in _SOLID.finditer(output)]
        before, behind = output[: places[place]], output[places[place + len(letters) - 1] + 1 :]
    is_short = len(original.encode("utf-8", "surrogatepass")) < EDGE
    if is_short and before and behind and (original not in behind or len(words_of(original)) < 2):
        return None
    label = _LABEL_OF_SOURCE.search(before[-_LONGEST_LABEL:])
    if label is not None:
        before = before[: len(before) - len(label[0])]
    rest = max(before.strip(), behind.strip(), key=len)
    far_signs = _AROUND if behind.strip() else _BETWEEN
    rest = rest.lstrip(_BETWEEN.replace(original[0], "")).rstrip(far_signs.replace(original[-1], ""))
    words, others = set(words_of(original)), set(words_of(rest))
    if not before.strip() and len(words) > 1 and behind.strip()[:1] in _ARROWS and behind.strip()[0] not in original:
        return rest or None
    shared = words & others
    if 2 * len(shared) < ALIKE * (len(words) + len(others)):
        return None
    return rest if any(map(_LETTER.search, shared)) or not _LETTER.search(original) else None


def once(source: str, output: str) -> str | None:
    """A text that stands there several times, once."""
    words = output.split()
    if words == source.split() or len(words_of(source)) < _FEWEST_WORDS:
        return None
    for times in range(2, 2 + len(words) // max(len(source.split()) // 2, 1)):
        size = len(words) // times
        if size and len(words) % times == 0 and words == words[:size] * times:
            return " ".join(words[:size])
    return None


_FEWEST_TIMES = 3  # that a text is repeated
_LONG_ENOUGH = 6  # letters of a text that is repeated so often; a shorter one is repeated as many times
_NO_DIGIT = compile_later(r"[^\W\d_]")


def without_repeated_end(source: str, output: str) -> str | None:
    """The text up to where it goes on as the source ends, before it says the same many times to its end."""
    text = output.rstrip()
    if len(text) <= len(source) or text.count(text[-3:]) < _FEWEST_TIMES:
        return None
    length, size = _repeated_end(text)
    unit = compact(text[-size:])
    if length < size * (_FEWEST_TIMES if len(unit) >= _LONG_ENOUGH else _LONG_ENOUGH) or not _NO_DIGIT.search(unit):
        return None
    if unit * 2 in compact(source):
        return None
    begin = len(text) - length
    has_blanks = " " in text[begin:]
    places = [
        place
        for place in range(max(begin, 1), begin + size + 1)
        if not has_blanks or text[place].isspace() or text[place - 1].isspace()
    ]
    ends = [compact(text[max(place - EDGE, 0) : place]) for place in places]
    end = compact(source[-2 * EDGE :])
    best = max(range(len(places)), key=lambda i: _count_same_end(ends[i], end), default=None)
    return None if best is None else text[: places[best]].strip() or None


def _repeated_end(text: str) -> tuple[int, int]:
    """The longest end of a text that is a shorter text three times or more, the first perhaps in part: how many letters
    both have.

    >>> _repeated_end("He xabcabcabc")
    (9, 3)
    """
    best, shortest = 0, 1
    borders = [0] * (len(text) + 1)  # how much of the reversed text's beginning its end repeats, by its length
    border = 0
    for length in range(2, len(text) + 1):
        letter = text[-length]
        while border and text[-border - 1] != letter:
            border = borders[border]
        border += text[-border - 1] == letter
        borders[length] = border
        if (length - border) * _FEWEST_TIMES <= length:
            best, shortest = length, length - border
    return best, shortest


def _count_same_end(text: str, other: str) -> int:
    """How many letters both texts end with."""
    pairs = zip(reversed(text), reversed(other), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))


_NUMBER = compile_later(r"\s*(?:[\[(]\s?\d{1,7}\s?[\])]|\d{1,7}\s?[.:)])(?:\s+|\s*$)")


def without_number(source: str, output: str) -> str | None:
    """The text behind a number of a list. Where it begins with a number too, the source does likewise."""
    match = _NUMBER.match(output)
    text = output[match.end() :].strip() if match is not None else ""
    if not text:
        return None
    if text[0].isdigit() or _NUMBER.match(source) is not None:
        begins = source.strip()[:2]
        return text if text.startswith(begins) and not output.strip().startswith(begins) else None
    return text


_UNFINISHED = compile_later(r"\s*<(?:think|thinking|reasoning|thought)>(?!.*</(?:think|reason|thought))", re.DOTALL)


def take_source_for_thoughts(source: str, output: str) -> str | None:
    """The source where the output is a block of thoughts without an end."""
    return source if _UNFINISHED.match(output) and not _UNFINISHED.match(source) else None
