"""Sources and gold in the form the MaxMatch kernels take, ready for any number of hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.alignment.threads import thread_count
from recte.corpus import Annotation, Sentence, annotator_order
from recte.errors import InputError, OptionError, TooLongError
from recte.segmentation.vocabulary import EncodedText, Vocabulary, offsets_of

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
# A correction that is not single words joined by single spaces equals no hypothesis' words.
_NO_TOKEN = -1


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

    >>> sentence = Sentence("He go", annotations=(Annotation("0"),))
    >>> EditSearch([sentence], [sentence.annotations]).trace(["He goes"], SearchOptions(max_unchanged_words=0))
    [{'0': (ProposedEdit(start=1, end=2, original='go', correction='goes', type=''),)}]
    """

    start: int
    end: int
    original: str
    correction: str
    type: str = ""  # where the search gives one


def check_hypotheses(hypotheses: int, source_of: Sequence[int]) -> None:
    """Refuse hypotheses that are more or fewer than the sentences they are to be compared with."""
    if hypotheses != len(source_of):
        raise InputError(f"expected {len(source_of)} hypotheses, one for each source sentence, got {hypotheses}")


class EditSearch:
    """Finds a hypothesis' edits against each annotation of its source."""

    def __init__(self, sentences: Sequence[Sentence], annotations: Sequence[Sequence[Annotation]]) -> None:
        self._sentences = sentences
        self._annotations = [
            sorted(of_sentence, key=lambda a: annotator_order(a.annotator)) for of_sentence in annotations
        ]
        self.annotators = tuple(
            sorted({a.annotator for a in chain.from_iterable(self._annotations)}, key=annotator_order)
        )
        for sentence, of_sentence in zip(sentences, self._annotations, strict=True):
            ids = [a.annotator for a in of_sentence]
            if len(set(ids)) < len(ids):
                raise InputError(
                    f"expected one annotation an annotator, got two for sentence {sentence.id or sentence.text!r}"
                )
        self._vocabulary = Vocabulary()
        self._sources, _ = self._vocabulary.encode([s.tokens for s in sentences], extend=True)
        self._gold_arrays = self._lay_out_gold()
        self._gold = _kernels.Gold(*self._gold_arrays)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_gold"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._gold = _kernels.Gold(*self._gold_arrays)

    def _lay_out_gold(self) -> tuple[NDArray[Any], ...]:
        column = {annotator: c for c, annotator in enumerate(self.annotators)}
        flat = list(chain.from_iterable(self._annotations))
        tokens_of = [
            s.tokens for s, annotations in zip(self._sentences, self._annotations, strict=True) for _ in annotations
        ]
        edits = [edit for annotation in flat for edit in annotation.edits]
        corrections = [correction.split() for edit in edits for correction in edit.corrections]
        as_written = [correction for edit in edits for correction in edit.corrections]
        (ids, token_offsets), _ = self._vocabulary.encode(corrections, extend=True)
        for c, (words, written) in enumerate(zip(corrections, as_written, strict=True)):
            if " ".join(words) != written:
                ids[token_offsets[c] : token_offsets[c + 1]] = _NO_TOKEN
        return (
            offsets_of(map(len, self._annotations), len(self._annotations)),
            np.array([column[a.annotator] for a in flat], dtype=np.int32),
            offsets_of((len(a.edits) for a in flat), len(flat)),
            np.array([e.start for e in edits], dtype=np.int32),
            np.array([e.end for e in edits], dtype=np.int32),
            np.array([e.is_optional(t) for t, a in zip(tokens_of, flat, strict=True) for e in a.edits], dtype=np.uint8),
            offsets_of((len(e.corrections) for e in edits), len(edits)),
            token_offsets,
            ids,
        )

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
        pairs, search = self._arguments(hypotheses, options, source_of, given)
        counts, status = _kernels.count_maxmatch(
            **pairs, annotators=len(self.annotators), threads=thread_count(len(hypotheses)), **search
        )
        return counts, self._fallbacks(status)

    def count_hoo(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given: EncodedText | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """met, spurious, system, gold, missed optional by hypothesis, annotator and criterion; word diffs."""
        pairs, search = self._arguments(hypotheses, options, source_of, given)
        counts, status = _kernels.count_hoo(
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
        rows, status = _kernels.trace_edits(**pairs, criterion=CRITERIA.index(criterion), **search)
        self._fallbacks(status)
        words = [hypothesis.split() for hypothesis in hypotheses]
        sentence_of = pairs["source_of"].tolist()
        traced: list[dict[str, list[ProposedEdit]]] = [
            {annotation.annotator: [] for annotation in self._annotations[sentence]} for sentence in sentence_of
        ]
        for pair, annotator, start, end, begin, stop, first, last in rows.tolist():
            source = self._sentences[sentence_of[pair]].tokens
            traced[pair][self.annotators[annotator]].append(
                ProposedEdit(start, end, " ".join(source[begin:stop]), " ".join(words[pair][first:last]))
            )
        return [{annotator: tuple(edits) for annotator, edits in of_pair.items()} for of_pair in traced]

    def _arguments(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None,
        given: EncodedText | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if (given is None) == (options.extraction == "errant"):
            raise OptionError("extraction: expected the edits beside the hypotheses for errant, and only for it")
        source_of = range(len(self._sentences)) if source_of is None else source_of
        check_hypotheses(len(hypotheses), source_of)
        encoded, passing = self._vocabulary.encode([h.split() for h in hypotheses], extend=False)
        pairs = {
            "sources": self._sources,
            "hypotheses": encoded,
            "source_of": np.array(source_of, dtype=np.int64),
            "gold": self._gold,
        }
        search = {
            "behaviour": BEHAVIOURS.index(options.behaviour),
            "extraction": EXTRACTIONS.index(options.extraction),
            "max_unchanged_words": options.max_unchanged_words,
            "running_offsets": options.initial_insertions == "running",
            "max_lattice": options.max_lattice,
            "max_stored_arcs": options.max_stored_arcs,
            "folded": self._vocabulary.folded(passing) if options.ignore_whitespace_casing else _NOT_FOLDED,
            "given": _NOT_GIVEN if given is None else given,
        }
        return pairs, search

    def _fallbacks(self, status: NDArray[np.uint8]) -> NDArray[np.bool_]:
        for code, reason in (
            (_TOO_LONG, "source and hypothesis are too long even for a word diff; split the line"),
            (_GOLD_TOO_DENSE, "an annotator has more than 8 edits at one place; use behaviour official or paper"),
        ):
            refused = np.flatnonzero(status == code)
            if refused.size:
                raise TooLongError(reason, int(refused[0]) + 1)
        fallbacks: NDArray[np.bool_] = status == _WORD_DIFFED
        return fallbacks
