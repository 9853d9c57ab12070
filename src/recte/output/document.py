"""Scores as one JSON object; its shape is a promise (docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recte._version import __version__
from recte.evaluation.plausibility.finding import Finding, as_plain
from recte.metrics.base import Score
from recte.patterns import compile_later

if TYPE_CHECKING:
    from recte.evaluation.part_comparison import PartComparison, TypeDifference
    from recte.statistics.comparison import Comparison

__all__ = ["SCHEMA_VERSION", "document", "plain_json", "to_json"]

SCHEMA_VERSION = 1
# Controls that JSON leaves as they are, and lone surrogates.
_UNSAFE = compile_later("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def to_json(
    scores: Sequence[Score],
    findings: Sequence[Finding] = (),
    comparisons: Sequence[Comparison] = (),
    parts: Mapping[str, Sequence[PartComparison]] | None = None,
    types: Mapping[str, Sequence[TypeDifference]] | None = None,
) -> str:
    """One object with a list of rows, one per system and metric; a missing value is null, never NaN.

    `found` is what looks wrong with the input, `comparisons` those with a baseline, left out where there are none, as
    are those of `parts` and `types`, by metric.
    """
    tested: dict[str, Any] = {}
    if comparisons:
        from recte.output.comparison import comparison_to_dict

        tested = {"comparisons": [comparison_to_dict(comparison) for comparison in comparisons]}
        if parts:
            tested["part_comparisons"] = [
                {"subset": dict(part.subset), **comparison_to_dict(part.comparison)}
                for of_metric in parts.values()
                for part in of_metric
            ]
        if types:
            tested["type_comparisons"] = [
                {"metric": metric, **asdict(of_type)} for metric, of_metric in types.items() for of_type in of_metric
            ]
    return document(scores=[score.to_dict() for score in scores], **tested, warnings=as_plain(findings))


def document(**parts: Any) -> str:
    """One JSON object with the versions first: plain values only, and no NaN among them."""
    versions = {"schema_version": SCHEMA_VERSION, "recte_version": __version__}
    return plain_json({**versions, **parts})


def plain_json(value: Any) -> str:
    """JSON that can be printed: no NaN, no controls that a terminal would obey."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
