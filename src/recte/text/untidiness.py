"""Kinds of untidiness: what a file of outputs holds besides its sentences, how to see it and how to undo it.

One row of `UNTIDY_KINDS` is all that there is of a kind: the check of inputs warns of it, and `recte clean` undoes it.
Most rows look at one line and its source; those of `LEARNED_KINDS` look at many lines first. The order of rows matters:
each sees what those before it have left, and a learned kind says nothing of lines that show another kind.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from recte.patterns import compile_later

__all__ = [
    "ALL_KINDS",
    "EDGE",
    "LEARNED_KINDS",
    "LONGEST_EDGE",
    "UNTIDY_KINDS",
    "LearnedKind",
    "Undo",
    "UntidyKind",
]

Undo = Callable[[str, str], str | None]


@dataclass(frozen=True)
class UntidyKind:
    """A kind that one line shows.

    `undo` takes a source and its output. It returns None where the output does not show the kind; otherwise the output
    without it, or the output as it is where that cannot be undone. `title` follows "3 of 40 lines". Only lines with
    one of the `signs`, which may be ranges such as `0-9`, are looked at; without signs, only those that have more than
    their source where `edge` says: in the `whole` (half as long again), or without it those that differ from their
    source in the first and in the last letters. A line alone may be a correction where `alone` is false: the
    kind is undone where enough lines show it. `guess` says how what was lost is guessed, if so. `example` is a source,
    an output and what is left of it.
    """

    name: str
    title: str
    undo: Undo
    example: tuple[str, str, str]
    signs: str = ""
    edge: str = ""
    alone: bool = True
    guess: str = ""
    share: float = 0.01


@dataclass(frozen=True)
class LearnedKind:
    """A kind that many lines show together.

    `learn` takes sources and outputs of some lines, and how many lines there are for each of them. It returns what the
    lines show in words, and how to undo it; None where they do not show it. `signs`, `edge` and `guess` are as those
    of `UntidyKind`; `edge` may be the `begin` or the `end` of a line, too.
    """

    name: str
    title: str
    learn: Callable[[Sequence[str], Sequence[str], float], tuple[str, Undo] | None]
    signs: str = ""
    edge: str = ""
    guess: str = ""
    share: float = 0.01


def likest(source: str, texts: Iterable[str]) -> str:
    """The text that shares most words with the source, among equals the first.

    >>> likest("He go home .", ["Here it is:", "He goes home ."])
    'He goes home .'
    """
    texts = tuple(texts)
    if len(texts) == 1:
        return texts[0]
    words = Counter(source.lower().split())

    def share(text: str) -> float:
        others = Counter(text.lower().split())
        return 2 * (others & words).total() / max(words.total() + others.total(), 1)  # looks up the text's words alone

    return max(texts, key=share)


def _without(
    pattern: str,
    by: str | Callable[[re.Match[str]], str] = "",
    *,
    blocks: Sequence[str] = (),
    least: float = 0.0,
) -> Undo:
    """Replaces what a pattern finds, and leaves out blocks between tags of some names.

    Where the pattern finds something in the source, only what stands around that is replaced. What is left has at least
    this share of the source's length.

    A line may have a million letters: no pattern may look at the same letters again from each place. So blanks around
    a part are stripped, not matched, and parts that may fail are atomic or bounded.
    """
    compiled = compile_later(pattern, re.IGNORECASE | re.DOTALL)
    block_cuts = [_cut_blocks(name) for name in blocks]

    def undo(source: str, output: str) -> str | None:
        in_output = compiled.search(output)
        in_source = compiled.search(source) if in_output is not None else None
        text = output if in_output is None else compiled.sub(by, output, 0 if in_source is None else 1)
        for cut in block_cuts:
            text = cut(source, text)
        if in_output is None and text == output:
            return None
        text = text.strip()
        if in_source is not None:
            left = compiled.search(text)
            if left is None or left[0] != in_source[0] or not text.startswith(source.strip()[:EDGE]):
                return None
        return text if text and len(text) >= least * len(source) else None

    return undo


def _cut_blocks(name: str) -> Callable[[str, str], str]:
    """Leaves out all between two tags of a name, if the source has no such tag."""
    block = compile_later(rf"<{name}\b[^<>]*>.*?</{name}>\s*", re.IGNORECASE | re.DOTALL)
    opening = compile_later(rf"<{name}\b", re.IGNORECASE)
    last_end = compile_later(rf".*</{name}>\s*", re.IGNORECASE | re.DOTALL)

    def cut(source: str, text: str) -> str:
        # Behind the last end, each beginning would be followed to the end of the line.
        head = last_end.match(text) if opening.search(text) and not opening.search(source) else None
        return text if head is None else block.sub("", head[0]) + text[head.end() :]

    return cut


def _without_signs(signs: str) -> Undo:
    """Leaves out signs that the source has not."""
    pattern = compile_later(f"[{signs}]+")

    def undo(source: str, output: str) -> str | None:
        if pattern.search(output) is None or pattern.search(source) is not None:
            return None
        return pattern.sub("", output)

    return undo


def _join_pieces_at(mark: str) -> Undo:
    """Joins pieces of words; the mark stands where a word begins."""

    def undo(source: str, output: str) -> str | None:
        if mark not in output or mark in source:
            return None
        return output.replace(" ", "").replace(mark, " ").strip()

    return undo


# Without white space, which a word's marks cannot be.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010ffff"
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


def _take_source(source: str, output: str) -> str | None:
    """The source where the output says that it is correct."""
    return source if _NO_CHANGE.fullmatch(output) and not _NO_CHANGE.fullmatch(source) else None


_OPENING_QUOTE = compile_later(r"(?<!\w)'(?!(?:s|re|ve|ll|d|m)\b)(?=\w)", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "「": "」"}


def _without_quotes(source: str, output: str) -> str | None:
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


_VALUE = compile_later(r"\s*(?:[{\[(].*[}\])]|b(['\"]).*\1)\s*", re.DOTALL)


def _of_value(source: str, output: str) -> str | None:
    """The text of a value in JSON or Python that is most like the source, and not equal to it if another is like it,
    too; of a list of words all of them.
    """
    texts = _texts_of_value(output)
    if not texts or _texts_of_value(source):
        return None
    original = source.split()
    changed = [text for text in texts if 3 * len(text) > len(source) and text.split() != original]
    return likest(source, changed or texts).strip()


def _one_of_lines(source: str, output: str) -> str | None:
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
    if len(texts) < 3 or not isinstance(value, (list, tuple)):
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


_LETTER = compile_later(r"\w")
_BETWEEN = " \t\"',;:|/<>=→⇒()[]-"  # what stands between a source and its output
_ARROWS = ("→", "⇒", "➜")
_AROUND = " \t\"'()[]<>"  # what stands around either of them
_LABEL_OF_SOURCE = compile_later(
    r"\b(?:input|original|source|before|incorrect|wrong|src|text|sentence)\W*\Z", re.IGNORECASE
)
_LONGEST_LABEL = 20


def _without_source(source: str, output: str) -> str | None:
    """What stands before or behind the source in the output, if it is like it; columns are another kind."""
    if "\t" in output:
        return None
    original = source.strip()
    if not original:
        return None
    before, middle, behind = output.partition(original)
    if not middle:
        text, original = " ".join(output.replace('""', '"').split()), " ".join(source.split())
        before, middle, behind = text.partition(original)
    if not middle:
        return None
    is_short = len(original.encode("utf-8", "surrogatepass")) < EDGE
    if is_short and before and behind and (original not in behind or " " not in original):
        return None
    label = _LABEL_OF_SOURCE.search(before[-_LONGEST_LABEL:])
    if label is not None:
        before = before[: len(before) - len(label[0])]
    rest = max(before.strip(), behind.strip(), key=len)
    far_signs = _AROUND if behind.strip() else _BETWEEN
    rest = rest.lstrip(_BETWEEN.replace(original[0], "")).rstrip(far_signs.replace(original[-1], ""))
    words, others = set(original.split()), set(rest.split())
    if not before.strip() and len(words) > 1 and behind.strip()[:1] in _ARROWS and behind.strip()[0] not in original:
        return rest or None
    shared = words & others
    if 2 * len(shared) < _ALIKE * (len(words) + len(others)):
        return None
    return rest if any(map(_LETTER.search, shared)) or not _LETTER.search(original) else None


def _once(source: str, output: str) -> str | None:
    """A text that stands there several times, once."""
    words = output.split()
    if words == source.split():
        return None
    for times in range(2, 2 + len(words) // max(len(source.split()) // 2, 1)):
        size = len(words) // times
        if size and len(words) % times == 0 and words == words[:size] * times:
            return " ".join(words[:size])
    return None


_LIKE_LATIN = str.maketrans(
    "асеорхуіѕјԁһɡАВЕЅІКМНОРСТХУЈ" + "οιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyisjdhgABESIKMHOPCTXYJ" + "oiABEZHIKMNOPTYX"
)
_LIKE_CYRILLIC = str.maketrans("aceopxyiABEIKMHOPCTXY", "асеорхуіАВЕІКМНОРСТХУ")
_LATIN, _CYRILLIC_OR_GREEK = compile_later("[A-Za-z]"), compile_later("[\u0370-\u052f]")


def _with_own_letters(foreign: re.Pattern[str], usual: re.Pattern[str], table: Mapping[int, int]) -> Undo:
    """Writes letters of another script as those that look like them, in words that are then in one script."""

    def undo(source: str, output: str) -> str | None:
        if not usual.search(source) or not foreign.search(output):
            return None
        known, only_usual = set(source.split()), not foreign.search(source)

        def write(word: str) -> str:
            if not foreign.search(word) or word in known:
                return word
            written = word.translate(table)
            is_mixed = only_usual or usual.search(word) is not None
            return written if not foreign.search(written) and (is_mixed or written in known) else word

        text = " ".join(map(write, output.split(" ")))
        return None if text == output else text

    return undo


_PLAIN_SIGNS = {
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‘’‛´ʼ", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    "``": '"',
    "''": '"',
    "…": "...",
}
# A long dash next to white space may be a correction.
_OTHER_SIGN = compile_later(
    "|".join(sign if sign not in "\u2014\u2212" else rf"(?<=\w){sign}(?=\w)" for sign in _PLAIN_SIGNS)
)


def _with_plain_signs(source: str, output: str) -> str | None:
    """Quotation marks, apostrophes and hyphens as the source has them, where the output has lost these."""
    written: dict[str, str] = {}  # each sign is counted once

    def write(match: re.Match[str]) -> str:
        sign = match[0]
        if sign not in written:
            plain = _PLAIN_SIGNS[sign]
            is_lost = sign not in source and source.count(plain) > output.count(plain)
            written[sign] = plain if is_lost else sign
        return written[sign]

    text = _OTHER_SIGN.sub(write, output)
    return None if text == output else text


_APOSTROPHE, _CURVED_APOSTROPHE = compile_later(r"(?<=\w)'(?=\w)"), compile_later(r"(?<=\w)[’ʼ](?=\w)")


def _with_curved_apostrophes(source: str, output: str) -> str | None:
    """Apostrophes inside words as the source has them, where the output has lost all of these."""
    curved = _CURVED_APOSTROPHE.search(source)
    if curved is None or "'" in source or curved[0] in output or not _APOSTROPHE.search(output):
        return None
    return _APOSTROPHE.sub(curved[0], output)


_COMMON_FORMS = (  # of characters that are written in two ways: traditional, simplified
    "們個這學時來為國會對說後現樣過沒語麼發開還經覺間問從當題於動話習種業點給氣愛長歡認讓關應體電師漢實難變與該節響",
    "们个这学时来为国会对说后现样过没语么发开还经觉间问从当题于动话习种业点给气爱长欢认让关应体电师汉实难变与该节响",
)


def _with_forms_of_source(source: str, output: str) -> str | None:
    """Characters in the form, traditional or simplified, that the source has, where the output has only the other."""
    from recte.text.normalisation import simplify  # a table of four thousand characters

    new, lost = set(output).difference(source), set(source).difference(output)
    forms = {ord(character): simplify(character) for character in new}
    if not lost.isdisjoint(form for code, form in forms.items() if form != chr(code)):
        own_forms = _COMMON_FORMS[1]
    else:
        own_forms = _COMMON_FORMS[0]
        forms = {ord(form): character for character in lost if (form := simplify(character)) in new}
    if {*_COMMON_FORMS[0], *_COMMON_FORMS[1]}.difference(own_forms).intersection(source):
        return None  # a source with both is corrected by one of them
    text = output.translate(forms)
    return None if text == output else text


_DIGITS, _SOLID = compile_later(r"\d+"), compile_later(r"\S")
_NUMBERS_OR_MASKS, _MASK = compile_later(r"\d+|#+"), compile_later(r"0+|#+")


def _with_digits(source: str, output: str) -> str | None:
    """The source's numbers, where all of the output's are as long, and have 0 or # for every digit."""
    numbers = _DIGITS.findall(source)
    masks = _NUMBERS_OR_MASKS.findall(output) if numbers else []
    if list(map(len, numbers)) != list(map(len, masks)) or numbers == masks or not all(map(_MASK.fullmatch, masks)):
        return None
    digits = iter(numbers)
    return _NUMBERS_OR_MASKS.sub(lambda match: next(digits), output)


