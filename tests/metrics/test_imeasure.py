"""The I-measure's figures: the paper's tables where they give sentences or counts, and each rule by example."""

from __future__ import annotations

import json
import pickle
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import imeasure as oracle
from recte import Annotation, Corpus, Edit, IMeasure, InputError, MaxMatch, OptionError, Sentence
from recte.cli import main
from recte.corpus.corpus import GoldError
from recte.edits.three_way import OPTIMISE
from recte.metrics.imeasure import aspect_figures
from strategies import sentences

# Table 11 of the paper: counts of correction, then printed percentages WAcc_base and I.
TABLE_11 = {
    "UFC": ((19, 13062, 7, 665, 2), 95.03, 1.35),
    "BASELINE": ((0, 13078, 0, 673, 0), 95.11, 0.00),
    "IITB": ((11, 13057, 26, 668, 4), 95.06, -0.25),
    "SJTU": ((54, 12947, 114, 649, 8), 94.89, -1.16),
    "CUUI": ((290, 12697, 337, 553, 34), 93.91, -2.18),
    "PKU": ((128, 12800, 283, 625, 66), 94.53, -2.38),
    "AMU": ((219, 12761, 322, 556, 41), 94.39, -2.47),
    "UMC": ((179, 12761, 314, 603, 26), 94.35, -2.84),
    "IPN": ((25, 12848, 251, 680, 40), 94.88, -3.04),
    "POST": ((231, 12588, 454, 574, 46), 94.17, -4.18),
    "RAC": ((147, 12723, 426, 623, 49), 94.45, -4.41),
    "CAMB": ((386, 12402, 641, 502, 78), 93.59, -5.15),
    "NTHU": ((196, 12620, 521, 575, 54), 94.44, -5.29),
}


@pytest.mark.parametrize("system", TABLE_11)
def test_table_11_follows_from_its_counts_with_the_paper_baseline(system):
    counts, base, improvement = TABLE_11[system]
    figures = aspect_figures(counts, None)
    assert 100 * figures["wacc_base"] == pytest.approx(base, abs=0.00501)
    assert 100 * figures["i"] == pytest.approx(improvement, abs=0.00501)


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f", "acc", "wacc"),
    [
        ((0, 6, 0, 4, 0), 1.00, 0.00, 0.00, 0.60, 0.60),  # baseline
        ((4, 5, 1, 0, 0), 0.80, 1.00, 0.83, 0.90, 0.87),
        ((1, 6, 0, 3, 0), 1.00, 0.25, 0.62, 0.70, 0.73),
        ((1, 5, 1, 3, 0), 0.50, 0.25, 0.42, 0.60, 0.58),
        ((4, 0, 6, 0, 0), 0.40, 1.00, 0.45, 0.40, 0.40),
    ],
)
def test_table_8(counts, precision, recall, f, acc, wacc):
    figures = aspect_figures(counts, (6, 4))
    printed = [figures[key] for key in ("precision", "recall", "f", "acc", "wacc")]
    assert printed == pytest.approx([precision, recall, f, acc, wacc], abs=0.0051)


def listing_1() -> Sentence:
    """The paper's annotated sentence (Table 1 and Listing 1)."""
    return Sentence(
        "This machines is designed for help people .",
        annotations=(
            Annotation("0", (Edit(0, 1, ("These",)), Edit(2, 3, ("are",)), Edit(5, 6, ("helping",)))),
            Annotation("1", (Edit(1, 2, ("machine",)), Edit(4, 5, ("to",)))),
        ),
        errors=(
            GoldError(
                (
                    Annotation("0", (Edit(0, 1, ("These",)), Edit(2, 3, ("are",)))),
                    Annotation("1", (Edit(1, 2, ("machine",)),)),
                ),
                type="SVA",
            ),
            GoldError(
                (Annotation("0", (Edit(5, 6, ("helping",)),)), Annotation("1", (Edit(4, 5, ("to",)),))), type="Vform"
            ),
        ),
    )


