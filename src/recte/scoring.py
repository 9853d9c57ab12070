"""From files or plain lists to counts and scores, any number of systems and metrics in one pass.

Sentences go through in chunks, so that memory stays bounded by the compact rows that are kept of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recte.alignment.projection import normalised, segmented
from recte.alignment.verdicts import JudgedEdit
from recte.corpus import DO_NOTHING, Annotation, Corpus, Edit, Sentence, System, apply_edits
from recte.counts import Counts, merge
from recte.errors import InputError, OptionError
from recte.extras import function_named
from recte.formats.files import display_name, read_lines, stem
from recte.formats.imeasure_xml import is_imeasure_xml, read_imeasure_xml
from recte.formats.labels import iterate_labels, with_labels
from recte.formats.m2 import is_m2_file, iterate_m2
from recte.formats.para import is_para_file, iterate_para, iterate_para_outputs
from recte.formats.parallel import iterate_parallel, side_by_side
from recte.formats.spelling import (
    SighanAnswer,
    is_sighan_answers,
    is_spelling_table,
    iterate_sighan,
    iterate_sighan_answers,
    iterate_spelling_table,
)
from recte.inference.intervals import FEWEST_UNITS, Replicates, Resampling, confidence_interval
from recte.inference.resampling import Interval
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.metrics.edit_metric import EditScore
from recte.segmentation.normalisation import Normalisation
from recte.segmentation.segmenters import GIVEN, MARKED_CHARACTERS, segmenter_named

__all__ = [
    "DO_NOTHING",
    "GoldFiles",
    "SystemCounts",
    "count_files",
    "read_corpus_and_system",
    "read_corpus_and_systems",
    "score",
    "score_counts",
    "system_names",
    "with_files",
    "with_interval",
]

_CHUNK = 10_000


@dataclass(frozen=True)
class GoldFiles:
    """Where sources and gold are: an M2 or XML file, or sources with rewritten references; and labels beside them."""

    gold: str | Path | None = None
    source: str | Path | None = None
    references: tuple[str | Path, ...] = ()
    labels: str | Path | None = None
    lenient: bool = False
    tokens: str | None = None  # None is as given, or characters where a format has no words
    normalise: tuple[str, ...] = ()

    def corpus(self, sentences: Iterable[Sentence], first: int = 0) -> Corpus:
        """Sentences as a corpus, normalised and in the tokens wanted."""
        corpus = Corpus(tuple(sentences), first=first)
        if self.normalise:
            corpus = normalised(corpus, Normalisation(self.normalise))
        wordless = self.gold is not None and is_para_file(self.gold)
        if wordless and self.tokens == GIVEN:
            raise OptionError("tokens: expected characters or a segmenter, since .para has no words, got given")
        segmenter = segmenter_named(self.tokens or (MARKED_CHARACTERS if wordless else GIVEN))
        return corpus if segmenter is None else segmented(corpus, segmenter)

    def paths(self) -> list[str | Path]:
        return [path for path in (self.gold, self.source, *self.references, self.labels) if path is not None]

    @property
    def name(self) -> str:
        return display_name(self.gold if self.gold is not None else self.source or "")

    def sentences(self) -> Iterator[Sentence]:
        if self.gold is not None:
            sentences = self._gold_sentences(self.gold)
        elif self.source is not None:
            answers = self.references and all(is_sighan_answers(path) for path in self.references)
            sentences = (iterate_sighan if answers else iterate_parallel)(self.source, self.references)
        else:
            raise OptionError("gold: expected a gold file, or a source with references, got neither")
        if self.labels is None:
            return sentences
        labels = [(display_name(self.labels), iterate_labels(self.labels))]
        rows = side_by_side(sentences, self.name, labels, header_lines=1)
        return (with_labels(s, values[0]) for s, values in rows)

    def _gold_sentences(self, path: str | Path) -> Iterator[Sentence]:
        if is_para_file(path):
            return iterate_para(path)
        if is_imeasure_xml(path):
            return iter(read_imeasure_xml(path))
        if is_spelling_table(path):
            return iterate_spelling_table(path)
        return iterate_m2(path, lenient=self.lenient)

    def beside(self, systems: Iterable[str | Path]) -> Iterator[tuple[Sentence, tuple[_Output, ...]]]:
        """Each sentence that is scored with the systems' outputs for it; the files must have the same length."""
        columns = [(display_name(path), _outputs(path, self.lenient)) for path in systems]
        scored = 0
        for sentence, outputs in side_by_side(self.sentences(), self.name, columns):
            if sentence.scored:
                for (name, _), output in zip(columns, outputs, strict=True):
                    _check_source(name, sentence, output)
                scored += 1
                named = zip(columns, outputs, strict=True)
                yield sentence, tuple(output.on(sentence, name) for (name, _), output in named)
        if not scored:
            raise InputError("expected at least one sentence that can be scored, got none", self.name)


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
    do_nothing: bool = False,
    do_nothing_always: bool = False,
    first: int = 0,
    progress: Callable[[int], None] = lambda sentences: None,
) -> list[SystemCounts]:
    """Count every system by every metric; `systems` are files by name, `first` the place of the first sentence.

    `do_nothing` adds what leaving the source alone would score, for metrics that it can win, or always.
    """
    rows = gold.beside(systems.values())
    parts: dict[tuple[str, Metric], list[SystemCounts]] = {}
    while chunk := list(islice(rows, _CHUNK)):
        corpus = gold.corpus((sentence for sentence, _ in chunk), first)
        unchanged = System(DO_NOTHING, tuple(" ".join(s.tokens) for s in corpus))
        outputs = {name: _system(name, [of_sentence[s] for _, of_sentence in chunk]) for s, name in enumerate(systems)}
        for metric in metrics:
            scorer = metric.prepare_with(corpus, outputs)
            scored = dict(outputs)
            if do_nothing and (metric.do_nothing_can_win or do_nothing_always):
                scored.setdefault(DO_NOTHING, unchanged)  # a system of that name goes first
            for name, system in scored.items():
                counts = scorer.count(system)
                judged = None
                if types and metric.counts_types:
                    counts = scorer.count_types(system, counts)
                if edits and metric.judges_edits:
                    judged = tuple(scorer.judged_edits(system))
                parts.setdefault((name, metric), []).append(SystemCounts(metric, counts, judged))
        first += len(chunk)
        progress(len(chunk))
    return [_join(of_system) for of_system in parts.values()]


