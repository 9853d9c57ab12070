"""Where a model is: a folder, or a name of the model hub whose files are here already. Nothing is fetched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from recte.errors import OptionError
from recte.extras import optional

__all__ = ["ModelFiles", "find_model"]

_READ = (".json", ".txt", ".model", ".safetensors", ".bin", ".tsv")  # what decides a model's answers
_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder, what it is called, and a hash that tells it from others of its name.

    The hash is the hub's revision, or for a folder that of its content.
    """

    name: str
    folder: Path
    revision: str

    @property
    def signature(self) -> str:
        return f"{self.name}@{self.revision[:12]}"


def find_model(name: str, option: str, how_to_get: str = "") -> ModelFiles:
    """The files of a model: a folder, or `NAME` or `NAME@REVISION` of the hub. `option` asks for it, for messages.

    `how_to_get` says it for a model that is on no hub.
    """
    if not name:
        raise OptionError(f"{option}: expected a folder with a model or its name on the model hub, got none")
    folder = Path(name)
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise OptionError(f"{option}: expected a folder with a model (config.json and weights), got {name!r}")
        return ModelFiles(folder.resolve().name, folder, _hash_of(folder.resolve()))
    hub = optional("huggingface_hub", extra="neural", purpose=option)
    repository, _, revision = name.partition("@")
    try:
        found = Path(hub.snapshot_download(repository, revision=revision or None, local_files_only=True))
    except Exception:
        wanted = f"hf download {repository} --revision {revision}" if revision else f"hf download {repository}"
        raise OptionError(
            f"{option}: {name} is neither a folder nor a model that is here already, and nothing is fetched unasked: "
            f"{how_to_get or wanted}"
        ) from None
    return ModelFiles(repository, found, found.name)


def _hash_of(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.suffix in _READ and path.is_file())
    return _content_hash(tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=64)
def _content_hash(files: tuple[tuple[str, int, int], ...]) -> str:
    content = sha256()
    for path, size, _ in files:
        content.update(f"{Path(path).name}\0{size}\0".encode())
        with open(path, "rb") as stream:
            while part := stream.read(_AT_ONCE):
                content.update(part)
    return content.hexdigest()
