"""Requests to a language model as a judge: several at a time, checked answers, a budget, and what a run would cost."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from queue import SimpleQueue
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import unknown_inputs
from recte.errors import InputError, OptionError
from recte.judges.budget import Budget, estimate_tokens
from recte.judges.endpoint import Endpoint
from recte.judges.prompts import PROMPT_VERSION, Basis, Criterion
from recte.messages import note

__all__ = ["EditLists", "JudgeClient", "Messages", "Pair", "describe_cost"]

Pair = tuple[str, str]
EditLists = Callable[[Sequence[Pair]], Sequence[Sequence[str]]]
Messages = list[dict[str, str]]


@dataclass
class JudgeClient(ABC):
    """A model that judges by one criterion; `recte.caching.result_cache` asks it once for each distinct input.

    An input is a source and one or more hypotheses. `edit_lists` gives the edits of pairs as text, where the judge sees
    these instead of corrected sentences. `answers` is how often it is asked for an answer that can be read. All that
    share a `budget` spend from it.
    """

    endpoint: Endpoint
    criterion: Criterion
    basis: Basis
    edit_lists: EditLists
    answers: int = 3
    at_once: int = 4
    budget: Budget = field(default_factory=Budget)

    schema: ClassVar[dict[str, Any]]
    paid: ClassVar[bool] = True
    width: ClassVar[int] = 2  # answer, flag
    rows_dtype: ClassVar[type[np.float64]] = np.float64

    @abstractmethod
    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        """The request about a source and its hypotheses, whose edits are given where the judge sees them."""

    @abstractmethod
    def read_answer(self, content: str) -> tuple[int, bool]:
        """A model's answer as a number and a flag; `ValueError` where it is anything else."""

    @property
    def title(self) -> str:
        return f"asking {self.endpoint.model}"

    @property
    def signature(self) -> str:
        """The model, its host, and the version of the prompt."""
        return f"{self.endpoint.model}@{self.endpoint.host}+prompt{PROMPT_VERSION}"

    @property
    def key(self) -> str:
        """Everything that an answer depends on, the texts aside."""
        asked = self.messages(("", "", ""), ((), ()))[0]["content"]
        return json.dumps([self.endpoint.address, self.endpoint.model, self.criterion, self.basis, asked, self.schema])

    def check(self) -> None:
        """Raises an `OptionError` where no model is named."""
        if not self.endpoint.model:
            raise OptionError("judge: expected the name of a model, got none")

    def estimate_tokens(self, inputs: Sequence[tuple[str, ...]]) -> int:
        """About how many tokens these requests would take, answers included."""
        asked = zip(inputs, self._edits(inputs), strict=True)
        return sum(estimate_tokens(self.messages(texts, edits)) for texts, edits in asked)

    def score_inputs(self, inputs: Sequence[object]) -> Iterator[tuple[Sequence[int], NDArray[np.float64]]]:
        """Places and rows as answers come in; what was answered before something went wrong has been given."""
        self.check()
        asked = [texts for texts in inputs if isinstance(texts, tuple)]
        waiting = iter(zip(range(len(asked)), asked, self._edits(asked), strict=True))
        answered: SimpleQueue[tuple[int, tuple[int, bool] | Exception]] = SimpleQueue()
        stopped = threading.Event()

        def ask(place: int, texts: tuple[str, ...], edits: Sequence[Sequence[str]]) -> None:
            try:
                answered.put((place, self._judge(texts, edits, stopped)))
            except Exception as error:  # raised where answers are taken
                answered.put((place, error))

        running, failure = 0, None
        try:
            while True:
                for request in islice(waiting, 0 if failure else self.at_once - running):
                    # Not a pool: Python waits for its threads at the end, and a server may take minutes.
                    threading.Thread(target=ask, args=request, daemon=True).start()
                    running += 1
                if not running:
                    break
                place, outcome = answered.get()
                running -= 1
                if isinstance(outcome, Exception):
                    failure = failure or outcome
                    stopped.set()  # requests that were sent are still awaited: they cost money
                else:
                    yield [place], np.array([outcome], dtype=np.float64)
        finally:
            stopped.set()
            note(f"{self.signature}: {self.budget}", subject=f"cost of {self.signature}")
        if failure:
            raise failure

    def _edits(self, asked: Sequence[tuple[str, ...]]) -> list[Sequence[Sequence[str]]]:
        """The edits of each input's hypotheses, where the judge sees them."""
        if self.basis == "sentence":
            return [()] * len(asked)
        edit_lists = iter(self.edit_lists([(source, hypothesis) for source, *of in asked for hypothesis in of]))
        return [tuple(islice(edit_lists, len(texts) - 1)) for texts in asked]

    def _judge(
        self, texts: Sequence[str], edits: Sequence[Sequence[str]], stopped: threading.Event
    ) -> tuple[int, bool]:
        asked = self.messages(texts, edits)
        for _ in range(self.answers):
            reply = self.endpoint.ask(asked, self.schema, stopped, self.budget)
            try:
                return self.read_answer(reply.content)
            except ValueError as error:
                trouble = str(error)
        raise InputError(f"{trouble}, {self.answers} times, for the hypothesis {texts[1][:60]!r}", self.endpoint.host)


def describe_cost(judge: JudgeClient, inputs: Collection[tuple[str, ...]]) -> str:
    """How many requests distinct inputs are, how many of them are not cached, and about how many tokens those take."""
    judge.check()
    distinct = list(dict.fromkeys(inputs))
    missing = [texts for texts in unknown_inputs(judge, distinct) if isinstance(texts, tuple)]
    known = len(distinct) - len(missing)
    return (
        f"{_requests(len(distinct))}, about {judge.estimate_tokens(distinct):,} tokens; {known:,} of them "
        f"{'is' if known == 1 else 'are'} answered in the cache: {_requests(len(missing))} to {judge.endpoint.host} "
        f"{'is' if len(missing) == 1 else 'are'} left, about {judge.estimate_tokens(missing):,} tokens"
    )


def _requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"
