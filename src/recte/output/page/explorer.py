"""The data of the sentence explorer, laid out once: numbers for names that repeat, and nothing twice.

What belongs to one sentence stands together, since outputs of several systems are alike: compressed, a page is a third
of what it would be with the outputs of each system in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recte.corpus.corpus import Sentence, annotator_order
from recte.edits.verdicts import JudgedSentence, Verdict
from recte.evaluation.evaluation import Evaluation

__all__ = ["explorer_data"]

_VERDICTS: Mapping[Verdict, int] = {"correct": 0, "spurious": 1, "missed": 2}
_DIGITS = bytes(range(256)).translate(bytes.maketrans(bytes(range(10)), b"0123456789"))
_Text = str | list[str]


def explorer_data(data: Evaluation) -> dict[str, Any]:
    """Plain texts, numbers and lists of them, in the order of sentences and systems.

    A text is as it stood in its file, white space at its ends aside, with its tokens behind it where they do not
    follow from it; an output equal to its source is null. Edits are judged by each metric that does so: verdicts are
    0 correct, 1 spurious, 2 missed. An alignment names one of the sentence's references, and has a text of digits,
    one per column: 4 source, 2 hypothesis, 1 reference, added.
    """
    annotators = _annotators(data)
    types = _types(data)
    names = [system.name for system in data.systems]
    joiner = _joiner(data)
    judges = data.judged_by or {"": data.judged}
    known: dict[int, list[Any]] = {}
    columns = {
        "outputs": zip(*(_outputs(data, place, joiner) for place in range(len(names))), strict=True),
        "judged": zip(
            *(
                zip(
                    *(_iterate_judged(of[name], _number(annotators), _number(types), known) for name in names),
                    strict=True,
                )
                for of in judges.values()
            ),
            strict=True,
        ),
        **({"aligned": _iterate_alignments(data)} if data.aligned else {}),
        **({"worth": zip(*(_worth(data, name) for name in names), strict=True)} if data.worth else {}),
    }
    remarks = _remarks(data, names)
    of_sentences = zip(_gold(data, _number(annotators), _number(types), joiner), *columns.values(), strict=True)
    return {
        "joiner": joiner,
        "systems": names,
        "annotators": annotators,
        "types": types,
        "judges": [place for place, metric in enumerate(data.metrics) if metric.name in data.judged_by],
        "metrics": [
            {"name": m.name, "title": m.title, "higher_is_better": m.higher_is_better, "factor": m.score_factor}
            for m in data.metrics
        ],
        "orders": max(m.ngram_orders if m.compares_with_source else 0 for m in data.metrics),
        "ngram_metrics": [m.title for m in data.metrics if m.compares_with_source and m.ngram_orders],
        "sentences": [
            {**sentence, **dict(zip(columns, of_systems, strict=True)), **remarks.get(place, {})}
            for place, (sentence, *of_systems) in enumerate(of_sentences)
        ],
        "scores": [
            [[round(score, 6) for score in data.sentence_scores[metric.name][name]] for name in names]
            for metric in data.metrics
        ],
        "pairs": [_pairs(data, metric.name, names) for metric in data.metrics if data.comparisons],
    }


def _number(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _all_judged(data: Evaluation) -> Iterator[tuple[JudgedSentence, ...]]:
    for of_metric in data.judged_by.values() or (data.judged,):
        yield from of_metric.values()


def _annotators(data: Evaluation) -> list[str]:
    """Those of the gold, and pairs of annotators that a system with several was judged by."""
    gold = {a.annotator for sentence in data.sentences for a in sentence.annotations}
    judged = {judged_sentence.annotator for of_system in _all_judged(data) for judged_sentence in of_system}
    return [*sorted(gold, key=annotator_order), *sorted(judged - gold, key=annotator_order)]


def _types(data: Evaluation) -> list[str]:
    gold = {e.type for sentence in data.sentences for a in sentence.annotations for e in a.edits}
    distinct = {
        id(judged_sentence.edits): judged_sentence.edits
        for of_system in _all_judged(data)
        for judged_sentence in of_system
    }
    judged = {e.type for edits in distinct.values() for e in edits}
    return sorted(gold | judged | {""})


def _joiner(data: Evaluation) -> str:
    """What stands between tokens: a space, or nothing where outputs have few (Chinese)."""
    if data.corpus.segmenter is None:
        return " "
    shown = [output for system in data.systems for output in system.outputs[:100]]
    tokens = sum(len(data.corpus.segmenter(output)) for output in shown)
    return " " if 2 * sum(len(output.split()) for output in shown) > tokens else ""


def _store_text(text: str, tokens: Sequence[str], joiner: str) -> _Text:
    """A text, and its tokens behind it where cutting it at spaces (or at every character) does not give them."""
    if joiner:
        follows = text == " ".join(tokens) or [t for t in text.replace("\t", " ").split(" ") if t] == list(tokens)
    else:
        follows = list(text) == list(tokens)
    return text if follows else [text, " ".join(tokens)]


def _gold(
    data: Evaluation, annotators: Mapping[str, int], types: Mapping[str, int], joiner: str
) -> Iterator[dict[str, Any]]:
    """Each sentence by itself: its source, its annotators' edits, and what is known of it."""
    for number, sentence in enumerate(data.sentences, 1):
        yield {
            "source": _source(sentence, joiner),
            "gold": [
                [
                    annotators[a.annotator],
                    [[e.start, e.end, _correction(e.corrections), types[e.type]] for e in a.edits],
                ]
                for a in sentence.annotations
            ],
            "labels": _labels(sentence, number),
        }


