"""`python -m benchmarks`: every figure in turn, or those of the modules named (`python -m benchmarks training report`).

Those that need the shared data are passed over where it is absent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from benchmarks import (
    cherrant,
    cluster,
    corpora,
    coverage,
    edit_metrics,
    errant,
    faithfulness,
    filtering,
    gleu,
    human,
    imeasure,
    inference,
    install,
    maxmatch,
    memory,
    raw_outputs,
    report,
    training,
)
from benchmarks.measuring import SHARED, Figure, show

Part = Callable[[], Iterable[Figure]]

WITHOUT_DATA: tuple[Part, ...] = (maxmatch.small, install.sizes)
# Whole commands first: a child's peak of memory starts at the size that this process has when it is forked.
WITH_DATA: tuple[Part, ...] = (
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
    imeasure.many_annotators,
    maxmatch.million_pairs,
    corpora.million_pairs,
    training.one_batch,
    cluster.ten_million_pairs,
    filtering.million_pairs,
    filtering.typed,
    errant.compared_with_a_loop,
    memory.peaks,
    maxmatch.kernel,
    imeasure.long_sentences,
    imeasure.kernel,
    gleu.kernel,
    raw_outputs.cost,
    raw_outputs.cost_of_checks,
    raw_outputs.cost_of_cleaning,
    raw_outputs.nearness,
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
)


def module_of(part: Part) -> str:
    return part.__module__.removeprefix("benchmarks.")


def main(wanted: Sequence[str]) -> None:
    known = sorted({module_of(part) for part in (*WITHOUT_DATA, *WITH_DATA)})
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SystemExit(f"benchmarks: expected names among {', '.join(known)}, got {', '.join(unknown)}")
    for part in WITHOUT_DATA:
        if not wanted or module_of(part) in wanted:
            show(list(part()))
    chosen = [part for part in WITH_DATA if not wanted or module_of(part) in wanted]
    if chosen and not SHARED.exists():
        print(f"the other figures need the shared data (set RECTE_SHARED): not at {SHARED}")
        return
    for part in chosen:
        show(list(part()))


if __name__ == "__main__":
    main(sys.argv[1:])
