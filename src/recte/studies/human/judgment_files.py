"""Human judgments of pairs of systems, from whichever file holds them: rankings XML, WMT's CSV, or our own table.

Ours is a TSV with a header and one comparison per line; `better` is the name of the better system, or `=` for a tie:

    sentence	judge	system1	system2	better
    1	ann	heron	wren	heron

Sentences are numbered from 1 there, or called by any text: an id, or the sentence itself. A column `ranking` may say
which comparisons a judge made at once, a column `document` which document a sentence is in, where each counts its own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from recte.errors import InputError, OptionError
from recte.files import STANDARD_INPUT, display_name, name_without_compression, read_lines, write_lines
from recte.formats.labels import csv_cells
from recte.studies.human.judgments import Judgments, Preference, Ranking
from recte.studies.human.rankings_xml import read_rankings_xml

__all__ = ["is_judgments", "read_ids", "read_judgments", "write_judgments"]

_COLUMNS = ("sentence", "judge", "system1", "system2", "better")
_WMT_COLUMNS = ("srcIndex", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")
_TIE = "="
_NAMED = 5  # documents in a message
_UNRANKED = -1  # WMT's rank of an output that the judge left out


def read_judgments(
    path: str | Path,
    *,
    expand: bool = True,
    seed: int = 0,
    first_sentence: int | None = None,
    document: str | None = None,
    ids: Sequence[str] | None = None,
) -> Judgments:
    """Read judgments in any of the formats; the first line tells which.

    `expand` compares all systems of a ranking, also those with the same output; without it one of each group, drawn
    with `seed`. (A CSV or TSV file holds pairs already: it is read as it is.) `first_sentence` is the number of the
    first sentence, 0 or 1, where the file's own convention is known; `document` leaves out all others. `ids` names the
    sentences of a judged subset in the order of the corpus: numbers counted from 1 (`read_ids` reads them from a file),
    or the texts by which the file calls sentences. Without it such texts are `sentence_names` of the judgments.

    >>> import pathlib, tempfile
    >>> lines = "sentence\\tjudge\\tsystem1\\tsystem2\\tbetter\\n1\\tann\\twren\\theron\\t=\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "judged.tsv").write_text(lines)
    ...     read_judgments(f"{folder}/judged.tsv").ties
    1
    """
    if first_sentence not in (None, 0, 1):
        raise OptionError(f"first_sentence: expected 0 or 1, got {first_sentence}")
    if seed < 0:
        raise OptionError(f"seed: expected a number from 0, got {seed}")
    name = display_name(path)
    if _is_xml(path):
        rankings = read_rankings_xml(path)
        if not any(len(ranking.groups) > 1 for ranking in rankings):
            raise InputError("expected rankings of two systems or more, got none", name)
        rankings = _number_documents(rankings) if document is None else _of_document(rankings, document, name)
        judgments = Judgments.from_rankings(
            rankings, expand=expand, seed=seed, first_sentence=first_sentence, name=name
        )
        return judgments if ids is None else judgments.in_subset(ids)
    lines = read_lines(path)
    header = next(lines, "")
    separator = "\t" if "\t" in header else ","
    columns = csv_cells(header, name, 1, separator)
    if set(_COLUMNS) <= set(columns):
        first_sentence = 1 if first_sentence is None else first_sentence
        preferences = _table(lines, columns, separator, first_sentence, name, ids)
    elif set(_WMT_COLUMNS) <= set(columns):
        preferences = _wmt(lines, columns, separator, name)
    elif {"system1", "system2"} <= set(columns):
        absent = next(column for column in _COLUMNS if column not in columns)
        raise InputError(f"expected the columns {', '.join(_COLUMNS)}, got none called {absent}", name, 1)
    else:
        raise InputError(
            f"expected rankings as XML, or a table with the columns {', '.join(_COLUMNS)} (or WMT's "
            f"{', '.join(_WMT_COLUMNS)}), got {header[:60]!r}",
            name,
            1,
        )
    if document is not None:
        preferences = iter(_of_document(list(preferences), document, name))
    try:
        judgments = Judgments.from_preferences(preferences, first_sentence=first_sentence, name=name)
    except InputError as error:
        raise error if error.line else InputError(error.message, name) from None
    if ids is None:
        return judgments
    return judgments.numbered_from(0) if set(_COLUMNS) <= set(columns) else judgments.in_subset(ids)


def read_ids(path: str | Path) -> list[str]:
    """The ids of a judged subset, one per line, in the order of the corpus.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "ids.txt").write_text("688\\n328\\n")
    ...     read_ids(f"{folder}/ids.txt")
    ['688', '328']
    """
    line_of: dict[str, int] = {}
    for line, text in enumerate(read_lines(path), 1):
        name = text.strip()
        if not name:
            raise InputError("expected the id of a sentence, got an empty line", display_name(path), line)
        if name in line_of:
            raise InputError(
                f"expected each id once, got {name[:40]!r} in line {line_of[name]} too", display_name(path), line
            )
        line_of[name] = line
    if not line_of:
        raise InputError("expected ids of sentences, one per line, got none", display_name(path))
    return list(line_of)


def write_judgments(path: str | Path, judgments: Judgments) -> None:
    """Write the comparisons as our own table, sentences numbered from 1, whole or not at all.

    >>> import tempfile
    >>> judgments = Judgments.from_preferences([Preference(1, "ann", "heron", "wren", 1, 0)], first_sentence=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_judgments(f"{folder}/judged.tsv", judgments)
    ...     read_judgments(f"{folder}/judged.tsv").systems
    ('heron', 'wren')
    """
    first = 0 if judgments.sentence_names or 0 in judgments.sentence else judgments.first_sentence
    if first is None:
        raise OptionError("first_sentence: expected 0 or 1, the number that the judgments start from, got neither")
    shift = 1 - first
    of_documents = any(judgments.documents)
    header = (*_COLUMNS, "ranking", *(("document",) if of_documents else ()))
    rows = (
        (
            *(
                p.sentence if isinstance(p.sentence, str) else p.sentence + shift,
                p.judge,
                p.first,
                p.second,
                (p.second, _TIE, p.first)[p.outcome + 1],
                p.ranking,
            ),
            *((p.document,) if of_documents else ()),
        )
        for p in judgments.preferences()
    )
    write_lines(path, ("\t".join(map(str, row)) + "\n" for row in (header, *rows)))


def is_judgments(path: str | Path) -> bool:
    """Whether a file looks like judgments, by its name or first line, and not like scores."""
    if _is_xml(path) or not Path(path).is_file():  # what is no regular file can be read only once
        return True
    columns = set(next(read_lines(path), "").replace('"', "").replace(",", "\t").split("\t"))
    # Two systems in a line are a comparison, also where another column is missing: the reader says which.
    return {"system1", "system2"} <= columns or {"system1Id", "system2Id"} <= columns


def _is_xml(path: str | Path) -> bool:
    """By its name, or by its first character where that can be seen without using it up."""
    if name_without_compression(str(path)).endswith(".xml"):
        return True
    if str(path) == STANDARD_INPUT and hasattr(sys.stdin.buffer, "peek"):
        return bool(sys.stdin.buffer.peek(1).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"))
    return Path(path).is_file() and next(read_lines(path), "").lstrip().startswith("<")


Judged = TypeVar("Judged", Ranking, Preference)


def _of_document(judged: list[Judged], document: str, name: str) -> list[Judged]:
    sentences = [sentence for sentence in judged if sentence.document == document]
    if not sentences:
        known = sorted({sentence.document for sentence in judged} - {""})
        named = ", ".join(known[:_NAMED]) + (" …" if len(known) > _NAMED else "") if known else "none"
        raise InputError(f"expected judgments of the document {document!r}, got those of {named}", name)
    return sentences


def _number_documents(rankings: list[Ranking]) -> list[Ranking]:
    """The rankings, with their documents only where two documents of several sentences have the same number."""
    numbers: dict[str, set[int | str]] = {}
    for ranking in rankings:
        numbers.setdefault(ranking.document, set()).add(ranking.sentence)
    of_documents = [held for held in numbers.values() if len(held) > 1]
    if len(set().union(*of_documents)) < sum(map(len, of_documents)):
        return rankings
    return [ranking._replace(document="") for ranking in rankings]


def _rows(lines: Iterator[str], columns: list[str], separator: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(lines, 2):
        values = csv_cells(line, name, number, separator)
        if len(values) != len(columns):
            raise InputError(f"expected {len(columns)} columns as in the header, got {len(values)}", name, number)
        yield number, dict(zip(columns, values, strict=True))


def _whole(text: str, what: str, name: str, line: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise InputError(f"expected a whole number as {what}, got {text[:40]!r}", name, line)
    return int(text)


def _sentence(text: str, what: str, name: str, line: int, first: int = 0) -> int:
    number = _whole(text, what, name, line)
    if not first <= number < 2**31:
        raise InputError(f"expected the number of a sentence, from {first}, as {what}, got {number}", name, line)
    return number


def _sentence_or_name(text: str, name: str, line: int, first: int) -> int | str:
    """The number of a sentence; or what it is called, which is no number: an id, or its text."""
    if re.fullmatch(r"-?[0-9]+", text):
        return _sentence(text, "sentence", name, line, first)
    if not text.strip():
        raise InputError("expected the number, the id or the text of a sentence, got none", name, line)
    return text


def _table(
    lines: Iterator[str],
    columns: list[str],
    separator: str,
    first_sentence: int,
    name: str,
    ids: Sequence[str] | None = None,
) -> Iterator[Preference]:
    places = None if ids is None else {id_: place for place, id_ in enumerate(ids)}
    for line, row in _rows(lines, columns, separator, name):
        first, second, better = row["system1"], row["system2"], row["better"]
        if better not in (first, second, _TIE) or first == second or not first or not second:
            raise InputError(
                f"expected two systems and one of them (or {_TIE}) as better, got {first!r}, {second!r}, {better!r}",
                name,
                line,
            )
        outcome = 0 if better == _TIE else 1 if better == first else -1
        sentence: int | str
        if places is None:
            sentence = _sentence_or_name(row["sentence"], name, line, first_sentence)
        elif row["sentence"] in places:
            sentence = places[row["sentence"]]
        else:
            raise InputError(f"expected one of the {len(places)} ids, got {row['sentence'][:40]!r}", name, line)
        ranking = _whole(row["ranking"], "ranking", name, line) if "ranking" in row else line
        yield Preference(sentence, row["judge"], first, second, outcome, ranking, row.get("document", ""))


def _wmt(lines: Iterator[str], columns: list[str], separator: str, name: str) -> Iterator[Preference]:
    """Two systems a line, or as many as there are columns for; all pairs of those that were ranked."""
    places = [n for n in range(1, len(columns)) if {f"system{n}Id", f"system{n}rank"} <= set(columns)]
    rows = list(_rows(lines, columns, separator, name))
    bare = _bare_names((row for _, row in rows), places)
    for line, row in rows:
        sentence = _sentence(row["srcIndex"], "srcIndex", name, line)
        ranking = _whole(row["rankingID"], "rankingID", name, line) if row.get("rankingID") else line
        ranks = {n: _whole(row[f"system{n}rank"], "rank", name, line) for n in places}
        ranked = [(bare[row[f"system{n}Id"]], rank) for n, rank in ranks.items() if rank != _UNRANKED]
        for (first, first_rank), (second, second_rank) in combinations(ranked, 2):
            if not first or not second or first == second:
                raise InputError(f"expected the names of two systems, got {first!r} and {second!r}", name, line)
            outcome = (first_rank < second_rank) - (first_rank > second_rank)  # lower is better
            both = (first_rank, second_rank)
            yield Preference(sentence, row["judgeID"], first, second, outcome, ranking, ranks=both)


def _bare_names(rows: Iterable[dict[str, str]], places: Iterable[int]) -> dict[str, str]:
    """Systems as they are called without the test set before and the language pair behind, where all have them."""
    pairs = {
        (row[f"system{n}Id"], f".{row.get('srclang', '')}-{row.get('trglang', '')}") for row in rows for n in places
    }
    short = {system: system.removesuffix(languages) for system, languages in pairs}
    before = {name.partition(".")[0] for name in short.values()}
    if len(before) == 1 and all("." in name for name in short.values()):
        short = {system: name.partition(".")[2] for system, name in short.items()}
    return short