_REPLACED = compile_later("\ufffd+")
_WORD = compile_later(r"\S+")
_NEAR = 100  # words: how far from its place in the output a word stands in the source, at most
_MOST_REPLACED = 4  # places of a word


def _with_letters(source: str, output: str) -> str | None:
    """The source's letters for replacement characters, where the rest of their words agrees."""
    if "\ufffd" not in output or "\ufffd" in source:
        return None
    words = source.split()
    numbers = itertools.count()

    def mend(match: re.Match[str]) -> str:
        word, place = match[0], next(numbers)
        parts = _REPLACED.split(word) if "\ufffd" in word else []
        if not 1 < len(parts) <= _MOST_REPLACED + 1:  # more could be those of another word
            return word
        pattern = re.compile(r"\S{1,3}".join(map(re.escape, parts)))
        near = range(max(place - _NEAR, 0), min(place + _NEAR + 1, len(words)))
        fitting = [i for i in near if words[i].startswith(parts[0]) and pattern.fullmatch(words[i])]
        return words[min(fitting, key=lambda i: abs(i - place))] if fitting else word

    return _WORD.sub(mend, output)


_NUMBER = compile_later(r"\s*(?:[\[(]\s?\d{1,7}\s?[\])]|\d{1,7}\s?[.:)])(?:\s+|\s*$)")


