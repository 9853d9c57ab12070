"""Scores as tables, and the order of their rows: one per metric, one for all metrics, by sentence, by convention.

Error types as a table: of one system with all counts, of several side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recte.corpus.corpus import DO_NOTHING
from recte.errors import OptionError, describe_choices, did_you_mean
from recte.evaluation.plausibility.score_range import out_of_range
from recte.metrics.base import Column, Metric, Score
from recte.output.tables import StreamedRows, Table

if TYPE_CHECKING:
    from recte.statistics.comparison import Comparison

__all__ = [
    "BETTER",
    "WORSE",
    "choose_columns",
    "convention_table",
    "figure_text",
    "in_order",
    "interval_text",
    "mark_note",
    "mark_of",
    "one_table",
    "p_and_verdict",
    "part_table",
    "score_table",
    "sentence_table",
    "type_table",
    "with_spread",
]

_NAMED = 10  # sentences that a note names


def score_table(
    title: str,
    scores: Sequence[Score],
    columns: Sequence[Column],
    digits: int = 2,
    *,
    apart: bool = False,
    comparison: Comparison | None = None,
) -> Table:
    """One row per system, percentages, the best of each column marked; intervals last.

    With `apart`, the ends of an interval and what a test said have columns of their own, for a spreadsheet. Where a
    `comparison` with a baseline is given, † and ‡ say which systems differ from it. Where a figure is above 100 %, or a
    count negative, a note below the table says why, or one at its side with `apart`.
    """
    columns = with_spread(columns, scores)
    values = [[score.figure(column.path) for column in columns] for score in scores]
    cells = [
        (score.full_name, *(figure_text(value, column, digits) for value, column in zip(row, columns, strict=True)))
        for score, row in zip(scores, values, strict=True)
    ]
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    for c, column in enumerate(columns):
        if column.path != ("score",):
            continue
        whole = [row[c] for score, row in zip(scores, values, strict=True) if not score.subset]
        if len(whole) > 1:
            top = max(whole) if scores[0].higher_is_better else min(whole)
            best |= {(r, c + 1) for r, row in enumerate(values) if row[c] == top and not scores[r].subset}
        if comparison is not None and not apart:
            marks_by_cell = {(r, c + 1): mark_of(comparison, s.system) for r, s in enumerate(scores) if not s.subset}
            marks |= {place: mark for place, mark in marks_by_cell.items() if mark}
    headers = ("system", *(c.header for c in columns))
    if any(score.interval for score in scores):
        headers = (*headers, *_interval_headers(scores, apart))
        cells = [(*row, *_interval_cells(score, digits, apart)) for score, row in zip(scores, cells, strict=True)]
    if comparison is not None and apart:
        headers = (*headers, "p", f"against {comparison.baseline}")
        cells = [(*row, *_test_cells(comparison, score)) for score, row in zip(scores, cells, strict=True)]
    notes = [mark_note(comparison)] if comparison is not None else []
    notes += dict.fromkeys(score.signature for score in scores)
    notes += remark_notes(scores)
    odd = {finding.where: finding for finding in out_of_range(scores, columns)}
    notes += map(str, odd.values())
    if odd and apart:  # a file has no place for notes but a column
        headers = (*headers, "note")
        row_notes = [odd[s.full_name].message if s.full_name in odd else "" for s in scores]
        cells = [(*row, note) for row, note in zip(cells, row_notes, strict=True)]
    return Table(title, headers, tuple(cells), tuple(notes), best=frozenset(best), marks=marks)


def part_table(
    title: str,
    scores: Sequence[Score],
    columns: Sequence[Column],
    digits: int = 2,
    *,
    comparisons: Sequence[tuple[Mapping[str, str], Comparison]] = (),
) -> Table:
    """One row per system and a group of columns for each part of the corpus, with how many sentences it has.

    `comparisons` with a baseline are those of the parts: † and ‡ say where a system differs from it.
    """
    of_part: dict[tuple[str, ...], list[Score]] = {}
    for score in scores:
        if score.subset:
            of_part.setdefault(tuple(score.subset.values()), []).append(score)
    tested = {tuple(subset.values()): comparison for subset, comparison in comparisons}
    names = list(dict.fromkeys(score.system for score in scores))
    headers, groups, cells = ["system"], [("", 1)], {name: [name] for name in names}
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    for values, of in of_part.items():
        bare = [replace(score, subset=None, interval=None) for score in of]
        part = score_table("", bare, columns, digits, comparison=tested.get(values))
        tops = _tops([score for score in bare if score.system != DO_NOTHING], with_spread(columns, bare))
        rows = {row[0]: (r, row[1:]) for r, row in enumerate(part.rows)}
        first, width = len(headers), len(part.headers) - 1
        headers += part.headers[1:]
        groups.append((f"{', '.join(value or '(none)' for value in values)} ({of[0].sentence_count:,})", width))
        for place, name in enumerate(names):
            cells[name] += rows[name][1] if name in rows else ("–",) * width
            if name in rows:
                marks |= {(place, first + c - 1): sign for (r, c), sign in part.marks.items() if r == rows[name][0]}
                best |= {(place, first + c) for c in tops.get(name, ())}
    notes = [f"{mark_note(next(iter(tested.values())))} over {len(tested)} parts"] if tested else []
    notes += [scores[0].signature]
    return Table(
        title,
        tuple(headers),
        tuple(tuple(cells[name]) for name in names),
        tuple(notes),
        best=frozenset(best),
        groups=tuple(groups),
        marks=marks,
    )


def with_spread(columns: Sequence[Column], scores: Sequence[Score]) -> tuple[Column, ...]:
    """The columns, and behind the score its standard deviation over runs where a system has several."""
    if not any(score.runs for score in scores) or any(column.path == _SPREAD for column in columns):
        return tuple(columns)
    return tuple(
        shown
        for column in columns
        for shown in ((column, Column("± sd", _SPREAD, column.percentage)) if column.path == ("score",) else (column,))
    )


_SPREAD = ("runs", "sd")


def one_table(
    title: str,
    by_metric: Mapping[Metric, Sequence[Score]],
    digits: int = 2,
    *,
    intervals: bool = False,
    apart: bool = False,
    comparisons: Mapping[str, Comparison] | None = None,
    columns_of: Mapping[str, Sequence[Column]] | None = None,
) -> Table:
    """One row per system, one group of columns per metric: its main figures, and its interval on request.

    Systems are in the order of the metrics' scores; what leaving the source alone scores is never the best. `apart`
    and `comparisons` (by metric) are as in `score_table`; `columns_of` are columns by metric, not the main ones.
    """
    fullest_first = sorted(by_metric.values(), key=len, reverse=True)  # where the source left alone has its place
    names = list(dict.fromkeys(score.full_name for scores in fullest_first for score in scores))
    headers, groups = ["system"], [("", 1)]
    columns: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    notes: list[str] = []
    signatures: list[str] = []
    for metric, scores in by_metric.items():
        shown = [s if intervals else replace(s, interval=None) for s in scores]
        comparison = (comparisons or {}).get(metric.name)
        # Doing nothing has figures, but it is no system: it wins nothing here.
        with_spreads = with_spread((columns_of or {}).get(metric.name, metric.main_columns), scores)
        part = score_table("", shown, with_spreads, digits, apart=apart, comparison=comparison)
        rows = {row[0]: (r, row[1:]) for r, row in enumerate(part.rows)}
        systems = [s for s in scores if s.system != DO_NOTHING and not s.subset]
        tops = _tops(systems, with_spreads)
        first = len(headers)
        for c, header in enumerate(part.headers[1:]):
            columns.append([rows[name][1][c] if name in rows else "–" for name in names])
            headers.append(header)
        for place, name in enumerate(names):
            if name in rows:
                r = rows[name][0]
                marks |= {(place, first + c - 1): mark for (k, c), mark in part.marks.items() if k == r}
                best |= {(place, first + c) for c in tops.get(name, ())}
        groups.append((_group(metric, part, apart), len(part.headers) - 1))
        if comparison is not None:
            notes.append(mark_note(comparison))
        signatures += part.notes[1:] if comparison is not None else part.notes
    rows_of_all = tuple((name, *(column[r] for column in columns)) for r, name in enumerate(names))
    return Table(
        title,
        tuple(headers),
        rows_of_all,
        (_unit(by_metric), *dict.fromkeys(notes), *signatures),
        frozenset(best),
        "The best score of each metric is in bold.",
        groups=tuple(groups),
        marks=marks,
    )


def _unit(metrics: Iterable[Metric]) -> str:
    others = [metric.title for metric in metrics if metric.score_factor != 100]
    return f"In %, except {', '.join(others)}." if others else "In %."


def _group(metric: Metric, part: Table, apart: bool) -> str:
    """What stands above a metric's columns: nothing where its one column is called as the metric is."""
    if apart:
        return metric.name
    return "" if len(part.headers) == 2 and part.headers[1] == metric.title else metric.heading


