"""What the compiled core offers. Tokens are integers; a text is (ids, offsets), sentences laid end to end.

`behaviour` is 0 official, 1 paper, 2 optimal; `extraction` 0 MaxMatch, 1 word diff, 2 `given` edits (source
begin and end, hypothesis begin and end of each, and where each hypothesis' edits begin); `criterion` 0 detection,
1 recognition, 2 correction. `folded` holds each token's letters without case as (bytes, offsets), or two empty
arrays. A status is 0 where the search was exact, 1 where the lattice was larger than `max_lattice` vertices and a
word diff stood in, 2 where the pair was too long even for that, 3 where an annotation has too many edits at one
place for the exact choice.

Every argument is checked before a kernel sees it: `InputError` says what was expected and what came; an array of
another type is a `TypeError`, never cut to fit. All functions release the GIL and look at signals while they work, so
that Ctrl-C ends them. Functions hold no state between calls. Readers and vocabularies do: one thread may change one, or
several look at it; whoever comes second is refused.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Text = tuple[NDArray[np.int32], NDArray[np.int64]]
Folded = tuple[NDArray[np.uint8], NDArray[np.int64]]

class Gold:
    """Annotations laid out flat: sentence, annotation, edit, correction, token."""

    def __init__(
        self,
        annotation_offsets: NDArray[np.int64],
        annotator_columns: NDArray[np.int32],
        edit_offsets: NDArray[np.int64],
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        optional: NDArray[np.uint8],
        correction_offsets: NDArray[np.int64],
        token_offsets: NDArray[np.int64],
        tokens: NDArray[np.int32],
    ) -> None: ...

class SearchOptions:
    """How MaxMatch finds edits."""

    def __init__(
        self,
        behaviour: int,
        extraction: int,
        max_unchanged_words: int,
        initial_insertions: int,
        max_lattice: int,
        max_stored_arcs: int,
    ) -> None: ...

def count_maxmatch(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    annotators: int,
    threads: int,
    options: SearchOptions,
    folded: Folded,
    given: Text,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """tp, proposed, gold by hypothesis and annotator (-1 where there is no annotation), and each one's status."""

