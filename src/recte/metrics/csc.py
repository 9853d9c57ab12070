"""Chinese spelling check: sentences and characters, detection and correction, by every published convention.

Source, gold and prediction have the same number of characters. G and P are where gold and prediction differ from the
source, with what they put there. Programs of the same name count these differently, and one output can score 37.5 or
80.0: a row holds what all of them need, so that every convention can be had from the same counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, Edit, System
from recte.corpus.counts import Counts, plain_rows
from recte.edits.references import references_from_edits
from recte.errors import InputError, OptionError
from recte.metrics.base import Column, Score, Scorer, SummedMetric, option

__all__ = ["CONVENTIONS", "Csc", "CscScore", "CscScorer"]

Task = Literal["detection", "correction"]
TASKS: tuple[Task, ...] = ("detection", "correction")
_CELLS = (
    "sentences",  # 1
    "changed",  # 1 where the prediction changes something
    "erroneous",  # 1 where the gold does
    "same_places",  # 1 where both change the same places, or none
    "same",  # 1 where the prediction is the gold
    "same_sets",  # 1 where the places are the same and the characters put there, wherever
    "predicted_characters",
    "gold_characters",
    "found_characters",  # changed by both
    "right_characters",  # changed by both alike
    "unmet_characters",  # gold ones whose character was put at no place found, in sentences where a place was found
)
_CHARACTERS = ("predicted", "gold", "found", "right")
_OF = {name: cell for cell, name in enumerate(_CELLS)}
_SUMS = (*_CELLS, "right_places", "right_sentences", "right_sets", "touched_errors", "agreeing", "false_alarms")


class _Ratios(NamedTuple):
    """Numerator and denominators of precision and recall, and accuracy's numerator where there is one."""

    tp: NDArray[np.float64]
    predicted: NDArray[np.float64]
    gold: NDArray[np.float64]
    accurate: NDArray[np.float64] | None = None


class _Convention(NamedTuple):
    """Who counts so, what is particular about it, and how it follows from sums, for detection and for correction."""

    who: str
    rule: str
    ratios: Any


def _sentence(s: Mapping[str, Any], task: Task) -> _Ratios:
    places = task == "detection"
    tp = s["right_places"] if places else s["right_sentences"]
    return _Ratios(tp, s["changed"], s["erroneous"], s["same_places"] if places else s["same"])


def _sentence_loose(s: Mapping[str, Any], task: Task) -> _Ratios:
    if task == "correction":
        return _sentence(s, task)
    return _Ratios(s["touched_errors"], s["changed"], s["erroneous"], s["agreeing"])


def _sighan(s: Mapping[str, Any], task: Task) -> _Ratios:
    right = _sentence(s, task)
    return right._replace(predicted=right.tp + s["false_alarms"])


def _sighan_sets(s: Mapping[str, Any], task: Task) -> _Ratios:
    if task == "detection":
        return _sighan(s, task)
    tp = s["right_sets"]
    return _Ratios(tp, tp + s["false_alarms"], s["erroneous"], s["same_sets"])


def _sentence_exact(s: Mapping[str, Any], task: Task) -> _Ratios | None:
    return _sighan(s, task) if task == "correction" else None


def _character(s: Mapping[str, Any], task: Task) -> _Ratios:
    tp = s["found_characters"] if task == "detection" else s["right_characters"]
    return _Ratios(tp, s["predicted_characters"], s["gold_characters"])


def _character_conditional(s: Mapping[str, Any], task: Task) -> _Ratios:
    if task == "detection":
        return _character(s, task)
    right = s["right_characters"]
    return _Ratios(right, s["found_characters"], right + s["unmet_characters"])


def _character_plome(s: Mapping[str, Any], task: Task) -> _Ratios:
    found_characters, right = s["found_characters"], s["right_characters"]
    if task == "detection":
        return _Ratios(found_characters, s["predicted_characters"] + 0.001, s["gold_characters"] + 0.001)
    return _Ratios(right, found_characters + 0.001, s["gold_characters"] + 0.001)


