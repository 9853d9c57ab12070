"""Which test sets there are, and where their files can be had: a table that a user can change."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from recte.caching.user_folder import cache_folder
from recte.errors import InputError, OptionError, describe_choices, did_you_mean
from recte.formats.toml_values import toml_values
from recte.tasks.presets import PRESETS

__all__ = ["SetFile", "TestSet", "catalogue_of_user", "folder_of_sets", "test_set_named", "test_sets"]

Role = Literal["gold", "source", "reference"]
_TABLE = "sets.toml"


@dataclass(frozen=True, kw_only=True)
class SetFile:
    """One file of a test set.

    `address` is the owner's, and `member` the file inside the archive there; without an address the user must have the
    file. `sha256` is that of the content.
    """

    name: str
    role: Role
    address: str = ""
    member: str = ""
    sha256: str = ""


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """A test set by its name.

    >>> test_sets()["conll14"].sentences
    1312
    """

    __test__ = False  # no test of ours: pytest takes the name for one

    name: str
    title: str
    licence: str
    page: str
    files: tuple[SetFile, ...]
    sentences: int = 0
    preset: str = ""

    @property
    def has_addresses(self) -> bool:
        """Whether every file can be fetched."""
        return all(file.address for file in self.files)


def folder_of_sets() -> Path:
    """Where test sets are kept: `RECTE_DATA`, or a folder in the user's cache (`XDG_CACHE_HOME`)."""
    folder = os.environ.get("RECTE_DATA")
    return Path(folder) if folder else cache_folder("data")


def catalogue_of_user() -> Path:
    """The table that a user may write, to add sets or to change them."""
    return folder_of_sets() / _TABLE


def test_sets() -> dict[str, TestSet]:
    """Every test set by its name, those of the user's own table included.

    >>> [file.role for file in test_sets()["jfleg"].files]
    ['source', 'reference', 'reference', 'reference', 'reference']
    """
    sets = _sets(files("recte.tasks").joinpath(_TABLE).read_bytes(), _TABLE)
    of_user = catalogue_of_user()
    if of_user.is_file():
        try:
            content = of_user.read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", str(of_user)) from None
        sets |= _sets(content, str(of_user))
    return sets


test_sets.__test__ = False  # type: ignore[attr-defined]


def test_set_named(name: str) -> TestSet:
    """The test set of that name; one line for a name that nobody has."""
    known = test_sets()
    if name not in known:
        of_task = [test_set.name for test_set in known.values() if name and test_set.preset == name]
        hint = f"; that is a preset, its test sets: {', '.join(of_task)}" if of_task else did_you_mean(name, known)
        raise OptionError(f"test set: {describe_choices(known, name)}{hint}")
    return known[name]


test_set_named.__test__ = False  # type: ignore[attr-defined]


def _sets(content: bytes, path: str) -> dict[str, TestSet]:
    return {name: _set(name, entry, path) for name, entry in toml_values(content, path).items()}


def _set(name: str, entry: Any, path: str) -> TestSet:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("files"), list) or not entry["files"]:
        raise InputError(f"{name}: expected a table with [[{name}.files]], got none", path)
    if not _is_name(name) or name == _TABLE:
        raise InputError(f"expected the name of a test set without folders, got {name!r}", path)
    _check_keys(entry, {"title", "licence", "page", "preset", "sentences", "files"}, f"{path}: {name}")
    texts = {key: _text(entry, key, f"{path}: {name}") for key in ("title", "licence", "page", "preset")}
    listed = tuple(_file(file, f"{path}: {name}") for file in entry["files"])
    roles = [file.role for file in listed]
    if roles not in (["gold"], ["source", *["reference"] * (len(roles) - 1)]) or roles == ["source"]:
        raise InputError(f"{name}: expected one gold file, or a source and references, got {', '.join(roles)}", path)
    names = [file.name.casefold() for file in listed]  # some disks take large and small letters for the same
    twice = next((file.name for file in listed if names.count(file.name.casefold()) > 1), None)
    if twice is not None:
        raise InputError(f"{name}: name: expected another for each file, got {twice!r} twice", path)
    preset = texts["preset"]
    if preset and preset not in PRESETS:
        hint = did_you_mean(preset, PRESETS)
        raise InputError(f"{name}: preset: {describe_choices(PRESETS, preset)}{hint}", path)
    sentences = entry.get("sentences", 0)
    if not isinstance(sentences, int) or isinstance(sentences, bool) or sentences < 0:
        raise InputError(f"{name}: sentences: expected a number, got {sentences!r}", path)
    return TestSet(name=name, files=listed, sentences=sentences, **texts)


def _file(entry: Any, where: str) -> SetFile:
    if not isinstance(entry, Mapping):
        raise InputError(f"expected tables of files, got {entry!r}", where)
    _check_keys(entry, {"name", "role", "address", "member", "sha256"}, where)
    texts = {key: _text(entry, key, where) for key in ("name", "role", "address", "member", "sha256")}
    if not _is_name(texts["name"]):
        raise InputError(f"name: expected a file's name without folders, got {texts['name']!r}", where)
    if texts["role"] not in get_args(Role):
        raise InputError(f"role: {describe_choices(get_args(Role), texts['role'])}", where)
    texts["sha256"] = texts["sha256"].lower()
    if texts["sha256"] and not re.fullmatch("[0-9a-f]{64}", texts["sha256"]):
        raise InputError(f"sha256: expected 64 digits from 0 to f, got {texts['sha256'][:80]!r}", where)
    return SetFile(**texts)  # type: ignore[arg-type]


def _is_name(text: str) -> bool:
    """Whether it can be a file's or a folder's name, and nothing more."""
    return bool(text) and text.isprintable() and Path(text).name == text and not text.startswith(".")


def _check_keys(entry: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = next((key for key in entry if key not in known), None)
    if unknown is not None:
        raise InputError(f"expected {', '.join(sorted(known))}, got {unknown!r}{did_you_mean(unknown, known)}", where)


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{key}: expected text, got {value!r}", where)
    return value
