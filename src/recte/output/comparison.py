"""Who beats whom, as tables and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from recte.evaluation.differences import DifferingSentence, SentenceSide
from recte.metrics import metric_class
from recte.output.explanation import edit_text
from recte.output.tables import Table
from recte.statistics.comparison import ComparedPair, Comparison

__all__ = ["comparison_tables", "comparison_to_dict", "pair_table", "sentence_table", "test_name"]

_FEW = 4  # systems of which every pair is listed anyway


def comparison_tables(
    comparison: Comparison, heading: str, *, digits: int = 2, pairs: bool = False, notes: Sequence[str] = ()
) -> list[Table]:
    """A matrix of differences with clusters, and a list of pairs on request or where there are few; a list alone with
    a baseline. `heading` is the metric's. What is to be known of the scores, `notes`, stands below the first table.
    """
    if comparison.baseline is not None:
        table = _list(comparison, f"{heading}: against {comparison.baseline}", digits)
        return [replace(table, notes=(*table.notes, *notes))]
    table = _matrix(comparison, f"{heading}: row minus column", digits)
    tables = [replace(table, notes=(*table.notes, *notes))]
    if pairs or len(comparison.systems) <= _FEW or comparison.pairs[0].power is not None:
        tables.append(_list(comparison, f"{heading}: pairs", digits))
    return tables


def _matrix(comparison: Comparison, title: str, digits: int) -> Table:
    of_cluster = {name: number for number, cluster in enumerate(comparison.clusters or (), 1) for name in cluster}
    rows, factor = [], comparison.score_factor
    for place, name in enumerate(comparison.systems):
        cells = [_difference(comparison, name, other, digits) for other in comparison.systems]
        score, interval = comparison.scores[place], comparison.intervals[place]
        ends = f"[{factor * interval.low:.{digits}f}, {factor * interval.high:.{digits}f}]"
        rows.append((name, str(of_cluster[name]), f"{factor * score:.{digits}f}", ends, *cells))
    level = f"{100 * comparison.intervals[0].level:g}% interval"
    headers = ("system", "cluster", "score", level, *comparison.systems)
    notes = (
        f"* p < {comparison.alpha:g} by {test_name(comparison)}; clusters: every system of one differs from every "
        "system of the next",
        comparison.signature,
    )
    return Table(title, headers, tuple(rows), notes)


def _difference(comparison: Comparison, name: str, other: str, digits: int) -> str:
    pair_and_sign = comparison.pair(name, other)
    if pair_and_sign is None:
        return ""
    pair, sign = pair_and_sign
    mark = "*" if comparison.is_significant(pair) else " "
    return f"{comparison.score_factor * sign * pair.difference:+.{digits}f}{mark}"


def _list(comparison: Comparison, title: str, digits: int) -> Table:
    alone = comparison.baseline is not None
    level = f"{100 * comparison.pairs[0].interval.level:g}% interval"
    headers = ["system" if alone else "pair", "difference", level]
    headers += ["mean of sentences"] if comparison.pairs[0].mean_difference is not None else []
    headers += ["p"]
    headers += ["p (Holm)"] if comparison.corrected else []
    powered = any(pair.power for pair in comparison.pairs)
    headers += ["detectable", "power", "sentences needed"] if powered else []
    rows = tuple(_pair_row(comparison, pair, alone, digits) for pair in comparison.pairs)
    notes = [f"* p < {comparison.alpha:g} by {test_name(comparison)}"]
    if powered:
        notes.append(
            f"detectable: the smallest true difference that these sentences would show in {_share(comparison)} of "
            f"cases by a t-test at {comparison.alpha:g}, uncorrected; power: how often they would show the observed one"
        )
    return Table(title, tuple(headers), rows, (*notes, comparison.signature))


def _pair_row(comparison: Comparison, pair: ComparedPair, alone: bool, digits: int) -> tuple[str, ...]:
    mark = "*" if comparison.is_significant(pair) else " "
    factor = comparison.score_factor
    interval = f"[{factor * pair.interval.low:+.{digits}f}, {factor * pair.interval.high:+.{digits}f}]"
    row = [
        pair.first if alone else f"{pair.first} – {pair.second}",
        f"{factor * pair.difference:+.{digits}f}{mark}",
        interval,
    ]
    row += [] if pair.mean_difference is None else [f"{factor * pair.mean_difference:+.{digits}f}"]
    row += [_p(pair.p)]
    row += [_p(pair.p_holm)] if comparison.corrected else []
    if pair.power is not None:
        needed, detectable = pair.power.sentences_needed, pair.power.detectable_difference
        row += [
            "–" if detectable is None else f"{factor * detectable:.{digits}f}",
            f"{100 * pair.power.power_of_observed:.0f}%",
            "–" if needed is None else f"{needed:,}",
        ]
    return tuple(row)


def pair_table(comparison: Comparison, digits: int) -> Table:
    """Every pair with plain numbers, a column each, for a spreadsheet."""
    headers = ("first", "second", "difference", "low", "high", "p", "p_holm", "significant")
    factor = comparison.score_factor

    def row(pair: ComparedPair) -> tuple[str, ...]:
        figures = (pair.difference, pair.interval.low, pair.interval.high)
        return (
            pair.first,
            pair.second,
            *(f"{factor * figure:.{digits}f}" for figure in figures),
            f"{pair.p:.6g}",
            f"{pair.p_holm:.6g}",
            "yes" if comparison.is_significant(pair) else "no",
        )

    powered = ("detectable", "power", "sentences_needed")

    def power(pair: ComparedPair) -> tuple[str, ...]:
        if pair.power is None:
            return ()
        detectable, needed = pair.power.detectable_difference, pair.power.sentences_needed
        return (
            "" if detectable is None else f"{factor * detectable:.{digits}f}",
            f"{pair.power.power_of_observed:.4f}",
            "" if needed is None else str(needed),
        )

    rows = tuple((*row(pair), *power(pair)) for pair in comparison.pairs)
    more = powered if comparison.pairs[0].power is not None else ()
    return Table(metric_class(comparison.metric).title, (*headers, *more), rows, (comparison.signature,))


def sentence_table(comparison: Comparison, heading: str, sentences: Sequence[DifferingSentence], digits: int) -> Table:
    """Where two systems differ most: both scores, the source, and both systems' edits, or outputs without edits."""
    names = [side.system for side in sentences[0].sides] if sentences else list(comparison.systems[:2])
    factor = comparison.score_factor

    def format_side(side: SentenceSide) -> str:
        if side.edits is None:
            return side.output
        return "; ".join(edit_text(edit.verdict, edit.original, edit.corrections) for edit in side.edits) or "no edit"

    rows = tuple(
        (
            str(sentence.sentence),
            *(f"{factor * side.score:.{digits}f}" for side in sentence.sides),
            f"{factor * sentence.difference:+.{digits}f}",
            sentence.source,
            *map(format_side, sentence.sides),
        )
        for sentence in sentences
    )
    title = f"{heading}: where {names[0]} and {names[1]} differ most"
    notes = (
        ("✓ correct, ✗ spurious, ○ missed",)
        if any(side.edits for sentence in sentences for side in sentence.sides)
        else ()
    )
    what = "edits" if notes else "output"
    headers = ("sentence", *names, "difference", "source", *(f"{name}: {what}" for name in names))
    return Table(title, headers, rows, notes, words=3)


