"""The slow twins of the kernels that scan texts and compare outputs with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

BLANKS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "


def sign_groups(text: str, begins: Sequence[int], groups: Sequence[int]) -> int:
    """The union of the groups of all signs of a text."""
    union = 0
    for sign in text:
        union |= groups[max(place for place, begin in enumerate(begins) if begin <= ord(sign))]
    return union


def groups_of_parts(text: str, parts: Sequence[str], groups: Sequence[int]) -> int:
    """The union of the groups of all parts that stand in a text, capitals of ASCII as small letters."""
    small = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    union = 0
    for part, group in zip(parts, groups, strict=True):
        if part in small:
            union |= group
    return union


def has_case(letter: str) -> bool:
    """Whether a letter is of the scripts whose capitals are counted."""
    return ord(letter) < 0x180 and letter not in "ªµº" and letter.isalpha()


def is_capital(letter: str) -> bool:
    return has_case(letter) and letter.isupper()


def makeup(text: str) -> list[int]:
    """Bytes without white space, words, capitals, small letters, words in capitals, and the ending; for letters of
    Latin alone.
    """
    words = text.split()
    capitals = [sum(map(is_capital, word)) for word in words]
    small = [sum(has_case(c) and c.islower() for c in word) for word in words]
    in_a_row = [any(is_capital(a) and is_capital(b) for a, b in pairwise(word)) for word in words]
    shouted = sum(c and not s for c, s in zip(in_a_row, small, strict=True))
    last = text.strip()[-1:]
    ending = 1 if last and last in ".?!。？！" else 2 if last and not is_mark(last) else 0
    return [sum(len(word.encode()) for word in words), len(words), sum(capitals), sum(small), shouted, ending]


def is_mark(sign: str) -> bool:
    code = ord(sign)
    if code < 0x80:
        return not sign.isalnum()
    return 0x80 <= code < 0xC0 or 0x2000 <= code < 0x2080 or 0x3000 <= code < 0x3040 or 0xFF00 <= code < 0xFF80


def pair_bits(source: str, output: str, width: int, farthest: int) -> int:
    """What the ends of an output are to those of its source, and how what they share is cut."""
    return edge_bits(source.encode(), output.encode(), width, farthest) | cut_bits(source, output)


def edge_bits(source: bytes, output: bytes, width: int, farthest: int) -> int:
    source, output = (bytes(byte for byte in text if chr(byte) not in BLANKS) for text in (source, output))
    if len(source) < width or len(output) < width:
        return 3
    begin, end = source[:width], source[len(source) - width :]
    last = output[max(len(output) - farthest, 0) :]
    other_begin, other_end = not output.startswith(begin), not output.endswith(end)
    more_before, more_behind = other_begin and begin in output[:farthest], other_end and end in last
    return other_begin + 2 * other_end + 4 * more_before + 8 * more_behind


def cut_bits(source: str, output: str) -> int:
    """The same signs at both beginnings and at both ends: which of them stand alone in one text only."""
    sides = [[place for place, sign in enumerate(text) if sign not in BLANKS] for text in (source, output)]
    size = min(map(len, sides))
    same = 0
    while same < size and source[sides[0][same]] == output[sides[1][same]]:
        same += 1
    pairs = [(sides[0][n], sides[1][n]) for n in range(same)]
    behind = 1
    while behind <= size - same and source[sides[0][-behind]] == output[sides[1][-behind]]:
        pairs.append((sides[0][-behind], sides[1][-behind]))
        behind += 1
    left = sides[0][same : len(sides[0]) - behind + 1]
    lost = same + behind - 1 == len(sides[1]) and sum(map(weight, (source[i] for i in left))) >= 10
    return sum({bit for i, k in pairs if (bit := cut_bit(source, i, output, k))}) + 128 * lost


def weight(sign: str) -> int:
    """How many letters a sign counts as: three in scripts without blanks."""
    return 3 if 0x3000 <= ord(sign) < 0xE000 else 1


def cut_bit(source: str, i: int, output: str, k: int) -> int:
    if not i or not k or (source[i - 1] in BLANKS) == (output[k - 1] in BLANKS):
        return 0
    apart = source[i - 1] in BLANKS
    before = (source[:i] if apart else output[:k]).rstrip(BLANKS)[-1:]
    clitic = source[i:].startswith(("n't", "'"))
    if not before or not (clitic or is_mark(source[i]) or is_mark(before)):
        return 0
    return 64 if not apart else 32 if clitic else 16