def _tops(systems: Sequence[Score], columns: Sequence[Column]) -> dict[str, list[int]]:
    """The columns of the metric's score, for the systems that are best by it."""
    if len(systems) < 2:
        return {}
    choose = max if systems[0].higher_is_better else min
    top = choose(score.score for score in systems)
    places = [c for c, column in enumerate(columns) if column.path == ("score",)]
    return {score.full_name: places for score in systems if score.score == top}


def _test_cells(comparison: Comparison, score: Score) -> tuple[str, str]:
    p, verdict = p_and_verdict(comparison, score.system)
    return ("", "") if p is None or score.subset else (f"{p:.6g}", verdict)


def _interval_headers(scores: Sequence[Score], apart: bool) -> tuple[str, ...]:
    level = next(score.interval["level"] for score in scores if score.interval)
    return ("low", "high") if apart else (f"{100 * level:g}% interval",)


def _interval_cells(score: Score, digits: int, apart: bool) -> tuple[str, ...]:
    factor = score.score_factor
    if not apart:
        return (interval_text(score.interval, digits, factor),)
    if not score.interval:
        return ("–", "–")
    return tuple(f"{factor * score.interval[end]:.{digits}f}" for end in ("low", "high"))


def figure_text(value: Any, column: Column, digits: int) -> str:
    """A figure as its column prints it."""
    if value is None:
        return "–"
    if column.percentage:
        return f"{100 * value:.{digits}f}"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def interval_text(interval: Mapping[str, Any] | None, digits: int, factor: int = 100) -> str:
    """Both ends in brackets, times `factor`."""
    if not interval:
        return "–"
    return f"[{', '.join(f'{factor * interval[end]:.{digits}f}' for end in ('low', 'high'))}]"


