"""Names of submissions as Codabench writes them where organisers download them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["DownloadedName"]

# Codabench 1.25: 16_team_PhaseId2_2026-11-18:08-04_file.zip; some systems write another sign for the colon.
_NAME = re.compile(r"(\d+)_(.+)_PhaseId\d+_(\d{4}-\d\d-\d\d)[^0-9](\d\d)-(\d\d)_(.*)\.zip", re.IGNORECASE)


@dataclass(frozen=True)
class DownloadedName:
    """Whose submission a file is, its number on the platform, and the minute (UTC) in which it was sent."""

    team: str
    number: int
    sent: datetime

    @classmethod
    def of(cls, path: str | Path) -> DownloadedName | None:
        """What the file's name says; None where the platform has not named it.

        >>> name = DownloadedName.of("16_Lattice_PhaseId2_2026-11-18:08-04_run3.zip")
        >>> name.team, name.number, f"{name.sent:%H:%M}"
        ('Lattice', 16, '08:04')
        >>> DownloadedName.of("run3.zip")
        """
        match = _NAME.fullmatch(Path(path).name)
        if match is None:
            return None
        number, team, day, hour, minute, _ = match.groups()
        try:
            sent = datetime.fromisoformat(f"{day}T{hour}:{minute}:00").replace(tzinfo=UTC)
        except ValueError:  # no such day
            return None
        return cls(team, int(number), sent)
