"""JSON lines, Parquet and Arrow as gold and as outputs."""

from __future__ import annotations

import gzip
import json

import pytest

from recte import InputError, MaxMatch, merge
from recte.counting import count_files
from recte.formats.file_formats import gold_format, output_format
from recte.inputs import GoldFiles, read_gold, read_outputs_for

ROWS = [
    {"source": "He go to school .", "references": ["He goes to school .", "He went to school ."]},
    {"source": "I has a apple .", "references": ["I have an apple .", "I had an apple ."]},
    {"source": "你 好 .", "references": ["您 好 .", "你 好 ."]},
]
OUTPUTS = [{"output": "He went to school .", "model": 3}, {"output": ""}, {"output": "您 好 ."}]
EDITS = [
    {
        "source": "He go .",
        "edits": [[{"start": 1, "end": 2, "corrections": ["goes"], "type": "SVA"}], []],
        "references": None,
        "id": "x",
        "document": None,
    },
    {"source": "I am .", "edits": None, "references": ["I was ."], "id": None, "document": "one"},
]


def written(folder, ending, rows):
    path = folder / f"table-{len(rows[0])}.{ending}"
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    elif ending == "jsonl.gz":
        path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    else:
        pyarrow = pytest.importorskip("pyarrow")
        table = pyarrow.Table.from_pylist(rows)
        if ending == "parquet":
            __import__("pyarrow.parquet").parquet.write_table(table, path, row_group_size=2)
        else:
            opened = pyarrow.ipc.new_file if ending == "feather" else pyarrow.ipc.new_stream
            with opened(path, table.schema) as sink:
                sink.write_table(table, max_chunksize=2)
    return path


ENDINGS = ["jsonl", "jsonl.gz", "parquet", "arrow", "feather"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_table_is_what_its_rows_say(tmp_path, ending):
    gold = written(tmp_path, ending, ROWS)
    output = written(tmp_path, ending, [dict(row, more="x", still=1) for row in OUTPUTS])
    assert gold_format(gold).name == output_format(output).name == ending.split(".")[0].replace("feather", "arrow")
    corpus = read_gold(gold)
    assert [(s.text, s.references, s.id) for s in corpus] == [
        (row["source"], tuple(row["references"]), str(number)) for number, row in enumerate(ROWS, 1)
    ]
    system = read_outputs_for(corpus, output)
    assert list(system.outputs) == [row["output"] for row in OUTPUTS]
    (counted,) = count_files(GoldFiles(gold=gold), {"mine": output}, [MaxMatch()])
    assert counted.counts.rows.tolist() == MaxMatch().prepare(corpus).count(system).rows.tolist()


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_may_have_edits(tmp_path, ending):
    corpus = read_gold(written(tmp_path, ending, EDITS))
    assert [s.id for s in corpus] == ["x", "2"]
    assert [s.document for s in corpus] == ["", "one"]
    edit = corpus[0].annotations[0].edits[0]
    assert (edit.start, edit.end, edit.corrections, edit.type, edit.line) == (1, 2, ("goes",), "SVA", 1)
    assert corpus[0].annotations[1].edits == ()
    assert corpus[1].references == ("I was .",)


def test_chunks_are_the_whole(tmp_path):
    path = written(tmp_path, "jsonl", ROWS)
    whole = MaxMatch().prepare(read_gold(path)).count([r["source"] for r in ROWS])
    parts = []
    for corpus, _ in GoldFiles(gold=path).chunks({}, 2):
        parts.append(MaxMatch().prepare(corpus).count(list(corpus.unchanged)))
    assert merge(parts) == whole


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", "expected a JSON object, got '\\[1\\]'"),
        ("{", "expected a JSON object, got '{'"),
        ("", "expected a JSON object, got ''"),
        ('{"text": "a"}', "expected a column 'source', got text"),
        ('{"source": 3, "references": "a"}', "source: expected a text, got 3"),
        ('{"source": "a"}', "expected references or edits, got neither"),
        ('{"source": "a", "references": [1]}', "references: expected a text or a list of texts, got \\[1\\]"),
        ('{"source": "a", "edits": [1]}', "edits: expected a list of edits for each annotator"),
        ('{"source": "a", "edits": [[1]]}', "edits: expected edits with start, end and corrections, got 1"),
        ('{"source": "a", "edits": [[{"start": 0, "end": 9, "corrections": "b"}]]}', "0 9"),
        ('{"source": "a", "edits": [[{"start": "x", "end": 1, "corrections": "b"}]]}', "whole numbers"),
        ('{"source": "a", "edits": [[{"start": 0, "end": 1, "corrections": [1]}]]}', "strings"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, line, message):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"source": "b", "references": "b"}\n' + line + "\n")
    with pytest.raises(InputError, match=message) as caught:
        read_gold(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_outputs_that_are_missing_are_said(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text('{"text": "b"}\n')
    with pytest.raises(InputError, match=r"out\.jsonl:1: expected a column 'output', got text"):
        read_outputs_for(read_gold(written(tmp_path, "jsonl", ROWS)), path)
    path.write_text('{"output": "b"}\n')
    with pytest.raises(InputError, match="expected 3 lines, one for each sentence"):
        list(count_files(GoldFiles(gold=written(tmp_path, "jsonl", ROWS)), {"x": path}, [MaxMatch()]))


def test_a_file_that_is_no_table(tmp_path):
    pytest.importorskip("pyarrow")
    for ending in ("parquet", "arrow"):
        path = tmp_path / f"bad.{ending}"
        path.write_bytes(b"nonsense" * 10)
        with pytest.raises(InputError, match="expected a Parquet or Arrow file"):
            read_gold(path)
    with pytest.raises(InputError, match="expected a column 'source', got a"):
        read_gold(written(tmp_path, "parquet", [{"a": 1}]))
