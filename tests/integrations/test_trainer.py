"""`compute_metrics`, called by the Trainer of Transformers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import recte
from adapter_cases import GOLD, OUTPUTS, ROWS

SOURCES = [source for source, _ in ROWS]
REFERENCES = [supplied for _, supplied in ROWS]


class Numbers:
    """As little of a tokenizer as `compute_metrics` asks for: 0 pads, other ids are words."""

    pad_token_id = 0

    def __init__(self, texts):
        self.words = ["", *sorted({word for text in texts for word in text.split()})]

    def ids(self, texts):
        rows = [[self.words.index(word) for word in text.split()] for text in texts]
        width = max(map(len, rows))
        return np.array([[*row, *[-100] * (width - len(row))] for row in rows])

    def batch_decode(self, ids, skip_special_tokens):
        return [" ".join(self.words[i] for i in row if i) for row in ids]


def test_figures_are_those_of_recte(adapter):
    numbers = Numbers(OUTPUTS)
    compute = adapter("trainer_metrics.py").correction_metrics(numbers, SOURCES, REFERENCES)
    expected = {name: recte.score(GOLD, OUTPUTS, metric=name).score for name in ("m2", "gleu")}
    assert compute(SimpleNamespace(predictions=numbers.ids(OUTPUTS))) == expected
    assert compute(SimpleNamespace(predictions=(numbers.ids(OUTPUTS), None))) == expected


def test_batch_by_batch(adapter):
    numbers = Numbers(OUTPUTS)
    compute = adapter("trainer_metrics.py").correction_metrics(numbers, SOURCES, REFERENCES)
    for _ in range(2):  # the second evaluation begins again
        assert compute(SimpleNamespace(predictions=numbers.ids(OUTPUTS[:4])), compute_result=False) == {}
        actual = compute(SimpleNamespace(predictions=numbers.ids(OUTPUTS[4:])), compute_result=True)
        assert actual["m2"] == recte.score(GOLD, OUTPUTS).score


@pytest.mark.parametrize("batches", [False, True])
def test_the_trainer_calls_it(adapter, word_tokenizer, tmp_path, batches):
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("accelerate", reason="accelerate is not installed")
    import torch
    from transformers import Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config, T5ForConditionalGeneration

    torch.manual_seed(1)
    sizes = {"d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1, "num_heads": 2, "vocab_size": len(word_tokenizer)}
    ends = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    model = T5ForConditionalGeneration(T5Config(**sizes, **ends))
    rows = [
        {"input_ids": word_tokenizer(source)["input_ids"], "labels": word_tokenizer(supplied[0])["input_ids"]}
        for source, supplied in ROWS
    ]

    def collate(batch):
        pad = torch.nn.utils.rnn.pad_sequence
        inputs = pad([torch.tensor(row["input_ids"]) for row in batch], True, 0)
        labels = pad([torch.tensor(row["labels"]) for row in batch], True, -100)
        return {"input_ids": inputs, "attention_mask": (inputs != 0).long(), "labels": labels}

    arguments = Seq2SeqTrainingArguments(
        output_dir=str(tmp_path),
        predict_with_generate=True,
        per_device_eval_batch_size=4,
        generation_max_length=8,
        batch_eval_metrics=batches,
        use_cpu=True,
        report_to=[],
    )
    compute = adapter("trainer_metrics.py").correction_metrics(word_tokenizer, SOURCES, REFERENCES)
    trainer = Seq2SeqTrainer(
        model, arguments, data_collator=collate, eval_dataset=rows, processing_class=word_tokenizer,
        compute_metrics=compute,
    )  # fmt: skip
    actual = trainer.evaluate()
    assert 0 <= actual["eval_m2"] <= 1
    assert 0 <= actual["eval_gleu"] <= 1
