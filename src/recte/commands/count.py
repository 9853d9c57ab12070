"""`recte count GOLD SYSTEM -o FILE`: counts without texts, and the merging of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recte.cli.arguments import TO, GoldOptions, check_one_system, quiet_option, strict_option
from recte.cli.cluster_counting import ClusterOptions
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.input_warnings import find_expected_tokens, print_findings
from recte.cli.metric_flags import CountedMetricOptions, MetricOptions
from recte.corpus.count_merging import merge
from recte.errors import InputError, OptionError
from recte.evaluation.counting import CountRequest
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.files import check_folder_of
from recte.formats.counts import read_counts, write_counts
from recte.messages import warn
from recte.options import REQUIRED, option, part

_MOST_RANGES = 3  # of missing sentences, in a message


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    gold: GoldOptions = part(GoldOptions)
    output: str = option(REQUIRED, "the file to write", kind=str, flags=(*TO, "--output"), metavar="COUNTS")
    by_type: bool = option(False, "count error types too (metrics over edits)")
    first: int = option(1, "number of the first sentence, where GOLD is a part", metavar="N", least=1)
    merge: bool = option(False, "FILEs are counts of parts of one corpus: put them together")
    names: tuple[str, ...] = option((), "name of the system, for its file's", kind=str, values=1, metavar="NAME")
    quiet: bool = quiet_option("no progress, no warnings")
    strict: bool = strict_option()
    cluster: ClusterOptions = part(ClusterOptions, "cluster")
    metrics: MetricOptions = part(CountedMetricOptions)


def run(options: CountOptions) -> None:
    check_folder_of("-o", options.output)
    options.gold.check_not_read(options.output)
    if options.merge:
        files = options.gold.all_files
        if not files:
            raise OptionError("--merge: expected counts files, got none")
        whole = merge([read_counts(path) for path in files])
        if missing := whole.missing_sentences():
            line = f"no counts of sentences {_describe_ranges(missing)}: is a part missing, or --first wrong?"
            if options.strict:
                raise InputError(line, options.output)
            warn(f"{options.output}: {line}")
        write_counts(options.output, whole)
        return
    options.cluster.check()
    metrics = options.metrics.make_metrics()
    if len(metrics) != 1:
        raise OptionError(f"count: expected one metric, got {len(metrics)}")
    selection = SystemSelection(
        gold=options.gold,
        metrics=options.metrics,
        cluster=options.cluster,
        strict=options.strict,
        is_part=options.first > 1,
    )
    gold, systems = selection.name_systems()
    check_one_system("count", list(systems), metrics[0])
    named = dict(zip([*options.names, *list(systems)[len(options.names) :]], systems.values(), strict=True))
    check = PlausibilityCheck(expected=find_expected_tokens(options.metrics.preset))
    request = CountRequest(types=options.by_type)
    counted = selection.count_texts(gold, named, metrics, check, request, first=options.first - 1)
    print_findings(check.findings())
    write_counts(options.output, counted[0].counts)


def _describe_ranges(ranges: Sequence[tuple[int, int]]) -> str:
    shown = ", ".join(f"{first} to {last}" for first, last in ranges[:_MOST_RANGES])
    more = len(ranges) - _MOST_RANGES
    return f"{shown} and in {more} more places" if more > 0 else shown


COMMAND = Command(
    run=run,
    options=CountOptions,
    forms=("GOLD SYSTEM -o COUNTS", "--merge COUNTS... -o COUNTS"),
    examples=(
        ("recte count sample/gold.m2 sample/systems/wren.txt -o wren.counts", "save what a metric saw"),
        ("recte count --merge wren.counts -o whole.counts", "put parts together; recte score whole.counts"),
    ),
    common=("-o", "--merge", "--first", "--by-type", "-m", "-s", "-r", "-i", "--names", "-q"),
)
