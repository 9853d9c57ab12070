"""Words of raw English text: the Treebank's, or those of mteval-v13a, which sacreBLEU takes by default."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recte.patterns import compile_later
from recte.text.treebank import treebank_words

__all__ = ["ENGLISH_WORDS", "EnglishWords", "words_13a"]

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_RULES_13A: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_later(pattern), replacement)
    for pattern, replacement in (
        (r"[{-~\[-` -&(-+:-@/]", r" \g<0> "),  # every ASCII sign but ' , - .
        (r"([^0-9])([.,])", r"\1 \2 "),  # a full stop or comma, unless digits are on both sides
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)


def words_13a(text: str) -> list[str]:
    """The words by the rules of mteval-v13a.

    >>> words_13a("He paid $1,000.50 (in 2010-11), didn't he?")
    ['He', 'paid', '$', '1,000.50', '(', 'in', '2010', '-', '11', ')', ',', "didn't", 'he', '?']
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in _ENTITIES:
        text = text.replace(entity, sign)
    text = f" {text} "
    for pattern, replacement in _RULES_13A:
        text = pattern.sub(replacement, text)
    return text.split()


_CUTS: dict[str, Callable[[str], list[str]]] = {"treebank": treebank_words, "13a": words_13a}
ENGLISH_WORDS = tuple(_CUTS)


@dataclass(frozen=True)
class EnglishWords:
    """Cuts raw text with its spaces, by one of the `ENGLISH_WORDS`.

    >>> EnglishWords("treebank")("It doesn't work.")
    ['It', 'does', "n't", 'work', '.']
    """

    name: str

    def __call__(self, text: str) -> Sequence[str]:
        return _CUTS[self.name](text)
