"""Passes through a model that a GPU has recorded: one order instead of some hundred, which Python takes longer to give
than the GPU to obey.

Batches have few shapes, so each is recorded once it has come often. A recording is used only if it gives the same bits
as the pass that it was made of; where one cannot be made, passes stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

__all__ = ["Pass", "recorded"]

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


def recorded(model: Any, name: str, forward: Pass) -> Pass:
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


def _recording(shapes: _Shapes, forward: Pass, tensors: tuple[Any, ...], wanted: Any) -> _Recording | None:
    """The pass recorded, if that is possible and gives the wanted bits."""
    import torch

    device = wanted.device
    free, total = torch.cuda.mem_get_info(device)
    if free < total // 2:  # recordings keep memory of their own
        return None
    if shapes.stream is None:
        shapes.stream, shapes.pool = torch.cuda.Stream(device), torch.cuda.graph_pool_handle()
    given = tuple(None if tensor is None else tensor.clone() for tensor in tensors)
    graph = torch.cuda.CUDAGraph()
    try:
        shapes.stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(shapes.stream):
            forward(*given)  # whatever is made on first use is made before
            graph.capture_begin(pool=shapes.pool, capture_error_mode="thread_local")
            try:
                result = forward(*given)
            finally:
                graph.capture_end()
        torch.cuda.current_stream(device).wait_stream(shapes.stream)
        graph.replay()
        return _Recording(graph, given, result) if torch.equal(result, wanted) else None
    except Exception:  # whatever a pass does that cannot be recorded, as waiting for the GPU
        with suppress(Exception):
            torch.cuda.synchronize(device)
        return None
