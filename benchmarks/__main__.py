"""`python -m benchmarks`: every figure in turn; those that need the shared data are passed over where it is absent."""

from __future__ import annotations

from benchmarks import (
    cherrant,
    cluster,
    corpora,
    coverage,
    edit_metrics,
    errant,
    faithfulness,
    gleu,
    human,
    imeasure,
    inference,
    install,
    maxmatch,
    report,
    training,
)
from benchmarks.measuring import SHARED, show


def main() -> None:
    show([*maxmatch.small(), *install.sizes()])
    if not SHARED.exists():
        print(f"the other figures need the shared data (set RECTE_SHARED): not at {SHARED}")
        return
    for part in (
        maxmatch.one_call,
        imeasure.unmixed,
        gleu.one_call,
        edit_metrics.one_call,
        errant.one_call,
        coverage.conservatism,
        coverage.coverage,
        inference.one_call,
        report.one_call,
        report.papers,
        inference.one_system,
        faithfulness.one_call,
        maxmatch.hard_cases,
        imeasure.slowest_mixture,
        imeasure.mixed,
        maxmatch.million_pairs,
        corpora.million_pairs,
        training.one_batch,
        cluster.ten_million_pairs,
        maxmatch.kernel,
        imeasure.long_sentences,
        imeasure.kernel,
        gleu.kernel,
        edit_metrics.kernel,
        edit_metrics.resampling,
        edit_metrics.spelling,
        errant.alignment,
        cherrant.extraction,
        cherrant.comparison,
        cherrant.one_call,
        cherrant.kernel,
        cherrant.stalls,
        human.trueskill,
        human.bootstraps,
        human.one_call,
        human.modern_metaevaluation,
    ):
        show(list(part()))


main()
