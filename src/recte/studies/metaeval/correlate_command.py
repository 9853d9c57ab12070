"""`recte correlate GOLD SYSTEM... -m METRIC...`: how far metrics agree with each other over systems, without people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from recte.cli.arguments import GoldOptions, format_option, names_option, quiet_option, strict_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.input_warnings import print_findings
from recte.cli.metric_flags import CountedMetricOptions, MetricOptions
from recte.corpus.counts import Counts
from recte.errors import OptionError
from recte.evaluation.counting import CountRequest
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.formats.metric_scores import read_metric_scores
from recte.metrics.base import Metric
from recte.options import option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.signature import Signature
from recte.statistics.correlation import correlation, correlation_p
from recte.studies.metaeval.scores import MetricScores, metrics_from_files

__all__ = ["MetricPair", "correlate_metrics"]

_FEWEST_SYSTEMS = 3
_MOST_ORDERED = 7  # systems whose orders are all tried
_ROUNDING = 1e-9


@dataclass(frozen=True)
class MetricPair:
    """Two metrics' correlations over systems that both score; None where one side is constant.

    p is two-sided, by Student's t with two degrees of freedom less than there are systems; that of ρ is exact for up
    to seven systems.
    """

    first: str
    second: str
    systems: int
    pearson: float | None
    pearson_p: float | None
    spearman: float | None
    spearman_p: float | None
    kendall: float | None


def correlate_metrics(metrics: Sequence[MetricScores], without: Sequence[str] = ()) -> tuple[MetricPair, ...]:
    """The correlations of each two metrics, over the systems that both score and `without` does not name.

    >>> mine = MetricScores.of("mine", {"a": 0.1, "b": 0.3, "c": 0.2, "d": 0.4})
    >>> other = MetricScores.of("other", {"a": 1, "b": 2, "c": 3, "d": 4})
    >>> (pair,) = correlate_metrics([mine, other])
    >>> round(pair.spearman, 3), round(pair.spearman_p, 3)
    (0.8, 0.333)
    """
    if len(metrics) < 2:
        raise OptionError(f"expected two metrics or more to compare, got {len(metrics)}")
    known = {system for metric in metrics for system in metric.systems}
    for system in without:
        if system not in known:
            raise OptionError(f"--without: expected one of the systems {', '.join(sorted(known))}, got {system!r}")
    return tuple(_correlate(first, second, without) for first, second in combinations(metrics, 2))


def _correlate(first: MetricScores, second: MetricScores, without: Sequence[str]) -> MetricPair:
    shared = [system for system in first.systems if system in second.systems and system not in without]
    if len(shared) < _FEWEST_SYSTEMS:
        raise OptionError(
            f"{first.name}, {second.name}: expected at least {_FEWEST_SYSTEMS} systems that both score, "
            f"got {len(shared)}"
        )
    sides = [metric.for_systems(shared).scores for metric in (first, second)]
    values = {kind: float(correlation(kind, *sides)) for kind in ("pearson", "spearman", "kendall")}
    figures = {kind: None if np.isnan(value) else value for kind, value in values.items()}
    p = correlation_p(values["pearson"], len(shared)), _rank_p(values["spearman"], *sides)
    return MetricPair(first.name, second.name, len(shared), **figures, pearson_p=p[0], spearman_p=p[1])


def _rank_p(rho: float, first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Two-sided p of ρ: over all orders of a few systems, else as for r."""
    if len(first) > _MOST_ORDERED or np.isnan(rho):
        return correlation_p(rho, len(first))
    orders = np.array(list(permutations(second.tolist())))
    of_orders = correlation("spearman", np.broadcast_to(first, orders.shape), orders)
    return float((np.abs(of_orders) >= abs(rho) - _ROUNDING).mean())


def correlation_table(pairs: Sequence[MetricPair], notes: Sequence[str]) -> Table:
    """A row for each two metrics."""
    rows = [
        (
            pair.first,
            pair.second,
            str(pair.systems),
            *(
                "–" if value is None else f"{value:.1e}" if name.endswith("_p") and value < 1e-4 else f"{value:.4f}"
                for name, value in asdict(pair).items()
                if name not in ("first", "second", "systems")
            ),
        )
        for pair in pairs
    ]
    headers = ("metric", "other", "systems", "r", "p of r", "ρ", "p of ρ", "τ")
    more = "r Pearson, ρ Spearman, τ Kendall; p: two-sided, that metrics of so many systems agree so by chance"
    return Table("Metrics against each other", headers, tuple(rows), (more, *notes), words=2)


@dataclass(frozen=True, kw_only=True)
class CorrelateOptions:
    gold: GoldOptions = part(GoldOptions)
    scores: tuple[str, ...] = option((), "metric scores from files (TSV, JSON lines)", kind=str, metavar="FILE")
    without: tuple[str, ...] = option((), "leave these systems out", kind=str, metavar="SYSTEM")
    format: str = format_option(group="output")
    names: tuple[str, ...] = names_option("output")
    quiet: bool = quiet_option("no progress, no warnings", "output")
    strict: bool = strict_option("output")
    metrics: MetricOptions = part(CountedMetricOptions)


def run(options: CorrelateOptions) -> None:
    metrics = metrics_from_files([read_metric_scores(path) for path in options.scores])
    if options.gold.all_files or options.gold.test_set is not None:
        metrics += _score_systems(options)
    elif options.metrics.names:
        raise OptionError("-m: expected GOLD and systems to score, got none")
    elif not metrics:
        raise OptionError("expected GOLD and systems to score, or --scores, got neither")
    pairs = correlate_metrics(metrics, options.without)
    signature = str(Signature.of("metric-correlation", metrics=",".join(metric.name for metric in metrics)))
    signatures = [metric.signature for metric in metrics if metric.signature]
    if options.format == "json":
        print(document(correlations=[asdict(pair) for pair in pairs], signature=signature, metrics=signatures))
    else:
        print_tables([correlation_table(pairs, (signature, *signatures))], options.format)


def _score_systems(options: CorrelateOptions) -> list[MetricScores]:
    selection = SystemSelection(gold=options.gold, metrics=options.metrics, names=options.names, strict=options.strict)
    check = PlausibilityCheck()
    by_metric: dict[Metric, list[Counts]] = {}
    for of_system in selection.count(check, CountRequest()):
        by_metric.setdefault(of_system.metric, []).append(of_system.counts)
    print_findings(check.findings())
    return [MetricScores.from_counts(metric, counts) for metric, counts in by_metric.items()]


COMMAND = Command(
    run=run,
    options=CorrelateOptions,
    forms=("GOLD SYSTEM... -m METRIC...", "--scores FILE..."),
    examples=(("recte correlate sample/gold.m2 sample/systems/*.txt -m m2 gleu errant", "do metrics rank alike?"),),
    common=("-m", "--scores", "--without", "-f"),
)
