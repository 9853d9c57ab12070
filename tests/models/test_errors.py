"""What is wrong with models and machines: one clear line each."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from neural_models import checkpoint
from recte import Corpus, InputError, OptionError
from recte.cli import main
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some
from recte.models.text_pairs import some_meaning

torch = pytest.importorskip("torch", reason="needs recte[neural]")
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


def test_a_missing_model_says_how_to_get_it():
    refused(Scribendi(model="nobody/nothing"), match=r"model: nobody/nothing is neither .* hf download nobody/nothing$")
    refused(Scribendi(model="nobody/nothing@abc"), match="hf download nobody/nothing --revision abc")
    refused(Scribendi(model=""), match="model: expected a folder with a model or its name")
    archive = "SOME's models are on no hub: unpack its authors' archive"
    refused(Some(), match=f"grammaticality_model: .* got 'gfm-models/grammer', which does not exist; {archive}")
    with pytest.raises(OptionError, match=f"meaning_model: .* which does not exist; {archive}"):
        some_meaning()("He go .", "He goes .")


def test_a_missing_folder_is_never_to_be_fetched(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models" / "gpt2-large").mkdir(parents=True)
    (tmp_path / "models" / "notes").write_text("text")
    missing = ["./gpt2", "../gpt2", "~/no-such-model", str(tmp_path / "gpt2"), "models/mine", "a/b/c", "what is this?"]
    for name in missing:
        wanted = re.escape(f"model: expected a folder with a model, got {name!r}, which does not exist")
        refused(Scribendi(model=name), match=f"{wanted}$")
    refused(Scribendi(model="models/gpt2-larg"), match="which does not exist; did you mean gpt2-large")
    refused(Scribendi(model="x" * 300), match=f"expected a folder with a model, got '{'x' * 60}': File name too long")
    refused(Scribendi(model="~nobody-at-all/x"), match="expected a folder with a model, got '~nobody-at-all/x': Could")
    refused(Scribendi(model="models/notes"), match="got 'models/notes', which is a file")
    refused(Scribendi(model="models/gpt2-large"), match="got 'models/gpt2-large', which has no config.json")


def test_names_of_the_hub_are_found_where_its_programs_keep_them(tmp_path, monkeypatch):
    kept = tmp_path / "hub" / "models--somebody--tiny"
    revision = "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(checkpoint("gpt2"), kept / "snapshots" / revision)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(revision)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.delenv("HUGGINGFACE_HUB_CACHE", raising=False)
    for name in ("somebody/tiny", "somebody/tiny@main", f"somebody/tiny@{revision}"):
        assert Perplexity(model=name).models()["model"].signature == "somebody/tiny@0123456789ab"
        assert Perplexity(model=name).prepare(SOURCES).count(["He goes ."]).rows.size
    refused(Perplexity(model="somebody/tiny@v2"), match="hf download somebody/tiny --revision v2")
    refused(Perplexity(model="somebody/tiny@../../x"), match="hf download somebody/tiny --revision")


def changed(folder: Path, **settings) -> Path:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").chmod(0o644)
    (folder / "config.json").write_text(json.dumps({**config, **settings}))
    return folder


def rewritten(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_bytes(content)
    return folder


def test_damaged_weights(copied):
    folder = copied("gpt2")
    whole = (folder / "model.safetensors").read_bytes()
    for part in (whole[:1000], whole[:-100], b"", b"\0" * 1000):
        rewritten(folder, "model.safetensors", part)
        refused(Perplexity(model=str(folder)), match=r"model: the weights in .*gpt2 are damaged or cut off: ")
    rewritten(folder, "model.safetensors", b"version https://git-lfs.github.com/spec/v1\n")
    refused(
        Perplexity(model=str(folder)), match="expected weights in .*model.safetensors, got a pointer .* git lfs pull"
    )
    (folder / "model.safetensors").unlink()
    refused(Perplexity(model=str(folder)), match=r"expected weights \(model.safetensors or .* in .*gpt2, got none")


def test_weights_that_are_no_numbers_or_do_not_fit(copied):
    from safetensors.torch import load_file, save_file

    folder = copied("gpt2")
    (folder / "model.safetensors").chmod(0o644)
    weights = load_file(folder / "model.safetensors")
    for other, match in (
        ({name: values * float("nan") for name, values in weights.items()}, "are damaged: they give what is no number"),
        ({name: values.to(torch.int8) for name, values in weights.items()}, "as config.json has them .* whole numbers"),
        ({name: values[:1] for name, values in weights.items()}, "as config.json has them .* some of other shapes"),
    ):
        save_file(other, folder / "model.safetensors", metadata={"format": "pt"})
        refused(Perplexity(model=str(folder)), match=match)
    save_file({name: values.half() for name, values in weights.items()}, folder / "model.safetensors")
    assert Perplexity(model=str(folder)).prepare(SOURCES).count(["He goes ."]).rows.size  # read as fp32


def test_one_piece_whose_weights_are_no_numbers(copied):
    """Trying a model does not find it: a text does, and is named."""
    from safetensors.torch import load_file, save_file
    from transformers import AutoTokenizer

    folder = copied("impara-qe")
    (folder / "model.safetensors").chmod(0o644)
    weights = load_file(folder / "model.safetensors")
    piece = max(AutoTokenizer.from_pretrained(folder)("He goes .")["input_ids"])
    assert piece > 12  # those below are tried
    weights[next(name for name in weights if "word_embeddings" in name)][piece] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    scorer = Impara(quality_model=str(folder), similarity_model=checkpoint("impara-se")).prepare(SOURCES)
    for _ in range(2):  # it is not kept, either
        with pytest.raises(
            InputError, match=r"quality \(impara-qe\): expected a number for each text, .* 'He goes \.'"
        ):
            scorer.count(["He goes ."])


class Mischief:
    """What a pickle can do to whoever reads it."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.touch, (self.trace,)