def remark_notes(scores: Sequence[Score]) -> list[str]:
    """Which sentences of which systems a metric has something to say of, and what: one line each."""
    places: dict[tuple[str, str], list[str]] = {}
    for score in scores:
        for entry in score.remarks or ():
            places.setdefault((score.full_name, entry["remark"]), []).append(str(entry["sentence"]))
    return [
        f"{name}: {_sentences(numbers)}: {remark}"  # as many as one looks at; JSON has them all
        for (name, remark), numbers in places.items()
    ]


def _sentences(numbers: Sequence[str]) -> str:
    if len(numbers) <= _NAMED:
        return f"sentence{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
    return f"{len(numbers):,} sentences, {', '.join(numbers[:_NAMED])} first"


def sentence_table(title: str, scores: Sequence[Score], digits: int = 2) -> Table:
    """One row per sentence, one column per system; and one for remarks, where a metric has some."""
    headers = ("sentence", *(score.full_name for score in scores))
    remark_of = {(s.full_name, entry["sentence"]): entry["remark"] for s in scores for entry in s.remarks or ()}

    def make_rows() -> Iterator[tuple[str, ...]]:
        for entries in zip(*(score.sentences or () for score in scores), strict=True):
            number = entries[0]["sentence"]
            figures = (f"{s.score_factor * e['score']:.{digits}f}" for s, e in zip(scores, entries, strict=True))
            names = (s.full_name for s in scores if (s.full_name, number) in remark_of) if remark_of else ()
            remarks = "; ".join(f"{name} {remark_of[name, number]}" for name in names)
            yield (str(number), *figures, *([remarks] if remark_of else ()))

    signatures = dict.fromkeys(score.signature for score in scores)
    return Table(
        title,
        (*headers, "remarks") if remark_of else headers,
        StreamedRows(len(scores[0].sentences or ()), make_rows),
        tuple(signatures),
        words=int(bool(remark_of)),
    )


