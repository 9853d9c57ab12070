"""recte explain --lattice: matrix, edges and chosen path of the MaxMatch paper, as text and as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from recte import Edit
from recte.cli import main
from recte.edits.printed_lattice import edit_lattice
from recte.output.lattice import lattice_lines, lattice_svg

SOURCE = "Our baseline system feeds word into PB-SMT pipeline ."
HYPOTHESIS = "Our baseline system feeds a word into PB-SMT pipeline ."
GOLD = [Edit(4, 5, ("a word", "words"))]
SVG = "{http://www.w3.org/2000/svg}"


def test_the_papers_example():
    """Figure 1's last row, and Figure 2's edge of cost -45 on the path."""
    lines = lattice_lines(edit_lattice(SOURCE, HYPOTHESIS, GOLD), SOURCE.split(), HYPOTHESIS.split())
    matrix = lines[: lines.index("edges (* on the chosen path)")]
    assert matrix[-1].split() == [".", *"98765554321"]
    assert [line for line in lines if line.startswith("*") and "→" in line] == [
        "* (4,4)-(5,6)  word → a word    -45  gold"
    ]
    assert sum(line.startswith("*") for line in lines) == 9


def test_a_wide_matrix_is_left_out():
    words = ["abcdefgh"] * 20
    text = " ".join(words)
    lines = lattice_lines(edit_lattice(text, text), words, words)
    assert lines[0] == "edges (* on the chosen path)"
    assert len(lines) == 21


def test_the_picture_has_every_vertex_and_edge():
    lattice = edit_lattice(SOURCE, HYPOTHESIS, GOLD)
    picture = ElementTree.fromstring(lattice_svg(lattice, "a < b"))
    assert len(picture.findall(f"{SVG}circle")) == len(lattice.vertices)
    paths = picture.findall(f"{SVG}path")
    assert len(paths) == len(lattice.edges)
    assert sum(path.get("stroke-width") == "3" for path in paths) == len(lattice.path)
    assert picture.find(f"{SVG}title").text == "a < b"


def test_the_command_prints_and_draws_it(sample, capsys, tmp_path):
    drawn = tmp_path / "lattice.svg"
    command = ["explain", "gold.m2", "systems/wren.txt", "-n", "7"]
    assert main([*command, "--lattice", "--lattice-to", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "Levenshtein matrix" in out
    assert "a → an" in out.partition("edges (* on the chosen path)")[2]
    assert ElementTree.parse(drawn).getroot().tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-m", "gleu", "--lattice"], "--lattice: expected -m m2, whose edits come from a lattice, got gleu"),
        (["systems/heron.txt", "--lattice-to", "x.svg"], "--lattice-to: expected one system, got 2"),
        (["--lattice-to", "gold.m2"], "gold.m2"),
    ],
)
def test_what_is_refused(sample, capsys, more, message):
    assert main(["explain", "gold.m2", "systems/wren.txt", *more, "-n", "7"]) == 2
    assert message in capsys.readouterr().err
    assert not (sample / "x.svg").exists()
