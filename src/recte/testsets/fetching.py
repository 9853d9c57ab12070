"""A file from its owner's address: whole, of bounded size, or one clear line."""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
import zlib
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recte._version import __version__
from recte.errors import InputError

__all__ = ["fetched", "member_of"]

_MOST = 1 << 28  # bytes of a file or of an archive's member: no test set comes near it
_WEB = ("http://", "https://")
_PATIENCE = 60.0  # seconds without a byte
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


def fetched(address: str) -> bytes:
    """The content at an address. Nothing but http and https is asked."""
    if not address.startswith(_WEB):
        raise InputError(f"expected an address that begins with http:// or https://, got {address!r}")
    try:
        request = Request(address, headers={"User-Agent": f"recte/{__version__}"})
        with build_opener(_WebAlone).open(request, timeout=_PATIENCE) as answer:
            content: bytes = answer.read(_MOST + 1)
            promised = answer.headers.get("Content-Length")
    except HTTPError as error:
        raise InputError(f"cannot be fetched: the server answers {error.code} {error.reason}", address) from None
    except (URLError, OSError, HTTPException, ValueError) as error:
        raise InputError(f"cannot be fetched: {getattr(error, 'reason', None) or error}", address) from None
    if len(content) > _MOST:
        raise InputError(f"expected at most {_MOST >> 20} MB, got more", address)
    if promised is not None and promised.isdigit() and len(content) != int(promised):
        raise InputError(f"broke off: expected {int(promised):,} bytes, got {len(content):,}", address)
    return content


def member_of(archive: bytes, member: str, address: str) -> bytes:
    """One file of a tar or zip archive; nothing is unpacked to disk."""
    try:
        if zipfile.is_zipfile(io.BytesIO(archive)):
            with zipfile.ZipFile(io.BytesIO(archive)) as zipped, zipped.open(member) as stream:
                content = stream.read(_MOST + 1)
        else:
            with tarfile.open(fileobj=io.BytesIO(archive), mode="r:*") as tarred:
                found = tarred.extractfile(member)
                if found is None:
                    raise KeyError(member)
                content = found.read(_MOST + 1)
                _read_to_end(tarred.fileobj)
    except KeyError:
        raise InputError(f"expected the file {member} in the archive, got none", address) from None
    except _DAMAGES as error:
        # tarfile's own message has a line for each method that it tried.
        what = "" if isinstance(error, tarfile.ReadError) else f" ({' '.join(str(error).split())})"
        raise InputError(f"expected a tar or zip archive, got something else or a damaged one{what}", address) from None
    if len(content) > _MOST:
        raise InputError(f"{member}: expected at most {_MOST >> 20} MB, got more", address)
    return content


def _read_to_end(stream: Any) -> None:
    """Read what follows the file: a damaged archive shows itself at its end, where its checksum stands."""
    for _ in range(_MOST >> 20):
        if not stream.read(1 << 20):
            return
