"""A store of objects and a web server on this machine; both hold what a folder holds."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

BUCKET = "corpus"


@contextmanager
def object_store() -> Iterator[str]:
    """The address of an empty bucket; s3fs finds it in this process and in those that it starts."""
    server = pytest.importorskip("moto.server", reason="needs moto[s3,server], of the development extra")
    pytest.importorskip("s3fs", reason="needs s3fs, of the development extra")
    from fsspec.core import url_to_fs

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    store = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    host, port = store.get_host_and_port()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            environment.setenv(name, "any")
        file_system, _ = url_to_fs("s3://", skip_instance_cache=True)
        file_system.mkdir(BUCKET)
        try:
            yield f"s3://{BUCKET}"
        finally:
            store.stop()


def upload(folder: Path, address: str) -> None:
    """Every file of a folder, under the same name at the address."""
    from recte.remote_files import write_file

    for path in folder.rglob("*"):
        if path.is_file():
            write_file(f"{address}/{path.relative_to(folder)}", path.read_bytes())


class _Handler(SimpleHTTPRequestHandler):
    """Sends files whole, whatever range is asked for, as many servers do."""

    def log_message(self, *ignored: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, *ignored: object) -> None:
        """A client that wants no more of a file closes the connection."""


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    pytest.importorskip("aiohttp", reason="needs aiohttp, of the development extra")
    server = _Server(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
