"""Human ceilings by hand, on ten annotators, and what is refused."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb

import pytest

from recte import Corpus, MaxMatch, System, read_m2, read_system
from recte.cli import main
from recte.edits import annotators_of
from recte.errors import InputError
from recte.studies.coverage.human_ceilings import _choice, ceilings, joined
from shared_data import shared


def test_by_hand():
    gold = Corpus.from_references(["He go ."] * 2, [["He goes ."] * 2, ["He goes .", "He went ."], ["He is ."] * 2])
    study = ceilings(gold, [System("mine", ("He goes .", "He go ."))])
    # One reference: 0 and 1 agree in one of two sentences, 2 with nobody.
    assert [c.score for c in study.ceilings] == [pytest.approx(x) for x in (1 / 6, 1 / 3)]
    assert (study.ceilings[0].low, study.ceilings[0].high) == (0.0, 0.25)
    assert len(study.systems[0].scores) == 3
    assert study.systems[0].ratios[0] == pytest.approx(study.systems[0].scores[0] / study.ceilings[0].score)


@pytest.mark.parametrize("number", range(1, 7))
def test_choices_by_rank_are_the_combinations(number):
    columns = [0, 1, 3, 4, 7, 8]
    actual = [tuple(_choice(columns, number, rank)) for rank in range(comb(6, number))]
    assert actual == list(combinations(columns, number))
    assert len(_choice(range(300), 150, comb(300, 150) - 1)) == 150  # too many to list


def test_ten_annotators_one_by_one():
    folder = shared("data", "conll14", "ten-annotators")
    gold = joined([read_m2(folder / f"A{number}.m2") for number in range(1, 11)])
    assert gold.annotators == tuple(sorted(f"A{n}" for n in range(1, 11)))
    camb = read_system(shared("data", "conll14", "systems", "CAMB.txt"))
    study = ceilings(gold, [camb], most_choices=5)
    nine, item = study.ceilings[-1], study.ceilings[0]
    assert (nine.references, item.references) == (9, 1)
    assert nine.score == pytest.approx(0.7252, abs=1e-4)
    assert study.systems[0].scores[-1] == pytest.approx(MaxMatch().score(gold, camb).score)
    # The last annotator against the nine others, scored plainly.
    last = gold.annotators[-1]
    others = Corpus(
        tuple(
            s.__class__(s.text, s.tokens, tuple(a for a in s.annotations if a.annotator != last), id=s.id) for s in gold
        )
    )
    plain = MaxMatch().score(others, annotators_of(gold)[-1]).score
    assert study.annotators[-1].scores[-1] == pytest.approx(plain)


def test_sentences_that_somebody_skipped_are_left_out():
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    study = ceilings(gold, [read_system(shared("data", "conll14", "systems", "AMU.txt"))])
    assert study.sentence_count + study.left_out == 1312
    assert study.left_out == sum(len(s.annotations) < 2 and not s.annotations[0].implied for s in gold) > 0
    assert len(study.ceilings) == 1
    assert study.systems[0].scores[0] < study.systems[0].scores[1]


def test_refusals():
    item = Corpus.from_references(["He go ."], [["He goes ."]], name="a")
    with pytest.raises(InputError, match="two annotators or more, got 1"):
        ceilings(item)
    with pytest.raises(InputError, match="x: expected 1 sentences, one a source, got 2"):
        ceilings(Corpus.from_references(["He go ."], [["He goes ."], ["He went ."]]), [System("x", ("a", "b"))])
    with pytest.raises(InputError, match="b: expected 1 sentences as in a, got 2"):
        joined([item, Corpus.from_references(["x", "y"], [["x", "y"]], name="b")])
    with pytest.raises(InputError, match="expected files of different names, which name the annotators, got 'a' twice"):
        joined([item, item])
    with pytest.raises(InputError, match="b: expected the sources of a, got another as sentence 1"):
        joined([item, Corpus.from_references(["x"], [["x"]], name="b")])


def test_command(sample, capsys):
    assert main(["ceilings", "gold.m2", "-i", "systems/heron.txt", "--charts", "pictures", "-f", "json"]) == 0
    study = json.loads(capsys.readouterr().out)["ceilings"]
    assert study["systems"][0]["system"] == "heron"
    assert (sample / "pictures" / "ceilings.svg").exists()
    assert main(["ceilings", "nowhere.m2"]) == 2
    assert capsys.readouterr().err == "recte: nowhere.m2: no such file\n"
