"""Tables with one row per sentence: JSON lines, TSV with a header, Parquet and Arrow files, as gold and as outputs.

Gold has the columns `source` and `references` (a text or a list of texts), or `edits` (a list of edits for each
annotator: `start`, `end`, `corrections`, `type`; null for one who did not read the sentence); `id` and `document` where
they are known. A system's file has the column `output`. Other columns are passed over. In TSV, every column whose name
begins with `reference` or `target` is a reference; an empty cell is none.

Gold, references and outputs are read as columns, some sentences at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from recte.corpus.corpus import Annotation, Edit, Sentence, annotator_order
from recte.corpus.gold_columns import columns_of
from recte.corpus.sentence_columns import ColumnSentences, parallel_sentences
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError
from recte.extras import optional
from recte.files import can_be_read_again, display_name, name_without_compression, open_bytes, read_lines
from recte.formats.file_formats import FileFormat, Losses, Output, OutputColumns, Survey, edits_become_texts, no_losses
from recte.formats.labels import iterate_labels, iterate_table
from recte.formats.parallel import LineColumns, wrong_length

__all__ = ["ARROW", "HEADED_TSV", "JSON_LINES", "PARQUET", "arrow_rows", "column_chunks", "json_rows"]

_BATCH = 10_000
_GOLD = ("source", "references", "edits", "id", "document")
_OUTPUT = ("output",)
_REFERENCES = ("reference", "target")


class _Row(NamedTuple):
    """What a row says, and where it stands: in which line of its file, and behind how many lines of a header."""

    values: Mapping[str, Any]
    name: str
    number: int
    header: int = 0

    def text(self, key: str, default: str | None = None) -> str:
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if key not in self.values:
            got = ", ".join(map(str, self.values)) or "none"
            advice = ": name it, --text-column" if key == "output" else ""
            raise InputError(f"expected a column {key!r}, got {got}{advice}", self.name, self.number)
        if not isinstance(value, str):
            raise self.wrong(key, "a text", value)
        return value

    def wrong(self, key: str, expected: str, got: Any) -> InputError:
        return InputError(
            f"{key}: expected {expected}, got {json.dumps(got, default=str)[:60]}", self.name, self.number
        )

    @property
    def references(self) -> tuple[str, ...]:
        value = self.values.get("references")
        if value is None:
            return ()
        listed = (value,) if isinstance(value, str) else value
        if not isinstance(listed, (list, tuple)) or not all(isinstance(reference, str) for reference in listed):
            raise self.wrong("references", "a text or a list of texts", value)
        return tuple(listed)

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        value = self.values.get("edits")
        if value is None:
            return ()
        if not isinstance(value, list) or not all(edits is None or isinstance(edits, list) for edits in value):
            raise self.wrong("edits", "a list of edits for each annotator", value)
        return tuple(
            Annotation(str(a), tuple(map(self._edit, edits))) for a, edits in enumerate(value) if edits is not None
        )

    def _edit(self, value: Any) -> Edit:
        if not isinstance(value, Mapping) or not {"start", "end", "corrections"} <= value.keys():
            raise self.wrong("edits", "edits with start, end and corrections", value)
        corrections = value["corrections"]
        texts = (corrections,) if isinstance(corrections, str) else corrections
        required = value.get("required", True)
        if not (required is None or isinstance(required, bool)):
            raise self.wrong("required", "true or false", required)
        try:
            return Edit(
                value["start"],
                value["end"],
                texts,
                value.get("type") or "",
                required=required is not False,
                line=self.number,
            )
        except InputError as error:
            raise InputError(
                f"edits: {error.message}", self.name, self.number, f"edits: {error.public_message}"
            ) from None

    def sentence(self) -> Sentence:
        source, references, annotations = self.text("source"), self.references, self.annotations
        if not references and not annotations:
            raise InputError("expected references or edits, got neither", self.name, self.number)
        identity = self.values.get("id")
        try:
            return Sentence(
                source,
                annotations=annotations,
                references=references,
                id=str(self.number - self.header if identity is None else identity),
                document=self.text("document", ""),
            )
        except InputError as error:
            raise InputError(error.message, self.name, self.number, error.public_message) from None


def _json_rows(path: str | Path, keys: tuple[str, ...]) -> Iterator[_Row]:
    name = display_name(path)
    for number, line in enumerate(read_lines(path), 1):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"expected a JSON object, got {line[:60]!r}", name, number) from None
        if not isinstance(values, dict):
            raise InputError(f"expected a JSON object, got {line[:60]!r}", name, number)
        yield _Row(values, name, number)


def _tsv_rows(path: str | Path, keys: tuple[str, ...]) -> Iterator[_Row]:
    name = display_name(path)
    for number, cells in enumerate(iterate_table(read_lines(path), name), 2):
        references = [cell for column, cell in cells.items() if column.lower().startswith(_REFERENCES) and cell]
        values = {column.lower(): cell for column, cell in cells.items()}
        yield _Row({**values, "references": references or None}, name, number, header=1)


def _has_header(path: str | Path) -> bool:
    """Whether the file is named `.tsv` and its first line names columns that are known here."""
    if not name_without_compression(str(path)).endswith(".tsv") or not can_be_read_again(path):
        return False
    names = next(read_lines(path), "").lower().split("\t")
    return "output" in names or ("source" in names and any(name.startswith(_REFERENCES) for name in names))


def _tsv_lines(rows: Iterable[tuple[Sentence, Sequence[str]]]) -> Iterator[str]:
    """Sentences as a TSV with a header; their texts have no tabs and line ends any more."""
    width = max((len(references) for _, references in rows), default=1)
    yield "\t".join(["id", "source", *(f"reference{n}" for n in range(1, width + 1))]) + "\n"
    for sentence, references in rows:
        cells = [" ".join(sentence.id.split()), sentence.text, *references, *[""] * (width - len(references))]
        yield "\t".join(cells) + "\n"


def _json_lines(rows: Iterable[tuple[Sentence, Sequence[str]]]) -> Iterator[str]:
    """Sentences with their edits, or with their references where they have no edits."""
    annotators = sorted({a.annotator for s, _ in rows for a in s.annotations}, key=annotator_order)
    for sentence, references in rows:
        known = {"id": sentence.id, "document": sentence.document} if sentence.document else {"id": sentence.id}
        gold: dict[str, Any] = {"references": list(references)}
        if sentence.annotations:
            annotations = [sentence.annotation(annotator) for annotator in annotators]
            gold = {
                "edits": [
                    None if annotation is None else [*map(_edit_values, annotation.edits)] for annotation in annotations
                ]
            }
        yield json.dumps({**known, "source": sentence.text, **gold}, ensure_ascii=False) + "\n"


def _edit_values(edit: Edit) -> dict[str, Any]:
    """An edit as a row has it; what is as it mostly is goes without saying."""
    values: dict[str, Any] = {"start": edit.start, "end": edit.end, "corrections": list(edit.corrections)}
    texts = {"type": edit.type, "comment": edit.comment}
    values |= {key: text for key, text in texts.items() if text}
    return values if edit.required else {**values, "required": False}


def _arrow_rows(path: str | Path, keys: tuple[str, ...]) -> Iterator[_Row]:
    pyarrow = optional("pyarrow", extra="arrow", purpose="reading Parquet and Arrow files")
    optional("pyarrow.parquet", extra="arrow", purpose="reading Parquet files")
    name, number = display_name(path), 0
    with open_bytes(path, seekable=True) as stream:
        try:
            for batch in _batches(pyarrow, stream, str(path).endswith(".parquet"), keys):
                columns = {key: batch.column(key).to_pylist() for key in batch.schema.names if key in keys or not keys}
                if not columns:
                    got = ", ".join(batch.schema.names)
                    raise InputError(f"expected a column {keys[0]!r}, got {got}", name, 1)
                for values in zip(*columns.values(), strict=True):
                    number += 1
                    yield _Row(dict(zip(columns, values, strict=True)), name, number)
        except (pyarrow.ArrowException, OSError) as error:
            what = str(error).split("\n")[0]
            raise InputError(f"expected a Parquet or Arrow file: {what}", name) from None


def json_rows(path: str | Path) -> Iterator[Mapping[str, Any]]:
    """The object of each line of a file of JSON lines."""
    return (row.values for row in _json_rows(path, ()))


def arrow_rows(path: str | Path) -> Iterator[Mapping[str, Any]]:
    """Every column of each row of a Parquet or Arrow file."""
    return (row.values for row in _arrow_rows(path, ()))


def _batches(pyarrow: Any, stream: Any, parquet: bool, keys: tuple[str, ...]) -> Iterator[Any]:
    """Parts of a table; an Arrow file may be a file with its index behind, or a stream."""
    if parquet:
        file = pyarrow.parquet.ParquetFile(stream)
        columns = [key for key in file.schema_arrow.names if key in keys]
        yield from file.iter_batches(_BATCH, columns=columns or None)
        return
    try:
        opened = pyarrow.ipc.open_file(stream)
        yield from map(opened.get_batch, range(opened.num_record_batches))
    except pyarrow.ArrowInvalid:
        stream.seek(0)
        yield from pyarrow.ipc.open_stream(stream)


Rows = Callable[[str | Path, tuple[str, ...]], Iterator[_Row]]


class _OutputColumns(LineColumns):
    """A table's outputs as columns, some at a time."""

    def __init__(self, path: str | Path, rows: Rows) -> None:
        self.name = display_name(path)
        self._rows = rows(path, _OUTPUT)

    def take(self, most: int) -> TextColumn:
        return TextColumn.of([row.text("output") for row in islice(self._rows, most)])