def _without_number(source: str, output: str) -> str | None:
    """The text behind a number of a list. Where it begins with a number too, the source does likewise."""
    match = _NUMBER.match(output)
    text = output[match.end() :].strip() if match is not None else ""
    if not text:
        return None
    if text[0].isdigit() or _NUMBER.match(source) is not None:
        begins = source.strip()[:2]
        return text if text.startswith(begins) and not output.strip().startswith(begins) else None
    return text


_UNKNOWN = compile_later(r"(?:<unk>|<num>|\[unk\]|⁇|@unk@)", re.IGNORECASE)


def _with_words(source: str, output: str) -> str | None:
    """The source's words for those that a vocabulary had not, where the words next to them agree."""
    if not _UNKNOWN.search(output) or _UNKNOWN.search(source):
        return None
    words, tokens = source.split(), output.split()
    neighbours = ["", *words, ""]
    for place, token in enumerate(tokens):
        if not _UNKNOWN.search(token):
            continue
        before = tokens[place - 1] if place else ""
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        near = range(max(place - _NEAR, 0), min(place + _NEAR + 1, len(words)))
        agree = {i: (neighbours[i] == before) + (neighbours[i + 2] == after) for i in near}
        best = max(near, key=lambda i: (agree[i], -abs(i - place)), default=0)
        if near and agree[best]:
            tokens[place] = words[best]
    return " ".join(tokens)


