"""Gold, labels and outputs side by side in chunks of columns, none of them made into objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.text_columns import TextColumn
from recte.files import display_name
from recte.formats.file_formats import OutputColumns
from recte.formats.labels import iterate_labels
from recte.formats.parallel import wrong_length

__all__ = ["column_chunks"]


def column_chunks(
    chunks: Iterator[ColumnSentences], name: str, outputs: Sequence[OutputColumns], labels: str | Path | None = None
) -> Iterator[tuple[ColumnSentences, list[TextColumn | ColumnSentences]]]:
    """Each chunk of the gold, which `name` is the file of, with the systems' outputs for it; files must have the same
    length. `labels` is a table beside the gold.
    """
    table = None if labels is None else (display_name(labels), iterate_labels(labels))
    count = 0
    for sentences in chunks:
        size = len(sentences)

        def rest(size: int = size, count: int = count) -> int:
            return count + size + sum(map(len, chunks))

        if table is not None:
            rows = list(islice(table[1], size))
            if len(rows) < size:
                got = count + len(rows)
                raise wrong_length(table[0], rest(), name, got=got, line=got + 1)
            sentences = sentences.with_labels(_transposed(rows))
        taken: list[TextColumn | ColumnSentences] = []
        for lines in outputs:
            taken.append(lines.take(size))
            if len(taken[-1]) < size:
                got = count + len(taken[-1])
                raise wrong_length(lines.name, rest(), name, got=got, line=max(got, 1))
        yield sentences, taken
        count += size
    if table is not None and (surplus := sum(1 for _ in table[1])):
        raise wrong_length(table[0], count, name, got=count + surplus, line=count + 2)
    for lines in outputs:
        if surplus := lines.count_rest():
            raise wrong_length(lines.name, count, name, got=count + surplus, line=count + 1)


def _transposed(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    return {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