def test_table_1_maxmatch_cannot_mix_and_the_i_measure_can():
    corpus = Corpus((listing_1(),))
    hypothesis = ["These machines are designed to help people ."]
    printed = MaxMatch().score(corpus, hypothesis)
    assert [round(v, 2) for v in (printed.precision, printed.recall, printed.score)] == [0.67, 0.67, 0.67]
    assert MaxMatch(mix=True).score(corpus, hypothesis).score == 1.0
    assert IMeasure(mix=False).score(corpus, hypothesis).score < 1.0
    assert IMeasure(mix=True).score(corpus, hypothesis).score == 1.0


def test_listing_1_makes_four_references():
    search = IMeasure(mix=True).prepare(Corpus((listing_1(),))).search
    assert search.combinations == [4]
    for text in (
        "These machines are designed for helping people .",
        "These machines are designed to help people .",
        "This machine is designed for helping people .",
        "This machine is designed to help people .",
    ):
        assert IMeasure(mix=True).score(Corpus((listing_1(),)), [text]).score == 1.0


def test_table_2_partial_matches_count():
    gold = [Edit(0, 1, ("Machines",)), Edit(1, 3, ("are designed",))]
    corpus = Corpus.from_edits(["Machine is design to help people ."], [[gold]])
    hypothesis = ["Machine is designed to help people ."]
    assert MaxMatch().score(corpus, hypothesis).tp == 0
    assert IMeasure().score(corpus, hypothesis).correction["tp"] == 1


def test_table_3_the_better_hypothesis_wins():
    gold = [Edit(0, 1, ("Machines",)), Edit(1, 2, ("are",)), Edit(2, 3, ("designed",))]
    corpus = Corpus.from_edits(["Machine is design to help people ."], [[gold]])
    first, second = (
        "The machine is designed for helping people .",
        "Machines is a design on the helping of the people .",
    )
    maxmatch = [MaxMatch().score(corpus, [h]) for h in (first, second)]
    assert [round(s.score, 2) for s in maxmatch] == [0.33, 0.45]
    improvement = [IMeasure().score(corpus, [h]).score for h in (first, second)]
    assert improvement[0] > improvement[1]


def test_tables_4_and_5_gaps_stay_together_and_ties_count_the_same():
    corpus = Corpus.from_references(["A B"], [["A"]])
    columns = IMeasure().prepare(corpus).search.align(["A", "B"], ["C"], ["A"], IMeasure().three_way()).columns
    assert [tuple(c) for c in columns] == [("A", "C", "A"), ("B", None, None)]
    source = "Their is wide spread usage of technology ."
    other = "There is widespread use of technology ."
    score = IMeasure().score(Corpus.from_references([source], [[other]]), [other])
    assert (score.correction["tp"], score.correction["tn"], score.correction["fp"]) == (4, 4, 0)


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "detection", "correction"),
    [
        ("a", "a", "a", "tn", ["tn"]),
        ("a", "a", "b", "fn", ["fn"]),
        ("a", "b", "a", "fp", ["fp"]),
        ("a", "b", "b", "tp", ["tp"]),
        ("a", "b", "c", "tp", ["fp", "fn", "fpn"]),
        ("a x", "x", "a x", "fp", ["fp"]),
        ("a x", "x", "x", "tp", ["tp"]),
        ("a x", "a x", "x", "fn", ["fn"]),
        ("x", "a x", "a x", "tp", ["tp"]),
        ("x", "a x", "b x", "tp", ["fp", "fn", "fpn"]),
        ("x", "a x", "x", "fp", ["fp"]),
        ("x", "x", "a x", "fn", ["fn"]),
    ],
)
def test_table_6(source, hypothesis, reference, detection, correction):
    score = IMeasure().score(Corpus.from_references([source], [[reference]]), [hypothesis])
    unchanged = "x" in source.split()
    for aspect, expected in ((score.detection, [detection]), (score.correction, correction)):
        for key in ("tp", "tn", "fp", "fn", "fpn"):
            assert aspect[key] == (key in expected) + (unchanged and key == "tn")


