"""A finished score costs nothing the second time: no torch, no model, no reading of large files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from neural_models import checkpoint, golden_corpus, golden_system
from recte.caching import result_cache
from recte.cli import main
from recte.metrics.bertscore import BertScore
from recte.metrics.perplexity import Perplexity
from recte.models import machine, model_files
from recte.models.greedy_matching import GreedyMatching
from recte.models.machine import Machine
from recte.models.text_models import NamedModel
from recte.models.text_pairs import PieceSimilarity

pytest.importorskip("torch", reason="needs recte[neural]")


@pytest.fixture(autouse=True)
def _as_in_a_new_process():
    def forget():
        result_cache._memory.clear()
        machine._known.clear()
        machine._surroundings.cache_clear()
        model_files._content_hash.cache_clear()

    forget()
    yield
    forget()


def words() -> list[str]:
    """Every metric that asks models, each with its own, in one run."""
    actual = [
        "score",
        "gold.m2",
        "systems/wren.txt",
        "systems/heron.txt",
        "-q",
        "-f",
        "json",
        "--no-rescale",
        "--layer",
        "3",
    ]
    actual += ["-m", "some", "impara", "scribendi", "perplexity", "bertscore", "pt-m2", "pt-errant"]
    actual += ["--model", checkpoint("gpt2"), "--idf"]
    for name in ("bertscore", "pt-m2", "pt-errant"):
        actual += [f"--{name}-model", checkpoint("bertscore-uncased")]
    for part in ("grammaticality", "fluency", "meaning"):
        actual += [f"--{part}-model", checkpoint(f"some-{part}")]
    return [*actual, "--quality-model", checkpoint("impara-qe"), "--similarity-model", checkpoint("impara-se")]


def test_a_finished_score_loads_no_torch(sample, capsys):
    assert main(words()) == 0
    first = json.loads(capsys.readouterr().out)
    code = (
        "import sys, json; from recte.cli import main; code = main(json.loads(sys.argv[1]));"
        "heavy = {'torch', 'transformers', 'tokenizers', 'huggingface_hub'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else code)"
    )
    again = subprocess.run([sys.executable, "-c", code, json.dumps(words())], capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (0, "")
    assert json.loads(again.stdout) == first


def test_a_changed_model_or_text_is_asked_again(tmp_path):
    folder = Path(shutil.copytree(checkpoint("gpt2"), tmp_path / "gpt2"))
    corpus, outputs = golden_corpus("AMU"), golden_system("AMU")
    first = Perplexity(model=str(folder)).prepare(corpus).count(outputs).rows
    weights = folder / "model.safetensors"
    times = weights.stat()
    content = bytearray(weights.read_bytes())
    content[-100] ^= 0x40
    weights.chmod(0o644)
    weights.write_bytes(content)
    os.utime(weights, ns=(times.st_atime_ns, times.st_mtime_ns))  # the same size, and the same time by name
    second = Perplexity(model=str(folder)).prepare(corpus).count(outputs).rows
    assert (first != second).any()


def test_hashes_of_large_files_are_stored(tmp_path, monkeypatch):
    folder = Path(shutil.copytree(checkpoint("gpt2"), tmp_path / "gpt2"))
    read = []
    ours = model_files._read_hash
    monkeypatch.setattr(model_files, "_read_hash", lambda files: read.append(len(files)) or ours(files))
    actual = {model_files.find_model(str(folder), "model").revision for _ in range(2)}
    assert len(read) == 1
    model_files._content_hash.cache_clear()
    actual.add(model_files.find_model(str(folder), "model").revision)
    assert len(read) == 2  # written a moment ago: it may still change within the clock's tick
    monkeypatch.setattr(model_files, "_SETTLED", -(10**12))
    for _ in range(2):
        model_files._content_hash.cache_clear()
        actual.add(model_files.find_model(str(folder), "model").revision)
    assert (len(read), len(actual)) == (3, 1)
    os.utime(folder / "config.json")
    model_files._content_hash.cache_clear()
    actual.add(model_files.find_model(str(folder), "model").revision)
    assert (len(read), len(actual)) == (4, 1)
    monkeypatch.setenv("RECTE_NEURAL_CACHE", "off")
    model_files._content_hash.cache_clear()
    assert model_files.find_model(str(folder), "model").revision in actual
    assert len(read) == 5


@pytest.mark.parametrize("idf", [False, True])
def test_a_machine_that_is_another_than_stored(idf, monkeypatch):
    """Torch has the last word: what was kept for the other machine is neither given nor added to."""
    corpus, outputs = golden_corpus("AMU", references=True), golden_system("AMU")
    metric = BertScore(model=checkpoint("bertscore-uncased"), layer=3, rescale=False, idf=idf)
    wanted = metric.prepare(corpus).count(outputs).rows
    true = machine.machine_for("auto", "model")
    kept = machine._open_cache()
    kept.write([(machine._key("auto"), json.dumps({"device": "cpu", "name": "an abacus"}).encode())])
    machine._known.clear()
    result_cache._memory.clear()
    assert machine.machine_for("auto", "model") == Machine("cpu", "an abacus")
    np.testing.assert_array_equal(metric.prepare(corpus).count(outputs).rows, wanted)
    assert machine.machine_for("auto", "model") == true
    machine._known.clear()
    assert machine.machine_for("auto", "model") == true  # and so in the next process
    kept.write([(machine._key("auto"), b"[3]")])
    machine._known.clear()
    assert machine.machine_for("auto", "model") == true


def blocks_of(pairs, size=20):
    """Pairs in blocks, as places among a block's texts."""
    for begin in range(0, len(pairs), size):
        part = pairs[begin : begin + size]
        texts = list(dict.fromkeys(text for pair in part for text in pair))
        places = {text: place for place, text in enumerate(texts)}
        yield texts, np.array([[places[a], places[b]] for a, b in part])


