"""UCCA's XML and MRP, and which passages belong together."""

from __future__ import annotations

import gzip
import json

import pytest

from recte import InputError
from recte.formats import pair_passages, read_mrp, read_passages, read_ucca_xml
from recte.studies.faithfulness.graph import Edge
from recte.studies.faithfulness.passage_files import read_pair_list
from shared_data import shared

WORDS = (
    '<layer layerID="0"><node ID="0.1" type="Word"><attributes text="He" paragraph="1"/></node>\n'
    '<node ID="0.2" type="Word"><attributes text="left"/></node>\n'
    '<node ID="0.3" type="Punctuation"><attributes text="."/></node></layer>\n'
)
UNITS = (
    '<layer layerID="1"><node ID="1.1" type="FN"><edge toID="1.2" type="H"/><edge toID="1.5" type="U"/></node>\n'
    '<node ID="1.2" type="FN"><edge toID="1.3" type="A"><attributes remote="False"/></edge>'
    '<edge toID="1.4"><category tag="P"/><category tag="S" slot="1"/></edge>'
    '<edge toID="1.6" type="A"/></node>\n'
    '<node ID="1.3" type="FN"><edge toID="0.1" type="Terminal"/></node>\n'
    '<node ID="1.4" type="FN"><edge toID="0.2"><category tag="Terminal"/></edge>'
    '<edge toID="1.3" type="A"><attributes remote="True"/></edge></node>\n'
    '<node ID="1.5" type="PNCT"><edge toID="0.3" type="Terminal"/></node>\n'
    '<node ID="1.6" type="FN"><attributes implicit="True"/></node>\n'
    '<node ID="1.7" type="LKG"><edge toID="1.2" type="LA"/></node></layer>\n'
)


def document(words=WORDS, units=UNITS, head=""):
    return f'{head}<root annotationID="0" passageID="7">\n{words}{units}<extra format="x"/></root>'


def written(tmp_path, text, name="7.xml"):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["7.xml", "7.xml.gz"])
def test_old_and_new_edges_remote_implicit_and_linkage(tmp_path, name):
    passage = read_ucca_xml(written(tmp_path, document(), name))
    assert passage.id == "7"
    assert [(t.text, t.punctuation) for t in passage.terminals] == [("He", False), ("left", False), (".", True)]
    assert Edge(1, 3, ("P", "S")) in passage.edges
    assert Edge(3, 2, ("A",), remote=True) in passage.edges
    assert [u.id for u in passage.units if u.implicit] == ["1.6"]
    assert [u.id for u in passage.units if u.linkage] == ["1.7"]
    assert passage.text_of(1) == "He left"
    assert passage.categories[1] == {"H"}  # linkage is no role of the foundational layer


