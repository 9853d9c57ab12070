"""Conservatism against its literal twin, by each rule, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from oracles.conservatism import word_change
from recte.cli import main
from recte.corpus.corpus import Corpus, Sentence, System
from recte.edits.references import annotators_of
from recte.errors import InputError, OptionError
from recte.statistics.correlation import spearman_of_places
from recte.studies.conservatism import change_profiles
from recte.studies.conservatism import command as conservatism_command
from recte.studies.conservatism.change_profiles import conservatism_of
from recte.studies.conservatism.changes import change_rule, changes, count_sentences
from recte.studies.conservatism.charts import conservatism_charts
from recte.studies.conservatism.tables import histogram_bins

WORDS = st.lists(st.sampled_from(["he", "her", "a", "an", "goes", "go", "home", "hom"]), max_size=6)


@given(WORDS, WORDS)
def test_word_change_is_the_literal_count(source, output):
    did = changes([" ".join(source)], [" ".join(output)], change_rule("default"))
    assert did.word_changes.tolist() == [word_change(source, output)]


@given(st.permutations(range(8)))
def test_spearman_is_scipys(places):
    from scipy.stats import spearmanr

    assert spearman_of_places(np.array(places)) == pytest.approx(spearmanr(range(8), places).statistic)


def test_rules_differ_in_what_a_word_is():
    texts = "He does n't like well-known books _ .", "He doesn't like well - known book ."
    counted = {}
    for name in ("default", "paper", "official"):
        did = changes([texts[0]], [texts[1]], change_rule(name))
        counted[name] = int(did.word_changes[0])
    # default: does -> doesn, n, books -> book; paper: does -> doesnt, nt -> well, wellknown -> known, books -> book;
    # official: does (doe) -> doesn, but not books -> book, of one lemma, nor n and _ -> an empty word.
    assert counted == {"default": 3, "paper": 4, "official": 1}


@pytest.mark.parametrize(
    ("source", "output", "changed"),
    [
        ("a person 's right", "a persons ' right", 0),  # s becomes the empty word between two characters
        ("He came , and left .", "He came and left .", 0),  # an empty word less is no change
        ("He has a car .", "He has car .", 1),  # nothing to become: one word less
        ("It does n't .", "It does not .", 2),  # n and t, one of them not
        (" Good  . ", "Good .", 0),
    ],
)
def test_official_rule_splits_at_every_character_that_is_none_of_a_word(source, output, changed):
    assert changes([source], [output], change_rule("official")).word_changes.tolist() == [changed]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He came . She left .", 2),
        ("He came.She left.", 2),
        ("He came ; she left .", 1),
        ("It cost 3.5 dollars in the U.S. market !", 1),
        ("", 1),
    ],
)
def test_sentences_of_a_line(text, sentences):
    assert count_sentences(text) == sentences


def test_profile_by_hand():
    sources = ["He go home .", "All good .", "She like it and I go .", ""]
    study = conservatism_of(
        sources,
        [System("bold", ("He goes home .", "All was good .", "It she likes . And I go .", ""))],
        [
            System("0", ("He goes home .", "All good .", "She likes it and I go .", "")),
            System("1", ("He went home .", "All good .", "She likes it , and I went .", "")),
        ],
    )
    bold, zero, item = study.profiles
    assert (study.untouched, study.agreed) == (2, 2)
    assert (bold.changed_sentences, bold.changed_sentence_rate) == (3, 0.75)
    assert bold.word_change_histogram == (1, 3)
    assert (bold.split, bold.concatenated, bold.rho_undefined) == (1, 0, 1)
    assert (bold.over_correction, bold.under_correction) == (0.5, 0.0)
    assert bold.rho_values == (pytest.approx(1 - 6 * 6 / (6 * 35)),)
    assert bold.edits_per_100_words == pytest.approx(100 * 3 / 14)
    assert bold.length_ratio == pytest.approx(16 / 14)
    assert zero.word_change == 0.5
    assert (item.over_correction, item.under_correction) == (0.0, 0.0)
    assert study.annotator_range["word_change"].high == pytest.approx(item.word_change)


@pytest.mark.parametrize("rule", ["default", "paper", "official"])
def test_no_figure_depends_on_how_many_texts_are_in_memory(rule, monkeypatch, sample, capsys):
    command = ["conservatism", "gold.m2", "systems/wren.txt", "systems/heron.txt", "--rule", rule, "-f", "json"]
    command += ["--annotators", "more.m2", "systems/magpie.txt"]
    # The second annotator has no line in the last sentences.
    blocks = Path("gold.m2").read_text().split("\n\n")
    early = [block if n < 9 else re.sub(r"\nA .*\|1$", "", block, flags=re.MULTILINE) for n, block in enumerate(blocks)]
    Path("more.m2").write_text("\n\n".join(early))
    assert main(command) == 0
    whole = capsys.readouterr().out
    for size in (1, 7):
        monkeypatch.setattr(conservatism_command, "AT_ONCE", size)
        monkeypatch.setattr(change_profiles, "AT_ONCE", size)
        assert main(command) == 0
        assert capsys.readouterr().out == whole
    study = json.loads(whole)["conservatism"]
    corpus, systems = recte.read_m2("gold.m2"), [recte.read_system(f"systems/{name}.txt") for name in ("wren", "heron")]
    in_python = conservatism_of([s.text for s in corpus], systems, annotators_of(corpus), rule=rule).to_dict()
    assert study["profiles"][0]["word_change"] == in_python["profiles"][0]["word_change"]


def test_nobody_to_agree_gives_no_shares():
    profile = conservatism_of(["a"], [System("x", ("b",))]).profiles[0]
    assert (profile.over_correction, profile.under_correction, profile.rho) == (None, None, 1.0)


def test_a_reference_that_a_sentence_lacks_is_the_source_left_alone():
    corpus = Corpus((Sentence("a", references=("b", "c")), Sentence("d", references=("e",))))
    assert [annotator.outputs for annotator in annotators_of(corpus)] == [("b", "e"), ("c", "d")]


def test_bins_hold_every_sentence():
    assert sum(histogram_bins(tuple(range(40))).values()) == sum(range(40))


def test_refusals():
    with pytest.raises(InputError, match="x: expected 1 sentences, one a source, got 2"):
        conservatism_of(["a"], [System("x", ("b", "c"))])
    with pytest.raises(InputError, match="different names"):
        conservatism_of(["a"], [System("x", ("b",)), System("x", ("c",))])
    with pytest.raises(InputError, match="at least one source"):
        conservatism_of([], [])
    with pytest.raises(OptionError, match="rule: expected one of default, paper, official, got 'mine'"):
        conservatism_of(["a"], [], rule="mine")


def test_command_prints_json_and_draws(sample, capsys):
    drawn = ["--charts", "pictures", "--chart-formats", "svg", "png", "pdf", "json"]
    assert main(["conservatism", "gold.m2", "systems/wren.txt", "-f", "json", *drawn]) == 0
    study = json.loads(capsys.readouterr().out)["conservatism"]
    assert [p["name"] for p in study["profiles"]] == ["wren", "0", "1"]
    assert set(study["annotator_range"]["rho"]) == {"low", "high"}
    assert len(list((sample / "pictures").iterdir())) == 12
    assert (sample / "pictures" / "word-order.pdf").read_bytes().startswith(b"%PDF")


def test_command_without_annotators(sample, capsys):
    (sample / "source.txt").write_text("He go .\n")
    (sample / "out.txt").write_text("He goes .\n")
    assert main(["conservatism", "-s", "source.txt", "-i", "out.txt"]) == 0
    assert "annotator" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "x"], "expected a gold file first, or sources with -s"),
        (["gold.m2", "nowhere.txt"], "nowhere.txt: no such file"),
        (["gold.m2", "systems/wren.txt", "--annotators", "systems/wren.txt", "systems/wren.txt"], "'wren' twice"),
        (["gold.m2", "systems/wren.txt", "-w", "99"], "-w: expected 0 to 15 digits"),
        (["gold.m2", "systems/wren.txt", "--charts", "gold.m2"], "gold.m2: cannot be made"),
    ],
)
def test_command_refuses_in_one_line(sample, capsys, arguments, message):
    assert main(["conservatism", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_pictures_say_what_the_table_says():
    study = conservatism_of(["He go .", "Good ."], [System("x", ("He goes .", "Good ."))])
    charts = conservatism_charts(study)
    assert sorted(charts) == ["sentences-split", "word-changes", "word-order"]
    heat = json.dumps(charts["word-changes"])
    assert '"changed words": "1", "sentences": 1' in heat
