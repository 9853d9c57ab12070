"""Where a model is: a folder, or a name of the model hub whose files are here already. Nothing is fetched.

All of it without torch: a run whose results are known needs a model's name and hash, and nothing else of it.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from recte.caching.row_cache import open_cache
from recte.errors import OptionError, did_you_mean

__all__ = ["ModelFiles", "find_model"]

_READ = (".json", ".txt", ".model", ".vocab", ".spm", ".safetensors", ".bin", ".tsv")  # what decides a model's answers
_AT_ONCE = 1 << 22
_SETTLED = 2_000_000_000  # nanoseconds after which a change of a file would show in its time
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder, what it is called, and a hash that tells it from others of its name.

    The hash is the hub's revision, or for a folder that of its content. `settings` are those of its config.json.
    """

    name: str
    folder: Path
    revision: str
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def signature(self) -> str:
        return f"{self.name}@{self.revision[:12]}"

    @property
    def architecture(self) -> str:
        """What the model was saved as: RobertaForMaskedLM."""
        listed = self.settings.get("architectures")
        return str(listed[0]) if isinstance(listed, list) and listed else str(self.settings.get("model_type"))

    def size(self, *names: str) -> int | None:
        """The first of some whole numbers that config.json has."""
        return next((value for name in names if isinstance(value := self.settings.get(name), int)), None)


def find_model(name: str, option: str, how_to_get: str = "") -> ModelFiles:
    """The files of a model: a folder, or `NAME` or `NAME@REVISION` of the hub. `option` asks for it, for messages.

    `how_to_get` says it for a model that is on no hub.
    """
    if not name:
        raise OptionError(f"{option}: expected a folder with a model or its name on the model hub, got none")
    folder = Path(name)
    try:
        folder = folder.expanduser()
        is_folder = folder.is_dir()
    except (OSError, RuntimeError) as error:  # too long a name, nobody's home
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{option}: expected a folder with a model, got {name[:60]!r}: {reason}") from None
    if is_folder:
        settings = _settings(folder, name, option)
        return ModelFiles(folder.resolve().name, folder, _hash_of(folder.resolve(), option), settings)
    repository, _, revision = name.partition("@")
    if how_to_get or _is_path(name, folder):
        known = [path.name for path in folder.parent.iterdir() if path.is_dir()] if folder.parent.is_dir() else []
        wrong = "is a file" if folder.exists() else f"does not exist{did_you_mean(folder.name, known)}"
        more = f"; {how_to_get}" if how_to_get else ""
        raise OptionError(f"{option}: expected a folder with a model, got {name!r}, which {wrong}{more}")
    snapshot = _snapshot(repository, revision or "main")
    if snapshot is None:
        command = f"hf download {repository} --revision {revision}" if revision else f"hf download {repository}"
        raise OptionError(
            f"{option}: {name} is neither a folder nor a model that is here already, and nothing is fetched unasked: "
            f"{command}"
        )
    return ModelFiles(repository, snapshot, snapshot.name, _settings(snapshot, name, option))


def _is_path(name: str, folder: Path) -> bool:
    """Whether a name is meant as a path: no name of the hub, or next to or below what is here."""
    begins = name.startswith((".", "~")) or folder.is_absolute()
    in_folder = folder.parent != Path() and folder.parent.is_dir()
    return begins or in_folder or folder.exists() or not _HUB_NAME.fullmatch(name.partition("@")[0])


def _snapshot(repository: str, revision: str) -> Path | None:
    """The folder where the hub's own programs keep a model's revision, by its hash, branch or tag."""
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    hub = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or Path(home) / "hub"
    repository_folder = Path(os.path.expandvars(hub)).expanduser() / f"models--{repository.replace('/', '--')}"
    try:
        named = (repository_folder / "refs" / revision).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        named = revision
    snapshot = repository_folder / "snapshots" / named
    return snapshot if named and snapshot.parent == repository_folder / "snapshots" and snapshot.is_dir() else None


def _settings(folder: Path, name: str, option: str) -> Mapping[str, Any]:
    """What config.json says."""
    file = folder / "config.json"
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        got = f"got {name!r}, which has no config.json"
        raise OptionError(f"{option}: expected a folder with a model (config.json and weights), {got}") from None
    except OSError as error:
        raise OptionError(f"{option}: {file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise OptionError(f"{option}: expected JSON in {file}, got something else") from None
    if not isinstance(settings, dict) or not isinstance(settings.get("model_type"), str):
        raise OptionError(f"{option}: expected an object with a model_type in {file}, got none")
    return settings


def _hash_of(folder: Path, option: str) -> str:
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix in _READ and path.is_file())
        return _content_hash(tuple(_stamp(path) for path in files))
    except OSError as error:
        raise OptionError(f"{option}: {error.filename} cannot be read: {error.strerror}") from None


Stamp = tuple[str, int, int, int, int, int]


def _stamp(path: Path) -> Stamp:
    """What changes with a file's content: a new content has another time of change, which nobody can set."""
    status = path.stat()
    return (str(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


@lru_cache(maxsize=64)
def _content_hash(files: tuple[Stamp, ...]) -> str:
    """A hash of the files' content, stored between runs; of a file that may still be written it is not."""
    cache = open_cache("model-hashes")
    key = blake2b(repr(files).encode("utf-8", "surrogateescape"), digest_size=16).digest()
    known = {} if cache is None else cache.read([key])
    if key in known:
        return known[key].decode()
    begun = time.time_ns()
    digest = _read_hash(files)
    settled = all(max(mtime, ctime) < begun - _SETTLED for _, _, mtime, ctime, _, _ in files)
    if cache is not None and settled and files == tuple(_stamp(Path(path)) for path, *_ in files):
        cache.write([(key, digest.encode())])
    return digest


def _read_hash(files: Sequence[Stamp]) -> str:
    content = sha256()
    for path, size, *_ in files:
        content.update(f"{Path(path).name}\0{size}\0".encode())
        with open(path, "rb") as stream:
            while part := stream.read(_AT_ONCE):
                content.update(part)
    return content.hexdigest()