def convention_table(score: Score, conventions: Mapping[str, Mapping[str, Any]], digits: int = 2) -> Table:
    """One row for each way to count one output, F1 of detection and correction, and what is particular about it."""
    f1 = Column("", ("f",))
    rows = tuple(
        (
            name,
            *(
                "–" if of[task] is None else figure_text(of[task]["f"], f1, digits)
                for task in ("detection", "correction")
            ),
            of["who"],
            of["rule"],
        )
        for name, of in conventions.items()
    )
    headers = ("convention", "detection F1", "correction F1", "who", "what is particular")
    return Table(f"{score.full_name} by every convention", headers, rows, (score.signature,), words=2)


BETTER, WORSE = "†", "‡"


def mark_of(comparison: Comparison, system: str) -> str:
    """† where a system is significantly better than the baseline, ‡ where it is worse, nothing where neither shows."""
    return {"better": BETTER, "worse": WORSE}.get(p_and_verdict(comparison, system)[1], "")


def p_and_verdict(comparison: Comparison, system: str) -> tuple[float | None, str]:
    """The p that decides, and better, worse or the same for all that is known; nothing of the baseline itself."""
    pair_and_sign = comparison.pair(system, comparison.baseline or "")
    if pair_and_sign is None:
        return None, ""
    pair, sign = pair_and_sign
    if not comparison.is_significant(pair):
        return comparison.p(pair), "not significant"
    higher = sign * pair.difference > 0
    return comparison.p(pair), "better" if higher == comparison.higher_is_better else "worse"


def mark_note(comparison: Comparison) -> str:
    """What the signs say, and by which test."""
    from recte.output.comparison import test_name

    tested = f"p < {comparison.alpha:g} by {test_name(comparison)}"
    return f"{BETTER} better, {WORSE} worse than {comparison.baseline}: {tested}"


def in_order(by_metric: Mapping[Metric, Sequence[Score]], key: str) -> dict[Metric, list[Score]]:
    """Each metric's scores in order of the `key`, the best first; a system's parts stay behind it.

    The key is `name`; `score`, each metric by its own score; a metric's name; or a metric's name and one of the
    headers of its table, as in `m2:R`. A system without that figure goes last.
    """
    if key == "name":
        names = sorted({score.system for scores in by_metric.values() for score in scores})
        return {metric: _sort_scores(scores, names) for metric, scores in by_metric.items()}
    if key == "score":
        return {metric: _sort_scores(scores, _best_first(scores, ("score",))) for metric, scores in by_metric.items()}
    name, _, header = key.partition(":")
    metric = next((metric for metric in by_metric if metric.name == name), None)
    if metric is None:
        orders = ["name", "score", *(metric.name for metric in by_metric)]
        raise OptionError(f"--sort: {describe_choices(orders, key)}{did_you_mean(name, orders)}")
    column = _column(metric, header) if header else Column("", ("score",))
    order = _best_first(by_metric[metric], column.path)
    return {other: _sort_scores(scores, order) for other, scores in by_metric.items()}


def choose_columns(metrics: Sequence[Metric], texts: Sequence[str]) -> dict[str, tuple[Column, ...]]:
    """The columns that `--columns` names, as in `m2:P,R,F`, by metric; one metric alone need not be named."""
    by_name = {metric.name: metric for metric in metrics}
    columns: dict[str, tuple[Column, ...]] = {}
    for text in texts:
        name, colon, headers = text.rpartition(":")
        if not colon and len(by_name) > 1:
            raise OptionError(f"--columns: expected a metric before the columns, as in m2:{text}, got {text!r}")
        metric = by_name.get(name if colon else next(iter(by_name)))
        if metric is None:
            raise OptionError(f"--columns: {describe_choices(list(by_name), name)}{did_you_mean(name, list(by_name))}")
        columns[metric.name] = tuple(_column(metric, header.strip(), "--columns") for header in headers.split(","))
    return columns


