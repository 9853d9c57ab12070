"""errata reproduce at the command line: what it lists, prints and draws, and what it refuses."""

from __future__ import annotations

import json

import pytest

from errata.cli import main
from errata.papers.reproduction import PAPERS


def run(capsys, *arguments):
    code = main(["reproduce", *arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def test_the_list_names_every_paper(capsys):
    code, out, _ = run(capsys, "--list")
    assert code == 0
    assert all(f"{paper}: " in out for paper in PAPERS)
    _, one, _ = run(capsys, "imeasure-2015", "--list")
    assert "maxmatch-2012" not in one


def test_json_holds_every_figure(capsys):
    code, out, _ = run(capsys, "imeasure-2015", "table8", "-f", "json")
    assert code == 0
    (table,) = json.loads(out)["reproduction"]
    assert (table["paper"], table["name"], table["printed"]) == ("imeasure-2015", "table8", True)
    assert table["verdicts"] == {"exact": 25, "within rounding": 0, "differs": 0, "no data": 0, "not printed": 0}
    assert set(table["figures"][0]) == {"name", "published", "ours", "difference", "verdict", "why"}


def test_figures_are_drawn_and_shown_in_markdown(capsys, tmp_path, monkeypatch):
    pytest.importorskip("altair")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "imeasure-2015", "figure3", "-f", "markdown", "--figures", "drawn")
    assert code == 0
    assert "(drawn/imeasure-2015-figure3.svg)" in out
    assert (tmp_path / "drawn" / "imeasure-2015-figure3.svg").read_text().startswith("<svg")


def test_one_page_holds_everything(capsys):
    pytest.importorskip("altair")
    pytest.importorskip("jinja2")
    code, out, _ = run(capsys, "imeasure-2015", "-f", "html")
    assert code == 0
    assert out.count('<img src="data:image/svg+xml;base64,') == 2
    assert '<td class="differs">differs</td>' in out
    assert "<td>&gt; 0</td>" in out
    assert "http" not in out.replace("http://www.w3.org", "").replace("https://www.comp.nus", "").replace(
        "https://github", ""
    )


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


def test_a_broken_data_file_is_one_line(capsys, tmp_path):
    (tmp_path / "unseen").mkdir()
    (tmp_path / "unseen" / "x_exact_output_hist.txt").write_text("x h\n0.1 much\n")
    code, _, err = run(capsys, "conservatism-2017", "table1", "--data", str(tmp_path), "-q")
    assert code == 2
    assert "x_exact_output_hist.txt:2: expected a frequency and a number of corrections, got '0.1 much'" in err


def test_a_broken_fingerprint_is_one_line(capsys, tmp_path):
    (tmp_path / "unseen").mkdir()
    (tmp_path / "unseen" / "x_exact_input_hist.txt").write_text("3\n-1\n")
    code, _, err = run(capsys, "conservatism-2017", "table1-fingerprints", "--data", str(tmp_path), "-q")
    assert code == 2
    assert "x_exact_input_hist.txt:2: expected a number of corrections, got '-1'" in err
