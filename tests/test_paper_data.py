"""tools/paper_data.py: files for `recte reproduce --data`, on made-up input and on the papers' own."""

from __future__ import annotations

import gzip
import json
import tarfile

import pytest

import paper_data
from shared_data import shared


def unpacked(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_of_sentences_called_alike_the_last_is_kept(tmp_path):
    answers = [
        {"id": 0, "source": "However, I go .", "corrections": ["However , I went ."], "rejected": []},
        {"id": 1, "source": "He go .", "corrections": ["He goes ."], "rejected": []},
        {"id": 2, "source": "However it is .", "corrections": ["However , it is ."], "rejected": []},
    ]
    path, target = tmp_path / "answers.jsonl", tmp_path / "crowd" / "gec_corrections.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in answers))
    assert paper_data.main(["crowd", str(path), str(target)]) == 0
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert [(row["hist_key"], row["in_published_48"]) for row in rows] == [
        ("Howeve", False),
        ("Hego", True),
        ("Howeve", True),
    ]


def test_the_sentences_kept_are_the_papers():
    path = shared("data", "crowd", "gec_corrections.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in paper_data.mark_kept_sentences([{"source": row["source"], "stored": row} for row in rows]):
        assert (row["hist_key"], row["in_published_48"]) == (
            row["stored"]["hist_key"],
            row["stored"]["in_published_48"],
        )


EDITS = ["A 1 2|||X|||goes|||REQUIRED|||-NONE-", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-"]


def test_draws_become_their_short_form_and_are_read_again(tmp_path):
    """Two draws of two references: parts that come twice stand once."""
    for commit, output in (("a" * 40, "He goes ."), ("b" * 40, "He go .")):
        folder = tmp_path / "checkouts" / commit
        folder.mkdir(parents=True)
        (folder / "2_sgss.m2").write_text(f"S A title\n\nS He go .\n{EDITS[0]}|||0\n{EDITS[1]}|||1\n\n")
        (folder / "perfect_output_for_2_sgss.m2").write_text(f"A title\n{output}\n")
    assert paper_data.main(["draws", str(tmp_path / "checkouts"), str(tmp_path / "draws")]) == 0
    parts = [json.loads(line) for line in unpacked(tmp_path / "draws" / "parts.jsonl.gz")]
    assert parts == [
        {"source": "A title", "edits": [], "outputs": ["A title"]},
        {"source": "He go .", "edits": [[EDITS[0]], [EDITS[1]]], "outputs": ["He goes .", "He go ."]},
    ]
    lines = unpacked(tmp_path / "draws" / "2.tsv.gz")
    assert lines[1:] == [
        "aaaaaaa\t0\t0\t0\t",
        "aaaaaaa\t1\t1\t0\t0 1",
        "bbbbbbb\t0\t0\t0\t",
        "bbbbbbb\t1\t1\t1\t0 1",
    ]


def test_the_short_form_of_a_released_draw_is_in_the_papers_folder(tmp_path):
    """M = 2 of commit 840af80: the same sources, outputs and edits."""
    folder = shared("data", "perfect-corrector")
    checkout = tmp_path / "840af80"
    checkout.mkdir()
    for name in ("2_sgss.m2", "perfect_output_for_2_sgss.m2"):
        (checkout / name).write_bytes(gzip.decompress((folder / f"{name}.gz").read_bytes()))
    parts, tables = paper_data.shorten_draws(tmp_path)

    def whole(parts, lines):
        for line in lines:
            _, _, source, output, edits = line.split("\t")
            part = parts[int(source)]
            yield part["source"], part["outputs"][int(output)], [part["edits"][int(n)] for n in edits.split()]

    stored_parts = [json.loads(line) for line in unpacked(folder / "draws" / "parts.jsonl.gz")]
    stored = unpacked(folder / "draws" / "2.tsv.gz")
    stored_lines = [line for line in stored if line.startswith("840af80")]
    assert list(whole(parts, tables["2"][1:])) == list(whole(stored_parts, stored_lines))


def test_translations_are_packed_with_their_pairs(tmp_path):
    for language, chapters in paper_data.CHAPTERS.items():
        (tmp_path / language).mkdir()
        for first, last in chapters:
            for number in range(first, last + 1):
                (tmp_path / language / f"passage{number}.xml").write_text(f"<root>{language}</root>")
    folder = tmp_path / "ucca-20k"
    assert paper_data.main(["translations", *(str(tmp_path / name) for name in ("french", "english", "ucca-20k"))]) == 0
    lines = (folder / "pairs.tsv").read_text().splitlines()
    assert len(lines) == 155
    assert (lines[1], lines[-1]) == ("1\t77\t36", "5\t941\t998")
    with tarfile.open(folder / "french.tar.gz") as archive:
        assert len(archive.getnames()) == 154


def test_the_pairs_are_the_papers():
    assert shared("data", "ucca-20k", "pairs.tsv").read_text().splitlines()[1:] == [
        "\t".join(map(str, pair)) for pair in paper_data.list_pairs()
    ]


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["crowd", "one"], ["crowd", "nowhere", "x"]])
def test_wrong_arguments_end_with_two(arguments, capsys):
    assert paper_data.main(arguments) == 2
    assert capsys.readouterr().err
