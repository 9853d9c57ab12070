"""Servers that are slow, endless, broken, elsewhere or not who they say they are: one line, and no key lost."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import ThreadingHTTPServer

import pytest

from judging_model import GOLD, GOOD, Model
from loopback import Answering, served
from recte import Corpus, InputError, OptionError
from recte.judges import endpoint as endpoints
from recte.judges.endpoint import Endpoint
from recte.metrics.llm_judge import LlmJudge

MANY = [f"They were here {number} ." for number in range(12)]
CORPUS = Corpus.from_references(MANY, [MANY])


@pytest.fixture(autouse=True)
def models():
    """No stub stands for the judge here."""


def completion(content):
    return json.dumps({"choices": [{"message": {"content": content}}], "usage": {"total_tokens": 100}}).encode()


def raw(written, *, close=True):
    """Bytes as they are, instead of a reply."""

    def answer(model, content):
        model.wfile.write(written(content) if callable(written) else written)
        model.wfile.flush()
        model.close_connection = close

    return answer


def chunked(content):
    body = completion(content)
    parts = [body[begin : begin + 7] for begin in range(0, len(body), 7)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"


def endless(model, content):
    model.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    try:
        for _ in range(10_000):
            model.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
    except OSError:
        Model.hung_up.set()


def dripping(model, content, head=b"HTTP/1.1 200 OK\r\n\r\n"):
    model.wfile.write(head)
    try:
        for _ in range(200):
            model.wfile.write(b" ")
            model.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass


Model.hung_up = threading.Event()


def test_a_reply_in_chunks_is_read(judge):
    Model.plan = [raw(chunked)] * 3
    assert judge().score(GOLD, GOOD).points == 5.0
    assert len(Model.seen) == 3


def test_an_endless_reply_is_cut(judge):
    Model.hung_up.clear()
    Model.plan = [endless] * 4
    with pytest.raises(InputError, match="no answer after 4 tries: expected an answer of at most 1 MB, got more"):
        judge(requests_at_once=1).score(GOLD, GOOD)
    assert Model.hung_up.wait(20)  # we did not read on


def dripping_head(model, content):
    """No end of its first line: a limit for each read never ends this."""
    dripping(model, content, b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("reply", [dripping, dripping_head])
def test_a_reply_that_drips_is_given_up(judge, reply):
    Model.plan = [reply]
    endpoint = Endpoint(judge().endpoint, "m1", tries=1, patience=0.3)
    begun = time.monotonic()
    with pytest.raises(InputError, match="no answer after 1 try: timed out"):
        endpoint.ask([{"role": "user", "content": ""}, {"role": "user", "content": '{"corrected": ""}'}], {})
    assert time.monotonic() - begun < 8


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b"", "closed connection without response"),
        (b"nonsense\r\n\r\n", "nonsense"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", "expected a chat completion, got {"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", ""),
        (b"HTTP/1.1 204 No Content\r\n\r\n", "expected a chat completion, got nothing"),
        (b"HTTP/1.1 200 OK\r\n\r\n\xff\xfe\x00", "expected a chat completion"),
        (b'HTTP/1.1 200 OK\r\n\r\n{"error": {"message": "quota"}}', "quota"),
        (b'HTTP/1.1 200 OK\r\n\r\n{"choices": []}', "expected a chat completion"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000, "expected a chat completion"),
        (b"HTTP/1.1 503 " + b"x" * 200 + b"\x1b[31m\r\n\r\n", "503 xxx"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n", "headers"),
    ],
)
def test_a_broken_reply_is_repeated_then_told(judge, written, message):
    Model.plan = [raw(written)]
    assert judge(requests_at_once=1).score(GOLD, GOOD).points == 5.0
    assert len(Model.seen) == 4
    Model.plan = [raw(written)] * 40
    with pytest.raises(InputError, match="no answer after 2 tries") as caught:
        judge(request_tries=2, criterion="fluency").score(GOLD, GOOD)
    assert message in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


class Elsewhere(Answering):
    """Another host, which should never hear from us."""

    visited = []  # noqa: RUF012

    def do_POST(self):
        Elsewhere.visited.append(self.headers.get("Authorization"))
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(judge, monkeypatch, code):
    monkeypatch.setenv(endpoints.KEY_VARIABLE, "secret-key")
    Elsewhere.visited = []
    with served(Elsewhere) as other:
        Model.plan = [lambda model, content: model.write(b"moved", code, Location=f"{other}/v1/chat/completions")] * 9
        with pytest.raises(InputError, match=rf"answers {code} [\w ]+: moved"):
            judge().score(GOLD, GOOD)
    assert Elsewhere.visited == []


def test_a_reason_with_the_key_is_not_shown(judge, monkeypatch):
    monkeypatch.setenv(endpoints.KEY_VARIABLE, "secret-key")
    Model.plan = [raw(b"HTTP/1.1 403 no secret-key here\r\n\r\nsecret-key")] * 9
    with pytest.raises(InputError, match=r"answers 403 no \(the key\) here: \(the key\)"):
        judge().score(GOLD, GOOD)


@pytest.mark.parametrize(
    "address", ["{0}", "{0}/", "{0}/v1", "{0}/v1/", "{0}/v1//", "{0}/v1/chat/completions", " {0}/v1 "]
)
def test_an_endpoint_may_be_written_in_many_ways(judge, judging_server, address):
    """And is one endpoint: the cache knows it by one name."""
    host = judging_server.removesuffix("/v1")
    metric = LlmJudge(judge="m1", endpoint=address.format(host))
    assert metric.asked_endpoint.address == judging_server
    assert metric.judge_of().key == judge().judge_of().key
    assert metric.score(GOLD, GOOD).points == 5.0


def test_other_paths_stay_as_they_are():
    assert Endpoint("https://host/api/openai/", "m").address == "https://host/api/openai"
    assert Endpoint("https://host/v1beta/openai/chat/completions/", "m").address == "https://host/v1beta/openai"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "host",
        "host:80/v1",
        "ftp://host",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://host:99999",
        "http://a b",
    ],
)
def test_what_is_no_address_is_said_at_once(address):
    with pytest.raises(OptionError, match="endpoint: expected an address such as http://localhost:8000/v1, got"):
        Endpoint(address, "m")


def test_nobody_there_is_one_line(judge):
    with served(Answering) as gone:
        pass
    with pytest.raises(InputError, match=r"no answer after 2 tries: \[Errno \d+\] Connection refused"):
        LlmJudge(judge="m", endpoint=gone, request_tries=2).score(GOLD, GOOD)


def certificate(folder, name):
    """A certificate that somebody made for themselves."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    command += ["-addext", f"subjectAltName=DNS:{name}", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


