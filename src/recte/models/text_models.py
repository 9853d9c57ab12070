"""What models say of texts: one number of a classifier, the likelihood of a text, one vector of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import Input, PendingRows
from recte.errors import OptionError
from recte.extras import check_installed
from recte.models.encoder import Encoder, Tensors
from recte.models.loading import LoadedModel, ModelDtype, load_model
from recte.models.machine import machine_for
from recte.models.model_checks import Kind
from recte.models.model_files import ModelFiles, find_model

__all__ = ["LanguageModel", "NamedModel", "Regressor", "SentenceVectors"]

Rows = Iterator[tuple[NDArray[np.int64], NDArray[np.floating] | PendingRows]]


@dataclass(frozen=True)
class NamedModel:
    """A model by its name, loaded when it is first asked for something; `option` is what asks for it."""

    name: str
    option: str = "model"
    dtype: ModelDtype = "fp32"
    device: str = "auto"
    how_to_get: str = field(default="", kw_only=True)  # told where a model that is on no hub is missing

    kind: ClassVar[Kind] = "encoder"
    width: ClassVar[int] = 1
    rows_dtype: ClassVar[type[np.float32] | type[np.float64]] = np.float64

    def __getstate__(self) -> dict[str, Any]:
        """Its name, not what was loaded by it: whoever gets it loads it where they are."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def layers(self) -> int | None:
        """After how many layers an encoder is cut."""
        return None

    @cached_property
    def files(self) -> ModelFiles:
        check_installed("torch", extra="neural", purpose=self.option)
        return find_model(self.name, self.option, self.how_to_get)

    @cached_property
    def loaded(self) -> LoadedModel:
        return load_model(
            self.name,
            self.kind,
            self.option,
            dtype=self.dtype,
            device=self.device,
            layers=self.layers,
            how_to_get=self.how_to_get,
        )

    def load(self) -> None:
        """Have the model in memory; its key says from now on where it really runs."""
        assert self.loaded is not None

    @property
    def device_type(self) -> str:
        """`cpu`, `cuda` or another kind."""
        return machine_for(self.device, self.option).device.partition(":")[0]

    @property
    def title(self) -> str:
        return f"{self.option.removesuffix('_model')} ({self.files.name})"

    @property
    def signature(self) -> str:
        """The model's name and hash."""
        return self.files.signature

    @property
    def key(self) -> str:
        """Known without the model; a machine that is another than stored is noticed where it is loaded."""
        revision = self.files.revision
        machine = machine_for(self.device, self.option).name
        parts = (type(self).__name__, revision, self.kind, self.layers, self.dtype, machine)
        return "|".join(map(str, parts))


@dataclass(frozen=True)
class Regressor(NamedModel):
    """One number for a text, or for a pair of texts: a sequence classifier with one output.

    Texts have at most `most` pieces, special ones included; longer ones are cut at the end, of two the longer first.
    """

    most: int = 128
    pairs: bool = False

    kind: ClassVar[Kind] = "classifier"

    @property
    def key(self) -> str:
        return f"{super().key}|{self.most}|{self.pairs}"

    def score_inputs(self, inputs: Sequence[Input]) -> Rows:
        loaded = self.loaded

        def forward(batch: Tensors) -> Any:
            segments = {} if batch.segments is None else {"token_type_ids": batch.segments}
            return loaded.run(batch.ids, batch.mask, **segments).logits

        pairs = self.pairs and _has_segments(loaded)
        return Encoder(loaded, most=_most(self.most, loaded), pairs=pairs).run(inputs, type(self).__name__, forward)


def _most(limit: int, loaded: LoadedModel) -> int:
    """How many pieces a text may have: what is wanted, or what the model has positions for."""
    return min(limit, loaded.positions or limit)


def _has_segments(loaded: LoadedModel) -> bool:
    return getattr(loaded.model.config, "type_vocab_size", 0) > 1


@dataclass(frozen=True)
class SentenceVectors(NamedModel):
    """The mean of an encoder's last states over all pieces of a text, special ones included."""

    most: int = 128

    rows_dtype: ClassVar[type[np.float32] | type[np.float64]] = np.float32

    @property
    def width(self) -> int:  # type: ignore[override]
        known = self.files.size("hidden_size", "n_embd", "d_model", "dim")
        return int(self.loaded.model.config.hidden_size) if known is None else known

    @property
    def key(self) -> str:
        return f"{super().key}|{self.most}"

    def score_inputs(self, inputs: Sequence[Input]) -> Rows:
        loaded = self.loaded

        def forward(batch: Tensors) -> Any:
            states = loaded.run(batch.ids, batch.mask).last_hidden_state.float()
            mask = batch.mask[..., None].float()
            return (states * mask).sum(dim=1) / mask.sum(dim=1)

        return Encoder(loaded, most=_most(self.most, loaded)).run(inputs, type(self).__name__, forward)


@dataclass(frozen=True)
class LanguageModel(NamedModel):
    """The negative log-likelihood of a text after the sign that begins one, and how many pieces it has.

    No end is scored. An empty text has no piece. A text beyond the model's positions is refused.
    """

    kind: ClassVar[Kind] = "language-model"
    width: ClassVar[int] = 2

    @cached_property
    def _begin(self) -> int:
        tokenizer = self.loaded.tokenizer
        begin = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        if begin is None:
            raise OptionError(
                f"{self.option}: expected a model whose tokenizer has a sign that begins a text, got none"
            )
        return int(begin)

    def score_inputs(self, inputs: Sequence[Input]) -> Rows:
        import torch

        loaded = self.loaded

        def forward(batch: Tensors) -> Any:
            logits = loaded.run(batch.ids, batch.mask).logits
            likely = torch.log_softmax(logits, dim=2, dtype=torch.float32)
            of_tokens = likely[:, :-1].gather(2, batch.ids[:, 1:, None])[..., 0]
            real = batch.mask[:, 1:].bool()
            sums = -of_tokens.masked_fill(~real, 0).sum(dim=1, dtype=torch.float64)
            return torch.stack([sums, real.sum(dim=1).double()], dim=1)

        encoder = Encoder(
            loaded, most=loaded.positions, cuts=False, begin=self._begin, numbers_per_piece=self.vocabulary
        )
        return encoder.run(inputs, type(self).__name__, forward)

    @property
    def vocabulary(self) -> int:
        """How many pieces the model knows."""
        known = self.files.size("vocab_size")
        return int(self.loaded.model.config.vocab_size) if known is None else known
