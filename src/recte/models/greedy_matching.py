"""BERTScore's matching (Zhang et al. 2020): each piece of a text with the most similar piece of the other.

Pieces are compared by the cosine of their states after some layer. Special pieces can be matched but do not count.
A piece whose true similarities are all negative keeps the largest of them: padding takes no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import Input
from recte.caching.row_cache import cache_bytes
from recte.models.batching import Batching
from recte.models.encoder import Encoder, OnItsWay, batching_for, on_device
from recte.models.text_models import NamedModel, Rows

__all__ = ["GreedyMatching", "PieceWeights"]

_STATES = 1 << 27  # numbers kept at once: states of so many pieces' dimensions
_MOST_STATES = 1 << 33  # on a GPU, where an eighth of its free memory is used
_PAIRS = 4_096  # whose texts are numbered together
_SPACED = ("GPT2", "Roberta")  # tokenizers to which the published program adds a space before the first word


@dataclass(frozen=True)
class PieceWeights:
    """How much a piece counts: ln((N+1)/(df+1)), from N texts and how many of them have it.

    >>> PieceWeights(3, {7: 1, 8: 3}).table(10)[7:].round(4).tolist()
    [0.6931, 0.0, 1.3863]
    """

    texts: int
    having: Mapping[int, int]

    def table(self, pieces: int) -> NDArray[np.float64]:
        """The weight of each piece, by its number."""
        having = np.zeros(pieces)
        having[list(self.having)] = list(self.having.values())
        return np.asarray(np.log((self.texts + 1) / (having + 1)))

    @property
    def signature(self) -> str:
        """How many texts, and a hash of what was counted in them."""
        return f"{self.texts}@{crc32(repr(sorted(self.having.items())).encode()):08x}"


class _Shelf(NamedTuple):
    """Texts of one padded length on the device: states of length 1, which pieces are real, the weight of each."""

    states: Any
    mask: Any
    weights: Any


@dataclass(frozen=True)
class GreedyMatching(NamedModel):
    """P, R and F of the first text of each pair against the second, as they are, before any rescaling.

    `layer` is the one whose states are compared, the embeddings being 0. Empty text on either side gives 0.
    """

    layer: int = 9
    weights: PieceWeights | None = field(default=None, hash=False)

    width: ClassVar[int] = 3

    @property
    def layers(self) -> int:
        return self.layer

    @property
    def key(self) -> str:
        return f"{super().key}|{'' if self.weights is None else self.weights.signature}"

    @cached_property
    def encoder(self) -> Encoder:
        tokenizer = self.loaded.tokenizer
        most = min(tokenizer.model_max_length, self.loaded.positions or tokenizer.model_max_length)
        spaced = type(tokenizer).__name__.startswith(_SPACED)
        return Encoder(self.loaded, most=most if most < 1 << 20 else 0, prefix=" " if spaced else "")

    def weights_from(self, texts: Sequence[str]) -> PieceWeights:
        """Weights of pieces from these texts; one in which a piece stands several times counts once."""
        counted = np.frombuffer(cache_bytes(self, texts, lambda: self._count_pieces(texts).tobytes()), dtype=np.int64)
        numbers, having = counted.reshape(2, -1).tolist()
        return PieceWeights(len(texts), dict(zip(numbers, having, strict=True)))

    def _count_pieces(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The numbers of pieces, and how many texts have each."""
        pieces = self.encoder.pieces([text.strip() for text in texts])
        each = np.unique(np.column_stack([np.repeat(pieces.places, pieces.lengths), pieces.ids]), axis=0)[:, 1]
        return np.stack(np.unique(each, return_counts=True))

    @cached_property
    def _weights(self) -> Any:
        """The weight of each piece by its number, on the device; special ones do not count."""
        tokenizer = self.loaded.tokenizer
        size = max(len(tokenizer), int(self.loaded.model.config.vocab_size))
        if self.weights is not None:
            return on_device(self.weights.table(size), self.loaded.device)
        table = np.ones(size)
        table[[piece for piece in (tokenizer.cls_token_id, tokenizer.sep_token_id) if piece is not None]] = 0
        return on_device(table, self.loaded.device)

    def score_inputs(self, inputs: Sequence[Input]) -> Rows:
        return self.score_blocks(inputs[begin : begin + _PAIRS] for begin in range(0, len(inputs), _PAIRS))

    def score_blocks(self, blocks: Iterable[Sequence[Input]]) -> Rows:
        coming, first = iter(blocks), 0
        while True:
            run = _Run(coming, self._capacity())
            shelves, lengths, rows = self._states(run.texts())
            pairs = np.concatenate([np.empty((0, 2), np.int64), *run.pairs])
            if not len(pairs):
                return
            places, empty = np.arange(first, first + len(pairs)), (pairs < 0).any(axis=1)
            if empty.any():
                yield places[empty], np.zeros((int(empty.sum()), 3))
            if not empty.all():
                yield places[~empty], self._match(pairs[~empty], shelves, lengths, rows)
            first += len(pairs)

    def _capacity(self) -> int:
        """How many pieces have their states in memory at once; no result depends on it."""
        import torch

        numbers = _STATES
        if self.loaded.device_type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.loaded.device)
            numbers = max(_STATES, min(_MOST_STATES, free // (8 * self.loaded.model.dtype.itemsize)))
        return int(numbers // self.loaded.model.config.hidden_size)

    def _match(
        self,
        pairs: NDArray[np.int64],
        shelves: Mapping[int, _Shelf],
        lengths: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> _Matched:
        """Pairs given to the device, those together whose texts have the same padded lengths."""
        import torch

        left, right = lengths[pairs].T
        order = np.lexsort((right, left))
        kinds = np.flatnonzero(np.diff(left[order], prepend=-1) | np.diff(right[order], prepend=-1))
        batching: Batching = batching_for(self.loaded)
        shapes: list[tuple[int, int, int, int]] = []  # both lengths, pairs of a batch, how many of them are wanted
        padded: list[NDArray[np.int64]] = []
        for members in np.split(order, kinds[1:]):
            a, b = int(left[members[0]]), int(right[members[0]])
            at_once = batching.rows(max(a, b))
            for begin in range(0, len(members), at_once):
                part = members[begin : begin + at_once]
                shapes.append((a, b, at_once, len(part)))
                padded.append(rows[pairs[np.pad(part, (0, at_once - len(part)), mode="edge")]])
        results = []
        with torch.inference_mode():
            moved = on_device(np.concatenate(padded).T, self.loaded.device)
            begin = 0
            for a, b, at_once, count in shapes:
                first, second = moved[:, begin : begin + at_once]
                results.append(_precision_recall(shelves[a], shelves[b], first, second)[:count])
                begin += at_once
            return _Matched(OnItsWay(torch.cat(results)), order)

    def _states(self, texts: Iterable[str]) -> tuple[dict[int, _Shelf], NDArray[np.int64], NDArray[np.int64]]:
        """States of texts by padded length; on which shelf and in which row of it each text is."""
        import torch

        places: list[NDArray[np.int64]] = []
        shelved: list[tuple[int, int, int]] = []  # length, row of the first, how many
        parts: dict[int, list[_Shelf]] = {}
        filled: dict[int, int] = {}
        with torch.inference_mode():
            forward = self.encoder.forward(
                type(self).__name__,
                lambda tensors: torch.nn.functional.normalize(
                    self.loaded.run(tensors.ids, tensors.mask).last_hidden_state, dim=2
                ),
            )
            for batch in self.encoder.batches(texts):
                tensors = self.encoder.tensors(batch)
                states = forward(tensors)
                count, length = len(batch.places), batch.ids.shape[1]
                mask = tensors.mask[:count].bool()
                weights = self._weights[tensors.ids[:count]].masked_fill(~mask, 0)
                parts.setdefault(length, []).append(_Shelf(states[:count], mask, weights))
                begin = filled.get(length, 0)
                places.append(batch.places)
                shelved.append((length, begin, count))
                filled[length] = begin + count
            shelves = {
                length: _Shelf(*(torch.cat(listed) for listed in zip(*shelf, strict=True)))
                for length, shelf in parts.items()
            }
        count = sum(map(len, places))
        lengths, rows = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for numbers, (length, begin, size) in zip(places, shelved, strict=True):
            lengths[numbers], rows[numbers] = length, np.arange(begin, begin + size)
        return shelves, lengths, rows


class _Run:
    """Pairs, as they come, up to so many pieces; each text has a number, an empty one -1."""

    def __init__(self, coming: Iterator[Sequence[Input]], capacity: int) -> None:
        self.pairs: list[NDArray[np.int64]] = []
        self._coming, self._capacity = coming, capacity

    def texts(self) -> Iterator[str]:
        """The distinct texts of the pairs, which are noted while they are read."""
        numbers = {"": -1}
        used = 0
        for block in self._coming:
            for begin in range(0, len(block), _PAIRS):
                both = list(chain.from_iterable(block[begin : begin + _PAIRS]))
                distinct = list(dict.fromkeys(both))
                bare = list(map(str.strip, distinct))
                new = [text for text in dict.fromkeys(bare) if text not in numbers]
                numbers.update(zip(new, range(len(numbers) - 1, len(numbers) - 1 + len(new)), strict=True))
                known = dict(zip(distinct, map(numbers.__getitem__, bare), strict=True))
                self.pairs.append(np.fromiter(map(known.__getitem__, both), np.int64, len(both)).reshape(-1, 2))
                used += sum(map(len, new)) // 3 + 8 * len(new)  # pieces, roughly
                yield from new
            if used >= self._capacity:
                return


class _Matched(NamedTuple):
    """P, R and F of pairs that the device was asked about."""

    figures: OnItsWay  # P and R
    order: NDArray[np.int64]  # of the pairs in them

    @property
    def ready(self) -> bool:
        return self.figures.ready

    def rows(self) -> NDArray[np.float64]:
        figures = np.empty((len(self.order), 2))
        figures[self.order] = self.figures.rows()
        precision, recall = figures.T
        both = precision + recall
        f = np.where(both == 0, 0.0, 2 * precision * recall / np.where(both == 0, 1.0, both))
        return np.column_stack([precision, recall, f])


def _precision_recall(left: _Shelf, right: _Shelf, a: Any, b: Any) -> Any:
    """P and R of pairs whose texts stand in the rows `a` and `b` of two shelves."""
    import torch

    similar = torch.bmm(left.states[a], right.states[b].transpose(1, 2)).float()
    best = similar.masked_fill(~right.mask[b][:, None, :], -torch.inf).amax(dim=2)
    other = similar.masked_fill(~left.mask[a][:, :, None], -torch.inf).amax(dim=1)
    return torch.stack([_mean_by_weight(best, left.weights[a]), _mean_by_weight(other, right.weights[b])], dim=1)


def _mean_by_weight(best: Any, weights: Any) -> Any:
    """The weighted mean of each row; 0 where nothing counts."""
    total = weights.sum(dim=1)
    summed = (best.double().masked_fill(weights == 0, 0) * weights).sum(dim=1)
    return summed / total.masked_fill(total == 0, 1)
