"""Rules for letters and signs: what was written, read or masked in another way than in the source."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping

from recte.patterns import compile_later
from recte.text.untidiness.kinds import Undo

__all__ = [
    "COMMON_FORMS",
    "SIGNS_OF_MISREAD",
    "read_again",
    "with_curved_apostrophes",
    "with_digits",
    "with_forms_of_source",
    "with_letters",
    "with_letters_like_cyrillic",
    "with_letters_like_latin",
    "with_plain_signs",
    "with_words",
    "without_entities",
]

_LIKE_LATIN = str.maketrans(
    "асеорхуіѕјԁһɡАВЕЅІКМНОРСТХУЈ" + "οιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyisjdhgABESIKMHOPCTXYJ" + "oiABEZHIKMNOPTYX"
)
_LIKE_CYRILLIC = str.maketrans("aceopxyiABEIKMHOPCTXY", "асеорхуіАВЕІКМНОРСТХУ")
_LATIN, _CYRILLIC_OR_GREEK = compile_later("[A-Za-z]"), compile_later("[\u0370-\u052f]")


def _with_own_letters(foreign: re.Pattern[str], usual: re.Pattern[str], table: Mapping[int, int]) -> Undo:
    """Writes letters of another script as those that look like them, in words that are then in one script."""

    def undo(source: str, output: str) -> str | None:
        if (source.isascii() and output.isascii()) or not usual.search(source) or not foreign.search(output):
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


with_letters_like_latin = _with_own_letters(_CYRILLIC_OR_GREEK, _LATIN, _LIKE_LATIN)
with_letters_like_cyrillic = _with_own_letters(_LATIN, _CYRILLIC_OR_GREEK, _LIKE_CYRILLIC)
_PLAIN_SIGNS = {
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‘’‛´ʼ", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    "``": '"',
    "''": '"',
    "…": "...",
    "`": "'",
}
# A long dash next to white space may be a correction.
_OTHER_SIGN = compile_later(
    "|".join(sign if sign not in "\u2014\u2212" else rf"(?<=\w){sign}(?=\w)" for sign in _PLAIN_SIGNS)
)


def with_plain_signs(source: str, output: str) -> str | None:
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


def with_curved_apostrophes(source: str, output: str) -> str | None:
    """Apostrophes inside words as the source has them, where the output has lost all of these."""
    curved = None if source.isascii() else _CURVED_APOSTROPHE.search(source)
    if curved is None or "'" in source or curved[0] in output or not _APOSTROPHE.search(output):
        return None
    return _APOSTROPHE.sub(curved[0], output)


COMMON_FORMS = (  # of characters that are written in two ways: traditional, simplified
    "們個這學時來為國會對說後現樣過沒語麼發開還經覺間問從當題於動話習種業點給氣愛長歡認讓關應體電師漢實難變與該節響",
    "们个这学时来为国会对说后现样过没语么发开还经觉间问从当题于动话习种业点给气爱长欢认让关应体电师汉实难变与该节响",
)


def with_forms_of_source(source: str, output: str) -> str | None:
    """Characters in the form, traditional or simplified, that the source has, where the output has only the other."""
    from recte.text.normalisation import simplify  # a table of four thousand characters

    new, lost = set(output).difference(source), set(source).difference(output)
    forms = {ord(character): simplify(character) for character in new}
    if not lost.isdisjoint(form for code, form in forms.items() if form != chr(code)):
        own_forms = COMMON_FORMS[1]
    else:
        own_forms = COMMON_FORMS[0]
        forms = {ord(form): character for character in lost if (form := simplify(character)) in new}
    if {*COMMON_FORMS[0], *COMMON_FORMS[1]}.difference(own_forms).intersection(source):
        return None  # a source with both is corrected by one of them
    text = output.translate(forms)
    return None if text == output else text


_DIGITS = compile_later(r"\d+")
_NUMBERS_OR_MASKS, _MASK = compile_later(r"\d+|#+"), compile_later(r"0+|#+")


def with_digits(source: str, output: str) -> str | None:
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


def with_letters(source: str, output: str) -> str | None:
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


_UNKNOWN = compile_later(r"(?:<unk>|<num>|\[unk\]|⁇|@unk@)", re.IGNORECASE)


def with_words(source: str, output: str) -> str | None:
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
        first, last = max(place - _NEAR, 0), min(place + _NEAR + 1, len(words))  # places in the source
        agree = Counter(
            [i for i in range(first, last) if neighbours[i] == before]
            + [i for i in range(first, last) if neighbours[i + 2] == after]
        )
        if agree:
            tokens[place] = words[max(agree, key=lambda i: (agree[i], -abs(i - place), -i))]
    return " ".join(tokens)


CONTINUATIONS = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MISREAD = compile_later(f"[\u00c2-\u00f4][{CONTINUATIONS}]{{1,3}}")
# Encodings in which UTF-8 is read by mistake, as a whole, and signs that nearly all of such texts have.
_OTHER_ENCODINGS = ("cp1251", "mac_roman", "cp437", "gbk")
SIGNS_OF_MISREAD = f"{CONTINUATIONS}ЂЃѓљњќћџјЅѕ√Ä≠≤≥∂∑∏∫ΩΓ\u2500-\u257f锛銆鐨"
_SIGN_OF_OTHERS = compile_later("[€™ЂЃѓљњќћџјЅѕ±µ¶√Ä≠≤≥∂∑∏∫ΩΓ\u2500-\u257f锛銆鐨]")
_RUN = compile_later(r"[^\x00-\x7f]{2,}")


def read_again(source: str, output: str) -> str | None:
    """Letters of UTF-8 that were read in another encoding."""
    if _MISREAD.search(source):
        return None
    text = _MISREAD.sub(_decode, output)
    if text == output and _SIGN_OF_OTHERS.search(output) and not _SIGN_OF_OTHERS.search(source):
        text = _decode_whole(source, output) or _RUN.sub(lambda run: _decode_whole(source, run[0]) or run[0], output)
    return None if text == output else text


def _decode(match: re.Match[str]) -> str:
    """A letter that was read in Windows' encoding of Western Europe, and what is behind it."""
    text = match.group()
    for size in range(len(text), 1, -1):
        for encoding in ("cp1252", "latin-1"):
            try:
                return text[:size].encode(encoding).decode("utf-8") + text[size:]
            except UnicodeError:
                pass
    return text


def _decode_whole(source: str, text: str) -> str | None:
    """The text read in UTF-8, if all of it can be, and it then has letters of the source, or one sign for three."""
    for encoding in _OTHER_ENCODINGS:
        try:
            decoded = text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        letters = {letter for letter in decoded if letter > "\x7f"}
        if not letters.isdisjoint(source) or 3 * len(decoded) <= len(text):
            return decoded
    return None


_ENTITY = compile_later(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#x[0-9a-fA-F]{1,6});")


def without_entities(source: str, output: str) -> str | None:
    if not _ENTITY.search(output) or _ENTITY.search(source):
        return None
    import html  # a table of two thousand entities

    text = _ENTITY.sub(lambda match: html.unescape(match.group()), output)
    return None if text == output else text
