"""Conditions that a pair of a source and its correction meets or not, judged for many pairs at once.

Every condition looks at one pair alone, so that no verdict depends on how a corpus is cut. Duplicates are the one
exception, and `duplicates` has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus
from recte.corpus.sentence_columns import parallel_sentences
from recte.corpus.text_columns import TextColumn
from recte.edits.references import with_reference_edits
from recte.errors import OptionError
from recte.evaluation.plausibility.pair_oddities import PAIR_KINDS, odd_pairs
from recte.metrics.neural_metric import ModelOptions
from recte.metrics.scribendi import Scribendi
from recte.models.loading import ModelDtype
from recte.options import check_options, option, same_option

if TYPE_CHECKING:
    from recte.extraction.extractor import Extractor

__all__ = ["DUPLICATES", "ConditionJudge", "PairColumns", "PairConditions"]

DUPLICATES = "duplicates"
_CONDITIONS = "conditions of a pair"
_TYPES = "types of edits"
_MODEL = "language model"
_LENGTH_RATIOS = ("min_length_ratio", "max_length_ratio")

Verdicts = NDArray[np.bool_]


class PairColumns(NamedTuple):
    """Sources and corrections, as many of one as of the other."""

    sources: TextColumn
    corrected: TextColumn

    @classmethod
    def of_versions(cls, sources: TextColumn, versions: Sequence[TextColumn]) -> PairColumns:
        """A pair for each version of each source: all pairs of the first source, then those of the second."""
        places = np.repeat(np.arange(len(sources)), len(versions))
        return cls(sources.take(places), TextColumn.side_by_side(versions, len(sources)))

    def take(self, rows: NDArray[np.int64]) -> PairColumns:
        return PairColumns(self.sources.take(rows), self.corrected.take(rows))


@dataclass(frozen=True, kw_only=True)
class PairConditions:
    """What a pair must be like to be kept. A condition that is not given removes nothing.

    Edits are those of a word diff; their types are those that `recte extract` finds.

    >>> PairConditions(max_edits=3, duplicates=False).names
    ('max_edits', 'duplicates')
    """

    min_edits: int | None = option(None, "edits at least", kind=int, least=0, metavar="N", group=_CONDITIONS)
    max_edits: int | None = option(None, "edits at most", kind=int, least=0, metavar="N", group=_CONDITIONS)
    max_edit_words: int | None = option(
        None, "words of an edit at most, on its longer side", kind=int, least=0, metavar="N", group=_CONDITIONS
    )
    min_changed: float | None = option(
        None, "share of words changed, at least (0 to 1)", kind=float, least=0, most=1, metavar="X", group=_CONDITIONS
    )
    max_changed: float | None = option(
        None, "share of words changed, at most (0 to 1)", kind=float, least=0, most=1, metavar="X", group=_CONDITIONS
    )
    min_length_ratio: float | None = option(
        None,
        "words of the correction by those of the source, at least",
        kind=float,
        least=0,
        metavar="X",
        group=_CONDITIONS,
    )
    max_length_ratio: float | None = option(
        None,
        "words of the correction by those of the source, at most",
        kind=float,
        least=0,
        metavar="X",
        group=_CONDITIONS,
    )
    refuse: tuple[str, ...] = option(
        (),
        "remove pairs that look wrong: all kinds, or some, such as empty unlike detokenised labels markdown",
        kind=str,
        choices=("all", *PAIR_KINDS),
        metavar="KIND",
        group=_CONDITIONS,
    )
    duplicates: bool = option(True, "keep pairs that came before (default yes)", group=_CONDITIONS)
    types: tuple[str, ...] = option(
        (), "an edit of one of these types at least (* is any letters: R:VERB*)", kind=str, metavar="TYPE", group=_TYPES
    )
    without_types: tuple[str, ...] = option((), "no edit of these types", kind=str, metavar="TYPE", group=_TYPES)
    annotator: str = option(
        "builtin", "who tags: builtin, spacy:MODEL, udpipe:FILE (default builtin)", metavar="NAME", group=_TYPES
    )
    language: str = option("en", "whose types (default en)", metavar="CODE", group=_TYPES)
    scribendi: int | None = option(
        None,
        "Scribendi score at least: 1 likelier and not too unlike, 0 also unchanged",
        kind=int,
        least=0,
        most=1,
        metavar="N",
        group=_MODEL,
    )
    min_gain: float | None = option(
        None,
        "perplexity of the source by that of the correction, at least",
        kind=float,
        least=0,
        metavar="X",
        group=_MODEL,
    )
    model: str = same_option(Scribendi, "model", help="the language model (default gpt2)", group=_MODEL)
    model_dtype: ModelDtype = same_option(ModelOptions, "model_dtype", group=_MODEL)
    device: str = same_option(ModelOptions, "device", group=_MODEL)

    def __post_init__(self) -> None:
        check_options(self)
        for least, most in (("min_edits", "max_edits"), ("min_changed", "max_changed"), _LENGTH_RATIOS):
            low, high = getattr(self, least), getattr(self, most)
            if low is not None and high is not None and low > high:
                raise OptionError(f"{least}: expected at most {high}, which is {most}, got {low}")
        if self.types and all(any(fnmatchcase(name, other) for other in self.without_types) for name in self.types):
            raise OptionError(f"types: expected one that without_types does not remove, got {' '.join(self.types)}")

    @property
    def names(self) -> tuple[str, ...]:
        """The conditions that are given, in the order in which they are judged."""
        settings = ("annotator", "language", "model", "model_dtype", "device")
        in_order = [name for name in self.__dataclass_fields__ if name not in (*settings, DUPLICATES)]
        changed = [name for name in in_order if getattr(self, name) not in (None, ())]
        return (*changed, *(() if self.duplicates else (DUPLICATES,)))

    @property
    def refused_kinds(self) -> tuple[str, ...]:
        return PAIR_KINDS if "all" in self.refuse else self.refuse


class ConditionJudge:
    """Says of pairs which condition removes them; models and word lists are loaded once."""

    def __init__(self, conditions: PairConditions) -> None:
        self.conditions = conditions
        self.names = conditions.names

    def find_failures(self, pairs: PairColumns) -> NDArray[np.uint8]:
        """The place (from 1) of the first condition that each pair does not meet, 0 where it meets all.

        Conditions that cost most are judged last, and of the pairs that are left.
        """
        removed = np.zeros(len(pairs.sources), dtype=np.uint8)
        for names, judge in (
            (tuple(_LIMITS), self._limits_fit),
            (("refuse",), self._kinds_fit),
            (("types", "without_types"), self._types_fit),
            (("scribendi", "min_gain"), self._gain_fits),
        ):
            chosen = [name for name in names if name in self.names]
            rows = np.flatnonzero(removed == 0)
            if not chosen or not rows.size:
                continue
            left = pairs if rows.size == len(removed) else pairs.take(rows)
            for name, fits in judge(left, chosen):
                unfit = rows[~fits]
                removed[unfit[removed[unfit] == 0]] = self.names.index(name) + 1
        return removed

    def types_of(self, pairs: PairColumns) -> list[tuple[str, ...]]:
        """The types of each pair's edits, in the order of the text."""
        from recte.extraction.extractor import EncodedPairs  # with languages and word lists, which few filters need

        sources, texts = pairs
        text_pairs = EncodedPairs.of_texts([tuple(a.split()) for a in sources], range(len(sources)), texts)
        table = self._extractor.edit_table(text_pairs)
        types, offsets = list(table.types), table.offsets.tolist()
        return [tuple(types[begin:end]) for begin, end in pairwise(offsets)]

    @cached_property
    def _extractor(self) -> Extractor:
        from recte.extraction.extract import extractor_of  # languages and word lists, which few filters need

        return extractor_of(self.conditions.annotator, self.conditions.language)

    def _limits_fit(self, pairs: PairColumns, names: Sequence[str]) -> Iterator[tuple[str, Verdicts]]:
        figures = _PairFigures.of(pairs)
        for name in names:
            figure, is_least = _LIMITS[name]
            values, limit = getattr(figures, figure), getattr(self.conditions, name)
            yield name, values >= limit if is_least else values <= limit

    def _kinds_fit(self, pairs: PairColumns, names: Sequence[str]) -> Iterator[tuple[str, Verdicts]]:
        yield "refuse", ~odd_pairs(pairs.sources, pairs.corrected, self.conditions.refused_kinds)

    def _types_fit(self, pairs: PairColumns, names: Sequence[str]) -> Iterator[tuple[str, Verdicts]]:
        types_of_pairs = self.types_of(pairs)
        distinct = set().union(*types_of_pairs)
        for name in names:
            patterns = getattr(self.conditions, name)
            matching = {type_ for type_ in distinct if any(fnmatchcase(type_, pattern) for pattern in patterns)}
            has_one = np.array([not matching.isdisjoint(types) for types in types_of_pairs], dtype=np.bool_)
            yield name, has_one if name == "types" else ~has_one

    def _gain_fits(self, pairs: PairColumns, names: Sequence[str]) -> Iterator[tuple[str, Verdicts]]:
        counts = self._scribendi.prepare(Corpus.from_references(pairs.sources, ())).count(pairs.corrected)
        if "scribendi" in names:
            yield "scribendi", self._scribendi.sentence_scores(counts) >= (self.conditions.scribendi or 0)
        if "min_gain" in names:
            parts = self._scribendi.parts(counts)
            with np.errstate(invalid="ignore", divide="ignore"):
                gain = parts["perplexity_source"] / parts["perplexity_hypothesis"]
            yield "min_gain", gain >= (self.conditions.min_gain or 0)  # a text without words has no perplexity

    @cached_property
    def _scribendi(self) -> Scribendi:
        chosen = self.conditions
        return Scribendi(model=chosen.model, model_dtype=chosen.model_dtype, device=chosen.device)


