"""MaxMatch (M²): Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction".

A hypothesis can be read as edits of its source in many ways, and the reading that agrees most with an annotator counts:

1. all shortest readings are a lattice; edits in a row, with at most u unchanged words, may be one longer edit (section
   2.1; u is `max_unchanged_words`);
2. the search takes the path whose edits overlap most with one annotator's (section 2.2; `MaxMatchScorer.find`, in C++
   `cpp/edits/maxmatch.hpp`);
3. an edit is right if a gold edit has its place, and its correction among that edit's corrections (equation 1;
   `MaxMatch.match_rule`);
4. true positives, proposed and gold edits are counted for each annotator, and precision, recall and F follow from
   their sums (section 2.3, equations 3 to 6);
5. for each sentence the annotator counts that is best for F of the totals so far (`MaxMatch.choice`; the published
   scorer's rule, for the paper has one annotator).

The search counts while it searches, so that step 4 has no edits in Python; verdicts, types and weights look at the
edits that it found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns, columns_of
from recte.corpus.vocabulary import EncodedText, offsets_of
from recte.edits.edit_context import TextPairs
from recte.edits.edit_search import (
    Behaviour,
    EditSearch,
    Extraction,
    InitialInsertions,
    SearchOptions,
)
from recte.edits.matching import Duplicates, Matches, MatchRule, match
from recte.edits.references import with_reference_edits
from recte.edits.verdicts import JudgedEdit
from recte.errors import OptionError
from recte.extraction.reference_edits import EDIT_RULES, EditRule, ExtractionOptions
from recte.metrics.annotator_choice import ChoiceRule, sentence_f
from recte.metrics.base import option
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.edit_metric import EditMetric, EditScorer
from recte.metrics.mixed_gold import mix_gold
from recte.metrics.tally import TallyRule
from recte.options import same_option

__all__ = ["EditSearchOptions", "EditSearchScorer", "MaxMatch", "MaxMatchOptions", "MaxMatchScorer"]

INEXACT = "too unlike their source for an exact search, scored by a word diff"
_DUPLICATES: dict[Behaviour, Duplicates] = {"official": "in-order", "paper": "any", "optimal": "one-to-one"}


@dataclass(frozen=True, kw_only=True)
class EditSearchOptions:
    """How a hypothesis is searched for its edits, and a rewritten reference for the gold's: of MaxMatch and of HOO.

    `annotator` and `language` are of the edits of `errant` alone.
    """

    behaviour: Behaviour = same_option(SearchOptions, "behaviour")
    max_unchanged_words: int = same_option(SearchOptions, "max_unchanged_words")
    ignore_whitespace_casing: bool = same_option(SearchOptions, "ignore_whitespace_casing")
    initial_insertions: InitialInsertions = same_option(SearchOptions, "initial_insertions")
    extraction: Extraction = same_option(SearchOptions, "extraction")
    reference_edits: EditRule = option("maxmatch", "how rewritten references are turned into edits", choices=EDIT_RULES)
    max_lattice: int = same_option(SearchOptions, "max_lattice")
    annotator: str = same_option(ExtractionOptions, "annotator")
    language: str = same_option(ExtractionOptions, "language")

    @property
    def reads_english(self) -> bool:
        return self.language == "en" and "errant" in (self.extraction, self.reference_edits)


@dataclass(frozen=True, kw_only=True)
class MaxMatchOptions(EditSearchOptions):
    """What MaxMatch adds to these: of `MaxMatch` and of `PtM2`, which wraps it. β comes from `EditMetric`."""

    mix: bool = option(False, "mix corrections of different annotators, error by error")
    sentence_annotator: Literal["best", "last"] = option(
        "best",
        "whose counts a sentence alone is scored by; last is a slip in published scores",
        choices=("best", "last"),
        scoring_only=True,
    )


@dataclass(frozen=True, kw_only=True)
class MaxMatch(MaxMatchOptions, EditMetric):
    """The M² scorer.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> MaxMatch().score(gold, ["He goes to the school ."]).precision
    0.5
    """

    name: ClassVar[str] = "m2"
    title: ClassVar[str] = "MaxMatch (M²)"
    empty_can_win: ClassVar[bool] = True  # the search finds gold edits in whatever is deleted
    inexact: ClassVar[str] = INEXACT
    bibtex: ClassVar[str] = """@inproceedings{dahlmeier-ng-2012-better,
  title = {Better Evaluation for Grammatical Error Correction},
  author = {Dahlmeier, Daniel and Ng, Hwee Tou},
  booktitle = {Proceedings of NAACL-HLT 2012},
  pages = {568--572},
  year = {2012}
}"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mix and self.extraction == "errant":
            raise OptionError("mix: expected extraction maxmatch or word-diff, got errant")

    @property
    def match_rule(self) -> MatchRule:
        """Equation 1: the same place, and one of the gold edit's corrections.

        `official` credits all equal gold edits in file order, `paper` an edit that any gold edit equals (equation 6),
        `optimal` each gold edit once. Each annotator has edits that were chosen for that one.
        """
        return MatchRule("correction", _DUPLICATES[self.behaviour], alternatives=True, by_annotator=True)

    @property
    def overcounted(self) -> Literal["", "proposed", "gold"]:
        return "proposed" if self.behaviour == "official" else "gold" if self.behaviour == "paper" else ""

    @property
    def choice(self) -> ChoiceRule:
        """`official` and `paper` choose sentence by sentence, as the published scorer; `optimal` for the corpus."""
        return ChoiceRule("optimal" if self.behaviour == "optimal" else "running")

    def prepare(self, gold: Corpus) -> MaxMatchScorer:
        return MaxMatchScorer(self, gold)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        if self.sentence_annotator == "best":
            return super().sentence_scores(counts)
        alone = sentence_f(self.triples(counts), self.beta)
        last = alone.shape[1] - 1 - np.argmax(~np.isnan(alone)[:, ::-1], axis=1)
        return np.asarray(alone[np.arange(len(alone)), last])

    def tally_rule(self, references: int) -> TallyRule | None:
        from recte.metrics.running_tally import RunningTally

        return None if self.choice.order == "optimal" else RunningTally(self)

    def recount_needed(self, counted_with: Mapping[str, Any]) -> str | None:
        # A mixture is chosen by F while counting.
        if self.mix and counted_with.get("beta") != self.beta:
            return "beta"
        return super().recount_needed(counted_with)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.behaviour,
            "annotators": len(counts.columns),
            "beta": self.beta,
            "max_unchanged_words": self.max_unchanged_words,
        }
        return self.with_changed_options(parts, leaving_out=("annotator",))  # the edits' name has its content