def _source(sentence: Sentence, joiner: str) -> _Text:
    # Where texts were cut again, their spaces are gone: the tokens are all there is.
    cut = not joiner and sentence.text == " ".join(sentence.tokens)
    return _store_text("".join(sentence.tokens) if cut else sentence.text, sentence.tokens, joiner)


def _labels(sentence: Sentence, number: int) -> dict[str, str]:
    """What is known of a sentence; its id where that is another than its number on the page."""
    known = {"id": sentence.id if sentence.id != str(number) else "", "document": sentence.document}
    return {**{name: text for name, text in known.items() if text}, **sentence.labels}


def _correction(corrections: tuple[str, ...]) -> str | list[str]:
    """A correction, or all of them where there are alternatives."""
    return corrections[0] if len(corrections) == 1 else list(corrections)


def _outputs(data: Evaluation, place: int, joiner: str) -> Iterator[_Text | None]:
    segmenter = data.corpus.segmenter
    # White space at the ends of a line cannot be seen, and would keep equal outputs apart.
    stripped = (output.strip() for output in data.systems[place].outputs)
    for sentence, output in zip(data.sentences, stripped, strict=True):
        if output == sentence.text and segmenter is None:
            yield None
        else:
            text = _store_text(output, output.split() if segmenter is None else segmenter(output), joiner)
            yield None if text == _source(sentence, joiner) else text


def _iterate_judged(
    of_system: Sequence[JudgedSentence],
    annotators: Mapping[str, int],
    types: Mapping[str, int],
    known: dict[int, list[Any]],
) -> Iterator[list[Any]]:
    """A sentence's annotator and judged edits; `known` are those laid out already, since systems share outputs."""
    for judged in of_system:
        edits = known.get(id(judged.edits))
        if edits is None:
            edits = known[id(judged.edits)] = [
                [_VERDICTS[e.verdict], e.start, e.end, _correction(e.corrections), types[e.type]] for e in judged.edits
            ]
        yield [annotators[judged.annotator], edits]


def _iterate_alignments(data: Evaluation) -> Iterator[dict[str, Any]]:
    """For each sentence the references that its hypotheses were aligned with, and each system's alignment."""
    for of_sentence in zip(*(data.aligned[system.name] for system in data.systems), strict=True):
        known = _number(list(dict.fromkeys(alignment.reference for alignment in of_sentence)))
        systems = [
            [known[alignment.reference], alignment.columns.translate(_DIGITS).decode()] for alignment in of_sentence
        ]
        yield {"references": list(known), "systems": systems}


def _worth(data: Evaluation, system: str) -> Iterator[list[list[Any]]]:
    """For each sentence a row per edit: original, correction, and its worth by each metric, null where it sees none."""
    by_metric = [data.worth[metric.name][system] for metric in data.metrics]
    for of_sentence in zip(*by_metric, strict=True):
        rows: dict[tuple[Any, ...], list[float | None]] = {}
        for m, edits in enumerate(of_sentence):
            for edit in edits:
                values = rows.setdefault(tuple(edit[:4]), [None] * len(by_metric))
                values[m] = round(edit.leave_one_out, 4)
        yield [[*edit[2:], *values] for edit, values in rows.items()]


def _remarks(data: Evaluation, names: Sequence[str]) -> dict[int, dict[str, Any]]:
    """For sentences that a metric has something to say of: for each system the metric's place and what it says."""
    remarks_of: dict[int, dict[str, Any]] = {}
    for m, metric in enumerate(data.metrics):
        for s, name in enumerate(names):
            for place, text in data.remarks.get(metric.name, {}).get(name, {}).items():
                entry = remarks_of.setdefault(place, {"remarks": [[] for _ in names]})
                entry["remarks"][s].append([m, text])
    return remarks_of


def _pairs(data: Evaluation, metric: str, names: Sequence[str]) -> list[list[Any]]:
    """Each pair of systems that was tested: their places, the difference, and 1 where it is significant."""
    comparison = data.comparisons.get(metric)
    if comparison is None:
        return []
    places = _number(names)
    return [
        [places[pair.first], places[pair.second], round(pair.difference, 4), int(comparison.is_significant(pair))]
        for pair in comparison.pairs
    ]
