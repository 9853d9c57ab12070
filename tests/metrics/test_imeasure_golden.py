"""The I-measure against the released scorer's own counts (golden/imeasure; see its README for where each came from)."""

from __future__ import annotations

import pytest

from recte import Corpus, IMeasure, MaxMatch, read_m2, read_system
from recte.edits.error_clusters import cluster_errors
from recte.formats import read_imeasure_xml, write_imeasure_xml
from shared_data import golden_json, golden_rows, shared

CELLS = ("d_tp", "d_tn", "d_fp", "d_fn", "c_tp", "c_tn", "c_fp", "c_fn", "c_fpn", "b_tn", "b_fn")


def gold(name: str) -> Corpus:
    return read_m2(shared("data", "conll14", name))


def system(name: str):
    return read_system(shared("data", "conll14", "systems", f"{name}.txt"))


def golden(name: str):
    return golden_json(f"imeasure/{name}")


def test_unmixed_thirteen_systems():
    scorer = IMeasure().prepare(gold("gold.m2"))
    expected = golden("unmixed-systems.json")
    assert len(expected) == 13
    for name, figures in expected.items():
        score = scorer.score(system(name))
        for aspect in ("detection", "correction"):
            ours = getattr(score, aspect)
            for key in ("tp", "tn", "fp", "fn", "fpn"):
                assert ours[key] == figures[aspect][key]
            assert ours["i"] == pytest.approx(figures[aspect]["i_exact"], abs=1e-12)
            assert ours["wacc"] == pytest.approx(figures[aspect]["wacc_exact"], abs=1e-12)
            assert 100 * ours["i"] == pytest.approx(figures[aspect]["i"], abs=0.00501)


def test_unmixed_every_count_of_every_sentence():
    table = golden_rows("imeasure/unmixed-sentences.tsv")
    names = sorted({row["system"] for row in table})
    assert len(names) == 8
    scorer = IMeasure().prepare(gold("gold.m2"))
    references = scorer.search.combinations
    for name in names:
        counts = scorer.count(system(name)).rows[:, 0].tolist()
        for row in (row for row in table if row["system"] == name):
            sentence = int(row["sid"])
            assert counts[sentence] == [int(row[cell]) for cell in CELLS]
            assert references[sentence] == int(row["n_refs"])


@pytest.mark.parametrize(
    ("name", "stem"), [("gold.m2", "mixed"), ("gold-with-alternatives.m2", "mixed-with-alternatives")]
)
def test_mixed_every_count_of_every_sentence_that_can_be_enumerated(name, stem):
    """All but 332 to 334, which have no official value: 1,309 sentences of each system with sentence rows."""
    table = golden_rows(f"imeasure/{stem}-sentences.tsv")
    expected = {(row["system"], int(row["sid"])): row for row in table}
    names = sorted({system_name for system_name, _ in expected})
    assert len(names) == 8
    corpus = gold(name)
    for part in (slice(0, 332), slice(335, 1312)):
        scorer = IMeasure(mix=True).prepare(corpus[part])
        for system_name in names:
            counts = scorer.count(list(system(system_name).outputs[part]))
            assert not counts.fallbacks.any()
            for i, row in enumerate(counts.rows[:, 0].tolist(), part.start):
                golden_row = expected[system_name, i]
                assert row == [int(golden_row[cell]) for cell in CELLS]
                assert scorer.search.combinations[i - part.start] == int(golden_row["n_combos"])


@pytest.mark.parametrize("name", ["AMU", "INPUT", "UFC"])
def test_mixed_with_five_annotators_the_whole_corpus(name):
    score = IMeasure(mix=True).prepare(gold("gold-with-alternatives.m2")).score(system(name))
    expected = golden("mixed-with-alternatives-systems.json")[name]
    assert score.score == pytest.approx(expected["i_c"], abs=1e-12)
    assert score.detection["i"] == pytest.approx(expected["i_d"], abs=1e-12)
    assert score.fallback_sentences == (333, 334, 335)


def test_clusters_are_the_released_ones():
    released = read_imeasure_xml(shared("data", "conll14", "gold.imeasure.xml"))
    for ours, theirs in zip(gold("gold.m2"), released, strict=True):
        assert ours.tokens == theirs.tokens
        assert [shape(e) for e in cluster_errors(ours)] == [shape(e) for e in theirs.errors]
        assert [a.implied for a in ours.annotations] == [a.implied for a in theirs.annotations]


def shape(error):
    alternatives = [(a.annotator, [(e.start, e.end, e.corrections) for e in a.edits]) for a in error.alternatives]
    return error.required, set(error.type.split("/")), alternatives


def test_xml_gold_scores_like_m2_gold_and_is_written_back(tmp_path):
    released = read_imeasure_xml(shared("data", "conll14", "gold.imeasure.xml"))
    for options in ({}, {"mix": True}):
        outputs = system("CUUI").outputs[:300]
        ours = IMeasure(**options).score(gold("gold.m2")[:300], outputs)
        assert IMeasure(**options).score(released[:300], outputs).correction == ours.correction
    write_imeasure_xml(tmp_path / "again.xml", released)
    assert read_imeasure_xml(tmp_path / "again.xml").sentences == released.sentences


def test_range_over_ties_on_real_data():
    """The facts page: NTHU's I could range from -5.438 to -5.424."""
    score = IMeasure(tie_range=True).score(gold("gold.m2"), system("NTHU"))
    low, high = score.tie_range["low"], score.tie_range["high"]
    assert (round(100 * low, 3), round(100 * high, 3)) == (-5.438, -5.424)


def test_mixing_raises_recall_of_maxmatch():
    """Table 10's effect, on all sentences: recall rises for every system that corrects anything, precision hardly."""
    corpus = gold("gold.m2")
    plain, mixed = MaxMatch().prepare(corpus), MaxMatch(mix=True).prepare(corpus)
    for name in ("AMU", "CAMB", "UFC"):
        before, after = plain.score(system(name)), mixed.score(system(name))
        assert after.recall > before.recall
        assert after.precision == pytest.approx(before.precision, abs=0.02)


@pytest.mark.parametrize(
    ("line", "first", "second", "f_prefers"),
    [(519, "CUUI", "CAMB", 1), (120, "CUUI", "CAMB", 0), (584, "CAMB", "AMU", 0)],
)
def test_table_12_the_two_metrics_prefer_different_hypotheses(line, first, second, f_prefers):
    sentence = gold("gold-with-alternatives.m2")[line - 1 : line]
    outputs = [system(name).outputs[line - 1] for name in (first, second)]
    f = [MaxMatch().score(sentence, [output]).score for output in outputs]
    improvement = [IMeasure(mix=True).score(sentence, [output]).score for output in outputs]
    assert f.index(max(f)) == f_prefers
    assert improvement.index(max(improvement)) == 1 - f_prefers
