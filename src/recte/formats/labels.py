"""Tables of labels: what is known of each sentence apart from its text, or of each system.

A TSV file has a header and one line per sentence. `read_tracks` reads one line per system and track.

    document    level   topic
    essay-1     B1      travel

The column `document` says which text a sentence belongs to, `id` how it is called; all others are free labels.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from recte.corpus.corpus import Corpus, Sentence
from recte.errors import InputError
from recte.files import display_name, read_lines
from recte.formats.parallel import side_by_side

__all__ = ["csv_cells", "iterate_labels", "iterate_table", "read_labels", "read_tracks", "with_labels"]


def iterate_labels(path: str | Path) -> Iterator[dict[str, str]]:
    """One mapping from column to value a line."""
    return iterate_table(read_lines(path), display_name(path))


def iterate_table(lines: Iterator[str], name: str) -> Iterator[dict[str, str]]:
    """The rows of a table with a header, columns separated by tabs; `name` is the file's, for messages.

    >>> list(iterate_table(iter(["level", "B1"]), "labels.tsv"))
    [{'level': 'B1'}]
    """
    header = next(lines, "").split("\t")
    if not any(header) or len(set(header)) < len(header):
        raise InputError(f"expected a header of distinct column names separated by tabs, got {header}", name, 1)
    for number, line in enumerate(lines, 2):
        values = line.split("\t")
        if len(values) != len(header):
            raise InputError(f"expected {len(header)} columns as in the header, got {len(values)}", name, number)
        yield dict(zip(header, values, strict=True))


def read_labels(path: str | Path, corpus: Corpus) -> Corpus:
    """The corpus with the labels of a file.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "labels.tsv").write_text("document\\tlevel\\nessay-1\\tB1\\n")
    ...     read_labels(f"{folder}/labels.tsv", Corpus((Sentence("He go"),)))[0].document
    'essay-1'
    """
    rows = side_by_side(
        corpus, corpus.name or "the corpus", [(display_name(path), iterate_labels(path))], header_lines=1
    )
    return replace(corpus, sentences=tuple(with_labels(sentence, values[0]) for sentence, values in rows))


def with_labels(sentence: Sentence, values: Mapping[str, str]) -> Sentence:
    """The sentence with its id, document and labels set.

    >>> with_labels(Sentence("He go"), {"document": "essay-1", "level": "B1"}).labels
    {'level': 'B1'}
    """
    labels = {key: value for key, value in values.items() if key not in ("id", "document")}
    return replace(
        sentence,
        id=values.get("id", sentence.id),
        document=values.get("document", sentence.document),
        labels={**sentence.labels, **labels},
    )


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


def csv_cells(text: str, name: str, line: int, delimiter: str = ",") -> list[str]:
    """The cells of a line of the file `name`.

    >>> csv_cells('a,"b,c"', "x.csv", 1)
    ['a', 'b,c']
    """
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader([text], delimiter=delimiter))
    except csv.Error as error:
        raise InputError(
            f"expected cells parted by {delimiter!r}, got a line that cannot be: {error}", name, line
        ) from None