class EditSearchScorer(EditScorer):
    """Sources and gold edits, ready to search hypotheses for theirs."""

    metric: Any  # with `EditSearchOptions`

    def __init__(self, metric: Any, corpus: Corpus) -> None:
        super().__init__(
            metric, corpus, rule=metric.reference_edits, annotator=metric.annotator, language=metric.language
        )
        self.search = EditSearch.of(self._columns)

    @cached_property
    def search_options(self) -> SearchOptions:
        return SearchOptions.of(self.metric)

    @cached_property
    def _columns(self) -> Columns:
        """Sources and gold edits, those of rewritten references among them."""
        columns, rule = self.corpus.columns, self.metric.reference_edits
        if columns.annotated.all():
            return columns
        if columns.annotated.any() or rule == "errant":
            return columns_of(self.sentences)
        return with_reference_edits(columns, rule=rule)

    @cached_property
    def gold(self) -> EditTable:
        return EditTable.of_columns(self._columns)

    def find(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EditTable:
        """The edits of each hypothesis against each annotator: the reading that agrees most with that one."""
        listed = self.errant_edits(hypotheses, source_of)
        return self.search.find(hypotheses, self.search_options, source_of, listed)

    def errant_edits(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EncodedText | None:
        """The edits that ERRANT's rules find in the hypotheses, where these are wanted."""
        if self.metric.extraction != "errant":
            return None
        from recte.extraction.extract import extractor_of

        pairs = [(self.sources.words(s), tuple(h.split())) for h, s in zip(hypotheses, source_of, strict=True)]
        spans = extractor_of(self.metric.annotator, self.metric.language).spans(pairs)
        rows = np.array([place for of_pair in spans for span in of_pair for place in span], dtype=np.int32)
        return rows, offsets_of(map(len, spans), len(spans))

    def counts_of(
        self,
        rows: NDArray[Any],
        columns: tuple[str, ...],
        source_of: Sequence[int],
        fallbacks: NDArray[np.bool_] | None = None,
    ) -> Counts:
        counts = super().counts_of(rows, columns, source_of, fallbacks)
        metric = self.metric
        bare = metric.reference_edits == "errant" and not self.corpus.columns.annotated.all()
        if metric.extraction != "errant" and not bare:
            return counts
        from recte.extraction.extract import extractor_of

        return replace(counts, made_with={"edits": extractor_of(metric.annotator, metric.language).name})


class MaxMatchScorer(EditSearchScorer):
    """MaxMatch with its gold."""

    metric: MaxMatch

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        search, places = self.search, source_of
        if self.metric.mix:
            search, places = EditSearch.of(self._mix(hypotheses, source_of)), range(len(hypotheses))
        listed = self.errant_edits(hypotheses, source_of)
        rows, fallbacks = search.count(hypotheses, self.search_options, places, listed)
        return self.counts_of(rows, search.annotators, source_of, fallbacks)

    def matches(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Matches:
        if not self.metric.mix:
            return super().matches(hypotheses, source_of)
        columns = self._mix(hypotheses, source_of)
        proposed = EditSearch.of(columns).find(hypotheses, self.search_options)
        return match(EditTable.of_columns(columns), proposed, self.metric.match_rule)

    def _mix(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Columns:
        """Each hypothesis' sentence with one annotation, mixed from those of all annotators."""
        sentences = [self.sentences[s] for s in source_of]
        return columns_of(mix_gold(sentences, hypotheses, self.search_options, self.metric.beta))

    def _pairs_ahead(self, source_of: Sequence[int]) -> TextPairs | None:
        return None if self.metric.mix else super()._pairs_ahead(source_of)

    def sees_texts_alone(self, system: System) -> bool:
        return True

    def judged_all(
        self, systems: Sequence[System], outputs: DistinctTexts, annotators: Sequence[Sequence[str] | None]
    ) -> Iterable[list[dict[str, tuple[JudgedEdit, ...]]]]:
        """Edits of equal outputs are found and judged once."""
        verdicts = self.verdicts(self.matches(self.segmented(outputs.texts), outputs.places), outputs.places)
        for numbers, annotator_names in zip(outputs.number.tolist(), annotators, strict=True):
            each = [None] * len(numbers) if annotator_names is None else annotator_names
            yield [verdicts.of_row(number, annotator) for number, annotator in zip(numbers, each, strict=True)]
