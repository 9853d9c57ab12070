"""Files that are nearly right, for each reader: it must read them or refuse them in one line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mutated_files import BASES, PIECES
from recte import Corpus, Gleu
from recte.annotation.conllu import parse_conllu
from recte.errors import RecteError
from recte.files import read_lines, read_raw_lines
from recte.formats import (
    counts,
    edit_values,
    essay_json,
    essays,
    file_formats,
    hoo_edits,
    imeasure_xml,
    labels,
    m2,
    metric_scores,
    output_tables,
    para,
    parallel,
    spelling,
)
from recte.models import baselines
from recte.sample import sample_files
from recte.studies.coverage import answer_files
from recte.studies.faithfulness import passage_files, ucca_xml
from recte.studies.human import judgment_files, protocols, rankings_xml, rating_files

ODD = (
    *(
        b'"',
        b"'",
        b"{",
        b"}",
        b"[",
        b"]",
        b"<",
        b">",
        b"&",
        b"&lt;",
        b"&#0;",
        b"/",
        b"\\",
        b"=",
        b",",
        b";",
        b":",
        b"#",
    ),
    *(b"0", b"-", b"1e999", b"-1e-999", b"NaN", b"Infinity", b"null", b"true", b"1.5", b"-0", b"0x1", b"None"),
    *(b"9" * 5000, b"[" * 3000, b'{"a":' * 3000, b"<a>" * 500, b"x" * 5000, b"\x1b[31m", b"\\ud800", b"\\u0000"),
    b'<!DOCTYPE a [<!ENTITY b "c">]>',
)
MULTIGEC = b"### essay_id = 1\nHe go home .\n\nHe is .\n\n### essay_id = t2-b\nI am .\n\n"
WI_ESSAY = b"""{"id": "1", "text": "He go home.\\nI am", "edits": [[0, [[3, 5, "goes"], [5, 7, null]]], [1, []]]}
"""
SOURCES = Corpus.from_references(["a b", "c"], [["a", "c"]])
GRAPH = {
    "id": "7",
    "framework": "ucca",
    "input": "He left.",
    "tops": [2],
    "nodes": [{"id": 0, "anchors": [{"from": 0, "to": 2}]}, {"id": 1, "anchors": [{"from": 3, "to": 8}]}, {"id": 2}],
    "edges": [{"source": 2, "target": 0, "label": "A"}, {"source": 2, "target": 1, "label": "P"}],
}
ESSAY = (
    b'<?xml version="1.0"?>\n<scripts>\n<script id="1">\n<sentence id="7" numann="2"><text>A b c</text>'
    b'<error-list><error id="1" req="yes" type="X"><alt ann="0"><c start="0" end="1">d</c></alt>'
    b'<alt ann="1"><c start="1" end="2"/></alt></error></error-list></sentence>\n</script></scripts>'
)
RANKINGS = (
    b'<r>\n<ranking-item id="1" src-id="3" user="u"><translation rank="1" system="a b"/>'
    b'<translation rank="2" system="c"/></ranking-item></r>'
)
CONLLU = b"# text = Hunde zum\n1\tHunde\tHund\tNOUN\t_\t_\t0\troot\t_\t_\n2-3\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n"
CONLLU += (
    b"2\tzu\tzu\tADP\t_\t_\t1\tcase\t_\t_\n3\tdem\tder\tDET\t_\t_\t1\tdet\t_\t_\n3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)
SIGHAN = "(NID=B2-0001-1)\t我今天很高心。\nB2-0002-1\t他是我的朋友。\n".encode()
EDITS = b"sentence\tstart\tend\tcorrection\t"


class Reader(NamedTuple):
    """Right files, the name they have, and the function that reads one; its parts are looked at too."""

    bases: tuple[bytes, ...]
    file: str
    read: Callable[[Path], Any]


HOO_EDITS = (
    b'<edits><edit type="SV" start="3" end="5"><original>go</original><corrections><correction>goes</correction>'
    b"</corrections></edit></edits>"
)
BATCH_RESULT = b'{"custom_id": "r-1", "response": {"body": {"choices": [{"message": {"content": "a"}}]}}}\n'


def _counts() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.counts")
        counts.write_counts(path, Gleu().prepare(SOURCES).count(["a b", "c"]))
        return path.read_bytes()


def _outputs(path: Path) -> list[Any]:
    read = file_formats.output_format(path).read_outputs
    return [] if read is None else list(read(path, False))


def _gold(path: Path) -> list[Any]:
    read = file_formats.gold_format(path).read_gold
    return [] if read is None else list(read(path, True))


def _conllu(path: Path) -> Iterable[Any]:
    return parse_conllu(read_lines(path), path.name)


def _with_file(path: Path, content: bytes) -> Path:
    """Another file that the one read belongs to."""
    other = path.with_name("beside")
    other.write_bytes(content)
    return other


def _protocol(path: Path) -> Any:
    return protocols.read_protocol_files(path.parent, path.name, of_subset=[path.name], scores={}, systems=["a", "c"])


def _output_table(path: Path) -> list[Any]:
    return list(output_tables.read_output_table(path, iter(Corpus.from_references(["a", "b"], [["a", "b"]]))))


def readers() -> dict[str, Reader]:
    """Every reader by its name."""
    sample = sample_files()
    named = {Path(name).name: content for name, content in sample.items()}
    ucca = tuple(content for name, content in sample.items() if name.endswith(".xml"))
    texts = (named["wren.txt"], "a b\nc\n\ufeffd\r\n".encode())
    chinese = (named["gold.para"], named["crane.para"])
    sighan = ("B2-0001-1, 6, 興, 2, 的\nB2-0002-1, 0\n".encode(),)
    table = ("1\t我今天很高心\t我今天很高兴\n0\t天气好\t天气好\n".encode(), "我心\t我兴\n".encode())
    marked = b'heron\t{"errors": [{"start": 0, "end": 1, "category": "x", "severity": "minor", "score": 1}]}\tann\n'
    rated = (named["ratings.tsv"][:200], b"heron,wren\n80,71.5\n,\n")
    judged = (named["judgments.tsv"][:300], RANKINGS)
    scores = (b"system\tscore\nheron\t.5\n", b"m2\ten\tt\theron\t1\t0.5\nm2\ten\tt\theron\t2\t1e3\n")
    answered = (named["answers.jsonl"][:600], b"source\tcorrection\trejected\tlevel\nHe go\tHe goes\tno\tB1\n")
    wmt = b"srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,ann,a,1,b,2\n"
    graph = (json.dumps(GRAPH).encode() + b"\n",)
    return {
        "m2": Reader(BASES, "gold.m2", m2.read_m2),
        "m2-lenient": Reader(BASES, "gold.m2", lambda p: m2.read_m2(p, lenient=True)),
        "m2-sentences": Reader(BASES, "gold.m2", m2.iterate_m2),
        "m2-edits-made": Reader(
            (b"# recte edits: retyped errant+en+builtin-en-2\n" + BASES[0], *BASES), "gold.m2", m2.read_edits_made
        ),
        "m2-system": Reader(BASES, "out.m2", m2.read_m2_system),
        "m2-compressed": Reader(tuple(map(gzip.compress, BASES)), "gold.m2.gz", m2.read_m2),
        "output-table-csv": Reader((b'id,corrected\n2,"a, b"\n1,c\n',), "out.csv", _output_table),
        "output-table-json": Reader(
            (b'[{"id": 1, "output": "a"}, {"output": "b"}]', b'{"output": ["a", "b"]}'), "out.json", _output_table
        ),
        "output-table-jsonl": Reader((BATCH_RESULT,), "out.jsonl", _output_table),
        "hoo-edits": Reader((HOO_EDITS,), "edits.xml", hoo_edits.read_hoo_edits),
        "utf-16": Reader(("a b\nc\n".encode("utf-16"),), "text.txt", read_lines),
        "lines": Reader(texts, "text.txt", read_lines),
        "raw-lines": Reader(texts, "text.txt", read_raw_lines),
        "text": Reader(texts, "text.txt", parallel.read_system),
        "text-column": Reader(texts, "text.txt", parallel.read_text_column),
        "parallel": Reader(texts, "text.txt", lambda p: parallel.read_parallel(p, [p])),
        "parallel-sentences": Reader(texts, "text.txt", lambda p: parallel.iterate_parallel(p, [p, p])),
        "essay-corrections": Reader((WI_ESSAY,), "essays.json", essay_json.iterate_essay_corrections),
        "essays": Reader((MULTIGEC,), "en-orig-dev.md", essays.read_essays),
        "essay-gold": Reader((WI_ESSAY,), "essays.json", _gold),
        "any-gold": Reader((*BASES, *table), "gold.txt", _gold),
        "any-output": Reader((*texts, *sighan, *BASES), "out.txt", _outputs),
        "imeasure-xml": Reader((ESSAY,), "gold.xml", imeasure_xml.read_imeasure_xml),
        "para": Reader(chinese, "gold.para", para.read_para),
        "para-sentences": Reader(chinese, "gold.para", para.iterate_para),
        "para-outputs": Reader(chinese, "gold.para", para.iterate_para_outputs),
        "para-rows": Reader(chinese, "gold.para", para.iterate_para_rows),
        "sighan-answers": Reader(sighan, "truth.txt", spelling.iterate_sighan_answers),
        "sighan": Reader(sighan, "truth.txt", lambda p: spelling.read_sighan(_with_file(p, SIGHAN), p)),
        "sighan-texts": Reader((SIGHAN,), "in.txt", lambda p: spelling.read_sighan(p, _with_file(p, sighan[0]))),
        "sighan-sentences": Reader(sighan, "truth.txt", lambda p: spelling.iterate_sighan(_with_file(p, SIGHAN), [p])),
        "spelling-table": Reader(table, "table.tsv", spelling.read_spelling_table),
        "spelling-sentences": Reader(table, "table.tsv", spelling.iterate_spelling_table),
        "labels": Reader((b"level\ttopic\nB1\tx\nB2\ty\n",), "labels.tsv", lambda p: labels.read_labels(p, SOURCES)),
        "label-rows": Reader((named["labels.tsv"][:90],), "labels.tsv", labels.iterate_labels),
        "table": Reader(
            (named["labels.tsv"][:90],), "labels.tsv", lambda p: labels.iterate_table(read_lines(p), p.name)
        ),
        "counts": Reader((_counts(),), "c.counts", counts.read_counts),
        "answers": Reader(answered, "answers", answer_files.read_answers),
        "judgments": Reader((*judged, wmt), "judged", judgment_files.read_judgments),
        "ids": Reader((b"3\n0\n7\n",), "ids.txt", judgment_files.read_ids),
        "protocol": Reader((RANKINGS.replace(b"a b", b"a"),), "r.xml", _protocol),
        "nameless-scores": Reader(
            (b"0.5\n-0.25",), "TS", lambda p: protocols.read_nameless_scores(p, ["heron", "wren"])
        ),
        "rankings-xml": Reader((RANKINGS,), "r.xml", rankings_xml.read_rankings_xml),
        "ratings": Reader(rated, "ratings.tsv", rating_files.read_ratings),
        "rating-scores": Reader((b"b -1.5\nb\tNone\na   0\na 2\n",), "x.seg.score", rating_files.read_ratings),
        "rating-marks": Reader((marked,), "x.seg.rating", rating_files.read_ratings),
        "metric-scores": Reader(scores, "scores.tsv", metric_scores.read_metric_scores),
        "edit-weights": Reader((EDITS + b"weight\n2\t0\t1\ta  b\t.25\n",), "w.tsv", edit_values.read_edit_weights),
        "edit-verdicts": Reader((EDITS + b"verdict\n1\t0\t1\ta\tvalid\n",), "v.tsv", edit_values.read_edit_verdicts),
        "difficulty": Reader((b"3\n1 2 0\n3,3\n\n",), "d.txt", edit_values.read_difficulty),
        "fingerprint": Reader((b"12\n3\n0\n",), "f.txt", answer_files.read_fingerprint),
        "histogram": Reader((b"frequency variants\n.5 1\n.1 3\n",), "h.txt", answer_files.read_histogram),
        "ucca-xml": Reader(ucca, "7.xml", ucca_xml.read_ucca_xml),
        "passages": Reader((*ucca[:2], *graph), "7.xml", passage_files.read_passages),
        "pair-list": Reader(
            (b"beside\tbeside\tgroup\n",),
            "pairs.tsv",
            lambda p: (_with_file(p, ucca[0]), passage_files.read_pair_list(p)),
        ),
        "mrp": Reader(graph, "parses.mrp", passage_files.read_mrp),
        "tracks": Reader((b"system\ttrack\nheron\topen\n",), "t.tsv", labels.read_tracks),
        "baselines": Reader((b"LAYER,P,R,F\n3,0.4,0.41,0.405\n",), "b.tsv", baselines.read_baselines),
        "conllu": Reader((CONLLU,), "a.conllu", _conllu),
    }


def mutated(draw: Random, bases: tuple[bytes, ...]) -> bytes:
    """A right file with a few pieces put in, cut out, doubled or moved."""
    data = bytearray(draw.choice(bases))
    for _ in range(draw.randint(0, 4)):
        begin = draw.randint(0, len(data))
        end = min(len(data), begin + draw.choice((0, 0, 1, 1, 2, 5, 20, 100)))
        piece = draw.choice(ODD if draw.randint(0, 1) else PIECES)
        new = piece.encode() if isinstance(piece, str) else piece
        match draw.randint(0, 9):
            case 0 | 1:
                new = b""
            case 2:
                new = bytes(data[begin:end]) * 2
            case 3:
                other = draw.randint(0, len(data))
                new = bytes(data[other : other + 10])
            case 4:
                new = bytes(draw.randint(0, 255) for _ in range(3))
        data[begin:end] = new
    return bytes(data)


def attempt(reader: Reader, content: bytes, folder: Path) -> bool:
    """Read the content; False where it is refused. Raises whatever is neither."""
    path = folder / reader.file
    path.write_bytes(content)
    try:
        actual = reader.read(path)
        if isinstance(actual, Iterator | Corpus):
            list(actual)
    except RecteError as error:
        said = str(error)
    else:
        return True
    assert not {"\n", "\r", "\x1b", "\x9b"} & set(said), f"expected one line without controls, got {said!r}"
    assert len(said) < 2000, f"expected a short line, got {said[:300]!r}"
    return False