def test_table_7_systems_are_compared_on_the_same_references():
    corpus = Corpus.from_references(["a b c", "d e f"], [["A b c", "d e F"], ["a B c", "D e f"]])
    scorer = IMeasure().prepare(corpus)
    first, second = ["A b c", "D e f"], ["a B c", "d e F"]
    assert scorer.score(first).score == scorer.score(second).score == 1.0
    assert scorer.chosen_references(first) == ["A b c", "D e f"]
    shared = scorer.on_references_of(first)
    assert shared.score(first).score == 1.0
    assert shared.score(second).score < 0


def test_table_9_and_the_bounds_of_improvement():
    corpus = Corpus.from_references(["a b c"], [["a b d"]])
    perfect, nothing, worse = (IMeasure().score(corpus, [h]).score for h in ("a b d", "a b c", "x y z"))
    assert (perfect, nothing) == (1.0, 0.0)
    assert -1 <= worse < 0
    assert IMeasure().score(Corpus.from_references(["a b"], [["a b"]]), ["a b"]).score == 1.0


def test_the_two_baselines_differ():
    """Inside the alignment with the hypothesis the source may lie otherwise than in the alignment with the reference
    alone.
    """
    corpus = Corpus.from_references(["a a"], [["b a"]])
    official, paper = (IMeasure(behaviour=b).score(corpus, ["a b"]).correction for b in ("official", "paper"))
    for key in ("tp", "tn", "fp", "fn", "fpn", "wacc"):
        assert official[key] == paper[key]
    assert (official["wacc_base"], paper["wacc_base"]) == (0.5, pytest.approx(1 / 3))
    figures = aspect_figures((1, 10, 2, 1, 1), None)
    assert figures["wacc_base"] == pytest.approx((10 + 2 - 1) / (10 + 2 - 1 + 2))


def test_choosing_by_another_metric():
    corpus = Corpus.from_references(["a b c d"], [["A b c d"], ["A B C D"]])
    hypothesis = ["A B x d"]
    by_recall = IMeasure(optimise="recall").prepare(corpus).chosen_references(hypothesis)
    by_precision = IMeasure(optimise="precision").prepare(corpus).chosen_references(hypothesis)
    assert by_recall == ["A b c d"]
    assert by_precision == ["A B C D"]


triples = st.tuples(sentences(4), sentences(4), st.lists(sentences(4), min_size=1, max_size=3))


@settings(max_examples=200)
@given(st.lists(triples, min_size=1, max_size=5), st.sampled_from(["wacc", "i", "acc", "precision", "recall", "f"]))
def test_a_greedy_choice_over_the_corpus_takes_what_is_best_for_the_totals_so_far(drawn, optimise):
    metric = IMeasure(optimise_level="corpus", optimise=optimise)
    corpus = Corpus(tuple(Sentence(" ".join(s), references=tuple(" ".join(r) for r in refs)) for s, _, refs in drawn))
    score = metric.score(corpus, [" ".join(h) for _, h, _ in drawn])
    totals = [0] * 11
    for source, hypothesis, references in drawn:
        # On a tie over the corpus the reference that is better for its sentence, then the first.
        candidates = list(dict.fromkeys(oracle.row(source, hypothesis, reference) for reference in references))
        candidates.sort(key=lambda row: full_key(row, metric), reverse=True)
        sums = [[a + b for a, b in zip(totals, row, strict=True)] for row in candidates]
        totals = max(sums, key=lambda row: full_key(row, metric))
    assert full_key(totals, metric) == pytest.approx(full_key(row_of(score, totals), metric), abs=1e-9)


def row_of(score, like):
    """A score's counts as a row; the baseline's counts are not printed, so they are taken from a row like it."""
    detection = [score.detection[key] for key in ("tp", "tn", "fp", "fn")]
    return [*detection, *(score.correction[key] for key in ("tp", "tn", "fp", "fn", "fpn")), *like[9:]]


