"""Many texts in one buffer."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.errors import InputError

__all__ = ["Spans", "TextColumn", "find_changed_sentences"]

_AT_ONCE = 10_000  # places that are numbers of Python at a time
Spans = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]


class TextColumn(Sequence[str]):
    """Texts as bytes of one buffer (UTF-8), by where each begins and ends; a `str` is made when one is looked at.

    >>> column = TextColumn.of(["He goes .", "I am ."])
    >>> column[1], len(column), column == ("He goes .", "I am .")
    ('I am .', 2, True)
    """

    __slots__ = ("begins", "buffer", "ends")

    def __init__(self, buffer: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        self.buffer = buffer
        self.begins = begins
        self.ends = ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> TextColumn:
        """Texts laid end to end."""
        if isinstance(texts, TextColumn):
            return texts
        try:
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        except AttributeError:
            place, wrong = next((i, text) for i, text in enumerate(texts, 1) if not isinstance(text, str))
            raise InputError(f"sentence {place}: expected a string, got {type(wrong).__name__}") from None
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends[:-1], ends[1:])

    @classmethod
    def collect(cls, texts: Iterable[str]) -> TextColumn:
        """Texts laid end to end as they are made, so that no two are needed at a time.

        >>> TextColumn.collect(text.upper() for text in ["a", "b"])
        ('A', 'B')
        """
        buffer, ends = bytearray(), array("q", [0])
        for text in texts:
            buffer += text.encode("utf-8", "surrogatepass")
            ends.append(len(buffer))
        places = np.frombuffer(ends, dtype=np.int64)
        return cls(np.frombuffer(buffer, dtype=np.uint8), places[:-1], places[1:])

    @classmethod
    def end_to_end(cls, columns: Sequence[TextColumn]) -> TextColumn:
        """The texts of one column after those of the other.

        >>> TextColumn.end_to_end([TextColumn.of(["a", "b"]), TextColumn.of(["c"])])
        ('a', 'b', 'c')
        """
        bases = np.cumsum([0, *(len(column.buffer) for column in columns)], dtype=np.int64)
        buffers, begins, ends = [np.zeros(0, np.uint8)], [bases[:0]], [bases[:0]]
        for base, column in zip(bases.tolist(), columns, strict=False):
            buffers.append(column.buffer)
            begins.append(column.begins + base)
            ends.append(column.ends + base)
        return cls(np.concatenate(buffers), np.concatenate(begins), np.concatenate(ends))

    @classmethod
    def side_by_side(cls, columns: Sequence[TextColumn], count: int) -> TextColumn:
        """The first texts of all columns, then the second texts, and so on; `count` texts each."""
        return cls.end_to_end(columns).take(np.arange(len(columns) * count).reshape(len(columns), count).T.reshape(-1))

    def take(self, places: NDArray[np.int64]) -> TextColumn:
        """The texts at these places, in this order, in the same buffer."""
        return TextColumn(self.buffer, self.begins[places], self.ends[places])

    def narrow(self) -> TextColumn:
        """The same texts, in no more of the buffer than they take."""
        if not len(self):
            return self
        begin, end = int(self.begins.min()), int(self.ends.max())
        return TextColumn(self.buffer[begin:end], self.begins - begin, self.ends - begin)

    @classmethod
    def join(cls, vocabulary: _kernels.Interner, words: tuple[NDArray[np.int32], NDArray[np.int64]]) -> TextColumn:
        """Texts from the numbers of their words, joined by single spaces."""
        buffer, offsets = _kernels.joined_words(vocabulary, words)
        return cls(buffer, offsets[:-1], offsets[1:])

    def to_list(self) -> list[str]:
        """All texts, faster than one by one; the whole buffer is in memory once more meanwhile."""
        whole, places = self.buffer.tobytes(), zip(self.begins.tolist(), self.ends.tolist(), strict=True)
        if not whole.isascii():
            return [whole[begin:end].decode("utf-8", "surrogatepass") for begin, end in places]
        text = whole.decode("ascii")
        return [text[begin:end] for begin, end in places]

    @property
    def spans(self) -> Spans:
        """What kernels take."""
        return self.buffer, self.begins, self.ends

    def __len__(self) -> int:
        return len(self.begins)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __getitem__(self, index: int | slice) -> str | TextColumn:
        if isinstance(index, slice):
            begins, ends = self.begins[index], self.ends[index]
            return TextColumn(self.buffer, np.ascontiguousarray(begins), np.ascontiguousarray(ends))
        return str(self.buffer.data[self.begins[index] : self.ends[index]], "utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        view = self.buffer.data
        for first in range(0, len(self), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            for begin, end in zip(self.begins[part].tolist(), self.ends[part].tolist(), strict=True):
                yield str(view[begin:end], "utf-8", "surrogatepass")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        if isinstance(other, TextColumn) and not np.array_equal(self.ends - self.begins, other.ends - other.begins):
            return False  # as UTF-8, texts of another length are others
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def find_changed_sentences(sources: Sequence[str], outputs: Sequence[str]) -> NDArray[np.bool_]:
    """Which sentences an output changed at all; white space between words does not count.

    >>> find_changed_sentences(["He go .", "Good ."], ["He goes .", "Good  ."]).tolist()
    [True, False]
    """
    pairs = zip(sources, outputs, strict=True)
    return np.array([o != s and o.split() != s.split() for s, o in pairs], dtype=np.bool_)
