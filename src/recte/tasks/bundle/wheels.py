"""The wheels that a scoring program carries: from a folder, or packed again from what is installed here.

recte and all it depends on go along, so that nothing is downloaded where a submission is scored. What is installed
serves if it was made for the image's Python; else the organiser fetches wheels once.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import io
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

from recte._version import __version__
from recte.errors import InputError
from recte.tasks.bundle.bundle_files import entry

__all__ = ["Wheel", "find_wheels", "is_installed", "pack_installed"]

_PLATFORM = "x86_64"  # what the platform's workers run on
_NEWEST_GLIBC = "manylinux_2_28_x86_64"  # that of every Python image since Debian 10
_NOT_PACKED = ("INSTALLER", "REQUESTED", "direct_url.json", "RECORD", "RECORD.jws", "RECORD.p7s")


@dataclass(frozen=True)
class Wheel:
    """A wheel as it goes into the scoring program; what it needs always, and what on some Pythons or systems."""

    file: str
    content: bytes
    requires: tuple[str, ...]
    may_require: tuple[str, ...] = ()

    @classmethod
    def of(cls, file: str, content: bytes, requirements: Iterable[str]) -> Wheel:
        """A wheel with what its metadata ask for; extras are nobody's."""
        asked = [
            (_plain_name(_requirement(requirement)), requirement.partition(";")[2]) for requirement in requirements
        ]
        always = tuple(name for name, condition in asked if not condition)
        sometimes = tuple(name for name, condition in asked if condition and "extra" not in condition)
        return cls(file, content, always, sometimes)


def find_wheels(python: str, packages: Iterable[str] = (), folder: str | Path | None = None) -> list[Wheel]:
    """recte, `packages` and all they need, for a Python such as 3.12; wheels in `folder` go first."""
    ready = _in_folder(folder, python) if folder is not None else {}
    wheels: dict[str, Wheel] = {}
    waiting = [(name, True) for name in ("recte", *map(_plain_name, packages))]
    for name, needed in waiting:  # grows while it is read
        if name in wheels:
            continue
        wheel = ready.get(name) or _find_installed(name, python)
        if wheel is None and needed:
            raise InputError(_missing(name, python))
        if wheel is not None:
            wheels[name] = wheel
            waiting += [
                *((requirement, True) for requirement in wheel.requires),
                *((requirement, False) for requirement in wheel.may_require),
            ]
    return list(wheels.values())


def _missing(name: str, python: str) -> str:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    how = f"fetch one with pip download --only-binary :all: --python-version {python} --platform {_NEWEST_GLIBC} "
    how += f"--dest wheels {name}"
    if name == "recte":  # no index has it
        how = f"make one of recte's source with Python {python} on Linux: pip wheel --wheel-dir wheels FOLDER"
    expected = f"expected a wheel for Python {python} on Linux, got none (this is Python {here})"
    return f"{name}: {expected}: {how}, then --wheels wheels"


def _in_folder(folder: str | Path, python: str) -> dict[str, Wheel]:
    """Wheels of a folder that fit the image's Python, by package."""
    if not Path(folder).is_dir():
        raise InputError("expected a folder with wheels, found none", str(folder))
    wheels = {}
    for path in sorted(Path(folder).glob("*.whl")):
        parts = path.name.removesuffix(".whl").split("-")
        if len(parts) < 5 or not fits("-".join(parts[-3:]), python):
            continue
        name = _plain_name(parts[0])
        if name == "recte" and parts[1] != __version__:
            raise InputError(f"expected recte {__version__}, which is installed here, got {parts[1]}", str(path))
        try:
            with zipfile.ZipFile(path) as opened:
                metadata = next(n for n in opened.namelist() if n.endswith(".dist-info/METADATA"))
                requires = HeaderParser().parsestr(opened.read(metadata).decode()).get_all("Requires-Dist") or ()
        except (zipfile.BadZipFile, StopIteration, UnicodeDecodeError):
            raise InputError("expected a wheel, got something else", str(path)) from None
        wheels[name] = Wheel.of(path.name, path.read_bytes(), requires)
    return wheels


