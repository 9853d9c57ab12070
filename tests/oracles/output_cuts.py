"""The slow twin of the kernel that says where raw outputs are cut: every step as its header has it."""

from __future__ import annotations

from functools import cache

NO, CUT, OPEN, BLANK = range(4)


def characters(text: str) -> list[tuple[str, bool]]:
    """Each character but white space, and whether a word begins with it."""
    return [(c, place == 0) for word in text.split() for place, c in enumerate(word)]


def partners(source: str, output: str) -> list[int | None]:
    """For each character of the output its place in the source."""
    shorter = min(len(source), len(output))
    first = next((k for k in range(shorter) if source[k] != output[k]), shorter)
    last = next((k for k in range(shorter - first) if source[-1 - k] != output[-1 - k]), shorter - first)
    partner: list[int | None] = [*range(first), *[None] * (len(output) - first)]
    for k in range(1, last + 1):
        partner[-k] = len(source) - k
    source_end, output_end = len(source) - last, len(output) - last

    @cache
    def common(i: int, j: int) -> int:
        if i == source_end or j == output_end:
            return 0
        if source[i] == output[j]:
            return 1 + common(i + 1, j + 1)
        return max(common(i + 1, j), common(i, j + 1))

    i = j = first
    while i < source_end and j < output_end:
        if source[i] == output[j]:
            partner[j] = i
            i, j = i + 1, j + 1
        elif common(i, j + 1) == common(i, j):
            j += 1
        else:
            i += 1
    return partner


def cuts(source_text: str, output_text: str, is_letter) -> list[int]:
    """What is before each character of the output that is no white space."""
    source, output = characters(source_text), characters(output_text)
    partner = partners("".join(c for c, _ in source), "".join(c for c, _ in output))
    tokens = source_text.split()
    token_of = [number for number, token in enumerate(tokens) for _ in token]
    begin_of = [token_of.index(number) for number in range(len(tokens))]
    words = [all(map(is_letter, token)) for token in tokens]

    def stands_whole(number: int) -> bool:
        begin, size = begin_of[number], len(tokens[number])
        if begin not in partner:
            return False
        at = partner.index(begin)
        run = output[at : at + size]
        return partner[at : at + size] == [*range(begin, begin + size)] and not any(b for _, b in run[1:])

    def before(j: int) -> int:
        if output[j][1]:
            return CUT
        left, here = partner[j - 1], partner[j]
        if left is None or here is None or here != left + 1:
            ends = here == len(source) - 1 and j == len(output) - 1 and source[-1][1] and not is_letter(output[j][0])
            return CUT if ends else OPEN
        number = token_of[here]
        if not source[here][1]:
            return NO if stands_whole(number) else OPEN
        if not (is_letter(output[j - 1][0]) and is_letter(output[j][0])):
            return CUT
        whole = stands_whole(number - 1) and stands_whole(number)
        return CUT if whole and not words[number] and len(tokens[number]) <= 3 else OPEN

    return [before(j) for j in range(len(output))]
