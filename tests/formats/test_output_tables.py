"""Outputs in tables: which column is read, and which sentence a row belongs to."""

from __future__ import annotations

import gzip
import json
import warnings
from random import Random

import pytest

import recte
from recte import InputError
from recte.cli import main
from recte.formats.output_tables import TableColumns, read_output_table

SOURCES = ["He go home .", 'I am "here" .', "She like it .", "We was late ."]
OUTPUTS = ["He goes home .", 'I am "here" .', "She likes it .", "We were late ."]
PAIRS = list(zip(SOURCES, OUTPUTS, strict=True))
GOLD = "".join(
    f"S {source}\nA 1 2|||R|||{output.split()[1]}|||REQUIRED|||-NONE-|||0\n\n"
    for source, output in PAIRS
    if source != output
)


@pytest.fixture
def corpus():
    return recte.Corpus.from_references(SOURCES, [OUTPUTS])


def answer(key: str, text: str) -> dict:
    return {"custom_id": key, "response": {"body": {"choices": [{"message": {"content": text}}]}}}


def write_json_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_every_kind_of_table_gives_the_outputs(tmp_path, corpus):
    quoted = [f'{number},"{output.replace(chr(34), chr(34) * 2)}"\n' for number, output in enumerate(OUTPUTS)]
    contents = {
        "a.json": json.dumps([{"id": number, "source": s, "corrected": o} for number, (s, o) in enumerate(PAIRS)]),
        "b.json": json.dumps({"corrected": OUTPUTS, "source": SOURCES}),
        "c.json": json.dumps(OUTPUTS),
        "d.json": json.dumps({"model": "x", "results": [{"prediction": output} for output in OUTPUTS]}),
        "e.json": json.dumps({str(number): output for number, output in enumerate(OUTPUTS, 1)}),
        "a.tsv": "source\tcorrected\n" + "".join(f"{s}\t{o}\n" for s, o in PAIRS),
        "a.csv": "id,corrected\n" + "".join(quoted),
        "b.csv": "id;corrected\n" + "".join(line.replace(",", ";", 1) for line in quoted),
        "a.jsonl": "".join(json.dumps({"source": s, "output": o}) + "\n" for s, o in PAIRS),
    }
    for name, content in contents.items():
        path = tmp_path / name
        path.write_text(content)
        assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES), name


def test_bytes_say_what_names_do_not(tmp_path, corpus):
    text = "\n".join(OUTPUTS) + "\n"
    written = {
        "utf16.txt": text.encode("utf-16"),
        "utf16be.txt": b"\xfe\xff" + text.encode("utf-16-be"),
        "packed": gzip.compress(text.encode()),
        "packed8.gz": gzip.compress(text.encode("utf-8-sig")),
        "packed16.gz": gzip.compress(text.encode("utf-16")),
        "utf32.txt": text.encode("utf-32"),
    }
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
        assert recte.score(corpus, tmp_path / name, metric="sentence-accuracy").correct == len(SOURCES), name


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml xl/workbook.xml", "an Excel file: save it as CSV"),
        (b"He goes .\rI am .\rYes .\r", r"lines that end in \r alone"),
        (b"PK\x03\x04" + bytes(26) + b"x.txt", "a zip archive: unpack it"),
        (b"%PDF-1.7\n", "a PDF file"),
        (b"<!DOCTYPE html><html>", "an HTML page"),
        (b"\xff\xfea\x00\x00\xd8\n\x00", "expected UTF-16"),
    ],
)
def test_what_is_no_text_is_named(tmp_path, capsys, content, expected):
    gold, path = tmp_path / "gold.m2", tmp_path / "out.txt"
    gold.write_text(GOLD)
    path.write_bytes(content)
    assert main(["score", str(gold), str(path)]) == 2
    assert expected in capsys.readouterr().err


def test_rows_are_put_in_the_order_of_the_sentences(tmp_path, corpus):
    """By the ids of the gold, or by numbers in ids that come in any order, as batch interfaces give them."""
    Random(1).shuffle(rows := list(enumerate(OUTPUTS)))
    by_id = write_json_lines(tmp_path / "a.jsonl", [{"id": i + 1, "output": o} for i, o in rows])
    from_batch = write_json_lines(tmp_path / "b.jsonl", [answer(f"request-{i + 40}", o) for i, o in rows])
    for path in (by_id, from_batch):
        assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES)


def test_ids_may_hold_several_numbers(tmp_path, corpus):
    Random(2).shuffle(rows := list(enumerate(OUTPUTS)))
    paths = [
        write_json_lines(tmp_path / "a.jsonl", [{"id": f"run3-{i}-v2", "output": o} for i, o in rows]),
        write_json_lines(tmp_path / "b.jsonl", [{"id": i + 1.0, "output": o} for i, o in rows]),
        write_json_lines(tmp_path / "c.jsonl", [{"id": hash(o), **answer(f"request-{i}", o)} for i, o in rows]),
    ]
    for path in paths:
        assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES)


