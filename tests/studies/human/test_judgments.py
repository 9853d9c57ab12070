"""Judgments and metric scores in and out, and what is said of files that hold something else."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given

from judging import rankings, xml
from recte import InputError, OptionError
from recte.formats.metric_scores import read_metric_scores, write_metric_scores
from recte.studies.human.judgment_files import is_judgments, read_judgments, write_judgments
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.human.rankings_xml import read_rankings_xml

ITEM = '<r>\n<ranking-item id="1" src-id="{id}" user="{user}">\n{inner}\n</ranking-item></r>'
TWO = '<translation rank="1" system="a b"/><translation rank="2" system="c"/>'


def written(tmp_path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text)
    return path


@given(rankings())
def test_xml_is_read_as_written(tmp_path_factory, listed):
    for separator in (" ", ",", ", "):
        path = tmp_path_factory.mktemp("xml") / "r.xml"
        path.write_text(xml(listed, separator))
        assert read_rankings_xml(path) == listed


def test_items_of_the_tester_are_left_out(tmp_path):
    item = ITEM.format(id=3, user="admin", inner=TWO)
    path = written(tmp_path, "r.xml", f"<all>{item}{ITEM.format(id=4, user='ann', inner=TWO)}</all>")
    assert [ranking.sentence for ranking in read_rankings_xml(path)] == [4]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<r><ranking-item", "r.xml:1: expected well-formed XML, got: unclosed token"),
        (
            ITEM.format(id=" ", user="u", inner=TWO),
            "r.xml:2: expected the number or the id of a sentence in src-id, got none",
        ),
        (
            ITEM.format(id="-1", user="u", inner=TWO),
            "r.xml:2: expected a sentence number of 0 or more in src-id, got -1",
        ),
        (
            ITEM.format(id="1", user="u", inner='<translation rank="1"/>'),
            "r.xml:3: expected <translation system=...>, got none",
        ),
        (
            ITEM.format(id="1", user="u", inner=TWO + TWO),
            "r.xml:3: expected each system once in a ranking, got 'a' twice",
        ),
        (
            ITEM.format(id="1", user="u", inner='<translation rank="" system="a"/>'),
            "r.xml:3: expected a number in rank, got ''",
        ),
        (ITEM.format(id="1", user="u", inner=""), "r.xml: expected rankings of two systems or more, got none"),
        (TWO.replace("/><", "><") + "</translation>", "r.xml:1: expected <translation> inside a <ranking-item>"),
        ('<!DOCTYPE r [<!ENTITY e "x">]><r/>', "r.xml:1: expected no entity declarations, got one of 'e'"),
    ],
)
def test_bad_xml_is_refused_with_its_line(tmp_path, text, said):
    with pytest.raises(InputError) as caught:
        read_judgments(written(tmp_path, "r.xml", text))
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)


WMT = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


def test_wmt_csv_plain_and_compressed(tmp_path):
    text = (
        WMT
        + "src,trg,7,7,ann,test.B.src-trg,2,test.A.src-trg,1,1\nsrc,trg,7,7,ann,test.A.src-trg,3,test.C.1.src-trg,3,1\n"
    )
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(text.encode()))
    for path in (written(tmp_path, "p.csv", text), tmp_path / "p.csv.gz"):
        judgments = read_judgments(path)
        assert judgments.systems == ("A", "B", "C.1")
        assert list(judgments.preferences()) == [
            Preference(7, "ann", "A", "B", 1, 1, ranks=(1, 2)),
            Preference(7, "ann", "A", "C.1", 0, 1, ranks=(3, 3)),
        ]


def test_wmt_csv_of_more_than_two_systems_a_line(tmp_path):
    header = ",".join(["srcIndex", "judgeID", *(f"system{n}{what}" for n in (1, 2, 3) for what in ("Id", "rank"))])
    path = written(tmp_path, "five.csv", f"{header}\n4,ann,A,1,B,2,C,2\n5,ann,A,-1,B,2,C,1\n6,ann,A,-1,B,-1,C,-1\n")
    assert list(read_judgments(path).preferences()) == [
        Preference(4, "ann", "A", "B", 1, 2, ranks=(1, 2)),
        Preference(4, "ann", "A", "C", 1, 2, ranks=(1, 2)),
        Preference(4, "ann", "B", "C", 0, 2, ranks=(2, 2)),
        Preference(5, "ann", "B", "C", -1, 3, ranks=(2, 1)),  # A was not ranked
    ]


def test_our_table_is_read_as_written(tmp_path):
    judged = [Preference(3, "ann", "a", "b", 1, 0), Preference(4, "bob", "a", "c", 0, 1)]
    for first in (0, 1):
        write_judgments(tmp_path / "j.tsv.gz", Judgments.from_preferences(judged, first_sentence=first))
        again = read_judgments(tmp_path / "j.tsv.gz")
        assert again.first_sentence == 1
        assert (again.sentence - 1).tolist() == [3 - first, 4 - first]
        assert again.outcome.tolist() == [1, 0]


def test_sentences_are_not_numbered_by_a_guess(tmp_path):
    judged = [Preference(3, "ann", "a", "b", 1, 0)]
    with pytest.raises(OptionError, match="first_sentence: expected 0 or 1"):
        write_judgments(tmp_path / "j.tsv", Judgments.from_preferences(judged))
    write_judgments(tmp_path / "j.tsv", Judgments.from_preferences([*judged, Preference(0, "ann", "a", "b", 1, 1)]))
    assert read_judgments(tmp_path / "j.tsv").sentence.tolist() == [4, 1]


def in_documents(tmp_path, documents: str):
    items = [
        ITEM.format(id=number, user="ann", inner=TWO).replace("<ranking-item", f'<ranking-item doc-id="{document}"')
        for number, document in zip((1, 2, 1, 2), documents, strict=True)
    ]
    return written(tmp_path, "documents.xml", f"<all>{''.join(items)}</all>")


@pytest.mark.parametrize("documents", ["wxyz", "xxyz"])
def test_a_name_of_an_item_is_no_document(tmp_path, documents):
    judgments = read_judgments(in_documents(tmp_path, documents))
    assert (judgments.documents, judgments.sentences) == (("",), (1, 2))


def test_documents_that_number_their_sentences_apart(tmp_path):
    path = in_documents(tmp_path, "xxyy")
    judgments = read_judgments(path, first_sentence=1)
    assert (judgments.documents, judgments.sentences) == (("x", "y"), (1, 2, 1, 2))
    assert len(set(judgments.groups("sentences").tolist())) == 4
    write_judgments(tmp_path / "again.tsv", judgments)
    again = read_judgments(tmp_path / "again.tsv")
    assert (again.documents, again.sentences) == (("x", "y"), (1, 2, 1, 2))
    for file in (path, tmp_path / "again.tsv"):
        assert read_judgments(file, document="y").sentences == (1, 2)
        with pytest.raises(InputError, match="expected judgments of the document 'z', got those of x, y"):
            read_judgments(file, document="z")


HEADER = "sentence\tjudge\tsystem1\tsystem2\tbetter\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "j.tsv:1: expected rankings as XML, or a table with the columns sentence, judge"),
        ("one,two\n", "j.tsv:1: expected rankings as XML"),
        (HEADER, "j.tsv: expected at least one comparison of two systems, got none"),
        (HEADER + "1\tann\ta\tb\n", "j.tsv:2: expected 5 columns as in the header, got 4"),
        (HEADER + "-1\tann\ta\tb\ta\n", "j.tsv:2: expected the number of a sentence, from 1, as sentence, got -1"),
        (HEADER + "0\tann\ta\tb\ta\n", "j.tsv:2: expected the number of a sentence, from 1, as sentence, got 0"),
        (HEADER + "1" * 30 + "\tann\ta\tb\ta\n", "j.tsv:2: expected a whole number as sentence, got '1111"),
        (HEADER + " \tann\ta\tb\ta\n", "j.tsv:2: expected the number, the id or the text of a sentence, got none"),
        (
            HEADER + "1\tann\ta\tb\tc\n",
            "j.tsv:2: expected two systems and one of them (or =) as better, got 'a', 'b', 'c'",
        ),
        (HEADER + "1\tann\ta\ta\ta\n", "j.tsv:2: expected two systems and one of them"),
        (HEADER + "1\tann\t\tb\tb\n", "j.tsv:2: expected two systems and one of them"),
        (WMT + "s,t,1,1,j,x.A.s-t,1,x.A.s-t,1,1\n", "j.tsv:2: expected the names of two systems, got 'A' and 'A'"),
        (WMT + "s,t,1,1,j,,1,x.B.s-t,1,1\n", "j.tsv:2: expected the names of two systems, got '' and 'x.B'"),
        (WMT + "s,t,1,1,j,x.A.s-t,-1,x.B.s-t,-1,1\n", "j.tsv: expected at least one comparison of two systems"),
        (WMT + "s,t,1,1,j,x.A.s-t,,x.B.s-t,1,1\n", "j.tsv:2: expected a whole number as rank, got ''"),
    ],
)
def test_bad_tables_are_refused_with_their_line(tmp_path, text, said):
    with pytest.raises(InputError) as caught:
        read_judgments(written(tmp_path, "j.tsv", text))
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)


def test_judgments_are_told_from_scores(tmp_path):
    assert is_judgments(written(tmp_path, "a.tsv", HEADER))
    assert is_judgments(written(tmp_path, "a.csv", WMT))
    assert is_judgments(written(tmp_path, "a.xml", "<r/>"))
    assert not is_judgments(written(tmp_path, "b.tsv", "m2\ts-t\ttest\twren\t0.5\n"))
    with pytest.raises(OptionError, match="first_sentence: expected 0 or 1, got 2"):
        read_judgments(tmp_path / "a.xml", first_sentence=2)


def test_scores_of_systems_and_sentences(tmp_path):
    text = "m2\ts-t\ttest\twren\t0.5\textra\nm2\ts-t\ttest\twren\t1\t0.2\nm2\ts-t\ttest\twren\t2\t0.8\textra\tmore\n"
    scores = read_metric_scores(written(tmp_path, "s.tsv", text))
    assert scores.systems == {"m2": {"wren": 0.5}}
    assert scores.sentences == {"m2": {"wren": (0.2, 0.8)}}
    write_metric_scores(tmp_path / "again.tsv", scores)
    assert read_metric_scores(tmp_path / "again.tsv") == scores
    assert read_metric_scores(written(tmp_path, "mine.tsv", "system\tscore\nwren\t0.5\n")).systems == {
        "mine": {"wren": 0.5}
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "s.tsv: expected scores, got none"),
        (
            "a\tb\tc\n",
            "s.tsv:1: expected a header with system, score and perhaps sentence and metric; or",
        ),
        ("wren\tgood\n", "s.tsv:1: expected a number as score, got 'good'"),
        ("wren\tnan\n", "s.tsv:1: expected a number as score, got 'nan'"),
        ("wren\t1e300\n", "s.tsv:1: expected a score of at most 1e+50, got '1e300'"),
        ("wren\t1\nwren\t1\n", "s.tsv:2: expected one score for each system (and sentence), got a second for 'wren'"),
        (
            "m\ts\tt\ta\t0\t1\nm\ts\tt\ta\t2\t1\n",
            "s.tsv: expected sentences numbered from 0 or 1 without gaps, the same",
        ),
        (
            "m\ts\tt\ta\t0\t1\nm\ts\tt\tb\t1\t1\n",
            "s.tsv: expected sentences numbered from 0 or 1 without gaps, the same",
        ),
        ("m\ts\tt\ta\t5\t1\n", "s.tsv: expected sentences numbered from 0 or 1"),
    ],
)
def test_bad_scores_are_refused(tmp_path, text, said):
    with pytest.raises(InputError) as caught:
        read_metric_scores(written(tmp_path, "s.tsv", text))
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)


def test_xml_by_another_name_and_quoted_csv(tmp_path):
    path = written(tmp_path, "rankings", ITEM.format(id=4, user="ann", inner=TWO))
    assert is_judgments(path)
    assert len(read_judgments(path)) == 3
    quoted = written(tmp_path, "q.csv", WMT + 's,t,1,1,"Ann, B.",x.A.s-t,1,x.B.s-t,2,1\n')
    assert read_judgments(quoted).judges == ("Ann, B.",)
    quoted.write_text(",".join(f'"{column}"' for column in WMT.strip().split(",")) + "\ns,t,1,1,j,A,1,B,2,1\n")
    assert is_judgments(quoted)
    assert read_judgments(quoted).systems == ("A", "B")


def test_xml_from_standard_input(monkeypatch):
    content = ITEM.format(id=4, user="ann", inner=TWO).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))
    assert len(read_judgments("-")) == 3


@pytest.mark.parametrize("absent", ["sentence", "judge", "better"])
def test_a_missing_column_is_named(tmp_path, absent):
    columns = [column for column in ("sentence", "judge", "system1", "system2", "better") if column != absent]
    path = tmp_path / "judged.tsv"
    path.write_text("\t".join(columns) + "\n")
    assert is_judgments(path)
    with pytest.raises(InputError, match=rf"judged.tsv:1: expected the columns .*, got none called {absent}"):
        read_judgments(path)
