"""A judge of single hypotheses: pairs of source and hypothesis into scores from 1 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from recte.judging.asking import Asking, Messages, Pair
from recte.judging.model_answers import answer_in
from recte.judging.prompts import SCHEMA, messages

__all__ = ["Judge", "Pair", "judgment_of"]


def judgment_of(content: str) -> tuple[int, bool]:
    """A model's answer as score and flag; `ValueError` where it is anything else.

    >>> judgment_of('{"score": 4, "speaks_to_judge": false}')
    (4, False)
    """
    answer = answer_in(content, SCHEMA)
    return answer["score"], answer["speaks_to_judge"]


class Judge(Asking):
    """Scores hypotheses one by one. An input is a source and a hypothesis; a row holds the score and the flag."""

    schema: ClassVar[dict[str, Any]] = SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return messages(texts[0], texts[1], self.criterion, self.basis, edits[0] if edits else ())

    def said(self, content: str) -> tuple[int, bool]:
        return judgment_of(content)
