"""What each edit is worth: against the definition, for every metric, exact and sampled."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.attribution import shapley
from recte import Corpus, Edit, InputError, MaxMatch, OptionError, System
from recte.cli import main
from recte.corpus.corpus import apply_edits
from recte.metrics import metric_class, metric_names
from recte.metrics.attribution import attribute, leave_each_out
from recte.metrics.cherrant import Cherrant
from recte.metrics.errant import Errant

SOURCE = "a b c d e f g h"
GOLD = Corpus.from_references([SOURCE], [["A b C d e F g h"], ["a B c d e F g H"]])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from("xyABCF")), max_size=5, unique_by=lambda t: t[0]))
def test_shapley_values_are_those_of_the_definition(changes):
    edits = tuple(Edit(place, place + 1, (text,)) for place, text in sorted(changes))
    scorer = MaxMatch().prepare(GOLD)
    tokens = SOURCE.split()

    def value(chosen):
        text = apply_edits(tokens, [edits[e] for e in sorted(chosen)])
        return scorer.candidate_scores([[text]])[0][0]

    everything = set(range(len(edits)))
    actual = attribute(scorer, System("s", ("",), (edits,)), 1)
    assert [e.shapley for e in actual.edits] == pytest.approx(
        list(shapley(range(len(edits)), value).values()), abs=1e-9
    )
    for e, edit in enumerate(actual.edits):
        assert edit.leave_one_out == pytest.approx(value(everything) - value(everything - {e}))
        assert edit.add_one == pytest.approx(value({e}) - value(set()))
    assert sum(e.shapley for e in actual.edits) == pytest.approx(actual.score - actual.source_score, abs=1e-9)


@pytest.mark.parametrize("name", metric_names())
def test_any_metric_can_be_asked(name):
    scorer = metric_class(name)().prepare(Corpus.from_references([SOURCE], [["A b C d e F g h"]]))
    actual = attribute(scorer, ["A b x d e F g h"], 1)
    assert [e.correction for e in actual.edits] == ["A", "x", "F"]
    assert sum(e.shapley for e in actual.edits) == pytest.approx(actual.score - actual.source_score, abs=1e-9)
    assert actual.method == "exact"


def test_many_edits_are_sampled():
    source = " ".join(f"w{i}" for i in range(28))
    reference = " ".join(f"x{i}" if i % 2 == 0 else f"w{i}" for i in range(28))
    scorer = MaxMatch().prepare(Corpus.from_references([source], [[reference]]))
    wrong = reference.replace("x4", "y4")
    actual = attribute(scorer, [wrong], 1, orders=200)
    assert (actual.method, actual.orders, len(actual.edits)) == ("sampled", 200, 14)
    assert sum(e.shapley for e in actual.edits) == pytest.approx(actual.score - actual.source_score)
    right = [e.shapley for e in actual.edits if e.correction != "y4"]
    (bad,) = (e for e in actual.edits if e.correction == "y4")
    assert bad.shapley < 0 < min(right)
    # Right edits are alike to the metric, so their true values are equal.
    mean = sum(right) / len(right)
    assert all(abs(e.shapley - mean) < 4 * e.standard_error for e in actual.edits if e is not bad)
    assert attribute(scorer, [wrong], 1, orders=200) == actual
    assert attribute(scorer, [wrong], 1, orders=200, seed=1) != actual


def test_a_sentence_left_alone_has_nothing_to_attribute():
    assert attribute(MaxMatch().prepare(GOLD), [SOURCE], 1).edits == ()


def test_bad_requests():
    scorer = MaxMatch().prepare(GOLD)
    with pytest.raises(InputError, match="sentence: expected 1 to 1, got 2"):
        attribute(scorer, [SOURCE], 2)
    with pytest.raises(OptionError, match="orders: expected 1 to 100,000, got 0"):
        attribute(scorer, [SOURCE], 1, orders=0)


def test_on_the_command_line(tmp_path, capsys):
    gold, system = tmp_path / "gold.m2", tmp_path / "mine.txt"
    gold.write_text("S He go to school .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n\n")
    system.write_text("He goes to the school .\n")
    assert main(["explain", str(gold), str(system), "-n", "1", "--attribute"]) == 0
    printed = capsys.readouterr().out
    assert "go → goes" in printed
    assert "+77.78" in printed
    assert main(["explain", str(gold), str(system), "-n", "1", "--attribute", "-f", "json"]) == 0
    assert '"shapley"' in capsys.readouterr().out


def test_weights_of_all_systems_have_their_say():
    gold = Corpus.from_references(["a b c d", "a b c d"], [["A b C d", "A b c d"]])
    systems = {"s": System("s", ("A b C d", "a b c d")), "t": System("t", ("A b c d", "A b c d"))}
    scorer = metric_class("goto")().prepare_with(gold, systems)
    actual = attribute(scorer, systems["s"], 1)
    assert actual.score == pytest.approx(scorer.sentence_scores(systems["s"])[0])
    # Everybody has the first edit, so it weighs nothing.
    assert [edit.shapley for edit in actual.edits] == pytest.approx([0, 1])


def test_spelling_is_attributed_character_by_character():
    scorer = metric_class("csc")(convention="character").prepare(
        Corpus.from_references(["我心高天汽"], [["我高心天气"]])
    )
    actual = attribute(scorer, ["我高心地气"], 1)
    assert [(e.start, e.original, e.correction) for e in actual.edits] == [
        (1, "心", "高"),
        (2, "高", "心"),
        (3, "天", "地"),
        (4, "汽", "气"),
    ]
    assert [e.leave_one_out > 0 for e in actual.edits] == [True, True, False, True]


@pytest.mark.parametrize("metric", [MaxMatch(), Errant(), Errant(edit_weights="length"), Cherrant()])
def test_a_system_that_changes_nothing_has_no_edit_to_leave_out(metric):
    gold = Corpus.from_edits(["我 喜 欢 你"], [[[Edit(1, 2, ("爱",))]]])
    assert leave_each_out(metric.prepare(gold), ["我 喜 欢 你"]) == [()]
    assert metric.prepare(gold).candidate_scores([[]]) == [[]]
