"""Rules that take something out of an output, by patterns and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from recte.patterns import compile_later
from recte.text.untidiness.kinds import EDGE, Undo
from recte.text.untidiness.likeness import takes_words

__all__ = ["join_pieces_at", "without", "without_signs", "without_tag_pairs"]

_MOST_NAMES = 20  # of tags in a line


def without(
    pattern: str,
    by: str | Callable[[re.Match[str]], str] = "",
    *,
    blocks: Sequence[str] = (),
    least: float = 0.0,
    others: bool = False,
) -> Undo:
    """Replaces what a pattern finds, and leaves out blocks between tags of some names.

    Where the pattern finds something in the source, only what stands around that is replaced. What is left has at least
    this share of the source's length. With `others`, what is replaced stands around the sentence: an output stays as it
    is where most words of that are the source's, and what is left has not these.

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
        if not text or len(text) < least * len(source) or (others and takes_words(source, output, text)):
            return None
        return text

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


def without_signs(signs: str) -> Undo:
    """Leaves out signs that the source has not."""
    pattern = compile_later(f"[{signs}]+")

    def undo(source: str, output: str) -> str | None:
        if pattern.search(output) is None or pattern.search(source) is not None:
            return None
        return pattern.sub("", output)

    return undo


def join_pieces_at(mark: str) -> Undo:
    """Joins pieces of words; the mark stands where a word begins."""

    def undo(source: str, output: str) -> str | None:
        if 2 * output.count(mark) < len(output.split()) or mark not in output or mark in source:
            return None
        return output.replace(" ", "").replace(mark, " ").strip()

    return undo


_END_TAG = compile_later(r"[<\[]/([A-Za-z][\w:-]{0,30})[>\]]")


def without_tag_pairs(source: str, output: str) -> str | None:
    """Leaves out tags of any name, such as `<c>` or `[b]`, where both a beginning and an end are there."""
    names = set(_END_TAG.findall(output))
    if not names or len(names) > _MOST_NAMES or _END_TAG.search(source):
        return None
    any_name = "|".join(map(re.escape, names))
    beginning = re.compile(rf"<(?:{any_name})(?:\s[^<>]*)?>|\[(?:{any_name})(?:[=\s][^\[\]]*)?\]")
    if not beginning.search(output):
        return None
    text = re.sub(rf"[<\[]/(?:{any_name})[>\]]", "", beginning.sub("", output)).strip()
    return text or None