def _chunks(path: str | Path, size: int, rows: Rows) -> Iterator[ColumnSentences]:
    """Gold as columns; where all rows have as many references and nothing else, no sentence is made."""
    sentences, number = rows(path, _GOLD), 1
    while part := list(islice(sentences, size)):
        yield _laid_out(part, number)
        number += len(part)
    if number == 1:
        raise InputError("expected at least one sentence, got an empty file", display_name(path), 1)


def _survey(path: str | Path, rows: Rows) -> Survey:
    """What the whole table holds; whatever is wrong in it is said when it is read."""
    count, annotators, documents = 0, 0, False
    for row in rows(path, ("source", "edits", "document")):
        count += 1
        edits = row.values.get("edits")
        annotators = max(annotators, len(edits) if isinstance(edits, list) else 0)
        documents = documents or bool(row.values.get("document"))
    return Survey(count, tuple(map(str, range(annotators))), documents)


def _laid_out(part: list[_Row], number: int) -> ColumnSentences:
    references = [row.references for row in part]
    plain = not any(row.values.get(key) is not None for row in part for key in ("edits", "id", "document"))
    if plain and len({len(of_sentence) for of_sentence in references}) == 1 and references[0]:
        columns = [TextColumn.of([of_sentence[r] for of_sentence in references]) for r in range(len(references[0]))]
        return parallel_sentences(TextColumn.of([row.text("source") for row in part]), columns, number)
    sentences = [row.sentence() for row in part]
    labels = {"id": [s.id for s in sentences], "document": [s.document for s in sentences]}
    return ColumnSentences(TextColumn.of([s.text for s in sentences]), columns_of(sentences), number, labels=labels)