def _column(metric: Metric, header: str, flag: str = "--sort") -> Column:
    """A column by its header; an F-score need not have its β."""
    columns = (*metric.columns, *metric.more_columns)
    for column in columns:
        if header.lower() in (column.header.lower(), _BETA.sub("", column.header).lower()):
            return column
    known = ", ".join(dict.fromkeys(column.header for column in columns))
    raise OptionError(f"{flag}: expected a column of {metric.name} ({known}), got {header!r}")


_BETA = re.compile(r"(?<=F)\d+(\.\d+)?$")


def _best_first(scores: Sequence[Score], path: Sequence[str]) -> list[str]:
    """Systems from the highest figure to the lowest, or the other way round where a lower score is better."""
    figures = {score.system: score.figure(path) for score in scores if not score.subset}
    known = {system: figure for system, figure in figures.items() if figure is not None}
    lowest_first = tuple(path) == ("score",) and not scores[0].higher_is_better
    return sorted(known, key=lambda system: known[system] if lowest_first else -known[system])


def _sort_scores(scores: Sequence[Score], order: Sequence[str]) -> list[Score]:
    place = {system: number for number, system in enumerate(order)}
    return sorted(scores, key=lambda score: place.get(score.system, len(place)))


_Figures = Mapping[str, Any]
_GOLD = Column("gold", ("gold",), percentage=False)
_FOUND = Column("found", ("found",), percentage=False)
_PROPOSED = Column("proposed", ("proposed",), percentage=False)
_CORRECT = Column("correct", ("correct",), percentage=False)
_P, _R = Column("P", ("precision",)), Column("R", ("recall",))
_SCOPE, _OVERLAP = Column("scope", ("scope",)), Column("overlap", ("overlap",))
_ALL = "all"


def type_table(
    title: str,
    scores: Sequence[Score],
    digits: int = 2,
    *,
    intervals: bool = False,
    signs: Mapping[tuple[str, str], str] | None = None,
    sign_note: str = "",
) -> Table:
    """One row per error type, the most frequent first, and one for all of them: precision, recall and F where known.

    `signs` are of systems and types, such as † where a test finds a difference; `sign_note` says what they mean.

    Several systems stand side by side; one alone has its counts and intervals too. Notes say why figures of types
    and figures of the whole do not add up, or differ between systems.
    """
    alone = len(scores) == 1
    of = {score.full_name: score.types or {} for score in scores}
    types = _by_frequency(list(of.values()))
    headers, groups = ["type", "gold"], [("", 2)]
    columns = [[_gold_text(scores, of, name, digits) for name in (*types, None)]]
    marks: dict[tuple[int, int], str] = {}
    for score in scores:
        shown = [column for column in _columns(score, alone) if column is not _GOLD]
        figures = of[score.full_name]
        for column in shown:
            headers.append(column.header)
            columns.append([*(_cell(figures.get(t), column, digits) for t in types), _whole(score, column, digits)])
            if column.path == ("score",):
                signs_of = {r: (signs or {}).get((score.system, name), "") for r, name in enumerate(types)}
                marks |= {(r, len(headers) - 1): sign for r, sign in signs_of.items() if sign}
        level = next((f["interval"]["level"] for f in figures.values() if f.get("interval")), None)
        if level is not None and (alone or intervals):
            headers.append(f"{100 * level:g}% interval")
            cells = [interval_text((figures.get(name) or {}).get("interval"), digits) for name in types]
            columns.append([*cells, interval_text(score.interval, digits)])
        groups.append((score.full_name, len(headers) - sum(span for _, span in groups)))
    rows = tuple((name or "(none)", *(column[r] for column in columns)) for r, name in enumerate([*types, _ALL]))
    notes = (
        *filter(None, (sign_note,)),
        *_why_they_differ(scores),
        *dict.fromkeys(score.signature for score in scores),
    )
    return Table(title, tuple(headers), rows, notes, groups=() if alone else tuple(groups), marks=marks)