def full_key(row, metric):
    """What references are compared by, from the paper's definitions."""
    aspect = row[:4] if metric.optimise.startswith("detection-") else row[4:9]
    tp, _, fp, fn, *_ = aspect
    precision, recall = tp / (tp + fp) if tp + fp else 1.0, tp / (tp + fn) if tp + fn else 1.0
    below = metric.beta**2 * precision + recall
    wacc, i, acc, *detection = oracle.key(tuple(row))
    wanted = {
        "wacc": wacc,
        "i": i,
        "acc": acc,
        "precision": precision,
        "recall": recall,
        "f": (1 + metric.beta**2) * precision * recall / below if below else 0.0,
    }
    figure = metric.optimise.removeprefix("detection-")
    if metric.optimise.startswith("detection-"):
        wanted |= dict(zip(("wacc", "i", "acc"), detection, strict=True))
    return (wanted[figure], wacc, i, acc, *detection)


@settings(max_examples=300)
@given(triples, st.sampled_from(OPTIMISE))
def test_the_reference_chosen_is_the_best_by_what_is_optimised(triple, optimise):
    source, hypothesis, references = triple
    metric = IMeasure(optimise=optimise)
    corpus = Corpus((Sentence(" ".join(source), references=tuple(" ".join(r) for r in references)),))
    row = metric.prepare(corpus).count([" ".join(hypothesis)]).rows[0, 0].tolist()
    best = max(full_key(oracle.row(source, hypothesis, r), metric) for r in references)
    assert full_key(row, metric) == pytest.approx(best, abs=1e-12)


@settings(max_examples=300)
@given(sentences(), sentences(), st.sampled_from([0, 1, 2]), st.sampled_from([(0, 3, 2), (1, 3, 2), (4, 7, 5)]))
def test_two_equal_texts_of_three_are_counted_as_the_whole_cube_says(twice, once, place, costs):
    texts = [twice, twice, twice]
    texts[place] = once
    source, hypothesis, reference = texts
    corpus = Corpus.from_references([" ".join(source)], [[" ".join(reference)]])
    metric = IMeasure(match_cost=costs[0], mismatch_cost=costs[1], gap_cost=costs[2])
    counts = metric.prepare(corpus).count([" ".join(hypothesis)])
    assert counts.rows[0, 0].tolist() == list(oracle.row(source, hypothesis, reference, costs))


@settings(max_examples=150)
@given(st.lists(st.tuples(sentences(4), sentences(4), sentences(4)), min_size=1, max_size=3))
def test_the_range_over_ties_is_that_of_all_outcomes(drawn):
    corpus = Corpus.from_references([" ".join(s) for s, _, _ in drawn], [[" ".join(r) for _, _, r in drawn]])
    metric = IMeasure(tie_range=True)
    actual = metric.score(corpus, [" ".join(h) for _, h, _ in drawn]).tie_range
    outcomes = [[(*outcome, *oracle.baseline(s, r)) for outcome in oracle.all_outcomes(s, h, r)] for s, h, r in drawn]
    scores = [
        metric.figures([sum(column) for column in zip(*choice, strict=True)])[1]["i"] for choice in product(*outcomes)
    ]
    assert (actual["low"], actual["high"]) == pytest.approx((min(scores), max(scores)), abs=1e-12)


def test_what_cannot_be_combined_is_refused():
    for options in ({"behaviour": "paper"}, {"optimise_level": "corpus"}):
        with pytest.raises(OptionError, match="tie_range: expected behaviour official and optimise_level sentence"):
            IMeasure(tie_range=True, **options)
    corpus = Corpus.from_references(["a"], [["b"]])
    with pytest.raises(OptionError, match="references_of: expected all systems at once"):
        IMeasure(references_of="x").score(corpus, ["b"])
    with pytest.raises(OptionError, match="optimise_level: expected sentence"):
        IMeasure(optimise_level="corpus").prepare(corpus).chosen_references(["b"])


def test_contradictory_corrections_leave_the_source():
    def error(start, text, required=True):
        return GoldError((Annotation("0", (Edit(start, start + 1, (text,)),)),), required)

    sentence = Sentence(
        "a b c d", annotations=(Annotation("0"),), errors=(error(0, "A"), error(0, "B"), error(2, "Z", False))
    )
    for cap in (1, 100):
        score = IMeasure(mix=True, max_combinations=cap).score(Corpus((sentence,)), ["A b c d"])
        assert (score.correction["tp"], score.correction["tn"], score.correction["fp"]) == (0, 3, 1)