def _share(comparison: Comparison) -> str:
    return next(f"{100 * pair.power.power:.0f}%" for pair in comparison.pairs if pair.power is not None)


def _p(value: float) -> str:
    return "<0.0001" if value < 0.00005 else f"{value:.4f}"


def test_name(comparison: Comparison) -> str:
    """The test in words, with its trials and correction."""
    names = {
        "randomisation": "approximate randomisation",
        "bootstrap": "paired bootstrap",
        "bootstrap-normal": "paired bootstrap, by the normal distribution",
        "bootstrap-sacrebleu": "paired bootstrap as in sacreBLEU",
        "two-level": "two-level bootstrap over runs and sentences",
        "t": "paired t-test",
        "wilcoxon": "Wilcoxon's test",
    }
    trials = "" if comparison.trials is None else f", {comparison.trials:,} trials, seed {comparison.seed}"
    units = ", by documents" if comparison.unit == "document" else ""
    seen = ", of mean differences of sentence scores" if comparison.pairs[0].mean_difference is not None else ""
    holm = ", corrected by Holm" if comparison.corrected else ""
    few = "; so few trials cannot call any of so many pairs significant" if comparison.has_too_few_trials else ""
    return f"{names[comparison.test]}{seen}{units}{trials}{holm}{few}"


def comparison_to_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain data: docs/json.md."""
    plain = asdict(comparison)
    del plain["score_factor"]  # of tables: figures here are as they are
    for row, pair in zip(plain["pairs"], comparison.pairs, strict=True):
        row["significant"] = comparison.is_significant(pair)
    return plain
