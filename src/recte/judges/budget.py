"""Tokens: about how many a request takes, how many were spent, and how many may be."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recte.errors import OptionError

__all__ = ["Budget", "estimate_tokens", "tokens_said"]

_BYTES_PER_TOKEN = 4  # a rule of thumb, for estimates; other scripts than Latin have more bytes, and more tokens
_ANSWER_TOKENS = 20
_MESSAGE_TOKENS = 4  # what a chat template puts around each message
_MOST_TOKENS = 10**8  # of one answer: more is no count
_CHANGED = threading.Condition()  # of all budgets: held for a moment, and not theirs, so that they pickle


def estimate_tokens(messages: Sequence[Mapping[str, str]]) -> int:
    """About how many tokens a request takes, its answer included.

    >>> estimate_tokens([{"role": "user", "content": "x" * 400}])
    124
    """
    size = sum(len(message["content"].encode("utf-8", "surrogatepass")) for message in messages)
    return size // _BYTES_PER_TOKEN + _MESSAGE_TOKENS * len(messages) + _ANSWER_TOKENS


def tokens_said(usage: object) -> int | None:
    """How many tokens a server says that an answer took; None where it says nothing that can be believed.

    >>> tokens_said({"prompt_tokens": 90, "completion_tokens": 10}), tokens_said({"total_tokens": "many"})
    (100, None)
    """
    if not isinstance(usage, Mapping):
        return None
    parts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    total = max(_count(usage.get("total_tokens")), sum(parts) if all(parts) else 0)
    return total or None


def _count(value: Any) -> int:
    """A number of tokens, 0 where it is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return int(value) if whole and 0 < value <= _MOST_TOKENS else 0


@dataclass
class Budget:
    """What requests took, and where to stop: at `limit` tokens, 0 for never.

    A request is sent once the limits allow what it is expected to take in addition to all that are on their way.
    Answers teach
    what is to be expected: the first is waited for, and none is expected to take less than the dearest so far. So the
    limit is passed only by answers on their way that are longer than every one before them.
    """

    limit: int = 0
    spent: int = 0
    answers: int = 0  # that were paid for, good or bad
    uncounted: int = 0  # of them, those whose server did not say what they took
    estimated: int = 0  # of `spent`, what was estimated for these
    _reserved: int = 0
    _dearest: float = 0.0  # tokens per estimated token

    def reserve(self, estimate: int, stopped: threading.Event) -> int:
        """Wait until a request may be sent; what it is expected to take. `OptionError` where the rest is too little.

        Once `stopped` is set, nobody waits, and nothing is reserved.
        """
        if not self.limit:
            return estimate
        with _CHANGED:
            while not stopped.is_set():
                expected = math.ceil(estimate * (self._dearest or 1.0))
                fits = self.spent + self._reserved + expected <= self.limit
                if fits and (self._dearest or not self._reserved):
                    self._reserved += expected
                    return expected
                if not self._reserved:
                    raise OptionError(
                        f"budget: {self.spent:,} of {self.limit:,} tokens are spent, and the next request takes about "
                        f"{expected:,}; answers so far are kept: run again with a larger budget to go on"
                    )
                _CHANGED.wait(0.5)
        return 0

    def release(self, expected: int) -> None:
        """The server did not do what it was asked for: nothing was spent."""
        with _CHANGED:
            self._reserved -= expected if self.limit else 0
            _CHANGED.notify_all()

    def settle(self, expected: int, estimate: int, reported: int | None) -> None:
        """A request was served, or may have been; `said` is what the server counted, None where it did not."""
        with _CHANGED:
            self._reserved -= expected if self.limit else 0
            self.answers += 1
            self.spent += expected if reported is None else reported
            if reported is None:
                self.uncounted += 1
                self.estimated += expected
            self._dearest = max(self._dearest, (expected if reported is None else reported) / max(1, estimate))
            _CHANGED.notify_all()

    def __str__(self) -> str:
        """What was spent, in words."""
        if not self.answers:
            return "no request was answered"
        line = f"{self.answers:,} request{' was' if self.answers == 1 else 's were'} answered, {self.spent:,} tokens"
        if self.uncounted:
            which = f"{self.uncounted:,} answer{'s' if self.uncounted > 1 else ''}"
            line += f" ({self.estimated:,} of them estimated, since {which} came without a count)"
        return line
