"""What looks wrong with input: how often, and where first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["NOTE", "WARNING", "Finding", "Sighting", "as_plain"]

WARNING = "warning"
NOTE = "note"
_TOLD_NOTES = ("not-annotated", "gold-ceiling")  # notes that tell what no score is of, or what none can reach


@dataclass(frozen=True)
class Finding:
    """One kind of oddity in one place. A warning may change what a score means; a note is an isolated oddity.

    `where` is a system's name, `gold`, `source` or `reference 1`; `line` is the first sentence's number, from 1, or for
    kinds about gold edits the line of the gold file. `of` says among how many the `count` was found.
    """

    kind: str
    level: str
    where: str
    count: int
    of: int
    line: int
    message: str

    @property
    def is_told(self) -> bool:
        """Whether it is said in a terminal: warnings, what was left out, and what cannot be reached. Other notes are
        for JSON and the page.
        """
        return self.level == WARNING or self.kind in _TOLD_NOTES

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def as_plain(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings for JSON."""
    return [finding.to_dict() for finding in findings]


@dataclass(frozen=True)
class Sighting:
    """What one part of a corpus shows of a kind; those of all parts together make a finding, or none.

    `lines` are sentences' numbers from 1 (or the gold file's lines), `of` how many could have shown it, `detail` what
    the first of them is like.
    """

    kind: str
    where: str
    lines: tuple[int, ...]
    of: int
    detail: str = ""
