"""Sentences per second of each neural metric on a GPU, beside the bare models on the same batches.

    python benchmarks/neural_gpu.py                     # a GPU, models of base size, fp32 and bf16; about two minutes
    python benchmarks/neural_gpu.py --small -n 64       # any machine: only shows that everything works

Nothing is fetched: models have random weights and are made here. A metric is timed from texts to rows, with no result
known before. The bare models get the same batches, which lie on the device already, so nothing but their passes is
timed. Every sentence is a hypothesis of its own, so nothing is saved by repetition. The last column says whether the
same texts in another order have the same results, bit by bit.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ["RECTE_NEURAL_CACHE"] = "off"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import torch

from benchmarks.random_models import base_models, texts
from recte import Corpus
from recte.metrics.base import Metric
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.perplexity import Perplexity
from recte.metrics.pt_errant import PtErrant
from recte.metrics.pt_m2 import PtM2
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some
from recte.neural import loading, results
from recte.neural.encoder import Encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--sentences", type=int, default=16_384)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--small", action="store_true", help="models of two small layers")
    parser.add_argument("--dtypes", nargs="+", default=["fp32", "bf16"])
    parser.add_argument("--metrics", nargs="+", default=None)
    arguments = parser.parse_args()
    device = arguments.device if arguments.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    where = torch.cuda.get_device_name() if device == "cuda" else f"processor, {torch.get_num_threads()} threads"
    print(f"{where}, torch {torch.__version__}, {arguments.sentences} sentences, random weights of ", end="")
    print("two small layers" if arguments.small else "base size")
    sources = texts(arguments.sentences, seed=1)
    corpus = Corpus.from_references(sources, [texts(len(sources), 2, of=sources), texts(len(sources), 3, of=sources)])
    hypotheses = texts(len(sources), 4, of=sources)
    print(f"{'metric':<12}{'dtype':<7}{'sentences/s':>12}{'bare model':>12}{'share':>8}  same bits in another order")
    with tempfile.TemporaryDirectory() as folder:
        models = base_models(Path(folder), 2 if arguments.small else 12, small=arguments.small)
        for dtype in arguments.dtypes:
            for metric in metrics(models, device, dtype, 1 if arguments.small else 9):
                if arguments.metrics is None or metric.name in arguments.metrics:
                    print(measured(metric, corpus, hypotheses, dtype), flush=True)
            loading._loaded.cache_clear()
            release()


def metrics(models: dict[str, str], device: str, dtype: str, layer: int) -> list[Metric]:
    shared: dict[str, Any] = {"device": device, "model_dtype": dtype}
    classifier, encoder, gpt2 = models["classifier"], models["encoder"], models["gpt2"]
    matching = {"model": encoder, "layer": layer, "rescale": False}
    return [
        Some(grammaticality_model=classifier, fluency_model=classifier, meaning_model=classifier, **shared),
        Impara(quality_model=classifier, similarity_model=encoder, **shared),
        Scribendi(model=gpt2, **shared),
        Perplexity(model=gpt2, **shared),
        BertScore(**matching, **shared),
        PtM2(**matching, **shared),
        PtErrant(**matching, **shared),
    ]


def measured(metric: Metric, corpus: Corpus, hypotheses: list[str], dtype: str) -> str:
    count = len(hypotheses)
    # Passes are recorded on all texts, and warm everything up.
    with recorded() as passes:
        scorer = metric.prepare(corpus)
        first = fresh(lambda: scorer.count(hypotheses).rows)[0]
    rows, seconds = fresh(lambda: metric.prepare(corpus).count(hypotheses).rows)
    bare = replayed(passes)
    backwards = Corpus(tuple(corpus[i] for i in reversed(range(count // 3))))
    other, _ = fresh(lambda: metric.prepare(backwards).count(hypotheses[: count // 3][::-1]).rows)
    same = np.array_equal(rows[: count // 3], other[::-1], equal_nan=True) and np.array_equal(
        first, rows, equal_nan=True
    )
    return (
        f"{metric.name:<12}{dtype:<7}{count / seconds:>12,.0f}{count / bare:>12,.0f}{bare / seconds:>8.0%}  "
        f"{'yes' if same else 'NO'}"
    )


def fresh(work: Callable[[], Any]) -> tuple[Any, float]:
    """The work's result and seconds, with no result known before."""
    results._known.clear()
    release()
    synchronize()
    start = time.perf_counter()
    found = work()
    synchronize()
    return found, time.perf_counter() - start


@contextmanager
def recorded() -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """Every batch that goes through a model meanwhile, as it lies on the device."""
    passes: list[tuple[Any, dict[str, Any]]] = []
    tensors = Encoder.tensors

    def recording(self: Encoder, batch: Any) -> Any:
        made = tensors(self, batch)
        given = {"input_ids": made.ids, "attention_mask": made.mask}
        passes.append(
            (self.model.model, given if made.segments is None else {**given, "token_type_ids": made.segments})
        )
        return made

    Encoder.tensors = recording  # type: ignore[method-assign]
    try:
        yield passes
    finally:
        Encoder.tensors = tensors  # type: ignore[method-assign]


def replayed(passes: list[tuple[Any, dict[str, Any]]]) -> float:
    """Seconds that the bare models take for the same batches."""
    with torch.inference_mode():
        for model, given in passes[:2]:
            model(**given)
        synchronize()
        start = time.perf_counter()
        for model, given in passes:
            model(**given)
        synchronize()
        return time.perf_counter() - start


def synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def release() -> None:
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
