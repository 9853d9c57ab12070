"""Servers on this machine that stand in for others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Answering(BaseHTTPRequestHandler):
    """Answers without a line in the log."""

    def log_message(self, *ignored):
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 256  # connections that wait to be taken; beyond them, a busy machine resets some


@contextmanager
def served(handler: type[Answering]) -> Iterator[str]:
    """The address of a server that answers as the handler does, for as long as it is needed."""
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
