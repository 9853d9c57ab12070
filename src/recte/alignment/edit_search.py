"""Sources and gold in the form the MaxMatch kernels take, ready for any number of hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.columns.gold import Columns, EditColumns
from recte.columns.vocabulary import EncodedText, Vocabulary
from recte.errors import InputError, OptionError, TooLongError
from recte.threads import thread_count

__all__ = ["Behaviour", "Criterion", "EditSearch", "Extraction", "InitialInsertions", "ProposedEdit", "SearchOptions"]

Behaviour = Literal["official", "paper", "optimal"]
Extraction = Literal["maxmatch", "word-diff", "errant"]
Criterion = Literal["detection", "recognition", "correction"]
InitialInsertions = Literal["running", "zero"]

BEHAVIOURS: tuple[Behaviour, ...] = ("official", "paper", "optimal")
EXTRACTIONS: tuple[Extraction, ...] = ("maxmatch", "word-diff", "errant")
CRITERIA: tuple[Criterion, ...] = ("detection", "recognition", "correction")

_SEARCHED, _WORD_DIFFED, _TOO_LONG, _GOLD_TOO_DENSE = range(4)
_NOT_GIVEN = (np.zeros(0, np.int32), np.zeros(0, np.int64))
_NOT_FOLDED = (np.zeros(0, np.uint8), np.zeros(0, np.int64))


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How edits are found; `max_lattice` vertices is where the search gives way to a word diff, `max_stored_arcs` where
    memory gives way to time.
    """

    behaviour: Behaviour = "official"
    extraction: Extraction = "maxmatch"
    max_unchanged_words: int = 2
    initial_insertions: InitialInsertions = "running"
    ignore_whitespace_casing: bool = False
    max_lattice: int = 20_000
    max_stored_arcs: int = 400_000

    def __post_init__(self) -> None:
        if not 0 <= self.max_unchanged_words <= 20:
            raise OptionError(f"max_unchanged_words: expected 0 to 20, got {self.max_unchanged_words}")
        if not 1 <= self.max_lattice <= 1_000_000:
            raise OptionError(f"max_lattice: expected 1 to 1,000,000 vertices, got {self.max_lattice}")


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """An edit a search found. `start` and `end` are the offsets it is compared by.

    >>> from recte import Annotation, Corpus, Sentence
    >>> columns = Corpus((Sentence("He go", annotations=(Annotation("0"),)),)).columns
    >>> EditSearch.of(columns).trace(["He goes"], SearchOptions(max_unchanged_words=0))
    [{'0': (ProposedEdit(start=1, end=2, original='go', correction='goes', type=''),)}]
    """

    start: int
    end: int
    original: str
    correction: str
    type: str = ""  # where the search gives one


class _Source(NamedTuple):
    """The words of a sentence, and its annotators with their columns."""

    words: tuple[str, ...]
    annotators: tuple[tuple[int, str], ...]


def check_hypotheses(hypotheses: int, source_of: Sequence[int]) -> None:
    """Refuse hypotheses that are more or fewer than the sentences they are to be compared with."""
    if hypotheses != len(source_of):
        raise InputError(f"expected {len(source_of)} hypotheses, one for each source sentence, got {hypotheses}")


