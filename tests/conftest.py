"""Random tests draw new cases each time; in continuous integration the same change must give the same result.

No test is timed: a loaded machine may be slow, and that is no defect of the code.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

import stub_models
from judging_model import judge, judging_server  # noqa: F401 - fixtures
from recte.metrics import registry
from sample_folder import write_sample

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("untimed"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "untimed")


@pytest.fixture
def sample(tmp_path, monkeypatch):
    """A folder with the bundled sample, which is the current one."""
    monkeypatch.chdir(write_sample(tmp_path))
    return tmp_path


@pytest.fixture
def in_sample(tmp_path, monkeypatch):
    """The folder above one named sample, which has the bundled sample, is the current one."""
    write_sample(tmp_path / "sample")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def registered_metrics(monkeypatch):
    """What a test registers, a judge whose scores stand in a file among it, is forgotten after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.fixture(autouse=True)
def models(monkeypatch):
    """Models are stubs, except in tests/neural."""
    monkeypatch.setenv("RECTE_NEURAL_CACHE", "off")
    stub_models.install(monkeypatch)
