"""Distinct texts in, one result per text out: pieces, batches of fixed shapes, a pass through the model.

Texts are cut into pieces block by block, the next block while the model works on the last one. A GPU is never waited
for: what it gives is copied while it goes on, and read some batches later.

Passes through a model that a GPU has recorded: one order instead of some hundred, which Python takes longer to give
than the GPU to obey.

Batches have few shapes, so each is recorded once it has come often. A recording is used only if it gives the same bits
as the pass that it was made of; where one cannot be made, passes stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, repeat
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import Input
from recte.errors import InputError, TooLongError
from recte.models.batching import Batching
from recte.models.loading import LoadedModel
from recte.text.printable_text import quote

__all__ = ["Batch", "Encoder", "OnItsWay", "Pass", "Pieces", "Tensors", "batching_for", "on_device", "record_pass"]

Pass = Callable[..., Any]  # tensors, some of them None, into a tensor
_SEEN_BEFORE = 3  # batches of a shape before it is worth a recording


class _Recording(NamedTuple):
    graph: Any
    given: tuple[Any, ...]
    result: Any


class _Shapes:
    """What is known of a model's passes by name and shape: how often one came, then its recording, or None."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.known: dict[tuple[object, ...], int | _Recording | None] = {}
        self.pool: Any = None
        self.stream: Any = None


_of_models: WeakKeyDictionary[Any, _Shapes] = WeakKeyDictionary()


def record_pass(model: Any, name: str, forward: Pass) -> Pass:
    """The pass with recordings; `name` tells it from other passes through the same model."""
    shapes = _of_models.setdefault(model, _Shapes())

    def run(*tensors: Any) -> Any:
        key = (name, *(None if tensor is None else tuple(tensor.shape) for tensor in tensors))
        with shapes.lock:  # a recording has one place for what it is given
            seen = shapes.known.get(key, 0)
            if isinstance(seen, _Recording):
                for place, tensor in zip(seen.given, tensors, strict=True):
                    if tensor is not None:
                        place.copy_(tensor)
                seen.graph.replay()
                return seen.result.clone()
            result = forward(*tensors)
            if seen is not None:
                shapes.known[key] = seen + 1 if seen < _SEEN_BEFORE else _recording(shapes, forward, tensors, result)
            return result

    return run


def _recording(shapes: _Shapes, forward: Pass, tensors: tuple[Any, ...], expected: Any) -> _Recording | None:
    """The pass recorded, if that is possible and gives the wanted bits."""
    import torch

    device = expected.device
    free, total = torch.cuda.mem_get_info(device)
    if free < total // 2:  # recordings keep memory of their own
        return None
    if shapes.stream is None:
        shapes.stream, shapes.pool = torch.cuda.Stream(device), torch.cuda.graph_pool_handle()
    copies = tuple(None if tensor is None else tensor.clone() for tensor in tensors)
    graph = torch.cuda.CUDAGraph()
    try:
        shapes.stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(shapes.stream):
            forward(*copies)  # whatever is made on first use is made before
            graph.capture_begin(pool=shapes.pool, capture_error_mode="thread_local")
            try:
                result = forward(*copies)
            finally:
                graph.capture_end()
        torch.cuda.current_stream(device).wait_stream(shapes.stream)
        graph.replay()
        return _Recording(graph, copies, result) if torch.equal(result, expected) else None
    except Exception:  # whatever a pass does that cannot be recorded, as waiting for the GPU
        with suppress(Exception):
            torch.cuda.synchronize(device)
        return None


_FIRST_BLOCK, _BLOCK = 1_024, 4_096  # texts that are cut into pieces at once; the model waits for the first
_PIECES = {"cpu": 96, "cuda": 16_384}  # of a batch; small ones cost a processor little, and waste little
_MOST_NUMBERS = 1 << 29  # that a batch may give


