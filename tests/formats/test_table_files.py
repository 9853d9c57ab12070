"""JSON lines, Parquet and Arrow as gold and as outputs."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from recte import InputError, MaxMatch, merge
from recte.cli import main
from recte.evaluation.counting import count_files
from recte.evaluation.inputs import GoldFiles, read_gold, read_outputs_for
from recte.formats.file_formats import gold_format, output_format

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
def test_commands_look_at_a_table_before_they_read_it(tmp_path, ending, capsys):
    gold = written(tmp_path, ending, ROWS)
    output = written(tmp_path, ending, [{"output": row["references"][0], "n": 1, "m": 2} for row in ROWS])
    texts = [tmp_path / "source", tmp_path / "reference"]
    texts[0].write_text("".join(f"{row['source']}\n" for row in ROWS))
    texts[1].write_text("".join(f"{row['references'][0]}\n" for row in ROWS))
    for files in ([gold, output], ["-s", texts[0], "-r", texts[1], "-i", output]):
        assert main(["score", *map(str, files), "--no-ci", "-f", "json"]) == 0
        (score,) = json.loads(capsys.readouterr().out)["scores"]
        assert (score["tp"], score["fp"], score["fn"]) == (3, 0, 0)


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


M2_GOLD = """S He go to school .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 3 4|||Um|||-NONE-|||OPTIONAL|||ask her|||2

S I has a apple .
A 1 2|||V|||have|||REQUIRED|||-NONE-|||2
A 2 3|||Art|||an|||REQUIRED|||-NONE-|||2

S All good .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def test_edits_go_into_json_lines_and_come_back(tmp_path, capsys):
    gold, table = tmp_path / "gold.m2", tmp_path / "gold.jsonl"
    gold.write_text(M2_GOLD)
    assert main(["convert", str(gold), "--to-jsonl", str(table)]) == 0
    assert capsys.readouterr().err == ""
    names = {"0": "0", "2": "1"}  # a table numbers its annotators
    uncommented = [
        [(names[a.annotator], tuple(replace(edit, comment="") for edit in a.edits)) for a in s.annotations]
        for s in read_gold(gold)
    ]
    assert uncommented == [[(a.annotator, a.edits) for a in s.annotations] for s in read_gold(table)]
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    assert rows[1]["edits"][0] is None
    assert rows[0]["edits"][1][0]["comment"] == "ask her"


@pytest.mark.parametrize("metric", ["m2", "errant", "gleu", "imeasure"])
def test_scores_are_those_of_the_edits(tmp_path, metric, capsys):
    gold, table, output = tmp_path / "gold.m2", tmp_path / "gold.jsonl", tmp_path / "out.txt"
    gold.write_text(M2_GOLD)
    output.write_text("He went to school .\nI have a apple .\nAll is good .\n")
    assert main(["convert", str(gold), "--to-jsonl", str(table)]) == 0
    capsys.readouterr()
    scores = []
    for path in (gold, table):
        assert main(["score", str(path), str(output), "-m", metric, "-b", "-w", "6"]) == 0
        scores.append(capsys.readouterr().out)
    assert scores[0] == scores[1] != ""


@pytest.mark.parametrize(
    ("flag", "name", "lost"),
    [
        ("--to-tsv", "t.tsv", "4 edits become corrected text, without types and alternatives, since a TSV"),
        ("--to-para", "t.para", "4 edits become corrected text, without types and alternatives, since .para"),
        ("--to-xml", "t.xml", "further corrections of 1 edit are lost, since the I-measure's XML cannot hold them"),
        ("--to-m2", "t.m2", None),
    ],
)
def test_what_a_format_loses_is_said(tmp_path, capsys, flag, name, lost):
    gold = tmp_path / "gold.m2"
    gold.write_text(M2_GOLD)
    assert main(["convert", str(gold), flag, str(tmp_path / name)]) == 0
    said = capsys.readouterr().err
    assert (said == "") if lost is None else (lost in said and said.count("\n") == 1)


def test_types_that_merge_in_xml_are_counted(tmp_path, capsys):
    gold = tmp_path / "gold.m2"
    gold.write_text("S a b c\nA 0 2|||X|||d|||REQUIRED|||-NONE-|||0\nA 1 2|||Y|||e|||REQUIRED|||-NONE-|||1\n")
    assert main(["convert", str(gold), "--to-xml", str(tmp_path / "gold.xml")]) == 0
    assert "types that differ inside an error of 1 sentence are lost" in capsys.readouterr().err


def test_a_table_says_whether_an_edit_is_required(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"source": "a", "edits": [[{"start": 0, "end": 1, "corrections": "b", "required": 3}]]}\n')
    with pytest.raises(InputError, match=r"gold\.jsonl:1: required: expected true or false, got 3"):
        read_gold(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "gold.m2", "--to-m2", "gold.m2"],
        ["convert", "gold.m2", "--to-source", "link.m2"],
        ["convert", "link.m2", "--to-m2", "./gold.m2"],
        ["convert", "-s", "a.txt", "-r", "b.txt", "--to-references", "b.txt"],
        ["extract", "a.txt", "b.txt", "--to", "b.txt"],
        ["cut", "a.txt", "b.txt", "-o", "c.txt", "a.txt"],
    ],
)
def test_no_command_writes_over_its_input(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.m2").write_text(M2_GOLD)
    (tmp_path / "link.m2").symlink_to("gold.m2")
    (tmp_path / "a.txt").write_text("He go .\n")
    (tmp_path / "b.txt").write_text("He goes .\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "expected a file to write that is not read" in said
    assert said.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_rows_without_ids_are_numbered_and_blanks_stay(tmp_path):
    supplied, table, again = tmp_path / "given.tsv", tmp_path / "table.jsonl", tmp_path / "again.tsv"
    supplied.write_text("source\treference\nHe  go .\tHe  goes .\nI am .\tI was .\n")
    assert main(["convert", str(supplied), "--to-jsonl", str(table), "--to-tsv", str(again)]) == 0
    assert [json.loads(line)["id"] for line in table.read_text().splitlines()] == ["1", "2"]
    assert again.read_text() == "id\tsource\treference1\n1\tHe  go .\tHe  goes .\n2\tI am .\tI was .\n"
