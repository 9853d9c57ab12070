"""Programs of tools/frozen_outputs.py: each prints what the Python API offers. They use public names only.

python tools/frozen_programs.py api-names
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import types
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import recte


def print_names() -> None:
    """Print every public name with its parameters, and the public members of classes."""
    print("NAMESPACES", *recte.NAMESPACES)
    spaces = {"recte": recte, **{f"recte.{name}": getattr(recte, name) for name in sorted(recte.NAMESPACES)}}
    for space, module in spaces.items():
        for name in sorted(dir(module)):
            if not name.startswith("_"):
                value = getattr(module, name)
                members = (
                    [item for item in sorted(dir(value)) if not item.startswith("_")] if inspect.isclass(value) else []
                )
                print(f"{space}.{name}", describe_value(value), *members)


def describe_value(value: Any) -> str:
    """The parameters of what can be called, without types; else what it is."""
    if isinstance(value, types.ModuleType):
        return "namespace"
    if not callable(value):
        return type(value).__name__
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:
        return "no parameters known"
    return f"({', '.join(str(item.replace(annotation=inspect.Parameter.empty)) for item in parameters)})"


def print_metrics() -> None:
    """Print every metric with its default options, and the signature of its counts."""
    gold = recte.read_m2("sample/gold.m2")
    wren = recte.read_system("sample/systems/wren.txt")
    for name in recte.metrics.metric_names():
        metric = recte.metrics.metric_class(name)()
        print(name, metric)
        try:
            counts = metric.prepare(gold).count(wren)
        except recte.RecteError as error:
            print(" ", type(error).__name__, error)
        else:
            print(" ", metric.signature(counts), counts.rows.shape, counts.rows.dtype, counts.columns)


def print_fingerprints() -> None:
    """Print the fingerprints of gold and counts, and whether objects can be pickled."""
    gold = recte.read_m2("sample/gold.m2")
    texts = recte.read_parallel("given/source.txt", ["given/reference0.txt", "given/reference1.txt"])
    chinese = recte.formats.read_para("sample/chinese/gold.para")
    for corpus in (gold, gold[5:9], texts, chinese):
        print(corpus.fingerprint, *corpus.fingerprints.tolist())
    counts = recte.MaxMatch().prepare(gold).count(recte.read_system("sample/systems/wren.txt"))
    print(*counts.fingerprints.tolist(), hashlib.sha256(counts.rows.tobytes()).hexdigest())
    for value in (gold, counts, recte.MaxMatch(beta=1.0), recte.score(gold, "sample/systems/wren.txt")):
        again = pickle.loads(pickle.dumps(value))
        print(type(again).__name__, type(again).__module__.partition(".")[0])


def print_scores() -> None:
    """Print results of the functions that the documentation shows first, and messages of wrong calls."""
    gold = recte.read_m2("sample/gold.m2")
    systems = [recte.read_system(f"sample/systems/{name}.txt") for name in ("heron", "magpie", "wren")]
    print(recte.score(gold, systems[0], beta=1.0))
    print(recte.score(["He go ."], ["He goes ."], references=[["He goes ."], ["He went ."]], metric="gleu"))
    scorer = recte.MaxMatch(beta=0.5).prepare(gold[:2])
    second = ["We stayed .", "We stayed there for two weeks ."]
    print(scorer.candidate_scores([["Last summer I went to Lisbon with my family ."], second]))
    print(scorer.sentence_scores(["Last summer I went to Lisbon .", "We stayed there for two weeks ."]))
    scorer = recte.MaxMatch().prepare(gold)
    print(scorer.score(systems[2], sentences=True).sentences[6])
    for edit in scorer.judged_edits(systems[2].outputs)[6]["0"]:
        print(edit.verdict, edit.start, edit.end, edit.original, edit.corrections, edit.type)
    results = recte.evaluate(gold, systems, [recte.MaxMatch(), recte.Gleu()])
    print(results.comparisons["m2"].systems, results.comparisons["gleu"].systems)
    counts = [scorer.count(system) for system in systems]
    print(recte.confidence_interval(counts[0]))
    print(recte.paired_test(counts[0], counts[2]))
    print(recte.compare_systems(counts))
    print(recte.explain(scorer, systems[2], 7))
    judgments = recte.formats.read_judgments("sample/judgments.tsv")
    print(recte.human.rank_systems(judgments, method="expected-trueskill", resamples=20).systems)
    print(recte.human.summarise(judgments))
    print(recte.papers.reproduce("reassessment-2018", "table4"))
    for wrong in ({"beta": -1.0}, {"beta": "x"}, {"nonsense": 1}, {"metric": "bleo"}):
        try:
            recte.score(gold, systems[0], **wrong)
        except (recte.RecteError, TypeError) as error:
            print(type(error).__name__, error)
    try:
        recte.read_m2("given/bad-number.m2")
    except recte.InputError as error:
        print(error, error.file, error.line)


def print_entry_points() -> None:
    """Print recte's own entry points, and use a metric that another package offers by one."""
    for point in sorted(distribution("recte").entry_points):
        print(point.group, point.name, point.value)
    sys.path.insert(0, "given/plugin")
    print(recte.score("sample/gold.m2", "sample/systems/wren.txt", metric="kept"))
    print("kept" in recte.metrics.metric_names(), recte.metrics.metric_class("kept"))
    run_recte(["score", "sample/gold.m2", "sample/systems/wren.txt", "-m", "kept"], {"PYTHONPATH": "given/plugin"})