@contextmanager
def served_safely(certificate, key):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.handle_error = lambda *ignored: None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_server_that_cannot_prove_who_it_is_gets_no_key(judge, tmp_path, monkeypatch):
    monkeypatch.setenv(endpoints.KEY_VARIABLE, "secret-key")
    cert, key = certificate(tmp_path, "localhost")
    with served_safely(cert, key) as port:
        for trusted, host, message in (
            (False, "localhost", "no safe connection: .*self.signed certificate"),
            (True, "127.0.0.1", "no safe connection: .*(mismatch|not valid for)"),
        ):
            if trusted:
                monkeypatch.setenv("SSL_CERT_FILE", str(cert))
            with pytest.raises(InputError, match=message):
                LlmJudge(judge="m1", endpoint=f"https://{host}:{port}/v1", requests_at_once=1).score(GOLD, GOOD)
        assert Model.keys == []
        assert LlmJudge(judge="m1", endpoint=f"https://localhost:{port}/v1").score(GOLD, GOOD).points == 5.0
        assert set(Model.keys) == {"Bearer secret-key"}


def test_a_server_without_tls_is_one_line_at_once(judge, judging_server):
    address = judging_server.replace("http:", "https:")
    with pytest.raises(InputError, match=r"^127\.0\.0\.1:\d+: no safe connection: "):
        LlmJudge(judge="m1", endpoint=address, requests_at_once=1).score(GOLD, GOOD)


