"""The adapter for Hugging Face evaluate, loaded by the library itself."""

from __future__ import annotations

import pytest

import recte
from adapter_cases import FOLDER, GOLD, OUTPUTS, ROWS

pytest.importorskip("datasets", reason="datasets is not installed")
pytest.importorskip("evaluate", reason="Hugging Face evaluate is not installed")
SOURCES = [source for source, _ in ROWS]
REFERENCES = [supplied for _, supplied in ROWS]


@pytest.fixture
def metric(tmp_path):
    import evaluate

    return evaluate.load(str(FOLDER / "recte_gec"), cache_dir=str(tmp_path / "cache"))


def test_it_gives_what_recte_gives(metric):
    actual = metric.compute(sources=SOURCES, predictions=OUTPUTS, references=REFERENCES)
    score = recte.score(GOLD, OUTPUTS)
    assert actual["score"] == score.score
    assert (actual["tp"], actual["fp"], actual["fn"]) == (score.tp, score.fp, score.fn)
    assert actual["signature"] == score.signature
    assert 0 < actual["score"] < 1


def test_options_and_batches(metric):
    for source, output, supplied in zip(SOURCES, OUTPUTS, REFERENCES, strict=True):
        metric.add(sources=source, predictions=output, references=supplied)
    actual = metric.compute(metric="errant", beta=1.0)
    assert actual["score"] == recte.score(GOLD, OUTPUTS, metric="errant", beta=1.0).score


def test_raw_text(metric):
    actual = metric.compute(
        sources=["He go."], predictions=["He goes."], references=[["He goes."]], metric="m2", tokens="treebank"
    )
    assert actual["score"] == 1.0
    assert "tokens:treebank" in actual["signature"]
