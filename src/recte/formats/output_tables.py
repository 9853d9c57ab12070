"""Outputs in tables as people have them: CSV, TSV, JSON, JSON lines, Parquet, Arrow and results of batch interfaces.

A table has a column of outputs, and may have the sources that these were made for and the ids of their sentences.
Columns are known by usual names, or named by `--text-column`, `--source-column` and `--id-column`. Rows whose ids name
the sentences are put in their order; results of batch interfaces come in any order, with numbers in their ids. A row
with another source than the sentence at its place is refused.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from recte.corpus.corpus import Sentence
from recte.errors import InputError, OptionError
from recte.files import can_be_read_again, display_name, name_without_compression, read_lines
from recte.formats.file_formats import FileFormat, Output
from recte.formats.labels import iterate_table
from recte.formats.tables import arrow_rows, json_rows
from recte.messages import note, warn
from recte.patterns import compile_later

__all__ = ["OUTPUT_TABLE", "USUAL_COLUMNS", "TableColumns", "read_output_table"]

# Usual names of the column of outputs, the most certain first.
_TEXT_COLUMNS = ("output", "corrected", "correction", "hypothesis", "prediction", "generated_text")
_SOURCE_COLUMNS = ("source",)
_ID_COLUMNS = ("custom_id", "id", "key")  # what a batch interface calls `id` is its own
# Where batch interfaces put a model's text.
_BATCH_TEXTS: tuple[tuple[str | int, ...], ...] = (
    ("response", "body", "choices", 0, "message", "content"),
    ("response", "body", "choices", 0, "text"),
    ("response", "body", "output", -1, "content"),
    ("result", "message", "content"),
    ("response", "candidates", 0, "content", "parts"),
)
# Where they say why an answer ended, and the words for an answer that was cut off.
_BATCH_ENDS: tuple[tuple[str | int, ...], ...] = (
    ("response", "body", "choices", 0, "finish_reason"),
    ("response", "body", "incomplete_details", "reason"),
    ("result", "message", "stop_reason"),
    ("response", "candidates", 0, "finishReason"),
)
_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"})
_BATCH_KEYS = ("response", "result", "error")
_DELIMITERS = ",;\t"
_DELIMITER = compile_later(f"[{_DELIMITERS}]")
_GOLD_COLUMNS = frozenset({"references", "edits"})
_COLUMN_NAME = compile_later(r"[^\W\d][\w.-]*")
_TEXT_ENDINGS = ("", ".txt", ".out", ".text")  # what a table has by mistake; its first line then says what it is
_NUMBER = compile_later(r"\d{1,18}")
_SHOWN = 60  # letters of a text in a message
_QUOTED = compile_later(r'"(?:[^"]|"")*"')  # a cell in quotation marks, those inside doubled
_NO_LETTER = compile_later(r"[\W_]+")


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table of outputs; None is a column with a usual name."""

    text: str | None = None
    source: str | None = None
    id: str | None = None


USUAL_COLUMNS = TableColumns()


class _Row(NamedTuple):
    """A row, and where it stands: a line of the file, or an item of a list, whose `line` is None."""

    values: Mapping[str, Any]
    number: int
    line: int | None


def is_output_table(path: str | Path) -> bool:
    """Whether the file's name and its first row say that it is a table of outputs."""
    if not can_be_read_again(path):
        return False
    ending = _ending(path)
    if ending == ".json":
        return True
    if ending not in _READERS:
        return False
    try:
        first = next(_READERS[ending](path), None)
    except InputError:  # the reader of the file says what is wrong
        return False
    return first is not None and _is_of_outputs(first.values, ending)


def _is_of_outputs(values: Mapping[str, Any], ending: str) -> bool:
    """Whether a row has more than the column `output` alone, which the format of gold reads faster."""
    known = {name.lower() for name in values}
    if _is_batch_result(values):
        return True
    if known & _GOLD_COLUMNS:
        return False
    if not known & set(_TEXT_COLUMNS):  # the reader asks which column it is
        return ending == ".csv" and len(values) > 1 and all(map(_COLUMN_NAME.fullmatch, values))
    others = known & {*_SOURCE_COLUMNS, *_ID_COLUMNS, *_TEXT_COLUMNS[1:]}
    return ending == ".csv" or "output" not in known or bool(others)


