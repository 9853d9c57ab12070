"""Files that are nearly right: the compiled readers and the oracles must give the same sentences or the same error.

`python tests/mutated_files.py 100000` compares that many; the suite compares a few hundred.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from oracles.m2 import iterate_m2 as oracle_m2
from recte.errors import InputError
from recte.files import read_lines
from recte.formats.m2 import m2_chunks
from recte.formats.parallel import LineColumns

BASES = (
    b"S He go to school .\nA 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0\n"
    b"A 4 4|||M|||today|||OPTIONAL|||why|||1\n\nS I am .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
    "\ufeffS 我 爱 你 们\r\nT0-A0 我\r\nA 2 4|||S|||你 们|||REQUIRED|||-NONE-|||10\r\n"
    "A 0 1|||R|||-NONE-|||REQUIRED|||-NONE-|||2\r\n\r\nS\r\n\r\n".encode(),
    b"S a\nI note\nA 0 1|||Um|||b  c|||REQUIRED||||||x\n\n\n\nS b c\n"
    b"A 0 2|||Um||| |||REQUIRED|||c|||01\nA 0 0|||M|||d|||REQUIRED|||c|||1\n",
)
PIECES = (
    *(
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b" ",
        b"\t",
        b"|||",
        b"||",
        b"|",
        b"S ",
        b"S",
        b"A ",
        b"A 0 1",
        b"T",
        b"I ",
        b"X",
    ),
    *(b"-1", b"+1", b"1_0", b"1__0", b"_1", b"00", b"99999999999999999999999", b"7", b"-NONE-", b"noop", b"REQUIRED"),
    *("\ufeff", "\u00a0", "\u2003", "\u3000", "\u0085", "\u1680", "\u200b", "é", "你", "😀", "٣", "\x1c", "\x00"),
    *(b"\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\x80"),
)


def mutated(seed: int) -> bytes:
    """A base file with a few pieces put in, cut out, doubled or moved."""
    draw = random.Random(seed)
    data = bytearray(draw.choice(BASES))
    for _ in range(draw.randint(1, 4)):
        begin = draw.randint(0, len(data))
        end = min(len(data), begin + draw.choice((0, 0, 1, 1, 2, 5, 20)))
        piece = draw.choice(PIECES)
        new = piece.encode() if isinstance(piece, str) else piece
        how = draw.random()
        if how < 0.2:
            new = b""
        elif how < 0.3:
            new = bytes(data[begin:end]) * 2
        elif how < 0.4:
            other = draw.randint(0, len(data))
            new = bytes(data[other : other + 10])
        data[begin:end] = new
    return bytes(data)


def outcome(read: Callable[[], Iterator[Any]]) -> tuple[list[Any], str]:
    """What is read before an error, and the error."""
    actual: list[Any] = []
    try:
        actual.extend(read())
    except InputError as error:
        return actual, str(error)
    return actual, ""


def said(sentence: Any) -> tuple[Any, ...]:
    """All of a sentence, what equality leaves out too."""
    lines = [edit.line for a in sentence.annotations for edit in a.edits]
    return sentence, sentence.lines, [a.implied for a in sentence.annotations], lines


def compare(path: Path, seed: int) -> None:
    """Raise where a compiled reader and its oracle differ."""
    path.write_bytes(mutated(seed))
    for lenient in (False, True):
        # One sentence at a time, so that those before an error are seen.
        ours = outcome(lambda lenient=lenient: (s for chunk in m2_chunks(path, 1, lenient=lenient) for s in chunk))
        wanted = outcome(lambda lenient=lenient: oracle_m2(path, lenient=lenient))
        actual = [said(s) for s in ours[0]], ours[1]
        expected = [said(s) for s in wanted[0]], wanted[1]
        assert actual == expected, f"seed {seed}, lenient {lenient}: {path.read_bytes()!r}\n{actual}\n{expected}"
    lines = outcome(lambda: _lines(LineColumns(path)))
    expected_lines = outcome(lambda: read_lines(path))
    assert lines == expected_lines, f"seed {seed}: {path.read_bytes()!r}\n{lines}\n{expected_lines}"


def _lines(reader: LineColumns) -> Iterator[str]:
    while len(column := reader.take(3)):
        yield from column


def main() -> None:
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            compare(Path(folder, "gold.m2"), seed)
    print(f"{count} mutated files: the same sentences or the same error")


if __name__ == "__main__":
    main()
