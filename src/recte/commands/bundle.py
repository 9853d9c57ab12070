"""`recte bundle init|codabench|check|leaderboard`: a shared task on Codabench, and offline."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recte.cli.arguments import TO, format_option, names_option, width_option
from recte.cli.command import Command, Subcommand
from recte.cli.new_files import write_new_files
from recte.errors import InputError, OptionError
from recte.evaluation.inputs import GoldFiles, system_names
from recte.evaluation.plausibility.finding import WARNING
from recte.files import check_folder_of, make_folder, write_bytes, write_together
from recte.formats.labels import read_tracks
from recte.messages import warn, write_line
from recte.options import argument, option
from recte.output.document import document
from recte.output.page.template import check_pages
from recte.output.terminal import print_tables
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.final_ranking import PER_TEAM, final_ranking, phase_named
from recte.tasks.bundle.offline_check import read_bundle, task_warnings, try_samples, visibility_warnings
from recte.tasks.bundle.platform_names import DownloadedName
from recte.tasks.bundle.ranking_tables import (
    INDEX,
    final_pages,
    ranking_entries,
    ranking_table,
    rankings_table,
    warning_entries,
)
from recte.tasks.bundle.task_draft import task_draft
from recte.tasks.bundle.task_file import read_task
from recte.tasks.bundle.wheels import find_wheels
from recte.tasks.bundle.worker import network_can_be_off
from recte.text.printable_text import visible

_BUNDLE = ".zip"  # no file that a task names ends so, so that none is written over


@dataclass(frozen=True, kw_only=True)
class BundleInitOptions:
    gold: tuple[str, ...] = argument("gold of the test phase, one file for each test set", metavar="GOLD", values="*")
    source: tuple[str, ...] = option(
        (),
        "sources of a test set, instead of GOLD",
        kind=str,
        flags=("-s", "--source"),
        metavar="SOURCE",
        repeated=True,
    )
    reference: tuple[tuple[str, ...], ...] = option(
        (),
        "its references, after each -s",
        kind=str,
        flags=("-r", "--reference"),
        metavar="REF",
        values="+",
        repeated=True,
    )
    development: tuple[str, ...] = option((), "gold of a phase before, same order", kind=str, metavar="GOLD")
    names: tuple[str, ...] = option((), "of the test sets (default: from files)", kind=str, metavar="NAME")
    lenient: bool = option(False, "drop edits of the gold that reach past their sentence, as --lenient elsewhere")
    title: str = option("A task in grammatical error correction", "of the task", metavar="TEXT")
    metric: str = option("m2", "what ranks submissions (default m2)", flags=("-m", "--metric"), metavar="METRIC")
    to: str = option(".", "where to write (default: here)", flags=TO, metavar="FOLDER")
    force: bool = option(False, "write over files that are there")


@dataclass(frozen=True, kw_only=True)
class BundleBuildOptions:
    task: str = argument("the task file", metavar="TASK.toml")
    to: str = option("task.zip", "the bundle (default task.zip)", flags=TO, metavar="ZIP")
    wheels: str | None = option(
        None, "wheels for the image's Python (default: what is installed)", kind=str, metavar="FOLDER"
    )
    no_try: bool = option(False, "do not score the sample submission before writing")


@dataclass(frozen=True, kw_only=True)
class BundleCheckOptions:
    bundle: str = argument("the bundle", metavar="ZIP")
    submission: str | None = argument("(default: the bundle's own sample)", metavar="SUBMISSION.zip", values="?")
    phase: str | None = option(None, "to which it is sent (default the first)", kind=str, metavar="NAME")
    python: str | None = option(None, "the image's Python, where its name does not say it", kind=str, metavar="3.N")
    run_code: bool = option(
        False, "run code that is not recte's own: of the bundle's program, or a submission's command"
    )


@dataclass(frozen=True, kw_only=True)
class BundleRankingOptions:
    submissions: tuple[str, ...] = argument("as downloaded from the platform", metavar="SUBMISSION.zip", values="+")
    task: str = option("TASK.toml", "the task file (default TASK.toml)", metavar="TASK.toml")
    phase: str | None = option(None, "the phase that they were sent to (default the last)", kind=str, metavar="NAME")
    report: str | None = option(None, "write leaderboard pages into this folder, too", kind=str, metavar="FOLDER")
    tracks: str | None = option(None, "of the pages: systems and the tracks they run in", kind=str, metavar="TSV")
    per_team: str | None = option(
        None,
        "of submissions that the platform named: all, or each team's best or last (default: TASK.toml's leaderboard)",
        kind=str,
        choices=PER_TEAM,
    )
    names: tuple[str, ...] = names_option()
    format: str = format_option()
    width: int = width_option()


def write_task_draft(options: BundleInitOptions) -> None:
    folder = Path(options.to)
    if len(options.source) != len(options.reference):
        got = f"{len(options.source)} and {len(options.reference)}"
        raise OptionError(f"-s: expected references with -r for each source, got {got}")
    pairs = zip(options.source, options.reference, strict=True)
    files = task_draft(
        [
            *(GoldFiles(gold=path, lenient=options.lenient) for path in options.gold),
            *(GoldFiles(source=source, references=tuple(references)) for source, references in pairs),
        ],
        folder,
        title=options.title,
        names=options.names,
        metric=options.metric,
        development=[GoldFiles(gold=path, lenient=options.lenient) for path in options.development],
    )
    write_new_files(files, force=options.force)
    print(f"recte bundle codabench {visible(str(folder / 'TASK.toml'))} --to task.zip")


def build_bundle(options: BundleBuildOptions) -> None:
    if not options.to.endswith(_BUNDLE):
        raise OptionError(f"--to: expected a file that ends in {_BUNDLE}, got {options.to!r}")
    check_folder_of("--to", options.to)
    task = read_task(options.task)
    for line in (*visibility_warnings(task), *task_warnings(task)):
        warn(line)
    files = bundle_files(task, find_wheels(task.python, task.needed_packages, options.wheels))
    content = zip_files({name: files.read(name) for name in files})
    bundle = read_bundle(BundleFiles.from_zipped(options.to, content))
    if not options.no_try:
        try_samples(task, bundle)
    write_bytes(options.to, content)
    phases = ", ".join(visible(name) for name in bundle.phases)
    print(f"{visible(str(options.to))}: phases {phases}; columns {', '.join(bundle.columns)}")


def check_bundle(options: BundleCheckOptions) -> None:
    bundle = read_bundle(BundleFiles.from_zip(options.bundle))
    for line in bundle.warnings:
        warn(line)
    phase = bundle.phase(options.phase)
    with tempfile.TemporaryDirectory(prefix="recte-") as folder:
        submission: str | Path | None = options.submission
        if submission is None:
            sample = bundle.sample(phase)
            if sample is None:
                reason = "the platform reads it as it is meant; it has no sample submission to score"
                print(f"{visible(str(options.bundle))}: {reason}")
                return
            submission = Path(folder, "sample_submission.zip")
            submission.write_bytes(sample)
        if not network_can_be_off():
            warn("the network stays on here (no unshare)")
        outcome = bundle.submit(submission, phase["name"], python=options.python, run_code=options.run_code)
    for line in outcome.notes:
        warn(line)
    if outcome.status == "Finished":
        print("".join(f"{visible(line)}\n" for line in outcome.stdout.splitlines()), end="")
    refusal = outcome.refusal(bundle.columns)
    if refusal is not None:
        raise InputError(refusal, str(options.submission or "the sample submission"))
    hidden = ", hidden" if phase.get("hide_score_output") else ""
    print(f"{outcome.status}: {len(outcome.scores or {})} scores for {visible(phase['name'])}{hidden}")


def rank_submissions(options: BundleRankingOptions) -> None:
    task = read_task(options.task)
    phase = phase_named(task, options.phase)
    named = _submission_names(options.submissions, options.names)
    per_team = options.per_team or {"chosen": "all"}.get(task.leaderboard, task.leaderboard)
    if options.report is not None:
        check_pages()  # before the work
    elif options.tracks is not None:
        raise OptionError("--tracks: expected --report too, got --tracks alone")
    tracks = None if options.tracks is None else read_tracks(options.tracks)
    with tempfile.TemporaryDirectory(prefix="recte-") as folder:
        final = final_ranking(task, phase, named, Path(folder), per_team=per_team, tell=_warn_of_left_out)
        for name, findings in final.findings.items():
            for finding in findings:
                if finding.level == WARNING:
                    warn(f"{name}: {finding}" if len(final.sets) > 1 else str(finding))
        if options.report is not None:
            _write_pages(final_pages(final, task.title, tracks, options.width), Path(options.report))
    if options.format == "json":
        refused = [{"system": name, "reason": reason} for name, reason in final.refused.items()]
        warnings = warning_entries(final)
        print(document(phase=phase.name, rankings=ranking_entries(final), refused=refused, warnings=warnings))
    elif options.format == "csv":
        print_tables([rankings_table(final.rankings, options.width)], options.format)
    else:
        print_tables([ranking_table(ranking, options.width) for ranking in final.rankings], options.format)


def _submission_names(paths: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Submissions by name: their teams', with the platform's number, where the platform named the files."""
    if names or not all(map(DownloadedName.of, paths)):
        return system_names(paths, names)
    known = [DownloadedName.of(path) for path in paths]
    return system_names(paths, [f"{name.team} {name.number}" for name in known if name is not None])