def _find_installed(name: str, python: str) -> Wheel | None:
    """What is installed here as a wheel, where it can run in the image."""
    try:
        tag = _tag(importlib.metadata.distribution(name))
    except importlib.metadata.PackageNotFoundError:
        return None
    return pack_installed(name) if fits(tag, python) else None


def _tag(distribution: importlib.metadata.Distribution) -> str:
    """What the package runs on, as in the name of a wheel."""
    tags = HeaderParser().parsestr(distribution.read_text("WHEEL") or "").get_all("Tag") or ["py3-none-any"]
    pythons, abis, platforms = zip(*(tag.split("-") for tag in tags), strict=True)
    return "-".join(".".join(dict.fromkeys(part)) for part in (pythons, abis, platforms))


def pack_installed(name: str, *, compressed: bool = True) -> Wheel:
    """An installed package, packed again; of an editable recte, its sources and its compiled core."""
    distribution = importlib.metadata.distribution(name)
    files = dict(_own_files() if _plain_name(name) == "recte" else _iterate_files(distribution))
    packed_name = re.sub(r"[-_.]+", "_", distribution.metadata["Name"])
    stem = f"{packed_name}-{distribution.version}"
    for file in distribution.files or ():
        path = Path(str(file.locate()))
        if ".dist-info" in file.parts[0] and file.name not in _NOT_PACKED and path.is_file():
            files["/".join((f"{stem}.dist-info", *file.parts[1:]))] = path
    lines = []
    content = io.BytesIO()
    how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(content, "w", how, compresslevel=1) as archive:
        for inner, path in sorted(files.items()):
            data = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{inner},sha256={digest},{len(data)}\n")
            archive.writestr(entry(inner), data, how)
        record = f"{stem}.dist-info/RECORD"
        archive.writestr(entry(record), "".join([*lines, f"{record},,\n"]), how)
    return Wheel.of(f"{stem}-{_tag(distribution)}.whl", content.getvalue(), distribution.requires or ())


def is_installed(file: str, content: bytes) -> bool:
    """Whether every module of a wheel is the one installed here, so that running it runs nothing new."""
    name = _plain_name(Path(file).name.partition("-")[0])
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    installed = dict(_own_files() if name == "recte" else _iterate_files(distribution))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            names = [n for n in opened.namelist() if not n.endswith("/") and ".dist-info" not in n.split("/")[0]]
            return all(n in installed and opened.read(n) == installed[n].read_bytes() for n in names)
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def _own_files() -> Iterator[tuple[str, Path]]:
    """The files of recte by their places in a wheel; in an editable install the core is elsewhere than the sources."""
    import recte
    from recte import _kernels

    package = Path(recte.__file__).parent
    for path in package.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
            yield path.relative_to(package.parent).as_posix(), path
    core = Path(str(_kernels.__file__))
    yield f"recte/{core.name}", core


def _iterate_files(distribution: importlib.metadata.Distribution) -> Iterator[tuple[str, Path]]:
    for file in distribution.files or ():
        path = Path(str(file.locate()))
        if ".." in file.parts or "__pycache__" in file.parts or ".dist-info" in file.parts[0] or not path.is_file():
            continue
        yield file.as_posix(), path


def fits(tag: str, python: str) -> bool:
    """Whether a wheel of that tag runs on that Python, on Linux.

    >>> fits("cp312-abi3-manylinux_2_28_x86_64", "3.13"), fits("cp312-cp312-manylinux_2_28_x86_64", "3.13")
    (True, False)
    """
    pythons, abis, platforms = (part.split(".") for part in tag.split("-"))
    major, minor = map(int, python.split("."))
    own_tag = f"cp{major}{minor}"
    by_python = own_tag in pythons or "py3" in pythons or f"py{major}{minor}" in pythons
    if "abi3" in abis:
        by_python = any(p.startswith("cp3") and p[3:].isdecimal() and int(p[3:]) <= minor for p in pythons)
    by_platform = "any" in platforms or any("linux" in p and p.endswith(_PLATFORM) for p in platforms)
    return by_python and by_platform and ("none" in abis or "abi3" in abis or own_tag in abis)


def _requirement(text: str) -> str:
    return re.split(r"[\s<>=!~;\[(]", text.strip(), maxsplit=1)[0]


def _plain_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
