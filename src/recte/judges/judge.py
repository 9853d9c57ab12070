"""Judges: one scores a hypothesis from 1 to 5, the other says which of two is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from recte.judges.judge_client import JudgeClient, Messages, Pair
from recte.judges.model_answers import answer_in
from recte.judges.prompts import PAIR_SCHEMA, SCHEMA, messages, pair_messages

__all__ = ["Judge", "Pair", "PairJudge", "read_judgment", "read_preference"]

_BETTER = {"first": 1, "neither": 0, "second": -1}


def read_judgment(content: str) -> tuple[int, bool]:
    """A model's answer as score and flag; `ValueError` where it is anything else.

    >>> read_judgment('{"score": 4, "speaks_to_judge": false}')
    (4, False)
    """
    answer = answer_in(content, SCHEMA)
    return answer["score"], answer["speaks_to_judge"]


def read_preference(content: str) -> tuple[int, bool]:
    """A model's answer as 1 for the first, -1 for the second or 0 for neither, and a flag; else a `ValueError`.

    >>> read_preference('{"better": "second", "speaks_to_judge": false}')
    (-1, False)
    """
    answer = answer_in(content, PAIR_SCHEMA)
    return _BETTER[answer["better"]], answer["speaks_to_judge"]


class Judge(JudgeClient):
    """Scores hypotheses one by one. An input is a source and a hypothesis; a row holds the score and the flag."""

    schema: ClassVar[dict[str, Any]] = SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return messages(texts[0], texts[1], self.criterion, self.basis, edits[0] if edits else ())

    def read_answer(self, content: str) -> tuple[int, bool]:
        return read_judgment(content)


class PairJudge(JudgeClient):
    """Compares hypotheses. An input is a source and two of them; a row holds which is better, and the flag."""

    schema: ClassVar[dict[str, Any]] = PAIR_SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return pair_messages(texts[0], texts[1:3], self.criterion, self.basis, edits)

    def read_answer(self, content: str) -> tuple[int, bool]:
        return read_preference(content)
