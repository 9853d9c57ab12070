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
from recte.neural.encoder import Encoder, Pieces, Tensors, batching_for
from recte.neural.loading import LoadedModel, load_model
from recte.neural.results import Input
from recte.neural.text_models import NamedModel, Rows

__all__ = ["GreedyMatching", "PieceWeights"]

_STATES = {"cpu": 1 << 27, "cuda": 1 << 29}  # numbers kept at once: states of so many pieces' dimensions
_SPACED = ("GPT2", "Roberta")  # tokenizers to which the published program adds a space before the first word


@dataclass(frozen=True)
class PieceWeights:
    """How much a piece counts: ln((N+1)/(df+1)), from N texts and how many of them have it.

    >>> weights = PieceWeights(3, {7: 1, 8: 3})
    >>> [round(weights.of(piece), 4) for piece in (7, 8, 9)]
    [0.6931, 0.0, 1.3863]
    """

    texts: int
    having: Mapping[int, int]

    def of(self, piece: int) -> float:
        return float(np.log((self.texts + 1) / (self.having.get(piece, 0) + 1)))

    @property
    def signature(self) -> str:
        """How many texts, and a hash of what was counted in them."""
        return f"{self.texts}@{crc32(repr(sorted(self.having.items())).encode()):08x}"


class _Shelf(NamedTuple):
    """Texts of one padded length: states of length 1 on the device, and the weight of each piece."""

    states: Any
    mask: Any
    weights: NDArray[np.float64]


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
        having: dict[int, int] = {}
        for one in self.encoder.pieces([text.strip() for text in texts]):
            for piece in set(one.ids):
                having[piece] = having.get(piece, 0) + 1
        return PieceWeights(len(texts), having)

    def scored(self, inputs: Sequence[Input]) -> Rows:
        pairs = [(one[0].strip(), one[1].strip()) for one in inputs if isinstance(one, tuple)]
        empty = [place for place, pair in enumerate(pairs) if not all(pair)]
        if empty:
            yield empty, np.zeros((len(empty), 3))
        wanted = [place for place, pair in enumerate(pairs) if all(pair)]
        for block in self._blocks(pairs, wanted):
            yield from self._matched(pairs, block)

    def _blocks(self, pairs: Sequence[tuple[str, str]], places: Sequence[int]) -> Iterator[list[int]]:
        """Runs of pairs whose texts have their states in memory at once."""
        room = _STATES.get(self.loaded.device.partition(":")[0], _STATES["cpu"]) // self.loaded.model.config.hidden_size
        block: list[int] = []
        texts: set[str] = set()
        used = 0
        for place in places:
            new = {*pairs[place]} - texts
            needed = sum(len(text) // 3 + 8 for text in new)  # pieces, roughly
            if block and used + needed > room:
                yield block
                block, texts, used, new = [], set(), 0, {*pairs[place]}
                needed = sum(len(text) // 3 + 8 for text in new)
            block.append(place)
            texts |= new
            used += needed
        if block:
            yield block

    def _matched(self, pairs: Sequence[tuple[str, str]], places: Sequence[int]) -> Rows:
        distinct = list(dict.fromkeys(text for place in places for text in pairs[place]))
        shelves, where = self._states(distinct)
        spot = dict(zip(distinct, where, strict=True))
        groups: dict[tuple[int, int], list[int]] = {}
        for place in places:
            a, b = pairs[place]
            groups.setdefault((spot[a][0], spot[b][0]), []).append(place)
        for (left, right), members in groups.items():
            rows = [(spot[pairs[place][0]][1], spot[pairs[place][1]][1]) for place in members]
            yield members, self._of_group(shelves[left], shelves[right], np.array(rows), left, right)

    def _states(self, texts: Sequence[str]) -> tuple[dict[int, _Shelf], list[tuple[int, int]]]:
        """States of each text by padded length, and on which shelf and in which row each text is."""
        import torch

        model = self.loaded.model
        where: list[tuple[int, int]] = [(0, 0)] * len(texts)
        parts: dict[int, list[tuple[Any, Any, NDArray[np.float64]]]] = {}
        rows: dict[int, int] = {}
        with torch.inference_mode():
            for batch in self.encoder.batches(texts):
                tensors: Tensors = self.encoder.tensors(batch)
                states = model(input_ids=tensors.ids, attention_mask=tensors.mask).last_hidden_state
                states = torch.nn.functional.normalize(states, dim=2)[: batch.filled]
                of_pieces = np.zeros((batch.filled, batch.length))
                for row, one in enumerate(batch.inputs[: batch.filled]):
                    where[one.place] = (batch.length, rows.get(batch.length, 0) + row)
                    of_pieces[row, : len(one.ids)] = self._weights_of(one)
                rows[batch.length] = rows.get(batch.length, 0) + batch.filled
                parts.setdefault(batch.length, []).append((states, tensors.mask[: batch.filled].bool(), of_pieces))
            shelves = {
                length: _Shelf(
                    torch.cat([states for states, _, _ in listed]),
                    torch.cat([mask for _, mask, _ in listed]),
                    np.concatenate([weights for _, _, weights in listed]),
                )
                for length, listed in parts.items()
            }
        return shelves, where

    def _weights_of(self, one: Pieces) -> list[float]:
        tokenizer = self.loaded.tokenizer
        special = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        if self.weights is None:
            return [0.0 if piece in special else 1.0 for piece in one.ids]
        return [self.weights.of(piece) for piece in one.ids]

    def _of_group(
        self, left: _Shelf, right: _Shelf, rows: NDArray[np.int64], length: int, other: int
    ) -> NDArray[np.float64]:
        """P, R and F of pairs whose texts stand on two shelves, a fixed number at a time."""
        import torch

        batching: Batching = batching_for(self.loaded)
        at_once = batching.rows(max(length, other))
        found = []
        with torch.inference_mode():
            for begin in range(0, len(rows), at_once):
                part = rows[begin : begin + at_once]
                filled = np.concatenate([part, np.repeat(part[-1:], at_once - len(part), axis=0)])
                a, b = (torch.from_numpy(np.ascontiguousarray(column)).to(left.states.device) for column in filled.T)
                similar = torch.bmm(left.states[a], right.states[b].transpose(1, 2)).float()
                similar = similar.masked_fill(~right.mask[b][:, None, :], -torch.inf)
                best = similar.amax(dim=2)
                similar = similar.masked_fill(~left.mask[a][:, :, None], -torch.inf)
                other_best = similar.amax(dim=1)
                found.append((part, best[: len(part)], other_best[: len(part)]))
        return np.concatenate(
            [
                _figures(
                    _weighed(best.cpu().numpy(), left.weights[part[:, 0]]),
                    _weighed(other_best.cpu().numpy(), right.weights[part[:, 1]]),
                )
                for part, best, other_best in found
            ]
        )


def _weighed(best: NDArray[np.float32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weighted mean of each row; 0 where nothing counts."""
    total = weights.sum(axis=1)
    summed = (np.where(weights == 0, 0.0, best.astype(np.float64)) * weights).sum(axis=1)
    return np.asarray(summed / np.where(total == 0, 1.0, total))


def _figures(precision: NDArray[np.float64], recall: NDArray[np.float64]) -> NDArray[np.float64]:
    both = precision + recall
    f = np.where(both == 0, 0.0, 2 * precision * recall / np.where(both == 0, 1.0, both))
    return np.column_stack([precision, recall, f])
