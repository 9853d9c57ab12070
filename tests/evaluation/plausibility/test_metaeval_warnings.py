"""Meta-evaluation scores systems, too: what looks wrong with them is said there as elsewhere."""

from __future__ import annotations

from pathlib import Path

from recte.cli import main


def test_metaeval_tells_what_looks_wrong(sample, capsys):
    outputs = Path("sample-systems")
    outputs.mkdir()
    for path in Path("systems").glob("*.txt"):
        (outputs / path.name).write_text(path.read_text())
    (outputs / "wren.txt").write_text("\n" * len(Path("systems/wren.txt").read_text().splitlines()))
    command = ["metaeval", "judgments.tsv", "gold.m2", *map(str, sorted(outputs.glob("*.txt"))), "--only", "sentence"]
    assert main(command) == 0
    assert "recte: warning: wren" in capsys.readouterr().err
    assert main([*command, "-q"]) == 0
    assert "warning" not in capsys.readouterr().err
    assert main([*command, "--strict"]) == 2
