"""Counts and scores of systems, gold and systems in parts: the calls for Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from recte.corpus.counts import Counts
from recte.evaluation.cluster.corpus_parts import collection_name, pair_parts
from recte.evaluation.cluster.counting_run import CountingRun, checkpoint_folder
from recte.evaluation.cluster.dask_engine import DaskEngine
from recte.evaluation.cluster.engines import Engine, SerialEngine
from recte.evaluation.cluster.part_counting import CountingJob
from recte.evaluation.cluster.scoring_run import ScoringRun
from recte.evaluation.counting import CountRequest
from recte.evaluation.inputs import GoldFiles, system_names
from recte.evaluation.scoring import metric_with
from recte.metrics.base import Metric, Score
from recte.statistics.intervals import Resampling

__all__ = ["count", "engine_of", "score"]


def count(
    gold: str | Path | GoldFiles,
    systems: Mapping[str, str] | Sequence[str],
    *,
    metric: str | Metric = "m2",
    client: Any = None,
    checkpoint: str | Path | None = None,
    skip_bad_parts: bool = False,
    types: bool = False,
    **options: Any,
) -> dict[str, Counts]:
    """Counts by system, of a corpus that may be larger than a machine. The same as on one machine, to the last bit.

    `gold` and each system is a glob, a folder of part files, or one file; files pair by sorted name. `systems` are such
    by name, or a list of them. `metric` is a name with its `options`, or a metric. `client` is a
    `distributed.Client`, or another engine; without one, parts are counted here, one after the other. `checkpoint` is
    a folder for finished parts, which a later run takes from there; `skip_bad_parts` leaves out what cannot be read;
    `types` counts error types, too.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for n in range(2):
    ...         _ = pathlib.Path(folder, f"gold-{n}.m2").write_text("S He go .\\n\\n")
    ...         _ = pathlib.Path(folder, f"mine-{n}.txt").write_text("He go .\\n")
    ...     count(f"{folder}/gold-*.m2", [f"{folder}/mine-*.txt"])["mine"].index.tolist()
    [0, 1]
    """
    metric = metric_with(metric, options)
    run = _run(gold, systems, CountingJob((metric,), CountRequest(types=types)), client, checkpoint, skip_bad_parts)
    return {system_counts.counts.system: system_counts.counts for system_counts in run.counts().counted}


def score(
    gold: str | Path | GoldFiles,
    systems: Mapping[str, str] | Sequence[str],
    *,
    metric: str | Metric = "m2",
    client: Any = None,
    checkpoint: str | Path | None = None,
    skip_bad_parts: bool = False,
    resampling: Resampling | None = None,
    **options: Any,
) -> dict[str, Score]:
    """Scores by system, of a corpus that may be larger than a machine; counts stay with the workers where sums are
    enough. The same as on one machine, to the last bit.

    `resampling` asks for intervals; the other parameters are those of `count`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for n in range(2):
    ...         _ = pathlib.Path(folder, f"gold-{n}.m2").write_text("S He go .\\n\\n")
    ...         _ = pathlib.Path(folder, f"mine-{n}.txt").write_text("He go .\\n")
    ...     score(f"{folder}/gold-*.m2", [f"{folder}/mine-*.txt"])["mine"].sentence_count
    2
    """
    metric = metric_with(metric, options)
    run = _run(gold, systems, CountingJob((metric,)), client, checkpoint, skip_bad_parts)
    return {score.system: score for _, score in ScoringRun(run, resampling).scores().scores}


def _run(
    gold: str | Path | GoldFiles,
    systems: Mapping[str, str] | Sequence[str],
    job: CountingJob,
    client: Any,
    checkpoint: str | Path | None,
    skip_bad_parts: bool,
) -> CountingRun:
    if not isinstance(systems, Mapping):
        systems = system_names(systems, [collection_name(path) for path in systems])
    files = gold if isinstance(gold, GoldFiles) else GoldFiles(gold=gold)
    job = replace(job, checkpoint=checkpoint_folder(checkpoint))
    return CountingRun(engine_of(client), pair_parts(files, systems), job, skip_bad_parts=skip_bad_parts)


def engine_of(client: Any) -> Engine:
    """The engine itself, Dask's for a client, or this process."""
    if client is None:
        return SerialEngine()
    engine: Engine = client if hasattr(client, "as_finished") else DaskEngine(client)
    return engine
