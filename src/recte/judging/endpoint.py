"""Requests to an endpoint that speaks OpenAI's chat protocol: patient with a busy server, plain about a wrong one."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recte._version import __version__
from recte.errors import InputError, OptionError

__all__ = ["KEY_VARIABLE", "Endpoint", "Reply"]

KEY_VARIABLE = "RECTE_JUDGE_KEY"
_LOCK = threading.Lock()  # of all endpoints: held for a moment, and not theirs, so that they pickle
_MOST = 1 << 20  # bytes of an answer
_LONGEST_WAIT = 60.0  # seconds that a server may ask us to wait
_TRY_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}


@dataclass(frozen=True)
class Reply:
    """What the model wrote, and how many tokens that took."""

    content: str
    tokens: int


class _NoRedirect(HTTPRedirectHandler):
    """An endpoint that sends us elsewhere would get our key there."""

    def redirect_request(self, *ignored: Any, **too: Any) -> None:
        return None


@dataclass
class Endpoint:
    """`address` is that before `/chat/completions`; the key is read from `RECTE_JUDGE_KEY` and kept nowhere.

    `tries` is how often a request is sent before giving up, `per_minute` how many are sent at most (0: no limit),
    `patience` the seconds to wait for an answer, `first_wait` those before the second try.
    """

    address: str
    model: str
    tries: int = 4
    per_minute: int = 0
    patience: float = 120.0
    first_wait: float = 1.0
    _next: float = field(default=0.0, repr=False)
    _plain: bool = field(default=False, repr=False)  # it knows no schemas

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OptionError(f"endpoint: expected an address such as http://localhost:8000/v1, got {self.address!r}")
        if parts.username or parts.password:
            raise OptionError(f"endpoint: expected an address without a password; the key belongs in {KEY_VARIABLE}")
        if parts.query or parts.fragment:
            raise OptionError(f"endpoint: expected an address without ? and #, such as http://{self.host}/v1")

    @property
    def host(self) -> str:
        """Who answers, for signatures: the address without anything private."""
        return urlsplit(self.address).netloc

    def ask(
        self, messages: Sequence[dict[str, str]], schema: dict[str, Any], stopped: threading.Event | None = None
    ) -> Reply:
        """The model's answer; `InputError` after the last try, or at once where trying again is no use.

        Once `stopped` is set, nobody waits or tries again.
        """
        stopped = stopped or threading.Event()
        key = _key()
        attempt, wanted = 0, ""
        while True:
            if attempt and stopped.wait(self._wait(attempt, wanted)):
                raise InputError("stopped", self.host)
            self._keep_pace(stopped)
            plain, wanted = self._plain, ""
            try:
                return self._reply(self._post(messages, None if plain else schema, key), key)
            except HTTPError as error:
                said = error.read(2000).decode("utf-8", "replace")
                if error.code in (400, 422) and "response_format" in said and not plain:
                    self._plain = True  # it knows no schemas, which costs no try
                    continue
                wanted = error.headers.get("Retry-After") or ""
                if error.code not in _TRY_AGAIN:
                    what = f"answers {error.code} {error.reason}: {_short(said, key)}"
                    raise InputError(what, self.host) from None
                last = f"{error.code} {error.reason}"
            except (URLError, OSError, HTTPException) as error:
                last = str(getattr(error, "reason", None) or error)
            except ValueError as error:  # no JSON, or not the protocol's
                last = str(error)
            attempt += 1
            if attempt == self.tries:
                raise InputError(f"no answer after {self.tries} tries: {_short(last, key)}", self.host)

    def _wait(self, attempt: int, wanted: str) -> float:
        seconds = self.first_wait * float(1 << (attempt - 1))
        if wanted.isdigit():
            seconds = max(seconds, float(wanted))
        return min(seconds, _LONGEST_WAIT)

    def _keep_pace(self, stopped: threading.Event) -> None:
        if self.per_minute:
            with _LOCK:
                now = time.monotonic()
                begin = max(now, self._next)
                self._next = begin + 60.0 / self.per_minute
            stopped.wait(begin - now)

    def _post(self, messages: Sequence[dict[str, str]], schema: dict[str, Any] | None, key: str) -> bytes:
        body: dict[str, Any] = {"model": self.model, "messages": list(messages), "temperature": 0, "seed": 1}
        if schema is not None:
            form = {"name": "judgment", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        headers = {"Content-Type": "application/json", "User-Agent": f"recte/{__version__}"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(f"{self.address.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers)
        with build_opener(_NoRedirect).open(request, timeout=self.patience) as answer:
            content: bytes = answer.read(_MOST + 1)
        if len(content) > _MOST:
            raise ValueError("expected an answer of at most 1 MB, got more")
        return content

    def _reply(self, body: bytes, key: str) -> Reply:
        try:
            answer = json.loads(body)
            content = answer["choices"][0]["message"]["content"]
            used = answer.get("usage") or {}
            tokens = int(used.get("total_tokens") or 0)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise ValueError(
                f"expected a chat completion, got {_short(body.decode('utf-8', 'replace'), key)}"
            ) from None
        if not isinstance(content, str):
            raise ValueError("expected a text from the model, got none")
        return Reply(content, max(0, tokens))


def _key() -> str:
    """The key, which no message shows."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise OptionError(f"{KEY_VARIABLE}: expected a key of visible ASCII characters, got others among them")
    return key


def _short(text: str, key: str) -> str:
    """The beginning of what somebody said, who may have repeated our key."""
    return " ".join((text.replace(key, "(the key)") if key else text).split())[:120]
