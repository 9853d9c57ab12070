"""What is wrong with models and machines: one clear line each."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from neural_models import checkpoint
from recte import Corpus, OptionError
from recte.cli import main
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some

pytest.importorskip("torch", reason="needs recte[neural]")
SOURCES = Corpus.from_references(["He go ."])


@pytest.fixture
def copied(tmp_path):
    def copy(name: str) -> Path:
        return Path(shutil.copytree(checkpoint(name), tmp_path / name))

    return copy


def refused(metric, *, match, corpus=SOURCES):
    with pytest.raises(OptionError, match=match) as caught:
        metric.prepare(corpus).count(["He goes ."])
    assert "\n" not in str(caught.value)


def test_a_missing_model_says_how_to_get_it(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    refused(Scribendi(model="nobody/nothing"), match=r"model: nobody/nothing is neither .* hf download nobody/nothing$")
    refused(Scribendi(model="nobody/nothing@abc"), match="hf download nobody/nothing --revision abc")
    refused(Some(), match="grammaticality_model: gfm-models/grammer is neither a folder nor")
    refused(Scribendi(model=""), match="model: expected a folder with a model or its name")


def test_a_folder_without_a_model(tmp_path):
    refused(Scribendi(model=str(tmp_path)), match="expected a folder with a model")


def test_a_truncated_file(copied):
    folder = copied("gpt2")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    refused(Perplexity(model=str(folder)), match="model: gpt2 cannot be loaded: ")


def test_an_unknown_architecture(copied):
    folder = copied("gpt2")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "nonsense"}))
    refused(Perplexity(model=str(folder)), match=r"model: gpt2 cannot be loaded: .*nonsense")


def test_a_model_of_another_kind():
    """A classifier's head is never made up."""
    options = {"quality_model": checkpoint("impara-se"), "similarity_model": checkpoint("impara-se")}
    refused(Impara(**options), match="quality_model: expected a classifier, got impara-se, which has no weights")


def test_layers_and_baselines_that_are_not_there():
    gold = Corpus.from_references(["He go ."], [["He goes ."]])
    model = checkpoint("bertscore-uncased")
    refused(BertScore(model=model), match="layer: expected a layer for .* --layer N", corpus=gold)
    refused(BertScore(model=model, layer=9, rescale=False), match="got 9, and bertscore-uncased has 4", corpus=gold)
    refused(BertScore(model=model, layer=2), match="--baseline-file FILE, or --no-rescale", corpus=gold)
    refused(BertScore(model=model, layer=2, baseline_file="x"), match="expected a file with the columns", corpus=gold)


def test_a_device_that_is_not_there():
    refused(Perplexity(model=checkpoint("gpt2"), device="cuda:77"), match="device: expected auto, cpu or a device")


def test_a_text_beyond_the_model_s_positions():
    from recte.errors import TooLongError

    with pytest.raises(TooLongError, match="expected at most 512 pieces, got 70"):
        Perplexity(model=checkpoint("gpt2")).prepare(SOURCES).count(["a " * 700])


def test_a_machine_without_torch(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name, text in (("source.txt", "He go .\n"), ("mine.txt", "He goes .\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["score", "-s", "source.txt", "-i", "mine.txt", "-m", "scribendi", "-q"]) == 2
    error = capsys.readouterr().err
    assert error == "recte: model: needs torch, which is not installed: pip install 'recte[neural]'\n"


def test_other_commands_load_no_torch(sample):
    code = (
        "import sys; from recte.cli import main;"
        "main(['score', 'gold.m2', 'systems/wren.txt', '-m', 'm2', 'gleu', 'errant', '-q']);"
        "main(['score', '--list']);"
        "heavy = {'torch', 'transformers', 'huggingface_hub'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