CONVENTIONS: dict[str, _Convention] = {
    "sentence": _Convention(
        "ReaLiSe, CSCD-NS, FASPell (strict), PLOME",
        "all changes of a sentence right; precision over changed, recall over erroneous sentences",
        _sentence,
    ),
    "sentence-loose": _Convention(
        "FASPell (not strict)", "detection: any change in an erroneous sentence will do", _sentence_loose
    ),
    "sighan": _Convention(
        "SIGHAN 2015, ERNIE-CSC",
        "a wrong change of an erroneous sentence is no false positive, so precision is inflated",
        _sighan,
    ),
    "sighan-sets": _Convention(
        "CCL-2022 track 1, which calls it character level",
        "as sighan; corrections are compared as sets of characters, so swapped ones are right",
        _sighan_sets,
    ),
    "sentence-exact": _Convention("pycorrector, BertBasedCorrectionModels", "correction as in sighan", _sentence_exact),
    "character": _Convention("CSCD-NS, FASPell", "places, each once, over all that changed or ought to", _character),
    "character-conditional": _Convention(
        "Wang et al. 2019",
        "correction counts only sentences with a place found, so it can exceed detection",
        _character_conditional,
    ),
    "character-plome": _Convention(
        "PLOME", "precision of correction is over the places found, not over those changed", _character_plome
    ),
}


