"""The files of a bundle, of a program or of data: in a zip, or in memory before they are zipped."""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recte.errors import InputError
from recte.extras import optional

__all__ = ["BundleFiles", "entry", "read_yaml", "zip_files"]

_LARGEST = 4 << 30  # bytes of a bundle, unpacked
_MOST_VALUES = 100_000  # of a YAML file; a bundle of many tasks has some thousands
_STORED = (".whl", ".zip", ".png", ".gz", ".npz")  # what does not get smaller


class BundleFiles:
    """Files by their names; `name` is what messages call the whole."""

    def __init__(self, name: str, contents: Mapping[str, bytes]) -> None:
        self.name = name
        self._contents = contents

    @classmethod
    def from_zip(cls, path: str | Path) -> BundleFiles:
        """All files of a zip."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", str(path)) from None
        return cls.from_zipped(str(path), content)

    @classmethod
    def from_zipped(cls, name: str, content: bytes) -> BundleFiles:
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as opened:
                entries = [entry for entry in opened.infolist() if not entry.is_dir()]
                size = sum(entry.file_size for entry in entries)
                if size > _LARGEST:
                    raise InputError(f"expected at most {_LARGEST >> 30} GB when unpacked, got {size >> 30}", name)
                return cls(name, {entry.filename: opened.read(entry) for entry in entries})
        except InputError:
            raise
        except Exception as error:  # a zip can be broken in more ways than Python has exceptions for
            what = str(error) or type(error).__name__
            raise InputError(f"expected a zip file that can be unpacked, got: {what}", name) from None

    def __contains__(self, name: str) -> bool:
        return name in self._contents

    def __iter__(self) -> Any:
        return iter(self._contents)

    def read(self, name: str) -> bytes:
        return self._contents[name]

    def has_data(self, path: str) -> bool:
        """Whether a path names a file or a folder here, or is the number of something stored on the platform."""
        try:
            return bool(uuid.UUID(path))
        except ValueError:
            folder = f"{path.rstrip('/')}/"
            return path in self._contents or any(name.startswith(folder) for name in self._contents)

    def data(self, path: str) -> BundleFiles:
        """What the platform makes of a path: a zip's files, or a folder's."""
        if path in self._contents:
            return self.from_zipped(f"{self.name}: {path}", self._contents[path])
        folder = f"{path.rstrip('/')}/"
        inside = {n.removeprefix(folder): c for n, c in self._contents.items() if n.startswith(folder)}
        return BundleFiles(f"{self.name}: {path}", inside)

    def command(self) -> str | None:
        """The command of a program's metadata, as the worker finds it."""
        for name in ("metadata.yaml", "metadata"):
            if name in self._contents:
                metadata = read_yaml(self._contents[name], f"{self.name}: {name}")
                command = metadata.get("command") if isinstance(metadata, dict) else None
                return command if isinstance(command, str) and command.strip() else None
        return None

    def write_to(self, folder: Path) -> None:
        """All files, below a folder."""
        for name, content in self._contents.items():
            target = folder.joinpath(*(part for part in name.split("/") if part not in ("", ".", "..")))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def entry(name: str) -> zipfile.ZipInfo:
    """A file of a zip that everybody may read, of no particular time: the same content is the same zip."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    return info


def zip_files(contents: Mapping[str, bytes]) -> bytes:
    """Files as a zip; what is packed already is stored as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in contents.items():
            how = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
            archive.writestr(entry(name), content, how)
    return buffer.getvalue()


def read_yaml(content: bytes, name: str) -> Any:
    """YAML as the platform reads it, by the same library."""
    yaml = optional("yaml", extra="bundle", purpose="reading competition.yaml")
    try:
        values = yaml.safe_load(content)
    except yaml.YAMLError as error:
        raise InputError(f"expected YAML: {' '.join(str(error).split())}", name) from None
    except (RecursionError, ValueError) as error:  # a date that does not exist
        raise InputError(f"expected YAML: {error}", name) from None
    if not _is_bounded(values):
        raise InputError(f"expected YAML of at most {_MOST_VALUES:,} values, aliases written out, got more", name)
    return values


def _is_bounded(values: Any) -> bool:
    """Whether it stays small where every alias is written out: aliases of aliases can fill any memory."""
    left, seen = [values], 0
    while left and seen <= _MOST_VALUES:
        value = left.pop()
        seen += 1
        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set)):
            left += value
    return seen <= _MOST_VALUES
