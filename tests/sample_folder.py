"""The bundled sample on disk."""

from __future__ import annotations

from pathlib import Path

from recte.sample import sample_files


def write_sample(folder: Path) -> Path:
    """Write the sample into the folder, which is given back."""
    for name, content in sample_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