def without(old, new=""):
    assert old in UNITS
    return document(units=UNITS.replace(old, new))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<corpus/>", ":1: expected <root> of a UCCA passage, got <corpus>"),
        ("<root>", ":1: expected well-formed XML, got: no element found"),
        ("", ":1: expected well-formed XML"),
        (document(head='<!DOCTYPE root [<!ENTITY a "b">]>'), ":1: expected no entities, got 'a'"),
        (document(units=""), ": passage 7: expected at least one unit"),
        (document(words=""), ":4: expected node 1.3 to lead to a terminal, got 0.1, not there"),
        (
            without("1.5", "1.9").replace('ID="1.9" type="P', 'ID="1.5" type="P'),
            ":5: expected node 1.1 to lead to a unit",
        ),
        (without(' type="H"'), ":5: expected the edge 1.1 to 1.2 to have a type or category"),
        (without('<edge toID="1.5" type="U"/>'), "below the root 1.1, got none above '.', terminal 3 (1 in all)"),
        (without('toID="1.6"', 'toID="1.1"'), "expected no cycle, got 1.1 → 1.2 → 1.1"),
        (document(words=WORDS.replace(' text="left"', "")), ":3: expected node 0.2 of layer 0 to have a text"),
        (document(words=WORDS.replace('"0.2"', '"0.1"')), ":3: expected one node 0.1, got a second"),
        (document(words=WORDS.replace(' ID="0.2"', "")), ":3: expected <node> to have ID, got type"),
    ],
)
def test_bad_xml_is_refused_with_its_line(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_ucca_xml(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_gzip_file(tmp_path):
    path = tmp_path / "7.xml.gz"
    path.write_bytes(gzip.compress(document().encode())[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        read_ucca_xml(path)


GRAPH = {
    "id": "7",
    "framework": "ucca",
    "input": "He kicked the bucket.",
    "tops": [4],
    "nodes": [
        {"id": 0, "anchors": [{"from": 0, "to": 2}]},
        {"id": 1, "anchors": [{"from": 3, "to": 20}]},
        {"id": 2, "anchors": [{"from": 20, "to": 21}]},
        {"id": 3},
        {"id": 4},
        {"id": 5, "properties": ["implicit"], "values": ["true"]},
    ],
    "edges": [
        {"source": 4, "target": 3, "label": "H"},
        {"source": 3, "target": 0, "label": "A"},
        {"source": 3, "target": 1, "label": "P"},
        {"source": 3, "target": 1, "label": "S"},
        {"source": 4, "target": 2, "label": "U"},
        {"source": 1, "target": 0, "label": "A", "attributes": ["remote"], "values": [True]},
        {"source": 3, "target": 5, "label": "A", "attributes": ["remote"], "values": [False]},
    ],
}


def test_mrp(tmp_path):
    path = tmp_path / "parses.mrp"
    path.write_text(json.dumps(GRAPH) + "\n\n" + json.dumps({**GRAPH, "id": "8"}) + "\n")
    passage, other = read_mrp(path)
    assert (passage.id, other.id) == ("7", "8")
    assert [t.text for t in passage.terminals] == ["He", "kicked", "the", "bucket", "."]
    assert [t.punctuation for t in passage.terminals] == [False] * 4 + [True]
    assert passage.units[0].id == "4"
    place = {unit.id: n for n, unit in enumerate(passage.units)}
    assert passage.text_of(place["3"]) == "He kicked the bucket"
    assert Edge(place["3"], place["1"], ("P", "S")) in passage.edges
    assert Edge(place["1"], place["0"], ("A",), remote=True) in passage.edges
    assert passage.units[place["5"]].implicit
    older = {
        **GRAPH,
        "edges": [*GRAPH["edges"][:5], {**GRAPH["edges"][5], "properties": ["remote"], "attributes": None}],
    }
    path.write_text(json.dumps(older))
    assert any(edge.remote for edge in read_mrp(path)[0].edges)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"framework": "amr"}, "framework ucca, got 'amr'"),
        ({"input": None}, "expected anchors inside the 4 characters of the input"),
        ({"nodes": [{"id": 1}, {"id": 1}]}, "id of its own"),
        ({"nodes": [{"id": 4, "anchors": [{"from": 0, "to": 99}]}], "edges": []}, "inside the 21 characters"),
        ({"nodes": [{"id": 4, "anchors": [{"from": 0, "to": 5}, {"from": 4, "to": 8}]}], "edges": []}, "no overlap"),
        ({"nodes": [{}]}, "expected an MRP graph with id, input, nodes and edges, got no 'id'"),
        ({"edges": [{"source": 4, "target": 9, "label": "H"}]}, "the target 9, which is not there"),
        ({"edges": [{"source": 4, "target": 3}]}, "expected every edge to have a label"),
        ({"edges": [*GRAPH["edges"], {"source": 3, "target": 4, "label": "A"}]}, "expected no cycle, got 4 → 3 → 4"),
        ({"edges": GRAPH["edges"][:-3]}, "expected every terminal below the root 4"),
        ({"nodes": 3}, "expected an MRP graph"),
    ],
)  # fmt: skip
def test_bad_mrp_is_refused_with_its_line(tmp_path, change, message):
    path = tmp_path / "parses.mrp"
    path.write_text("\n" + json.dumps({**GRAPH, **change}))
    with pytest.raises(InputError) as caught:
        read_mrp(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "3", "[" * 100_000])
def test_mrp_that_is_no_json_object(tmp_path, text):
    path = tmp_path / "parses.mrp"
    path.write_text(text)
    with pytest.raises(InputError):
        read_mrp(path)


def test_folders_are_paired_by_id(sample):
    sources, corrected = read_passages("ucca/source"), read_passages("ucca/corrected")
    assert [pair.name for pair in pair_passages(sources, corrected)] == ["lisbon", "sister", "window"]
    del corrected["sister"]
    with pytest.raises(InputError, match="got 'sister' among the source parses alone"):
        pair_passages(sources, corrected)
    (sample / "empty").mkdir()
    with pytest.raises(InputError, match="expected files named"):
        read_passages("empty")


def test_equal_ids_go_by_file_name(tmp_path):
    written(tmp_path, document(), "a.xml")
    written(tmp_path, document(), "b.xml.gz")
    assert list(read_passages(tmp_path)) == ["a", "b"]
    (tmp_path / "c.mrp").write_text((json.dumps(GRAPH) + "\n") * 2)
    with pytest.raises(InputError, match="id of its own, got '7' twice"):
        read_passages(tmp_path)


def test_pair_lists(sample):
    listed = sample / "ucca" / "pairs.tsv"
    listed.write_text("source/sister.xml\tcorrected/sister.xml\tsame\n\nsource/window.xml\tcorrected/window.xml\n")
    pairs = read_pair_list(listed)
    assert [(p.name, p.group, p.source.id) for p in pairs] == [("sister", "same", "sister"), ("window", "", "window")]
    for text, message in (
        ("", "at least one pair"),
        ("one\n", ":1: .*got 1 fields"),
        ("x.xml\ty.xml\n", "no such file"),
    ):
        listed.write_text(text)
        with pytest.raises(InputError, match=message):
            read_pair_list(listed)


def test_every_shared_file_is_read():
    files = sorted(shared("data", "ucca").glob("*.xml.gz"))
    assert len(files) == 20
    for file in files:
        passage = read_ucca_xml(file)
        assert passage.yields[0].all()


def test_a_file_of_another_kind_is_refused_with_what_is_read(tmp_path):
    path = tmp_path / "gold.m2"
    path.write_text("S He go .\nA 1 2|||X|||goes|||REQUIRED|||-NONE-|||0\n")
    with pytest.raises(InputError, match=r"gold\.m2:1: expected UCCA passages \(XML or MRP\); expected"):
        read_passages(path)
