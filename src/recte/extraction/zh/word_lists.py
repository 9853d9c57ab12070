"""The published lists that Chinese costs and spelling types are made of: read from a folder, never shipped.

A thesaurus (`cilin.txt`), characters taken for each other (`confusion_dict.txt`), and sounds and shapes of characters
(`char_meta.txt`), in the format and under the names of the ChERRANT toolkit; `.gz` behind a name is fine.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.vocabulary import EncodedText, offsets_of
from recte.errors import InputError

__all__ = ["NO_LISTS", "ChineseLists", "Sounds", "read_lists"]

_FILES = {"cilin.txt": "gbk", "confusion_dict.txt": "utf-8", "char_meta.txt": "utf-8"}
_UNKNOWN = "null"
# Signs that say how a character is put together, as the published program writes them: letters without K.
_COMPOSITION = str.maketrans({chr(0x2FF0 + n): letter for n, letter in enumerate("ABCDEFGHIJLM")})


class Sounds(NamedTuple):
    """A character's readings in five languages (none where they are unknown), and its shape as a text."""

    readings: tuple[tuple[str, ...], ...]
    shape: str


@dataclass(frozen=True, eq=False)
class ChineseLists:
    """The three lists; empty ones are what Chinese edits are made with where no folder is named.

    `name` is a fingerprint of their contents, for signatures, or `none`.
    """

    name: str = "none"
    _texts: Mapping[str, str] = field(default_factory=dict, repr=False)

    def _lines(self, file: str) -> list[str]:
        return self._texts.get(file, "").splitlines()

    @cached_property
    def meanings(self) -> dict[str, tuple[int, int, int]]:
        """A word's class, part by part; of several, the last one in the file counts."""
        parts: dict[str, int] = {}
        meaning_of: dict[str, tuple[int, int, int]] = {}
        for line in self._lines("cilin.txt"):
            code, *words = line.split(" ")
            first, second, third = (parts.setdefault(part, len(parts)) for part in (code[0], code[1], code[2:4]))
            meaning_of.update(dict.fromkeys(words, (first, second, third)))
        return meaning_of

    @cached_property
    def confusions(self) -> tuple[NDArray[np.int32], EncodedText]:
        """Characters in ascending order, each with those it is taken for or that are taken for it; as code points."""
        a, b = _confusion_pairs(self._texts.get("confusion_dict.txt", ""))
        both = np.sort(np.concatenate([a << 32 | b, b << 32 | a]))  # faster than unique
        both = both[np.flatnonzero(np.diff(both, prepend=-1))]
        characters, counts = np.unique(both >> 32, return_counts=True)
        others = (both & 0xFFFFFFFF).astype(np.int32)
        return characters.astype(np.int32), (others, offsets_of(counts.tolist(), len(counts)))

    @cached_property
    def sounds(self) -> dict[str, Sounds]:
        """Sounds and shapes by character."""
        sounds_of = {}
        for line in self._lines("char_meta.txt"):
            _, character, languages, shape = line.split("\t")
            readings = tuple(() if r == _UNKNOWN else tuple(r.split(",")) for r in languages.split(";"))
            sounds_of[character] = Sounds(readings, shape.translate(_COMPOSITION))
        return sounds_of


def _confusion_pairs(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each line's first character with every other; of lines that begin alike, the last holds.

    Half a million pairs are read as an array: a character counts if it stands alone between separators.
    """
    codes = np.frombuffer(f"\n{text}\n".replace("\r", "").encode("utf-32-le"), dtype="<u4").astype(np.int64)
    ends = codes == ord("\n")
    separators = ends | (codes == ord(" "))
    alone = np.flatnonzero(~separators[1:-1] & separators[:-2] & separators[2:]) + 1
    line = np.cumsum(ends)
    leading = ends[alone - 1]
    first = np.full(int(line[-1]) + 1, -1, dtype=np.int64)
    first[line[alone[leading]]] = codes[alone[leading]]
    holds = np.zeros(len(first), dtype=np.bool_)
    holds[len(first) - 1 - np.unique(first[::-1], return_index=True)[1]] = True
    others = alone[~leading]
    others = others[(holds & (first >= 0))[line[others]]]
    return first[line[others]], codes[others]


NO_LISTS = ChineseLists()


@cache
def read_lists(folder: str | Path) -> ChineseLists:
    """The lists of a folder; all three files must be there.

    >>> read_lists("/nowhere")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recte.errors.InputError: /nowhere: expected a folder with cilin.txt, confusion_dict.txt and char_meta.txt, ...
    """
    contents = {}
    for name in _FILES:
        path = next((p for p in (Path(folder, name), Path(folder, f"{name}.gz")) if p.is_file()), None)
        if path is None:
            expected = "expected a folder with cilin.txt, confusion_dict.txt and char_meta.txt"
            raise InputError(f"{expected}, as ChERRANT has them, got none of the name {name}", str(folder))
        contents[name] = _content(path)
    fingerprint = blake2b(b"\0".join(contents.values()), digest_size=4).hexdigest()
    texts = {name: _decode(contents[name], name, encoding, folder) for name, encoding in _FILES.items()}
    _check(texts, folder)
    return ChineseLists(fingerprint, texts)


def _content(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError) as error:
        raise InputError(f"expected a file that can be read, got {error}", str(path)) from None


def _decode(content: bytes, name: str, encoding: str, folder: str | Path) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"expected text in {encoding}, got other bytes at {error.start}", f"{folder}/{name}") from None


def _check(texts: Mapping[str, str], folder: str | Path) -> None:
    for number, line in enumerate(texts["cilin.txt"].splitlines(), 1):
        if len(line.split(" ", 1)[0]) < 4:
            expected = "expected a code of eight characters, then words, separated by spaces"
            raise InputError(f"{expected}, got {line[:40]!r}", f"{folder}/cilin.txt", number)
    for number, line in enumerate(texts["char_meta.txt"].splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != 4 or fields[2].count(";") != 4 or not fields[3]:
            expected = "expected code point, character, readings in five languages and shape, separated by tabs"
            raise InputError(f"{expected}, got {line[:40]!r}", f"{folder}/char_meta.txt", number)
