"""`recte faithfulness SOURCE CORRECTED`: is the meaning kept? By UCCA parses, or by any scorer of two texts.

Tables of faithfulness and of annotators' agreement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from recte.cli.arguments import format_option, width_option
from recte.cli.command import Command
from recte.errors import OptionError
from recte.evaluation.inputs import system_names
from recte.files import STANDARD_INPUT, make_folder, read_lines, write_together
from recte.messages import report
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.studies.faithfulness.edge_distribution import COUNTINGS, Counting
from recte.studies.faithfulness.edge_f_score import COUNTED, Counted, DagFScore
from recte.studies.faithfulness.graph import LABELS, Labels
from recte.studies.faithfulness.graph_drawing import draw_graphs
from recte.studies.faithfulness.leaf_alignment import BEHAVIOURS, Behaviour
from recte.studies.faithfulness.passage_faithfulness import (
    FEWEST,
    AnnotatorAgreement,
    Faithfulness,
    FaithfulnessAverage,
    PassageAgreement,
    score_agreement,
    score_faithfulness,
)
from recte.studies.faithfulness.passage_files import PassagePair, pair_passages, read_pair_list, read_passages
from recte.studies.faithfulness.text_faithfulness import TextFaithfulness, score_text_faithfulness
from recte.text.text_scorers import NAMED, command_scorer, scorer_named

__all__ = ["agreement_table", "faithfulness_table", "text_faithfulness_table"]


def faithfulness_table(result: Faithfulness, digits: int = 2) -> Table:
    """A row a passage, then the averages; DISTSIM as a similarity, and as the distance that is printed in the paper."""
    rows = [
        (
            row.name,
            *_percentages(
                row.uccasim.source_to_corrected,
                row.uccasim.corrected_to_source,
                row.uccasim.score,
                row.participants_and_adverbials.similarity,
                row.scenes.similarity,
                digits=digits,
            ),
            str(row.participants_and_adverbials.distance),
            str(row.scenes.distance),
        )
        for row in result.passages
    ]
    for average in (*result.groups, result.average):
        figures = (
            average.source_to_corrected,
            average.corrected_to_source,
            average.score,
            average.participants_and_adverbials,
            average.scenes,
        )
        distances = average.participants_and_adverbials_distance, average.scenes_distance
        name = f"average, {average.group}" if average.group else "average"
        rows.append((name, *_percentages(*figures, digits=digits), *(f"{d:.2f}" for d in distances)))
    headers = ("passage", "s→c", "c→s", "UCCASIM", "A+D", "Scenes", "|A+D|", "|Scenes|")
    notes = (
        "s→c, c→s: the source's units kept in the correction, the correction's found in the source"
        if result.behaviour == "official"
        else "s→c, c→s: F of edges with units aligned from source to correction, and from correction to source",
        "A+D, Scenes: DISTSIM of participants with adverbials, and of scenes; |…|: difference of their numbers",
        *(_interval_note(average, digits) for average in (*result.groups, result.average)),
        result.signature,
    )
    return Table("Faithfulness (UCCA)", headers, tuple(rows), notes)


def _interval_note(average: FaithfulnessAverage, digits: int) -> str:
    interval = average.interval
    group = f" of {average.group}" if average.group else ""
    if interval is None:
        return f"UCCASIM{group}: no interval, which needs {FEWEST} passages or more, got {average.passages}"
    ends = f"[{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}]"
    return f"UCCASIM{group}: {100 * interval.level:g}% interval {ends} over {average.passages} resampled passages"


def agreement_table(result: AnnotatorAgreement, digits: int = 2) -> Table:
    """A row a passage, then the totals of groups and of all."""
    rows = [_agreement_row(row.name, row.dag, [row], digits) for row in result.passages]
    rows += [_agreement_row(f"all, {name}", result.total_of(of), of, digits) for name, of in result.groups.items()]
    rows.append(_agreement_row("all", result.total, result.passages, digits))
    headers = ("passage", "P", "R", "DAG F", "unlabelled", "primary", "remote", "UCCASIM")
    notes = (
        "P, R, DAG F: labelled, primary and remote together; unlabelled, primary, remote: F; UCCASIM: the mean",
        f"behaviour:{result.behaviour}|labels:{result.labels}|counted:{result.counted}",
    )
    return Table("Agreement of annotators (UCCA)", headers, tuple(rows), notes)


def _agreement_row(name: str, dag: DagFScore, rows: Sequence[PassageAgreement], digits: int) -> tuple[str, ...]:
    labelled = dag.labelled
    # A kind of edge that neither annotator used has no agreement to speak of.
    kinds = [counts.f if counts.candidate or counts.reference else None for counts in (dag.primary, dag.remote)]
    figures = (labelled.precision, labelled.recall, labelled.f, dag.unlabelled.f, *kinds)
    return name, *_percentages(*figures, fmean(row.uccasim.score for row in rows), digits=digits)


def text_faithfulness_table(results: Sequence[TextFaithfulness], digits: int = 4, *, sentences: bool = False) -> Table:
    """One row per system, or on request one per sentence; the scorer's own figures."""
    title = f"Faithfulness ({results[0].scorer})"
    if not sentences:
        averages = tuple((r.system, str(len(r.sentences)), f"{r.average:.{digits}f}") for r in results)
        return Table(title, ("system", "sentences", "average"), averages)
    by_sentence = zip(*(result.sentences for result in results), strict=True)
    rows = tuple((str(n), *(f"{x:.{digits}f}" for x in figures)) for n, figures in enumerate(by_sentence, 1))
    return Table(f"{title}, sentence by sentence", ("sentence", *(result.system for result in results)), rows)


