"""MaxMatch (M²): Dahlmeier and Ng (2012), "Better Evaluation for Grammatical Error Correction".

Of all ways to read a hypothesis as edits of its source, the one that agrees most with an annotator counts. A row
holds tp, proposed and gold edits for every annotator; choosing among annotators is part of scoring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.alignment.edit_search import (
    BEHAVIOURS,
    EXTRACTIONS,
    Behaviour,
    EditSearch,
    Extraction,
    InitialInsertions,
    SearchOptions,
)
from recte.alignment.references import edit_columns
from recte.alignment.verdicts import JudgedEdit, MatchedEdits, assigned
from recte.columns.gold import columns_of
from recte.columns.text import TextColumn
from recte.columns.vocabulary import EncodedText, gathered, offsets_of
from recte.corpus import Corpus, Sentence, System, annotator_order, apply_edits
from recte.counts import Counts
from recte.errors import OptionError
from recte.extraction.reference_edits import EDIT_RULES, EditRule
from recte.metrics.annotator_choice import scores_of_drawn_choices, sentence_f
from recte.metrics.base import option
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.edit_metric import EditMetric, EditScorer
from recte.metrics.gold_sides import GoldSides, ProposedEdits, parts_of
from recte.metrics.mixed_gold import mixed_sentences
from recte.metrics.resamples import Resamples
from recte.metrics.seen_edits import SeenEdits, SeenSoon
from recte.metrics.tally import TallyRule
from recte.metrics.weighed_choice import ChoiceRule

__all__ = ["EditSearchMetric", "EditSearchScorer", "MaxMatch", "MaxMatchScorer"]


@dataclass(frozen=True, kw_only=True)
class EditSearchMetric(EditMetric):
    """Options that metrics share which search a hypothesis for its edits."""

    inexact: ClassVar[str] = "too unlike their source for an exact search, scored by a word diff"

    behaviour: Behaviour = option(
        "official",
        "official: as the published scorer counts; paper: as printed; optimal: true maximum overlap, best annotators",
        choices=BEHAVIOURS,
    )
    max_unchanged_words: int = option(2, "how many unchanged words an edit may hold")
    ignore_whitespace_casing: bool = option(False, "drop proposed edits that change only white space or case")
    initial_insertions: InitialInsertions = option(
        "running",
        "offsets of words inserted before the first (official behaviour): running as in version 3.2, or zero",
        choices=("running", "zero"),
    )
    extraction: Extraction = option("maxmatch", "how edits are found in a hypothesis", choices=EXTRACTIONS)
    reference_edits: EditRule = option("maxmatch", "how rewritten references are turned into edits", choices=EDIT_RULES)
    max_lattice: int = option(20_000, "vertices of an edit lattice beyond which a word diff stands in")
    annotator: str = option("builtin", "who tags texts for errant's edits: builtin, spacy:MODEL, or given:FILE")
    language: str = option("en", "whose rules errant's edits follow")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.search_options()  # checks the rest

    def search_options(self) -> SearchOptions:
        return SearchOptions(
            behaviour=self.behaviour,
            extraction=self.extraction,
            max_unchanged_words=self.max_unchanged_words,
            initial_insertions=self.initial_insertions if self.behaviour == "official" else "zero",
            ignore_whitespace_casing=self.ignore_whitespace_casing,
            max_lattice=self.max_lattice,
        )

    @property
    def overcounted(self) -> Literal["", "proposed", "gold"]:
        return "proposed" if self.behaviour == "official" else "gold" if self.behaviour == "paper" else ""

    @property
    def choice_rule(self) -> ChoiceRule:
        return "optimal" if self.behaviour == "optimal" else "running"

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        """Where one kernel can draw, choose and sum, no weight is ever in memory."""
        drawn = None
        if self.choice_rule == "running" and not self.weighs_edits:
            drawn = scores_of_drawn_choices(self.triples(counts), resamples, self.beta)
        return super().score_resamples(counts, resamples) if drawn is None else drawn

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.behaviour,
            "annotators": len(counts.columns),
            "beta": self.beta,
            "max_unchanged_words": self.max_unchanged_words,
        }
        return self.with_changed_options(parts)


@dataclass(frozen=True, kw_only=True)
class MaxMatch(EditSearchMetric):
    """The M² scorer.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",))]]])
    >>> MaxMatch().score(gold, ["He goes to the school ."]).precision
    0.5
    """

    name: ClassVar[str] = "m2"
    title: ClassVar[str] = "MaxMatch (M²)"
    bibtex: ClassVar[str] = """@inproceedings{dahlmeier-ng-2012-better,
  title = {Better Evaluation for Grammatical Error Correction},
  author = {Dahlmeier, Daniel and Ng, Hwee Tou},
  booktitle = {Proceedings of NAACL-HLT 2012},
  pages = {568--572},
  year = {2012}
}"""

    mix: bool = option(False, "mix corrections of different annotators, error by error")
    sentence_annotator: Literal["best", "last"] = option(
        "best",
        "whose counts a sentence alone is scored by; last is a slip in published scores",
        choices=("best", "last"),
        scoring_only=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mix and self.extraction == "errant":
            raise OptionError("mix: expected extraction maxmatch or word-diff, got errant")

    def tally_rule(self, references: int) -> TallyRule | None:
        from recte.metrics.running_tally import RunningTally

        return None if self.choice_rule == "optimal" or self.looks_at_edits else RunningTally(self)

    def recount_needed(self, counted_with: Mapping[str, Any]) -> str | None:
        # A mixture is chosen by F while counting.
        if self.mix and counted_with.get("beta") != self.beta:
            return "beta"
        return super().recount_needed(counted_with)

    def prepare(self, gold: Corpus) -> MaxMatchScorer:
        return MaxMatchScorer(self, gold)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        if self.sentence_annotator == "best":
            return super().sentence_scores(counts)
        alone = sentence_f(self.triples(counts), self.beta)
        last = alone.shape[1] - 1 - np.argmax(~np.isnan(alone)[:, ::-1], axis=1)
        return np.asarray(alone[np.arange(len(alone)), last])


class EditSearchScorer(EditScorer):
    """Sources and gold edits, ready to search hypotheses for theirs."""

    metric: EditSearchMetric

    def __init__(self, metric: EditSearchMetric, corpus: Corpus) -> None:
        super().__init__(
            metric, corpus, rule=metric.reference_edits, annotator=metric.annotator, language=metric.language
        )
        columns = corpus.columns
        rule = metric.reference_edits
        if columns.annotated.all():
            gold = columns.edits()
        elif columns.annotated.any() or rule == "errant":
            columns = columns_of(self.sentences)
            gold = columns.edits()
        else:
            gold = edit_columns(columns, rule=rule)
        self.columns, self.gold = columns, gold
        self.search = EditSearch(columns.vocabulary, columns.tokens, gold)

    def matched(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Iterable[MatchedEdits]:
        search, sentences, pairs = self.gold_for(hypotheses, source_of)
        given = self.given_edits(hypotheses, source_of)
        traced = search.trace(hypotheses, self.metric.search_options(), pairs, given=given)
        # A sentence in columns is made anew whenever it is looked at.
        seen = list(sentences) if len(pairs) >= len(sentences) else {s: sentences[s] for s in set(pairs)}
        return (
            MatchedEdits(seen[s], proposed, self.metric.behaviour) for s, proposed in zip(pairs, traced, strict=True)
        )

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

    def given_edits(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> EncodedText | None:
        """The edits that ERRANT's rules find in the hypotheses, where these are wanted."""
        if self.metric.extraction != "errant":
            return None
        pairs = [(self.sentences[s].tokens, tuple(h.split())) for h, s in zip(hypotheses, source_of, strict=True)]
        from recte.extraction.extract import extractor_of

        spans = extractor_of(self.metric.annotator, self.metric.language).spans(pairs)
        rows = np.array([place for of_pair in spans for span in of_pair for place in span], dtype=np.int32)
        return rows, offsets_of(map(len, spans), len(spans))

    def gold_for(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[EditSearch, Sequence[Sentence], Sequence[int]]:
        """What to search: the edits of all annotators, their sentences, and which of these each hypothesis is of."""
        return self.search, self.sentences, source_of


class MaxMatchScorer(EditSearchScorer):
    """MaxMatch with its gold."""

    metric: MaxMatch

    @property
    def sees_texts_alone(self) -> bool:
        return not self.metric.looks_at_edits

    def judged_all(
        self, systems: Sequence[System], outputs: DistinctTexts, annotators: Sequence[Sequence[str] | None]
    ) -> Iterable[list[dict[str, tuple[JudgedEdit, ...]]]]:
        """Edits of equal outputs are found and judged once."""
        matched = list(self.matched(self.segmented(outputs.texts), outputs.places))
        known: dict[tuple[int, str], tuple[JudgedEdit, ...]] = {}
        missed: dict[tuple[int, str], tuple[JudgedEdit, ...]] = {}
        for numbers, wanted in zip(outputs.number.tolist(), annotators, strict=True):
            found = []
            for place, number in enumerate(numbers):
                of_text, gold = matched[number], number if self.metric.mix else place  # mixed, each text has its own
                judged: dict[str, tuple[JudgedEdit, ...]] = {}
                for annotator in of_text.annotators if wanted is None else (wanted[place],):
                    if (gold, annotator) not in missed:
                        missed[gold, annotator] = of_text.missed(annotator)
                    if (number, annotator) not in known:
                        known[number, annotator] = of_text.judged(annotator, missed[gold, annotator])
                    judged[annotator] = known[number, annotator]
                found.append(judged)
            yield found

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        search, _, pairs = self.gold_for(hypotheses, source_of)
        given = self.given_edits(hypotheses, source_of)
        rows, fallbacks = search.count(hypotheses, self.metric.search_options(), pairs, given)
        return self.counts_of(rows, search.annotators, source_of, fallbacks)

    def seen(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> list[SeenSoon]:
        metric = self.metric
        if metric.mix or metric.extraction == "errant" or metric.ignore_whitespace_casing:
            return super().seen(hypotheses, source_of)
        sources = np.asarray(source_of, dtype=np.int64)
        return [
            SeenSoon(
                part.start,
                self._sides.pairs_ahead(sources[part]),
                partial(self._seen, hypotheses[part], sources[part]),
            )
            for part in parts_of(len(sources))
        ]

    def seen_in(self, system: System) -> list[SeenSoon]:
        return self.seen(self.segmented(system.outputs), range(len(self.corpus)))

    def _seen(self, hypotheses: Sequence[str], source_of: NDArray[np.int64]) -> SeenEdits:
        vocabulary = self.columns.vocabulary.copy()
        (ids, offsets), _ = vocabulary.encode_texts(hypotheses, extend=True)
        rows = self.search.trace_rows((ids, offsets), source_of, self.metric.search_options()).astype(np.int64)
        row, column, start, end, begin, stop, first, last = rows.T
        found = ProposedEdits(row, column, start, end, offsets[row] + first, offsets[row] + last, ids, vocabulary)
        sentence = (source_of + self.corpus.first).tolist()
        at = self.columns.tokens[1][source_of[row]]
        spans = np.stack([at + begin, at + stop, at + start, at + end], axis=1)
        return self._sides.beside(found, source_of, sentence, lambda own, of: self._credited(own, of, spans))

    def _credited(
        self, found: ProposedEdits, annotations: NDArray[np.int64], spans: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Which proposed edits are right; `spans` are the words that each replaces, and those at its own offsets."""
        gold, tokens = self.gold, self.columns.tokens[0]
        words, word_offsets = gold.words
        fitting: dict[tuple[int, int], dict[int, list[int]]] = {}
        for p, g in self._sides.partners(found, annotations):
            own = found.words[found.first[p] : found.last[p]].tobytes()
            begin, stop, start, end = spans[p].tolist()
            if tokens[begin:stop].tobytes() == tokens[start:end].tobytes() and any(
                words[word_offsets[c] : word_offsets[c + 1]].tobytes() == own
                for c in range(gold.correction_offsets[g], gold.correction_offsets[g + 1])
            ):
                fitting.setdefault((int(found.row[p]), int(annotations[p])), {}).setdefault(p, []).append(g)
        right = np.zeros(len(found.row), dtype=np.bool_)
        for of_side in fitting.values():
            right[list(of_side)] = [*map(bool, assigned(list(of_side.values()), self.metric.behaviour))]
        return right

    @cached_property
    def _sides(self) -> GoldSides:
        columns, gold = self.columns, self.gold
        if columns.annotated.all():
            firsts = gold.correction_offsets[:-1]
            ids, offsets = columns.words
            words = gathered(ids, offsets[firsts], offsets[firsts + 1])
            said = TextColumn(columns.corrections.buffer, *(of[firsts] for of in columns.corrections.spans[1:]))
            references = [
                apply_edits(sentence.tokens, annotation.edits)
                for sentence in self.sentences
                for annotation in sorted(sentence.annotations, key=lambda a: annotator_order(a.annotator))
            ]
        else:
            words = gold.words
            said = TextColumn.joined(columns.vocabulary.interner, words)
            ids, offsets = columns.reference_words
            run = slice(columns.reference_offsets[0], columns.reference_offsets[-1] + 1)
            made = (ids, np.ascontiguousarray(offsets[run]))
            references = TextColumn.joined(columns.vocabulary.interner, made).listed()
        return GoldSides(
            annotators=gold.annotators,
            vocabulary=columns.vocabulary,
            sources=columns.tokens,
            annotation_offsets=gold.annotation_offsets,
            columns=gold.annotator_columns.astype(np.int64),
            edit_offsets=gold.edit_offsets,
            starts=gold.starts.astype(np.int64),
            ends=gold.ends.astype(np.int64),
            words=words,
            corrections=said,
            references=references,
        )

    def gold_for(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[EditSearch, Sequence[Sentence], Sequence[int]]:
        """The gold as it is, or one annotation mixed for each hypothesis."""
        if not self.metric.mix:
            return super().gold_for(hypotheses, source_of)
        sentences = [self.sentences[s] for s in source_of]
        mixed = mixed_sentences(sentences, hypotheses, self.metric.search_options(), self.metric.beta)
        return EditSearch.of(columns_of(mixed)), mixed, range(len(mixed))