def arrivals(*plan):
    """A plan that notes when each request came, and then what to do."""
    times = []

    def noted(how):
        def answer(model, content):
            times.append(time.monotonic())
            how(model, content)

        return answer

    Model.plan = [noted(how) for how in plan]
    return times


def well(model, content):
    model.reply(content, {"total_tokens": 100})


@pytest.mark.parametrize("form", ["seconds", "decimals", "date", "date without a zone"])
def test_whoever_says_when_to_come_again_is_obeyed(judge, form):
    def later(model, content):
        # A date has whole seconds: two of them are more than one.
        when = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
        wanted = {"seconds": "1", "decimals": "1.0", "date": when, "date without a zone": when.replace("GMT", "-0000")}
        model.write(b"busy", 429, Retry_After=wanted[form])

    times = arrivals(later, *[well] * 3)
    assert judge(requests_at_once=1).score(GOLD, GOOD).points == 5.0
    assert 0.95 <= times[1] - times[0] < 10


def test_a_busy_server_is_left_alone_by_all_who_ask(judge):
    """The others, too, wait as long as one of them was told."""

    def busy(model, content):
        model.write(b"busy", 429, Retry_After="1")

    times = arrivals(busy, *[well] * 20)
    judge(requests_at_once=2).score(CORPUS, MANY)
    begun = sorted(times)
    assert len(begun) == 13
    assert sum(when < begun[0] + 0.9 for when in begun) <= 5  # those that were on their way already


@pytest.mark.parametrize("wanted", ["soon", "-5", "nan", "inf", "1e400", "Wed, 99 Foo 2026", "", "0"])
def test_a_time_that_is_none_is_passed_over(judge, wanted):
    Model.plan = [lambda model, content: model.write(b"busy", 429, Retry_After=wanted)]
    assert judge(requests_at_once=1).score(GOLD, GOOD).points == 5.0


def test_the_pace_is_kept_by_all_who_ask_at_once(judge):
    times = arrivals(*[well] * 12)
    judge(requests_at_once=6, requests_per_minute=1200).score(CORPUS, MANY)
    begun = sorted(times)
    assert begun[-1] - begun[0] >= 11 * 0.05 - 0.04
    assert len(times) == 12


def test_parts_of_a_corpus_keep_one_pace(judge):
    times = arrivals(*[well] * 12)
    metric = judge(requests_at_once=1, requests_per_minute=1200)
    for place in range(0, 12, 2):
        metric.prepare(CORPUS[place : place + 2]).score(MANY[place : place + 2])
    assert times[-1] - times[0] >= 11 * 0.05 - 0.04


def test_what_a_model_does_not_know_is_left_out(judge):
    """Models that think first refuse a temperature; small servers know no schemas and no seed."""

    def refused(name):
        return lambda model, content: model.write(f'{{"error": "Unsupported: {name!r}"}}'.encode(), 400)

    Model.plan = [refused("temperature"), refused("response_format"), refused("seed")]
    metric = judge(requests_at_once=1, request_tries=1)
    assert metric.score(GOLD, GOOD).points == 5.0
    asked = [{"temperature", "seed", "response_format"} & set(item) for item in Model.seen]
    assert asked == [{"temperature", "seed", "response_format"}, {"seed", "response_format"}, {"seed"}, *[set()] * 3]
    Model.plan = [refused("seed")] * 9
    with pytest.raises(InputError, match=r"answers 400 Bad Request: .*Unsupported: 'seed'"):
        metric.score(CORPUS, MANY)


def test_a_failure_sends_nobody_else(judge):
    """Requests that waited for their turn are not sent all at once when one has failed."""
    Model.plan = ["401"] + ["well"] * 20
    with pytest.raises(InputError, match="401"):
        judge(requests_at_once=8, requests_per_minute=20).score(CORPUS, MANY)
    time.sleep(0.2)
    assert len(Model.seen) == 1
