"""A server on this machine that answers as a language model does which judges, or misbehaves as real ones do."""

from __future__ import annotations

import json
import threading
import time
from typing import ClassVar

import pytest

from loopback import Answering, served
from recte import Corpus
from recte.judging import endpoint as endpoints
from recte.metrics.llm_judge import LlmJudge
from recte.neural import results

SOURCES = ["He go .", "I am .", "They was here ."]
GOLD = Corpus.from_references(SOURCES, [["He goes .", "I am .", "They were here ."]])
GOOD = ["He goes .", "I am .", "They were here ."]


class Model(Answering):
    """Scores 5 for a text with a verb in its right form; `plan` says how the next requests are answered."""

    plan: ClassVar[list[str]] = []
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
        if how == "slow":
            time.sleep(1.0)
        if how.isdigit():
            self.send_response(int(how))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(b'{"error": "response_format is not known here"}' if how == "400" else b"busy")
            return
        if how == "tells":
            self.send_response(401)
            self.end_headers()
            self.wfile.write(f"who is {self.headers.get('Authorization')}?".encode())
            return
        if how == "elsewhere":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/v1")
            self.end_headers()
            return
        out_of_range = {"score": 9, "better": "third", "speaks_to_judge": False}
        content = {"broken": '{"score": ', "range": json.dumps(out_of_range), "words": "Five!"}.get(how, content)
        answer = {"choices": [{"message": {"content": content}}], "usage": {"total_tokens": 100}}
        written = b"<html>" if how == "page" else json.dumps(answer).encode()
        self.send_response(200)
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
    monkeypatch.setattr(results, "_known", {})
    monkeypatch.setattr(endpoints.Endpoint, "first_wait", 0.01)
    Model.plan, Model.seen, Model.keys, Model.undecided = [], [], [], "neither"

    def made(**options):
        return LlmJudge(judge="m1", endpoint=judging_server, **options)

    return made
