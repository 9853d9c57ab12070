"""Options that several commands share: gold and systems, how tables are printed, how texts are annotated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from typing import Any, get_args

from recte.errors import OptionError
from recte.evaluation.inputs import GoldFiles
from recte.evaluation.raw_systems import OutputKind
from recte.files import STANDARD_INPUT, can_be_read_again, check_targets, read_once
from recte.formats.file_formats import looks_like_gold
from recte.formats.m2 import begins_like_m2
from recte.formats.output_tables import TableColumns
from recte.messages import warn
from recte.metrics import metric_names
from recte.metrics.base import Metric
from recte.options import argument, option, part
from recte.output.terminal import TABLE_FORMATS
from recte.text.normalisation import NORMALISATIONS
from recte.text.raw_outputs import AUTO_RULE
from recte.text.segmenters import SEGMENTERS

__all__ = [
    "TO",
    "AnnotationOptions",
    "ColumnOptions",
    "GoldOptions",
    "check_one_system",
    "format_option",
    "lenient_option",
    "names_option",
    "quiet_option",
    "reading_option",
    "references_option",
    "runs_option",
    "source_option",
    "strict_option",
    "systems_option",
    "width_option",
]


TO = ("-o", "--to")  # how every command calls the file or folder that it writes


def format_option(*more: str, group: str = "") -> Any:
    """How a command prints its tables: for people, as JSON, or for a paper, a spreadsheet or a page; or as `more`."""
    choices = (*TABLE_FORMATS, "json", *more)
    return option("text", "how to print", flags=("-f", "--format"), choices=choices, group=group)


def width_option(default: int | None = 2, default_text: str = "2", group: str = "") -> Any:
    """How many digits a table prints."""
    return option(
        default,
        f"digits behind the point (default {default_text})",
        kind=int,
        flags=("-w", "--width"),
        metavar="DIGITS",
        least=0,
        most=15,
        unit="digits",
        group=group,
    )


def names_option(group: str = "") -> Any:
    """What systems are called, where not as their files."""
    return option((), "names of the systems, for their files", kind=str, metavar="NAME", group=group)


def runs_option(group: str = "") -> Any:
    """Systems that have several runs, such as one model trained with several seeds."""
    return option(
        (),
        "a system's runs, one file each: means, and intervals over runs and sentences ('base=out/base.seed*.txt')",
        kind=str,
        metavar="NAME=FILES",
        group=group,
    )


def quiet_option(help: str, group: str = "") -> Any:
    """Whether progress, warnings and notes are left out; the command line reads it for every command."""
    return option(False, help, flags=("-q", "--quiet"), group=group)


def strict_option(group: str = "") -> Any:
    """Whether input that looks wrong is refused."""
    return option(False, "input that looks wrong is an error, not a warning", group=group)


def source_option() -> Any:
    return option(
        None, "source sentences, one per line, instead of GOLD", kind=str, flags=("-s", "--source"), metavar="SOURCE"
    )


def references_option() -> Any:
    return option((), "rewritten references, with -s", kind=str, flags=("-r", "--reference"), metavar="REF")


def systems_option(help: str = "systems, as in sacreBLEU") -> Any:
    return option((), help, kind=str, flags=("-i", "--input"), metavar="SYSTEM")


def lenient_option(help: str = "drop gold edits that reach past their sentence") -> Any:
    return option(False, help)


def reading_option() -> Any:
    return option(
        None,
        "of essays: whole (default) or lines; of FCGEC's JSON: official (default, as the task's converter) or complete",
        kind=str,
        metavar="HOW",
    )


@dataclass(frozen=True, kw_only=True)
class AnnotationOptions:
    """How texts are annotated for ERRANT's rules."""

    annotator: str = option(
        "builtin",
        "who tags: builtin, spacy:MODEL, udpipe:FILE (default builtin)",
        metavar="NAME",
        excludes="annotation",
    )
    annotations: str | None = option(
        None,
        "tags, lemmas and dependencies from a file, CoNLL-U or TSV, instead",
        kind=str,
        metavar="FILE",
        excludes="annotation",
    )
    language: str = option(
        "en",
        "whose edits: en, zh, cs, de, el, es, fr, ru, multigec, or universal for any with UD tags (default en)",
        metavar="CODE",
    )
    rules: str | None = option(
        None,
        "which of the language's rules, such as official or corrected (default official)",
        kind=str,
        metavar="NAME",
    )
    word_list: str | None = option(
        None, "words that the language's rules know, one a line; several files by commas", kind=str, metavar="FILE"
    )

    @property
    def language_options(self) -> dict[str, str]:
        """Options of the language that were given; those that it does not have are refused."""
        options = {"rules": self.rules, "word_list": self.word_list}
        return {name: value for name, value in options.items() if value is not None}

    @property
    def tagger(self) -> str:
        """The annotator's name, as `recte.extract` takes it."""
        return self.annotator if self.annotations is None else f"given:{self.annotations}"


