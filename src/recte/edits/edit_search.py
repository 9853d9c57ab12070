"""Sources and gold in the form the MaxMatch kernels take, ready for any number of hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns, EditColumns
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import EncodedText, Integers, Vocabulary, gather, runs
from recte.errors import InputError, OptionError, TooLongError
from recte.options import check_options, option
from recte.threads import thread_count

__all__ = ["Behaviour", "Criterion", "EditSearch", "Extraction", "InitialInsertions", "SearchOptions", "TracedEdits"]

Behaviour = Literal["official", "paper", "optimal"]
Extraction = Literal["maxmatch", "word-diff", "errant"]
Criterion = Literal["detection", "recognition", "correction"]
InitialInsertions = Literal["running", "zero"]

BEHAVIOURS: tuple[Behaviour, ...] = ("official", "paper", "optimal")
EXTRACTIONS: tuple[Extraction, ...] = ("maxmatch", "word-diff", "errant")
INITIAL_INSERTIONS: tuple[InitialInsertions, ...] = ("running", "zero")
CRITERIA: tuple[Criterion, ...] = ("detection", "recognition", "correction")

_CORRECTION = CRITERIA.index("correction")
_SEARCHED, _WORD_DIFFED, _TOO_LONG, _GOLD_TOO_DENSE = range(4)
_NOT_GIVEN = (np.zeros(0, np.int32), np.zeros(0, np.int64))
_NOT_FOLDED = (np.zeros(0, np.uint8), np.zeros(0, np.int64))


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How edits are found. Metrics that search declare the same options by `same_option`."""

    behaviour: Behaviour = option(
        "official",
        "official: as the published scorer counts; paper: as printed; optimal: true maximum overlap, best annotators",
        choices=BEHAVIOURS,
    )
    extraction: Extraction = option("maxmatch", "how edits are found in a hypothesis", choices=EXTRACTIONS)
    max_unchanged_words: int = option(2, "how many unchanged words an edit may hold", least=0, most=20)
    initial_insertions: InitialInsertions = option(
        "running",
        "offsets of words inserted before the first (official behaviour): running as in version 3.2, or zero",
        choices=INITIAL_INSERTIONS,
    )
    ignore_whitespace_casing: bool = option(False, "drop proposed edits that change only white space or case")
    max_lattice: int = option(
        20_000,
        "vertices of an edit lattice beyond which a word diff stands in",
        least=1,
        most=1_000_000,
        unit="vertices",
    )
    max_stored_arcs: int = option(400_000, "beyond it, time is spent instead of memory", least=0, most=100_000_000)

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def of(cls, metric: Any) -> SearchOptions:
        """Those that a metric has, by their names; `initial_insertions` are of the official behaviour alone."""
        values = {f.name: getattr(metric, f.name) for f in fields(cls) if hasattr(metric, f.name)}
        return cls(**values | ({} if metric.behaviour == "official" else {"initial_insertions": "zero"}))

    def kernel(self) -> _kernels.SearchOptions:
        """The options as kernels take them: a choice is its place among the choices. Case is folded in Python."""
        values = {f.name: (f.metadata["choices"], getattr(self, f.name)) for f in fields(self)}
        del values["ignore_whitespace_casing"]
        numbers = {name: choices.index(value) if choices else value for name, (choices, value) in values.items()}
        return _kernels.SearchOptions(**numbers)


