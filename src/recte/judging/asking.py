"""What judges share, whatever they are asked: several requests at a time, answers checked, a budget, nothing lost."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from queue import SimpleQueue
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError
from recte.judging.budget import Budget, estimated_tokens
from recte.judging.endpoint import Endpoint
from recte.judging.prompts import PROMPT_VERSION, Basis, Criterion
from recte.notices import tell

__all__ = ["Asking"]

Pair = tuple[str, str]
EditLists = Callable[[Sequence[Pair]], Sequence[Sequence[str]]]
Messages = list[dict[str, str]]


@dataclass
class Asking(ABC):
    """A model asked by one criterion; what `recte.neural.results` needs to ask it once for each distinct input.

    An input is a source and one or more hypotheses. `edit_lists` gives the edits of pairs as text, where the judge sees
    these instead of corrected sentences. `answers` is how often it is asked again where the answer is none. All that
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
    width: ClassVar[int] = 2  # what was said, flag
    rows_dtype: ClassVar[type[np.float64]] = np.float64

    @abstractmethod
    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        """The request about a source and its hypotheses, whose edits are given where the judge sees them."""

    @abstractmethod
    def said(self, content: str) -> tuple[int, bool]:
        """A model's answer as a number and a flag; `ValueError` where it is anything else."""

    @property
    def title(self) -> str:
        return f"asking {self.endpoint.model}"

    @property
    def signature(self) -> str:
        """Who judges: the model, whose it is, and the prompt's version."""
        return f"{self.endpoint.model}@{self.endpoint.host}+prompt{PROMPT_VERSION}"

    @property
    def key(self) -> str:
        """Everything that an answer depends on, beside the texts."""
        asked = self.messages(("", "", ""), ((), ()))[0]["content"]
        return json.dumps([self.endpoint.address, self.endpoint.model, self.criterion, self.basis, asked, self.schema])

    def check(self) -> None:
        """Whether there is somebody to ask."""
        if not self.endpoint.model:
            raise OptionError("judge: expected the name of a model, got none")

    def estimated_tokens(self, inputs: Sequence[tuple[str, ...]]) -> int:
        """About how many tokens these requests would take, answers included."""
        asked = zip(inputs, self._edits(inputs), strict=True)
        return sum(estimated_tokens(self.messages(texts, edits)) for texts, edits in asked)

    def scored(self, inputs: Sequence[object]) -> Iterator[tuple[Sequence[int], NDArray[np.float64]]]:
        """Places and rows as answers come in; what was answered before something went wrong has been given."""
        self.check()
        asked = [texts for texts in inputs if isinstance(texts, tuple)]
        waiting = iter(zip(range(len(asked)), asked, self._edits(asked), strict=True))
        answered: SimpleQueue[tuple[int, tuple[int, bool] | Exception]] = SimpleQueue()
        stopped = threading.Event()

        def ask(place: int, texts: tuple[str, ...], edits: Sequence[Sequence[str]]) -> None:
            try:
                answered.put((place, self._judged(texts, edits, stopped)))
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
                place, said = answered.get()
                running -= 1
                if isinstance(said, Exception):
                    failure = failure or said
                    stopped.set()  # those on their way are still taken: somebody pays for them
                else:
                    yield [place], np.array([said], dtype=np.float64)
        finally:
            stopped.set()
            tell(f"cost of {self.signature}", f"{self.signature}: {self.budget}")
        if failure:
            raise failure

    def _edits(self, asked: Sequence[tuple[str, ...]]) -> list[Sequence[Sequence[str]]]:
        """The edits of each input's hypotheses, where the judge sees them."""
        if self.basis == "sentence":
            return [()] * len(asked)
        found = iter(self.edit_lists([(source, hypothesis) for source, *of in asked for hypothesis in of]))
        return [tuple(islice(found, len(texts) - 1)) for texts in asked]

    def _judged(
        self, texts: Sequence[str], edits: Sequence[Sequence[str]], stopped: threading.Event
    ) -> tuple[int, bool]:
        asked = self.messages(texts, edits)
        for _ in range(self.answers):
            reply = self.endpoint.ask(asked, self.schema, stopped, self.budget)
            try:
                return self.said(reply.content)
            except ValueError as error:
                trouble = str(error)
        raise InputError(f"{trouble}, {self.answers} times, for the hypothesis {texts[1][:60]!r}", self.endpoint.host)