@dataclass(frozen=True, kw_only=True)
class ColumnOptions:
    """The columns of systems' files that are tables."""

    text_column: str | None = option(
        None,
        "of a CSV, TSV, JSON, JSON lines or Parquet file: the outputs (default output, corrected, ...)",
        kind=str,
        metavar="NAME",
    )
    source_column: str | None = option(
        None, "likewise: the sources, which must be the gold's (default source)", kind=str, metavar="NAME"
    )
    id_column: str | None = option(
        None, "likewise: the ids of the sentences (default id, custom_id)", kind=str, metavar="NAME"
    )

    @property
    def names(self) -> TableColumns:
        return TableColumns(self.text_column, self.source_column, self.id_column)


@dataclass(frozen=True, kw_only=True)
class GoldOptions:
    """Where sources, gold and systems are, and how they are read."""

    files: tuple[str, ...] = argument(
        "GOLD SYSTEM...; with -s the systems alone; - is standard input", metavar="FILE", values="*"
    )
    input: tuple[str, ...] = systems_option()
    source: str | None = source_option()
    reference: tuple[str, ...] = references_option()
    test_set: str | None = option(
        None,
        "gold by its name, instead of GOLD (recte data list)",
        kind=str,
        flags=("-t", "--test-set"),
        metavar="NAME",
    )
    labels: str | None = option(
        None, "document and labels of each sentence, a table with a header", kind=str, metavar="TSV"
    )
    lenient: bool = lenient_option()
    reading: str | None = reading_option()
    columns: ColumnOptions = part(ColumnOptions)
    leave_out: tuple[str, ...] = option(
        (),
        "sentences that are not scored: unclustered, those whose edits make no sure errors for the I-measure; or "
        "numbers from 1",
        kind=str,
        metavar="SENTENCE",
    )
    tokens: str | None = option(
        None,
        f"{', '.join(SEGMENTERS)}, or module:function: gold edits are projected, outputs cut (default given; "
        "characters+marks for .para)",
        kind=str,
        metavar="HOW",
    )
    outputs: str = option(
        "auto",
        "whether outputs are in the gold's tokens, or raw; auto (default) looks, but not with presets, clusters and "
        "parts of a gold",
        choices=get_args(OutputKind),
    )
    output_tokens: str = option(
        AUTO_RULE,
        "what cuts the changed parts of raw outputs, as in --tokens (default auto: what suits the sources)",
        metavar="HOW",
    )
    clean: bool = option(False, "take off what is no part of the outputs first, as recte clean does, and say so")
    normalise: tuple[str, ...] = option(
        (),
        f"equivalent spellings, made equal: {', '.join(NORMALISATIONS)}",
        kind=str,
        choices=NORMALISATIONS,
        metavar="STEP",
    )

    @property
    def all_files(self) -> tuple[str, ...]:
        """Files with and without a flag; the gold is the first unless a flag names it."""
        return (*self.files, *self.input)

    def check_not_read(self, path: str) -> None:
        """Refuse a file to write that is one of those read."""
        named = (self.source, self.labels)
        check_targets([path], [*self.all_files, *self.reference, *(name for name in named if name is not None)])

    def read_files(
        self,
        *,
        needs_references: bool = True,
        lists: Mapping[str, Sequence[str]] | None = None,
        subset: Sequence[str] = (),
        detects_raw_outputs: bool = True,
        more_systems: Sequence[str] = (),
    ) -> tuple[GoldFiles, list[str]]:
        """The gold and the system files.

        `needs_references` says whether sources alone are not enough. `lists` are the values of flags that take any
        number of words, to see whether one took a file. `subset` are names of the only sentences to read.
        `detects_raw_outputs` says whether `--outputs auto` looks at the outputs. `more_systems` are files of systems
        that another flag names; they stand last.
        """
        files = list(self.all_files)
        common: dict[str, Any] = {
            "labels": self.labels,
            "lenient": self.lenient,
            "tokens": self.tokens,
            "normalise": self.normalise,
            "clean": self.clean,
            "reading": self.reading,
            "columns": self.columns.names,
            "leave_out": self.leave_out,
            "subset": subset,
            "outputs": "tokens" if self.outputs == "auto" and not detects_raw_outputs else self.outputs,
            "output_tokens": self.output_tokens,
        }
        if self.test_set is not None:
            if self.source is not None or self.reference:
                raise OptionError("-t: expected no other gold with a test set, got -s or -r")
            gold, systems = GoldFiles(**_find_test_set(self.test_set), **common), [*files, *more_systems]
        elif self.source is not None:
            if not self.reference and needs_references:
                raise OptionError("-s: expected references with -r, got none")
            gold = GoldFiles(source=self.source, references=self.reference, **common)
            systems = [*files, *more_systems]
        elif self.reference:
            raise OptionError("-r: expected the source with -s, got none")
        elif not files:
            self._check_lists(lists or {})
            raise OptionError("expected a gold file and systems, got no file")
        else:
            gold, systems = GoldFiles(gold=files[0], **common), [*files[1:], *more_systems]
            _check_order(files[0], systems)
        if not systems:
            self._check_lists(lists or {})
        elif gold.gold is None or self.test_set is not None:
            self._warn_of_second_gold(gold, systems)
        read_once([*gold.paths(), *(systems or [STANDARD_INPUT])])
        return gold, systems

    def _warn_of_second_gold(self, gold: GoldFiles, systems: Sequence[str]) -> None:
        """Warn where a file among the systems seems to be meant as gold, though -t or -s names it."""
        second = systems[0] if begins_like_m2(systems[0]) and not all(map(begins_like_m2, systems)) else None
        if gold.gold is not None:
            same = (path for path in systems if can_be_read_again(path) and _have_same_content(path, gold.gold))
            second = next(same, second)
        if second is not None:
            named = f"-s {self.source}" if self.test_set is None else f"-t {self.test_set}"
            warn(f"{second} is scored as a system, since {named} names the gold; leave one of them out")

    def _check_lists(self, lists: Mapping[str, Sequence[str]]) -> None:
        """Refuse a list option that took the systems."""
        if len(self.reference) > 1:
            raise OptionError(
                f"-r takes all files behind it as references, got {len(self.reference)} and no system: "
                "expected systems before -r or after -i (- is standard input)"
            )
        for flag, values in lists.items():
            file = next((value for value in values if Path(value).exists() and value not in metric_names()), None)
            if file is not None:
                where = f"put {flag} after the files"
                raise OptionError(f"{flag} takes all words behind it, got the file {file!r}: {where}")


def _find_test_set(name: str) -> dict[str, Any]:
    """The files of a test set, by what they are to a gold."""
    from recte.tasks.store import test_set_files

    paths = test_set_files(name)
    return {"gold": paths[0]} if len(paths) == 1 else {"source": paths[0], "references": tuple(paths[1:])}


def _check_order(gold: str, systems: Sequence[str]) -> None:
    """Refuse gold behind a system, as other programs want it."""
    behind = next((path for path in systems if looks_like_gold(path)), None)
    if behind is not None and can_be_read_again(gold) and not looks_like_gold(gold):
        raise OptionError(
            f"expected GOLD before the systems, got {gold}, which is plain text; {behind} looks like gold: put it first"
        )


def _have_same_content(path: str | Path, other: str | Path) -> bool:
    try:
        return Path(path).stat().st_size == Path(other).stat().st_size and cmp(path, other, shallow=False)
    except OSError:  # the reader of the file says what is wrong
        return False


def check_one_system(command: str, systems: Sequence[str], metric: Metric) -> None:
    """Refuse another number of systems than one, unless the metric needs the others to score the first."""
    if not systems or (len(systems) > 1 and not metric.looks_at_other_systems):
        raise OptionError(f"{command}: expected one system, got {len(systems)}")
