"""The data of the sentence explorer, laid out once: numbers for names that repeat, and nothing twice."""

from __future__ import annotations

from typing import Any

from recte.corpus import Sentence, annotator_order
from recte.evaluation import Evaluation

__all__ = ["explorer_data"]

_VERDICTS = ("correct", "spurious", "missed")
_DIGITS = bytes(range(256)).translate(bytes.maketrans(bytes(range(10)), b"0123456789"))


def explorer_data(data: Evaluation) -> dict[str, Any]:
    """Plain lists and numbers, in the order of sentences and systems.

    Verdicts are 0 correct, 1 spurious, 2 missed; an output equal to its source is null; an alignment is a text of
    digits, one per column: 4 source, 2 hypothesis, 1 reference, added up.
    """
    annotators = {name: number for number, name in enumerate(_annotators(data))}
    types = {name: number for number, name in enumerate(_types(data))}
    names = [system.name for system in data.systems]
    return {
        "joiner": " " if data.corpus.segmenter is None else "",
        "systems": names,
        "annotators": list(annotators),
        "types": list(types),
        "metrics": [{"title": m.title, "higher_is_better": m.higher_is_better} for m in data.metrics],
        "orders": max(m.ngram_orders if m.compares_with_source else 0 for m in data.metrics),
        "ngram_metrics": [m.title for m in data.metrics if m.compares_with_source and m.ngram_orders],
        "sentences": [
            {
                "source": " ".join(sentence.tokens),
                "gold": [
                    [
                        annotators[a.annotator],
                        [[e.start, e.end, _correction(e.corrections), types[e.type]] for e in a.edits],
                    ]
                    for a in sentence.annotations
                ],
                "labels": _labels(sentence),
            }
            for sentence in data.sentences
        ],
        "outputs": [_outputs(data, place) for place in range(len(names))],
        "judged": [
            [
                [
                    annotators[judged.annotator],
                    [
                        [_VERDICTS.index(e.verdict), e.start, e.end, _correction(e.corrections), types[e.type]]
                        for e in judged.edits
                    ],
                ]
                for judged in data.judged[name]
            ]
            for name in names
        ],
        "aligned": [
            [[aligned.reference, aligned.columns.translate(_DIGITS).decode()] for aligned in data.aligned[name]]
            for name in names
            if data.aligned
        ],
        "scores": [
            [[round(score, 4) for score in data.sentence_scores[metric.name][name]] for name in names]
            for metric in data.metrics
        ],
        "worth": [_worth(data, name) for name in names if data.worth],
    }


def _annotators(data: Evaluation) -> list[str]:
    """Those of the gold, and pairs of annotators that a system with several was judged by."""
    gold = {a.annotator for sentence in data.sentences for a in sentence.annotations}
    judged = {one.annotator for of_system in data.judged.values() for one in of_system}
    return [*sorted(gold, key=annotator_order), *sorted(judged - gold, key=annotator_order)]


def _correction(corrections: tuple[str, ...]) -> str | list[str]:
    """A correction, or all of them where there are alternatives."""
    return corrections[0] if len(corrections) == 1 else list(corrections)


def _types(data: Evaluation) -> list[str]:
    gold = {e.type for sentence in data.sentences for a in sentence.annotations for e in a.edits}
    judged = {e.type for of_system in data.judged.values() for one in of_system for e in one.edits}
    return sorted(gold | judged | {""})


def _worth(data: Evaluation, system: str) -> list[list[list[Any]]]:
    """For each sentence a row per edit: original, correction, and its worth by each metric, null where it sees none."""
    by_metric = [data.worth[metric.name][system] for metric in data.metrics]
    found = []
    for of_sentence in zip(*by_metric, strict=True):
        rows: dict[tuple[Any, ...], list[float | None]] = {}
        for m, edits in enumerate(of_sentence):
            for edit in edits:
                values = rows.setdefault(tuple(edit[:4]), [None] * len(by_metric))
                values[m] = round(edit.leave_one_out, 4)
        found.append([[*edit[2:], *values] for edit, values in rows.items()])
    return found


def _labels(sentence: Sentence) -> dict[str, str]:
    return {**({"document": sentence.document} if sentence.document else {}), **sentence.labels}


def _outputs(data: Evaluation, place: int) -> list[str | None]:
    segmenter = data.corpus.segmenter
    texts = []
    for sentence, output in zip(data.sentences, data.systems[place].outputs, strict=True):
        tokens = tuple(output.split() if segmenter is None else segmenter(output))
        texts.append(None if tokens == sentence.tokens else " ".join(tokens))
    return texts
