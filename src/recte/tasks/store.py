"""Test sets on disk: downloaded or taken from the user's files, checked, and stored completely or not at all."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recte._version import __version__
from recte.errors import InputError, OptionError
from recte.files import make_folder, write_together
from recte.formats.file_formats import gold_format, reference_format
from recte.tasks.catalogue import SetFile, TestSet, folder_of_sets, test_set_named
from recte.threads import call_within

__all__ = ["content_hash", "fetch", "get_test_set", "member_of", "stored_set_files", "test_set_files"]


def content_hash(content: bytes) -> str:
    r"""SHA-256 of a text file's content: line ends as on Unix, no empty lines at the end.

    An empty line at the beginning counts: in plain text it is a sentence.

    >>> content_hash(b"a\r\nb\r\n\r\n") == content_hash(b"a\nb")
    True
    """
    return hashlib.sha256(content.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()


def stored_set_files(test_set: TestSet) -> list[Path] | None:
    """The set's files in the user's folder, in the table's order; None where some are missing or have changed."""
    paths = [folder_of_sets() / test_set.name / file.name for file in test_set.files]
    whole = all(
        path.is_file() and _fits(path.read_bytes(), file) for path, file in zip(paths, test_set.files, strict=True)
    )
    return paths if whole else None


def _fits(content: bytes, file: SetFile) -> bool:
    return not file.sha256 or content_hash(content) == file.sha256


def test_set_files(name: str) -> list[Path]:
    """The files of a test set that is there; one line that says how to get it where it is not.

    >>> test_set_files("no-such-set")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recte.errors.OptionError: test set: expected one of conll14, ...
    """
    test_set = test_set_named(name)
    paths = stored_set_files(test_set)
    if paths is None:
        how = (
            f"recte data get {name}"
            if test_set.has_addresses
            else f"recte data get {name} --from FILE ({test_set.page})"
        )
        state = "is not whole any more" if (folder_of_sets() / name).is_dir() else "is not here yet"
        raise OptionError(f"test set {name} {state}; to get it: {how}")
    return paths


test_set_files.__test__ = False  # type: ignore[attr-defined]


def get_test_set(
    name: str, *, source: str | Path | None = None, say: Callable[[str], None] = lambda line: None
) -> list[Path]:
    """Fetch a test set from its owner, or take it from `source`, a file or a folder; check it and keep it.

    `say` is told what is fetched. What is fetched and does not match the stored hash is refused: nothing is kept of it.

    >>> get_test_set("bea19-dev")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recte.errors.OptionError: test set bea19-dev cannot be fetched: ask for it at ...
    """
    test_set = test_set_named(name)
    if source is None and not test_set.has_addresses:
        raise OptionError(
            f"test set {name} cannot be fetched: ask for it at {test_set.page}, then: recte data get {name} --from FILE"
        )
    downloads: dict[str, bytes] = {}  # an archive may hold several of the files
    contents: dict[str | Path, bytes] = {}
    for file in test_set.files:
        if source is not None:
            content, origin = _read_source(file, test_set, Path(source))
        else:
            origin = file.address
            if origin not in downloads:
                say(f"fetching {origin}")
                downloads[origin] = fetch(origin)
            content = downloads[origin]
            if file.member:
                content = member_of(content, file.member, origin)
        _check(content, file, test_set, origin)
        contents[folder_of_sets() / name / file.name] = content
    if not all(file.sha256 for file in test_set.files):
        _check_readable(test_set, list(contents.values()), str(source or test_set.files[0].address))
    folder = folder_of_sets() / name
    make_folder(folder)
    write_together({path: [content] for path, content in contents.items()})
    return [Path(path) for path in contents]