def read_output_table(
    path: str | Path, sentences: Iterator[Sentence], columns: TableColumns = USUAL_COLUMNS
) -> Iterator[Output]:
    """The outputs of a table, one for each sentence, in the order of the sentences.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "out.csv")
    ...     _ = path.write_text('id,corrected\\n2,"Yes , it is ."\\n1,He goes .\\n')
    ...     sentences = iter([Sentence("He go .", id="1"), Sentence("Yes it is .", id="2")])
    ...     [output.text for output in read_output_table(path, sentences)]
    ['He goes .', 'Yes , it is .']
    """
    name = display_name(path)
    rows = _read_rows(path)
    first = next(rows, None)
    if first is None:
        raise InputError("expected at least one row, got none", name, 1)
    reader = _RowReader(name, first, columns)
    for row, sentence in _in_order(chain([first], rows), sentences, reader):
        yield reader.read(row, sentence)
    if reader.cut_off:
        warn(
            f"{name}: {reader.cut_off} answers were cut off at the limit of their length; ask again for these sentences"
        )


def _read_rows(path: str | Path) -> Iterator[_Row]:
    ending = _ending(path)
    if ending not in _READERS:
        raise OptionError(
            f"--text-column: expected a table ({', '.join(_READERS)}), got {display_name(path)}, which is none"
        )
    if not name_without_compression(str(path)).lower().endswith(ending):
        note(f"{display_name(path)}: read as a table ({ending[1:]}), as its first line says")
    return _READERS[ending](path)


def _ending(path: str | Path) -> str:
    """The ending of the file's name; where that is one of a text, what the first lines say: `.json` and so on."""
    ending = Path(name_without_compression(str(path))).suffix.lower()
    if ending not in _TEXT_ENDINGS or not can_be_read_again(path):
        return ending
    try:
        first, *rest = [*islice(read_lines(path), 2), ""][:2]
    except InputError:  # the reader of the file says what is wrong
        return ending
    if first.lstrip()[:1] in ("[", "{"):
        return _ending_of_json(first, rest[0]) or ending
    names = {cell.strip().strip('"').lower() for cell in _DELIMITER.split(first)}
    known = {*_TEXT_COLUMNS, *_SOURCE_COLUMNS, *_ID_COLUMNS}
    if len(names) < 2 or not names <= known or not names & set(_TEXT_COLUMNS):
        return ending
    return ".tsv" if "\t" in first else ".csv"


def _ending_of_json(first: str, second: str) -> str:
    """What a file of JSON has as an ending, from its first two lines; "" where it is text, such as a line `[1]`."""
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return ".json" if first.strip() in ("[", "{") and second.lstrip()[:1] in ('"', "{") else ""
    if isinstance(value, dict) and value:
        return ".jsonl"
    return ".json" if isinstance(value, list) and value and not second and isinstance(value[0], str | dict) else ""


