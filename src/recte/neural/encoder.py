"""Distinct texts in, one result per text out: pieces, batches of fixed shapes, a pass through the model.

Texts are cut into pieces block by block while the model works on the last ones. What the model gives stays on its
device until some batches are through, so that a GPU never waits for Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.errors import TooLongError
from recte.neural.batching import Batch, Batching
from recte.neural.loading import LoadedModel
from recte.neural.results import Input

__all__ = ["Encoder", "Pieces", "Tensors", "batching_for"]

_BLOCK = 4_096  # texts that are cut into pieces at once
_PIECES = {"cpu": 96, "cuda": 16_384}  # of a batch; small ones cost a processor little, and waste little
_MOST_NUMBERS = 1 << 28  # that a batch may give
_BATCHES_BEFORE_FETCHING = {"cpu": 1, "cuda": 16}


def batching_for(model: LoadedModel, longest: int = 0, numbers_per_piece: int = 0) -> Batching:
    """The shapes of a model's batches, which follow from the model and its device alone.

    Where a model gives many `numbers_per_piece`, as one for each word it knows, batches are smaller.
    """
    pieces = _PIECES.get(model.device.partition(":")[0], _PIECES["cpu"])
    if numbers_per_piece:
        pieces = max(1, min(pieces, _MOST_NUMBERS // numbers_per_piece))
    return Batching(pieces, longest or model.positions)


class Pieces(NamedTuple):
    """One input as the model reads it: numbers of pieces, and how many of them belong to the first of two texts."""

    place: int
    ids: Sequence[int]
    first: int


class Tensors(NamedTuple):
    """A batch on the model's device: pieces, which of them are real, and segments where the inputs are pairs."""

    ids: Any
    mask: Any
    segments: Any


@dataclass(frozen=True)
class Encoder:
    """A model with its way to read a text.

    `most` is how many pieces a text may have: longer ones are cut at the end (the longer of two texts first), or
    refused where `cuts` says no. `begin` stands before the pieces instead of the tokenizer's own special ones.
    """

    model: LoadedModel
    most: int = 0
    cuts: bool = True
    pairs: bool = False
    begin: int | None = None
    prefix: str = ""  # set before each text
    numbers_per_piece: int = 0

    def pieces(self, inputs: Sequence[Input], offset: int = 0) -> list[Pieces]:
        """Inputs cut into pieces; `offset` is the place of the first."""
        backend = self.model.tokenizer.backend_tokenizer
        backend.no_padding()
        if self.most and self.cuts:
            backend.enable_truncation(self.most, strategy="longest_first")
        else:
            backend.no_truncation()
        texts: list[Any] = list(inputs) if not self.prefix else [f"{self.prefix}{text}" for text in inputs]
        encoded = backend.encode_batch_fast(texts, add_special_tokens=self.begin is None)
        found = []
        for number, one in enumerate(encoded):
            ids = one.ids if self.begin is None else [self.begin, *one.ids]
            if not self.cuts and self.most and len(ids) > self.most:
                raise TooLongError(f"expected at most {self.most} pieces, got {len(ids)} in {inputs[number]!r:.60}")
            first = len(ids) - sum(one.type_ids) if self.pairs else len(ids)
            found.append(Pieces(offset + number, ids, first))
        return found

    def batches(self, inputs: Sequence[Input]) -> Iterator[Batch[Pieces]]:
        """The inputs in batches, each as soon as it is full."""
        return batching_for(self.model, self.most, self.numbers_per_piece).batches(self._lengths(inputs))

    def _lengths(self, inputs: Sequence[Input]) -> Iterator[tuple[int, Pieces]]:
        blocks = [(inputs[begin : begin + _BLOCK], begin) for begin in range(0, len(inputs), _BLOCK)]
        if len(blocks) == 1:  # a thread would gain nothing
            yield from ((len(one.ids), one) for one in self.pieces(*blocks[0]))
            return
        with ThreadPoolExecutor(max_workers=1) as ahead:
            waiting = None
            for block in [*blocks, None]:
                following = None if block is None else ahead.submit(self.pieces, *block)
                if waiting is not None:
                    yield from ((len(one.ids), one) for one in waiting.result())
                waiting = following

    def tensors(self, batch: Batch[Pieces]) -> Tensors:
        """A batch as the model takes it."""
        import torch

        padding = self.model.tokenizer.pad_token_id or 0
        shape = (len(batch.inputs), batch.length)
        ids = np.full(shape, padding, dtype=np.int64)
        for row, one in enumerate(batch.inputs):
            ids[row, : len(one.ids)] = one.ids
        positions = np.arange(batch.length)
        lengths = np.array([len(one.ids) for one in batch.inputs])[:, None]
        mask = positions < lengths
        segments = None
        if self.pairs:
            segments = (positions >= np.array([one.first for one in batch.inputs])[:, None]) & mask
        device = self.model.device

        def moved(array: NDArray[Any]) -> Any:
            tensor = torch.from_numpy(np.ascontiguousarray(array, dtype=np.int64))
            return tensor.pin_memory().to(device, non_blocking=True) if device.startswith("cuda") else tensor.to(device)

        return Tensors(moved(ids), moved(mask), None if segments is None else moved(segments))

    def passed(
        self, inputs: Sequence[Input], forward: Callable[[Tensors], Any]
    ) -> Iterator[tuple[list[Pieces], NDArray[np.float32]]]:
        """Inputs that went through `forward`, and what it gave for them, one row each, in any order."""
        import torch

        pending: list[tuple[Batch[Pieces], Any]] = []
        at_once = _BATCHES_BEFORE_FETCHING.get(self.model.device.partition(":")[0], 1)
        with torch.inference_mode():
            for batch in self.batches(inputs):
                pending.append((batch, forward(self.tensors(batch))))
                if len(pending) == at_once:
                    yield from _fetched(pending)
                    pending = []
            yield from _fetched(pending)


def _fetched(pending: list[tuple[Batch[Pieces], Any]]) -> Iterator[tuple[list[Pieces], NDArray[np.float32]]]:
    for batch, given in pending:
        yield batch.inputs[: batch.filled], given[: batch.filled].float().cpu().numpy()
