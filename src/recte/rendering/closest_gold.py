"""Tables of systems on references that follow their output."""

from __future__ import annotations

from recte.coverage.closest_gold import ClosestGoldStudy
from recte.inference.bootstrap import Interval
from recte.rendering.tables import Table

__all__ = ["closest_gold_tables"]

_WARNING = "own references are not comparable across systems: judge them by the differences of shifts"


def closest_gold_tables(study: ClosestGoldStudy, digits: int = 2) -> list[Table]:
    """Scores and shifts of each system; differences of shifts, and which pairs of systems turn."""

    def percent(value: float | None, sign: str = "") -> str:
        return "–" if value is None else f"{100 * value:{sign}.{digits}f}"

    def between(interval: Interval | None) -> str:
        return "–" if interval is None else f"[{percent(interval.low, '+')}, {percent(interval.high, '+')}]"

    level = next((s.interval.level for s in study.systems if s.interval is not None), 0.95)
    rows = tuple(
        (
            s.system,
            *map(percent, (s.fixed, s.own, s.both)),
            percent(s.shift, "+"),
            between(s.interval),
            *(percent(value, "+") for value in (s.precision, s.recall)),
        )
        for s in study.systems
    )
    headers = ("system", "fixed", "own", "both", "shift", f"{100 * level:g}% interval", "shift of P", "of R")
    notes = (f"Kendall's τ of the two orders {_tau(study.kendall)}; {_WARNING}", study.signature)
    tables = [Table(f"References that follow the output, {study.metric}", headers, rows, notes)]
    if study.differences:
        turned = {frozenset((t.better_on_fixed, t.better_on_own)): t for t in study.turned}
        lines = []
        for d in study.differences:
            pair = turned.get(frozenset((d.first, d.second)))
            told = "" if pair is None else f"{pair.better_on_own} overtakes {pair.better_on_fixed}"
            share = "" if pair is None or pair.share is None else f"{100 * pair.share:.0f}%"
            lines.append(
                (f"{d.first} − {d.second}", percent(d.difference, "+"), between(d.interval), f"{d.p:.3f}", told, share)
            )
        columns = ("systems", "difference of shifts", "interval", "p", "order", "of resamples")
        tables.append(Table("Is the fixed set fairer to some?", columns, tuple(lines)))
    if study.judged:
        judged = tuple((j.judge, *map(_tau, (j.fixed, j.own, j.both))) for j in study.judged)
        note = "Kendall's τ of the judge's order of systems, who looks at no references, with the metric's"
        tables.append(Table("Which order is nearer to a judge's?", ("judge", "fixed", "own", "both"), judged, (note,)))
    return tables


def _tau(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
