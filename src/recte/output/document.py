"""Scores as one JSON object; its shape is a promise (docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recte._version import __version__
from recte.evaluation.plausibility.finding import Finding, as_plain
from recte.metrics.base import Score
from recte.patterns import compile_later
from recte.streamed import Streamed

if TYPE_CHECKING:
    from recte.evaluation.part_comparison import PartComparison, TypeDifference
    from recte.statistics.comparison import Comparison

__all__ = ["SCHEMA_VERSION", "document", "json_pieces", "plain_json"]

SCHEMA_VERSION = 1
# Controls that JSON leaves as they are, and lone surrogates.
_UNSAFE = compile_later("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def json_pieces(
    scores: Sequence[Score],
    findings: Sequence[Finding] = (),
    comparisons: Sequence[Comparison] = (),
    parts: Mapping[str, Sequence[PartComparison]] | None = None,
    types: Mapping[str, Sequence[TypeDifference]] | None = None,
) -> Iterator[str]:
    """One object with a list of rows, one per system and metric, piece by piece; a missing value is null, never NaN.

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
    rows = [score.to_streamed_dict() for score in scores]
    return _pieces({**_versions(), "scores": rows, **tested, "warnings": as_plain(findings)}, "\n")


def document(**parts: Any) -> str:
    """One JSON object with the versions first: plain values only, and no NaN among them."""
    return plain_json({**_versions(), **parts})


def _versions() -> dict[str, Any]:
    return {"schema_version": SCHEMA_VERSION, "recte_version": __version__}


def plain_json(value: Any) -> str:
    """JSON that can be printed: no NaN, no controls that a terminal would obey."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", _ENCODER.encode(value))


_ENCODER = json.JSONEncoder(ensure_ascii=False, indent=2, allow_nan=False)


def _pieces(value: Any, line_end: str) -> Iterator[str]:
    """`plain_json` in pieces: a streamed sequence is never there as a whole. `line_end` has the indent of the value."""
    inner = f"{line_end}  "
    if isinstance(value, Streamed):
        separator = "["
        for item in value:
            yield f"{separator}{inner}{_indented(item, inner)}"
            separator = ","
        yield f"{line_end}]" if len(value) else "[]"
    elif isinstance(value, dict | list) and value:
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        for number, item in enumerate(value):
            yield f"{',' if number else opening}{inner}"
            if isinstance(value, dict):
                yield f"{plain_json(item)}: "
            yield from _pieces(value[item] if isinstance(value, dict) else item, inner)
        yield f"{line_end}{closing}"
    else:
        yield _indented(value, line_end)


def _indented(value: Any, line_end: str) -> str:
    return plain_json(value).replace("\n", line_end)  # those inside texts are written out
