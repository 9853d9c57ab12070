"""Traditional characters into simplified ones, as OpenCC's `t2s` does it, phrases included.

The table is OpenCC's (`tools/chinese_tables.py` writes it), so that nothing has to be installed and the answer stays
the same.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["SIMPLIFIED_NAME", "simplified"]

SIMPLIFIED_NAME = "opencc-1.4.2"


class _Table(NamedTuple):
    variants: dict[int, str]  # one character written in two ways
    forms: dict[str, str]  # phrases and characters
    pattern: re.Pattern[str]
    affected: frozenset[str]  # a text without these stays as it is


@cache
def _table() -> _Table:
    parts: dict[str, dict[str, str]] = {}
    part: dict[str, str] = {}
    for line in files("recte.text").joinpath("data", "simplified.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            part = parts.setdefault(line[2:], {})
        else:
            old, new = line.split("\t")
            part[old] = new
    variants, phrases, characters = parts["variants"], parts["phrases"], parts["characters"]
    longest_first = sorted(phrases, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, longest_first), f"[{re.escape(''.join(characters))}]"]))
    changed = {a for old, new in phrases.items() for a, b in zip(old, new, strict=True) if a != b}
    affected = frozenset({*characters, *variants, *changed})
    return _Table(str.maketrans(variants), {**characters, **phrases}, pattern, affected)


def simplified(text: str) -> str:
    """The text in simplified characters.

    >>> simplified("這個乾坤很乾淨")
    '这个乾坤很干净'
    """
    table = _table()
    if table.affected.isdisjoint(text):
        return text
    return table.pattern.sub(lambda found: table.forms[found[0]], text.translate(table.variants))