def batching_for(model: LoadedModel, longest: int = 0, numbers_per_piece: int = 0) -> Batching:
    """The shapes of a model's batches, which follow from the model and its device alone.

    Where a model gives many `numbers_per_piece`, as one for each word it knows, batches are smaller.
    """
    pieces = _PIECES.get(model.device_type, _PIECES["cpu"])
    if numbers_per_piece:
        pieces = max(1, min(pieces, _MOST_NUMBERS // numbers_per_piece))
    return Batching(pieces, longest or model.positions)


class Pieces(NamedTuple):
    """Texts as a model reads them: the numbers of all their pieces in one row, and where each text begins and ends.

    `places` are the texts' own, `segments` which of two texts a piece belongs to.
    """

    places: NDArray[np.int64]
    offsets: NDArray[np.int64]
    ids: NDArray[np.int64]
    segments: NDArray[np.int64] | None

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    def part(self, texts: NDArray[np.int64]) -> Pieces:
        """Some of the texts, in this order."""
        lengths = self.lengths[texts]
        offsets = np.concatenate([[0], lengths.cumsum()])
        at = np.arange(offsets[-1]) + np.repeat(self.offsets[texts] - offsets[:-1], lengths)
        return Pieces(self.places[texts], offsets, self.ids[at], None if self.segments is None else self.segments[at])

    def append(self, other: Pieces) -> Pieces:
        segments = None
        if self.segments is not None and other.segments is not None:
            segments = np.concatenate([self.segments, other.segments])
        return Pieces(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
            np.concatenate([self.ids, other.ids]),
            segments,
        )


class Batch(NamedTuple):
    """Texts padded to one length, a row each; `places` are those of the wanted ones, the first rows."""

    places: NDArray[np.int64]
    ids: NDArray[np.int64]
    lengths: NDArray[np.int64]
    segments: NDArray[np.int64] | None


class Tensors(NamedTuple):
    """A batch on the model's device: pieces, which of them are real, and segments where the inputs are pairs."""

    ids: Any
    mask: Any
    segments: Any


def on_device(array: NDArray[Any], device: str) -> Any:
    """An array as a tensor on the device; a GPU copies it when it gets there, and nobody waits."""
    import torch

    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor.pin_memory().to(device, non_blocking=True) if device.startswith("cuda") else tensor.to(device)


class OnItsWay:
    """What a device was asked for: the copy is ordered at once, and waited for when somebody wants its `rows`."""

    def __init__(self, tensor: Any) -> None:
        import torch

        self._host, self._copied = tensor, None
        if tensor.device.type == "cuda":
            self._host = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
            self._host.copy_(tensor, non_blocking=True)
            self._copied = torch.cuda.Event()
            self._copied.record()

    @property
    def ready(self) -> bool:
        """Whether nobody has to wait."""
        return self._copied is None or bool(self._copied.query())

    def rows(self) -> NDArray[np.floating]:
        if self._copied is not None:
            self._copied.synchronize()
        rows: NDArray[np.floating] = self._host.cpu().numpy()
        return rows


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

    def pieces(self, inputs: Sequence[Input], offset: int = 0) -> Pieces:
        """Inputs cut into pieces; `offset` is the place of the first."""
        self._set_up()
        return self._gather(self._cut(inputs), inputs, offset)

    def _set_up(self) -> None:
        backend = self.model.tokenizer.backend_tokenizer
        backend.no_padding()
        if self.most and self.cuts:
            backend.enable_truncation(self.most, strategy="longest_first")
        else:
            backend.no_truncation()

    def _cut(self, inputs: Sequence[Input]) -> list[Any]:
        texts: list[Any] = list(inputs) if not self.prefix else [f"{self.prefix}{text}" for text in inputs]
        backend = self.model.tokenizer.backend_tokenizer
        try:
            encoded: list[Any] = backend.encode_batch_fast(texts, add_special_tokens=self.begin is None)
        except TypeError:  # half of a character, which no file can hold
            wrong = next((text for text in _flat(inputs) if not _is_whole(text)), None)
            if wrong is None:
                raise
            raise InputError(f"expected whole characters, got a lone surrogate in {quote(wrong)}") from None
        return encoded

    def _gather(self, encoded: list[Any], inputs: Sequence[Input], offset: int) -> Pieces:
        token_counts = np.fromiter(map(len, encoded), np.int64, len(encoded))
        lengths = token_counts if self.begin is None else token_counts + 1
        if not self.cuts and self.most and len(lengths) and lengths.max() > self.most:
            longest = int(lengths.argmax())
            text = " ".join(_flat(inputs[longest : longest + 1]))
            raise TooLongError(f"expected at most {self.most} pieces, got {lengths[longest]} in {quote(text)}")
        offsets = np.concatenate([[0], lengths.cumsum()])
        total = int(token_counts.sum())
        ids = np.fromiter(chain.from_iterable(map(attrgetter("ids"), encoded)), np.int64, total)
        if self.begin is not None:
            ids = np.insert(ids, token_counts.cumsum() - token_counts, self.begin)
        segments = None
        if self.pairs:
            segments = np.fromiter(chain.from_iterable(map(attrgetter("type_ids"), encoded)), np.int64, total)
        return Pieces(np.arange(offset, offset + len(encoded)), offsets, ids, segments)

    def batches(self, inputs: Iterable[Input]) -> Iterator[Batch]:
        """The inputs in batches, each as soon as it is full; at the end those that are not."""
        batching = batching_for(self.model, self.most, self.numbers_per_piece)
        left: Pieces | None = None
        for block in self._blocks(inputs):
            pieces = block if left is None else left.append(block)
            waiting = []
            for rows in batching.batches(pieces.lengths):
                if rows.filled == len(rows.texts):
                    yield self._pad(pieces, rows.texts, rows.filled, rows.length)
                else:
                    waiting.append(rows.texts[: rows.filled])
            left = pieces.part(np.concatenate([np.empty(0, np.int64), *waiting]))
        if left is not None:
            for rows in batching.batches(left.lengths):
                yield self._pad(left, rows.texts, rows.filled, rows.length)

    def _blocks(self, inputs: Iterable[Input]) -> Iterator[Pieces]:
        """The inputs' pieces, some texts at a time, cut in a thread of their own (which needs Python for a moment).

        That thread makes the inputs too, where they come one by one.
        """
        coming = iter(inputs)
        sizes = chain([_FIRST_BLOCK], repeat(_BLOCK))

        def cut() -> tuple[list[Input], list[Any]]:
            block = list(islice(coming, next(sizes)))
            return block, self._cut(block)

        self._set_up()
        with ThreadPoolExecutor(max_workers=1) as ahead:
            cutting = ahead.submit(cut)
            offset = 0
            while True:
                block, encoded = cutting.result()
                if not block:
                    return
                cutting = ahead.submit(cut)
                yield self._gather(encoded, block, offset)
                offset += len(block)

    def _pad(self, pieces: Pieces, texts: NDArray[np.int64], filled: int, length: int) -> Batch:
        lengths = pieces.lengths[texts]
        positions = np.arange(length)
        at = np.minimum(pieces.offsets[texts][:, None] + positions, len(pieces.ids) - 1)
        real = positions < lengths[:, None]
        padding = self.model.tokenizer.pad_token_id or 0
        ids = np.where(real, pieces.ids[at], padding) if len(pieces.ids) else np.full_like(at, padding)
        segments = None if pieces.segments is None else np.where(real, pieces.segments[at], 0)
        return Batch(pieces.places[texts[:filled]], ids, lengths, segments)

    def tensors(self, batch: Batch) -> Tensors:
        """A batch as the model takes it, brought there in one piece."""
        import torch

        length = batch.ids.shape[1]
        columns = [batch.ids, batch.lengths[:, None], *([] if batch.segments is None else [batch.segments])]
        moved = on_device(np.concatenate(columns, axis=1), self.model.device)
        ids, lengths = moved[:, :length].contiguous(), moved[:, length, None]
        mask = (torch.arange(length, device=moved.device) < lengths).long()
        return Tensors(ids, mask, None if batch.segments is None else moved[:, length + 1 :].contiguous())

    def forward(self, name: str, pass_: Callable[[Tensors], Any]) -> Callable[[Tensors], Any]:
        """A pass through the model, as fast as its device can; `name` tells it from others through this model."""
        if self.model.device_type != "cuda" or self.model.mask_form == "plain":  # the latter waits for the GPU
            return pass_
        run = record_pass(self.model.model, name, lambda *tensors: pass_(Tensors(*tensors)))
        return lambda tensors: run(*tensors)

    def run(
        self, inputs: Iterable[Input], name: str, pass_: Callable[[Tensors], Any]
    ) -> Iterator[tuple[NDArray[np.int64], OnItsWay]]:
        """Places of inputs that go through a pass, and what it gives for them, one row each, in any order."""
        import torch

        forward = self.forward(name, pass_)
        for batch in self.batches(inputs):
            with torch.inference_mode():
                result = forward(self.tensors(batch))[: len(batch.places)]
                on_its_way = OnItsWay(result if result.dtype == torch.float64 else result.float())
            yield batch.places, on_its_way


def _flat(inputs: Sequence[Input]) -> Iterator[str]:
    """The texts of inputs, which may be pairs."""
    for texts in inputs:
        yield from (texts,) if isinstance(texts, str) else texts


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