def test_a_pickle_s_code_is_never_run(copied, tmp_path):
    folder, trace = copied("gpt2"), tmp_path / "trace"
    (folder / "model.safetensors").unlink()
    wanted = "model: expected weights alone in .*, got a pickle with more in it, which is never run"
    torch.save({"transformer.wte.weight": Mischief(trace)}, folder / "pytorch_model.bin")
    refused(Perplexity(model=str(folder)), match=wanted)
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Mischief(trace)))
    refused(Perplexity(model=str(folder)), match=wanted)
    rewritten(folder, "mischief.py", f"open({str(trace)!r}, 'w')".encode())
    changed(folder, model_type="mischief", auto_map={"AutoConfig": "mischief.Config"})
    refused(Perplexity(model=str(folder)), match="model: gpt2 comes with code of its own, which is never run")
    assert not trace.exists()


def test_settings_that_are_none(copied):
    folder = copied("gpt2")
    for content in (b"{", b"\xff\xfe", b""):
        rewritten(folder, "config.json", content)
        refused(Perplexity(model=str(folder)), match="model: expected JSON in .*config.json, got something else")
    for content in (b"[1]", b"{}", b'{"model_type": 3}'):
        rewritten(folder, "config.json", content)
        refused(Perplexity(model=str(folder)), match="model: expected an object with a model_type in .*config.json")


def test_an_unknown_architecture(copied):
    folder = changed(copied("gpt2"), model_type="nonsense")
    refused(
        Perplexity(model=str(folder)), match="expected an architecture that transformers has, got gpt2, a 'nonsense'"
    )
    changed(folder, model_type="gpt2", quantization_config={})
    refused(Perplexity(model=str(folder)), match="expected plain weights, got gpt2, which is quantised")


def test_a_missing_or_broken_tokenizer(copied):
    folder = copied("gpt2")
    rewritten(folder, "tokenizer.json", b"{")
    refused(Perplexity(model=str(folder)), match="model: expected JSON in .*tokenizer.json, got something else")
    for name in ("tokenizer.json", "vocab.json", "merges.txt"):
        (folder / name).unlink()
    refused(Perplexity(model=str(folder)), match=r"expected a tokenizer \(tokenizer.json or .* in .*gpt2, got none")


def test_a_tokenizer_with_more_pieces_than_the_model(copied):
    import transformers

    folder = changed(copied("gpt2"), vocab_size=500)
    small = transformers.GPT2LMHeadModel(transformers.GPT2Config.from_pretrained(folder))
    (folder / "model.safetensors").unlink()
    small.save_pretrained(folder)
    refused(
        Perplexity(model=str(folder)), match=r"with the model's 500 pieces in .*, got 400 more, as '.*' \(number 500"
    )