class EditSearch:
    """Finds a hypothesis' edits against each annotation of its source."""

    def __init__(self, vocabulary: Vocabulary, sources: EncodedText, gold: EditColumns) -> None:
        self.annotators = gold.annotators
        self._vocabulary = vocabulary
        self._sources = sources
        self._columns = gold
        self._gold = gold.kernel()
        self._sources_seen: dict[int, _Source] = {}

    @classmethod
    def of(cls, columns: Columns) -> EditSearch:
        """A search against the annotations of a corpus."""
        return cls(columns.vocabulary, columns.tokens, columns.edits())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_gold"]
        state["_sources_seen"] = {}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._gold = self._columns.kernel()

    def count(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given: EncodedText | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """tp, proposed and gold by hypothesis and annotator, and which hypotheses got a word diff instead.

        `given` are edits found elsewhere (extraction `errant`): source and hypothesis spans, and where each
        hypothesis' begin.
        """
        return self._counted(
            _kernels.count_maxmatch, hypotheses, self._arguments(hypotheses, options, source_of, given)
        )

    def count_hoo(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given: EncodedText | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """met, spurious, system, gold, missed optional by hypothesis, annotator and criterion; word diffs."""
        found = self._arguments(hypotheses, options, source_of, given)
        return self._counted(_kernels.count_hoo, hypotheses, found)

    def _counted(
        self,
        kernel: Callable[..., tuple[NDArray[np.int32], NDArray[Any]]],
        hypotheses: Sequence[str],
        arguments: tuple[dict[str, Any], dict[str, Any]],
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """What a kernel counts, and which hypotheses got a word diff instead."""
        pairs, search = arguments
        counts, status = kernel(
            **pairs, annotators=len(self.annotators), threads=thread_count(len(hypotheses)), **search
        )
        return counts, self._fallbacks(status)

    def trace(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        criterion: Criterion = "correction",
        given: EncodedText | None = None,
    ) -> list[dict[str, tuple[ProposedEdit, ...]]]:
        """For each hypothesis, the edits proposed against each annotator."""
        pairs, search = self._arguments(hypotheses, options, source_of, given)
        rows, status = _kernels.trace_edits(
            **pairs, criterion=CRITERIA.index(criterion), threads=thread_count(len(hypotheses)), **search
        )
        self._fallbacks(status)
        sentence_of = pairs["source_of"].tolist()
        changed = np.zeros(len(hypotheses), dtype=np.bool_)
        changed[rows[:, 0]] = True
        words = [text.split() if edited else [] for text, edited in zip(hypotheses, changed.tolist(), strict=True)]
        proposed: dict[tuple[int, int], list[ProposedEdit]] = {}
        for pair, annotator, start, end, begin, stop, first, last in rows.tolist():
            source = self._looked_at(sentence_of[pair]).words
            edit = ProposedEdit(start, end, " ".join(source[begin:stop]), " ".join(words[pair][first:last]))
            proposed.setdefault((pair, annotator), []).append(edit)
        return [
            {name: tuple(proposed.get((pair, column), ())) for column, name in self._looked_at(sentence).annotators}
            for pair, sentence in enumerate(sentence_of)
        ]

    def _looked_at(self, sentence: int) -> _Source:
        known = self._sources_seen.get(sentence)
        if known is None:  # every system asks again
            ids, ends = self._sources
            offsets, columns = self._columns.annotation_offsets, self._columns.annotator_columns
            there = columns[offsets[sentence] : offsets[sentence + 1]].tolist()
            known = self._sources_seen[sentence] = _Source(
                self._vocabulary.words(ids[ends[sentence] : ends[sentence + 1]]),
                tuple((column, self.annotators[column]) for column in there),
            )
        return known

    def trace_rows(
        self, hypotheses: EncodedText, source_of: NDArray[np.int64], options: SearchOptions
    ) -> NDArray[np.int32]:
        """Edits proposed for hypotheses in numbers of the same vocabulary, a row each: pair, annotator, start, end,
        and the words replaced and the words that replace them, as begins and ends.
        """
        rows, status = _kernels.trace_edits(
            sources=self._sources,
            hypotheses=hypotheses,
            source_of=source_of,
            gold=self._gold,
            criterion=CRITERIA.index("correction"),
            threads=thread_count(len(source_of)),
            **self._search(options, _NOT_FOLDED),
        )
        self._fallbacks(status)
        return rows

    def _arguments(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None,
        given: EncodedText | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if (given is None) == (options.extraction == "errant"):
            raise OptionError("extraction: expected the edits beside the hypotheses for errant, and only for it")
        source_of = range(len(self._sources[1]) - 1) if source_of is None else source_of
        check_hypotheses(len(hypotheses), source_of)
        encoded, passing = self._vocabulary.encode_texts(hypotheses, extend=False)
        pairs = {
            "sources": self._sources,
            "hypotheses": encoded,
            "source_of": np.asarray(source_of, dtype=np.int64),
            "gold": self._gold,
        }
        folded = self._vocabulary.folded(passing) if options.ignore_whitespace_casing else _NOT_FOLDED
        return pairs, self._search(options, folded, given)

    def _search(
        self,
        options: SearchOptions,
        folded: tuple[NDArray[np.uint8], NDArray[np.int64]],
        given: EncodedText | None = None,
    ) -> dict[str, Any]:
        return {
            "behaviour": BEHAVIOURS.index(options.behaviour),
            "extraction": EXTRACTIONS.index(options.extraction),
            "max_unchanged_words": options.max_unchanged_words,
            "running_offsets": options.initial_insertions == "running",
            "max_lattice": options.max_lattice,
            "max_stored_arcs": options.max_stored_arcs,
            "folded": folded,
            "given": _NOT_GIVEN if given is None else given,
        }

    def _fallbacks(self, status: NDArray[np.uint8]) -> NDArray[np.bool_]:
        if not status.any():  # all were searched; a training loop asks often
            return np.zeros(len(status), dtype=np.bool_)
        for code, reason in (
            (_TOO_LONG, "source and hypothesis are too long even for a word diff; split the line"),
            (_GOLD_TOO_DENSE, "an annotator has more than 8 edits at one place; use behaviour official or paper"),
        ):
            refused = np.flatnonzero(status == code)
            if refused.size:
                raise TooLongError(reason, int(refused[0]) + 1)
        fallbacks: NDArray[np.bool_] = status == _WORD_DIFFED
        return fallbacks
