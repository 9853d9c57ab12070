"""Models in memory: torch and transformers are imported here and nowhere else, when a model is asked for."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from recte.errors import OptionError
from recte.extras import optional
from recte.neural.attention_masks import MaskForm, mask_form, shaped_mask
from recte.neural.linear_layers import has_packed_products, with_own_layers
from recte.neural.model_files import ModelFiles, find_model

__all__ = ["DTYPES", "Kind", "LoadedModel", "ModelDtype", "load_model", "torch_module"]

ModelDtype = Literal["fp32", "bf16"]
DTYPES: tuple[ModelDtype, ...] = ("fp32", "bf16")
Kind = Literal["encoder", "classifier", "language-model"]
_CLASSES: dict[Kind, str] = {
    "encoder": "AutoModel",
    "classifier": "AutoModelForSequenceClassification",
    "language-model": "AutoModelForCausalLM",
}
_NOT_NEEDED = ("pooler", "position_ids")  # weights that no result depends on
_MOST_MODELS = 8  # kept in memory


@dataclass(frozen=True)
class LoadedModel:
    """A model with its tokenizer, where it runs, and every name that results depend on."""

    files: ModelFiles
    model: Any
    tokenizer: Any
    device: str
    dtype: ModelDtype
    key: str  # all that has a say in a result: files, number of layers, dtype, device, versions
    mask_form: MaskForm = "plain"

    @property
    def device_type(self) -> str:
        """`cpu`, `cuda` or another kind."""
        return self.device.partition(":")[0]

    def given(self, ids: Any, mask: Any, **more: Any) -> Any:
        """What the model gives for a batch; `mask` says which pieces are real."""
        return self.model(input_ids=ids, attention_mask=shaped_mask(mask, self.mask_form, self.model.dtype), **more)

    @property
    def positions(self) -> int:
        """How many pieces a text may have, special ones included; 0 where the model does not say."""
        config = self.model.config
        found = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 0
        # RoBERTa's kind counts positions from the padding's number on.
        shift = config.pad_token_id + 1 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        return int(found) - shift if found else 0


def torch_module(purpose: str = "a neural metric") -> Any:
    """PyTorch, or one line that says how to install it."""
    return optional("torch", extra="neural", purpose=purpose)


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
    torch = torch_module(option)
    optional("transformers", extra="neural", purpose=option)
    return _loaded(find_model(name, option, how_to_get), kind, option, dtype, _device(torch, device), layers)


def _device(torch: Any, wanted: str) -> str:
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=wanted)
    except Exception:
        raise OptionError(f"device: expected auto, cpu or a device that is here (cuda), got {wanted!r}") from None
    return wanted


@lru_cache(maxsize=_MOST_MODELS)
def _loaded(
    files: ModelFiles, kind: Kind, option: str, dtype: ModelDtype, device: str, layers: int | None
) -> LoadedModel:
    import torch
    import transformers

    torch_dtype = torch.bfloat16 if dtype == "bf16" else torch.float32
    with _quiet(transformers):
        config = _attempt(files, option, lambda: transformers.AutoConfig.from_pretrained(files.folder))
        if layers is not None:
            if not 0 <= layers <= config.num_hidden_layers:
                got = f"{files.name} has {config.num_hidden_layers}"
                raise OptionError(f"layer: expected a layer that the model has, got {layers}, and {got}")
            config.num_hidden_layers = layers
        factory = getattr(transformers, _CLASSES[kind])
        model, found = _attempt(
            files,
            option,
            lambda: factory.from_pretrained(files.folder, config=config, dtype=torch_dtype, output_loading_info=True),
        )
        missing = [key for key in found["missing_keys"] if not any(part in key for part in _NOT_NEEDED)]
        if missing or found.get("mismatched_keys"):
            lacking = next(iter(missing), None) or found["mismatched_keys"]
            raise OptionError(f"{option}: expected a {kind}, got {files.name}, which has no weights {lacking}")
        tokenizer = _attempt(files, option, lambda: transformers.AutoTokenizer.from_pretrained(files.folder))
    if not getattr(tokenizer, "is_fast", False):
        raise OptionError(f"{option}: expected a model with a fast tokenizer, got {files.name}, which has none")
    if kind == "classifier" and model.config.num_labels != 1:
        raise OptionError(
            f"{option}: expected a classifier with one output, got {files.name} with {model.config.num_labels}"
        )
    causal = kind == "language-model"
    model = with_own_layers(model.eval().requires_grad_(False).to(device), device, dtype, language_model=causal)
    where = torch.cuda.get_device_name(device) if device.startswith("cuda") else _processor(torch, device)
    key = "|".join(
        [files.revision, kind, str(layers), dtype, where, f"torch {torch.__version__}", transformers.__version__]
    )
    return LoadedModel(files, model, tokenizer, device, dtype, key, mask_form(model, causal))


def _processor(torch: Any, device: str) -> str:
    """What a result depends on beside the model, where it runs on a processor."""
    if device != "cpu":
        return device
    products = "packed" if has_packed_products(torch) else "plain"
    return f"{device} {torch.backends.cpu.get_cpu_capability()} {products}"


def _attempt(files: ModelFiles, option: str, load: Any) -> Any:
    """What `load` gives; whatever is wrong with the files is one line."""
    try:
        return load()
    except OptionError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())
        said = said if len(said) <= 300 else f"{said[:300]}..."
        raise OptionError(f"{option}: {files.name} cannot be loaded: {type(error).__name__}: {said}") from None


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without the bars and remarks of the library; what matters is checked and said in a line."""
    logger = logging.getLogger("transformers")
    level, bars = logger.level, transformers.utils.logging.is_progress_bar_enabled()
    logger.setLevel(logging.CRITICAL)
    transformers.utils.logging.disable_progress_bar()
    try:
        yield
    finally:
        logger.setLevel(level)
        if bars:
            transformers.utils.logging.enable_progress_bar()
