"""Requests to an endpoint that speaks OpenAI's chat protocol: patient with a busy server, plain about a wrong one."""

from __future__ import annotations

import json
import os
import re
import ssl
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recte._version import __version__
from recte.errors import InputError, OptionError
from recte.judges.budget import Budget, estimate_tokens, tokens_said
from recte.threads import call_within

__all__ = ["KEY_VARIABLE", "Endpoint", "Reply"]

KEY_VARIABLE = "RECTE_JUDGE_KEY"
_LOCK = threading.Lock()  # of all endpoints: held for a moment, and not theirs, so that they pickle
_MOST = 1 << 20  # bytes of an answer
_FIRST_WAIT = 1.0  # seconds
_LONGEST_WAIT = 60.0  # seconds that a server may ask us to wait
_TRY_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_BUSY = {429, 503, 529}  # who else asks should wait, too
_DISPENSABLE = re.compile(r"\b(response_format|temperature|seed)\b")  # what some servers or models do not know
_CALL = "/chat/completions"


@dataclass(frozen=True)
class Reply:
    """What the model wrote, and how many tokens that took; None where the server does not say."""

    content: str
    tokens: int | None


class _NoRedirect(HTTPRedirectHandler):
    """An endpoint that sends us elsewhere would get our key there."""

    def redirect_request(self, *ignored: Any, **too: Any) -> None:
        return None


