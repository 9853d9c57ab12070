"""Tables of faithfulness and of annotators' agreement."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from recte.output.tables import Table
from recte.studies.faithfulness.edge_f_score import DagFScore
from recte.studies.faithfulness.passage_faithfulness import (
    FEWEST,
    AnnotatorAgreement,
    Faithfulness,
    FaithfulnessAverage,
    PassageAgreement,
)
from recte.studies.faithfulness.text_faithfulness import TextFaithfulness

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
    return f"UCCASIM{group}: {100 * interval.level:g}% interval {ends} over {average.passages} passages drawn anew"


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
