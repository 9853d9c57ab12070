"""From files or plain lists to counts and scores, any number of systems and metrics in one pass.

Sentences go through in chunks, so that memory stays bounded by the compact rows that are kept of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from errata.alignment.verdicts import JudgedEdit
from errata.corpus import Corpus, Edit, Sentence, System
from errata.errors import InputError, OptionError
from errata.formats.files import display_name, read_lines, stem
from errata.formats.labels import iterate_labels, with_labels
from errata.formats.m2 import is_m2_file, iterate_m2, iterate_m2_system, read_m2
from errata.formats.parallel import iterate_parallel, read_system, side_by_side
from errata.metrics import metric_class
from errata.metrics.base import Metric, Score
from errata.metrics.counts import Counts, merge
from errata.metrics.maxmatch import MaxMatchScorer

__all__ = [
    "GoldFiles",
    "SystemCounts",
    "count_files",
    "read_corpus_and_system",
    "score",
    "score_counts",
    "system_names",
]

_CHUNK = 10_000


@dataclass(frozen=True)
class GoldFiles:
    """Where sources and gold are: an M2 file, or a source file with rewritten references; and labels beside them."""

    m2: str | Path | None = None
    source: str | Path | None = None
    references: tuple[str | Path, ...] = ()
    labels: str | Path | None = None
    lenient: bool = False

    @property
    def name(self) -> str:
        return display_name(self.m2 if self.m2 is not None else self.source or "")

    def sentences(self) -> Iterator[Sentence]:
        if self.m2 is not None:
            sentences = iterate_m2(self.m2, lenient=self.lenient)
        elif self.source is not None:
            sentences = iterate_parallel(self.source, self.references)
        else:
            raise OptionError("gold: expected an M2 file, or a source with references, got neither")
        if self.labels is None:
            return sentences
        labels = [(display_name(self.labels), iterate_labels(self.labels))]
        return (with_labels(s, values[0]) for s, values in side_by_side(sentences, self.name, labels))


@dataclass(frozen=True)
class SystemCounts:
    """One system's counts by one metric, and its judged edits where they were asked for."""

    metric: Metric
    counts: Counts
    judged: tuple[Mapping[str, tuple[JudgedEdit, ...]], ...] | None = None


def count_files(
    gold: GoldFiles,
    systems: Mapping[str, str | Path],
    metrics: Sequence[Metric],
    *,
    types: bool = False,
    edits: bool = False,
    first: int = 0,
    progress: Callable[[int], None] = lambda sentences: None,
) -> list[SystemCounts]:
    """Count every system by every metric; `systems` are files by name, `first` the place of the first sentence."""
    columns = [(display_name(path), _outputs(path, gold.lenient)) for path in systems.values()]
    rows = side_by_side(gold.sentences(), gold.name, columns)
    parts: dict[tuple[str, Metric], list[SystemCounts]] = {}
    while chunk := list(islice(rows, _CHUNK)):
        corpus = Corpus(tuple(sentence for sentence, _ in chunk), first=first)
        for metric in metrics:
            scorer = metric.prepare(corpus)
            for s, name in enumerate(systems):
                given = [outputs[s] for _, outputs in chunk]
                system = System(
                    name,
                    tuple(text for text, _ in given),
                    None if any(own is None for _, own in given) else tuple(own or () for _, own in given),
                )
                counts = scorer.count(system)
                judged = None
                if isinstance(scorer, MaxMatchScorer):
                    counts = scorer.count_types(system, counts) if types else counts
                    judged = tuple(scorer.judged_edits(system.outputs)) if edits else None
                parts.setdefault((name, metric), []).append(SystemCounts(metric, counts, judged))
        first += len(chunk)
        progress(len(chunk))
    return [_join(of_system) for of_system in parts.values()]


def _join(parts: Sequence[SystemCounts]) -> SystemCounts:
    judged = None if parts[0].judged is None else tuple(edits for part in parts for edits in part.judged or ())
    return SystemCounts(parts[0].metric, merge([part.counts for part in parts]), judged)


