"""In which tracks of a shared task each system runs: a TSV file with the columns `system` and `track`.

    system  track
    heron   constrained
    wren    unconstrained

A system of several tracks has several lines.
"""

from __future__ import annotations

from pathlib import Path

from recte.errors import InputError
from recte.formats.files import display_name
from recte.formats.labels import iterate_labels

__all__ = ["read_tracks"]


def read_tracks(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Systems with their tracks, in the order of the file.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "tracks.tsv").write_text("system\\ttrack\\nheron\\topen\\nheron\\tclosed\\n")
    ...     read_tracks(f"{folder}/tracks.tsv")
    {'heron': ('open', 'closed')}
    """
    tracks: dict[str, tuple[str, ...]] = {}
    for number, row in enumerate(iterate_labels(path), 2):
        if not {"system", "track"} <= set(row):
            raise InputError(f"expected the columns system and track, got {', '.join(row)}", display_name(path), 1)
        if not row["system"] or not row["track"]:
            raise InputError("expected a system and its track, got an empty cell", display_name(path), number)
        tracks[row["system"]] = (*tracks.get(row["system"], ()), row["track"])
    return tracks
