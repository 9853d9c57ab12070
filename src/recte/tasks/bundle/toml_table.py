"""A TOML table whose keys are asked for one by one: each with its type, and none left over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Self

from recte.errors import InputError, describe_choices
from recte.files import byte_blocks, display_name
from recte.formats.toml_values import toml_values

__all__ = ["TomlTable"]

_UNITS = {"KB": 1000, "MB": 1000**2, "GB": 1000**3}
_LARGEST_FILE = 1 << 22


class TomlTable:
    """Keys of one table, and where it stands: a message names file, table and key."""

    def __init__(self, values: Mapping[str, Any], file: Path, place: str = "") -> None:
        self._left = dict(values)
        self.file, self.place = file, place

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """A whole file."""
        content = b""
        for block in byte_blocks(path):
            content += block
            if len(content) > _LARGEST_FILE:
                raise InputError(f"expected a task file of at most {_LARGEST_FILE >> 20} MB, got more", str(path))
        return cls(toml_values(content, display_name(path)), Path(path))

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{self.place}{key}: {message}", str(self.file))

    def _take(self, key: str, wanted: type | tuple[type, ...], expected: str, default: Any) -> Any:
        value = self._left.pop(key, default)
        if value is ...:
            raise self.error(key, f"expected {expected}, got nothing")
        is_stray_bool = isinstance(value, bool) and wanted is not bool
        if value is not default and (not isinstance(value, wanted) or is_stray_bool):
            raise self.error(key, f"expected {expected}, got {_shown(value)}")
        return value

    def text(self, key: str, default: Any = ..., *, longest: int = 0) -> Any:
        value = self._take(key, str, "a text", default)
        if value is not default and (not value.strip() or not value.isprintable()):
            raise self.error(key, f"expected one line of text, got {value[:40]!r}")
        if longest and value is not default and len(value) > longest:
            raise self.error(key, f"expected at most {longest} characters, got {len(value)}")
        return value

    def long_text(self, key: str, default: str = "") -> str:
        value: str = self._take(key, str, "a text", default)
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        value: str = self.text(key, default)
        if value not in choices:
            raise self.error(key, describe_choices(choices, value))
        return value

    def truth(self, key: str, default: bool) -> bool:
        value: bool = self._take(key, bool, "true or false", default)
        return value

    def whole(self, key: str, default: Any = ..., *, least: int = 1, most: int = 2**31 - 1) -> Any:
        value = self._take(key, int, "a whole number", default)
        if value is not default and not least <= value <= most:
            raise self.error(key, f"expected a whole number from {least} to {most}, got {value}")
        return value

    def size(self, key: str, default: int | None) -> int | None:
        """Bytes, as a number or a text such as "20 MB"."""
        value = self._take(key, (int, str), 'a size such as "20 MB"', default)
        if isinstance(value, str):
            number, _, unit = value.strip().partition(" ")
            if not (number.isascii() and number.isdecimal() and len(number) < 16) or unit not in _UNITS:
                raise self.error(key, f'expected a size such as "20 MB", got {value[:40]!r}')
            value = int(number) * _UNITS[unit]
        if value is not None and not 0 < value < 2**50:
            raise self.error(key, f'expected a size such as "20 MB", got {value}')
        return None if value is None else int(value)

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default)
        wrong = next((value for value in values if not isinstance(value, str) or not value), None)
        if wrong is not None:
            raise self.error(key, f"expected a list of texts, got {_shown(wrong)} in it")
        return tuple(values)

    def time(self, key: str, default: Any = ...) -> Any:
        """A time with its zone, in UTC: what has no zone would be read as UTC by the platform, whatever was meant."""
        expected = "a time with its zone, such as 2027-03-01T12:00:00Z"
        value = self._take(key, (str, date), expected, default)
        if value is default:
            return value
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                raise self.error(key, f"expected {expected}, got {value[:40]!r}") from None
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise self.error(key, f"expected {expected}, got {value.isoformat()}")
        try:
            return value.astimezone(UTC)
        except OverflowError:
            raise self.error(key, f"expected a time in the years 1 to 9999 of UTC, got {value.isoformat()}") from None

    def table(self, key: str) -> TomlTable:
        values = self._take(key, dict, "a table", ...)
        return TomlTable(values, self.file, f"{self.place}{key}.")

    def tables(self, key: str) -> list[TomlTable]:
        """A list of tables, at least one."""
        values = self._take(key, list, f"at least one [[{self.place}{key}]]", ...)
        if not values or not all(isinstance(value, dict) for value in values):
            raise self.error(key, f"expected at least one [[{self.place}{key}]], got {_shown(values)}")
        return [TomlTable(value, self.file, f"{self.place}{key}[{n}].") for n, value in enumerate(values, 1)]

    def rest(self) -> dict[str, Any]:
        """Whatever is left, for keys that others know."""
        left, self._left = self._left, {}
        return left

    def has(self, key: str) -> bool:
        return key in self._left

    def existing(self, key: str, default: Any = ...) -> Any:
        """A file, beside the task file unless its path is absolute."""
        value = self.text(key, default)
        return value if value is default else self.path(key, value)

    def existing_text(self, key: str) -> Path:
        """A file of text, such as a page."""
        path: Path = self.existing(key)
        try:
            if "\0" in path.read_bytes().decode("utf-8"):
                raise self.error(key, f"expected a text, got something else in {path}")
        except OSError as error:
            raise self.error(key, f"expected a text, but {path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise self.error(key, f"expected a text in UTF-8, got something else in {path}") from None
        return path

    def path(self, key: str, value: str) -> Path:
        """The file that a value of the key names."""
        path = self.file.parent / value
        if not path.is_file():
            raise self.error(key, f"expected a file, found none at {path}")
        return path

    def end(self) -> None:
        """Refuse keys that nobody asked for: a misspelt one would otherwise be dropped without a word."""
        if self._left:
            raise self.error(next(iter(self._left)), "no such key; see docs/shared-tasks.md for those there are")


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text[:40]}"
