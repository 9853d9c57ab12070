"""Models in memory: torch and transformers are imported here, when a model is asked for something that is not known.

Which pieces may look at which, as a model takes it.

Given a row of zeros and ones per text, models of transformers look whether all are ones and then compute another way.
A GPU has to be waited for to know, and the last bit of a text would depend on its neighbours. So models that take a
mask for each pair of pieces are given one. Which take it is found out by trying it.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from recte.errors import OptionError
from recte.models.linear_layers import with_own_layers
from recte.models.machine import Machine, find_machine
from recte.models.model_checks import Kind, check_files, check_kept_weights, check_tokenizer, check_tried, read_by
from recte.models.model_files import ModelFiles, find_model

__all__ = ["DTYPES", "Kind", "LoadedModel", "MaskForm", "ModelDtype", "load_model", "make_mask", "mask_form"]

MaskForm = Literal["plain", "pairs", "added", "added-causal"]
_FORMS: dict[bool, tuple[MaskForm, ...]] = {False: ("added", "pairs"), True: ("added-causal",)}


def make_mask(mask: Any, form: MaskForm, dtype: Any) -> Any:
    """A mask of zeros and ones, one row per text, in the form that a model takes.

    `pairs` has zeros and ones for each pair of pieces; `added` has what is added to their similarity.
    """
    import torch

    length = mask.shape[1]
    if form == "plain":
        return mask
    if form == "pairs":
        return mask[:, None, :].expand(-1, length, -1)
    seen = mask.bool()[:, None, None, :].expand(-1, 1, length, -1)
    if form == "added-causal":
        seen = seen & torch.ones((length, length), dtype=torch.bool, device=mask.device).tril()
    return torch.zeros(seen.shape, dtype=dtype, device=mask.device).masked_fill(~seen, torch.finfo(dtype).min)


def mask_form(model: Any, causal: bool) -> MaskForm:
    """The form in which a model takes masks for pairs of pieces, or `plain` where it takes none.

    It is one that gives what the plain mask gives, bit by bit, where some texts are shorter than others.
    """
    import torch

    ids = torch.arange(1, 13, device=model.device).reshape(2, 6) % model.get_input_embeddings().weight.shape[0]
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0
    with torch.inference_mode():
        expected = _run_model(model, ids, mask, mask.bool())
        for form in _FORMS[causal]:
            try:
                result = _run_model(model, ids, make_mask(mask, form, model.dtype), mask.bool())
            except Exception:  # whatever a model says to a form that it does not know
                continue
            if result.shape == expected.shape and torch.equal(result, expected):
                return form
    return "plain"


def _run_model(model: Any, ids: Any, mask: Any, real: Any) -> Any:
    """What the model gives for real pieces, or for texts."""
    states = model(input_ids=ids, attention_mask=mask)[0]
    return states[real] if states.dim() == 3 else states


ModelDtype = Literal["fp32", "bf16"]
DTYPES: tuple[ModelDtype, ...] = get_args(ModelDtype)
_CLASSES: dict[Kind, str] = {
    "encoder": "AutoModel",
    "classifier": "AutoModelForSequenceClassification",
    "language-model": "AutoModelForCausalLM",
}
_MOST_MODELS = 8  # kept in memory


@dataclass(frozen=True)
class LoadedModel:
    """A model with its tokenizer, where it runs, and every name that results depend on."""

    files: ModelFiles
    model: Any
    tokenizer: Any
    device: str
    dtype: ModelDtype
    mask_form: MaskForm = "plain"

    @property
    def device_type(self) -> str:
        """`cpu`, `cuda` or another kind."""
        return self.device.partition(":")[0]

    def run(self, ids: Any, mask: Any, **more: Any) -> Any:
        """What the model gives for a batch; `mask` says which pieces are real."""
        return self.model(input_ids=ids, attention_mask=make_mask(mask, self.mask_form, self.model.dtype), **more)

    @property
    def positions(self) -> int:
        """How many pieces a text may have, special ones included; 0 where the model does not say."""
        config = self.model.config
        positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 0
        # RoBERTa's kind counts positions from the padding's number on.
        shift = (config.pad_token_id or 0) + 1 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        return int(positions) - shift if positions else 0


def load_model(
    name: str,
    kind: Kind,
    option: str,
    *,
    dtype: ModelDtype = "fp32",
    device: str = "auto",
    layers: int | None = None,
    how_to_get: str = "",
) -> LoadedModel:
    """A model by its folder or name, loaded once per process.

    `option` asks for it, for messages; `layers` cuts an encoder after so many; `how_to_get` is told if it is missing.
    """
    machine = find_machine(device, option)
    return _load(find_model(name, option, how_to_get), kind, option, dtype, machine, layers)


@lru_cache(maxsize=_MOST_MODELS)
def _load(
    files: ModelFiles, kind: Kind, option: str, dtype: ModelDtype, machine: Machine, layers: int | None
) -> LoadedModel:
    import torch
    import transformers

    check_files(files, kind, option, transformers.CONFIG_MAPPING)
    torch_dtype = torch.bfloat16 if dtype == "bf16" else torch.float32
    only = {"trust_remote_code": False, "local_files_only": True}
    with _quiet(transformers):
        config = read_by(
            lambda: transformers.AutoConfig.from_pretrained(files.folder, **only), "config.json", files, kind, option
        )
        if layers is not None:
            if not 0 <= layers <= config.num_hidden_layers:
                got = f"{files.name} has {config.num_hidden_layers}"
                raise OptionError(f"layer: expected a layer that the model has, got {layers}, and {got}")
            config.num_hidden_layers = layers
        factory = getattr(transformers, _CLASSES[kind])
        settings = {**only, "config": config, "dtype": torch_dtype, "weights_only": True}
        model, loading_info = read_by(
            lambda: factory.from_pretrained(files.folder, **settings, output_loading_info=True),
            "weights",
            files,
            kind,
            option,
        )
        check_kept_weights(loading_info, files, kind, option)
        tokenizer = read_by(
            lambda: transformers.AutoTokenizer.from_pretrained(files.folder, **only), "tokenizer", files, kind, option
        )
        check_tokenizer(tokenizer, model, files, option)
        device = machine.device
        model = model.eval().requires_grad_(False).to(device)
        check_tried(model, files, kind, option)
    causal = kind == "language-model"
    model = with_own_layers(model, device, dtype, language_model=causal)
    return LoadedModel(files, model, tokenizer, device, dtype, mask_form(model, causal))


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without the bars, remarks and warnings of the library; what matters is checked and said in a line."""
    logger = logging.getLogger("transformers")
    level, bars = logger.level, transformers.utils.logging.is_progress_bar_enabled()
    logger.setLevel(logging.CRITICAL)
    transformers.utils.logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        if bars:
            transformers.utils.logging.enable_progress_bar()
