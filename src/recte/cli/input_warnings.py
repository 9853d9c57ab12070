"""What looks wrong with input, as lines on standard error: one for each kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recte.evaluation.counting import SystemCounts
from recte.evaluation.plausibility.finding import WARNING, Finding
from recte.evaluation.plausibility.plausibility_check import ExpectedTokens
from recte.evaluation.plausibility.score_range import out_of_range
from recte.messages import note, warn

__all__ = ["find_expected_tokens", "find_main_scores_out_of_range", "print_all_findings", "print_findings"]


def find_expected_tokens(preset_name: str | None) -> ExpectedTokens | None:
    """The tokens of a preset's texts and what finds its edits, where there is a preset and it matters."""
    from recte.tasks.presets import PRESETS

    preset = PRESETS.get(preset_name or "")
    if preset_name is None or preset is None or not preset.tokens:
        return None
    annotator = preset.annotator_warning(preset_name)
    return ExpectedTokens(preset.token_warning(preset_name), preset.cut_by or "", annotator)


def print_findings(findings: Sequence[Finding]) -> None:
    """Print the warnings, and what was left out. With `--strict` there are no warnings: the input was refused."""
    for finding in findings:
        if finding.is_told:
            (warn if finding.level == WARNING else note)(str(finding))


def print_all_findings(findings: Sequence[Finding]) -> None:
    """Print notes as warnings, too: for output that has no place for them next to its figures."""
    for finding in findings:
        warn(str(finding))


def find_main_scores_out_of_range(counted: Iterable[SystemCounts]) -> dict[str, tuple[Finding, ...]]:
    """By metric, a note for each system whose score is above 100 %; for commands that show of a metric no more."""
    findings: dict[str, tuple[Finding, ...]] = {}
    for of_system in counted:
        metric = of_system.metric
        columns = [column for column in metric.columns if column.path == ("score",)]
        beyond = out_of_range([metric.score_counts(of_system.counts)], columns)
        findings[metric.name] = (*findings.get(metric.name, ()), *beyond)
    return findings