def _read_source(file: SetFile, test_set: TestSet, source: Path) -> tuple[bytes, str]:
    path = source / file.name if source.is_dir() else source
    if len(test_set.files) > 1 and not source.is_dir():
        names = ", ".join(listed.name for listed in test_set.files)
        raise OptionError(f"--from: expected a folder with {names}, got {source}")
    try:
        return path.read_bytes(), str(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None


def _check(content: bytes, file: SetFile, test_set: TestSet, origin: str) -> None:
    if not content.strip():
        raise InputError("expected a test set, got an empty file", origin)
    if content.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(f"{file.name}: expected a test set, got a web page; nothing was kept", origin)
    got = _sentence_count(content, file)
    if not file.sha256 and test_set.sentences and got != test_set.sentences:
        raise InputError(
            f"{file.name}: expected {test_set.sentences:,} sentences, got {got:,}; nothing was kept", origin
        )
    if not _fits(content, file):
        hashes = f"sha256 {file.sha256[:16]}…, got {content_hash(content)[:16]}…"
        raise InputError(
            f"{file.name}: expected content with {hashes}: it has changed, or is another file; nothing was kept", origin
        )


def _check_readable(test_set: TestSet, contents: list[bytes], origin: str) -> None:
    """Read the set as it will be read: without a hash, anything else could pass for it."""
    with tempfile.TemporaryDirectory(prefix="recte-") as folder:
        paths = [Path(folder, file.name) for file in test_set.files]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        try:
            for _ in _sentences(*paths):
                pass
        except InputError as error:
            place = f"{Path(error.file).name}: " if error.file else ""
            line = f"line {error.line}: " if error.line else ""
            raise InputError(f"{place}{line}{error.message}; nothing was kept", origin) from None


def _sentences(first: Path, *references: Path) -> Iterator[object]:
    if references:
        read_references = reference_format(references).read_references
        assert read_references is not None, "a format is chosen among those that can read them"
        return read_references(first, references)
    read_gold = gold_format(first).read_gold
    assert read_gold is not None, "a format is chosen among those that can read it"
    return read_gold(first, False)


def _sentence_count(content: bytes, file: SetFile) -> int:
    """How many sentences a file seems to have: the `S` lines of M2, else its lines."""
    lines = content.splitlines()
    return sum(line == b"S" or line.startswith(b"S ") for line in lines) if file.name.endswith(".m2") else len(lines)


_MOST = 1 << 28  # bytes of a file or of an archive's member: no test set comes near it
_WEB = ("http://", "https://")
_PATIENCE = 60.0  # seconds without a byte
_LONGEST = 1800.0  # seconds for a whole file
# What readers of archives raise; NotImplementedError, a RuntimeError, is a zip's method that nobody knows.
_DAMAGES = (
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    RuntimeError,
    ValueError,
)


class _WebAlone(HTTPRedirectHandler):
    """Follows no redirection that leads out of the web: urllib would go on by ftp."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        if not newurl.startswith(_WEB):
            raise URLError(f"it leads to {newurl!r}, which is no address of the web")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(address: str) -> bytes:
    """The content at an address. Nothing but http and https is asked."""
    if not address.startswith(_WEB):
        raise InputError(f"expected an address that begins with http:// or https://, got {address!r}")
    try:
        request = Request(address, headers={"User-Agent": f"recte/{__version__}"})
        content, promised = call_within(_LONGEST, partial(_read, request))
    except HTTPError as error:
        raise InputError(f"cannot be fetched: the server answers {error.code} {error.reason}", address) from None
    except (URLError, OSError, HTTPException, ValueError) as error:
        raise InputError(f"cannot be fetched: {getattr(error, 'reason', None) or error}", address) from None
    if len(content) > _MOST:
        raise InputError(f"expected at most {_MOST >> 20} MB, got more", address)
    if promised is not None and promised.isdigit() and len(content) != int(promised):
        raise InputError(f"broke off: expected {int(promised):,} bytes, got {len(content):,}", address)
    return content


def _read(request: Request) -> tuple[bytes, str | None]:
    """What a server sends, and how many bytes it promised."""
    with build_opener(_WebAlone).open(request, timeout=_PATIENCE) as answer:
        return answer.read(_MOST + 1), answer.headers.get("Content-Length")


def member_of(archive: bytes, member: str, address: str) -> bytes:
    """One file of a tar or zip archive; nothing is unpacked to disk."""
    try:
        if zipfile.is_zipfile(io.BytesIO(archive)):
            with zipfile.ZipFile(io.BytesIO(archive)) as zipped, zipped.open(member) as stream:
                content = stream.read(_MOST + 1)
        else:
            with tarfile.open(fileobj=io.BytesIO(archive), mode="r:*") as tarred:
                member_stream = tarred.extractfile(member)
                if member_stream is None:
                    raise KeyError(member)
                content = member_stream.read(_MOST + 1)
                _read_to_end(tarred.fileobj)
    except KeyError:
        raise InputError(f"expected the file {member} in the archive, got none", address) from None
    except _DAMAGES as error:
        # tarfile's own message has a line for each method that it tried.
        what = "" if isinstance(error, tarfile.ReadError) else f" ({' '.join(str(error).split())})"
        raise InputError(
            f"expected a tar or zip archive, got something else or a damaged one{what}: download it again", address
        ) from None
    if len(content) > _MOST:
        raise InputError(f"{member}: expected at most {_MOST >> 20} MB, got more", address)
    return content


def _read_to_end(stream: Any) -> None:
    """Read what follows the file: a damaged archive shows itself at its end, where its checksum stands."""
    for _ in range(_MOST >> 20):
        if not stream.read(1 << 20):
            return