def test_answers_of_every_interface(tmp_path, corpus):
    def of_parts(text):
        return [{"text": "Let me think.", "thought": True}, {"text": text[:3]}, {"text": text[3:]}]

    bodies = [
        lambda text: {"response": {"body": {"choices": [{"message": {"content": text}, "finish_reason": "length"}]}}},
        lambda text: {"response": {"body": {"output": [{"type": "reasoning"}, {"content": [{"text": text}]}]}}},
        lambda text: {"result": {"message": {"content": [{"type": "thinking"}, {"text": text}], "stop_reason": "end"}}},
        lambda text: {"response": {"candidates": [{"content": {"parts": of_parts(text)}}]}},
    ]
    for number, body in enumerate(bodies):
        rows = [{"custom_id": f"r{place}", **body(output)} for place, output in enumerate(OUTPUTS)]
        path = write_json_lines(tmp_path / f"{number}.jsonl", rows)
        with warnings.catch_warnings(record=True) as caught:
            assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES)
        assert ["4 answers were cut off" in str(warning.message) for warning in caught] == [True] * (number == 0)


def test_a_tsv_may_be_quoted_as_csv_is(tmp_path, corpus):
    quoted = "".join(f'{s}\t"{o.replace(chr(34), chr(34) * 2)}"\n' for s, o in PAIRS)
    (tmp_path / "a.tsv").write_text(f"source\tcorrected\n{quoted.replace(SOURCES[1], 'I am here .')}")
    assert recte.score(corpus, tmp_path / "a.tsv", metric="sentence-accuracy").correct == len(SOURCES)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"output": "x", "prediction": "y"}] * 4, "expected one column of outputs, got output and prediction"),
        ([{"corrected": "x"}, {"other": "x"}], r"a\.jsonl:2: expected a column 'corrected', got other"),
        ([{"corrected": "x"}, {"corrected": None}], r"a\.jsonl:2: corrected: expected a text, got null"),
        ([{"id": i, "corrected": "x"} for i in (1, 2, 3, 3)], r"a\.jsonl:4: expected different ids, got '3' twice"),
        ([{"id": i, "corrected": "x"} for i in (2, 1, None, 4)], r"a\.jsonl:3: expected an id as the other rows have"),
    ],
)
def test_rows_that_do_not_fit_are_refused(tmp_path, corpus, rows, message):
    with pytest.raises(InputError, match=message):
        recte.score(corpus, write_json_lines(tmp_path / "a.jsonl", rows))


def test_ids_without_an_order_are_a_note(tmp_path, capsys):
    (tmp_path / "gold.m2").write_text(GOLD)
    path = write_json_lines(tmp_path / "a.jsonl", [{"id": f"q{s}", "corrected": o} for s, o in PAIRS if s != o])
    assert main(["score", str(tmp_path / "gold.m2"), str(path)]) == 0
    assert "ids are not those of the gold: outputs are taken in the order of the file" in capsys.readouterr().err


def test_json_lines_may_be_named_json(tmp_path, corpus):
    path = write_json_lines(tmp_path / "a.json", [{"prediction": output} for output in OUTPUTS])
    assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES)


def test_a_row_for_another_sentence_is_refused(tmp_path, corpus):
    rows = [{"source": s, "output": o} for s, o in PAIRS]
    swapped = write_json_lines(tmp_path / "a.jsonl", [rows[0], rows[2], rows[1], rows[3]])
    with pytest.raises(InputError, match=r"a\.jsonl:2: expected an output for sentence 2, .*, got one for 'She like"):
        recte.score(corpus, swapped)
    missing = write_json_lines(tmp_path / "b.jsonl", [{"id": i, "output": "x"} for i in (1, 2, 4)])
    with pytest.raises(InputError, match="expected an output for sentence 3, got none"):
        recte.score(corpus, missing)
    twice = write_json_lines(tmp_path / "c.jsonl", [{"id": i, "output": "x"} for i in (2, 1, 1, 3)])
    with pytest.raises(InputError, match=r"c\.jsonl:3: expected different ids, got '1' twice"):
        recte.score(corpus, twice)
    failed = write_json_lines(tmp_path / "d.jsonl", [answer("a-1", "x"), {"custom_id": "a-2", "error": {"code": 429}}])
    with pytest.raises(InputError, match=r"d\.jsonl:2: a-2: expected a model's answer, got .*429"):
        recte.score(corpus, failed)


def test_sources_may_be_raw(tmp_path, corpus):
    rows = [{"source": s.replace(" .", "."), "output": o} for s, o in PAIRS]
    assert recte.score(corpus, write_json_lines(tmp_path / "a.jsonl", rows), metric="sentence-accuracy").correct == len(
        SOURCES
    )