@dataclass(frozen=True, kw_only=True)
class CscScore(Score):
    """`detection` and `correction` by the convention chosen: precision, recall, f, accuracy (None where it has none).

    `false_positive_rate` is the share of correct sentences that were changed. `conventions` has the same figures by
    every convention, with `who` counts so and the `rule`.
    """

    detection: Mapping[str, float | None] | None
    correction: Mapping[str, float | None]
    false_positive_rate: float
    conventions: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Csc(SummedMetric):
    """Chinese spelling check. The default convention is `sentence`: a changed sentence is right if all of it is.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["我今天很高心", "天气很好"], [["我今天很高兴", "天气很好"]])
    >>> score = Csc().score(gold, ["我今天很高兴", "天汽很好"])
    >>> score.correction["precision"], score.correction["recall"], score.false_positive_rate
    (0.5, 1.0, 1.0)
    """

    name: ClassVar[str] = "csc"
    title: ClassVar[str] = "Chinese spelling check"
    cells: ClassVar[tuple[int, ...]] = (len(_CELLS),)
    sentence_meaning: ClassVar[str] = (
        "1 if the whole sentence is right, else 0; by conventions of characters its own F1"
    )
    bibtex: ClassVar[str] = """@inproceedings{tseng-etal-2015-introduction,
  title = {Introduction to {SIGHAN} 2015 Bake-off for {C}hinese Spelling Check},
  author = {Tseng, Yuen-Hsien and Lee, Lung-Hao and Chang, Li-Ping and Chen, Hsin-Hsi},
  booktitle = {Proceedings of the Eighth SIGHAN Workshop on Chinese Language Processing},
  pages = {32--37},
  year = {2015}
}"""

    convention: str = option(
        "sentence", "how right and wrong are counted", choices=tuple(CONVENTIONS), scoring_only=True
    )
    task: Task = option("correction", "what the score is of", choices=TASKS, scoring_only=True)
    ignore_characters: str = option("", "source characters whose corrections do not count, such as 的地得")

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        predicted, gold, detected, right = (rows[:, _OF[f"{kind}_characters"]] for kind in _CHARACTERS)
        alone = (rows[:, :1] == 1).all(axis=1) & (rows[:, 1 : _OF["predicted_characters"]] <= 1).all(axis=1)
        return np.asarray(
            super().valid_rows(rows) & alone & (right <= detected) & (detected <= predicted) & (detected <= gold)
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        measured = TASKS if self.convention != "sentence-exact" else TASKS[1:]
        return (
            *(
                Column(f"{task} {header}", ("score",) if (task, key) == (self.task, "f") else (task, key))
                for task in measured
                for header, key in (("P", "precision"), ("R", "recall"), ("F1", "f"))
            ),
            Column("false positive rate", ("false_positive_rate",)),
        )

    @property
    def main_columns(self) -> tuple[Column, ...]:
        return self.columns[:-1]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.convention == "sentence-exact" and self.task == "detection":
            raise OptionError("task: expected correction, since sentence-exact has no detection, got detection")

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({"convention": self.convention, "task": self.task})

    def prepare(self, gold: Corpus) -> CscScorer:
        return CscScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> CscScore:
        common = self.common_figures(counts)
        sums = dict(zip(_SUMS, self.summands(counts).sum(axis=0)[:, None], strict=True))
        everything: dict[str, dict[str, Any]] = {
            name: {
                "who": convention.who,
                "rule": convention.rule,
                **{task: _figures(convention.ratios(sums, task), sums["sentences"]) for task in TASKS},
            }
            for name, convention in CONVENTIONS.items()
        }
        chosen = everything[self.convention]
        correct = float(sums["sentences"][0] - sums["erroneous"][0])
        return CscScore(
            **common,
            score=chosen[self.task]["f"],
            detection=chosen["detection"],
            correction=chosen["correction"],
            false_positive_rate=float(sums["false_alarms"][0]) / correct if correct else 0.0,
            conventions=everything,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        rows = self.read_rows(counts)[:, 0].astype(np.float64)
        cell = {name: rows[:, c] for name, c in _OF.items()}
        changed, erroneous = cell["changed"], cell["erroneous"]
        more = (
            changed * cell["same_places"],
            changed * cell["same"],
            erroneous * cell["same_sets"],
            changed * erroneous,
            (changed == erroneous).astype(np.float64),
            changed * (1 - erroneous),
        )
        return np.concatenate([rows, np.stack(more, axis=1)], axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        ratios = CONVENTIONS[self.convention].ratios(dict(zip(_SUMS, sums.T, strict=True)), self.task)
        return _precision_recall_f(ratios)[2]

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """By conventions of characters F1 of the sentence's own, 1 where there is nothing to do; by others 1 or 0."""
        rows = self.read_rows(counts)[:, 0]
        if not self.convention.startswith("character"):
            right = {"detection": "same_places", "correction": "same"}[self.task]
            return rows[:, _OF[right]].astype(np.float64)
        nothing = (rows[:, _OF["changed"]] == 0) & (rows[:, _OF["erroneous"]] == 0)
        return np.where(nothing, 1.0, self.scores_of_sums(self.summands(counts)))

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        for entry, (row,) in zip(super().sentence_entries(counts), plain_rows(counts.rows[:, 0]), strict=True):
            yield {**entry, **{name: row[_OF[name]] for name in _CELLS if name.endswith("_characters")}}


def _precision_recall_f(
    ratios: _Ratios,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """0 where undefined, as FASPell, ERNIE-CSC and pycorrector have it; others stop there."""
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(ratios.predicted > 0, ratios.tp / ratios.predicted, 0.0)
        recall = np.where(ratios.gold > 0, ratios.tp / ratios.gold, 0.0)
        both = precision + recall
        return precision, recall, np.where(both > 0, 2 * precision * recall / both, 0.0)


def _figures(ratios: _Ratios | None, sentences: NDArray[np.float64]) -> dict[str, float | None] | None:
    if ratios is None:
        return None
    precision, recall, f = (float(value[0]) for value in _precision_recall_f(ratios))
    return {
        "tp": float(ratios.tp[0]),
        "predicted": float(ratios.predicted[0]),
        "gold": float(ratios.gold[0]),
        "precision": precision,
        "recall": recall,
        "f": f,
        "accuracy": None if ratios.accurate is None else float(ratios.accurate[0] / sentences[0]),
    }


class CscScorer(Scorer[Csc]):
    """The spelling check with its gold: one correct text for each source, as long as it in characters."""

    metric: Csc

    def __init__(self, metric: Csc, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.sources = ["".join(s.tokens) for s in corpus]
        self.gold: list[str] = []
        for place, sentence in enumerate(corpus):
            texts = references_from_edits(sentence, corpus.annotators) if sentence.annotations else sentence.references
            if len(texts) != 1:
                raise InputError(
                    f"csc: expected one gold text for sentence {sentence.id}, got {len(texts)}: "
                    "no convention chooses among several"
                )
            gold = "".join(texts[0].split())
            self._check_length(place, "the gold", gold)
            self.gold.append(gold)

    def _check_length(self, place: int, what: str, text: str) -> None:
        source = self.sources[place]
        if len(text) != len(source):
            raise InputError(
                f"csc: sentence {self.corpus[place].id}: expected {len(source)} characters in {what}, as in the source "
                f"{source[:40]!r}, got {len(text)} in {text[:40]!r}"
            )

    def changes(self, system: System, places: Sequence[int]) -> list[tuple[Sequence[str], Sequence[Edit]]]:
        """Character by character: whatever part of the changes is made, the length stays."""
        pairs_of_changes: list[tuple[Sequence[str], Sequence[Edit]]] = []
        for place in places:
            source, output = self.sources[place], "".join(system.outputs[place].split())
            self._check_length(place, "the prediction", output)
            pairs = enumerate(zip(source, output, strict=True))
            pairs_of_changes.append((source, [Edit(c, c + 1, (new,)) for c, (old, new) in pairs if old != new]))
        return pairs_of_changes

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        texts = ["".join(h.split()) for h in hypotheses]
        for text, sentence in zip(texts, source_of, strict=True):
            self._check_length(sentence, "the prediction", text)
        rows = _count_changes(
            _code_points(self.sources[s] for s in source_of),
            _code_points(self.gold[s] for s in source_of),
            _code_points(texts),
            np.array([len(text) for text in texts], dtype=np.int64),
            self.metric.ignore_characters,
        )
        return self.counts_of(rows[:, None], ("gold",), source_of)


def _code_points(texts: Any) -> NDArray[np.int64]:
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<i4").astype(np.int64)


def _count_changes(
    source: NDArray[np.int64],
    gold: NDArray[np.int64],
    predicted: NDArray[np.int64],
    lengths: NDArray[np.int64],
    ignored: str,
) -> NDArray[np.int32]:
    """One row for each sentence, from the characters of all laid end to end."""
    size = len(lengths)
    sentence = np.repeat(np.arange(size), lengths)
    counted = ~np.isin(source, _code_points(ignored))
    p, g = (predicted != source) & counted, (gold != source) & counted
    wrong, detected = (predicted != gold) & counted, p & g

    def number(where: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(sentence[where], minlength=size)

    def characters(text: NDArray[np.int64], where: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A number for each character put into a sentence, the same wherever in it."""
        return sentence[where] << 32 | text[where]

    put, gold_characters = np.unique(characters(predicted, p)), np.unique(characters(gold, g))
    odd = np.setxor1d(put, gold_characters, assume_unique=True)
    same_places = number(p ^ g) == 0
    gold_of_found = g & (number(detected) > 0)[sentence]
    unmet = np.zeros_like(g)
    unmet[gold_of_found] = ~np.isin(characters(gold, gold_of_found), characters(predicted, detected))
    columns = {
        "sentences": np.ones(size),
        "changed": number(p) > 0,
        "erroneous": number(g) > 0,
        "same_places": same_places,
        "same": number(wrong) == 0,
        "same_sets": same_places & (np.bincount(odd >> 32, minlength=size) == 0),
        "predicted_characters": number(p),
        "gold_characters": number(g),
        "found_characters": number(detected),
        "right_characters": number(detected & ~wrong),
        "unmet_characters": number(unmet),
    }
    return np.stack([columns[name] for name in _CELLS], axis=1).astype(np.int32)
