"""`recte bundle init|codabench|check|leaderboard`: a shared task on Codabench, and offline."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from recte.bundle.bundle_files import BundleFiles, zipped
from recte.bundle.codabench import bundle_files
from recte.bundle.final_ranking import final_ranking, phase_named
from recte.bundle.fresh_environment import network_can_be_off
from recte.bundle.offline_check import checked_bundle, task_warnings, try_samples
from recte.bundle.task_draft import task_draft
from recte.bundle.task_file import read_task
from recte.bundle.wheels import needed_wheels
from recte.cli.arguments import add_format, add_names, add_width, check_width
from recte.cli.new_files import write_new_files
from recte.errors import InputError, OptionError
from recte.formats.files import make_folder, write_bytes, write_together
from recte.formats.tracks import read_tracks
from recte.inputs import GoldFiles, system_names
from recte.plausibility.finding import WARNING
from recte.rendering.document import document
from recte.rendering.leaderboard import ranking_entries, ranking_table, rankings_table, warning_entries
from recte.rendering.page.final_pages import INDEX, final_pages
from recte.rendering.page.template import check_pages
from recte.rendering.terminal import print_tables
from recte.visible_text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="bundle_command", metavar="init|codabench|check|leaderboard", required=True)
    init = commands.add_parser("init", help="write a task file, with pages and a logo, from gold")
    init.add_argument("gold", nargs="*", metavar="GOLD", help="gold of the test phase, one file for each test set")
    init.add_argument(
        "-s", "--source", action="append", default=[], metavar="SOURCE", help="sources of a test set, instead of GOLD"
    )
    init.add_argument(
        "-r", "--reference", nargs="+", action="append", default=[], metavar="REF", help="its references, after each -s"
    )
    init.add_argument("--development", nargs="+", default=[], metavar="GOLD", help="gold of a phase before, same order")
    init.add_argument("--names", nargs="+", default=[], metavar="NAME", help="of the test sets (default: from files)")
    init.add_argument("--title", default="A task in grammatical error correction", metavar="TEXT", help="of the task")
    init.add_argument("-m", "--metric", default="m2", metavar="METRIC", help="what ranks submissions (default m2)")
    init.add_argument("-o", "--to", default=".", metavar="FOLDER", help="where to write (default: here)")
    init.add_argument("--force", action="store_true", help="write over files that are there")
    build = commands.add_parser("codabench", help="make a competition bundle for Codabench from a task file")
    build.add_argument("task", metavar="TASK.toml", help="the task file")
    build.add_argument("-o", "--to", default="task.zip", metavar="ZIP", help="the bundle (default task.zip)")
    build.add_argument("--wheels", metavar="FOLDER", help="wheels for the image's Python (default: what is installed)")
    build.add_argument("--no-try", action="store_true", help="do not score the sample submission before writing")
    check = commands.add_parser("check", help="check a bundle, and score a submission as the platform would")
    check.add_argument("bundle", metavar="ZIP", help="the bundle")
    check.add_argument("submission", nargs="?", metavar="SUBMISSION.zip", help="(default: the bundle's own sample)")
    check.add_argument("--phase", metavar="NAME", help="to which it is sent (default the first)")
    check.add_argument("--python", metavar="3.N", help="the image's Python, where its name does not say it")
    check.add_argument("--run-code", action="store_true", help="run a submission's own command, as the platform would")
    ranking = commands.add_parser("leaderboard", help="rank submissions with clusters, and write the report")
    ranking.add_argument("submissions", nargs="+", metavar="SUBMISSION.zip", help="as downloaded from the platform")
    ranking.add_argument("--task", default="TASK.toml", metavar="TASK.toml", help="the task file (default TASK.toml)")
    ranking.add_argument("--phase", metavar="NAME", help="the phase that they were sent to (default the last)")
    ranking.add_argument("--report", metavar="FOLDER", help="write leaderboard pages into this folder, too")
    ranking.add_argument("--tracks", metavar="TSV", help="of the pages: systems and the tracks they run in")
    add_names(ranking)
    add_format(ranking)
    add_width(ranking)


def run(arguments: argparse.Namespace) -> None:
    {"init": _init, "codabench": _codabench, "check": _check, "leaderboard": _leaderboard}[arguments.bundle_command](
        arguments
    )


def _init(arguments: argparse.Namespace) -> None:
    folder = Path(arguments.to)
    if len(arguments.source) != len(arguments.reference):
        got = f"{len(arguments.source)} and {len(arguments.reference)}"
        raise OptionError(f"-s: expected references with -r for each source, got {got}")
    pairs = zip(arguments.source, arguments.reference, strict=True)
    files = task_draft(
        [
            *(GoldFiles(gold=path) for path in arguments.gold),
            *(GoldFiles(source=source, references=tuple(references)) for source, references in pairs),
        ],
        folder,
        title=arguments.title,
        names=arguments.names,
        metric=arguments.metric,
        development=[GoldFiles(gold=path) for path in arguments.development],
    )
    write_new_files(files, force=arguments.force)
    print(f"recte bundle codabench {visible(str(folder / 'TASK.toml'))} --to task.zip")


def _codabench(arguments: argparse.Namespace) -> None:
    task = read_task(arguments.task)
    for line in task_warnings(task):
        _warn(line)
    files = bundle_files(task, needed_wheels(task.python, task.packages, arguments.wheels))
    content = zipped({name: files.read(name) for name in files})
    bundle = checked_bundle(BundleFiles.from_zipped(arguments.to, content))
    if not arguments.no_try:
        try_samples(task, bundle)
    write_bytes(arguments.to, content)
    phases = ", ".join(visible(name) for name in bundle.phases)
    print(f"{visible(str(arguments.to))}: phases {phases}; columns {', '.join(bundle.columns)}")


def _check(arguments: argparse.Namespace) -> None:
    bundle = checked_bundle(BundleFiles.from_zip(arguments.bundle))
    for line in bundle.warnings:
        _warn(line)
    phase = bundle.phase(arguments.phase)
    with tempfile.TemporaryDirectory(prefix="recte-") as folder:
        submission = arguments.submission
        if submission is None:
            sample = bundle.sample(phase)
            if sample is None:
                said = "the platform reads it as it is meant; it has no sample submission to score"
                print(f"{visible(str(arguments.bundle))}: {said}")
                return
            submission = Path(folder, "sample_submission.zip")
            submission.write_bytes(sample)
        if not network_can_be_off():
            _warn("the network stays on here (no unshare)")
        outcome = bundle.submitted(submission, phase["name"], python=arguments.python, run_code=arguments.run_code)
    for line in outcome.notes:
        _warn(line)
    if outcome.status == "Finished":
        print("".join(f"{visible(line)}\n" for line in outcome.stdout.splitlines()), end="")
    refusal = outcome.refusal(bundle.columns)
    if refusal is not None:
        raise InputError(refusal, str(arguments.submission or "the sample submission"))
    print(f"{outcome.status}: {len(outcome.scores or {})} scores for {visible(phase['name'])}")


def _leaderboard(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    task = read_task(arguments.task)
    phase = phase_named(task, arguments.phase)
    named = system_names(arguments.submissions, arguments.names)
    if arguments.report is not None:
        check_pages()  # before the work
    elif arguments.tracks is not None:
        raise OptionError("--tracks: expected --report too, got --tracks alone")
    tracks = None if arguments.tracks is None else read_tracks(arguments.tracks)
    with tempfile.TemporaryDirectory(prefix="recte-") as folder:
        final = final_ranking(task, phase, named, Path(folder), tell=_tell_left_out)
        for name, found in final.findings.items():
            for one in found:
                if one.level == WARNING:
                    _warn(f"{name}: {one}" if len(final.sets) > 1 else str(one))
        if arguments.report is not None:
            _write_pages(final_pages(final, task.title, tracks, arguments.width), Path(arguments.report))
    if arguments.format == "json":
        refused = [{"system": name, "reason": reason} for name, reason in final.refused.items()]
        warnings = warning_entries(final)
        print(document(phase=phase.name, rankings=ranking_entries(final), refused=refused, warnings=warnings))
    elif arguments.format == "csv":
        print_tables([rankings_table(final.rankings, arguments.width)], arguments.format)
    else:
        print_tables([ranking_table(one, arguments.width) for one in final.rankings], arguments.format)


def _write_pages(pages: Mapping[str, str], folder: Path) -> None:
    make_folder(str(folder))
    write_together({folder / name: [page.encode()] for name, page in pages.items()})
    print(f"{visible(str(folder / INDEX))}: open it in a browser", file=sys.stderr)


def _tell_left_out(name: str, reason: str) -> None:
    _warn(f"{name}: left out: {reason}")


def _warn(line: str) -> None:
    print(f"recte: warning: {visible(line)}", file=sys.stderr)
