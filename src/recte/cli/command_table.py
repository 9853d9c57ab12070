"""The commands by name, in groups by what one wants: which module each one is, and its summary.

A module has its command as `COMMAND`; it is imported when the command is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from recte.cli.command import Command

__all__ = ["COMMANDS", "COMMAND_GROUPS", "CommandEntry"]


class CommandEntry(NamedTuple):
    """A command of the command line, not imported yet."""

    module: str
    summary: str

    def load(self) -> Command:
        return cast("Command", import_module(self.module).COMMAND)


COMMAND_GROUPS = {
    "score systems": {
        "score": CommandEntry("recte.commands.score", "score systems against a gold standard"),
        "compare": CommandEntry("recte.commands.compare", "show who beats whom, and whether it could be chance"),
        "explain": CommandEntry("recte.commands.explain", "show one sentence as a metric saw it"),
        "report": CommandEntry("recte.commands.report", "write one HTML page that shows every score and sentence"),
        "figures": CommandEntry("recte.commands.figures", "draw the report's charts into files, for a paper"),
        "count": CommandEntry("recte.commands.count", "save a system's counts, to merge and score later"),
    },
    "prepare files": {
        "clean": CommandEntry("recte.commands.clean", "take off what models leave in a file besides the sentences"),
        "filter": CommandEntry("recte.studies.filtering.command", "keep the corrected texts that meet conditions"),
        "extract": CommandEntry("recte.commands.extract", "find typed edits between sources and corrected texts"),
        "convert": CommandEntry("recte.commands.convert", "turn gold files from one format into another"),
        "cut": CommandEntry(
            "recte.studies.conservatism.cut_command", "cut a text and its correction into sentence pairs"
        ),
        "references": CommandEntry(
            "recte.studies.coverage.references_command", "grow a reference set from many answers"
        ),
        "sample": CommandEntry("recte.commands.sample", "write the bundled sample, to try things on"),
    },
    "compare with people": {
        "rank": CommandEntry("recte.studies.human.rank_command", "rank systems by human judgments"),
        "metaeval": CommandEntry("recte.studies.metaeval.command", "compare metrics with human judgments"),
        "correlate": CommandEntry(
            "recte.studies.metaeval.correlate_command", "compare metrics with each other over systems, without people"
        ),
        "judge": CommandEntry(
            "recte.studies.human.judge_command", "have a language model say which of two outputs is better"
        ),
        "ceilings": CommandEntry(
            "recte.studies.coverage.ceilings_command", "show what people score against people, and systems"
        ),
    },
    "study systems and gold": {
        "difficulty": CommandEntry(
            "recte.commands.difficulty", "show which error types are difficult for a set of systems"
        ),
        "segmentation": CommandEntry(
            "recte.studies.segmentation.command", "show how much a score depends on the word segmenter"
        ),
        "conservatism": CommandEntry(
            "recte.studies.conservatism.command", "show how much systems and annotators change"
        ),
        "faithfulness": CommandEntry(
            "recte.studies.faithfulness.command", "say whether corrections keep the meaning of their source"
        ),
        "coverage": CommandEntry(
            "recte.studies.coverage.command", "estimate how many corrections there are, and what few miss"
        ),
        "closest": CommandEntry(
            "recte.studies.coverage.closest_command", "score systems on references that follow their output"
        ),
    },
    "run a task": {
        "data": CommandEntry("recte.commands.data", "list test sets, and get them by name"),
        "bundle": CommandEntry("recte.commands.bundle", "run a shared task on Codabench, or offline"),
    },
    "papers, and the shell": {
        "reproduce": CommandEntry(
            "recte.studies.papers.command", "recompute the tables of papers next to the published figures"
        ),
        "completion": CommandEntry("recte.cli.completion", "print what makes a shell complete commands and options"),
    },
}
COMMANDS = {name: entry for group in COMMAND_GROUPS.values() for name, entry in group.items()}
