"""MaxMatch against the published scorer's own counts (golden/maxmatch; see its README for where each came from)."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from recte import Corpus, Edit, MaxMatch, read_m2, read_system
from recte.edits import with_references
from searching import count, trace, traced
from shared_data import golden_lines, golden_rows, shared

TRIPLE = ("tp", "proposed", "gold")


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return read_m2(shared("data", "conll14", "gold.m2"))


@pytest.fixture(scope="module")
def gold_with_alternatives() -> Corpus:
    return read_m2(shared("data", "conll14", "gold-with-alternatives.m2"))


def system(name: str):
    return read_system(shared("data", "conll14", "systems", f"{name}.txt"))


def test_thirteen_systems(gold):
    scorer = MaxMatch().prepare(gold)
    golden = golden_rows("maxmatch/systems.tsv")
    assert len(golden) == 13
    for row in golden:
        score = scorer.score(system(row["system"]))
        assert [getattr(score, key) for key in TRIPLE] == [int(row[key]) for key in TRIPLE]
        assert (score.precision, score.recall, score.score) == pytest.approx(
            [float(row[key]) for key in ("precision", "recall", "f0.5")], abs=5e-7
        )


def test_thirteen_systems_with_alternatives(gold_with_alternatives):
    scorer = MaxMatch().prepare(gold_with_alternatives)
    golden = golden_rows("maxmatch/systems-with-alternatives.tsv")
    assert len(golden) == 13
    for row in golden:
        score = scorer.score(system(row["system"]))
        assert [getattr(score, key) for key in TRIPLE] == [int(row[key]) for key in TRIPLE]
        assert score.score == pytest.approx(float(row["f0.5"]), abs=5e-5)


def test_every_count_of_every_annotator_of_every_sentence(gold):
    golden = golden_rows("maxmatch/sentences.tsv")
    names = sorted({row["system"] for row in golden})
    assert len(names) == 8
    scorer = MaxMatch().prepare(gold)
    for name in names:
        entries = scorer.score(system(name), sentences=True).sentences
        expected = [row for row in golden if row["system"] == name]
        assert len(expected) == len(entries) == 1312
        for row, entry in zip(expected, entries, strict=True):
            assert entry["sentence"] == int(row["sent"]) + 1
            assert entry["chosen"] == row["chosen"]
            assert [entry[key] for key in TRIPLE] == [int(row[key]) for key in TRIPLE]
            annotators = {
                a: dict(zip(TRIPLE, (int(row[f"ann{a}_{cell}"]) for cell in ("tp", "prop", "gold")), strict=True))
                for a in ("0", "1")
                if row[f"ann{a}_tp"]
            }
            assert entry["annotators"] == annotators


def test_every_count_with_alternatives(gold_with_alternatives):
    golden = golden_rows("maxmatch/with-alternatives.tsv")
    scorer = MaxMatch().prepare(gold_with_alternatives)
    for name in sorted({row["system"] for row in golden}):
        entries = scorer.score(system(name), sentences=True).sentences
        expected = [row for row in golden if row["system"] == name]
        assert len(expected) == len(entries)
        for row, entry in zip(expected, entries, strict=True):
            counts = {a: [of[key] for key in TRIPLE] for a, of in entry["annotators"].items()}
            assert counts == json.loads(row["per_annotator_tp_proposed_gold"])


def test_proposed_edits_of_two_systems(gold):
    scorer = MaxMatch().prepare(gold)
    golden = golden_lines("maxmatch/edits-AMU-CUUI.jsonl")
    for name in ("AMU", "CUUI"):
        sources = [sentence.tokens for sentence in gold]
        edits_of = traced(scorer.search, sources, system(name).outputs, scorer.search_options)
        for row in (row for row in golden if row["system"] == name):
            actual = {annotator: [list(edit) for edit in edits] for annotator, edits in edits_of[row["sent"]].items()}
            assert actual == row["edits"]


@pytest.mark.parametrize(
    "options",
    [
        {"max_unchanged_words": 0},
        {"max_unchanged_words": 1},
        {"max_unchanged_words": 3},
        {"ignore_whitespace_casing": True},
    ],
)
def test_options(gold, options):
    (name,) = options
    label = name if options[name] is True else f"{name}={options[name]}"
    (row,) = [row for row in golden_rows("maxmatch/options.tsv") if row["option"] == label]
    score = MaxMatch(**options).score(gold, system("AMU"))
    assert [score.tp, score.proposed, score.gold] == [int(row[key]) for key in ("tp", "proposed", "gold_edits")]
    assert score.score == pytest.approx(float(row["f0.5"]), abs=5e-7)


def test_random_cases_counts_and_edits():
    cases = golden_lines("maxmatch/random-cases.jsonl")
    assert len(cases) == 4000
    for case in cases:
        for annotator, expected in case["expected"].items():
            edits = [Edit(e["start"], e["end"], tuple(e["corrections"])) for e in case["annotators"][annotator]]
            arguments = (case["source"], case["hypothesis"], edits)
            options = {"max_unchanged_words": case["max_unchanged_words"]}
            assert count(*arguments, **options) == tuple(expected[key] for key in TRIPLE)
            assert [list(edit) for edit in trace(*arguments, **options)] == expected["edits"]


def test_no_conll_count_depends_on_the_offsets_of_initial_insertions(gold):
    running, zero = MaxMatch().prepare(gold), MaxMatch(initial_insertions="zero").prepare(gold)
    for name in ("AMU", "CAMB", "NTHU"):
        assert running.count(system(name)).rows.tolist() == zero.count(system(name)).rows.tolist()


def test_one_unit_cost_lattice_finds_less(gold):
    """The facts page: with one lattice AMU falls from .3501 to .3392."""
    assert MaxMatch(behaviour="paper").score(gold, system("AMU")).score == pytest.approx(0.3392, abs=5e-5)


def test_optimal_choice_of_annotators_is_no_worse_than_the_running_one(gold):
    running = MaxMatch().prepare(gold)
    for row in golden_rows("maxmatch/systems.tsv"):
        counts = running.count(system(row["system"]))
        optimal = MaxMatch(behaviour="optimal")
        best = optimal.score_counts(replace(counts, options=optimal.options())).score
        assert best >= MaxMatch().score_counts(counts).score


def test_an_annotators_own_correction_is_not_perfect_officially(gold):
    """The facts page: applying annotator 0's own edits gives P .9892, R .9921."""
    annotator0 = read_m2(shared("data", "conll14", "annotator0.m2"))
    corrected = [sentence.corrected("0") for sentence in annotator0]
    score = MaxMatch().score(annotator0, corrected)
    assert (score.precision, score.recall) == pytest.approx((0.9892, 0.9921), abs=5e-5)


