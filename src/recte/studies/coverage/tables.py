"""Tables of a coverage study, of human ceilings and of references that follow the output."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recte.output.tables import Table
from recte.statistics.bootstrap import Interval
from recte.studies.coverage.closest_gold import ClosestGoldStudy
from recte.studies.coverage.human_ceilings import CeilingStudy
from recte.studies.coverage.perfect_scores import PerfectScore
from recte.studies.coverage.reference_coverage import CoverageStudy

__all__ = ["ceiling_tables", "closest_gold_tables", "coverage_tables", "sentence_estimates"]

_MATCH_NAMES = {"exact": "exact match", "index": "index match"}


def coverage_tables(
    studies: Sequence[CoverageStudy], perfect: Sequence[PerfectScore] = (), digits: int = 2
) -> list[Table]:
    """How many corrections there are by each match, the curves by number of references, and references needed."""
    return [
        *(_corrections(study, digits) for study in studies),
        *(_coverage(study, digits) for study in studies),
        _consequences(studies[0], perfect, digits),
        _table_of_needs(studies),
    ]


def _corrections(study: CoverageStudy, digits: int) -> Table:
    headers, rows = ["frequency"], [[f"more than {row.frequency:g}"] for row in study.thresholds]
    intervals = any(row.variants_interval is not None for row in study.thresholds)
    headers += ["corrections", *(["95 %"] if intervals else []), "mass %", *(["95 %"] if intervals else [])]
    for cells, row in zip(rows, study.thresholds, strict=True):
        for value, interval, factor in ((row.variants, row.variants_interval, 1), (row.mass, row.mass_interval, 100)):
            cells.append(f"{factor * value:.{digits}f}")
            cells += [_between(interval, factor, digits)] if intervals else []
    sentences = study.sentences
    seen = np.mean([s.distinct for s in sentences])
    notes = (
        f"{len(sentences)} sentences, {sum(s.answers for s in sentences)} answers, {seen:.1f} distinct a sentence; "
        f"Chao1 {np.mean([s.chao1 for s in sentences]):.1f} at least; the next answer is new with "
        f"{100 * np.mean([s.unseen_probability for s in sentences]):.1f} % (Good–Turing)",
    )
    title = f"Corrections of a sentence by frequency, {_MATCH_NAMES[study.match]} (UNSEENEST, {study.rule} rule)"
    return Table(title, tuple(headers), tuple(map(tuple, rows)), notes)


def _coverage(study: CoverageStudy, digits: int) -> Table:
    """One row a number of references: how much they cover."""
    intervals = any(point.coverage_interval is not None for point in study.curve)
    headers = ["references", "accuracy %", *(["95 %"] if intervals else []), "all different %"]
    rows = []
    for point in study.curve:
        cells = [str(point.references), f"{100 * point.coverage:.{digits}f}"]
        cells += [_between(point.coverage_interval, 100, digits)] if intervals else []
        rows.append((*cells, f"{100 * point.without_replacement:.{digits}f}"))
    note = "expected accuracy; references are drawn independently, or so that all are different"
    return Table(f"A perfect corrector, {_MATCH_NAMES[study.match]}", tuple(headers), tuple(rows), (note,))


def _consequences(study: CoverageStudy, perfect: Sequence[PerfectScore], digits: int) -> Table:
    """One row a number of references: where accuracy lies, its bias, what correcting gains, and F."""
    scores = {score.references: score for score in perfect}
    tested = any(point.p_value is not None for point in study.curve)
    headers = ["references", "accuracy 95 %", "bias", "gain"]
    headers += ["p"] if tested else []
    headers += [f"F{perfect[0].beta:g}", "95 %"] if scores else []
    rows = []
    for point in study.curve:
        cells = [str(point.references), _between(point.accuracy_interval, 100, digits)]
        cells += [f"{100 * point.bias:.{digits}f}", f"{point.gain:+.{digits}f}"]
        if point.p_value is not None:
            cells.append(f"{point.p_value:.3f}")
        if point.references in scores:
            score = scores[point.references]
            cells += [f"{100 * score.score:.{digits}f}", _between(score.interval, 100, digits)]
        rows.append(tuple(cells))
    notes = [
        f"accuracy on {len(study.sentences)} sentences by {_MATCH_NAMES[study.match]}, its bias, the gain from "
        "correcting at all",
        f"true accuracy {study.accuracy:g}, share of sentences that need correction {study.share:g}, reward "
        f"{study.reward:g}, penalty {study.penalty:g}",
    ]
    if tested:
        notes.append("p: how probable it is that a perfect corrector gets no more sentences right than asked about")
    if scores:
        notes.append("F: of a corpus drawn from the answers, MaxMatch's choice of annotators, BCa over sentences")
    return Table("What that does to scores", tuple(headers), tuple(rows), tuple(notes))


def _table_of_needs(studies: Sequence[CoverageStudy]) -> Table:
    rows = tuple(
        (
            f"{100 * of_share.coverage:g} %",
            *("–" if study.needed[w].references is None else f"{study.needed[w].references:,}" for study in studies),
        )
        for w, of_share in enumerate(studies[0].needed)
    )
    return Table("References needed", ("coverage", *(_MATCH_NAMES[study.match] for study in studies)), rows)


def sentence_estimates(study: CoverageStudy, digits: int = 1) -> Table:
    """One row a sentence: what was seen, and what is estimated."""
    rows = tuple(
        (
            s.id,
            str(s.answers),
            str(s.distinct),
            f"{100 * s.unseen_probability:.{digits}f}",
            f"{s.chao1:.{digits}f}",
            f"{s.variants:.{digits}f}",
            s.source if len(s.source) <= 40 else s.source[:39] + "…",
        )
        for s in study.sentences
    )
    headers = ("sentence", "answers", "distinct", "unseen %", "Chao1", "UNSEENEST", "source")
    return Table(f"Sentences, {_MATCH_NAMES[study.match]}", headers, rows)


def _between(interval: Interval | None, factor: float, digits: int) -> str:
    if interval is None:
        return "–"
    return f"{factor * interval.low:.{digits}f}–{factor * interval.high:.{digits}f}"


def ceiling_tables(study: CeilingStudy, digits: int = 2) -> list[Table]:
    """One row a number of references: what people and systems score, and the systems' share of what people do."""
    rows = []
    for place in range(max([len(study.ceilings), *(len(system.scores) for system in study.systems)])):
        human = study.ceilings[place] if place < len(study.ceilings) else None
        figures = [human.score, human.low, human.high] if human else []
        cells = [f"{100 * figure:.{digits}f}" for figure in figures] or ["–"] * 3
        rows.append((str(place + 1), *cells, *(f"{100 * s.scores[place]:.{digits}f}" for s in study.systems)))
    names = tuple(system.system for system in study.systems)
    notes = [
        f"F{study.beta:g} by MaxMatch on {study.sentence_count} sentences; people: each annotator against every choice",
        "of so many of the others, the mean over annotators, the lowest and the highest",
    ]
    if study.left_out:
        notes.append(f"{study.left_out} sentences are left out, which not every annotator annotated")
    headers = ("references", "people", "lowest", "highest", *names)
    tables = [Table("Human ceiling by number of references", headers, tuple(rows), tuple(notes))]
    if study.systems:
        shares = tuple(
            (str(c.references), *(f"{100 * s.ratios[m]:.{digits}f}" for s in study.systems))
            for m, c in enumerate(study.ceilings)
        )
        tables.append(Table("Systems, in % of what people score", ("references", *names), shares))
    return tables


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