Lines = Callable[[Iterable[tuple[Sentence, Sequence[str]]]], Iterator[str]]


def _format(
    name: str,
    title: str,
    detect: Callable[[str | Path], bool],
    rows: Rows,
    lines: Lines | None = None,
    keeps: str = "",
    losses: Losses = no_losses,
) -> FileFormat:
    return FileFormat(
        name,
        title,
        detect,
        read_gold=lambda path, lenient: chain.from_iterable(_chunks(path, 1000, rows)),
        read_outputs=lambda path, lenient: (Output(row.text("output")) for row in rows(path, _OUTPUT)),
        gold_columns=lambda path, size, lenient: _chunks(path, size, rows),
        output_columns=lambda path, size, lenient: _OutputColumns(path, rows),
        survey=lambda path: _survey(path, rows),
        reference_lines=lines,
        keeps=keeps,
        losses=losses,
    )


def _has_name(*endings: str) -> Callable[[str | Path], bool]:
    return lambda path: name_without_compression(str(path)).endswith(endings)


HEADED_TSV = _format("tsv", "a TSV with a header", _has_header, _tsv_rows, _tsv_lines, losses=edits_become_texts)
JSON_LINES = _format("jsonl", "JSON lines", _has_name(".jsonl", ".ndjson"), _json_rows, _json_lines, "\n\t")
PARQUET = _format("parquet", "Parquet", _has_name(".parquet"), _arrow_rows)
ARROW = _format("arrow", "Arrow", _has_name(".arrow", ".feather"), _arrow_rows)


def column_chunks(
    chunks: Iterator[ColumnSentences], name: str, outputs: Sequence[OutputColumns], labels: str | Path | None = None
) -> Iterator[tuple[ColumnSentences, list[TextColumn | ColumnSentences]]]:
    """Each chunk of the gold, which `name` is the file of, with the systems' outputs for it; files must have the same
    length. `labels` is a table for the gold.
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
            sentences = sentences.with_labels(_transpose(rows))
        taken: list[TextColumn | ColumnSentences] = []
        for lines in outputs:
            taken.append(lines.take(size))
            if len(taken[-1]) < size:
                got = count + len(taken[-1])
                raise wrong_length(lines.name, rest(), name, got=got, line=max(got, 1))
        yield sentences, taken
        count += size
        del sentences, taken  # before the next ones are read
    if table is not None and (surplus := sum(1 for _ in table[1])):
        raise wrong_length(table[0], count, name, got=count + surplus, line=count + 2)
    for lines in outputs:
        if surplus := lines.count_rest():
            raise wrong_length(lines.name, count, name, got=count + surplus, line=count + 1)


def _transpose(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    return {key: [row[key] for row in rows] for key in rows[0]} if rows else {}