def _percentages(*figures: float | None, digits: int) -> tuple[str, ...]:
    return tuple("–" if figure is None else f"{100 * figure:.{digits}f}" for figure in figures)


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """How units of two graphs are compared."""

    behaviour: Behaviour = option(
        "official", "UCCASIM as released, or by equation 9 (default official)", choices=BEHAVIOURS
    )
    labels: Labels = option("weak", "weak takes P=S, H=C, N=L, F=R for the same (default weak)", choices=LABELS)
    min_terminals: int = option(2, "words a unit must have to be compared (default 2)", metavar="N", least=1)


@dataclass(frozen=True, kw_only=True)
class FaithfulnessOptions:
    files: tuple[str, ...] = argument(
        "SOURCE CORRECTED: folders or files of UCCA parses (.xml, .mrp); with a scorer, texts: SOURCE SYSTEM...",
        metavar="PARSES",
        values="*",
    )
    pairs: str | None = option(
        None, "lines of source parse, corrected parse and group, instead of files", kind=str, metavar="TSV"
    )
    agreement: bool = option(False, "two annotators of the same text: DAG F-score")
    measures: MeasureOptions = part(MeasureOptions, "options of the measures")
    counted: Counted = option(
        "units",
        "what DAG F counts: units, or every edge as printed (default units)",
        choices=COUNTED,
        group="options of the measures",
    )
    distsim: Counting = option(
        "each",
        "how DISTSIM counts A and D: each by itself, or together, as Sulem et al. (2015) do (default each)",
        choices=COUNTINGS,
        group="options of the measures",
    )
    scorer: str | None = option(
        None,
        f"a Python callable: source, correction to a number; or {', '.join(NAMED)}",
        kind=str,
        metavar="MODULE:FUNCTION",
        group="without parses",
    )
    batched: bool = option(False, "call it once, with all sources and all corrections", group="without parses")
    scorer_command: str | None = option(
        None,
        "reads source TAB correction a line, prints a number a line",
        kind=str,
        metavar="COMMAND",
        group="without parses",
    )
    format: str = format_option(group="output")
    width: int | None = width_option(None, "2; with a scorer 4", group="output")
    sentence_level: bool = option(
        False, "with a scorer: every sentence's figure", flags=("-sl", "--sentence-level"), group="output"
    )
    draw: str | None = option(
        None, "draw the two graphs of each pair as SVG", kind=str, metavar="FOLDER", group="output"
    )

    @property
    def has_scorer(self) -> bool:
        return self.scorer is not None or self.scorer_command is not None

    @property
    def digits(self) -> int:
        default = 4 if self.has_scorer else 2
        return default if self.width is None else self.width


def run(options: FaithfulnessOptions) -> None:
    _refuse_options_without_effect(options)
    if options.has_scorer:
        results = _score_texts(options)
        table = text_faithfulness_table(results, options.digits, sentences=options.sentence_level)
        _print(options, table, text_faithfulness=[result.to_dict() for result in results])
        return
    pairs = _read_pairs(options)
    table, parts = _measure(pairs, options)
    if options.draw:
        _draw(pairs, options, Path(options.draw))
    _print(options, table, **parts)