def test_released_sentence_scores_take_the_last_annotator(gold):
    """The sentence scores behind the reassessment paper (printed with four digits)."""
    with gzip.open(shared("data", "conll14", "metric-scores", "m2score.sentences.tsv.gz"), "rt") as stream:
        table = [line.rstrip("\n").split("\t") for line in stream]
    released: dict[str, dict[int, float]] = {}
    for fields in table:
        released.setdefault(fields[-3], {})[int(fields[-2])] = float(fields[-1])
    scorer = MaxMatch(sentence_annotator="last").prepare(gold)
    for name in ("AMU", "CAMB", "UFC"):
        (key,) = [key for key in released if name in key]
        ours = scorer.sentence_scores(system(name))
        first = min(released[key])
        theirs = [released[key][first + i] for i in range(len(ours))]
        assert ours == pytest.approx(theirs, abs=5e-5)


def test_references_by_the_nus_rule_are_the_published_ones(gold):
    made = with_references(gold, rule="nus")
    for r in (0, 1):
        published = read_system(shared("data", "conll14", "references", f"ref{r}.txt")).outputs
        assert [s.references[r].split() for s in made] == [text.split() for text in published]


@pytest.mark.parametrize(
    "pair", ["gmeg_wiki_test_694.src gmeg_wiki_test_694.marian", "m2scorer_issue8.src m2scorer_issue8.hyp"]
)
@pytest.mark.parametrize("behaviour", ["official", "paper", "optimal"])
def test_sentences_that_stall_the_published_scorer(pair, behaviour):
    source, hypothesis = (read_system(shared("data", "hard", name)).outputs[0] for name in pair.split())
    words = hypothesis.split()
    corpus = Corpus.from_edits([source], [[[Edit(3, 4, (words[3],)), Edit(10, 10, (words[10],))]]])
    score = MaxMatch(behaviour=behaviour).score(corpus, [hypothesis])
    assert score.fallback_sentences == ()
    assert score.proposed > 0