def _outputs(path: str | Path, lenient: bool) -> Iterator[tuple[str, tuple[Edit, ...] | None]]:
    """A system's hypotheses, with its own edits where the file is M2."""
    if is_m2_file(path):
        return iterate_m2_system(path, lenient=lenient)
    return ((line, None) for line in read_lines(path))


def read_corpus_and_system(gold: GoldFiles, path: str | Path) -> tuple[Corpus, System]:
    """A gold and one system, whole, with equal lengths."""
    rows = list(side_by_side(gold.sentences(), gold.name, [(display_name(path), _outputs(path, gold.lenient))]))
    return Corpus(tuple(s for s, _ in rows)), System(stem(path), tuple(outputs[0][0] for _, outputs in rows))


def score_counts(counted: SystemCounts, *, sentences: bool = False, by: str | None = None) -> list[Score]:
    """The score, with its judged edits where there are any, and one more for each value of the label `by`."""
    metric, counts = counted.metric, counted.counts
    whole = metric.score_counts(counts, sentences=sentences or counted.judged is not None)
    if counted.judged is not None and whole.sentences is not None:
        entries = zip(whole.sentences, counted.judged, strict=True)
        whole = replace(
            whole, sentences=tuple({**entry, "edits": _entries(judged[entry["chosen"]])} for entry, judged in entries)
        )
    scores = [whole]
    if by is not None:
        if by not in counts.labels:
            raise OptionError(f"by: expected one of the labels {sorted(counts.labels)}, got {by!r}")
        values = np.asarray(counts.labels[by], dtype=object)
        for value in sorted(set(values)):
            part = metric.score_counts(counts.select(values == value), sentences=sentences)
            scores.append(replace(part, subset={by: value}))
    return scores


def _entries(judged: Iterable[JudgedEdit]) -> list[dict[str, Any]]:
    return [
        {
            "verdict": edit.verdict,
            "start": edit.start,
            "end": edit.end,
            "original": edit.original,
            "corrections": edit.corrections,
            "type": edit.type,
        }
        for edit in judged
    ]


def score(
    gold: Corpus | str | Path | Sequence[str],
    hypotheses: System | str | Path | Sequence[str],
    references: Sequence[Sequence[str]] | None = None,
    *,
    metric: str = "m2",
    sentences: bool = False,
    **options: Any,
) -> Score:
    """Score one system: gold as a corpus, an M2 file, or plain sources with `references`; hypotheses as a file or list.

    >>> score(["He go ."], ["He goes ."], references=[["He goes ."], ["He went ."]], beta=1.0).score
    1.0
    """
    if isinstance(gold, (str, Path)):
        corpus = read_m2(gold)
    elif isinstance(gold, Corpus):
        corpus = gold
    else:
        corpus = Corpus.from_references(gold, references or ())
    if references is not None and isinstance(gold, (str, Path, Corpus)):
        raise InputError("references go with plain sources: expected a list of sentences first")
    system = read_system(hypotheses) if isinstance(hypotheses, (str, Path)) else System.of(hypotheses)
    scorer = metric_class(metric)(**options).prepare(corpus)
    return scorer.score(system, sentences=sentences)


def system_names(paths: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Files by system name: the given names, or the files' stems, or where stems repeat the whole paths.

    >>> system_names(["a/out.txt", "b/out.txt", "c.txt"])
    {'a/out.txt': 'a/out.txt', 'b/out.txt': 'b/out.txt', 'c': 'c.txt'}
    """
    if names and len(names) != len(paths):
        raise OptionError(f"names: expected {len(paths)}, one for each system, got {len(names)}")
    stems = [stem(path) for path in paths]
    chosen = list(names) or [path if stems.count(s) > 1 else s for s, path in zip(stems, paths, strict=True)]
    repeated = next((name for name in chosen if chosen.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"systems: expected different names, got {repeated!r} twice")
    return dict(zip(chosen, paths, strict=True))
