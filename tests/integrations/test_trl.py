"""The reward function, called by the trainers of TRL."""

from __future__ import annotations

import pytest

import recte
from adapter_cases import ROWS


def test_the_last_line_is_scored(adapter):
    reward = adapter("trl_reward.py").correction_reward
    completions = ["The verb is wrong.\nHe goes to school .", [{"role": "assistant", "content": "He go to school .\n"}]]
    source, supplied = ROWS[0]
    assert reward(prompts=["", ""], completions=completions, source=[source] * 2, references=[supplied] * 2) == [
        1.0,
        0.0,
    ]


def test_no_bundled_reward_pays_for_silence_or_garbage(adapter):
    """A policy must not gain by writing nothing, noise, another language or another sentence."""
    sources = [source for source, references in ROWS if source not in references]
    columns = {"source": sources, "references": [dict(ROWS)[source] for source in sources]}
    useless = {
        "empty": [""] * len(sources),
        "noise": ["x y z"] * len(sources),
        "garbled": [source.encode("utf-16-be").decode("latin-1") for source in sources],
        "German": ["Er geht jeden Tag zur Schule ."] * len(sources),
        "Chinese": ["\u4ed6 \u53bb \u5b66\u6821 \u3002"] * len(sources),
        "another": [*sources[1:], sources[0]],
        "repeated": [f"{source} {source}" for source in sources],
    }
    for reward in (adapter("trl_reward.py").correction_reward, recte.reward()):
        corrected = reward(completions=[texts[0] for texts in columns["references"]], **columns)
        assert corrected == [1.0] * len(sources)
        copied = reward(completions=sources, **columns)
        for what, texts in useless.items():
            assert sum(reward(completions=texts, **columns)) <= sum(copied), what


@pytest.mark.parametrize("trainer", ["GRPO", "RLOO"])
def test_a_trainer_takes_a_step(adapter, word_tokenizer, tmp_path, trainer):
    pytest.importorskip("torch", reason="torch is not installed")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    trl = pytest.importorskip("trl", reason="TRL is not installed")
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(1)
    sizes = {"n_embd": 8, "n_layer": 1, "n_head": 2, "vocab_size": len(word_tokenizer), "n_positions": 64}
    model = GPT2LMHeadModel(GPT2Config(**sizes, pad_token_id=0, eos_token_id=1, bos_token_id=1))
    rows = [{"prompt": source, "source": source, "references": supplied} for source, supplied in ROWS]
    reward = adapter("trl_reward.py").correction_reward
    supplied = []

    def seen(**batch):
        supplied.append((batch, reward(**batch)))
        return supplied[-1][1]

    arguments = getattr(trl, f"{trainer}Config")(
        output_dir=str(tmp_path),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=4,
        max_steps=1,
        beta=0.0,
        use_cpu=True,
        bf16=False,
        report_to=[],
        save_strategy="no",
    )
    getattr(trl, f"{trainer}Trainer")(
        model, reward_funcs=seen, args=arguments, train_dataset=datasets.Dataset.from_list(rows),
        processing_class=word_tokenizer,
    ).train()  # fmt: skip
    (batch, rewards), *_ = supplied
    assert len(rewards) == len(batch["completions"]) >= 2
    alone = recte.Errant(beta=0.5)
    for place, value in enumerate(rewards):
        sentence = recte.Sentence(batch["source"][place], references=tuple(batch["references"][place]))
        text = batch["completions"][place].strip().rpartition("\n")[2]
        assert value == pytest.approx(alone.prepare(recte.Corpus((sentence,))).score([text]).score, abs=1e-12)