def _refuse_options_without_effect(options: FaithfulnessOptions) -> None:
    if options.scorer is not None and options.scorer_command is not None:
        raise OptionError("expected --scorer or --scorer-command, got both")
    of_parses = {"--pairs": options.pairs, "--agreement": options.agreement, "--draw": options.draw}
    of_scorers = {"--batched": options.batched, "-sl": options.sentence_level}
    for flag, is_set in (of_parses if options.has_scorer else of_scorers).items():
        if is_set:
            raise OptionError(f"{flag}: expected only {'with parses' if options.has_scorer else 'with a scorer'}")


def _measure(pairs: list[PassagePair], options: FaithfulnessOptions) -> tuple[Table, dict[str, Any]]:
    measures = asdict(options.measures)
    if options.agreement:
        agreement = score_agreement(pairs, counted=options.counted, **measures)
        return agreement_table(agreement, options.digits), {"agreement": agreement.to_dict()}
    result = score_faithfulness(pairs, distsim_counting=options.distsim, **measures)
    return faithfulness_table(result, options.digits), {"faithfulness": result.to_dict()}


def _print(options: FaithfulnessOptions, table: Table, **parts: object) -> None:
    if options.format == "json":
        print(document(**parts))
    else:
        print_tables([table], options.format)


def _read_pairs(options: FaithfulnessOptions) -> list[PassagePair]:
    if options.pairs:
        if options.files:
            raise OptionError(f"--pairs: expected no parses with it, got {len(options.files)}")
        return read_pair_list(options.pairs)
    if len(options.files) != 2:
        raise OptionError(f"expected source and corrected parses (or --pairs), got {len(options.files)} of them")
    source, corrected = map(read_passages, options.files)
    return pair_passages(source, corrected)


def _score_texts(options: FaithfulnessOptions) -> list[TextFaithfulness]:
    if len(options.files) < 2:
        raise OptionError(f"with a scorer: expected SOURCE and at least one SYSTEM, got {len(options.files)} files")
    if options.files.count(STANDARD_INPUT) > 1:
        raise OptionError("standard input can be read only once: expected one - at most")
    by_command = options.scorer_command is not None
    name = options.scorer_command or options.scorer or ""
    scorer = command_scorer(name) if by_command else scorer_named(name)
    sources = list(read_lines(options.files[0]))
    return [
        score_text_faithfulness(
            sources,
            list(read_lines(path)),
            scorer,
            batched=options.batched,
            system=system,
            name=name,
        )
        for system, path in system_names(options.files[1:], []).items()
    ]


def _draw(pairs: list[PassagePair], options: FaithfulnessOptions, folder: Path) -> None:
    make_folder(folder)
    drawings: dict[str | Path, list[bytes]] = {}
    for pair in pairs:
        titles = ("first annotator", "second annotator") if options.agreement else ("source", "corrected")
        drawing = draw_graphs(
            pair.source,
            pair.corrected,
            titles=(f"{titles[0]}: {pair.source.id}", f"{titles[1]}: {pair.corrected.id}"),
            **asdict(options.measures),
        )
        name = re.sub(r"[^\w.-]+", "-", pair.name)  # an id may hold anything, a file's name may not
        if folder / f"{name}.svg" in drawings:
            name += f"-{len(drawings) + 1}"
        drawings[folder / f"{name}.svg"] = [drawing.encode()]
    write_together(drawings)
    report(f"drew {len(drawings)} {'pair' if len(drawings) == 1 else 'pairs'} into {folder}")


COMMAND = Command(
    run=run,
    options=FaithfulnessOptions,
    forms=("SOURCE CORRECTED", "--pairs TSV", "SOURCE SYSTEM... --scorer MODULE:FUNCTION"),
    examples=(
        ("recte faithfulness sample/ucca/source sample/ucca/corrected", "do corrections keep the meaning?"),
        (
            "recte faithfulness sample/ucca/source sample/ucca/second-annotator --agreement",
            "do annotators agree?",
        ),
    ),
    common=(
        *("--pairs", "--agreement", "--behaviour", "--labels", "--counted", "--distsim", "--scorer", "--batched"),
        *("--scorer-command", "-f", "-q"),
    ),
)
