"""Sentences per second of each neural metric on a GPU, compared with the bare models on the same batches.

    python benchmarks/neural_gpu.py                     # a GPU, base size, fp32 and bf16; six minutes
    python benchmarks/neural_gpu.py --dtypes bf16 --metrics pt-m2 bertscore     # some of it; less than a minute
    python benchmarks/neural_gpu.py --small -n 64       # any machine: only shows that everything works

Nothing is fetched: models have random weights and are made here. A metric is timed from texts to rows, with no result
known before. The bare models, loaded as recte loads them, get the same batches, which lie on the device already, so
nothing but their passes is timed; of two runs the faster one counts, for both. Every sentence is a hypothesis of its
own, so nothing is saved by repetition. The last column says whether the same texts in another order have the same
results, bit by bit.

Where recte's compiled core cannot be imported (another Python, no compiler), the models are asked as the metrics ask
them, and the first line says so: what is missing then are Scribendi's ratios and the search for edits.
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
from recte.caching import result_cache
from recte.edits.edit_context import EditInContext
from recte.edits.edit_weights import TextWeigher
from recte.models import loading
from recte.models.encoder import Encoder
from recte.models.greedy_matching import GreedyMatching
from recte.models.text_models import LanguageModel, Regressor, SentenceVectors
from recte.models.text_pairs import PieceSimilarity, VectorSimilarity

Texts = list[str]
Work = Callable[[Texts, list[Texts], Texts], Any]  # sources, references and hypotheses into rows


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
    data = (sources, [texts(len(sources), 2, of=sources), texts(len(sources), 3, of=sources)])
    hypotheses = texts(len(sources), 4, of=sources)
    with tempfile.TemporaryDirectory() as folder:
        models = base_models(Path(folder), 2 if arguments.small else 12, small=arguments.small)
        make = whole_metrics if has_core() else models_alone
        print("from texts to rows" if has_core() else "WITHOUT the compiled core: the models' part of each metric")
        print(
            f"{'metric':<12}{'dtype':<7}{'sentences/s':>12}{'bare model':>12}{'share':>8}  same bits in another order"
        )
        for dtype in arguments.dtypes:
            for name, work in make(models, device, dtype, 1 if arguments.small else 9).items():
                if arguments.metrics is None or name in arguments.metrics:
                    print(measured(name, work, *data, hypotheses, dtype), flush=True)
                    release()
            loading._loaded.cache_clear()
            release()


def has_core() -> bool:
    try:
        import recte._kernels  # noqa: F401
    except ImportError:
        return False
    return True


def whole_metrics(models: dict[str, str], device: str, dtype: str, layer: int) -> dict[str, Work]:
    from recte import Corpus
    from recte.metrics.bertscore import BertScore
    from recte.metrics.impara import Impara
    from recte.metrics.perplexity import Perplexity
    from recte.metrics.pt_errant import PtErrant
    from recte.metrics.pt_m2 import PtM2
    from recte.metrics.scribendi import Scribendi
    from recte.metrics.some import Some

    shared: dict[str, Any] = {"device": device, "model_dtype": dtype}
    classifier, encoder, gpt2 = models["classifier"], models["encoder"], models["gpt2"]
    matching = {"model": encoder, "layer": layer, "rescale": False}
    made = [
        Some(
            grammaticality_model=models["grammaticality"],
            fluency_model=models["fluency"],
            meaning_model=models["meaning"],
            **shared,
        ),
        Impara(quality_model=classifier, similarity_model=encoder, **shared),
        Scribendi(model=gpt2, **shared),
        Perplexity(model=gpt2, **shared),
        BertScore(**matching, **shared),
        PtM2(**matching, **shared),
        PtErrant(**matching, **shared),
    ]

    def counting(metric: Any) -> Work:
        return lambda sources, references, hypotheses: (
            metric.prepare(Corpus.from_references(sources, references)).count(hypotheses).rows
        )

    return {metric.name: counting(metric) for metric in made}


def models_alone(models: dict[str, str], device: str, dtype: Any, layer: int) -> dict[str, Work]:
    regressor = Regressor(models["classifier"], "model", dtype, device)
    other = Regressor(models["fluency"], "model", dtype, device)
    pairs = Regressor(models["meaning"], "model", dtype, device, pairs=True)
    vectors = SentenceVectors(models["encoder"], "model", dtype, device)
    language = LanguageModel(models["gpt2"], "model", dtype, device)
    matching = GreedyMatching(models["encoder"], "model", dtype, device, layer=layer)
    asked = result_cache.results_of

    def weighed(sources: Texts, references: list[Texts], hypotheses: Texts) -> Any:
        edits = [
            EditInContext(i, tuple(source.split()), 1, 2, word, str(r), reference)
            for r, column in enumerate(references)
            for i, (source, reference, hypothesis) in enumerate(zip(sources, column, hypotheses, strict=True))
            for word in (hypothesis.split()[1], reference.split()[1])
        ]
        return np.array(TextWeigher("bertscore", PieceSimilarity(matching))(edits)).reshape(len(references), -1, 2)[0]

    return {
        "some": lambda s, r, h: np.column_stack(
            [asked(regressor, h), asked(other, h), asked(pairs, list(zip(s, h, strict=True)))]
        ),
        "impara": lambda s, r, h: np.column_stack(
            [asked(regressor, h), VectorSimilarity(vectors).many(list(zip(s, h, strict=True)))]
        ),
        "scribendi": lambda s, r, h: asked(language, [*s, *h])[len(s) :],
        "perplexity": lambda s, r, h: asked(language, h),
        "bertscore": lambda s, r, h: np.column_stack([asked(matching, list(zip(h, c, strict=True))) for c in r]),
        "pt weights": weighed,
    }


def measured(name: str, work: Work, sources: Texts, references: list[Texts], hypotheses: Texts, dtype: str) -> str:
    count, third = len(hypotheses), len(hypotheses) // 3
    with recorded() as passes:  # on all texts, which warms everything up
        first, _ = fresh(lambda: work(sources, references, hypotheses))
    rows, seconds = fresh(lambda: work(sources, references, hypotheses))
    seconds = min(seconds, fresh(lambda: work(sources, references, hypotheses))[1])
    bare = min(replayed(passes), replayed(passes))

    def turned(listed: Texts) -> Texts:
        return listed[:third][::-1]

    other, _ = fresh(lambda: work(turned(sources), [turned(of) for of in references], turned(hypotheses)))
    same = np.array_equal(rows[:third], other[::-1], equal_nan=True) and np.array_equal(first, rows, equal_nan=True)
    return (
        f"{name:<12}{dtype:<7}{count / seconds:>12,.0f}{count / bare:>12,.0f}{bare / seconds:>8.0%}  "
        f"{'yes' if same else 'NO'}"
    )


def fresh(work: Callable[[], Any]) -> tuple[Any, float]:
    """The work's result and seconds, with no result known before."""
    result_cache._memory.clear()
    gc.collect()  # memory of the GPU stays at hand, as it does for the bare models
    synchronize()
    start = time.perf_counter()
    actual = work()
    synchronize()
    return actual, time.perf_counter() - start


@contextmanager
def recorded() -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """Every batch that goes through a model meanwhile, as it lies on the device."""
    passes: list[tuple[Any, dict[str, Any]]] = []
    tensors = Encoder.tensors

    def recording(self: Encoder, batch: Any) -> Any:
        made = tensors(self, batch)
        supplied = {"input_ids": made.ids, "attention_mask": made.mask}
        passes.append(
            (self.model.model, supplied if made.segments is None else {**supplied, "token_type_ids": made.segments})
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
        for model, supplied in passes[:2]:
            model(**supplied)
        synchronize()
        start = time.perf_counter()
        for model, supplied in passes:
            model(**supplied)
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
