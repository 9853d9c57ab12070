"""Models are tiny here: one thread is fastest, and nothing is kept between tests."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(autouse=True)
def models(monkeypatch, tmp_path):
    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path / "neural-cache"))
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