@pytest.mark.parametrize("device", ["cpu", "elsewhere"])
def test_pairs_that_come_in_blocks(device, monkeypatch):
    """As edits do that are weighed; a GPU takes them as they come, and so does a processor here."""
    monkeypatch.setattr(NamedModel, "device_type", device)
    pairs = list(zip(golden_corpus("AMU").unchanged, golden_system("AMU"), strict=True))
    similarity = PieceSimilarity(GreedyMatching(checkpoint("bertscore-uncased"), layer=3))
    wanted = similarity.many(pairs)
    result_cache._memory.clear()
    machine._known.clear()
    with monkeypatch.context() as asleep:
        asleep.setattr(NamedModel, "load", lambda self: pytest.fail("loaded, though all is known"))
        fresh = PieceSimilarity(GreedyMatching(checkpoint("bertscore-uncased"), layer=3))
        assert fresh.in_blocks(blocks_of(pairs)).tolist() == wanted
    machine._open_cache().write([(machine._key("auto"), json.dumps({"device": "cpu", "name": "an abacus"}).encode())])
    result_cache._memory.clear()
    machine._known.clear()
    fresh = PieceSimilarity(GreedyMatching(checkpoint("bertscore-uncased"), layer=3))
    assert "an abacus" in fresh.matching.key
    half = [*pairs, ("One more .", "One more here .")]
    assert fresh.in_blocks(blocks_of(half)).tolist()[:-1] == wanted
    assert "an abacus" not in fresh.matching.key


def test_another_environment_is_another_machine(monkeypatch):
    keys = {machine._key("auto"), machine._key("cpu")}
    for name in ("CUDA_VISIBLE_DEVICES", "ATEN_CPU_CAPABILITY"):
        monkeypatch.setenv(name, "7")
        machine._surroundings.cache_clear()
        keys.add(machine._key("auto"))
    assert len(keys) == 4


@pytest.mark.parametrize("name", ["pieces.vocab", "source.spm", "merges.txt"])
def test_a_tokenizer_s_files_are_part_of_the_hash(tmp_path, name):
    folder = Path(shutil.copytree(checkpoint("gpt2"), tmp_path / "gpt2"))
    actual = []
    for content in ("a", "b"):
        (folder / name).write_text(content)
        model_files._content_hash.cache_clear()
        actual.append(model_files.find_model(str(folder), "model").revision)
    assert actual[0] != actual[1]
