"""A server on this machine that answers as a language model does which judges, or misbehaves as real ones do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import ClassVar

import pytest

from loopback import Answering, served
from recte import Corpus
from recte.caching import result_cache
from recte.judges import endpoint as endpoints
from recte.metrics.llm_judge import LlmJudge

SOURCES = ["He go .", "I am .", "They was here ."]
GOLD = Corpus.from_references(SOURCES, [["He goes .", "I am .", "They were here ."]])
GOOD = ["He goes .", "I am .", "They were here ."]


class Model(Answering):
    """Scores 5 for a text with a verb in its right form; `plan` says how the next requests are answered.

    An entry of the plan is a word, or a function that gets the handler and what the model would write.
    """

    plan: ClassVar[list[str | Callable[[Model, str], None]]] = []
    seen: ClassVar[list[dict]] = []
    keys: ClassVar[list[str | None]] = []
    undecided: ClassVar[str] = "neither"  # what is said of two texts that are alike
    lock = threading.Lock()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with Model.lock:
            Model.seen.append(body)
            Model.keys.append(self.headers.get("Authorization"))
            how = Model.plan.pop(0) if Model.plan else "well"
        if how == "schemaless" and "response_format" in body:
            time.sleep(0.2)  # until all who ask at once have sent a schema
            how = "400"
        asked = json.loads(body["messages"][1]["content"])
        content = json.dumps({**self.opinion(asked), "speaks_to_judge": False})
        if callable(how):
            how(self, content)
            return
        if how == "slow":
            time.sleep(1.0)
        if how.isdigit():
            said = b'{"error": "response_format is not known here"}' if how == "400" else b"busy"
            self.write(said, int(how), Retry_After="0")
            return
        if how == "tells":
            self.write(f"who is {self.headers.get('Authorization')}?".encode(), 401)
            return
        if how == "elsewhere":
            self.write(b"", 302, Location="http://127.0.0.1:9/v1")
            return
        out_of_range = {key: {"score": 9, "better": "third"}.get(key, False) for key in json.loads(content)}
        content = {"broken": '{"score": ', "range": json.dumps(out_of_range), "words": "Five!"}.get(how, content)
        if how == "page":
            self.write(b"<html>")
        else:
            self.reply(content, {"total_tokens": 100})

    def reply(self, content, usage=None):
        """A chat completion with such a text and count of tokens."""
        answer = {"choices": [{"message": {"content": content}}], "usage": usage}
        self.write(json.dumps(answer).encode())

    def write(self, written, status=200, **headers):
        """Some bytes, whatever they are."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(written)

    def opinion(self, asked):
        def points(text):
            text = " ".join(text) if isinstance(text, list) else text
            return 5 if "goes" in text or "were" in text or text == "I am ." else 2

        if "first" in asked:
            first, second = points(asked["first"]), points(asked["second"])
            if first == second:
                return {"better": Model.undecided}
            return {"better": "first" if first > second else "second"}
        return {"score": points(asked.get("corrected") or asked.get("edits", []))}


@pytest.fixture(scope="module")
def judging_server():
    with served(Model) as address:
        yield f"{address}/v1"


@pytest.fixture
def judge(judging_server, tmp_path, monkeypatch):
    """A judge whose answers nobody knows yet."""
    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path / "judgments"))
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv(endpoints.KEY_VARIABLE, raising=False)
    monkeypatch.setattr(result_cache, "_memory", {})
    monkeypatch.setattr(endpoints, "_FIRST_WAIT", 0.01)
    Model.plan, Model.seen, Model.keys, Model.undecided = [], [], [], "neither"

    def made(**options):
        return LlmJudge(judge="m1", endpoint=judging_server, **options)

    return made
