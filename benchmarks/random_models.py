"""Models of base size with random weights, and texts for them: what speed needs, without a download."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

__all__ = ["base_models", "texts"]

_LETTERS = "etaoinshrdlucmfwypvbgk"
_WORDS = 3_000


def texts(count: int, seed: int = 1, *, changed: float = 1.0, of: list[str] | None = None) -> list[str]:
    """Sentences of 6 to 45 invented words, common ones often; or those of `of`, so many of them with a word changed."""
    generator = random.Random(seed)
    words = _words()
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    if of is None:
        lengths = [min(45, max(6, round(generator.gauss(22, 9)))) for _ in range(count)]
        return [" ".join([*generator.choices(words, weights, k=n - 1), "."]) for n in lengths]
    actual = []
    for text in of[:count]:
        tokens = text.split()
        if generator.random() < changed:
            place = generator.randrange(len(tokens) - 1)
            tokens[place : place + 1] = generator.choices(words, weights, k=generator.choice((1, 1, 2)))
        actual.append(" ".join(tokens))
    return actual


def _words() -> list[str]:
    generator = random.Random(0)
    return list(dict.fromkeys("".join(generator.choices(_LETTERS, k=generator.randint(2, 9))) for _ in range(_WORDS)))


def base_models(folder: Path, layers: int = 12, *, small: bool = False) -> dict[str, str]:
    """Folders of classifiers, an encoder and a language model; `small` ones only show that everything works."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    size = {"hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 128} if small else {}
    bert = BertConfig(num_hidden_layers=layers, num_labels=1, **size)
    gpt = GPT2Config(n_layer=layers, **({"n_embd": 64, "n_head": 2} if small else {}))
    words, letters = _tokenizers()
    made: dict[str, tuple[Any, Any]] = {
        "classifier": (BertForSequenceClassification(bert), words),
        "encoder": (BertModel(bert), words),
        "gpt2": (GPT2LMHeadModel(gpt), letters),
    }
    for name, (model, tokenizer) in made.items():
        model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)
    actual = {name: str(folder / name) for name in made}
    for name in ("grammaticality", "fluency", "meaning"):  # models of their own to recte, which asks a model once
        copy = folder / name
        copy.mkdir()
        for path in (folder / "classifier").iterdir():
            (copy / path.name).symlink_to(path)
        (copy / "which.txt").write_text(name)
        actual[name] = str(copy)
    return actual


def _tokenizers() -> tuple[Any, Any]:
    """One of word pieces, one of bytes joined; most of the invented words are one or two pieces, as real ones are."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    alphabet = [*_LETTERS, *"0123456789.,;:!?'"]
    pieces = [*special, *alphabet, *(f"##{letter}" for letter in alphabet), *_words()[::1]]
    words = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(dict.fromkeys(pieces))}, unk_token="[UNK]"))
    words.normalizer = normalizers.BertNormalizer(lowercase=True)
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    letters = Tokenizer(models.BPE())
    letters.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4_000, special_tokens=["<|endoftext|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    letters.train_from_iterator(texts(400, seed=3), trainer)
    return (
        PreTrainedTokenizerFast(
            tokenizer_object=words,
            pad_token="[PAD]",
            unk_token="[UNK]",
            cls_token="[CLS]",
            sep_token="[SEP]",
            mask_token="[MASK]",
            model_max_length=512,
        ),
        PreTrainedTokenizerFast(
            tokenizer_object=letters, bos_token="<|endoftext|>", eos_token="<|endoftext|>", model_max_length=1024
        ),
    )
