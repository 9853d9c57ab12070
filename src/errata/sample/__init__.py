"""The bundled sample: 40 learner-like sentences, two annotators, three invented systems, two judges. All made up."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["sample_files"]


def sample_files() -> dict[str, bytes]:
    """The sample's files by their names.

    >>> sorted(sample_files())
    ['gold.m2', 'judgments.tsv', 'labels.tsv', 'systems/heron.txt', 'systems/magpie.txt', 'systems/wren.txt']
    """
    root = Path(str(files(__name__)))
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for pattern in ("*.m2", "*.tsv", "systems/*.txt")
        for path in root.glob(pattern)
    }
