"""Whether a model is what a metric needs: looked at before it is loaded, and tried once it is. Wrong is one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal, TypeVar

from recte.errors import OptionError
from recte.models.model_files import ModelFiles

__all__ = ["Kind", "check_files", "check_kept_weights", "check_tokenizer", "check_tried", "read_by"]

Kind = Literal["encoder", "classifier", "language-model"]
_IN_WORDS: dict[Kind, str] = {
    "encoder": "an encoder",
    "classifier": "a classifier with one output",
    "language-model": "a causal language model, which reads from left to right",
}
_WEIGHTS = ("model*.safetensors", "pytorch_model*.bin", "model.safetensors.index.json", "pytorch_model.bin.index.json")
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.vocab")
_NOT_NEEDED = ("pooler", "position_ids")  # weights that no result depends on
_POINTER = b"version https://git-lfs"
_UNFIT = 1e-3  # share of the largest number by which a causal model's may differ, where a later piece is another

Found = TypeVar("Found")


def _refuse(files: ModelFiles, kind: Kind, option: str, but: str) -> OptionError:
    return OptionError(f"{option}: expected {_IN_WORDS[kind]}, got {files.name} ({files.architecture}), {but}")


def check_files(files: ModelFiles, kind: Kind, option: str, known_types: Any) -> None:
    """Refuse a folder that cannot hold a model for this; `known_types` are the architectures that the library has."""
    model_type, folder = files.settings["model_type"], files.folder
    if "auto_map" in files.settings and model_type not in known_types:
        raise OptionError(f"{option}: {files.name} comes with code of its own, which is never run: take another model")
    if model_type not in known_types:
        raise OptionError(
            f"{option}: expected an architecture that transformers has, got {files.name}, a {model_type!r}"
        )
    if "quantization_config" in files.settings:
        raise OptionError(f"{option}: expected plain weights, got {files.name}, which is quantised")
    if kind == "encoder" and files.settings.get("is_encoder_decoder"):
        raise _refuse(files, kind, option, "which is an encoder and a decoder")
    weights = [path for pattern in _WEIGHTS for path in sorted(folder.glob(pattern)) if path.is_file()]
    if not weights:
        raise OptionError(f"{option}: expected weights (model.safetensors or pytorch_model.bin) in {folder}, got none")
    if not any(path.is_file() for pattern in _TOKENIZERS for path in folder.glob(pattern)):
        raise OptionError(f"{option}: expected a tokenizer (tokenizer.json or a vocabulary) in {folder}, got none")
    for path in (folder / "tokenizer.json", folder / "vocab.json"):
        if path.is_file() and not _is_json(path):
            raise OptionError(f"{option}: expected JSON in {path}, got something else")
    for path in weights:
        with path.open("rb") as stream:
            if stream.read(len(_POINTER)) == _POINTER:
                raise OptionError(
                    f"{option}: expected weights in {path}, got a Git LFS pointer: run git lfs pull there"
                )


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return True


def read_by(load: Callable[[], Found], what: str, files: ModelFiles, kind: Kind, option: str) -> Found:
    """What `load` makes of the files; whatever is wrong with them is one line. `what` is read: weights, tokenizer."""
    try:
        return load()
    except Exception as error:
        if str(error).startswith("Unrecognized configuration class"):
            raise _refuse(files, kind, option, "which is none") from None
        raise OptionError(f"{option}: {_wrong(error, what, files.folder)}") from None


def _wrong(error: Exception, what: str, folder: Path) -> str:
    """What is wrong with the weights or another part, by what a library said of it."""
    message, led = _one_line(error), _chain(error)
    if any(isinstance(cause, UnpicklingError) for cause in led):
        return f"expected weights alone in {folder}, got a pickle with more in it, which is never run"
    if what == "weights" and ("size mismatch" in message or "floating point" in message):
        wrong = "some of other shapes" if "size mismatch" in message else "whole numbers"
        return f"expected weights as config.json has them in {folder}, got {wrong}"
    if any(type(cause).__name__ == "SafetensorError" for cause in led) or message.startswith("Unable to load weights"):
        return f"the weights in {folder} are damaged or cut off: {_one_line(led[-1])}"
    return f"the {what} in {folder} cannot be read: {type(error).__name__}: {message}"


def _chain(error: BaseException | None) -> list[BaseException]:
    """An error and those that led to it."""
    errors: list[BaseException] = []
    while error is not None and error not in errors:
        errors.append(error)
        error = error.__cause__ or error.__context__
    return errors


def _one_line(error: BaseException) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 300 else f"{line[:300]}..."


def check_kept_weights(loading_info: dict[str, Any], files: ModelFiles, kind: Kind, option: str) -> None:
    """Refuse a model some of whose weights were not in its files: they would be drawn at random."""
    missing = sorted(key for key in loading_info["missing_keys"] if not any(part in key for part in _NOT_NEEDED))
    if missing or loading_info.get("mismatched_keys"):
        lacking = missing[0] if missing else loading_info["mismatched_keys"]
        raise _refuse(files, kind, option, f"which has no weights {lacking}")


def check_tokenizer(tokenizer: Any, model: Any, files: ModelFiles, option: str) -> None:
    """Refuse a tokenizer that cannot serve the model: a slow one, or one with pieces that the model does not know."""
    if not getattr(tokenizer, "is_fast", False):
        raise OptionError(f"{option}: expected a model with a fast tokenizer, got {files.name}, which has none")
    known = int(model.get_input_embeddings().weight.shape[0])
    beyond = sorted((number, piece) for piece, number in tokenizer.get_vocab().items() if number >= known)
    if beyond:
        number, piece = beyond[0]
        raise OptionError(
            f"{option}: expected a tokenizer with the model's {known} pieces in {files.folder}, "
            f"got {len(beyond)} more, as {piece!r} (number {number})"
        )


def check_tried(model: Any, files: ModelFiles, kind: Kind, option: str) -> None:
    """Refuse a model that fails on a first text, gives what is no number, or looks ahead where it must not."""
    import torch

    if kind == "classifier" and model.config.num_labels != 1:
        raise _refuse(files, kind, option, f"which has {model.config.num_labels}")
    known = int(model.get_input_embeddings().weight.shape[0])
    ids = torch.arange(1, 13, device=model.device).reshape(2, 6) % known
    other = ids.clone()
    other[:, 3:] = (other[:, 3:] + 1) % known
    with torch.inference_mode():
        try:
            states, changed = (
                model(input_ids=text_ids, attention_mask=torch.ones_like(text_ids))[0].float()
                for text_ids in (ids, other)
            )
        except Exception as error:
            raise _refuse(files, kind, option, f"which fails: {type(error).__name__}: {_one_line(error)}") from None
    if not bool(torch.isfinite(states).all()):
        raise OptionError(f"{option}: the weights in {files.folder} are damaged: they give what is no number")
    if kind != "language-model":
        return
    moved = (states[:, :3] - changed[:, :3]).abs().max()
    if bool(moved > _UNFIT * states.abs().max()):
        raise _refuse(files, kind, option, "which looks at what comes later")
