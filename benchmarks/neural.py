"""Neural metrics compared with gec-metrics, in CPU seconds of one thread, with models of base size and random weights.

    python -m benchmarks.neural                 # base size, 32 sentences; some minutes
    python -m benchmarks.neural --layers 3 -n 24

gec-metrics is used where it is installed, or lies in the folder PEER: its files are loaded one by one, since the
package imports what only its other metrics need, and its call of a GPU is disarmed. It keeps nothing from one system to
the next, so what it takes for 13 systems is 13 times what it takes for one. The 13 systems of this benchmark share
their sources, and have four different outputs for each.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

os.environ["RECTE_NEURAL_CACHE"] = "off"

from benchmarks.measuring import Figure, show
from benchmarks.random_models import base_models, texts
from recte import Corpus, System
from recte.caching import result_cache
from recte.metrics.base import Metric
from recte.metrics.bertscore import BertScore
from recte.metrics.impara import Impara
from recte.metrics.pt_errant import PtErrant
from recte.metrics.pt_m2 import PtM2
from recte.metrics.scribendi import Scribendi
from recte.metrics.some import Some

SYSTEMS = 13
WANTED = {"some": (3.0, 6.0), "impara": (3.0, 10.0), "scribendi": (1.8, 4.0), "bertscore": (1.0, 4.0)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--sentences", type=int, default=32)
    parser.add_argument("--layers", type=int, default=12, help="of 12; the ratio hardly depends on them")
    parser.add_argument("--metrics", nargs="+", default=[])
    parser.add_argument("--one-system", action="store_true", help="no 13 systems: what is said of them means nothing")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        models = base_models(Path(folder), arguments.layers)
        show(
            list(
                figures(
                    models, arguments.sentences, min(9, arguments.layers), arguments.metrics, not arguments.one_system
                )
            )
        )


def figures(models: dict[str, str], count: int, layer: int, only: list[str], several: bool) -> Iterator[Figure]:
    sources = texts(count, seed=1)
    references = [texts(count, seed, of=sources) for seed in (2, 3)]
    corpus = Corpus.from_references(sources, references)
    variants = [sources, *(texts(count, seed, of=sources) for seed in (4, 5, 6))]
    generator = random.Random(7)
    outputs = [[generator.choice(of)[i] for i, of in enumerate([variants] * count)] for _ in range(SYSTEMS)]
    first = texts(count, 4, of=sources)
    systems = {str(s): System(str(s), tuple(mine)) for s, mine in enumerate(outputs)}
    classifier, encoder, gpt2 = models["classifier"], models["encoder"], models["gpt2"]
    matching = {"model": encoder, "layer": layer, "rescale": False}
    listed: list[tuple[Metric, Callable[[], Any] | None]] = [
        (
            Some(
                grammaticality_model=models["grammaticality"],
                fluency_model=models["fluency"],
                meaning_model=models["meaning"],
            ),
            lambda: peer("some", "SOME", model_g=classifier, model_f=classifier, model_m=classifier, no_cuda=True),
        ),
        (
            Impara(quality_model=classifier, similarity_model=encoder),
            lambda: peer("impara", "IMPARA", model_qe=classifier, model_se=encoder, no_cuda=True),
        ),
        (Scribendi(model=gpt2), lambda: peer("scribendi", "Scribendi", model=gpt2, no_cuda=True)),
        (
            BertScore(**matching),
            lambda: peer(
                "bertscore",
                "BertScore",
                model_type=encoder,
                num_layers=layer,
                rescale_with_baseline=False,
                use_fast_tokenizer=True,
            ),
        ),
        (PtM2(**matching), None),
        (PtErrant(**matching), None),
    ]
    for metric, make in listed:
        if only and metric.name not in only:
            continue
        scorer = metric.prepare(corpus)
        scorer.count(first[:1] + sources[1:])  # loads the models
        item = seconds(lambda scorer=scorer: scorer.count(first))

        def all_systems(metric: Metric = metric) -> None:
            prepared = metric.prepare_with(corpus, systems)
            for system in systems.values():
                prepared.count(system)

        many = seconds(all_systems) if several else SYSTEMS * item
        ours = f"{count / item:.1f} sentences per CPU second; {SYSTEMS} systems {SYSTEMS * count / many:.1f}"
        theirs = make() if make is not None else None
        if theirs is None:
            yield Figure(f"{metric.name}", ours, "said", True)
            continue
        arguments = (first, references) if metric.needs_references else (sources, first)
        published = seconds(lambda theirs=theirs, arguments=arguments: theirs.score_sentence(*arguments))
        alone, together = published / item, SYSTEMS * published / many
        wanted = WANTED[metric.name]
        yield Figure(
            f"{metric.name} beside gec-metrics",
            f"{ours}; gec-metrics {count / published:.2f}: {alone:.1f} times as fast, {together:.1f} with {SYSTEMS}",
            f"{wanted[0]:g} and {wanted[1]:g} times",
            alone >= wanted[0] and together >= wanted[1],
        )


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds with no result known before."""
    result_cache._memory.clear()
    start = time.process_time()
    work()
    return time.process_time() - start


class _Nothing(types.ModuleType):
    """A module that neural metrics import and do not use."""

    made: ClassVar[set[str]] = set()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.made.add(name)

    def __getattr__(self, name: str) -> None:
        return None


def peer(module: str, name: str, **config: Any) -> Any:
    """A metric of gec-metrics, or None where the library is not here."""
    sys.path.insert(0, os.environ.get("PEER", ""))
    if "gec_metrics" not in sys.modules:
        actual = find_spec("gec_metrics")
        if actual is None or not actual.submodule_search_locations:
            return None
        root = Path(next(iter(actual.submodule_search_locations)))
        for package, folder in (("gec_metrics", root), ("gec_metrics.metrics", root / "metrics")):
            bare = types.ModuleType(package)
            bare.__path__ = [str(folder)]
            sys.modules[package] = bare
        for unneeded in (
            "gecommon",
            "pandas",
            "matplotlib",
            "matplotlib.pyplot",
            "mpl_toolkits",
            "mpl_toolkits.axes_grid1",
        ):
            if unneeded.partition(".")[0] in _Nothing.made or find_spec(unneeded) is None:
                sys.modules[unneeded] = _Nothing(unneeded)
    import torch

    torch.nn.Module.cuda = lambda self, *_: self  # type: ignore[method-assign,assignment]
    cls = getattr(importlib.import_module(f"gec_metrics.metrics.{module}"), name)
    return cls(cls.Config(**config))


if __name__ == "__main__":
    main()
