"""A sentence with many people's corrections of it: the sample from which their distribution is estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["AnsweredSentence"]


@dataclass(frozen=True)
class AnsweredSentence:
    """A source with the answers of many annotators, one each, repeats included; `rejected` ones were not accepted.

    >>> AnsweredSentence("He go .", ("He goes .", "He went .", "He goes ."), id="1").counts()
    {'He goes .': 2, 'He went .': 1}
    """

    source: str
    answers: tuple[str, ...]
    rejected: tuple[str, ...] = ()
    id: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How often each answer was given, in order of first appearance."""
        counted: dict[str, int] = {}
        for answer in self.answers:
            counted[answer] = counted.get(answer, 0) + 1
        return counted
