"""Random tests draw anew each time; in continuous integration the same change must give the same result."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from recte.sample import sample_files

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture
def sample(tmp_path, monkeypatch):
    """A folder with the bundled sample, which is the current one."""
    for name, content in sample_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path
