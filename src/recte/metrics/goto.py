"""GoToScorer (Gotou et al. 2020): edits weighed by how difficult they are for a set of systems.

A reference is cut into its edits, the tokens between them and the slots between tokens, and every system is judged on
every piece. A piece that few systems get right weighs much; what all of them get right weighs nothing. So a score
depends on who else is scored: `prepare_with` needs all systems, or else a published table of how many were right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus, Edit, System
from recte.corpus.counts import Counts, narrow_integers, plain_rows
from recte.corpus.edit_table import EditTable
from recte.corpus.sentence import UNCORRECTED_TYPES
from recte.edits.difficulty import Difficulty, difficulty_named
from recte.edits.matching import MatchRule, match
from recte.edits.verdicts import JudgedEdit, Verdicts
from recte.edits.versions import Versions
from recte.errors import InputError, OptionError, check_choice
from recte.extraction.reference_edits import EDIT_RULES, EditRule
from recte.metrics.base import Column, PrecisionRecall, Score, SummedMetric, option
from recte.metrics.score import EDIT_COLUMNS
from recte.metrics.version_scorer import VersionScorer
from recte.streamed import Streamed
from recte.threads import thread_count

__all__ = ["Goto", "GotoScore", "GotoScorer", "GrowingDifficulty", "TypeDifficulty"]

_NO_EDIT = {"official": ("noop", *UNCORRECTED_TYPES), "gec-metrics": ("noop", "UNK")}
_SAME = MatchRule("correction", "one-to-one", alternatives=True)
_MODIFIED, _CORRECT, _SOMEWHERE = 1, 2, 4
_NOBODY = "no systems"
_ELSE = "give all systems at once, or difficulty (a file that recte difficulty saves), or weighting plain"
_CELLS = ("tp", "fp", "fn", "tn", "total")


class TypeDifficulty(NamedTuple):
    """An error type's mean weight over the reference's edits, and its sample standard deviation."""

    type: str
    mean: float
    std: float
    edits: int


@dataclass(frozen=True, kw_only=True)
class GotoScore(Score):
    """Weighed sums over the reference's chunks, and what follows from them; `plain` has the same with all weights 1."""

    tp: float
    fp: float
    fn: float
    tn: float
    precision: float
    recall: float
    f1: float
    accuracy: float
    plain: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Goto(SummedMetric):
    """GoToScorer: P, R, F and accuracy over chunks weighed by difficulty.

    `gec-metrics` is that library's port: its weights ask only whether a text stands anywhere in a system's sentence,
    and P and R are 1 where undefined.

    >>> from recte import Corpus, Edit, System
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> systems = {"a": System("a", ("He goes to school .",)), "b": System("b", ("He go to school .",))}
    >>> scorer = Goto().prepare_with(gold, systems)
    >>> [scorer.score(system).score for system in systems.values()]
    [1.0, 0.0]
    """

    name: ClassVar[str] = "goto"
    title: ClassVar[str] = "GoToScorer"
    cells: ClassVar[tuple[int, ...]] = (2, len(_CELLS))
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    judges_edits: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "F over its weighed chunks; 1 where nothing is to correct and nothing was changed"
    bibtex: ClassVar[str] = """@inproceedings{gotou-etal-2020-taking,
  title = {Taking the Correction Difficulty into Account in Grammatical Error Correction Evaluation},
  author = {Gotou, Takumi and Nagata, Ryo and Mita, Masato and Hanawa, Kazuaki},
  booktitle = {Proceedings of COLING 2020},
  pages = {2085--2095},
  year = {2020}
}"""

    behaviour: Literal["official", "gec-metrics"] = option(
        "official",
        "official: as the authors' program; gec-metrics: as that library's port",
        choices=("official", "gec-metrics"),
    )
    weighting: Literal["difficulty", "plain"] = option(
        "difficulty",
        "difficulty: by how many systems are right; plain: every chunk weighs 1",
        choices=("difficulty", "plain"),
        scoring_only=True,
    )
    beta: float = option(
        0.5, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )
    reference_annotator: str = option("", "whose edits are the reference; the first annotator where none is named")
    difficulty: str = option(
        "",
        "a file that says how many systems were right on each chunk, instead of the systems at hand",
        loader="recte.formats.edit_values:load_difficulty",
    )
    weight_offset: float = option(1.0, "a in a chunk's weight a − (n + b)/(N + c), for n of N systems", least=0)
    extra_right: float = option(0.0, "b in a chunk's weight a − (n + b)/(N + c)", least=0)
    extra_systems: float = option(0.0, "c in a chunk's weight a − (n + b)/(N + c)", least=0)
    extraction: EditRule = option("maxmatch", "how edits are found in a hypothesis", choices=EDIT_RULES)
    reference_edits: EditRule = option("maxmatch", "how rewritten references are turned into edits", choices=EDIT_RULES)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            *EDIT_COLUMNS,
            Column("accuracy", ("accuracy",)),
            Column(f"plain F{self.beta:g}", ("plain", "score")),
            Column(f"GoTo F{self.beta:g}", ("score",)),
        )

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        # The column is named after the systems, or the table, that the weights come from.
        parts = {"behaviour": self.behaviour, "weighting": self.weighting, "by": counts.columns[0], "beta": self.beta}
        return self.with_changed_options(parts)

    def prepare(self, gold: Corpus) -> GotoScorer:
        """Without systems or a table nothing is known of difficulty: explain sentences, or score plain counts."""
        return self.prepare_with(gold, {})

    @property
    def looks_at_other_systems(self) -> bool:
        return not self.difficulty

    def prepare_with(self, gold: Corpus, systems: Mapping[str, System]) -> GotoScorer:
        """All systems are judged first: how many are right on a chunk is its weight."""
        return GotoScorer(self, gold, systems)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> GotoScore:
        sums = self.read_rows(counts)[:, 0].sum(axis=0)
        self._check_weighed(counts)
        weighed, plain = (self._figures(dict(zip(_CELLS, of.tolist(), strict=True))) for of in sums)
        chosen = weighed if self.weighting == "difficulty" else plain
        return GotoScore(
            **self.common_figures(counts),
            **chosen,
            plain=plain,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def _figures(self, s: Mapping[str, float]) -> dict[str, Any]:
        empty = 0.0 if self.behaviour == "official" else 1.0
        precision = s["tp"] / (s["tp"] + s["fp"]) if s["tp"] + s["fp"] else empty
        recall = s["tp"] / (s["tp"] + s["fn"]) if s["tp"] + s["fn"] else empty
        return {
            **{kind: s[kind] for kind in _CELLS[:-1]},
            "precision": precision,
            "recall": recall,
            "f1": _f(precision, recall, 1.0),
            "score": _f(precision, recall, self.beta),
            "accuracy": (s["tp"] + s["tn"]) / s["total"] if s["total"] else 0.0,
        }

    def _check_weighed(self, counts: Counts) -> None:
        if self.weighting == "difficulty" and counts.columns == (_NOBODY,):
            raise _too_few(0)

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        summands = self._summands(counts)
        self._check_weighed(counts)
        return summands

    def _summands(self, counts: Counts) -> NDArray[np.float64]:
        rows = self.read_rows(counts)
        return np.asarray(rows[:, 0, int(self.weighting == "plain" or counts.columns == (_NOBODY,))])

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([self._figures(dict(zip(_CELLS, row, strict=True)))["score"] for row in sums.tolist()])

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """1 where there is nothing to correct and nothing was changed."""
        summands, plain = self._summands(counts), counts.rows[:, 0, 1]
        untouched = plain[:, : _CELLS.index("tn")].sum(axis=1) == 0
        return np.where(untouched, 1.0, self.scores_of_sums(summands))

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        rows = plain_rows(self._summands(counts))
        for entry, (row,) in zip(super().sentence_entries(counts), rows, strict=True):
            yield {**entry, "chosen": counts.columns[0], **dict(zip(_CELLS[:-1], row, strict=False))}

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return np.zeros(len(self.read_rows(counts)), dtype=np.int32)

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        if not isinstance(score, GotoScore):
            return None
        return PrecisionRecall(score.precision, score.recall, self.beta)


def _too_few(systems: int) -> OptionError:
    return OptionError(f"goto: expected two systems at least to measure difficulty by, got {systems}; {_ELSE}")


def _f(precision: float, recall: float, beta: float) -> float:
    if not precision + recall:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def _check_some_differ(right: NDArray[np.integer[Any]], systems: int) -> None:
    """Without a chunk that tells the systems apart, no chunk has a weight."""
    if not ((right > 0) & (right < systems)).any():
        raise OptionError(f"goto: expected systems that differ, got {systems} that are right alike; {_ELSE}")


def _difficulty(
    name: str, systems: int, right: NDArray[np.integer[Any]], lengths: NDArray[np.integer[Any]]
) -> Difficulty:
    """The table of how many systems are `right` on each chunk; `lengths` has the chunks of each sentence."""
    ends = np.cumsum(lengths)
    return Difficulty(
        name,
        systems,
        Streamed(
            len(lengths),
            lambda: (tuple(right[begin:end].tolist()) for begin, end in plain_rows(ends - lengths, ends)),
        ),
    )


def _type_difficulties(weights: Mapping[str, Sequence[NDArray[np.float64]]]) -> list[TypeDifficulty]:
    joined = {type_: np.concatenate(parts) for type_, parts in weights.items()}
    difficulties = [
        TypeDifficulty(t, float(np.mean(w)), float(np.std(w, ddof=1)) if len(w) > 1 else 0.0, len(w))
        for t, w in joined.items()
    ]
    return sorted(difficulties, key=lambda t: -t.mean)


class GrowingDifficulty:
    """How difficult the chunks of a reference are for some systems, and its error types; of a corpus part by part.

    >>> from recte import Corpus, System
    >>> growing = GrowingDifficulty(Goto(), 2)
    >>> for output in ("A", "b"):
    ...     part = Corpus.from_references(["a"], [["A"]])
    ...     growing.add(part, {"one": System("one", (output,)), "two": System("two", ("a",))})
    >>> list(growing.table().counts)
    [(2, 1, 2), (2, 0, 2)]
    """

    def __init__(self, metric: Goto, systems: int) -> None:
        if systems < 2:
            raise _too_few(systems)
        self._metric, self.systems = replace(metric, weighting="plain"), systems  # parts need not tell systems apart
        self._right: list[NDArray[np.integer[Any]]] = []
        self._lengths: list[NDArray[np.integer[Any]]] = []
        self._weights: dict[str, list[NDArray[np.float64]]] = {}

    def add(self, corpus: Corpus, systems: Mapping[str, System]) -> None:
        """Count the next part."""
        scorer = self._metric.prepare_with(corpus, systems)
        self._right.append(narrow_integers(scorer.right))
        self._lengths.append(narrow_integers(np.diff(scorer.offsets)))
        for type_, weights in scorer.weights_of_types().items():
            self._weights.setdefault(type_, []).append(weights)

    def table(self) -> Difficulty:
        """The table of all parts; raises an `OptionError` where no chunk tells the systems apart."""
        right = np.concatenate(self._right)
        _check_some_differ(right, self.systems)
        lengths = np.concatenate(self._lengths).astype(np.int64)
        return _difficulty(f"{self.systems} systems", self.systems, right, lengths)

    def types(self) -> list[TypeDifficulty]:
        """Error types of the reference, the most difficult first; equal ones in the order in which they occur."""
        return _type_difficulties(self._weights)


class GotoScorer(VersionScorer[Goto]):
    """GoToScorer with its reference and the weights of its chunks."""

    metric: Goto

    def __init__(self, metric: Goto, corpus: Corpus, systems: Mapping[str, System]) -> None:
        super().__init__(metric, corpus)
        names = corpus.annotators
        self.annotator = metric.reference_annotator or names[0]
        check_choice("reference_annotator", self.annotator, names)
        annotations = [s.annotation(self.annotator) for s in self.sentences]
        self.gold = [self._select_counted(() if a is None else a.edits) for a in annotations]
        self.versions = Versions([s.tokens for s in self.sentences], [[edits] for edits in self.gold])
        self.chunks, self.offsets = _kernels.cut_versions(self.versions.sources, self.versions.references)
        self._judged: list[tuple[System, NDArray[np.uint8]]] = []
        if metric.difficulty:
            self.right, self.systems = self._read_published(metric.difficulty)
            self.columns: tuple[str, ...] = (difficulty_named(metric.difficulty).name,)
        else:
            self.right, self.systems = self._count_right(systems), len(systems)
            self.columns = (f"{len(systems)} systems" if systems else _NOBODY,)
        if systems and metric.weighting == "difficulty":
            self._check_difficulty()
        self.weights = metric.weight_offset - (self.right + metric.extra_right) / (
            max(self.systems, 1) + metric.extra_systems
        )

    def _check_difficulty(self) -> None:
        if self.systems < 2:
            raise _too_few(self.systems)
        # A later part of a corpus may well have no sentence that tells the systems apart.
        if not self.corpus.first:
            _check_some_differ(self.right, self.systems)

    def _select_counted(self, edits: Sequence[Edit]) -> list[Edit]:
        return [edit for edit in edits if edit.type not in _NO_EDIT[self.metric.behaviour]]

    def _count_right(self, systems: Mapping[str, System]) -> NDArray[np.int64]:
        """How many systems are right on each chunk."""
        right_verdicts = _CORRECT if self.metric.behaviour == "official" else _SOMEWHERE
        right = np.zeros(len(self.chunks), dtype=np.int64)
        for system in systems.values():
            verdicts = self.verdicts(self.edits_of(self.system_of(system)), range(len(self.sentences)))
            self._judged.append((system, verdicts))
            right += (verdicts & right_verdicts) > 0
        return right

    def _count_system(self, system: System) -> Counts:
        """A system that difficulty was measured by is judged already."""
        known = next((verdicts for judged_system, verdicts in self._judged if judged_system is system), None)
        if known is None:
            return super()._count_system(system)
        return self._count_verdicts(known, range(len(self.sentences)))

    def _read_published(self, name: str) -> tuple[NDArray[np.int64], int]:
        table = difficulty_named(name)
        first, lengths = self.corpus.first, np.diff(self.offsets).tolist()
        listed = table.counts[first : first + len(lengths)]
        if len(listed) < len(lengths):
            raise InputError(
                f"difficulty: expected {first + len(lengths)} sentences in {name}, got {len(table.counts)}"
            )
        for number, (counts, length) in enumerate(zip(listed, lengths, strict=True), first + 1):
            if len(counts) != length:
                raise InputError(
                    f"difficulty: sentence {number}: expected {length} chunks, as the reference has, "
                    f"got {len(counts)} in {name}; it was made for other edits"
                )
        return np.array([n for counts in listed for n in counts], dtype=np.int64), table.systems

    def difficulty_to_publish(self) -> Difficulty:
        """The table that makes these weights, to be published with the scores."""
        return _difficulty(self.columns[0], self.systems, self.right, np.diff(self.offsets))

    def difficulty_of_types(self) -> list[TypeDifficulty]:
        """Error types of the reference, the most difficult first; equal ones in the order in which they occur."""
        return _type_difficulties({type_: [weights] for type_, weights in self.weights_of_types().items()})

    def weights_of_types(self) -> dict[str, NDArray[np.float64]]:
        """The weights of the reference's edits by error type, types in the order in which they occur."""
        types = [edit.type for edits in self.gold for edit in edits]
        sentence = np.repeat(np.arange(len(self.gold)), np.diff(self.offsets))
        first = np.cumsum([0, *(len(edits) for edits in self.gold)])
        edited = np.flatnonzero(self.chunks[:, 2] >= 0)
        weights: dict[str, list[float]] = {}
        for edit, weight in zip(
            (first[sentence[edited]] + self.chunks[edited, 2]).tolist(), self.weights[edited].tolist(), strict=True
        ):
            weights.setdefault(types[edit], []).append(weight)
        return {type_: np.array(of_type) for type_, of_type in weights.items()}

    def verdicts(self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]) -> NDArray[np.uint8]:
        return _kernels.judge_versions(
            sources=self.versions.sources,
            source_of=np.array(source_of, dtype=np.int64),
            hypotheses=self.versions.encode([self._select_counted(of_sentence) for of_sentence in edits]),
            references=self.versions.references,
            ported=self.metric.behaviour == "gec-metrics",
            threads=thread_count(len(edits)),
        )

    def _count_edits(self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]) -> Counts:
        return self._count_verdicts(self.verdicts(edits, source_of), source_of)

    def _count_verdicts(self, verdicts: NDArray[np.uint8], source_of: Sequence[int]) -> Counts:
        places = np.asarray(source_of, dtype=np.int64)
        lengths = np.diff(self.offsets)[places]
        pair = np.repeat(np.arange(len(places)), lengths)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        chunk = self.offsets[places][pair] + within
        modified, correct = (verdicts & _MODIFIED) > 0, (verdicts & _CORRECT) > 0
        edited = self.chunks[chunk, 2] >= 0
        kinds = {
            "tp": modified & correct,
            "fp": modified & ~correct,
            "fn": ~correct & (edited | ~modified),
            "tn": ~modified & correct,
            "total": np.ones_like(correct),
        }
        rows = np.empty((len(places), 1, *self.metric.cells))
        for cell, kind in enumerate(_CELLS):
            for row, weights in enumerate((self.weights[chunk], np.ones(len(chunk)))):
                rows[:, 0, row, cell] = np.bincount(pair, weights * kinds[kind], minlength=len(places))
        return self.counts_of(rows, self.columns, source_of)

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        """Edits that the reference has too, that it has not, and that the system lacks; all of one annotator."""
        proposed = [
            [Edit(e.start, e.end, e.corrections[:1]) for e in self._select_counted(of_sentence)]
            for of_sentence in self.edits_of(self.system_of(hypotheses))
        ]
        gold = EditTable.of_one_annotator(self.gold, self.columns[0])
        verdicts = Verdicts(
            match(gold, EditTable.of_one_annotator(proposed), _SAME), lambda row: self.sentences[row].tokens
        )
        return [verdicts.of_row(row) for row in range(len(proposed))]
