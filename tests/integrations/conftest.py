"""Every test of an adapter runs without a network."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from adapter_cases import FOLDER, OUTPUTS, ROWS


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    """No library asks a server, and what one keeps goes with the test."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def adapter():
    """A file of integrations/ as a module."""

    def load(path):
        spec = importlib.util.spec_from_file_location(Path(path).stem, FOLDER / path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def word_tokenizer():
    """A tokenizer of whole words, made in memory."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    words = sorted({w for source, supplied in ROWS for text in (source, *supplied, *OUTPUTS) for w in text.split()})
    known = {word: place for place, word in enumerate(["<pad>", "</s>", "<unk>", *words])}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="<unk>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", padding_side="left"
    )