class _PairFigures(NamedTuple):
    """Figures of pairs by a word diff: an edit has as many words as its longer side."""

    edits: NDArray[np.int64]
    longest_edit: NDArray[np.int64]
    changed: NDArray[np.float64]  # words of edits by words of edits and unchanged ones
    length_ratio: NDArray[np.float64]

    @classmethod
    def of(cls, pairs: PairColumns) -> _PairFigures:
        columns = parallel_sentences(pairs.sources, [pairs.corrected]).columns
        edited = with_reference_edits(columns, rule="word-diff")
        count = len(pairs.sources)
        replaced = edited.ends.astype(np.int64) - edited.starts
        sizes = np.maximum(replaced, np.diff(edited.words[1]))
        edits = np.diff(edited.edit_offsets)
        pair_of_edit = np.repeat(np.arange(count), edits)
        longest = np.zeros(count, dtype=np.int64)
        np.maximum.at(longest, pair_of_edit, sizes)
        source_words, corrected_words = np.diff(columns.tokens[1]), np.diff(columns.reference_words[1])
        changed = np.bincount(pair_of_edit, sizes, count)
        everything = source_words - np.bincount(pair_of_edit, replaced, count) + changed
        ratio = np.where(corrected_words > 0, np.inf, 1.0)  # of pairs without words in the source
        np.divide(corrected_words, source_words, out=ratio, where=source_words > 0)
        return cls(edits, longest, changed / np.maximum(everything, 1), ratio)


# The figure that a condition limits, and whether the limit is the least value.
_LIMITS = {
    "min_edits": ("edits", True),
    "max_edits": ("edits", False),
    "max_edit_words": ("longest_edit", False),
    "min_changed": ("changed", True),
    "max_changed": ("changed", False),
    "min_length_ratio": ("length_ratio", True),
    "max_length_ratio": ("length_ratio", False),
}
