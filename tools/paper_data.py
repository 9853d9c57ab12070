"""Make files that `recte reproduce --data FOLDER` reads, from what public repositories have.

    python tools/paper_data.py crowd answers.jsonl FOLDER/crowd/gec_corrections.jsonl
    python tools/paper_data.py draws checkouts FOLDER/perfect-corrector/draws
    python tools/paper_data.py translations UCCA_French-20K/xml UCCA_English-20K/xml FOLDER/ucca-20k

`docs/paper-data.md` says where each file comes from. Everything else is copied as it is.

crowd: answers as JSON lines with `id`, `source`, `corrections` and `rejected`; adds which of them the paper kept.
draws: a folder for each commit of borgr/assess_learner_language, called by the first seven digits of the commit, with
`M_sgss.m2` and `perfect_output_for_M_sgss.m2` of its folder `calculations_data`; writes them in a short form.
translations: the XML files of both languages; packs the passages that Sulem et al. (2015) compare, and lists the pairs.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

# The five chapters that both corpora have, by the numbers of their passages (README of the corpora).
CHAPTERS = {
    "french": ((77, 103), (416, 448), (764, 796), (848, 877), (911, 941)),
    "english": ((36, 62), (286, 318), (814, 846), (880, 909), (968, 998)),
}
KEY_LETTERS = 6  # of a source, by which the authors called the files of its answers


def mark_kept_sentences(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with `hist_key` and `in_published_48`.

    Files were called by the first six letters of a source. Where these are the same, the last sentence was kept.
    """
    keys = [re.sub("[^A-Za-z]", "", row["source"])[:KEY_LETTERS] for row in rows]
    last = {key: place for place, key in enumerate(keys)}
    return [
        {**row, "hist_key": key, "in_published_48": last[key] == place}
        for place, (row, key) in enumerate(zip(rows, keys, strict=True))
    ]


def read_blocks(text: str) -> list[tuple[str, list[list[str]]]]:
    """The sentences of an M2 file: the source, and the edit lines of each annotator without its number."""
    blocks = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        first, *lines = block.split("\n")
        by_annotator: dict[int, list[str]] = {}
        for line in lines:
            edit, _, annotator = line.rpartition("|||")
            by_annotator.setdefault(int(annotator), []).append(edit)
        blocks.append((first.removeprefix("S "), [by_annotator[number] for number in sorted(by_annotator)]))
    return blocks


def place_of(items: list[Any], item: Any) -> int:
    """The place of an item in a list, at whose end it is put where it is new."""
    if item not in items:
        items.append(item)
    return items.index(item)


def shorten_draws(checkouts: Path) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Every source with its different edit lists and outputs; and for each number of references the lines of its table.

    Raises `ValueError` where an output has another number of lines than its M2 file has sentences.
    """
    parts: dict[str, dict[str, Any]] = {}
    tables: dict[str, list[str]] = {}
    for m2 in sorted(
        checkouts.glob("*/[0-9]*_sgss.m2"), key=lambda path: (path.parent.name, int(path.name.split("_")[0]))
    ):
        number, commit = m2.name.split("_")[0], m2.parent.name[:7]
        blocks = read_blocks(m2.read_text(encoding="utf-8"))
        outputs = m2.with_name(f"perfect_output_for_{m2.name}").read_text(encoding="utf-8").rstrip("\n").split("\n")
        if len(outputs) != len(blocks):
            raise ValueError(f"{m2}: expected as many outputs as sentences, {len(blocks)}, got {len(outputs)}")
        lines = tables.setdefault(number, ["commit\tsentence\tsource\toutput\tedits"])
        for place, ((source, edit_lists), output) in enumerate(zip(blocks, outputs, strict=True)):
            part = parts.setdefault(source, {"source": source, "edits": [], "outputs": []})
            edits = " ".join(str(place_of(part["edits"], edits)) for edits in edit_lists)
            source_place = list(parts).index(source)
            lines.append(f"{commit}\t{place}\t{source_place}\t{place_of(part['outputs'], output)}\t{edits}")
    return list(parts.values()), tables


def list_pairs() -> list[tuple[int, int, int]]:
    """Chapter, French and English passage, in order."""
    pairs = []
    chapters = zip(CHAPTERS["french"], CHAPTERS["english"], strict=True)
    for chapter, ((french, last), (english, _)) in enumerate(chapters, 1):
        pairs += [(chapter, french + n, english + n) for n in range(last - french + 1)]
    return pairs


def write_gzip(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a gzip file that is the same whenever it is made."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        packed.write("".join(f"{line}\n" for line in lines).encode())


def make_crowd(answers: Path, target: Path) -> None:
    """Write the answers with what the paper kept."""
    rows = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines() if line.strip()]
    lines = (f"{json.dumps(row, ensure_ascii=False)}\n" for row in mark_kept_sentences(rows))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(lines), encoding="utf-8")


def make_draws(checkouts: Path, folder: Path) -> None:
    """Write the draws in their short form."""
    parts, tables = shorten_draws(checkouts)
    folder.mkdir(parents=True, exist_ok=True)
    write_gzip(folder / "parts.jsonl.gz", (json.dumps(part, ensure_ascii=False) for part in parts))
    for number, lines in tables.items():
        write_gzip(folder / f"{number}.tsv.gz", lines)


def make_translations(french: Path, english: Path, folder: Path) -> None:
    """Pack the passages of both languages, and write the pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = list_pairs()
    for language, source, place in (("french", french, 1), ("english", english, 2)):
        with tarfile.open(folder / f"{language}.tar.gz", "w:gz") as archive:
            for pair in pairs:
                name = f"passage{pair[place]}.xml"
                archive.add(source / name, f"{language}/{name}")
    lines = ["chapter\tfrench\tenglish", *("\t".join(map(str, pair)) for pair in pairs)]
    (folder / "pairs.tsv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


MAKERS = {"crowd": make_crowd, "draws": make_draws, "translations": make_translations}


def main(arguments: Sequence[str]) -> int:
    """Make what the first argument names."""
    makers = {name: (make, make.__code__.co_argcount) for name, make in MAKERS.items()}
    name, *paths = arguments or [""]
    if name not in makers or len(paths) != makers[name][1]:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        makers[name][0](*map(Path, paths))
    except (OSError, ValueError, KeyError) as error:
        print(f"paper_data.py {name}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
