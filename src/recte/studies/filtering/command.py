"""`recte filter SOURCE CORRECTED... --to FILE`: the pairs that meet conditions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from recte.cli.arguments import TO, format_option, quiet_option
from recte.cli.command import Command
from recte.cli.option_flags import flag_names
from recte.errors import OptionError
from recte.evaluation.inputs import GoldFiles
from recte.files import check_folder_of, check_targets, make_folder, read_once
from recte.formats.file_formats import gold_format
from recte.messages import warn
from recte.options import REQUIRED, argument, option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables, progress_bar
from recte.remote_files import is_address, parts_given_as
from recte.studies.filtering.filtered_files import (
    SAMPLE,
    FilterOutcome,
    PairSample,
    check_format,
    filter_in_parts,
    filter_stream,
    one_part,
    part_targets,
)
from recte.studies.filtering.pair_conditions import DUPLICATES, PairConditions
from recte.studies.filtering.type_sampling import gold_types

_SAMPLING = "sample"
_FAR = 0.5  # from the gold's types; half of the sample's edits have others


@dataclass(frozen=True, kw_only=True)
class FilterOptions:
    source: str = argument("sources, one sentence a line", metavar="SOURCE")
    corrected: tuple[str, ...] = argument(
        "corrected sentences, a line for each source; each file is one more correction", metavar="CORRECTED", values="+"
    )
    to: str = option(
        REQUIRED,
        "where to write pairs: a .tsv or .jsonl file; with --cluster a folder",
        kind=str,
        flags=TO,
        metavar="FILE",
    )
    conditions: PairConditions = part(PairConditions)
    match_types: str | None = option(
        None,
        "draw pairs so that types are as frequent as in this gold file with typed edits; needs --sample",
        kind=str,
        metavar="GOLD",
        group=_SAMPLING,
    )
    sample: int | None = option(
        None, "about how many pairs to draw, with --match-types", kind=int, least=1, metavar="N", group=_SAMPLING
    )
    seed: int = option(12345, "of what is drawn (default 12345)", metavar="N", group=_SAMPLING)
    cluster: str | None = option(
        None,
        "filter on Dask's workers: an address, a scheduler's FILE.json, or local[:N]; SOURCE and CORRECTED are then "
        "quoted globs or folders of part files",
        kind=str,
        metavar="WHERE",
    )
    format: str = format_option()
    quiet: bool = quiet_option("no progress")


def run(options: FilterOptions) -> None:
    if (options.match_types is None) != (options.sample is None):
        raise OptionError("filter: expected --match-types and --sample together, got one of them")
    if not options.conditions.names and options.sample is None:
        raise OptionError("filter: expected a condition, such as --max-edits 5, got none (--help lists them)")
    sample = None
    if options.match_types is not None and options.sample is not None:
        sample = PairSample(options.sample, _read_types(options.match_types), options.seed)
    outcome = _filter_here(options, sample) if options.cluster is None else _filter_on_cluster(options, sample)
    if outcome.sample is not None and outcome.sample.distance_after > _FAR:
        warn(
            f"{options.match_types}: the pairs have few of its types, so the sample is unlike it; "
            f"recte extract {options.match_types} --edits gold gives gold edits the types that are found here"
        )
    if not outcome.kept:
        warn(f"{options.to}: no pair meets all conditions")
    if options.format == "json":
        print(document(**_to_dict(outcome, options.conditions)))
    else:
        print_tables([_table(options, outcome)], options.format)


def _filter_here(options: FilterOptions, sample: PairSample | None) -> FilterOutcome:
    files = [options.source, *options.corrected]
    for path in files:
        if form := parts_given_as(path):
            raise OptionError(f"{path}: expected a file, got a {form}; --cluster local filters its files as parts")
    check_format(options.to)
    check_folder_of("--to", options.to)
    read_once(files)
    check_targets([options.to], [*files, *_gold_files(options)])
    with progress_bar("pairs") as progress:
        if sample is None:
            return filter_stream(options.source, options.corrected, options.to, options.conditions, progress)
        from recte.evaluation.cluster.engines import SerialEngine

        whole = [one_part(options.source, options.corrected)]
        return filter_in_parts(SerialEngine(), whole, options.conditions, sample, [options.to], progress)


def _filter_on_cluster(options: FilterOptions, sample: PairSample | None) -> FilterOutcome:
    from recte.evaluation.cluster.corpus_parts import pair_parts
    from recte.evaluation.cluster.dask_engine import connect

    parts = pair_parts(GoldFiles(source=options.source, references=options.corrected), {})
    folder = options.to if is_address(options.to) else str(Path(options.to).resolve())  # workers may be elsewhere
    targets = part_targets(parts, folder)
    files = [path for corpus_part in parts for path in corpus_part.files()]
    check_targets(targets, [*files, *_gold_files(options)])
    if any(Path(path).resolve().parent == Path(folder) for path in files if not is_address(path)):
        raise OptionError(f"--to: expected another folder than those of the parts, got {options.to!r}")
    if not is_address(options.to):
        make_folder(options.to)
    with connect(options.cluster or "local") as engine, progress_bar("pairs", lines=True) as progress:
        return filter_in_parts(engine, parts, options.conditions, sample, targets, progress)


def _gold_files(options: FilterOptions) -> list[str]:
    return [] if options.match_types is None else [options.match_types]


def _read_types(path: str) -> Counter[str]:
    """How often each type stands in a gold file, all annotators together."""
    sentences = GoldFiles(gold=path).sentences()
    types = gold_types([edit.type for edit in a.edits] for sentence in sentences for a in sentence.annotations)
    if not types or "" in types:
        raise OptionError(f"--match-types: expected {gold_format(path).title} with typed edits, got {path}")
    return types


def _flag(name: str) -> str:
    """The flag of a condition, as tables name it."""
    if name == DUPLICATES:
        return "--no-duplicates"
    return "--match-types" if name == SAMPLE else flag_names(PairConditions.__dataclass_fields__[name])[0]


def _count_removed(outcome: FilterOutcome, conditions: PairConditions) -> list[tuple[str, int]]:
    names = [*conditions.names, *([] if outcome.sample is None else [SAMPLE])]
    return [(name, outcome.removed[name]) for name in names]


def _to_dict(outcome: FilterOutcome, conditions: PairConditions) -> dict[str, object]:
    near = outcome.sample
    return {
        "pairs": outcome.pairs,
        "kept": outcome.kept,
        "removed": dict(_count_removed(outcome, conditions)),
        "sample": None if near is None else {"before": near.distance_before, "after": near.distance_after},
    }


def _table(options: FilterOptions, outcome: FilterOutcome) -> Table:
    """What each condition removed; a pair counts for the first that it does not meet."""

    def row(name: str, count: int) -> tuple[str, str, str]:
        return name, f"{count:,}", f"{100 * count / max(outcome.pairs, 1):.1f} %"

    rows = [
        row("pairs read", outcome.pairs),
        *(row(_flag(name), count) for name, count in _count_removed(outcome, options.conditions)),
        row("kept", outcome.kept),
    ]
    near = outcome.sample
    distances = () if near is None else (f"{near.distance_before:.3f}", f"{near.distance_after:.3f}")
    notes = ["a pair counts for the first condition that it does not meet"]
    if distances:
        notes.append("distance of the types' shares from the gold's: {} before, {} after (0 to 1)".format(*distances))
    return Table(f"Pairs kept in {options.to}", ("", "pairs", "share"), tuple(rows), notes=tuple(notes))


COMMAND = Command(
    run=run,
    options=FilterOptions,
    forms=("SOURCE CORRECTED... --to FILE",),
    examples=(
        (
            "recte filter sample/essay/source.txt sample/essay/corrected.txt --max-changed 0.4 --to pairs.tsv",
            "pairs of which at most 40 % of the words change",
        ),
    ),
    common=(
        *("--to", "--min-edits", "--max-edits", "--max-edit-words", "--max-changed", "--max-length-ratio"),
        *("--refuse", "--no-duplicates", "--types", "--without-types", "--scribendi", "--match-types", "--sample"),
        "--cluster",
    ),
)