def _write_pages(pages: Mapping[str, str], folder: Path) -> None:
    make_folder(str(folder))
    write_together({folder / name: [page.encode()] for name, page in pages.items()})
    write_line(f"{folder / INDEX}: open it in a browser", prefix="")


def _warn_of_left_out(name: str, reason: str) -> None:
    warn(f"{name}: left out: {reason}")


COMMAND = Command(
    forms=(
        "init GOLD...",
        "init -s SOURCE -r REF...",
        "codabench TASK.toml",
        "check ZIP [SUBMISSION.zip]",
        "leaderboard SUBMISSION.zip...",
    ),
    examples=(
        ("recte bundle init sample/gold.m2 -o task", "a task file, with its pages"),
        ("recte bundle init --help", "what one of them takes"),
    ),
    subcommand_title="init|codabench|check|leaderboard",
    subcommands={
        "init": Subcommand("write a task file, with pages and a logo, from gold", write_task_draft, BundleInitOptions),
        "codabench": Subcommand(
            "make a competition bundle for Codabench from a task file", build_bundle, BundleBuildOptions
        ),
        "check": Subcommand(
            "check a bundle, and score a submission as the platform would", check_bundle, BundleCheckOptions
        ),
        "leaderboard": Subcommand(
            "rank submissions with clusters, and write the report", rank_submissions, BundleRankingOptions
        ),
    },
)
