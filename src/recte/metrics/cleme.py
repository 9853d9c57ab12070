"""CLEME (Ye et al. 2023) and CLEME 2.0 (Ye et al. 2025): chunks with the same borders for everybody.

The edits of the hypothesis and of all references cut a sentence into chunks, the same for all versions, and chunks are
compared instead of edits: how an edit was cut no longer matters. A row holds for every reference how many chunks of
each kind and length there are, so that weights by length, which depend on the mean over the corpus, can be computed
from any part of the rows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus, Edit, System, apply_edits
from recte.corpus.counts import ABSENT, Counts, absent_rows, is_present, stretches
from recte.edits.edit_context import EditInContext
from recte.edits.edit_weights import edit_weigher
from recte.edits.verdicts import JudgedEdit, Verdict
from recte.edits.versions import Versions, version_text
from recte.errors import InputError, OptionError
from recte.extraction.reference_edits import EDIT_RULES, EditRule
from recte.metrics.base import Column, Metric, Score, option
from recte.metrics.metric_validation import check_counts
from recte.metrics.resamples import Resamples, sum_of_stretches
from recte.metrics.score import EDIT_COLUMNS
from recte.metrics.version_scorer import VersionScorer
from recte.threads import thread_count

__all__ = ["Cleme", "Cleme2", "Cleme2Score", "ClemeScore", "ClemeScorer"]

# Parts of the sentences in order, with a row of their weights for each weighting; the same each time.
WeightsOfParts = Callable[[], Iterable[tuple[slice, NDArray[Any]]]]
Assumption = Literal["dependent", "independent"]
Averaging = Literal["corpus", "sentence"]
ChunkWeights = Literal["none", "length", "length-meant"]

KINDS = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
BINS = 32  # how many lengths are distinguished; the last bin is for all longer chunks
_TN = KINDS.index("tn")
_ALL = "all"  # the one column where chunks are compared with all references
_VERDICTS: dict[str, tuple[Verdict, str]] = {
    "tp": ("correct", ""),
    "fp_necessary": ("spurious", "necessary"),
    "fp_unnecessary": ("spurious", "unnecessary"),
    "fn": ("missed", ""),
}
_PAIR, _REFERENCE, _START, _END, _KIND, _OWN_LENGTH, _REFERENCE_LENGTH, _CHANGED, _REFERENCE_CHANGED = range(9)

_TOTALS = len(KINDS) + 6  # cells of the kernel's totals

_LONGEST_MEAN = BINS - 2.0  # beyond, chunks in the last bin could weigh differently
_RELEASED = (2.0, 0.75, 1.25)  # α and the limits of a weight


@dataclass(frozen=True, kw_only=True)
class ChunkScore(Score):
    """Sums over the chosen references, weighed: `fp_necessary` where the reference changes the chunk too.

    `average_length` is that of the references' changed chunks, None where there are none.
    """

    tp: float
    fp: float
    fn: float
    tn: float
    fp_necessary: float
    fp_unnecessary: float
    average_length: float | None


@dataclass(frozen=True, kw_only=True)
class ClemeScore(ChunkScore):
    """P, R, F and accuracy, each rounded to four decimals where it is computed, as in the released program."""

    precision: float
    recall: float
    accuracy: float


@dataclass(frozen=True, kw_only=True)
class Cleme2Score(ChunkScore):
    """Of the chunks that need a change, how many are hit, wrongly changed, left alone; of those changed, needlessly."""

    hit: float
    error: float
    under_correction: float
    over_correction: float


class _Choices(NamedTuple):
    """The reference of each sentence; sums by kind and figures, by sentence and reference."""

    chosen: NDArray[np.int32]
    sums: NDArray[np.float64]
    figures: NDArray[np.float64]


class _Scoring(NamedTuple):
    """What the kernel is told; see `cpp/chunk_scores.hpp`."""

    by_length: bool
    limits: tuple[tuple[float, float, float], ...]
    second: bool
    factors: tuple[float, float, float, float]
    beta: float
    sentence_level: bool


@dataclass(frozen=True, kw_only=True)
class ChunkMetric(Metric):
    """Options that CLEME and CLEME 2.0 share."""

    do_nothing_can_win: ClassVar[bool] = True
    judges_edits: ClassVar[bool] = True

    assumption: Assumption = option(
        "dependent",
        "dependent: a sentence is compared with one reference; independent: each chunk with all of them",
        choices=("dependent", "independent"),
    )
    averaging: Averaging = option(
        "corpus",
        "corpus: figures of the sums over sentences; sentence: means of the sentences' figures",
        choices=("corpus", "sentence"),
        scoring_only=True,
    )
    chunk_weights: ChunkWeights = option(
        "length",
        "length: as released; length-meant: with the parameters that the released program drops; none: all alike",
        choices=("none", "length", "length-meant"),
        scoring_only=True,
    )
    edit_weights: str = option(
        "",
        "how much a chunk counts: length, a file of weights, or a scorer of two texts as module:function",
        loader="recte.formats.edit_values:load_edit_weights",
    )
    extraction: EditRule = option("maxmatch", "how edits are found in a hypothesis", choices=EDIT_RULES)
    reference_edits: EditRule = option("maxmatch", "how rewritten references are turned into edits", choices=EDIT_RULES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.edit_weights and self.assumption == "independent":
            raise OptionError("edit_weights: expected assumption dependent, since a weight is against one reference")

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (len(KINDS) if self.edit_weights else 3 + (len(KINDS) - 1) * BINS,)

    @property
    def dtype(self) -> type[np.int32] | type[np.float64]:  # type: ignore[override]
        return np.float64 if self.edit_weights else np.int32

    def _limits(self) -> tuple[tuple[float, float, float], ...]:
        """α, least and most weight of true positives, false positives and false negatives."""
        if self.chunk_weights != "length-meant" or self.averaging == "corpus":
            return (_RELEASED,) * 3
        least = 1.0 if self.assumption == "dependent" else 2.5
        return (10.0, least, 10.0), (10.0, 0.25, 1.0), (1.0, 1.0, 1.0)

    @abstractmethod
    def _scoring(self) -> _Scoring:
        """What tells the two metrics apart."""

    def _arguments(self, averaging: Averaging | None = None) -> dict[str, Any]:
        scoring = self._scoring()
        if averaging is not None:
            scoring = scoring._replace(sentence_level=averaging == "sentence")
        return {"bins": 0 if self.edit_weights else BINS, "scoring": _kernels.ChunkScoring(**scoring._asdict())}

    def _rows(self, counts: Counts) -> NDArray[Any]:
        """Rows as the kernels take them, absent ones negative."""
        rows = self.read_rows(counts)
        if rows.dtype.kind == "i":  # absent ones are: a copy would be as large as the counts
            return np.ascontiguousarray(rows)
        return np.ascontiguousarray(np.where(is_present(rows)[..., None], rows, ABSENT), self.dtype)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "assumption": self.assumption,
            "annotators": len(counts.columns),
            "averaging": self.averaging,
            "chunk_weights": "edits" if self.edit_weights else self.chunk_weights,
        }
        return self.with_changed_options(parts)

    def prepare(self, gold: Corpus) -> ClemeScorer:
        return ClemeScorer(self, gold)

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self._outcomes(counts, lambda: ((part, weights[:, part]) for part in stretches(len(counts))))[1][:, 0]

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        check_counts(self, counts)
        if resamples.stretches() is None:
            return super().score_resamples(counts, resamples)
        return self._outcomes(counts, lambda: resamples.stretches() or ())[1][:, 0]

    def _outcomes(self, counts: Counts, weights: WeightsOfParts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each weighting the sums of each kind, and the figures."""
        self._average_length(counts)
        means = self._mean_lengths(counts, weights())
        totals, arguments = np.zeros((len(means), _TOTALS)), {**self._arguments(), "threads": thread_count(len(means))}
        for part, of_part in weights():
            rows, copies = self._rows(counts.part(part)), np.ascontiguousarray(of_part, dtype=np.int32)
            totals, figures = _kernels.score_chunks(rows, weights=copies, means=means, totals=totals, **arguments)
        return totals[:, : len(KINDS)], figures

    def _choose(self, counts: Counts, averaging: Averaging | None = None) -> Iterator[_Choices]:
        """The reference of each sentence; the sums and figures of all references, part by part."""
        check_counts(self, counts)
        ones = ((part, np.ones((1, part.stop - part.start))) for part in stretches(len(counts)))
        (mean,), totals = self._mean_lengths(counts, ones).tolist(), np.zeros((1, _TOTALS))
        for part in stretches(len(counts)):
            rows, arguments = self._rows(counts.part(part)), self._arguments(averaging)
            chosen, sums, figures, totals = _kernels.choose_chunks(rows, mean=mean, totals=totals, **arguments)
            yield _Choices(chosen, sums, figures)

    def _mean_lengths(self, counts: Counts, weights: Iterable[tuple[slice, NDArray[Any]]]) -> NDArray[np.float64]:
        """For each weighting the mean length of the chunks that references change, ABSENT where there are none."""
        sums = sum_of_stretches(self._changed_chunks, counts, weights)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(sums[:, 0] > 0, sums[:, 1] / sums[:, 0], ABSENT))

    def _changed_chunks(self, counts: Counts) -> NDArray[np.float64]:
        """For each sentence how many chunks its references change, and their lengths in sum."""
        if self.edit_weights:
            return np.zeros((len(counts), 2))
        rows = self.read_rows(counts)
        return np.asarray(np.where(is_present(rows)[..., None], rows[..., 1:3], 0).sum(axis=1, dtype=np.float64))

    def _average_length(self, counts: Counts) -> float | None:
        changed, length = 0.0, 0.0
        for part in stretches(len(counts)):
            of_part = self._changed_chunks(counts.part(part)).sum(axis=0)
            changed, length = changed + float(of_part[0]), length + float(of_part[1])
        if not changed:
            return None
        if self.chunk_weights != "none" and length > _LONGEST_MEAN * changed:
            raise InputError(
                f"{self.name}: expected changed chunks of at most {_LONGEST_MEAN:g} tokens on average, "
                f"got {length / changed:.1f}; use chunk_weights none"
            )
        return length / changed

    def _figures(self, counts: Counts, *, sentences: bool) -> tuple[dict[str, Any], list[float]]:
        """What every score has of sums, and the metric's own five figures."""
        common = self.common_figures(counts)
        ones = [(part, np.ones((1, part.stop - part.start), dtype=np.int32)) for part in stretches(len(counts))]
        sums, figures = self._outcomes(counts, lambda: ones)
        of_kind = dict(zip(KINDS, sums[0].tolist(), strict=True))
        return {
            **common,
            **of_kind,
            "fp": of_kind["fp_necessary"] + of_kind["fp_unnecessary"],
            "average_length": self._average_length(counts),
            "sentences": self.all_entries(counts) if sentences else None,
        }, figures[0].tolist()

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return np.concatenate([choices.chosen for choices in self._choose(counts)])

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Against the reference that suits the sentence best; lengths are weighed by the mean over all the counts."""
        return np.concatenate(
            [figures[np.arange(len(chosen)), chosen, 0] for chosen, _, figures in self._choose(counts, "sentence")]
        )

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        entries = Metric.sentence_entries(self, counts)
        for chosen, sums, _ in self._choose(counts):
            picked = sums[np.arange(len(chosen)), chosen].tolist()
            for column, of_kind in zip(chosen.tolist(), picked, strict=True):
                yield {**next(entries), "chosen": counts.columns[column], **dict(zip(KINDS, of_kind, strict=True))}


@dataclass(frozen=True, kw_only=True)
class Cleme(ChunkMetric):
    """CLEME: P, R and F of chunks, and accuracy.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> Cleme().score(gold, ["He goes to the school ."]).precision
    0.5
    """

    name: ClassVar[str] = "cleme"
    title: ClassVar[str] = "CLEME"
    bibtex: ClassVar[str] = """@inproceedings{ye-etal-2023-cleme,
  title = {{CLEME}: Debiasing Multi-reference Evaluation for Grammatical Error Correction},
  author = {Ye, Jingheng and Li, Yinghui and Zhou, Qingyu and Li, Yangning and Ma, Shirong and Zheng, Hai-Tao and
            Shen, Ying},
  booktitle = {Proceedings of EMNLP 2023},
  pages = {6174--6189},
  year = {2023}
}"""

    beta: float = option(
        0.5, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            *EDIT_COLUMNS,
            Column("accuracy", ("accuracy",)),
            Column(f"CLEME F{self.beta:g}", ("score",)),
        )

    def _scoring(self) -> _Scoring:
        weighted, per_sentence = self.chunk_weights != "none", self.averaging == "sentence"
        return _Scoring(weighted, self._limits(), False, (0.0,) * 4, self.beta, per_sentence)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> ClemeScore:
        common, (f, precision, recall, accuracy, _) = self._figures(counts, sentences=sentences)
        return ClemeScore(**common, score=f, precision=precision, recall=recall, accuracy=accuracy)


_FACTORS = {"corpus": (0.45, 0.35, 0.15, 0.05), "sentence": (0.35, 0.25, 0.20, 0.20)}


@dataclass(frozen=True, kw_only=True)
class Cleme2(ChunkMetric):
    """CLEME 2.0: hits, wrong changes, under- and over-correction, and a mean of the four with factors.

    Doing nothing scores at least .35 + .05 on a corpus, more than a weak system does: look at its row.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> score = Cleme2().score(gold, ["He goes to the school ."])
    >>> score.hit, score.over_correction
    (1.0, 0.5)
    """

    name: ClassVar[str] = "cleme2"
    title: ClassVar[str] = "CLEME 2.0"
    bibtex: ClassVar[str] = """@inproceedings{ye-etal-2025-cleme2,
  title = {{CLEME}2.0: Towards Interpretable Evaluation by Disentangling Edits for Grammatical Error Correction},
  author = {Ye, Jingheng and Xu, Zishan and Li, Yinghui and Song, Linlin and Zhou, Qingyu and Zheng, Hai-Tao and
            Shen, Ying and Jiang, Wenhao and Kim, Hong-Gee and Liu, Ruitong and Su, Xin and Shi, Zifei},
  booktitle = {Proceedings of ACL 2025},
  year = {2025}
}"""

    factors: str = option(
        "auto",
        "of hit, error, under- and over-correction: corpus, sentence, auto (as the averaging), or four numbers h,e,u,o",
        scoring_only=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._scoring()

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("hit", ("hit",)),
            Column("error", ("error",)),
            Column("under", ("under_correction",)),
            Column("over", ("over_correction",)),
            Column("CLEME 2.0", ("score",)),
        )

    def _scoring(self) -> _Scoring:
        named = self.averaging if self.factors == "auto" else self.factors
        try:
            h, e, u, o = _FACTORS[named] if named in _FACTORS else map(float, named.split(","))
        except ValueError:
            raise OptionError(
                f"factors: expected auto, corpus, sentence or four numbers with commas, got {self.factors!r}"
            ) from None
        weighted, per_sentence = self.chunk_weights != "none", self.averaging == "sentence"
        return _Scoring(weighted, self._limits(), True, (h, e, u, o), 0.5, per_sentence)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Cleme2Score:
        common, (score, hit, error, under, over) = self._figures(counts, sentences=sentences)
        return Cleme2Score(**common, score=score, hit=hit, error=error, under_correction=under, over_correction=over)


class ClemeScorer(VersionScorer[Any]):
    """CLEME with its references. One whose text is empty is no reference, unless all are."""

    metric: ChunkMetric

    def __init__(self, metric: ChunkMetric, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.references = [
            [a for a in s.annotations if apply_edits(s.tokens, a.edits)] or list(s.annotations) for s in self.sentences
        ]
        self.versions = Versions(
            [s.tokens for s in self.sentences], [[a.edits for a in of_sentence] for of_sentence in self.references]
        )
        annotators = corpus.annotators
        column = {annotator: c for c, annotator in enumerate(annotators)}
        self._column_of = np.array([column[a.annotator] for r in self.references for a in r], dtype=np.int64)
        self.columns = annotators if metric.assumption == "dependent" else (_ALL,)

    def _count_edits(self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]) -> Counts:
        records, stretches = self.verdicts(edits, source_of)
        places = np.asarray(source_of, dtype=np.int64)
        first, last = self.versions.reference_offsets[places], self.versions.reference_offsets[places + 1]
        rows = absent_rows((len(edits), len(self.columns), *self.metric.cells), self.metric.dtype)
        pair = records[:, _PAIR]
        if self.columns == (_ALL,):
            rows[:] = 0
            columns, counted = np.zeros(len(pair), dtype=np.int64), records[:, _REFERENCE] == 0
        else:
            listed = np.repeat(np.arange(len(edits)), last - first)
            within = np.arange(len(listed)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
            rows[listed, self._column_of[first[listed] + within]] = 0
            columns, counted = self._column_of[first[pair] + records[:, _REFERENCE]], np.ones(len(pair), dtype=np.bool_)
        if self.metric.edit_weights:
            return self._weigh(rows, edits, places, records, stretches, columns)
        rows[:, :, 0] += stretches[:, None] * (rows[:, :, 0] != ABSENT)
        source, kind = records[:, _END] - records[:, _START], records[:, _KIND]
        length = np.minimum(np.maximum(source, records[:, _OWN_LENGTH]), BINS - 1)
        cell = np.where(kind == _TN, 0, 3 + kind * BINS + length)
        np.add.at(rows, (pair[counted], columns[counted], cell[counted]), 1)
        changed = records[:, _REFERENCE_CHANGED] != 0
        np.add.at(rows, (pair[changed], columns[changed], 1), 1)
        theirs = np.maximum(source, records[:, _REFERENCE_LENGTH])
        np.add.at(rows, (pair[changed], columns[changed], 2), theirs[changed])
        return self.counts_of(rows, self.columns, source_of)

    def _weigh(
        self,
        rows: NDArray[np.float64],
        edits: Sequence[Sequence[Edit]],
        places: NDArray[np.int64],
        records: NDArray[np.int32],
        stretches: NDArray[np.int32],
        columns: NDArray[np.int64],
    ) -> Counts:
        """Sums of weights by kind: a chunk weighs what the change in it weighs as an edit; where none is to be, 1."""
        weigher = edit_weigher(self.metric.edit_weights)
        seen = np.flatnonzero(records[:, _KIND] != _TN)
        contexts = []
        for pair, reference, start, end, kind, *_ in records[seen].tolist():
            place = int(places[pair])
            tokens, annotation = self.sentences[place].tokens, self.references[place][reference]
            version = annotation.edits if KINDS[kind] == "fn" else edits[pair]
            text, whole = version_text(tokens, version, start, end), apply_edits(tokens, annotation.edits)
            corpus_place = place + self.corpus.first
            contexts.append(EditInContext(corpus_place, tokens, start, end, text, annotation.annotator, whole))
        weights = np.ones(len(records))
        weights[seen] = np.asarray(weigher(contexts), dtype=np.float64)
        rows[:, :, _TN] += stretches[:, None]
        np.add.at(rows, (records[:, _PAIR], columns, records[:, _KIND]), weights)
        counts = self.counts_of(rows, self.columns, places.tolist())
        return replace(counts, made_with={"edit_weights": weigher.name})

    def verdicts(
        self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The chunks that some version changes, one row for each reference, and how many there are between them."""
        return _kernels.judge_chunks(
            sources=self.versions.sources,
            source_of=np.array(source_of, dtype=np.int64),
            hypotheses=self.versions.encode(edits),
            reference_offsets=self.versions.reference_offsets,
            references=self.versions.references,
            independent=self.metric.assumption == "independent",
            threads=thread_count(len(edits)),
        )

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        """Chunks that are no true negatives; the type of a false positive says whether a change was needed there."""
        edits = self.edits_of(self.system_of(hypotheses))
        records, _ = self.verdicts(edits, range(len(edits)))
        judged: list[dict[str, list[JudgedEdit]]] = [
            {a.annotator: [] for a in self.references[i]} if self.columns != (_ALL,) else {_ALL: []}
            for i in range(len(edits))
        ]
        for pair, reference, start, end, kind, *_ in records.tolist():
            if kind == _TN or (self.columns == (_ALL,) and reference):
                continue
            tokens, annotation = self.sentences[pair].tokens, self.references[pair][reference]
            verdict, type_ = _VERDICTS[KINDS[kind]]
            version = annotation.edits if verdict == "missed" else edits[pair]
            text = version_text(tokens, version, start, end)
            key = self.columns[0] if self.columns == (_ALL,) else annotation.annotator
            judged[pair][key].append(JudgedEdit(verdict, start, end, " ".join(tokens[start:end]), (text,), type_))
        return [
            {a: tuple(judged) for a, judged in of.items() if annotators is None or a == annotators[i]}
            for i, of in enumerate(judged)
        ]