def _gold_text(scores: Sequence[Score], of: Mapping[str, Mapping[str, _Figures]], name: str | None, digits: int) -> str:
    """How many gold edits a type has, or all have without a name: from the least to the most where systems differ."""
    if name is None:
        texts = [_whole(score, _GOLD, digits) for score in scores]
    else:
        texts = [_cell(types.get(name), _GOLD, digits) for types in of.values()]
    ordered = sorted(dict.fromkeys(texts), key=float)
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]}–{ordered[-1]}"


def _by_frequency(of_systems: Sequence[Mapping[str, _Figures]]) -> list[str]:
    """Every type, the most frequent in the gold first, then the most often proposed."""
    names = sorted({name for types in of_systems for name in types})
    return sorted(
        names, key=lambda n: tuple(-sum(_count(t.get(n), key) for t in of_systems) for key in ("gold", "proposed"))
    )


def _count(figures: _Figures | None, key: str) -> int:
    return 0 if figures is None else figures[key] or 0


def _columns(score: Score, alone: bool) -> list[Column]:
    """What is known of a system's types: precision and F only where the system's edits have types."""
    types = (score.types or {}).values()
    f = Column(f"F{score.options.get('beta', 1.0):g}", ("score",))
    if any("scope" in figures for figures in types):
        return [_GOLD, _FOUND, _R, _SCOPE, _OVERLAP] if alone else [_GOLD, _R, _SCOPE, _OVERLAP]
    if not any(figures["proposed"] is not None for figures in types):
        return [_GOLD, _FOUND, _R] if alone else [_GOLD, _R]
    if alone:
        return [_GOLD, _FOUND, _R, _PROPOSED, _CORRECT, _P, f]
    return [_GOLD, _P, _R, f]


def _cell(figures: _Figures | None, column: Column, digits: int) -> str:
    """A figure of a type; a share of no edit at all says nothing."""
    (key,) = column.path
    if not column.percentage:
        return str(_count(figures, key))
    if figures is None or not _count(figures, {"precision": "proposed", "recall": "gold"}.get(key, "gold")):
        return "–"
    return figure_text(figures[key], column, digits)


def _whole(score: Score, column: Column, digits: int) -> str:
    """The figure of all types: the score's own."""
    names = {"found": "tp", "correct": "tp"}
    return figure_text(getattr(score, names.get(column.path[0], column.path[0]), None), column, digits)


def _why_they_differ(scores: Sequence[Score]) -> list[str]:
    """What a reader who adds figures up, or compares those of two systems, must know."""
    notes = []
    if len({getattr(score, "gold", 0) for score in scores}) > 1:
        notes.append("gold: the edits of the annotators that were chosen for each system, from the fewest to the most")
    apart = [s.full_name for s in scores if _sum(s, "proposed") not in (None, getattr(s, "proposed", None))]
    if apart:
        notes.append(
            f"{', '.join(apart)}: by type P is of the edits that the system itself gave; the row {_ALL} has those that "
            "the metric found in its text, which may be more or fewer"
        )
    apart = [
        s.full_name
        for s in scores
        if (_sum(s, "gold"), _sum(s, "found")) != (getattr(s, "gold", None), getattr(s, "tp", None))
    ]
    if apart:
        notes.append(
            f"{', '.join(apart)}: types count edits, the row {_ALL} has what the metric makes of them: edits may stand "
            "twice, be weighed, or lie in sentences without a chosen annotator"
        )
    if any(getattr(score, "two_type_lists", None) for score in scores):
        notes.append(
            "recall alone: gold and system name types by different lists, and the type that a wrong edit has in the "
            "gold's list is unknown; --gold-edits retyped gives the gold's edits the system's types"
        )
    return notes


def _sum(score: Score, key: str) -> int | None:
    values = [figures[key] for figures in (score.types or {}).values()]
    return None if any(value is None for value in values) else sum(values)
