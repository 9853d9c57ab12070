"""The bundled sample: 40 learner-like sentences, two annotators, three invented systems; three passages with UCCA.

All of it is made up.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["sample_files"]


def sample_files() -> dict[str, bytes]:
    """The sample's files by their names.

    >>> [name for name in sorted(sample_files()) if not name.startswith("ucca/")]
    ['gold.m2', 'labels.tsv', 'systems/heron.txt', 'systems/magpie.txt', 'systems/wren.txt']
    """
    root = Path(str(files(__name__)))
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for pattern in ("*.m2", "*.tsv", "systems/*.txt", "ucca/*/*.xml")
        for path in root.glob(pattern)
    }
