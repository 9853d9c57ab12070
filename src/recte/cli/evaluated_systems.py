"""What `report` and `figures` share: gold, systems and metrics from the command line, gathered for showing."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recte.cli.arguments import gold_and_systems
from recte.cli.counted_systems import resampling_of
from recte.cli.input_warnings import expected_tokens, tell
from recte.cli.metric_flags import metrics_of
from recte.errors import OptionError
from recte.evaluation import Evaluation, evaluate
from recte.inputs import read_corpus_and_systems, system_names
from recte.rendering.terminal import progress_bar

__all__ = ["evaluated", "objects_kept"]


@contextmanager
def objects_kept() -> Iterator[None]:
    """Does not look for objects that nobody needs: those of an evaluation are many, and are needed to the end.

    Looking through them over and over takes a tenth of a report's time.
    """
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def evaluated(
    arguments: argparse.Namespace, command: str, title: str | None = None, *, attribute: bool = False
) -> Evaluation:
    """Everything a report shows, called by its `title`, or by its gold's file and folder.

    With `attribute`, also what each edit is worth.
    """
    gold, paths = gold_and_systems(arguments)
    if not paths:
        raise OptionError(f"{command}: expected at least one system, got none")
    metrics = metrics_of(arguments)
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    with progress_bar("metrics", quiet=arguments.quiet) as advance:
        results = evaluate(
            corpus,
            systems,
            metrics,
            name=title or "/".join(Path(gold.name).parts[-2:]),
            resampling=resampling_of(arguments),
            attribute=attribute,
            strict=arguments.strict,
            expected_tokens=expected_tokens(arguments),
            progress=advance,
        )
    tell(results.findings, arguments)
    return results