def run_recte(words: list[str], variables: dict[str, str]) -> None:
    """Run a command with more variables in its environment, and print what it prints."""
    command = [sys.executable, "-m", "recte", *words]
    ran = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, encoding="utf-8", check=False)
    print("$ recte", *words)
    print(f"exit code {ran.returncode}", ran.stdout, ran.stderr, sep="\n")


class Judge(BaseHTTPRequestHandler):
    """Answers like a language model that judges, whatever address is asked for; the answer depends on the texts."""

    asked: list[bytes] = []  # noqa: RUF012

    def do_POST(self) -> None:
        """Answer one request."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Judge.asked.append(body)
        content = json.loads(json.loads(body)["messages"][1]["content"])
        if "first" in content:
            first, second = str(content["first"]), str(content["second"])
            said: dict[str, Any] = {"better": "first" if (len(first), first) < (len(second), second) else "second"}
        else:
            said = {"score": 1 + len(body) % 5}
        message = {"content": json.dumps({**said, "speaks_to_judge": False})}
        answer = {"choices": [{"message": message}], "usage": {"total_tokens": 100}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def print_judge_cache() -> None:
    """Print scores by a judge, a hash of what it was asked, and the keys in the cache.

    Answers of judges cost money, so a key must never change. Keys hold the judge's address: it is one that does not
    exist, and the server here is its proxy.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), Judge)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cache = Path(os.environ["XDG_CACHE_HOME"], "judge")
    proxy = f"http://127.0.0.1:{server.server_address[1]}"
    variables = {"http_proxy": proxy, "no_proxy": "", "RECTE_NEURAL_CACHE": str(cache)}
    files = ["given/part-0/gold.m2", "given/part-0/wren.txt", "given/part-0/heron.txt"]
    options = ["--judge", "someone", "--endpoint", "http://judge.invalid/v1", "--requests-at-once", "1"]
    for words in (
        ["score", *files, "-m", "llm-judge", "-sl"],
        ["score", *files, "-m", "llm-judge", "-f", "json"],
        ["score", *files, "-m", "llm-judge", "--basis", "edits", "--criterion", "fluency"],
        ["explain", *files[:2], "-m", "llm-judge", "-n", "3"],
        ["judge", *files, "-o", "judged.tsv"],
    ):
        before = len(Judge.asked)
        run_recte([*words, *options], variables)
        asked = sorted(Judge.asked[before:])
        print(len(asked), "requests", hashlib.sha256(b"".join(asked)).hexdigest())
    server.shutdown()
    for file in sorted(cache.glob("*.sqlite")):
        with closing(sqlite3.connect(file)) as database:
            names = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            for (table,) in database.execute(names).fetchall():
                rows = sorted((row[0].hex(), repr(row[1:])) for row in database.execute(f"SELECT * FROM {table}"))
                print(file.name, table, len(rows), hashlib.sha256(repr(rows).encode()).hexdigest(), rows[:3])


# Each is an entry of this name.
PROGRAMS = {
    "api-names": print_names,
    "api-metrics": print_metrics,
    "api-fingerprints": print_fingerprints,
    "api-scores": print_scores,
    "api-entry-points": print_entry_points,
    "api-judge-cache": print_judge_cache,
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
