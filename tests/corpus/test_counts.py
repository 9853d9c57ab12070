"""Counts as the backbone: parts of a corpus, equality, files, floats, and everything that travels by pickle."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import recte
from oracles import merging
from recte import Annotation, Corpus, Counts, Edit, IMeasure, InputError, MaxMatch, Sentence, System, merge
from recte.corpus import counts as counts_module
from recte.corpus.counts import TypeTable, absent_rows, is_present
from recte.formats.counts import read_counts, write_counts
from recte.metrics import metric_class, metric_names
from recte.metrics.base import Column, Score, Scorer, SummedMetric
from recte.metrics.explanation import explain
from recte.statistics.comparison import compare_systems
from recte.statistics.intervals import confidence_interval
from recte.statistics.paired import TESTS, paired_test
from recte.studies.human.human_scores import HumanScores
from recte.studies.metaeval.scores import MetricScores
from recte.text.segmenters import segmenter_named


@dataclass(frozen=True, kw_only=True)
class Noise(SummedMetric):
    """A number between 0 and 1 for each sentence, which has nothing to do with it; some sentences have two columns."""

    name: ClassVar[str] = "noise"
    title: ClassVar[str] = "Noise"
    cells: ClassVar[tuple[int, ...]] = (1,)
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("noise", ("score",)),)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return {}

    def prepare(self, gold: Corpus) -> NoiseScorer:
        return NoiseScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        return Score(**self.common_figures(counts), score=float(self.sentence_scores(counts).mean()))

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return np.asarray(np.nanmean(counts.rows[:, :, 0], axis=1))

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        return np.stack([self.sentence_scores(counts), np.ones(len(counts))], axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sums[:, 0] / sums[:, 1])


class NoiseScorer(Scorer[Noise]):
    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        seeds = [int.from_bytes(text.encode()[:8], "big") for text in hypotheses]
        rows = np.array([np.random.default_rng(seed).random(2) for seed in seeds])
        rows[::3, 1] = np.nan
        return self.counts_of(rows[:, :, None], ("0", "1"), source_of)


def noise(size: int, systems: int) -> list[Counts]:
    gold = Corpus.from_references([f"s {i}" for i in range(size)], [["r"] * size])
    scorer = Noise().prepare(gold)
    return [scorer.count([f"{k:03}{i:05}" for i in range(size)], name=f"system {k}") for k in range(systems)]


@pytest.mark.parametrize("test", TESTS)
def test_noise_is_no_difference(test):
    """A p-value is spread evenly where there is nothing to find: rows of floats are not cut to whole numbers."""
    counts = noise(100, 20)
    trials = {"trials": 200} if test.startswith(("r", "b")) else {}
    pairs = zip(counts[0::2], counts[1::2], strict=True)
    p = [paired_test(a, b, test=test, metric=Noise(), **trials).p for a, b in pairs]
    eager = test == "bootstrap-sacrebleu"  # which is known to be too eager
    assert sum(value < 0.05 for value in p) <= (5 if eager else 2)
    assert max(p) > 0.3


def test_intervals_and_comparisons_of_floats():
    counts = noise(200, 3)
    interval = confidence_interval(counts[0], metric=Noise())
    assert 0.4 < interval.low < Noise().score_counts(counts[0]).score < interval.high < 0.6
    comparison = compare_systems(counts, metric=Noise())
    assert comparison.clusters == (comparison.systems,)


def test_floats_in_a_file_and_in_parts(tmp_path):
    (counts,) = noise(10, 1)
    write_counts(tmp_path / "noise.counts", counts)
    assert read_counts(tmp_path / "noise.counts") == counts
    assert is_present(counts.rows).sum() == 16
    halves = [counts.select(counts.index % 2 == k) for k in (1, 0)]
    assert merge(halves) == counts
    lone = replace(halves[0], columns=("0",), rows=np.ascontiguousarray(halves[0].rows[:, :1]))
    spread = merge([lone, halves[1]])
    assert np.isnan(spread.rows[1::2, 1]).all()
    assert spread.rows.dtype == np.float64


def labelled() -> Counts:
    sentences = tuple(
        Sentence(
            f"a{i} b c",
            annotations=tuple(
                Annotation(str(a), (Edit(a, a + 1, ("x",), "T" + str(i % 2)),)) for a in range(1 + i % 2)
            ),
            document=f"d{i // 2}",
            labels={"level": "AB"[i % 2]},
        )
        for i in range(6)
    )
    scorer = MaxMatch().prepare(Corpus(sentences))
    system = System("mine", tuple(f"a{i} x c" for i in range(6)))
    return scorer.count_types(system, scorer.count(system))


@given(st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_parts_add_up_to_the_whole(parts_of):
    """However rows are parted, merging gives the counts back, hash and tables included."""
    counts, which = labelled(), np.array(parts_of)
    parts = [counts.select(which == k) for k in range(3) if (which == k).any()]
    assert sum(part.data for part in parts) % 2**32 == counts.data
    merged = merge(parts)
    assert replace(merged, types=None) == replace(counts, types=None)
    metric = MaxMatch()
    assert metric.score_counts(merged) == metric.score_counts(counts)
    assert merged.data == counts.data
    assert len({part.data for part in parts}) == len(parts)


def test_a_subset_says_in_its_signature_that_it_is_one():
    counts = labelled()
    part = counts.select(counts.labels["level"] == "A")
    assert MaxMatch().signature(part) != MaxMatch().signature(counts)
    assert part.labels["document"].tolist() == ["d0", "d1", "d2"]
    by_hand = MaxMatch().prepare(
        Corpus((Sentence("a0 b c", annotations=(Annotation("0", (Edit(0, 1, ("x",), "T0"),)),)),))
    )
    assert counts.select(counts.index == 0).data == by_hand.count(["a0 x c"]).data


@pytest.mark.parametrize("kept", [[0], np.array([0]), np.array([True]), np.array([0.5, 1.0])])
def test_rows_are_selected_by_truth_values_alone(kept):
    counts = MaxMatch().prepare(Corpus.from_references(["a", "b"], [["A", "B"]])).count(["A", "b"])
    with pytest.raises(InputError, match="kept: expected true or false for each of 2 sentences"):
        counts.select(kept)


def test_sentences_are_not_counted_twice():
    counts = labelled()
    with pytest.raises(InputError, match="expected parts of different sentences, got sentence 1 twice"):
        merge([counts, counts.select(counts.index == 0)])
    with pytest.raises(InputError, match="rows of the same shape and type"):
        merge([counts, replace(counts, rows=counts.rows.astype(np.float64))])


def test_counts_are_equal_if_everything_in_them_is():
    assert labelled() == labelled()
    assert labelled() != replace(labelled(), system="other")
    assert labelled() != replace(labelled(), rows=labelled().rows + 1)
    assert labelled() != replace(labelled(), types=None)
    assert labelled() != "counts"


def test_a_file_keeps_everything(tmp_path):
    gold = Corpus.from_references(["a b c"] * 3, [["b a c"] * 3])
    tied = IMeasure(tie_range=True).prepare(gold).count(["c a b"] * 3)
    for counts in (labelled(), tied):
        write_counts(tmp_path / "x.counts", counts)
        assert read_counts(tmp_path / "x.counts") == counts
    assert tied.ties is not None
    assert IMeasure(tie_range=True).score_counts(tied.select(tied.index > 0)).sentence_count == 2


@pytest.mark.parametrize("name", metric_names())
@pytest.mark.parametrize("tokens", [None, "characters", "jieba"])
def test_everything_pickles(name, tokens):
    """Scorers with any segmenter, counts, scores, explanations, comparisons and metric scores."""
    if tokens == "jieba":
        pytest.importorskip("jieba")
    gold = Corpus.from_references(["我 喜欢 你", "他 去 学校"] * 5, [["我 喜爱 你", "他 去 学校"] * 5])
    if tokens is not None:
        gold = recte.segmented(gold, segmenter_named(tokens))
    if name == "cherrant" and tokens != "characters":
        pytest.skip("it takes characters")
    metric = metric_class(name)()
    texts = ["我 喜爱 你", "他 去 学校"] * 5
    systems = [System("mine", tuple(texts)), System("other", tuple(texts[1:] + texts[:1]))]
    scorer = metric.prepare_with(gold, {system.name: system for system in systems})
    counts = scorer.count(texts, name="mine")
    other = scorer.count(texts[1:] + texts[:1], name="other")
    again = pickle.loads(pickle.dumps(scorer))
    assert again.count(texts, name="mine") == counts
    scores = MetricScores.from_counts(metric, [counts, other])
    weights = np.ones((1, len(counts)), dtype=np.int32)
    for whole in (scores, scores.for_systems(["mine"]), scores.with_sentence_means()):
        travelled = pickle.loads(pickle.dumps(whole))
        assert np.array_equal(travelled.resampled(weights), whole.resampled(weights))
    results = [
        metric,
        counts,
        gold,
        scorer.score(texts, sentences=True),
        explain(scorer, texts, 1),
        compare_systems([counts, other], metric=metric),
        recte.paired_test(counts, other),
        recte.confidence_interval(counts),
    ]
    for result in results:
        assert pickle.loads(pickle.dumps(result)) == result


def test_results_of_studies_pickle():
    judgments = recte.human.Judgments.from_preferences(
        [recte.human.Preference(1 + i, "ann", "heron", "wren", 1, 2 - i % 2) for i in range(6)]
    )
    gold = Corpus.from_references(["He go .", "I am ."] * 5, [["He goes .", "I am ."] * 5, ["He went .", "I am ."] * 5])
    systems = [System("mine", ("He goes .", "I am .") * 5)]
    for result in (
        recte.human.rank_systems(judgments, resamples=20),
        recte.human.summarise(judgments),
        HumanScores.from_judgments(judgments),
        judgments,
        recte.conservatism.conservatism_of([s.text for s in gold], systems),
        recte.coverage.ceilings(gold, systems),
        recte.statistics.detectable_difference(*[MaxMatch().prepare(gold).count(s.outputs) for s in systems * 2]),
    ):
        assert type(pickle.loads(pickle.dumps(result))) is type(result)


@st.composite
def parts_of_counts(draw):
    """Parts of one corpus with annotators, labels and cells of their own, in any order."""
    places = draw(st.permutations(range(draw(st.integers(1, 40)))))
    cuts = sorted([*draw(st.lists(st.integers(1, len(places)), max_size=6, unique=True)), 0, len(places)])
    dtype = draw(st.sampled_from([np.int32, np.float64]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = []
    for begin, end in pairwise(cuts):
        size, columns = end - begin, tuple(draw(st.permutations(draw(st.sampled_from(["0", "01", "10", "021"])))))
        rows = random.integers(0, 9, (size, len(columns), 2)).astype(dtype)
        rows[random.random(rows.shape[:2]) < 0.3] = -1 if dtype is np.int32 else np.nan
        labels = draw(st.sampled_from([(), ("level",), ("level", "topic")]))
        parts.append(
            Counts(
                *("noise", {}, "mine", columns, rows, np.array(places[begin:end], dtype=np.int64)),
                fallbacks=random.random(size) < 0.5,
                fingerprints=random.integers(0, 2**32, size, dtype=np.uint32),
                labels={key: random.integers(0, 10 ** random.integers(1, 9), size).astype(np.str_) for key in labels},
            )
        )
    return parts


@given(parts_of_counts())
def test_parts_are_put_together_as_one_would_by_hand(parts):
    whole = merge(parts)
    cells, others = merging.merged(parts)
    assert whole.index.tolist() == sorted(others)
    assert whole.rows.dtype == parts[0].rows.dtype
    assert merging.sentence_cells(whole) == cells
    _, actual = merging.merged([whole])
    for place, (fallback, fingerprint, labels) in others.items():
        given = {key: value for key, value in actual[place][2].items() if value}
        assert (*actual[place][:2], given) == (fallback, fingerprint, labels)


GOLD = recte.Corpus.from_references(["He go .", "I am ."], [["He be .", "I am ."]])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"rows": [[[1, 1, 1]]]}, "expected rows as an array of int32 or float64, .* got list"),
        ({"rows": np.zeros(6, np.int32)}, r"got shape \(6,\) of int32"),
        ({"rows": np.zeros((2, 1, 3), np.int64)}, "got shape .* of int64"),
        ({"rows": np.zeros((2, 1, 0), np.int32)}, r"got shape \(2, 1, 0\)"),
        ({"rows": np.zeros((2, 0, 3), np.int32), "columns": ()}, "a column of rows for each name, got 0"),
        ({"columns": ("0", "1")}, "a column of rows for each name, got 1"),
        ({"index": np.zeros(1, np.int64)}, "index as an array of int64, one for each of 2 sentences"),
        ({"fallbacks": [False, False]}, "fallbacks as an array of bool, one for each of 2 sentences, got list"),
        ({"fingerprints": np.zeros(1, np.uint32)}, "fingerprints as an array of uint32, one for each of 2 sentences"),
        ({"labels": {"level": np.array(["A"])}}, "label level as an array of text, one for each of 2"),
    ],
)
def test_counts_whose_parts_do_not_fit_are_refused(changed, told):
    counts = MaxMatch().prepare(GOLD).count(["He be .", "I is ."])
    with pytest.raises(InputError, match=f"counts: .*{told}"):
        replace(counts, **changed)


def test_rows_are_chosen_by_what_fits_them():
    counts = MaxMatch().prepare(GOLD).count(["He be .", "I is ."])
    for kept in (np.ones(3, bool), [0, 1], np.array([99])):
        with pytest.raises(InputError, match="kept: expected true or false for each of 2 sentences"):
            counts.select(kept)
    for weights in ([-1, 1], [1], [0.5, 1.0]):
        with pytest.raises(InputError, match="weights: expected a whole number from 0 for each of 2 sentences"):
            counts.repeat(weights)
    with pytest.raises(InputError, match="weights: expected rows of equal length"):
        MaxMatch().score_many(counts, [[1, 1], [1]])


def test_nothing_is_written_that_cannot_be_read(tmp_path, monkeypatch):
    counts = MaxMatch().prepare(GOLD).count(["He be .", "I is ."])
    path = tmp_path / "x.counts"
    for odd, told in (
        (replace(counts, rows=absent_rows(counts.rows.shape, np.int32)), "got none for sentence 1"),
        (counts.select(np.zeros(2, bool)), "at least one sentence"),
        (replace(counts, options={"beta": float("nan")}), "options of text and finite numbers to save"),
        (replace(counts, options={"beta": {1}}), "options of text and finite numbers to save"),
    ):
        with pytest.raises(InputError, match=told):
            recte.write_counts(path, odd)
    for limit, least in (("_MOST_BYTES", 500), ("_MOST_ROW_BYTES", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(f"recte.formats.counts.{limit}", least)
            with pytest.raises(
                InputError, match=r"x\.counts: expected counts with at most .* unpacked, got .* needs no"
            ):
                recte.write_counts(path, counts)
    assert not path.exists()


ENTRIES = st.tuples(
    st.integers(0, 400), st.integers(0, 2), st.integers(0, 3), st.lists(st.integers(0, 300), min_size=4, max_size=4)
)


@given(st.lists(ENTRIES, min_size=1, max_size=12), st.lists(st.tuples(st.integers(0, 400), st.integers(-1, 2))))
def test_totals_by_type_are_the_sums_over_chosen_entries(entries, choices):
    names = ["d", "b", "a", "c"]
    sentences, columns, types, cells = zip(*entries, strict=True)
    table = TypeTable.sum_up(names, *map(np.array, (sentences, columns, types, cells)))
    chosen = dict(choices)
    expected: dict[str, list[int]] = {}
    for sentence, column, number, more in entries:
        if chosen.get(sentence, -1) == column:
            sums = expected.setdefault(names[number], [0] * 4)
            sums[:] = [a + b for a, b in zip(sums, more, strict=True)]
    of_choices = (np.array(list(chosen), dtype=np.int64), np.array(list(chosen.values()), dtype=np.int32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts_module, "_ENTRIES_TOGETHER", 3)
        assert table.totals(*of_choices) == expected
