"""GoToScorer: every published chunk, verdict, weight and score; its port; the twin."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_cases import conll_cases, corpus, edits, system, versions
from oracles import goto as oracle
from recte import Corpus, Edit, InputError, OptionError, System
from recte.edits.difficulty import Difficulty, register_difficulty
from recte.metrics.goto import Goto, GrowingDifficulty
from shared_data import golden_json, golden_lines

FIELDS = {
    **{kind: kind for kind in ("tp", "fp", "fn", "tn", "f1")},
    "p": "precision",
    "r": "recall",
    "f05": "score",
    "acc": "accuracy",
}
PLAIN = Goto(weighting="plain")


def one_sentence(case):
    gold = corpus([{"tokens": case["tokens"], "references": [case["reference"]]}])
    systems = {str(i): System(str(i), ("",), (edits(rows),)) for i, rows in enumerate(case["systems"])}
    return gold, systems


def check(score, wanted):
    for key, name in FIELDS.items():
        assert getattr(score, name) == pytest.approx(wanted[key], abs=1e-9), key


def test_golden_cases():
    seen = 0
    for case in golden_lines("gotoscorer/cases.jsonl"):
        gold, systems = one_sentence(case)
        # Weights of one system, or of equal ones, are refused; plain counts measure them all the same.
        scorer = PLAIN.prepare_with(gold, systems)
        measured = [
            [start, end, int(edit >= 0), n]
            for (start, end, edit), n in zip(scorer.chunks.tolist(), scorer.right.tolist(), strict=True)
        ]
        assert measured == case["chunks"]
        for i, ours in enumerate(systems.values()):
            verdicts = [[v & 1, v >> 1 & 1] for v in scorer.verdicts(ours.edits, [0]).tolist()]
            assert verdicts == [row[i] for row in case["verdicts"]]
            counts = scorer.count(ours)
            check(PLAIN.score_counts(counts), case["plain"][i])
            check(Goto().score_counts(counts), case["weighted"][i])
        port = Goto(weighting="plain", behaviour="gec-metrics").prepare_with(gold, systems)
        assert port.weights.tolist() == pytest.approx(case["gec_metrics_weights"])
        for i, ours in enumerate(systems.values()):
            assert port.count(ours).rows[0, 0, 1, :4].tolist() == case["gec_metrics_plain"][i]
        seen += 1
    assert seen == 150


@pytest.mark.parametrize("annotator", ["0", "1"])
def test_golden_systems(annotator):
    golden = golden_json("gotoscorer/systems.json")[f"annotator{annotator}"]
    by_name = {name: conll_cases(name) for name in golden["weighted"]}
    gold = corpus(next(iter(by_name.values())))
    systems = {name: system(cases, name) for name, cases in by_name.items()}
    metric = Goto(reference_annotator=annotator)
    scorer = metric.prepare_with(gold, systems)
    counted = golden_json("gotoscorer/correct-counts.json")[int(annotator)]
    assert [list(counts) for counts in scorer.difficulty_to_publish().counts] == counted
    assert (len(scorer.chunks), scorer.weights.sum()) == pytest.approx((golden["chunks"], golden["weight_sum"]))
    for name, ours in systems.items():
        counts = scorer.count(ours)
        check(metric.score_counts(counts), golden["weighted"][name])
        check(Goto(reference_annotator=annotator, weighting="plain").score_counts(counts), golden["plain"][name])
    types = [tuple(t) for t in scorer.difficulty_of_types()]
    assert [t[0] for t in types] == [t["type"] for t in golden["types"]]
    for (_, mean, std, count), wanted in zip(types, golden["types"], strict=True):
        assert (mean, std, count) == pytest.approx((wanted["mean"], wanted["sd"], wanted["n"]))
    # The published table gives the same weights again.
    register_difficulty("published", scorer.difficulty_to_publish())
    again = Goto(reference_annotator=annotator, difficulty="published").prepare(gold)
    assert np.array_equal(again.weights, scorer.weights)


@st.composite
def judged_sentences(draw):
    tokens = draw(st.lists(st.sampled_from("pqx"), max_size=6))
    reference = draw(versions(tokens))
    systems = draw(st.lists(st.one_of(versions(tokens), st.just(reference)), min_size=1, max_size=4))
    return {"tokens": tokens, "reference": reference, "systems": systems}


@given(judged_sentences())
def test_the_kernel_agrees_with_the_twin(case):
    gold, systems = one_sentence(case)
    reference = oracle.chunks(case["tokens"], case["reference"])
    cut = [oracle.chunks(case["tokens"], rows) for rows in case["systems"]]
    verdicts = [[oracle.verdict(chunk, ours) for ours in cut] for chunk in reference]
    right = [sum(correct for _, correct in row) for row in verdicts]
    scorer = PLAIN.prepare_with(gold, systems)
    assert [(start, end, edit >= 0) for start, end, edit in scorer.chunks.tolist()] == [
        (start, end, edited) for start, end, _, edited in reference
    ]
    assert scorer.right.tolist() == right
    for i, ours in enumerate(systems.values()):
        for metric, weight in ((Goto(), lambda n: oracle.weight(n, len(cut))), (PLAIN, lambda n: 1.0)):
            judged = [(weight(n), chunk[3], *row[i]) for chunk, n, row in zip(reference, right, verdicts, strict=True)]
            check(metric.score_counts(scorer.count(ours)), oracle.scores(judged))
    port = Goto(weighting="plain", behaviour="gec-metrics").prepare_with(gold, systems)
    assert port.weights.tolist() == pytest.approx([oracle.ported_weight(chunk, cut) for chunk in reference])
    for ours, mine in zip(systems.values(), cut, strict=True):
        actual = [[v & 1, v >> 1 & 1] for v in port.verdicts(ours.edits, [0]).tolist()]
        assert actual == [list(oracle.ported_verdict(chunk, mine)) for chunk in reference]


def two_systems():
    gold = Corpus.from_edits(["He go to school .", "a b"], [[[Edit(1, 2, ("goes",), "SVA")]], [[]]])
    return gold, {
        "a": System("a", ("He goes to school .", "a b")),
        "b": System("b", ("He go to school .", "a c")),
    }


def test_systems_that_cannot_be_told_apart_are_refused():
    gold, systems = two_systems()
    with pytest.raises(OptionError, match="expected two systems at least to measure difficulty by, got 1"):
        Goto().prepare_with(gold, {"a": systems["a"]})
    with pytest.raises(OptionError, match="expected systems that differ, got 2 that are right alike"):
        Goto().prepare_with(gold, {"a": systems["a"], "again": systems["a"]})
    with pytest.raises(OptionError, match="got 0; give all systems at once, or difficulty"):
        Goto().score(gold, systems["a"])


def test_a_published_table_must_fit():
    gold, systems = two_systems()
    table = Goto().prepare_with(gold, systems).difficulty_to_publish()
    register_difficulty("short", Difficulty("two", 2, table.counts[:1]))
    with pytest.raises(InputError, match="expected 2 sentences in short, got 1"):
        Goto(difficulty="short").prepare(gold)
    register_difficulty("other", Difficulty("two", 2, (table.counts[0][1:], table.counts[1])))
    with pytest.raises(InputError, match="sentence 1: expected 11 chunks, as the reference has, got 10 in other"):
        Goto(difficulty="other").prepare(gold)
    with pytest.raises(OptionError, match="difficulty: expected a file or a registered table, got 'nowhere'"):
        Goto(difficulty="nowhere").prepare(gold)


def test_parts_of_a_corpus_take_their_part_of_the_table():
    gold, systems = two_systems()
    scorer = Goto().prepare_with(gold, systems)
    register_difficulty("whole", scorer.difficulty_to_publish())
    part = Goto(difficulty="whole").prepare(gold[1:])
    assert part.weights.tolist() == scorer.weights.tolist()[scorer.offsets[1] :]


def test_weightings_are_repeated_sentences():
    gold, systems = two_systems()
    scorer = Goto().prepare_with(gold, systems)
    counts = scorer.count(systems["b"])
    weights = np.array([[1, 1], [2, 0], [0, 3]], dtype=np.int32)
    expected = [Goto().score_counts(counts.repeat(w)).score for w in weights]
    assert Goto().score_many(counts, weights).tolist() == pytest.approx(expected)


def test_an_unknown_annotator():
    gold, systems = two_systems()
    with pytest.raises(OptionError, match="reference_annotator: expected one of 0, got '7'"):
        Goto(reference_annotator="7").prepare_with(gold, systems)


@pytest.mark.parametrize("sizes", [(5,), (2, 3), (1, 1, 1, 1, 1)])
def test_difficulty_of_parts_is_that_of_the_whole(sizes):
    sources = ["He go .", "I likes it .", "She is here .", "They was go .", "A cat ."]
    answers = ["He goes .", "I like it .", "She is here .", "They were going .", "The cat ."]
    gold = with_types(sources, answers)
    systems = {
        "one": System("one", (answers[0], *sources[1:])),
        "two": System("two", (*answers[:3], *sources[3:])),
        "three": System("three", tuple(sources)),
    }
    growing, first = GrowingDifficulty(Goto(), len(systems)), 0
    for size in sizes:
        part = slice(first, first + size)
        growing.add(gold[part], {name: system[part] for name, system in systems.items()})
        first += size
    scorer = Goto().prepare_with(gold, systems)
    assert growing.table() == scorer.difficulty_to_publish()
    assert growing.types() == scorer.difficulty_of_types()
    assert len({kind.type for kind in growing.types()}) == 2


def test_difficulty_needs_a_part_that_tells_systems_apart():
    sources, same = ["He go .", "I likes it ."], System("same", ("He goes .", "I likes it ."))
    gold = with_types(sources, ["He goes .", "I like it ."])
    apart = System("apart", ("He goes .", "I like it ."))
    for systems, told in (({"a": same, "b": same}, "systems that differ, got 2"), ({"a": same, "b": apart}, None)):
        growing = GrowingDifficulty(Goto(), 2)
        for place in range(2):
            part = slice(place, place + 1)
            growing.add(gold[part], {name: system[part] for name, system in systems.items()})
        if told is None:
            assert growing.table().systems == 2
        else:
            with pytest.raises(OptionError, match=told):
                growing.table()
    with pytest.raises(OptionError, match="two systems at least to measure difficulty by, got 1"):
        GrowingDifficulty(Goto(), 1)


def with_types(sources, answers):
    """Gold with a type by the place of each edit, of pairs whose words correspond."""
    edits = [
        [
            Edit(place, place + 1, (wanted,), "first" if place == 0 else "later")
            for place, (word, wanted) in enumerate(zip(source.split(), answer.split(), strict=True))
            if word != wanted
        ]
        for source, answer in zip(sources, answers, strict=True)
    ]
    return Corpus.from_edits(sources, [[of_sentence] for of_sentence in edits])


def test_nothing_is_kept_of_a_part_whose_difficulty_was_measured():
    growing = GrowingDifficulty(Goto(), 2)
    part = with_types(["He go ."], ["He goes ."])
    systems = {name: System(name, (output,)) for name, output in (("a", "He goes ."), ("b", "He go ."))}
    growing.add(part, systems)
    known = [weakref.ref(part), *map(weakref.ref, systems.values())]
    del part, systems
    gc.collect()
    assert [reference() for reference in known] == [None] * 3
    assert list(growing.table().counts) == [(2, 2, 2, 1, 2, 2, 2)]
