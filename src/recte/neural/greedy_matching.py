"""BERTScore's matching (Zhang et al. 2020): each piece of a text with the most similar piece of the other.

Pieces are compared by the cosine of their states after some layer. Special pieces can be matched but do not count.
A piece whose true similarities are all negative keeps the largest of them: padding takes no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recte.neural.batching import Batching
from recte.neural.encoder import Encoder, OnItsWay, batching_for, on_device
from recte.neural.loading import LoadedModel, load_model
from recte.neural.results import Input
from recte.neural.text_models import NamedModel, Rows

__all__ = ["GreedyMatching", "PieceWeights"]

_STATES = 1 << 27  # numbers kept at once: states of so many pieces' dimensions
_MOST_STATES = 1 << 31  # on a GPU, where an eighth of its free memory is used
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

    @cached_property
    def loaded(self) -> LoadedModel:
        return load_model(self.name, "encoder", self.option, dtype=self.dtype, device=self.device, layers=self.layer)

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
        pieces = self.encoder.pieces([text.strip() for text in texts])
        each = np.unique(np.column_stack([np.repeat(pieces.places, pieces.lengths), pieces.ids]), axis=0)[:, 1]
        having = zip(*(found.tolist() for found in np.unique(each, return_counts=True)), strict=True)
        return PieceWeights(len(texts), dict(having))

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

    def scored(self, inputs: Sequence[Input]) -> Rows:
        numbers: dict[str, int] = {}
        pairs = np.array(
            [
                (numbers.setdefault(one[0].strip(), len(numbers)), numbers.setdefault(one[1].strip(), len(numbers)))
                for one in inputs
                if isinstance(one, tuple)
            ]
        )
        empty = (pairs == numbers.get("", -1)).any(axis=1)
        if empty.any():
            yield np.flatnonzero(empty), np.zeros((int(empty.sum()), 3))
        texts = list(numbers)
        for block in self._blocks(texts, pairs, np.flatnonzero(~empty)):
            yield self._matched(texts, pairs, block)

    def _blocks(
        self, texts: Sequence[str], pairs: NDArray[np.int64], places: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Runs of pairs whose texts have their states in memory at once."""
        room = self._room()
        needed = [len(text) // 3 + 8 for text in texts]  # pieces, roughly
        seen = [-1] * len(texts)  # in which block a text was met last
        begin, used, block = 0, 0, 0
        for end, (a, b) in enumerate(pairs[places].tolist()):
            more = (needed[a] if seen[a] != block else 0) + (needed[b] if seen[b] != block else 0)
            if used and used + more > room:
                yield places[begin:end]
                begin, used, block = end, 0, block + 1
                more = needed[a] + needed[b]
            seen[a] = seen[b] = block
            used += more
        if begin < len(places):
            yield places[begin:]

    def _room(self) -> int:
        """How many pieces have their states in memory at once; no result depends on it."""
        import torch

        numbers = _STATES
        if self.loaded.device_type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.loaded.device)
            numbers = max(_STATES, min(_MOST_STATES, free // (8 * self.loaded.model.dtype.itemsize)))
        return int(numbers // self.loaded.model.config.hidden_size)

    def _matched(
        self, texts: Sequence[str], pairs: NDArray[np.int64], places: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], _Matched]:
        """Pairs given to the device, those together whose texts have the same padded lengths."""
        import torch

        distinct, own = np.unique(pairs[places], return_inverse=True)
        own = own.reshape(-1, 2)
        shelves, lengths, rows = self._states([texts[number] for number in distinct.tolist()])
        kinds, kind_of = np.unique(lengths[own], axis=0, return_inverse=True)
        kind_of = kind_of.reshape(-1)
        batching: Batching = batching_for(self.loaded)
        order: list[NDArray[np.int64]] = []
        shapes: list[tuple[int, int, int, int]] = []  # both lengths, pairs of a batch, how many of them are wanted
        padded: list[NDArray[np.int64]] = []
        for kind, (left, right) in enumerate(kinds.tolist()):
            members = np.flatnonzero(kind_of == kind)
            at_once = batching.rows(max(left, right))
            for begin in range(0, len(members), at_once):
                part = members[begin : begin + at_once]
                order.append(part)
                shapes.append((left, right, at_once, len(part)))
                padded.append(rows[own[np.pad(part, (0, at_once - len(part)), mode="edge")]])
        found = []
        with torch.inference_mode():
            moved = on_device(np.concatenate(padded).T, self.loaded.device)
            begin = 0
            for left, right, at_once, wanted in shapes:
                a, b = moved[:, begin : begin + at_once]
                found.append(_precision_recall(shelves[left], shelves[right], a, b)[:wanted])
                begin += at_once
            return places[np.concatenate(order)], _Matched(OnItsWay(torch.cat(found)))

    def _states(self, texts: Sequence[str]) -> tuple[dict[int, _Shelf], NDArray[np.int64], NDArray[np.int64]]:
        """States of texts by padded length; on which shelf and in which row of it each text is."""
        import torch

        lengths, rows = np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=np.int64)
        parts: dict[int, list[_Shelf]] = {}
        filled: dict[int, int] = {}
        with torch.inference_mode():
            for batch in self.encoder.batches(texts):
                tensors = self.encoder.tensors(batch)
                states = self.loaded.given(tensors.ids, tensors.mask).last_hidden_state
                count, length = len(batch.places), batch.ids.shape[1]
                mask = tensors.mask[:count].bool()
                weights = self._weights[tensors.ids[:count]].masked_fill(~mask, 0)
                parts.setdefault(length, []).append(
                    _Shelf(torch.nn.functional.normalize(states[:count], dim=2), mask, weights)
                )
                begin = filled.get(length, 0)
                lengths[batch.places], rows[batch.places] = length, np.arange(begin, begin + count)
                filled[length] = begin + count
            shelves = {
                length: _Shelf(*(torch.cat(listed) for listed in zip(*shelf, strict=True)))
                for length, shelf in parts.items()
            }
        return shelves, lengths, rows


class _Matched(NamedTuple):
    """P, R and F of pairs that the device was asked about."""

    figures: OnItsWay  # P and R

    @property
    def here(self) -> bool:
        return self.figures.here

    def rows(self) -> NDArray[np.float64]:
        precision, recall = self.figures.rows().T
        both = precision + recall
        f = np.where(both == 0, 0.0, 2 * precision * recall / np.where(both == 0, 1.0, both))
        return np.column_stack([precision, recall, f])


def _precision_recall(left: _Shelf, right: _Shelf, a: Any, b: Any) -> Any:
    """P and R of pairs whose texts stand in the rows `a` and `b` of two shelves."""
    import torch

    similar = torch.bmm(left.states[a], right.states[b].transpose(1, 2)).float()
    best = similar.masked_fill(~right.mask[b][:, None, :], -torch.inf).amax(dim=2)
    other = similar.masked_fill(~left.mask[a][:, :, None], -torch.inf).amax(dim=1)
    return torch.stack([_weighed(best, left.weights[a]), _weighed(other, right.weights[b])], dim=1)


def _weighed(best: Any, weights: Any) -> Any:
    """The weighted mean of each row; 0 where nothing counts."""
    total = weights.sum(dim=1)
    summed = (best.double().masked_fill(weights == 0, 0) * weights).sum(dim=1)
    return summed / total.masked_fill(total == 0, 1)