def test_columns_are_named_on_the_command_line(tmp_path, capsys):
    gold, path = tmp_path / "gold.m2", tmp_path / "out.csv"
    gold.write_text(GOLD)
    rows = zip((1, 3, 2), (SOURCES[0], SOURCES[3], SOURCES[2]), (OUTPUTS[0], OUTPUTS[3], OUTPUTS[2]), strict=True)
    path.write_text("nr,input,fixed\n" + "".join(f"{n},{s},{o}\n" for n, s, o in rows))
    named = ["--text-column", "fixed", "--source-column", "input", "--id-column", "nr"]
    assert main(["score", str(gold), str(path), "-f", "csv", "--no-ci", *named]) == 0
    assert "out,m2,100.00,3,0,0" in capsys.readouterr().out
    assert main(["score", str(gold), str(path), "--text-column", "fixd"]) == 2
    assert "--text-column: expected one of nr, input, fixed, got 'fixd'" in capsys.readouterr().err
    plain = tmp_path / "out.txt"
    plain.write_text("x\n" * 3)
    assert main(["score", str(gold), str(plain), "--text-column", "fixed"]) == 2
    assert "expected a table" in capsys.readouterr().err


def test_clean_reads_tables(tmp_path, capsys):
    source, path = tmp_path / "source.txt", tmp_path / "out.jsonl"
    source.write_text("\n".join(SOURCES) + "\n")
    write_json_lines(path, [answer(f"r{i}", f"Corrected: {o}") for i, o in reversed(list(enumerate(OUTPUTS)))])
    assert main(["clean", str(source), str(path), "--to", str(tmp_path / "clean.txt")]) == 0
    assert (tmp_path / "clean.txt").read_text().splitlines() == OUTPUTS


def test_a_text_named_csv_stays_a_text(tmp_path, corpus):
    path = tmp_path / "out.csv"
    path.write_text("\n".join(OUTPUTS) + "\n")
    assert recte.score(corpus, path, metric="sentence-accuracy").correct == len(SOURCES)


def test_a_table_without_a_known_column_says_what_to_name(tmp_path, corpus):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"a": "x", "b": "y"}] * 4))
    with pytest.raises(InputError, match="item 1: expected the column of outputs, got a, b: name it, --text-column"):
        list(read_output_table(path, iter(corpus), TableColumns()))


@pytest.mark.parametrize("name", ["outputs.txt", "outputs", "outputs.out", "outputs.txt.gz"])
def test_a_table_named_as_a_text_is_known_by_its_first_lines(tmp_path, corpus, name):
    rows = [{"id": number, "corrected": text} for number, text in enumerate(OUTPUTS)]
    for content in (
        "".join(json.dumps(row) + "\n" for row in rows),
        json.dumps(OUTPUTS),
        json.dumps(rows, indent=1),
        "source\toutput\n" + "".join(f"{source}\t{output}\n" for source, output in PAIRS if '"' not in source),
    ):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
        part = corpus if "here" in content else recte.Corpus(tuple(s for s in corpus if "here" not in s.text))
        with warnings.catch_warnings(record=True):
            score = recte.score(part, path)
        assert score.score == 1


@pytest.mark.parametrize("first", ["[1]", "[", "{", "[ ]", "{}", '"Yes" , he said .', "Source and output , he said ."])
def test_a_text_that_begins_like_a_table_stays_a_text(tmp_path, first):
    sources, outputs = [first, "He go home ."], [first, "He goes home ."]
    (tmp_path / "outputs.txt").write_text("".join(f"{line}\n" for line in outputs))
    gold = recte.Corpus.from_references(sources, [outputs])
    assert recte.score(gold, tmp_path / "outputs.txt").score == 1


@pytest.mark.parametrize(
    ("header", "columns"), [("source,gpt-4,claude", "source, gpt-4, claude"), ("first,second", "first, second")]
)
def test_a_table_with_outputs_of_several_systems_asks_for_a_column(header, columns, tmp_path, capsys):
    gold, table = tmp_path / "gold.m2", tmp_path / "two.csv"
    gold.write_text(GOLD)
    changed = [[source, output, output] for source, output in PAIRS if source != output]
    rows = [",".join(f'"{text}"' for text in texts[-len(header.split(",")) :]) for texts in changed]
    table.write_text("".join(f"{row}\n" for row in [header, *rows]))
    assert main(["score", str(gold), str(table), "--no-ci"]) == 2
    assert f"expected the column of outputs, got {columns}: name it, --text-column" in capsys.readouterr().err
    assert main(["score", str(gold), str(table), "--no-ci", "--text-column", columns.split(", ")[-1]]) == 0
    assert "100.00" in capsys.readouterr().out
