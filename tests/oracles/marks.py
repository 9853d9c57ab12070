"""Marks that stand alone and marks at a word, one letter after the other."""

from __future__ import annotations

INNER, FINAL, FULL_WIDTH = ",;?!", ".?!。？！", "，；。？！"


def count_marks(text: str) -> tuple[int, int]:
    alone = joined = 0
    for i in range(1, len(text)):
        before, sign, behind = text[i - 1], text[i], text[i + 1 :]
        is_mark = (
            (sign in FINAL and not behind.strip()) or (sign in INNER and behind[:1].isspace()) or sign in FULL_WIDTH
        )
        if is_mark:
            alone += before.isspace()
            joined += before.isalnum() or before == "_"
    return alone, joined