def _join(parts: Sequence[SystemCounts]) -> SystemCounts:
    judged = None if parts[0].judged is None else tuple(edits for part in parts for edits in part.judged or ())
    return SystemCounts(parts[0].metric, merge([part.counts for part in parts]), judged)


class _Output(NamedTuple):
    """One hypothesis; where it came as edits, these and the source they were made for."""

    text: str
    edits: tuple[Edit, ...] | None = None
    source: tuple[str, ...] | None = None
    annotations: tuple[Annotation, ...] = ()
    answer: SighanAnswer | None = None  # changes of characters, to be made in the source

    def on(self, sentence: Sentence, name: str) -> _Output:
        """The hypothesis, once its source is known; `name` is that of its file."""
        return self if self.answer is None else _Output(self.answer.applied(sentence.text, name))


def _outputs(path: str | Path, lenient: bool) -> Iterator[_Output]:
    """A system's hypotheses, with its own edits where the file is M2."""
    if is_para_file(path):
        return (_Output(output, source=tuple(source.split())) for source, output in iterate_para_outputs(path))
    if is_m2_file(path):
        return (
            _Output(apply_edits(s.tokens, s.annotations[0].edits), s.annotations[0].edits, s.tokens, s.annotations)
            for s in iterate_m2(path, lenient=lenient)
        )
    if is_sighan_answers(path):
        return (_Output("", answer=answer) for answer in iterate_sighan_answers(path))
    return (_Output(line) for line in read_lines(path))


def _check_source(name: str, sentence: Sentence, output: _Output) -> None:
    if output.answer is not None and output.answer.id != sentence.id:
        raise InputError(
            f"expected the answer for {sentence.id}, got that for {output.answer.id}", name, output.answer.line
        )
    if output.source is not None and "".join(output.source) != "".join(sentence.tokens):
        raise InputError(
            f"{name}: expected an output for sentence {sentence.id}, {' '.join(sentence.tokens)[:60]!r}, "
            f"got one for {' '.join(output.source)[:60]!r}"
        )


def _system(name: str, outputs: Sequence[_Output]) -> System:
    texts = tuple(o.text for o in outputs)
    if any(o.edits is None for o in outputs):
        return System(name, texts)
    several = any(len(o.annotations) > 1 for o in outputs)
    annotations = tuple(o.annotations for o in outputs) if several else None
    return System(name, texts, tuple(o.edits or () for o in outputs), annotations)


def read_corpus_and_system(gold: GoldFiles, path: str | Path) -> tuple[Corpus, System]:
    """A gold and one system, whole, with equal lengths."""
    corpus, systems = read_corpus_and_systems(gold, {stem(path): path})
    return corpus, systems[0]


def read_corpus_and_systems(gold: GoldFiles, systems: Mapping[str, str | Path]) -> tuple[Corpus, list[System]]:
    """A gold and systems by name, whole, with equal lengths."""
    rows = list(gold.beside(systems.values()))
    corpus = gold.corpus(s for s, _ in rows)
    return corpus, [_system(name, [outputs[s] for _, outputs in rows]) for s, name in enumerate(systems)]


