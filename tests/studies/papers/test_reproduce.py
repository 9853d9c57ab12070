"""recte reproduce at the command line: what it lists, prints and draws, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

from recte.cli import main
from recte.studies.papers.command import PAPERS, choose_tables
from recte.studies.papers.conll14 import PARTICIPANTS
from recte.studies.papers.data import SOURCES
from recte.studies.papers.result import VERDICTS


def run(capsys, *arguments):
    code = main(["reproduce", *arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def test_the_list_names_every_paper(capsys):
    code, out, _ = run(capsys, "--list")
    assert code == 0
    assert all(f"{paper}: " in out for paper in PAPERS)
    _, item, _ = run(capsys, "imeasure-2015", "--list")
    assert "maxmatch-2012" not in item


def test_the_list_as_json(capsys):
    code, out, _ = run(capsys, "--list", "-f", "json")
    assert code == 0
    papers = json.loads(out)["papers"]
    assert [paper["name"] for paper in papers] == list(PAPERS)
    assert {
        "name": "table12",
        "title": "Table 12: hypotheses that the two metrics disagree about",
        "needs": ["conll14"],
    } in (papers[1]["tables"])


def test_a_folder_without_any_of_the_data_is_said(capsys, tmp_path):
    code, out, err = run(capsys, "reassessment-2018", "table4", "--data", str(tmp_path))
    assert code == 0
    assert re.search(r"^reassessment-2018 +15 ", out, re.MULTILINE), "what needs no data is computed"
    assert "expected at least one of the folders conll14, crowd" in err


def test_a_missing_file_is_listed_with_what_it_would_give(capsys, tmp_path):
    (tmp_path / "conll14").mkdir()
    code, out, _ = run(capsys, "reassessment-2018", "--data", str(tmp_path), "-q")
    assert code == 0
    listed = out.partition("Missing files, and what they would give")[2]
    assert re.search(
        r"^conll14/judgments/rankings-2015.xml.gz +3 +reassessment-2018 +section5.2-collections$", listed, re.M
    )
    assert "table4" not in listed, "it needs no file"
    _, out, _ = run(capsys, "reassessment-2018", "table4", "-q")
    assert "Missing files" not in out


def test_json_holds_every_figure(capsys):
    code, out, _ = run(capsys, "imeasure-2015", "table8", "-f", "json")
    assert code == 0
    (table,) = json.loads(out)["reproduction"]
    assert (table["paper"], table["name"], table["printed"]) == ("imeasure-2015", "table8", True)
    assert table["verdicts"] == dict.fromkeys(VERDICTS, 0) | {"exact": 25}
    assert set(table["figures"][0]) == {"name", "published", "ours", "difference", "verdict", "why"}


def test_figures_are_drawn_and_shown_in_markdown(capsys, tmp_path, monkeypatch):
    pytest.importorskip("vl_convert")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "imeasure-2015", "figure3", "-f", "markdown", "--figures", "drawn")
    assert code == 0
    assert "(drawn/imeasure-2015-figure3.svg)" in out
    assert (tmp_path / "drawn" / "imeasure-2015-figure3.svg").read_text().startswith("<svg")


def test_a_bad_folder_for_figures_is_said_before_the_work(capsys, tmp_path):
    pytest.importorskip("vl_convert")
    (tmp_path / "taken").write_text("")
    code, out, err = run(capsys, "imeasure-2015", "--figures", str(tmp_path / "taken"))
    assert (code, out) == (2, "")
    assert "taken: cannot be made" in err


def test_one_page_holds_everything(capsys):
    pytest.importorskip("vl_convert")
    pytest.importorskip("jinja2")
    code, out, _ = run(capsys, "imeasure-2015", "-f", "html")
    assert code == 0
    assert out.count('<img src="data:image/svg+xml;base64,') == 2
    assert '<td class="does-not-hold">does not hold</td>' in out
    assert "<td>&gt; 0</td>" in out
    assert ".figures th:first-child { max-width: none; white-space: normal;" in out, "names of figures are not cut"
    assert "http" not in out.replace("http-equiv=", "").replace("http://www.w3.org", "").replace(
        "https://www.comp.nus", ""
    ).replace("https://github", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "paper: expected one of maxmatch-2012"),
        (["imeasure-2015", "table99"], "table: expected one of table1"),
        (["--data", "nowhere"], "nowhere: expected a folder"),
    ],
)
def test_what_is_refused(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def histograms(folder, kind, good, broken):
    """As many files as were released, one of them broken."""
    (folder / "unseen").mkdir()
    for number in range(48):
        text = good if number else broken
        (folder / "unseen" / f"{number:02}_{kind}_hist.txt").write_text(text)


def test_a_broken_data_file_is_one_line(capsys, tmp_path):
    histograms(tmp_path, "exact_output", "x h\n0.5 2\n", "x h\n0.1 much\n")
    code, _, err = run(capsys, "conservatism-2017", "table1", "--data", str(tmp_path), "-q")
    assert code == 2
    assert "00_exact_output_hist.txt:2: expected a frequency and a number of corrections, got '0.1 much'" in err


def test_a_broken_fingerprint_is_one_line(capsys, tmp_path):
    histograms(tmp_path, "exact_input", "3\n1\n", "3\n-1\n")
    code, _, err = run(capsys, "conservatism-2017", "table1-fingerprints", "--data", str(tmp_path), "-q")
    assert code == 2
    assert "00_exact_input_hist.txt:2: expected a number of corrections, got '-1'" in err


def test_an_empty_data_folder_is_missing_data(capsys, tmp_path):
    for folder in SOURCES:
        (tmp_path / folder).mkdir()
    code, out, _ = run(capsys, "--data", str(tmp_path), "-q", "-f", "json")
    assert code == 0
    needy = {(paper.name, table.name) for paper, table in choose_tables() if table.needs}
    for table in json.loads(out)["reproduction"]:
        if (table["paper"], table["name"]) in needy:
            assert {figure["verdict"] for figure in table["figures"]} == {"no data"}


def test_a_part_of_the_histograms_is_missing_data(capsys, tmp_path):
    histograms(tmp_path, "exact_output", "x h\n0.5 2\n", "x h\n0.5 2\n")
    (tmp_path / "unseen" / "47_exact_output_hist.txt").unlink()
    for table in ("table1", "table1-fingerprints", "figure2", "figure2-released"):
        code, out, _ = run(capsys, "conservatism-2017", table, "--data", str(tmp_path), "-q")
        assert code == 0
        assert "needs 48 files unseen/*_exact_" in out
        assert ("which has 0" if table == "table1-fingerprints" else "which has 47") in " ".join(out.split())


@pytest.mark.parametrize(
    ("paper", "table"),
    [
        ("imeasure-2015", "table10"),
        ("imeasure-2015", "table12"),
        ("conservatism-2017", "section2"),
        ("maxmatch-2012", "table1-conll14"),
    ],
)
def test_a_system_cut_short_is_one_line(capsys, tmp_path, paper, table):
    """A gold of 700 sentences, so that Table 12's are there, and outputs of 100."""
    (tmp_path / "conll14" / "systems").mkdir(parents=True)
    for name in ("gold.m2", "gold-with-alternatives.m2"):
        (tmp_path / "conll14" / name).write_text("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n" * 700)
    for name in (*PARTICIPANTS, "INPUT"):
        (tmp_path / "conll14" / "systems" / f"{name}.txt").write_text("a b\n" * 100)
    code, out, err = run(capsys, paper, table, "--data", str(tmp_path), "-q")
    assert code == 2, out
    assert re.fullmatch(r"recte: .*systems/\w+\.txt: expected 700 lines, as gold has sentences, got 100\n", err)
