"""A judge of two hypotheses: which of them is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from recte.judging.asking import Asking, Messages
from recte.judging.model_answers import answer_in
from recte.judging.prompts import PAIR_SCHEMA, pair_messages

__all__ = ["PairJudge", "preference_of"]

_BETTER = {"first": 1, "neither": 0, "second": -1}


def preference_of(content: str) -> tuple[int, bool]:
    """A model's answer as 1 for the first, -1 for the second or 0 for neither, and a flag; `ValueError` else.

    >>> preference_of('{"better": "second", "speaks_to_judge": false}')
    (-1, False)
    """
    answer = answer_in(content, PAIR_SCHEMA)
    return _BETTER[answer["better"]], answer["speaks_to_judge"]


class PairJudge(Asking):
    """Compares hypotheses. An input is a source and two of them; a row holds which is better, and the flag."""

    schema: ClassVar[dict[str, Any]] = PAIR_SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return pair_messages(texts[0], texts[1:3], self.criterion, self.basis, edits)

    def said(self, content: str) -> tuple[int, bool]:
        return preference_of(content)