def score_counts(
    counted: SystemCounts,
    *,
    sentences: bool = False,
    by: str | None = None,
    resampling: Resampling | None = None,
) -> list[Score]:
    """The score, with its judged edits where there are any, and one more for each value of the label `by`; each with
    its interval where `resampling` says how to make one.
    """
    metric, counts = counted.metric, counted.counts
    whole = metric.score_counts(counts, sentences=sentences or counted.judged is not None)
    if counted.judged is not None and whole.sentences is not None:
        entries = zip(whole.sentences, counted.judged, strict=True)
        whole = replace(
            whole, sentences=tuple({**entry, "edits": _entries(judged[entry["chosen"]])} for entry, judged in entries)
        )
    scores = [_with_own_interval(whole, metric, counts, resampling)]
    if by is not None:
        if by not in counts.labels:
            raise OptionError(f"by: expected one of the labels {sorted(counts.labels)}, got {by!r}")
        values = np.asarray(counts.labels[by], dtype=object)
        for value in sorted(set(values)):
            selected = counts.select(values == value)
            part = replace(metric.score_counts(selected, sentences=sentences), subset={by: value})
            scores.append(_with_own_interval(part, metric, selected, resampling))
    return scores


def _with_own_interval(score: Score, metric: Metric, counts: Counts, resampling: Resampling | None) -> Score:
    if resampling is None or resampling.units(counts) < FEWEST_UNITS:
        return score
    score = with_interval(score, confidence_interval(counts, metric=metric, resampling=resampling), resampling)
    if not isinstance(score, EditScore) or score.types is None:
        return score
    of_types = Replicates.by_type(counts, metric, resampling)
    types = {
        name: {**figures, "interval": of_types[name].interval().to_dict()} if name in of_types else figures
        for name, figures in score.types.items()
    }
    return replace(score, types=types)


def with_interval(score: Score, interval: Interval, resampling: Resampling) -> Score:
    """The score with its interval, which the signature names too."""
    signature = f"{score.signature}|{resampling.signature(interval)}"
    return replace(score, interval=interval.to_dict(), signature=signature)


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
    metric: str | Metric = "m2",
    sentences: bool = False,
    **options: Any,
) -> Score:
    """Score one system: gold as a corpus, an M2 file, or plain sources with `references`; hypotheses as a file or list.

    `metric` is a name, with its `options` beside it, or a metric such as `Gleu(orders=2)`. With `sentences`, the score
    has an entry for each sentence.

    >>> score(["He go ."], ["He goes ."], references=[["He goes ."], ["He went ."]], beta=1.0).score
    1.0
    """
    if isinstance(gold, (str, Path)):
        files = GoldFiles(gold=gold)
        corpus = replace(files.corpus(s for s in files.sentences() if s.scored), name=stem(gold))
    elif isinstance(gold, Corpus):
        corpus = gold
    else:
        corpus = Corpus.from_references(gold, references or ())
    if references is not None and isinstance(gold, (str, Path, Corpus)):
        raise InputError("references go with plain sources: expected a list of sentences first")
    if isinstance(hypotheses, (str, Path)):
        given = list(_outputs(hypotheses, False))
        for sentence, output in zip(corpus, given, strict=False):
            _check_source(str(hypotheses), sentence, output)
        outputs = [o.on(s, str(hypotheses)) for s, o in zip(corpus, given, strict=False)] + given[len(corpus) :]
        system = _system(stem(hypotheses), outputs)
    else:
        system = System.of(hypotheses)
    chosen = _metric(metric, options)
    return chosen.prepare_with(corpus, {system.name: system}).score(system, sentences=sentences)


def _metric(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    if isinstance(metric, Metric):
        if options:
            raise OptionError(
                f"{', '.join(options)}: expected options of the metric inside {metric.name}, got them beside"
            )
        return metric
    if not isinstance(metric, str):
        raise OptionError(f"metric: expected a name or a metric such as recte.Gleu(), got {metric!r}")
    cls = metric_class(metric)
    unknown = next((name for name in options if name not in {f.name for f in fields(cls)}), None)
    if unknown is not None:
        known = ", ".join(f.name for f in fields(cls))
        raise OptionError(f"{unknown}: expected an option of {metric} ({known}), got another")
    return with_files(cls(**options))


def with_files(metric: Metric) -> Metric:
    """The metric, once the files that its options name are read and known."""
    for f in fields(metric):
        value = getattr(metric, f.name)
        if f.metadata.get("loader") and value and Path(value).is_file():
            function_named(f.metadata["loader"], f.name)(value)
    return metric


def system_names(paths: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Files by system name: the given names, or the files' stems, or where stems repeat as much of the paths as tells
    them apart.

    >>> system_names(["x/a/out.txt", "x/b/out.txt", "c.txt"])
    {'a/out.txt': 'x/a/out.txt', 'b/out.txt': 'x/b/out.txt', 'c': 'c.txt'}
    """
    if names and len(names) != len(paths):
        raise OptionError(f"names: expected {len(paths)}, one for each system, got {len(names)}")
    chosen = list(names) or [stem(path) for path in paths]
    for parts in range(1, max((len(Path(path).parts) for path in paths), default=0) + 1):
        if names or len(set(chosen)) == len(chosen):
            break
        tails = ["/".join(Path(path).parts[-parts:]) for path in paths]
        chosen = [tail if chosen.count(name) > 1 else name for name, tail in zip(chosen, tails, strict=True)]
    repeated = next((name for name in chosen if chosen.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"systems: expected different names, got {repeated!r} twice")
    return dict(zip(chosen, paths, strict=True))