def count_hoo(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    annotators: int,
    threads: int,
    options: SearchOptions,
    folded: Folded,
    given: Text,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """met, spurious, system, gold, missed optional by hypothesis, annotator and criterion, and each one's status."""

def trace_edits(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    gold: Gold,
    criterion: int,
    threads: int,
    options: SearchOptions,
    folded: Folded,
    given: Text,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Proposed edits: hypothesis, annotator, start, end, source begin and end, hypothesis begin and end."""

class IMeasureOptions:
    """Costs of a pair, weight, β, `baseline` (0 released, 1 printed), `optimise` (0 WAcc, 1 I, 2 accuracy,
    3 precision, 4 recall, 5 F), cells and combinations beyond which something gives way, and how many distinct
    references to keep (1: the best alone).
    """

    def __init__(
        self,
        match: int,
        mismatch: int,
        gap: int,
        weight: float,
        beta: float,
        baseline: int,
        optimise: int,
        max_cells: int,
        max_combinations: int,
        candidates: int,
    ) -> None: ...

def count_references(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    reference_offsets: NDArray[np.int64],
    references: Text,
    options: IMeasureOptions,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
    """Counts by hypothesis and candidate (detection tp tn fp fn, correction tp tn fp fn fpn, baseline tn fn), the
    references they are of, and a status: 0 exact, 2 an alignment would need more than `max_cells`.
    """

def count_mixed(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    error_offsets: NDArray[np.int64],
    option_offsets: NDArray[np.int64],
    edit_offsets: NDArray[np.int64],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    corrections: Text,
    chosen_offsets: NDArray[np.int64],
    options: IMeasureOptions,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
    """The same over all combinations of the errors' options, with the option chosen for each error of each
    hypothesis; status 1 where segments were searched instead of all combinations.
    """

def align_triples(
    sources: Text,
    hypotheses: Text,
    references: Text,
    options: IMeasureOptions,
    threads: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The published alignments of many triples, one after the other, and where each begins; none where too long."""

def align_three(
    source: NDArray[np.int32], hypothesis: NDArray[np.int32], reference: NDArray[np.int32], options: IMeasureOptions
) -> tuple[NDArray[np.uint8], int]:
    """Columns of the published alignment (4 source, 2 hypothesis, 1 reference, added up) and its cost, or -1."""

def tie_outcomes(
    source: NDArray[np.int32],
    hypothesis: NDArray[np.int32],
    reference: NDArray[np.int32],
    limit: int,
    options: IMeasureOptions,
) -> NDArray[np.int32]:
    """Distinct counts (detection, then correction) over all optimal alignments, at most `limit`."""

def count_gleu(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    reference_offsets: NDArray[np.int64],
    references: Text,
    orders: int,
    formula: int,
    columns: int,
    threads: int,
) -> NDArray[np.int32]:
    """By hypothesis and reference: numerators, denominators, lengths of hypothesis and reference (-1 where there is
    none). `formula` 0 looks at types of n-grams as published, 1 at their frequency as printed.
    """

def count_green(
    sources: Text,
    hypotheses: Text,
    source_of: NDArray[np.int64],
    reference_offsets: NDArray[np.int64],
    references: Text,
    orders: int,
    columns: int,
    threads: int,
) -> NDArray[np.int32]:
    """By hypothesis, reference and order: n-grams kept, deleted, inserted by both; deleted, inserted by the hypothesis
    alone; deleted, inserted by the reference alone (-1 where there is no reference).
    """

def count_bleu(
    hypotheses: Text,
    source_of: NDArray[np.int64],
    reference_offsets: NDArray[np.int64],
    references: Text,
    orders: int,
    threads: int,
) -> NDArray[np.int32]:
    """By hypothesis: clipped matches, n-grams, lengths of the hypothesis and of the reference closest to it."""

def count_overlap(a: Text, b: Text, threads: int) -> NDArray[np.int32]:
    """By pair: tokens in common as multisets, and the length of a longest common subsequence."""

def match_words(
    a: Text, b: Text, letters: Text, position: int, max_work: int, threads: int
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Each word's partner in the same sentence of `b`, or -1; `letters` spells the words. `position` 0 breaks ties of
    edit distance, 1 weighs, 2 weighs with ties as published. A status is 1 where a pair would take more than `max_work`
    steps.
    """

def choose_annotators(counts: NDArray[np.int32] | NDArray[np.float64], beta: float, choice: int) -> NDArray[np.int32]:
    """The annotator of each sentence: 0 by the published rule, sentence after sentence, 1 for the best F of all; -1
    where there is none. `counts` are tp, proposed, gold by sentence and annotator; the first is negative or NaN where
    there are none.
    """

def sum_drawn_choices(
    counts: NDArray[np.int32],
    keys: NDArray[np.uint64],
    seed: int,
    first: int,
    before: NDArray[np.float64],
    beta: float,
    threads: int,
) -> NDArray[np.float64]:
    """As `sum_choices` by the running rule, for the weights that `poisson_weights` makes of the keys: as many resamples
    as `before` has rows, from number `first` on, each added to what it has of sentences before these.
    """

def sum_swapped(
    counts: NDArray[np.int32], bits: NDArray[np.uint8], trials: int, beta: float, threads: int
) -> NDArray[np.float64]:
    """Totals of two systems after random swaps, by the running rule: what the first has in each trial, then the other.

    `counts` are rows of both systems in turn; `bits` has a row for each sentence, bit t set where trial t swaps it.
    """

def sum_choices(
    counts: NDArray[np.int32] | NDArray[np.float64],
    weights: NDArray[np.int32],
    beta: float,
    choice: int,
    threads: int,
) -> NDArray[np.float64]:
    """Totals tp, proposed, gold of each weighting of the sentences, annotators chosen again in each."""

def improvement_figures(
    counts: NDArray[np.float64], baselines: NDArray[np.float64], weight: float, beta: float
) -> NDArray[np.float64]:
    """Precision, recall, F, accuracy, WAcc above and below the line, WAcc, that of the source and I of each row.

    A row of counts is tp, tn, fp, fn, fpn; one of baselines tn, fn. Without baselines they are made from the counts.
    """

def choose_greedy(rows: NDArray[np.int32], options: IMeasureOptions) -> NDArray[np.int32]:
    """Which of each sentence's rows is best for the totals so far, sentence after sentence; -1 where there is none."""

def sum_greedy(
    rows: NDArray[np.int32], weights: NDArray[np.int32], options: IMeasureOptions, threads: int
) -> NDArray[np.int64]:
    """Totals of each weighting of the sentences, one of each sentence's rows chosen as by `choose_greedy`."""

def unseenest(
    fingerprints: NDArray[np.int64],
    offsets: NDArray[np.int64],
    grids: NDArray[np.float64],
    grid_offsets: NDArray[np.int64],
    most_variants: float,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """UNSEENEST's masses on the grid of each fingerprint, its objective, and whether its program was solved."""

def trueskill(
    tables: NDArray[np.int64],
    systems: int,
    sigma: float,
    beta: float,
    draw_margin: float,
    matches: int,
    steps: int,
    seed: int,
    runs: int,
    threads: int,
) -> NDArray[np.float64]:
    """TrueSkill means by run and system. `tables` holds, for each pair of systems in order, how often the second is
    better, neither, the first: one table for all runs, or one each. `steps` above 0 expects instead of drawing.
    """

def trueskill_match(
    first_mean: float,
    first_sigma: float,
    second_mean: float,
    second_sigma: float,
    outcome: int,
    beta: float,
    draw_margin: float,
) -> tuple[float, float, float, float]:
    """Means and sigmas after one match: outcome 1 where the first won, 0 for a draw, -1 where the second did."""

def trueskill_passes(
    scores: NDArray[np.float64],
    orders: NDArray[np.int64],
    sigma: float,
    beta: float,
    draw_margin: float,
    threads: int,
) -> NDArray[np.float64]:
    """TrueSkill means after every pair of systems met on every sentence, by pass and system. `scores` is systems by
    sentences, `orders` holds an order of the sentences for each pass.
    """

Annotated = tuple[Text, NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]

class WordTable:
    """What is known of each distinct word: its lower case's number, its letters, its lower case's letters without
    apostrophes and hyphens, whether it begins with a capital, whether it is a stretch of ASCII punctuation.
    """

    def __init__(
        self,
        lower: NDArray[np.int32],
        letters: Text,
        joined: Text,
        capitalised: NDArray[np.uint8],
        punctuation: NDArray[np.uint8],
    ) -> None: ...

class ExtractionOptions:
    """How edits are aligned and merged: `costs` 0 linguistic, 1 Levenshtein; `merging` 0 none (every step), 1 rules,
    2 split, 3 merge, 4 equal; `version` of the published rules 0 ERRANT 3.0, 1 2.3, 2 2.2, 3 the Czech program.
    """

    def __init__(self, costs: int, merging: int, version: int) -> None: ...

def extract_edits(
    sentences: Annotated,
    sources: NDArray[np.int64],
    corrected: NDArray[np.int64],
    words: WordTable,
    options: ExtractionOptions,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]:
    """Edits as rows (operation, source begin and end, corrected begin and end), where each pair's begin, and the cost
    of each pair's alignment, negative where it was too long. Pairs are places among the sentences.

    A text is words, lemmas, coarse tags (0 ADJ, 1 ADV, 2 NOUN, 3 VERB, 4 AUX, 5 PART, 6 DET, 7 PUNCT, others from 8)
    and whether each word is a possessive ending. An operation is 0 match, 1 substitution, 2 insertion, 3 deletion,
    4 transposition.
    """

class ChineseTokens:
    """What ChERRANT's costs know of each kind of token: numbers of its text and tag, its letters and readings, its
    place in the thesaurus (three numbers, -1 where unknown), whether it is wholly Chinese, whether it is punctuation.
    """

    def __init__(
        self,
        texts: NDArray[np.int32],
        tags: NDArray[np.int32],
        letters: Text,
        readings: Text,
        meanings: NDArray[np.int32],
        chinese: NDArray[np.uint8],
        marks: NDArray[np.uint8],
    ) -> None: ...

def extract_tied_edits(
    sources: Text,
    targets: Text,
    tokens: ChineseTokens,
    confused: NDArray[np.int32],
    confusions: Text,
    punctuation: NDArray[np.int32],
    level: int,
    longest_tie: int,
    limit: int,
    threads: int,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.uint8],
]:
    """Edits of every pair by ChERRANT's rules: rows of operation and spans, where each alternative's rows begin, where
    each pair's alternatives begin, costs, how many cheapest alignments there are, and 1 where `limit` cut some off.
    Pairs whose lengths differ by more than `longest_tie` keep the first alignment alone.
    """

Edits = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], Text]
Limits = Sequence[Sequence[float]]

def judge_chunks(
    sources: Text,
    source_of: NDArray[np.int64],
    hypotheses: Edits,
    reference_offsets: NDArray[np.int64],
    references: Edits,
    independent: bool,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """CLEME's chunks that some version changes, one row for each reference: pair, reference, start, end, kind (0 true
    positive, 1 and 2 false positive where the reference changes it too and where not, 3 false, 4 true negative), the
    lengths of the hypothesis' and of the reference's text, whether each changes it; and for each pair how many chunks
    nobody changes.
    """

class ChunkScoring:
    """How chunks are weighted and added up (`cpp/chunks/chunk_scores.hpp`)."""

    def __init__(
        self,
        by_length: bool,
        limits: Limits,
        second: bool,
        factors: Sequence[float],
        beta: float,
        sentence_level: bool,
    ) -> None: ...

def score_chunks(
    rows: NDArray[np.int32] | NDArray[np.float64],
    bins: int,
    weights: NDArray[np.int32],
    means: NDArray[np.float64],
    totals: NDArray[np.float64],
    scoring: ChunkScoring,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The totals of each weighting with the next sentences added, and five figures of each
    (`cpp/chunks/chunk_scores.hpp`). A row of totals has the sums of each kind of chunk, then six cells of the kernel.
    """

def choose_chunks(
    rows: NDArray[np.int32] | NDArray[np.float64],
    bins: int,
    mean: float,
    totals: NDArray[np.float64],
    scoring: ChunkScoring,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The reference of each sentence; sums of each kind and figures, by sentence and reference, -1 where absent; and
    the totals with these sentences.
    """

def cut_versions(sources: Text, versions: Edits) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """GoToScorer's chunks of one version of each source: start, end, its edit by number or -1; and where each source's
    begin.
    """

def judge_versions(
    sources: Text, source_of: NDArray[np.int64], hypotheses: Edits, references: Edits, ported: bool, threads: int
) -> NDArray[np.uint8]:
    """For each pair a verdict on every chunk of its reference: 1 modified + 2 correct; `ported` judges as a port of the
    program does, and adds 4 where the text stands somewhere in the system's version.
    """

def choose_rounded(counts: NDArray[np.int32], beta: float, exact: bool) -> NDArray[np.int32]:
    """The column of each sentence by F of the running totals, rounded to four digits unless `exact`; -1 for none."""

def sum_rounded(
    counts: NDArray[np.int32], weights: NDArray[np.int32], beta: float, exact: bool, threads: int
) -> NDArray[np.int64]:
    """tp, proposed, gold of each weighting of the sentences, columns chosen again as `choose_rounded` does."""

class Labeller:
    """A linear model that gives each token a label; its weights are integers.

    A template is six numbers: column and distance of up to three cells, -1 where there are fewer. Feature f has
    `weights_per_feature[f]` weights, each with its label; `transitions` has one weight per pair of neighbours' labels.
    A label that scores `margin` or more below a place's best is no candidate there.
    """

    def __init__(
        self,
        templates: NDArray[np.int32],
        labels: int,
        margin: int,
        features: NDArray[np.uint32],
        weights_per_feature: NDArray[np.uint8],
        weight_labels: NDArray[np.uint8],
        weights: NDArray[np.int16],
        transitions: NDArray[np.int32],
    ) -> None: ...
    def label(
        self, attributes: NDArray[np.uint32], columns: int, sentences: Text, wanted: NDArray[np.uint8], threads: int
    ) -> NDArray[np.int32]:
        """The label of each token. `attributes` has one row per type; the last one is beyond the ends of sentences.

        Where `wanted` is not empty, tokens without a mark there may get -1.
        """

class SortedEntries:
    """Entries between separators of one byte, in the order of their bytes; each is a key and what stands behind the
    first space after it. They are searched as they stand: nothing is built.
    """

    def __init__(self, text: bytes, separator: str) -> None: ...
    def get(self, key: str) -> str | None:
        """What stands behind the key, which may be nothing, or None without such a key; the last of equal keys."""

def affixes(bytes: NDArray[np.uint8], offsets: NDArray[np.int64], beginnings: int, ends: int) -> NDArray[np.uint32]:
    """Hashes of each word, of its beginnings and of its ends; 0 where the word is shorter."""

def choose_weighed(counts: NDArray[np.float64], beta: float, ties: int) -> NDArray[np.int32]:
    """The column of each sentence of weighed (tp, proposed, gold), best for the totals so far; -1 where it has none.
    After F and tp, `ties` 0 takes the smaller β²·gold + proposed, 1 fewer false positives, then fewer false negatives.
    """

def sum_weighed(
    counts: NDArray[np.float64], weights: NDArray[np.int32], beta: float, ties: int, threads: int
) -> NDArray[np.float64]:
    """tp, proposed, gold of each weighting of the sentences, columns chosen again as `choose_weighed` does."""

Spans = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
Fault = tuple[int, int, int, bytes]

class M2Stream:
    """M2 bytes into columns; a fault is (kind, line, count, text), kind 0 where there is none."""

    def __init__(self, lenient: bool) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def ready(self) -> int: ...
    @property
    def failure(self) -> Fault: ...
    def take(self, most: int, threads: int) -> tuple[dict[str, Any], Fault]: ...

class M2Survey:
    """What M2 bytes hold, if nothing is wrong: how many sentences, whose edits; b"" is who is not named."""

    def __init__(self) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def annotators(self) -> list[bytes]: ...

class LineStream:
    """Bytes into lines, as spans of a buffer."""

    def __init__(self) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def ready(self) -> int: ...
    @property
    def failure(self) -> Fault: ...
    def take(self, most: int) -> Spans: ...

class Interner:
    """Numbers for texts. Encoding gives ids, offsets, and the words that got numbers for this call alone."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def encode_spans(
        self, spans: Spans, extend: bool, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]: ...
    def encode_texts(
        self, texts: Sequence[str], extend: bool, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]: ...
    def encode_words(
        self, sentences: Sequence[Sequence[str]], extend: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]: ...
    def number(self, spans: Spans) -> NDArray[np.int32]: ...
    def texts(self) -> list[str]: ...
    def words(self, ids: NDArray[np.int32]) -> list[str]: ...
    def copy(self) -> Interner: ...

def joined_words(vocabulary: Interner, texts: Text) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The words of each text joined by single spaces, all texts in one buffer, and where each begins."""

class GoldColumns:
    """Annotations with the texts of their corrections, for the kernels that apply edits."""

    def __init__(
        self,
        annotation_offsets: NDArray[np.int64],
        annotators: NDArray[np.int32],
        edit_offsets: NDArray[np.int64],
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        correction_offsets: NDArray[np.int64],
        corrections: Spans,
        words: Text,
    ) -> None: ...

def distinct_spans(
    spans: Spans, source_of: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """As distinct_texts."""

def distinct_texts(
    texts: Sequence[str], source_of: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Texts that differ, or whose sources do: their bytes in one buffer and where each begins, each one's first place
    among all, and for all texts which of these they are.
    """

def are_spaced(spans: Spans) -> NDArray[np.uint8]:
    """Which texts are words joined by single spaces."""

def are_equal_to(spans: Spans, text: str) -> NDArray[np.uint8]: ...
def format_edit_lines(
    texts: Spans,
    annotation_offsets: NDArray[np.int64],
    annotators: NDArray[np.int32],
    edit_offsets: NDArray[np.int64],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    types: Spans,
    corrections: Spans,
    endings: Spans,
    without_edits: str,
) -> bytes | None:
    """The lines of an M2 file, whose annotators end them as `endings` says; None where a text has several lines."""

def line_signatures(spans: Spans, prefix: int, threads: int) -> NDArray[np.uint64]:
    """For each text eight words of bits: one bit for each trigram of its first bytes, white space left out."""

def scan_texts(
    spans: Spans, begins: NDArray[np.uint32], groups: NDArray[np.uint64], threads: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """For each text the union of its signs' groups, a bit each (`groups[i]` are those of code points from `begins[i]`
    up to `begins[i + 1]`); and what it is made of: bytes without white space, words, capitals, small letters, words in
    capitals, and its ending (1 a mark that ends a sentence, 2 a word, 0 anything else).
    """

def find_parts(
    spans: Spans, parts: Spans, groups: NDArray[np.uint64], wanted: NDArray[np.uint64], threads: int
) -> NDArray[np.uint64]:
    """For each text the union of the groups, a bit each, of those parts that stand in it, as far as they are wanted of
    it. Capitals of ASCII count as small letters; parts have none, and none is empty.
    """

def common_in_order(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places, two in a row, of the numbers that both sides have once, as many as keep their order."""

def align_lines(
    sources: Spans, outputs: Spans, prefix: int, large: int, widest: int, threads: int
) -> NDArray[np.int64]:
    """All lines of both sides in pairs, in order: where the sources of each pair begin and end, and its outputs. Lines
    are compared by the trigrams of their first `prefix` bytes; in a part without fixed points with more than `large`
    pairs of lines, those up to `widest` off the diagonal are tried.
    """

def compare_texts(sources: Spans, outputs: Spans, width: int, farthest: int, threads: int) -> NDArray[np.uint8]:
    """What the first and last `width` bytes of each source are to its output: other bytes at the beginning (1), at the
    end (2), with more before (4) or behind them (8), up to `farthest` bytes in all. And how what both begin and end
    with is cut otherwise: a mark joined (16), a clitic joined (32), a mark parted (64).
    """

def cut_outputs(
    sources: Spans, outputs: Spans, letters: NDArray[np.uint32], threads: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """For each byte of the outputs' buffer what is before it: 0 no cut, 1 a cut, 2 what a rule decides, 3 white space.
    Then where pieces with something to decide begin and end, and for each output whether it is too long to be aligned
    with its source. `letters` are those beyond ASCII that stand in words, as rising code points.
    """

def join_cuts(outputs: Spans, cuts: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The outputs without white space, a blank before each cut: bytes, and where each begins and ends."""

def optional_edits(sources: Text, gold: GoldColumns, columns: int, required: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Which edits may be left undone: not required, or with the original among their corrections."""

def annotator_texts(
    sources: Text,
    gold: GoldColumns,
    skipped: NDArray[np.uint8],
    columns: int,
    missing_is_source: bool,
    reference_offsets: NDArray[np.int64],
    references: Text,
) -> tuple[NDArray[np.int64], Text]:
    """By sentence, one text for each annotator, or its references."""

def unmixed_references(
    sources: Text,
    gold: GoldColumns,
    columns: int,
    lines: NDArray[np.int64],
    words: Text,
    reference_offsets: NDArray[np.int64],
    references: Text,
) -> tuple[NDArray[np.int64], Text]:
    """By sentence, the distinct references of the I-measure; `words` are those of each edit's correction."""

def fingerprints(
    vocabulary: Interner,
    tokens: Text,
    gold: GoldColumns,
    annotators: Sequence[str],
    types: Spans,
    required: NDArray[np.uint8],
    reference_offsets: NDArray[np.int64],
    references: Spans,
    first: int,
) -> NDArray[np.uint64]:
    """A hash of each sentence with its gold and its place."""

def poisson_weights(keys: NDArray[np.uint64], seed: int, first: int, resamples: int, threads: int) -> NDArray[np.int32]:
    """How often each item stands in resamples `first` and following: Poisson numbers of mean 1 made from its key, the
    resample's number and the seed alone.
    """

class ReferenceDraws:
    """For each draw the sum of the counts against the references drawn; `stream` is 0 for Python 2's, 1 for Python 3's.

    A corpus goes through in parts. At most 1,000 draws, from number `first` on (`cpp/statistics/draws.hpp`).
    """

    def __init__(self, first: int, draws: int, stream: int, seed_step: int, cells: int) -> None: ...
    def add(
        self, rows: NDArray[np.int32], row_offsets: NDArray[np.int64], bounds: NDArray[np.int32], threads: int
    ) -> None:
        """Go through the next places: `bounds` says how many references each has, `row_offsets` which rows it has."""

    def sums(self) -> NDArray[np.int64]:
        """By draw and cell."""