class _RowReader:
    """Reads rows by the columns that the first row has."""

    def __init__(self, name: str, first: _Row, columns: TableColumns) -> None:
        self.name = name
        self.cut_off = 0  # answers that reached the limit of their length
        self.is_batch = not columns.text and _is_batch_result(first.values)
        self._source = self._choose(first, columns.source, _SOURCE_COLUMNS, "source")
        self._id = self._choose(first, columns.id, _ID_COLUMNS, "id")
        self._text = "" if self.is_batch else self._choose(first, columns.text, _TEXT_COLUMNS, "text")
        if not self.is_batch and not self._text:
            rest = [column for column in first.values if column not in (self._source, self._id)]
            if len(rest) != 1:
                raise self.error(
                    first, f"expected the column of outputs, got {_list_columns(first)}: name it, --text-column"
                )
            self._text = rest[0]

    def _choose(self, first: _Row, chosen: str | None, usual: Sequence[str], what: str) -> str:
        """The column by its name, or the first usual one that is there; "" where none is."""
        if chosen and chosen not in first.values:
            raise self.error(first, f"--{what}-column: expected one of {_list_columns(first)}, got {chosen!r}")
        by_name = {column.lower(): column for column in reversed(list(first.values))}
        known = [by_name[name] for name in usual if name in by_name]
        if what == "text" and not chosen and len(known) > 1:
            raise self.error(
                first, f"expected one column of outputs, got {' and '.join(known)}: name it, --text-column"
            )
        return chosen or next(iter(known), "")

    def identity(self, row: _Row) -> str | None:
        """The id of a row, None where it has none."""
        value = row.values.get(self._id) if self._id else None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return None if value is None or value == "" else str(value)

    def read(self, row: _Row, sentence: Sentence | None) -> Output:
        """The row's output, whose source must be that of the sentence."""
        source = row.values.get(self._source) if self._source else None
        if sentence is not None and isinstance(source, str) and not _is_same_text(source, sentence.text):
            begin = max(_find_difference(source, sentence.text) - _SHOWN // 2, 0)
            expected, got = (repr(text[begin : begin + _SHOWN]) for text in (sentence.text, source))
            got = f"got one for {got}"
            raise self.error(
                row,
                f"expected an output for sentence {sentence.id}, {expected}, {got}",
                f"expected an output for sentence {sentence.id} of the task, {got}",
            )
        return Output(self._read_batch_text(row) if self.is_batch else self._read_text(row))

    def _read_text(self, row: _Row) -> str:
        if self._text not in row.values:
            raise self.error(row, f"expected a column {self._text!r}, got {_list_columns(row)}")
        text = row.values[self._text]
        if not isinstance(text, str):
            raise self.error(row, f"{self._text}: expected a text, got {json.dumps(text, default=str)[:60]}")
        return text

    def _read_batch_text(self, row: _Row) -> str:
        for path in _BATCH_TEXTS:
            text = _join_parts(_follow(row.values, path))
            if text is not None:
                self.cut_off += any(_follow(row.values, end) in _CUT_OFF for end in _BATCH_ENDS)
                return text
        which = self.identity(row) or f"row {row.number}"
        what = json.dumps({key: row.values.get(key) for key in _BATCH_KEYS if row.values.get(key)}, default=str)
        raise self.error(row, f"{which}: expected a model's answer, got {what[:80]}; ask again for this sentence")

    def error(self, row: _Row, message: str, public_message: str | None = None) -> InputError:
        place = "" if row.line is not None else f"item {row.number}: "
        public = None if public_message is None else place + public_message
        return InputError(place + message, self.name, row.line, public)


def _list_columns(row: _Row) -> str:
    return ", ".join(map(str, row.values)) or "no column"


def _is_batch_result(values: Mapping[str, Any]) -> bool:
    """Whether a row is an answer, or a failure, of a batch interface."""
    has_id = any(isinstance(values.get(key), str) for key in ("custom_id", "key"))
    return has_id and any(isinstance(values.get(key), Mapping) for key in _BATCH_KEYS)


def _follow(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
        else:
            value = value[step] if isinstance(value, list) and value else None
    return value


def _join_parts(content: Any) -> str | None:
    """A text, or the texts of a list of parts without the model's thoughts; None where there is none."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping) and not part.get("thought")]
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _find_difference(text: str, other: str) -> int:
    """The place of the first character that differs."""
    pairs = zip(text, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))


def _is_same_text(text: str, other: str) -> bool:
    """Whether texts have the same letters and digits: blanks and signs differ between raw texts and tokens."""
    return text == other or _NO_LETTER.sub("", text).casefold() == _NO_LETTER.sub("", other).casefold()


def _in_order(
    rows: Iterator[_Row], sentences: Iterator[Sentence], reader: _RowReader
) -> Iterator[tuple[_Row, Sentence | None]]:
    """Rows with their sentences: one after the other as long as ids agree, and from there on by the ids of all."""
    passed: set[str] = set()
    for row in rows:
        sentence = next(sentences, None)
        identity = reader.identity(row)
        if sentence is not None and identity is not None and identity != sentence.id:
            rest = [sentence, *sentences]
            for number, other in enumerate(_sort_rows([row, *rows], rest, passed, reader)):
                yield other, rest[number] if number < len(rest) else None
            return
        if identity is not None:
            passed.add(identity)
        yield row, sentence


def _sort_rows(rows: list[_Row], sentences: Sequence[Sentence], passed: set[str], reader: _RowReader) -> list[_Row]:
    """The rows by the ids of the sentences, or by a number in their own ids; else as they are, with a note.

    `passed` are the ids of the rows before them.
    """
    by_id: dict[str, _Row] = {}
    for row in rows:
        identity = reader.identity(row)
        if identity is None:
            raise reader.error(row, "expected an id as the other rows have, got none")
        if identity in by_id or identity in passed:
            raise reader.error(row, f"expected different ids, got {identity!r} twice")
        by_id[identity] = row
    identities = [sentence.id for sentence in sentences]
    if by_id.keys() <= set(identities):
        missing = next((identity for identity in identities if identity not in by_id), None)
        if missing is not None:
            raise InputError(f"expected an output for sentence {missing}, got none", reader.name)
        return [by_id[identity] for identity in identities]
    numbers = _find_order(list(by_id), len(sentences))
    if numbers is not None:
        return [row for _, row in sorted(zip(numbers, rows, strict=True), key=lambda pair: pair[0])]
    note(f"{reader.name}: ids are not those of the gold: outputs are taken in the order of the file")
    return rows


def _find_order(identities: Sequence[str], count: int) -> list[int] | None:
    """The number of each id that counts all of them, one by one; None where ids have no such number.

    >>> _find_order(["run3-9-v2", "run3-8-v2"], 2)
    [9, 8]
    """
    parts = [[int(number) for number in _NUMBER.findall(identity)] for identity in identities]
    if len(identities) != count or len({len(numbers) for numbers in parts}) != 1:
        return None
    for column in zip(*parts, strict=True):
        if sorted(column) == list(range(min(column), min(column) + count)):
            return list(column)
    return None


def _read_csv(path: str | Path, delimiters: str = _DELIMITERS) -> Iterator[_Row]:
    name = display_name(path)
    lines = (line + "\n" for line in read_lines(path))
    head = next(lines, "")
    delimiter = max(delimiters, key=head.count)
    reader = csv.reader(chain([head], lines), delimiter=delimiter)
    try:
        header = next(reader, [])
        if not any(header) or len(set(header)) < len(header):
            raise InputError(f"expected a header of distinct names, got {header}", name, 1)
        begin = reader.line_num + 1
        for number, cells in enumerate(reader, 1):
            if cells and len(cells) != len(header):
                raise InputError(f"expected {len(header)} cells as in the header, got {len(cells)}", name, begin)
            if cells:
                yield _Row(dict(zip(header, cells, strict=True)), number, begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"expected cells parted by {delimiter!r}: {error}", name, reader.line_num) from None


def _read_tsv(path: str | Path) -> Iterator[_Row]:
    """A table whose cells stand between tabs; quotation marks are letters, unless all are written as CSV has them."""
    table = list(iterate_table(read_lines(path), display_name(path)))
    with_marks = [cell for row in table for cell in row.values() if '"' in cell]
    if with_marks and all(map(_QUOTED.fullmatch, with_marks)):
        table = [{name: _unquote(cell) for name, cell in row.items()} for row in table]
    return (_Row(row, number, number + 1) for number, row in enumerate(table, 1))


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if '"' in cell else cell


def _read_json_lines(path: str | Path) -> Iterator[_Row]:
    return (_Row(values, number, number) for number, values in enumerate(json_rows(path), 1))


def _read_json(path: str | Path) -> Iterator[_Row]:
    """A list of objects or texts, an object of lists of equal length or of texts by id, or an object with a list."""
    name = display_name(path)
    lines = list(read_lines(path))
    try:
        content = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        if len(lines) > 1 and lines[0].rstrip().endswith("}"):  # one object per line
            yield from _read_json_lines(path)
            return
        raise InputError(f"expected JSON, got something else: {error}", name) from None
    for number, values in enumerate(_json_items(content, name), 1):
        if not isinstance(values, Mapping):
            raise InputError(f"item {number}: expected an object, got {json.dumps(values)[:60]}", name)
        yield _Row(values, number, None)


def _json_items(content: Any, name: str) -> Iterable[Any]:
    if isinstance(content, list):
        return ({"output": item} if isinstance(item, str) else item for item in content)
    if isinstance(content, dict):
        lists = {key: value for key, value in content.items() if isinstance(value, list)}
        if content and all(isinstance(value, str) for value in content.values()):
            return ({"id": key, "output": value} for key, value in content.items())
        if lists and len({len(value) for value in lists.values()}) == 1 and not isinstance(_first_item(lists), dict):
            return (dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True))
        if len(lists) == 1:
            return _json_items(next(iter(lists.values())), name)
    raise InputError("expected a list of objects, or an object of lists of the same length", name)


def _first_item(lists: Mapping[str, Sequence[Any]]) -> Any:
    return next(chain.from_iterable(islice(values, 1) for values in lists.values()), None)


def _read_arrow(path: str | Path) -> Iterator[_Row]:
    return (_Row(values, number, number) for number, values in enumerate(arrow_rows(path), 1))


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_arrow,
    ".arrow": _read_arrow,
    ".feather": _read_arrow,
}


OUTPUT_TABLE = FileFormat(
    "output-table",
    "a table of outputs",
    is_output_table,
    read_outputs=lambda path, lenient: read_output_table(path, iter(())),
    read_outputs_for=read_output_table,
)
