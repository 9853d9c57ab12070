"""What looks wrong with a submission next to its sources. Nothing is said of gold or baselines: these are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from recte.evaluation.counting import CHUNK
from recte.evaluation.plausibility.finding import WARNING, Finding
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.tasks.bundle.scoring_task import ScoredSet

__all__ = ["SUBMISSION", "find_refused", "submission_findings"]

SUBMISSION = "/submission"  # no baseline is called so: names of files have no /


def submission_findings(test_set: ScoredSet, outputs: Path) -> tuple[Finding, ...]:
    """Warnings about the outputs for a test set."""
    check = PlausibilityCheck()
    for corpus, systems in test_set.gold.chunks({SUBMISSION: outputs}, CHUNK):
        check.look(corpus, systems)
    return tuple(f for f in check.findings() if f.where == SUBMISSION and f.level == WARNING)


def find_refused(findings: Sequence[Finding], kinds: Sequence[str]) -> Finding | None:
    """The first finding by which the task refuses a submission."""
    return next((finding for finding in findings if finding.kind in kinds), None)