@dataclass
class Endpoint:
    """`address` is that before `/chat/completions`; the key is read from `RECTE_JUDGE_KEY` and kept nowhere.

    An address without a path gets `/v1`. `tries` is how often a request is sent before giving up, `per_minute` how many
    are sent at most (0: no limit), `patience` the seconds to wait for an answer, `first_wait` those before the second
    try.
    """

    address: str
    model: str
    tries: int = 4
    per_minute: int = 0
    patience: float = 600.0  # models that think first take minutes, and who hangs up pays all the same
    first_wait: float = field(default_factory=lambda: _FIRST_WAIT)
    _next: float = field(default=0.0, repr=False)  # when the next request may be sent
    _without: frozenset[str] = field(default=frozenset(), repr=False)  # what it does not know

    def __post_init__(self) -> None:
        address = self.address.strip()
        try:
            parts = urlsplit(address)
            known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port that is none, brackets that stay open
            known = False
        if not known or not address.isprintable() or " " in address:
            raise OptionError(f"endpoint: expected an address such as http://localhost:8000/v1, got {self.address!r}")
        if parts.username or parts.password:
            raise OptionError(f"endpoint: expected an address without a password; the key belongs in {KEY_VARIABLE}")
        if parts.query or parts.fragment:
            raise OptionError(f"endpoint: expected an address without ? and #, such as http://{parts.netloc}/v1")
        path = parts.path.rstrip("/").removesuffix(_CALL).rstrip("/")
        self.address = f"{parts.scheme}://{parts.netloc}{path or '/v1'}"

    @property
    def host(self) -> str:
        """Who answers, for signatures: the address without anything private."""
        return urlsplit(self.address).netloc

    def ask(
        self,
        messages: Sequence[dict[str, str]],
        schema: dict[str, Any],
        stopped: threading.Event | None = None,
        budget: Budget | None = None,
    ) -> Reply:
        """The model's answer; `InputError` after the last try, or at once where trying again is no use.

        Once `stopped` is set, nobody waits or tries again. What every try takes goes on the `budget`, `OptionError`
        where that is too little.
        """
        stopped, budget = stopped or threading.Event(), budget or Budget()
        key, estimate = _key(), estimate_tokens(messages)
        attempt, seconds = 0, 0.0
        while True:
            if attempt:
                stopped.wait(min(max(seconds, self.first_wait * float(1 << min(attempt - 1, 10))), _LONGEST_WAIT))
            expected = budget.reserve(estimate, stopped)
            self._keep_pace(stopped)
            if stopped.is_set():
                budget.release(expected)
                raise InputError("stopped", self.host)
            without, seconds, used = self._without, 0.0, False
            try:
                reply = self._reply(self._post(messages, schema, without, key), key)
            except HTTPError as error:
                answer = _body(error)
                unknown = frozenset(_DISPENSABLE.findall(answer)) - without if error.code in (400, 422) else ()
                if unknown:
                    self._without |= unknown  # it gets on without, which costs no try
                    budget.release(expected)
                    continue
                if error.code not in _TRY_AGAIN:
                    budget.release(expected)
                    what = _short(f"{error.code} {error.reason}: {answer}", key)
                    raise InputError(f"answers {what}", self.host) from None
                seconds = _seconds(error.headers.get("Retry-After") or "")
                if seconds and error.code in _BUSY:
                    self._hold(seconds)
                last = f"{error.code} {error.reason}"
            except URLError as error:  # no connection
                if isinstance(error.reason, ssl.SSLError):
                    budget.release(expected)
                    raise InputError(f"no safe connection: {_short(str(error.reason), key)}", self.host) from None
                last = str(error.reason)
            except (OSError, HTTPException, ValueError) as error:  # none in time, half of one, or not the protocol's
                last, used = str(error) or type(error).__name__, True
            else:
                budget.settle(expected, estimate, reply.tokens)
                return reply
            if used:
                budget.settle(expected, estimate, None)
            else:
                budget.release(expected)
            attempt += 1
            if attempt == self.tries:
                tries = "1 try" if self.tries == 1 else f"{self.tries} tries"
                raise InputError(f"no answer after {tries}: {_short(last, key)}", self.host)

    def _hold(self, seconds: float) -> None:
        """Send nothing for some time, whoever asks."""
        with _LOCK:
            self._next = max(self._next, time.monotonic() + min(seconds, _LONGEST_WAIT))

    def _keep_pace(self, stopped: threading.Event) -> None:
        with _LOCK:
            now = time.monotonic()
            begin = max(now, self._next)
            if self.per_minute:
                self._next = begin + 60.0 / self.per_minute
        if begin > now:
            stopped.wait(begin - now)

    def _post(
        self, messages: Sequence[dict[str, str]], schema: dict[str, Any], without: Collection[str], key: str
    ) -> bytes:
        form = {"name": "judgment", "strict": True, "schema": schema}
        more = {
            "temperature": 0,
            "seed": 1,
            "response_format": {"type": "json_schema", "json_schema": form},
        }
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        body |= {name: value for name, value in more.items() if name not in without}
        headers = {"Content-Type": "application/json", "User-Agent": f"recte/{__version__}"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(f"{self.address}{_CALL}", json.dumps(body).encode(), headers)

        def read_answer() -> bytes:
            with build_opener(_NoRedirect).open(request, timeout=self.patience) as answer:
                content: bytes = answer.read(_MOST + 1)
            if len(content) > _MOST:
                raise ValueError("expected an answer of at most 1 MB, got more")
            return content

        return call_within(self.patience, read_answer)

    def _reply(self, body: bytes, key: str) -> Reply:
        try:
            answer = json.loads(body)
            content = answer["choices"][0]["message"]["content"]
            usage = answer.get("usage")
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            got = _short(body.decode("utf-8", "replace"), key) or "nothing"
            raise ValueError(f"expected a chat completion, got {got}") from None
        if not isinstance(content, str):
            raise ValueError("expected a text from the model, got none")
        return Reply(content, tokens_said(usage))


def _seconds(retry_after: str) -> float:
    """How long a server wants us to wait: it says seconds or a date; 0 where it says neither."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            when = parsedate_to_datetime(retry_after)
        except (ValueError, TypeError, IndexError):
            return 0.0
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else 0.0


def _body(error: HTTPError) -> str:
    """The beginning of what came with a refusal."""
    try:
        return error.read(2000).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""


def _key() -> str:
    """The key, which no message shows."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise OptionError(f"{KEY_VARIABLE}: expected a key of visible ASCII characters, got others among them")
    return key


def _short(text: str, key: str) -> str:
    """The beginning of what somebody said, who may have repeated our key."""
    return " ".join((text.replace(key, "(the key)") if key else text).split())[:120]
