"""A metric as the reward of a training loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recte.corpus.corpus import Corpus, check_orientation
from recte.errors import InputError
from recte.evaluation.inputs import read_gold
from recte.evaluation.scoring import metric_with
from recte.messages import warn
from recte.metrics.base import Metric, Scorer
from recte.metrics.candidates import scores_of_texts

__all__ = ["Reward", "reward"]

Completion = str | Sequence[Mapping[str, Any]]


class Reward:
    """A metric that is called as TRL's trainers call their reward functions; `reward` makes one.

    A call takes one completion per row of the batch, as text or as a list of messages, and the columns of the data set
    as lists, by name; other arguments are passed over. It returns one number per completion. Pickles.
    """

    def __init__(
        self, metric: Metric, gold: Corpus | None, source: str, references: str, answer: Callable[[str], str] | None
    ) -> None:
        self.metric = metric
        self.source = source
        self.references = references
        self.answer = answer
        self.__name__ = f"recte_{metric.name}".replace("-", "_")  # what trainers log it by
        self._scorer: Scorer[Any] | None = None if gold is None else metric.prepare(gold)
        self._places = {} if gold is None else {_words(text): place for place, text in enumerate(gold.unchanged)}

    def __call__(
        self, prompts: Sequence[Any] | None = None, completions: Sequence[Completion] = (), **columns: Any
    ) -> list[float]:
        texts = [self._text(place, completion) for place, completion in enumerate(completions)]
        if not texts:
            return []
        sources = self._column(self.source, columns, len(texts))
        if self._scorer is not None:
            places = [self._place(source) for source in sources]
            return self._scores(self._scorer, texts, places)
        bare = not self.metric.needs_references and self.references not in columns
        references = [()] * len(texts) if bare else self._column(self.references, columns, len(texts))
        keys = [
            (source, (listed,) if isinstance(listed, str) else tuple(listed))
            for source, listed in zip(sources, references, strict=True)
        ]
        return self._against_references(texts, keys)

    def _against_references(self, texts: list[str], keys: list[tuple[str, tuple[str, ...]]]) -> list[float]:
        """Rows with equally many references are one corpus, and completions of one row share its sentence."""
        rewards = [0.0] * len(texts)
        for count in sorted({len(listed) for _, listed in keys}):
            rows = [row for row, (_, listed) in enumerate(keys) if len(listed) == count]
            distinct = list(dict.fromkeys(keys[row] for row in rows))
            if not count and self.metric.needs_references:
                raise InputError(
                    f"{self.references}: expected a reference for each source, got none for {distinct[0][0]!r}"
                )
            place = {key: number for number, key in enumerate(distinct)}
            sources = [source for source, _ in distinct]
            check_orientation(sources, [listed for _, listed in distinct], by_sentence=True)
            columns = [[listed[r] for _, listed in distinct] for r in range(count)]
            scorer = self.metric.prepare(Corpus.from_references(sources, columns))
            scores = self._scores(scorer, [texts[row] for row in rows], [place[keys[row]] for row in rows])
            for row, score in zip(rows, scores, strict=True):
                rewards[row] = score
        return rewards

    def _scores(self, scorer: Scorer[Any], texts: list[str], places: list[int]) -> list[float]:
        scores = scores_of_texts(scorer, texts, np.array(places, dtype=np.int64))
        self.metric.all_counted()
        return scores if self.metric.higher_is_better else [-score for score in scores]

    def _text(self, place: int, completion: Completion) -> str:
        """What a completion says, words joined by single spaces."""
        if not isinstance(completion, str):
            try:
                completion = completion[-1]["content"]
            except (TypeError, LookupError):
                completion = None  # type: ignore[assignment]
        if not isinstance(completion, str):
            raise InputError(
                f"completion {place + 1}: expected a text, or messages with the key 'content', got neither"
            )
        return _words(completion if self.answer is None else self.answer(completion))

    def _column(self, name: str, columns: Mapping[str, Any], rows: int) -> Sequence[Any]:
        if name not in columns:
            known = ", ".join(sorted(columns)) or "none"
            raise InputError(f"expected the data set to have a column {name!r}, got {known}")
        if len(columns[name]) != rows:
            raise InputError(f"{name}: expected {rows} values, one for each completion, got {len(columns[name])}")
        values: Sequence[Any] = columns[name]
        return values

    def _place(self, source: str) -> int:
        place = self._places.get(_words(source))
        if place is None:
            raise InputError(f"{self.source}: expected a sentence of the gold, got {source[:60]!r}")
        return place


def _words(text: str) -> str:
    return " ".join(text.split())


def reward(
    metric: str | Metric = "errant",
    *,
    gold: Corpus | str | Path | None = None,
    source: str = "source",
    references: str = "references",
    answer: Callable[[str], str] | None = None,
    **options: Any,
) -> Reward:
    """A reward function of the shape that TRL's trainers call: each completion's score as a sentence alone.

    metric: a name, with its options, or a metric such as `Gleu(orders=2)`; English ERRANT by default.
    gold: a corpus or gold file in which sources are looked up by their words; without it, references are a column.
    source: the column of the data set that holds the sentence to correct.
    references: the column that holds a correction, or a list of them; a metric that looks at none needs no such column.
    answer: what cuts the correction out of a completion, where it says more than that.

    Warns of a metric by which an empty output can score above the unchanged source: a model would learn to write
    nothing.

    >>> score = reward("errant")
    >>> batch = {"source": ["He go ."] * 2, "references": [["He goes ."]] * 2}
    >>> score(prompts=["Correct: He go ."] * 2, completions=["He goes .", "He go ."], **batch)
    [1.0, 0.0]
    """
    corpus = read_gold(gold) if isinstance(gold, (str, Path)) else gold
    chosen = metric_with(metric, options)
    if chosen.empty_can_win:
        warn(
            f"{chosen.name} as a reward: an empty output can score above the unchanged source, so a model may learn to "
            "write nothing; errant (or cherrant for Chinese) gives it 0"
        )
    return Reward(chosen, corpus, source, references, answer)