def test_an_empty_hypothesis_and_an_empty_source():
    corpus = Corpus.from_references(["a b", ""], [["a b", "c"]])
    score = IMeasure().score(corpus, ["", "c"])
    assert score.correction["fp"] == 2
    assert score.correction["tp"] == 1


def test_the_range_over_ties():
    corpus = Corpus.from_references(["c b a"], [["a c b"]])
    score = IMeasure(tie_range=True).score(corpus, ["a"])
    assert score.score == pytest.approx(score.tie_range["low"])
    assert score.tie_range["high"] > score.tie_range["low"]
    assert "tie_range" not in IMeasure().score(corpus, ["a"]).to_dict()


def test_sentence_entries_and_candidates():
    corpus = Corpus.from_references(["a b", "c d"], [["A b", "c d"]])
    scorer = IMeasure().prepare(corpus)
    entries = scorer.score(["A b", "c x"], sentences=True).sentences
    assert [entry["score"] for entry in entries] == [1.0, pytest.approx(1 / 3 - 1)]
    assert scorer.candidate_scores([["A b", "a b"], ["c d"]]) == [[1.0, 0.0], [1.0]]
    assert pickle.loads(pickle.dumps(scorer)).score(["A b", "c d"]).score == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": 0.5}, "weight: expected a number from 1"),
        ({"gap_cost": 1}, "expected 2·gap > mismatch > gap > match"),
        ({"optimise": "bleu"}, "optimise: expected one of wacc, i, acc"),
        ({"max_combinations": 0}, "max_combinations, max_cells: expected 1 to"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        IMeasure(**options)


def test_gold_is_needed():
    with pytest.raises(InputError, match="expected gold edits or references for sentence '1', got none"):
        IMeasure().score(Corpus.from_references(["a"]), ["a"])


def test_corrections_are_tokenised_as_the_treebank_is_unless_told_otherwise():
    corpus = Corpus.from_edits(["a known the"], [[[Edit(1, 3, ("known,the",))]]])
    assert IMeasure().score(corpus, ["a known , the"]).score == 1.0
    assert IMeasure(treebank=False).score(corpus, ["a known,the"]).score == 1.0


def test_sentences_that_cannot_be_clustered_are_listed_and_left_out(tmp_path, capsys):
    gold, system = tmp_path / "gold.m2", tmp_path / "mine.txt"
    edit = "A {} {}|||X|||x|||REQUIRED|||-NONE-|||{}\n"
    gold.write_text(
        "S a b c\n" + edit.format(0, 1, 0) + edit.format(2, 3, 1) + "\n"
        "S a b c\n" + edit.format(0, 1, 0) + edit.format(0, 1, 1) + "\n"
        "S a b c\n" + edit.format(0, 1, 0) + edit.format(1, 2, 0) + edit.format(0, 1, 1) + "\n"
        "S a b c\n" + edit.format(0, 1, 0) + edit.format(2, 3, 0) + edit.format(0, 1, 1) + "\n"
    )
    system.write_text("x b c\n" * 4)
    command = ["score", str(gold), str(system), "-m", "imeasure", "--no-ci", "-f", "json"]
    assert main([*command, "--leave-out", "unclustered"]) == 0
    told = capsys.readouterr()
    assert "2 of 4 sentences are left out: 1, 3" in told.err
    assert json.loads(told.out)["scores"][0]["sentence_count"] == 2
    assert main([*command, "--leave-out", "2", "3"]) == 0
    assert "2 of 4 sentences are left out: 2-3" in capsys.readouterr().err
    for name, message in (("nonsense", "expected unclustered, or numbers"), ("9", "expected sentences from 1 to 4")):
        assert main([*command, "--leave-out", name]) == 2
        told = capsys.readouterr().err
        assert message in told
        assert "are left out" not in told