def saved(model_class, config, folder: Path, tokenizer: str) -> str:
    """A model of random weights, with a tokenizer of another."""
    torch.manual_seed(1)
    model_class(config).save_pretrained(folder)
    for name in ("vocab.txt", "vocab.json", "merges.txt", "tokenizer.json", "tokenizer_config.json"):
        if (Path(checkpoint(tokenizer)) / name).exists():
            shutil.copy(Path(checkpoint(tokenizer)) / name, folder / name)
    return str(folder)


def test_a_model_of_another_kind(tmp_path):
    """A head is never made up, and a masked model never taken for a causal one."""
    import transformers

    options = {"quality_model": checkpoint("impara-se"), "similarity_model": checkpoint("impara-se")}
    wanted = "expected a classifier with one output, got"
    refused(
        Impara(**options), match=rf"quality_model: {wanted} impara-se \(BertModel\), which has no weights classifier"
    )
    heads = dict.fromkeys(("grammaticality_model", "fluency_model", "meaning_model"), checkpoint("impara-se"))
    refused(Some(**heads), match=rf"grammaticality_model: {wanted} impara-se \(BertModel\), which has no weights class")
    causal = "model: expected a causal language model, which reads from left to right, got"
    refused(Perplexity(model=checkpoint("impara-qe")), match=rf"{causal} impara-qe \(BertForSequenceClassification\)")
    size = {"vocab_size": 900, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    roberta = transformers.RobertaConfig(**size, intermediate_size=64, max_position_embeddings=514)
    masked = saved(transformers.RobertaForMaskedLM, roberta, tmp_path / "masked", "gpt2")
    for metric in (Perplexity(model=masked), Scribendi(model=masked), Perplexity(model=masked, model_dtype="bf16")):
        refused(metric, match=rf"{causal} masked \(RobertaForMaskedLM\), which looks at what comes later")
    decoder = transformers.RobertaConfig(**size, intermediate_size=64, max_position_embeddings=514, is_decoder=True)
    rightly = saved(transformers.RobertaForCausalLM, decoder, tmp_path / "decoder", "gpt2")
    assert Perplexity(model=rightly).prepare(SOURCES).count(["He goes ."]).rows.size
    bart = transformers.BartConfig(
        vocab_size=900,
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
    )
    both = saved(transformers.BartForConditionalGeneration, bart, tmp_path / "both", "gpt2")
    gold = Corpus.from_references(["He go ."], [["He goes ."]])
    matching = BertScore(model=both, layer=1, rescale=False)
    refused(matching, match="model: expected an encoder, got both .* is an encoder and a decoder", corpus=gold)
    gpt2 = transformers.GPT2Config.from_pretrained(checkpoint("gpt2"), num_labels=1)
    unpadded = saved(transformers.GPT2ForSequenceClassification, gpt2, tmp_path / "unpadded", "gpt2")
    options = {"quality_model": unpadded, "similarity_model": checkpoint("impara-se")}
    refused(Impara(**options), match=rf"quality_model: {wanted} unpadded .*, which fails: ValueError: .* padding token")


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

    with pytest.raises(TooLongError, match=r"^system: expected at most 512 pieces, got 70\d in 'a a [a ]*\.\.\.'$"):
        Perplexity(model=checkpoint("gpt2")).prepare(SOURCES).count(["a " * 700])


def test_half_a_character_is_named():
    """Files cannot hold one, but strings in Python can."""
    gold = Corpus.from_references(["He go ."], [["He goes ."]])
    matching = BertScore(model=checkpoint("bertscore-uncased"), layer=2, rescale=False)
    for metric in (Perplexity(model=checkpoint("gpt2")), matching):
        with pytest.raises(InputError, match="expected whole characters, got a lone surrogate in 'He"):
            metric.prepare(gold).count(["He \ud800"])


def test_texts_are_cut_at_a_model_s_few_positions(copied):
    """As at 128 pieces: a model that takes fewer gets fewer."""
    import transformers

    folder = changed(copied("impara-qe"), max_position_embeddings=24)
    few = transformers.BertForSequenceClassification(transformers.BertConfig.from_pretrained(folder))
    (folder / "model.safetensors").unlink()
    few.save_pretrained(folder)
    metric = Impara(quality_model=str(folder), similarity_model=checkpoint("impara-se"))
    long, longer = metric.prepare(Corpus.from_references(["a", "a"])).count(["a " * 30, "a " * 60]).rows[:, 0, 0]
    assert long == longer


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