_CONTINUATIONS = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MISREAD = compile_later(f"[\u00c2-\u00f4][{_CONTINUATIONS}]{{1,3}}")


def _read_again(source: str, output: str) -> str | None:
    """Letters of UTF-8 that were read as those of Windows."""

    def decode(match: re.Match[str]) -> str:
        text = match.group()
        for size in range(len(text), 1, -1):
            for encoding in ("cp1252", "latin-1"):
                try:
                    return text[:size].encode(encoding).decode("utf-8") + text[size:]
                except UnicodeError:
                    pass
        return text

    if _MISREAD.search(source):
        return None
    text = _MISREAD.sub(decode, output)
    return None if text == output else text


_ENTITY = compile_later(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#x[0-9a-fA-F]{1,6});")


def _without_entities(source: str, output: str) -> str | None:
    if not _ENTITY.search(output) or _ENTITY.search(source):
        return None
    import html  # a table of two thousand entities

    text = _ENTITY.sub(lambda match: html.unescape(match.group()), output)
    return None if text == output else text


_LABEL = (
    r"(?:corrected|correct|corrections?|output|answer|revised|revision|edited|fixed|improved|rewritten|result|response"
    r"|assistant|hypothesis|hyp|prediction|target|grammatically\s+correct)"
)
_BEFORE_TEXT = r"[\s*_]*[:：][\s*_]*"
_CHAT_ROLE = r"(?:assistant|model|user|system)?"

_UNFINISHED = compile_later(r"\s*<(?:think|thinking|reasoning|thought)>(?!.*</(?:think|reason|thought))", re.DOTALL)
_BY_SOURCES = "the sources stand for them"

_GOES = "He go home ."
_WENT = "He goes home ."

UNTIDY_KINDS: tuple[UntidyKind, ...] = (
    UntidyKind(
        "think-blocks",
        "have a block of thoughts (<think>)",
        _without(
            r"^.*?</(?:think|thinking|reasoning|thought)>\s*", blocks=("think", "thinking", "reasoning", "thought")
        ),
        (_GOES, "<think> It is go . </think> He goes home .", _WENT),
        "<",
    ),
    UntidyKind(
        "unfinished-thoughts",
        "have a block of thoughts that does not end, and so no output",
        lambda source, output: source if _UNFINISHED.match(output) and not _UNFINISHED.match(source) else None,
        (_GOES, "<think> It is go .", _GOES),
        "<",
        guess=_BY_SOURCES,
    ),
    UntidyKind(
        "chat-tags",
        "have tags of a chat, such as <|im_end|> or [/INST]",
        _without(
            rf"<\|im_start\|>\s*{_CHAT_ROLE}\s*|<\|start_header_id\|>\s*+\w*+\s*+<\|end_header_id\|>\s*"
            rf"|<start_of_turn>\s*{_CHAT_ROLE}\s*|<end_of_turn>\s*|(?:(?<!\s)\s++)?<\|[^<>|\s]{{1,40}}\|>"
            r"|^.*\[/INST\]\s*|\[INST\]\s*"
        ),
        (_GOES, "<|im_start|>assistant He goes home .<|im_end|>", _WENT),
        "<[",
    ),
    UntidyKind(
        "special-tokens",
        "have special tokens of a model, such as </s> or [SEP]",
        _without(
            r"(?:</?(?:s|pad|bos|eos|eot|sep|cls|mask)>|\[(?:CLS|SEP|PAD|EOS|BOS|MASK)\]|__(?:start|end|eou)__)\s*"
        ),
        (_GOES, "He goes home . </s>", _WENT),
        "<[_",
    ),
    UntidyKind(
        "decoder-lines",
        "have the id and the score of a decoder before the text (H-12, a number)",
        _without(r"^[HDTS]-\d+\t(?:(?:-?\d+(?:\.\d*)?(?:e-?\d+)?|-?inf|nan)\t)?"),
        (_GOES, "H-12\t-0.3125\tHe goes home .", _WENT),
        "\t",
    ),
    UntidyKind(
        "tags",
        "stand between tags of their own",
        _without(r"^\s*<([A-Za-z][\w-]{2,})>(.*?)</\1>\s*+$", r"\2"),
        (_GOES, "<corrected>He goes home .</corrected>", _WENT),
        "<",
    ),
    UntidyKind(
        "code-fences",
        "stand in a code fence (```)",
        _without(
            r"^.*?```(?:\w+\s*\n|(?:text|txt|plaintext|markdown|md|json|html|xml|python|bash)\s)?+(.*?)```.*$",
            r"\1",
            least=0.4,
        ),
        (_GOES, "``` He goes home . ```", _WENT),
        "`",
    ),
    UntidyKind(
        "html",
        "have tags of HTML, such as <b>goes</b>",
        _without(
            r"</?(?:b|i|u|p|em|strong|ins|mark|span|div|font|code|pre|small|sub|sup|br"
            r"|a|li|ul|ol|td|th|tr|table|tbody|html|body|h[1-6])\b[^<>]*>",
            blocks=("del", "s", "strike"),
            least=0.3,
        ),
        (_GOES, "<p>He <del>go</del> <b>goes</b> home .</p>", _WENT),
        "<",
    ),
    UntidyKind(
        "json",
        "are values of JSON or Python, not text",
        _of_value,
        (_GOES, '{"corrected": "He goes home ."}', _WENT),
        "{[('\"",
    ),
    UntidyKind(
        "marked-edits",
        "have what was deleted and what was inserted, with marks such as [-go-]",
        _without(
            r"\[-[^][]*-\]\s*|\{--[^{}]*--\}\s*|\\DIFdel(?:begin|end)?\s*\{[^{}]*\}\s*|\{\+\+?(?P<i>[^{}]*?)\+?\+\}"
            r"|\\DIFadd\s*\{(?P<a>[^{}]*)\}|\[(?>[^][]*?(?:→|⇒|->|=>))(?P<t>[^][]*)\]",
            lambda match: next((text.strip() for text in match.groups() if text), ""),
            least=0.3,
        ),
        (_GOES, "He [-go-] {+goes+} home .", _WENT),
        "{\\[",
    ),
    UntidyKind(
        "source-too",
        "have the source and the output",
        _without_source,
        (_GOES, "He go home . -> He goes home .", _WENT),
        edge="whole",
    ),
    UntidyKind(
        "repeated",
        "say the same several times",
        _once,
        (_GOES, "He goes home . He goes home .", _WENT),
        edge="whole",
    ),
    UntidyKind(
        "lead-ins",
        "begin with a sentence to the user, such as Sure, here is",
        _without(
            r"^\W*(?:sure|certainly|of\s+course|absolutely|ok|okay|here\s+is|here's|here\s+are|here\s+'s|i\s+corrected"
            r"|i\s+have\s+corrected|the\s+corrected|no\s+(?:changes?|corrections?|errors?))\b[^:：]{0,160}?"
            rf"{_BEFORE_TEXT}|^(?:sure|certainly|absolutely)\s*!\s*",
            least=0.4,
        ),
        (_GOES, "Sure, here is the corrected sentence: He goes home .", _WENT),
        ":：!",
    ),
    UntidyKind(
        "labels",
        "begin with a label, such as Corrected: or Output:",
        _without(
            rf"^\W*(?:the\s+)?{_LABEL}(?:\s+(?:sentence|text|version|output|form))*{_BEFORE_TEXT}",
            least=0.4,
        ),
        (_GOES, "Corrected: He goes home .", _WENT),
        ":：",
    ),
    UntidyKind(
        "explanations",
        "have an explanation behind the sentence",
        _without(
            r"(?P<sign>[.!?。！？\"'”)(\[（]|(?<!\s)[^\S\n]*+\n)\s*(?:[*_]*(?:explanations?|note|changes?(?:\s+made)?|reasons?|rationale"
            r"|corrections?(?:\s+made)?|edits?(?:\s+made)?)[*_\s]*[:：]\s*\S.*"
            r"|(?<=[(\[（\s])(?:(?:i|we)\s+)?(?:have\s+)?(?:changed|added|removed|replaced|corrected|fixed|inserted"
            r"|deleted|no\s+(?:changes?|corrections?))\b[^()]{0,400}[)\]）]\s*)$",
            lambda match: "" if match["sign"][-1] in "([（\n" else match["sign"],
            least=0.4,
        ),
        (_GOES, "He goes home . (Explanation: go needs an ending.)", _WENT),
        ":：(（[",
    ),
    UntidyKind(
        "several-lines",
        "hold several lines, of which one is like the source",
        _one_of_lines,
        (_GOES, "It needs an ending.\n\nHe goes home .\n", _WENT),
        "\n",
    ),
    UntidyKind(
        "no-change",
        "say that nothing is to be changed, and not the sentence",
        _take_source,
        (_GOES, "No changes needed.", _GOES),
    ),
    UntidyKind(
        "masked-digits",
        "have 0 or # for the digits of their sources",
        _with_digits,
        ("In 1995 he go .", "In 0000 he goes .", "In 1995 he goes ."),
        "0#",
        alone=False,
        guess="the digits were taken from the sources",
        share=0.005,
    ),
    UntidyKind(
        "markdown",
        "have signs of Markdown, such as **goes**",
        _without(
            r"~~.*?~~\s*|\*\*(?P<b>[^*]+)\*\*|__(?<!\w__)(?P<u>[^_]+)__(?!\w)"
            r"|\*(?<![\w*]\*)(?P<i>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|#(?<=^#)#{0,5}\s+",
            lambda match: next((text.strip() for text in match.groups() if text), ""),
            least=0.3,
        ),
        (_GOES, "He **goes** home .", _WENT),
        "*~_#",
    ),
    UntidyKind(
        "numbering",
        "begin with a number that the source has not",
        _without_number,
        (_GOES, "12. He goes home .", _WENT),
        "0-9",
        alone=False,
    ),
    UntidyKind(
        "bullets",
        "begin with the sign of a list",
        _without(r"^\s*[-*•>+]\s+"),
        (_GOES, "- He goes home .", _WENT),
        "-*•>+",
        alone=False,
    ),
    UntidyKind(
        "quoted",
        "stand between quotation marks that the source has not",
        _without_quotes,
        (_GOES, '"He goes home ."', _WENT),
        "\"'“‘«„「",
        alone=False,
    ),
    UntidyKind(
        "quotes",
        "have other quotation marks, apostrophes, hyphens or ellipses than their sources",
        _with_plain_signs,
        ('It \'s a " yes "', "It ’s a “ no ”", 'It \'s a " no "'),
        "“”„‟″‘’‛´ʼ`…\u2010-\u2014\u2212",
        alone=False,
    ),
    UntidyKind(
        "tick-quotes",
        "have '' for the quotation marks of their sources",
        _with_plain_signs,
        ('He say " no "', "He says '' no ''", 'He says " no "'),
        "'",
        alone=False,
        share=0.005,
    ),
    UntidyKind(
        "plain-apostrophes",
        "have ' for the apostrophes of their sources",
        _with_curved_apostrophes,
        ("It’s a yes", "It's a no", "It’s a no"),
        "'",
        alone=False,
        share=0.005,
    ),
    UntidyKind(
        "bpe",
        "have pieces of words, cut by BPE (@@)",
        _without(r"@@(?: |$)"),
        (_GOES, "He go@@ es home .", _WENT),
        "@",
    ),
    UntidyKind(
        "joiners",
        "have a mark next to signs that a tokeniser parted, such as @-@",
        _without(r" ?@([-/:.,&'])@ ?", r"\1"),
        ("a well-known man", "the well @-@ known man", "the well-known man"),
        "@",
    ),
    UntidyKind(
        "sentencepiece",
        "have pieces of words, cut by SentencePiece (▁)",
        _join_pieces_at("▁"),
        (_GOES, "▁He ▁go es ▁home ▁.", _WENT),
        "▁",
    ),
    UntidyKind(
        "wordpiece",
        "have pieces of words, cut by WordPiece (##)",
        _without(r" ##(?=\w)"),
        (_GOES, "He go ##es home .", _WENT),
        "#",
    ),
    UntidyKind(
        "byte-pieces",
        "have pieces of words in bytes (Ġ)",
        _join_pieces_at("Ġ"),
        (_GOES, "He Ġgo es Ġhome Ġ.", _WENT),
        "Ġ",
    ),
    UntidyKind(
        "cyrillic-letters",
        "have Cyrillic or Greek letters that look like those of their sources",
        _with_own_letters(_CYRILLIC_OR_GREEK, _LATIN, _LIKE_LATIN),
        (_GOES, "Hе gоes home .", _WENT),
        "\u0370-\u052f",
        alone=False,
    ),
    UntidyKind(
        "latin-letters",
        "have Latin letters that look like those of their sources",
        _with_own_letters(_LATIN, _CYRILLIC_OR_GREEK, _LIKE_CYRILLIC),
        ("Він дома .", "Biн вдома .", "Він вдома ."),
        "A-Za-z",
        alone=False,
    ),
    UntidyKind(
        "traditional-characters",
        "have traditional characters where their sources have simplified ones",
        _with_forms_of_source,
        ("这个学校很好", "這個學校非常好", "这个学校非常好"),
        _COMMON_FORMS[0],
        alone=False,
    ),
    UntidyKind(
        "simplified-characters",
        "have simplified characters where their sources have traditional ones",
        _with_forms_of_source,
        ("這個學校很好", "这个学校非常好", "這個學校非常好"),
        _COMMON_FORMS[1],
        alone=False,
    ),
    UntidyKind(
        "unknown-words",
        "have a sign for unknown words, such as <unk>",
        _with_words,
        ("He go to Kyoto .", "He goes to <unk> .", "He goes to Kyoto ."),
        "<[⁇@",
        guess="the words were taken from the sources",
    ),
    UntidyKind(
        "replacement-characters",
        "have U+FFFD where a letter was lost",
        _with_letters,
        ("the café are open", "the caf\ufffd is open", "the café is open"),
        "\ufffd",
        guess="the letters were taken from the sources",
    ),
    UntidyKind(
        "misread",
        "have letters that were read in the wrong encoding, such as Ã©",
        _read_again,
        ("the café are open", "the cafÃ© is open", "the café is open"),
        _CONTINUATIONS,
    ),
    UntidyKind(
        "entities",
        "have entities such as &quot; that the source has not",
        _without_entities,
        ('He say " no "', "He says &quot; no &quot;", 'He says " no "'),
        "&",
    ),
    UntidyKind(
        "escapes",
        "have signs written with a backslash, such as \\u00e9",
        _without(
            r"\\u[0-9a-fA-F]{4}|\\[\"'nt/]",
            lambda match: (
                chr(int(match.group()[2:], 16))
                if match.group()[1] in "uU"
                else {"n": " ", "t": " "}.get(match.group()[1], match.group()[1])
            ),
        ),
        ("the café are open", "the caf\\u00e9 is open", "the café is open"),
        "\\",
    ),
    UntidyKind(
        "bracket-words",
        "have words for brackets, such as -LRB-",
        _without(
            r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-",
            lambda match: dict(zip(("LRB", "RRB", "LSB", "RSB", "LCB", "RCB"), "()[]{}", strict=True))[
                match.group().strip("-").upper()
            ],
        ),
        ("He go ( home )", "He goes -LRB- home -RRB-", "He goes ( home )"),
        "-",
        share=0.0,
    ),
    UntidyKind(
        "invisible",
        "have characters that nobody sees, such as U+200B, where the source has none",
        _without_signs(_INVISIBLE),
        (_GOES, "\u200bHe go\u00ades home .", _WENT),
        _INVISIBLE,
    ),
    UntidyKind(
        "control-characters",
        "have control characters that the source has not",
        _without_signs(_CONTROL),
        (_GOES, "He goes\x07 home .", _WENT),
        _CONTROL,
    ),
    UntidyKind(
        "private-use",
        "have private-use characters that the source has not",
        _without_signs(_PRIVATE),
        (_GOES, "He goes\ue001 home .", _WENT),
        _PRIVATE,
    ),
)

_ALIKE = 0.5  # share of words that a text has in common with its source
EDGE = 10  # letters or bytes of a source's end, white space apart, that are looked for in its output
_LIKE = 5  # letters by which an end is known for that of its source
LONGEST_EDGE = 200  # of what stands before or behind them
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


def _learn_edge(last: bool) -> Callable[[Sequence[str], Sequence[str], float], tuple[str, Undo] | None]:
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


def _learn_columns(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns which column of tab-separated lines is the output: the one most like the source that is not the source."""
    rows = [(source, output.split("\t")) for source, output in zip(sources, outputs, strict=True)]
    rows = [(source, cells) for source, cells in rows if len(cells) > 1 and "\t" not in source]
    if not rows or len(rows) < len(outputs) / 2:
        return None
    width = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    rows = [(source, cells) for source, cells in rows if len(cells) == width]
    alike = [sum(_share(source, cells[c]) for source, cells in rows) / len(rows) for c in range(width)]
    same = [sum(source.split() == cells[c].split() for source, cells in rows) / len(rows) for c in range(width)]
    like = [c for c in range(width) if alike[c] >= _ALIKE]
    if not like:
        return None
    column = min(like, key=lambda c: (same[c] > 0.95, -alike[c]))

    def undo(source: str, output: str) -> str | None:
        cells = output.split("\t")
        return cells[column].strip() if len(cells) == width and "\t" not in source else None

    return f"column {column + 1} of {width} is the output", undo


def _share(source: str, text: str) -> float:
    """How many of the words of both are in common, from 0 to 1."""
    words, others = Counter(source.split()), Counter(text.split())
    return 2 * (words & others).total() / max(words.total() + others.total(), 1)


_UNLIKE = 0.2  # share of words that an answer to the user has in common with its source, at most
_FEWEST_SAME = 3  # lines


def _learn_answer(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
    """Learns a text that many different sources have as their output, and that is like none of them."""

    def is_answer(source: str, output: str) -> bool:
        return output.strip() != source.strip() and _share(source, output) < _UNLIKE

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


_ODD_SIGNS = "#()*+/<=>@[\\]_`{|}~^\u2190-\u2bff\U0001f000-\U0001faff"
_ODD_SIGN = compile_later("[" + re.sub(r"([\\\[\]^])", r"\\\1", _ODD_SIGNS) + "]")


def _learn_sign(sources: Sequence[str], outputs: Sequence[str], each: float) -> tuple[str, Undo] | None:
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


_LEFT_OUT = "the sign was left out, and the words around it stay"
LEARNED_KINDS: tuple[LearnedKind, ...] = (
    LearnedKind("columns", "have tabs, and the output in one of their columns", _learn_columns, "\t"),
    LearnedKind("prefix", "have more at the beginning than their sources", _learn_edge(last=False), edge="begin"),
    LearnedKind("suffix", "have more at the end than their sources", _learn_edge(last=True), edge="end"),
    LearnedKind("same-answer", "have one answer for different sources", _learn_answer, guess=_BY_SOURCES),
    LearnedKind("odd-sign", "have a sign that their sources have not", _learn_sign, _ODD_SIGNS, guess=_LEFT_OUT),
)
ALL_KINDS: tuple[UntidyKind | LearnedKind, ...] = (*UNTIDY_KINDS, *LEARNED_KINDS)