class TracedEdits(NamedTuple):
    """Proposed edits as columns, an edit each: `start` and `end` are what its gold edit must have, and the words from
    `source_begin` to `source_end` become those from `hypothesis_begin` to `hypothesis_end`.
    """

    hypothesis: Integers
    annotator: Integers
    start: Integers
    end: Integers
    source_begin: Integers
    source_end: Integers
    hypothesis_begin: Integers
    hypothesis_end: Integers


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

    @classmethod
    def of(cls, columns: Columns) -> EditSearch:
        """A search against the annotations of a corpus."""
        return cls(columns.vocabulary, columns.tokens, columns.edits())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_gold"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._gold = self._columns.kernel()

    def count(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given_edits: EncodedText | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """tp, proposed and gold by hypothesis and annotator, and which hypotheses got a word diff instead.

        `given_edits` are edits found elsewhere (extraction `errant`): source and hypothesis spans, and where each
        hypothesis' begin.
        """
        pairs, search = self._arguments(hypotheses, options, source_of, given_edits)
        threads = thread_count(len(hypotheses))
        counts, status = _kernels.count_maxmatch(**pairs, annotators=len(self.annotators), threads=threads, **search)
        return counts, self._fallbacks(status)

    def count_hoo(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given_edits: EncodedText | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """As `count`: met, spurious, system, gold and missed optional edits, by hypothesis, annotator and criterion."""
        pairs, search = self._arguments(hypotheses, options, source_of, given_edits)
        threads = thread_count(len(hypotheses))
        counts, status = _kernels.count_hoo(**pairs, annotators=len(self.annotators), threads=threads, **search)
        return counts, self._fallbacks(status)

    def find(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None = None,
        given_edits: EncodedText | None = None,
    ) -> EditTable:
        """The edits proposed for each hypothesis against each annotator of its sentence, an annotation each.

        >>> from recte import Annotation, Corpus, Sentence
        >>> columns = Corpus((Sentence("He go", annotations=(Annotation("0"),)),)).columns
        >>> EditSearch.of(columns).find(["He goes"], SearchOptions(max_unchanged_words=0))[0].corrections
        ('goes',)
        """
        vocabulary = self._vocabulary.copy()
        pairs, search = self._arguments(hypotheses, options, source_of, given_edits, vocabulary)
        rows, status = _kernels.trace_edits(
            **pairs, criterion=_CORRECTION, threads=thread_count(len(hypotheses)), **search
        )
        self._fallbacks(status)
        traced = TracedEdits(*rows.astype(np.int64).T)
        return self._table(traced, pairs["source_of"], pairs["hypotheses"], vocabulary)

    def _table(
        self, traced: TracedEdits, source_of: Integers, hypotheses: EncodedText, vocabulary: Vocabulary
    ) -> EditTable:
        gold = self._columns
        annotations, offsets = runs(gold.annotation_offsets[source_of], gold.annotation_offsets[source_of + 1])
        sentences = np.repeat(np.arange(len(source_of)), np.diff(offsets))
        columns = gold.annotator_columns[annotations].astype(np.int64)
        # Traced edits come annotation by annotation, those of annotations without edits left out.
        keys, width = sentences * len(self.annotators) + columns, len(self.annotators)
        order = np.argsort(keys)
        annotation = order[np.searchsorted(keys[order], traced.hypothesis * width + traced.annotator)]
        ids, words = hypotheses
        first_words = words[traced.hypothesis]
        corrections = gather(ids, first_words + traced.hypothesis_begin, first_words + traced.hypothesis_end)
        return EditTable(
            annotators=self.annotators,
            sentences=sentences,
            columns=columns,
            offsets=np.searchsorted(annotation, np.arange(len(columns) + 1)).astype(np.int64),
            starts=traced.start,
            ends=traced.end,
            correction_offsets=np.arange(len(traced.start) + 1, dtype=np.int64),
            corrections=TextColumn.join(vocabulary.interner, corrections),
            types=TextColumn.of([""] * len(traced.start)),
            misplaced=dict(self._find_misplaced(traced, source_of)),
        )

    def _find_misplaced(self, traced: TracedEdits, source_of: Integers) -> Iterator[tuple[int, str]]:
        """The number of each edit whose offsets are not those of the words that it replaces, and these words."""
        ids, offsets = self._sources
        elsewhere = (traced.source_begin != traced.start) | (traced.source_end != traced.end)
        for edit in np.flatnonzero(elsewhere).tolist():
            source = source_of[traced.hypothesis[edit]]
            tokens = ids[offsets[source] : offsets[source + 1]]
            replaced = tokens[traced.source_begin[edit] : traced.source_end[edit]]
            if not np.array_equal(replaced, tokens[traced.start[edit] : traced.end[edit]]):
                yield edit, " ".join(self._vocabulary.words(replaced))

    def trace(self, hypotheses: EncodedText, source_of: NDArray[np.int64], options: SearchOptions) -> TracedEdits:
        """Edits proposed for hypotheses whose words are numbers of the same vocabulary."""
        rows, status = _kernels.trace_edits(
            sources=self._sources,
            hypotheses=hypotheses,
            source_of=source_of,
            gold=self._gold,
            criterion=_CORRECTION,
            threads=thread_count(len(source_of)),
            **self._search(options, _NOT_FOLDED),
        )
        self._fallbacks(status)
        return TracedEdits(*rows.T)

    def _arguments(
        self,
        hypotheses: Sequence[str],
        options: SearchOptions,
        source_of: Sequence[int] | None,
        given_edits: EncodedText | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What kernels take; words that are new are added to the `vocabulary`, where one is given."""
        if (given_edits is None) == (options.extraction == "errant"):
            raise OptionError("extraction: expected the edits with the hypotheses for errant, and only for it")
        source_of = range(len(self._sources[1]) - 1) if source_of is None else source_of
        check_hypotheses(len(hypotheses), source_of)
        known = self._vocabulary if vocabulary is None else vocabulary
        encoded, passing = known.encode_texts(hypotheses, extend=vocabulary is not None)
        pairs = {
            "sources": self._sources,
            "hypotheses": encoded,
            "source_of": np.asarray(source_of, dtype=np.int64),
            "gold": self._gold,
        }
        folded = known.fold(passing) if options.ignore_whitespace_casing else _NOT_FOLDED
        return pairs, self._search(options, folded, given_edits)

    def _search(
        self,
        options: SearchOptions,
        folded: tuple[NDArray[np.uint8], NDArray[np.int64]],
        given_edits: EncodedText | None = None,
    ) -> dict[str, Any]:
        return {
            "options": options.kernel(),
            "folded": folded,
            "given": _NOT_GIVEN if given_edits is None else given_edits,
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
