"""Estonian M²: counts, choices and both tables of the published program, and its prints byte for byte."""

from __future__ import annotations

import json

import pytest

import recte
from recte import Annotation, Edit, read_m2
from recte.cli import main
from recte.formats.m2 import parse_block
from recte.metrics.estonian_maxmatch import EstonianMaxMatch, candidate_lists
from shared_data import golden, golden_lines, opened

FOLDER = "estonian-m2"
HEAD = "\t type \t total \t correct \t scope \t overlap"


def counted_types(scorer, system, metric):
    system = recte.System.of(system)
    counts = scorer.count_types(system, scorer.count(system))
    return counts, metric.score_counts(counts)


def rows_of(types):
    """[type, total, correct, scope, overlap]; shares become numbers again."""
    return [
        [name, f["gold"], f["found"], round(f["scope"] * f["gold"]), round(f["overlap"] * f["gold"])]
        for name, f in types.items()
    ]


def printed(score):
    lines = []
    for title, types in (
        ("Recall by error type:", score.types),
        ("Recall by error type, accounting for edits within encompassing WO:", score.types_with_inner),
    ):
        lines += [title, HEAD]
        lines += [
            f"\t {name}\t{f['gold']}\t{round(f['recall'], 2)}\t{round(f['scope'], 2)}\t{round(f['overlap'], 2)}\t"
            for name, f in types.items()
        ]
        lines.append("")
    figures = (("Precision   ", score.precision), ("Recall      ", score.recall), ("F_0.5       ", score.score))
    return "".join(f"{line}\n" for line in [*lines, *(f"{name}: {value:.4f}" for name, value in figures)])


def test_cases():
    for case in golden_lines(f"{FOLDER}/cases.jsonl"):
        sentence = parse_block([f"S {' '.join(case['source'])}", *case["annotations"]], lenient=True)
        metric = EstonianMaxMatch(max_unchanged_words=case["max_unchanged_words"], beta=case["beta"])
        scorer = metric.prepare(recte.Corpus((sentence,)))
        counts, score = counted_types(scorer, [" ".join(case["hypothesis"])], metric)
        (candidates,) = [s.annotations for s in scorer.sentences]
        of_case = list(case["annotators"].values())
        (chosen,) = metric.chosen_columns(counts)
        assert list(case["annotators"])[chosen] == str(case["chosen"])
        made = [[[e.start, e.end, list(e.corrections), e.type] for e in c.edits] for c in candidates]
        assert made == [a["edits"] for a in of_case], case["id"]
        expected = [[a["correct"], a["proposed"], a["gold"]] for a in of_case]
        assert counts.rows[0].tolist() == expected, case["id"]
        assert [score.tp, score.proposed, score.gold] == case["counts"]
        assert [score.precision, score.recall, score.score] == case["p_r_f"]
        assert rows_of(score.types) == case["by_type"], case["id"]
        assert rows_of(score.types_with_inner) == case["by_type_wo"], case["id"]


@pytest.mark.parametrize(
    ("gold", "hypothesis", "out"),
    [
        *((f"corpus{n}.m2", f"corpus{n}.hyp.txt", f"corpus{n}.out") for n in range(5)),
        ("examples/est_gold", "examples/vastus1", "examples/vastus1.out"),
        ("examples/mini_est_gold", "examples/mini1", "examples/mini1.out"),
        ("examples/mini_est_gold", "examples/mini2", "examples/mini2.out"),
        ("examples/source_gold", "examples/system", "examples/system.out"),
        ("examples/source_gold", "examples/system2", "examples/system2.out"),
        ("l1-test.m2", "l1-hypothesis.txt", "l1.out"),
    ],
)
def test_prints(gold, hypothesis, out):
    corpus = read_m2(golden(f"{FOLDER}/{gold}"), lenient=True)
    with opened(golden(f"{FOLDER}/{hypothesis}")) as stream:
        lines = stream.read().split("\n")[: len(corpus)]
    metric = EstonianMaxMatch()
    _, score = counted_types(metric.prepare(corpus), lines, metric)
    with opened(golden(f"{FOLDER}/{out}")) as stream:
        assert printed(score) == stream.read()


MOVE, FORM, CASE = (
    Edit(1, 4, ("teda ei tea",), "R:WO"),
    Edit(3, 4, ("teda",), "R:NOM:FORM"),
    Edit(0, 1, ("Ma",), "R:LEX"),
)
SOURCE = "Mina ei tea tema ."


def test_a_word_order_edit_adds_a_list_without_each_side_of_it():
    lists = candidate_lists([Annotation("3", (MOVE, FORM, CASE))])
    assert lists == [(MOVE, FORM, CASE), (MOVE, CASE), (FORM, CASE)]


def test_a_new_list_replaces_that_of_an_annotator_of_its_number():
    lists = candidate_lists([Annotation("2", (CASE,)), Annotation("0", (MOVE, FORM))])
    assert lists == [(MOVE,), (MOVE, FORM), (FORM,)]


def test_edits_that_hold_no_other_add_none():
    for edits in ((MOVE,), (FORM, CASE), (MOVE, CASE), (MOVE, Edit(2, 3, ("x",), "R:WO"))):
        assert candidate_lists([Annotation("0", edits)]) == [edits]


@pytest.mark.parametrize(
    ("hypothesis", "inner_edits", "form"),
    [
        ("Mina teda ei tea .", "official", [1, 1, 1, 1]),
        ("Mina teda ei tea .", "repaired", [1, 1, 1, 1]),
        ("Minu ei tea tema .", "official", [1, 1, 1, 1]),
        ("Minu ei tea tema .", "repaired", [1, 0, 0, 0]),
        ("Mina ja nii ja naa .", "official", [1, 1, 1, 1]),
        ("Mina ja nii ja naa .", "repaired", [1, 0, 0, 1]),
    ],
)
def test_edits_inside_a_word_order_edit(hypothesis, inner_edits, form):
    """The published table has them as corrected, whatever was done."""
    corpus = recte.Corpus.from_edits([SOURCE], [[[MOVE, FORM]]])
    metric = EstonianMaxMatch(inner_edits=inner_edits)
    _, score = counted_types(metric.prepare(corpus), [hypothesis], metric)
    assert list(score.types) == ["R:WO"]
    assert rows_of(score.types_with_inner)[1] == ["R:NOM:FORM", *form]


def test_the_command_prints_both_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    recte.write_m2("gold.m2", recte.Corpus.from_edits([SOURCE], [[[MOVE, FORM]]]))
    (tmp_path / "mine.txt").write_text("Mina teda ei tea .\n")
    assert main(["score", "gold.m2", "mine.txt", "-m", "m2-et", "--by-type"]) == 0
    out = capsys.readouterr().out
    assert "mine by error type\n" in out
    table = out.partition("mine by error type, with edits inside word-order edits\n")[2]
    assert [line.split() for line in table.splitlines()[1:3]] == [
        ["R:NOM:FORM", "1", "1", "100.00", "100.00", "100.00"],
        ["R:WO", "1", "1", "100.00", "100.00", "100.00"],
    ]
    assert main(["score", "gold.m2", "mine.txt", "-m", "m2-et", "--by-type", "-f", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"]
    assert [*score["types"], *score["types_with_inner"]] == ["R:WO", "R:WO", "R:NOM:FORM"]
