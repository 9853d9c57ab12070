"""Texts and their corrections cut into pairs of sentences: by example, at random, and compared with the authors' own
cuts.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recte.conservatism import cut_sentences

from recte.cli import main
from recte.errors import InputError, OptionError
from recte.studies.conservatism.sentence_ends import sentence_rule, sentence_spans
from recte.studies.papers.command import paper_data
from recte.studies.papers.conservatism_2017 import PAIRED, cut_pairs, read_stored_pairs
from shared_data import shared


@pytest.mark.parametrize(
    ("source", "corrected", "kinds"),
    [
        ("He came. She left.", "He came. She left.", "kept kept"),
        ("He came late he was tired.", "He came late. He was tired.", "split"),
        ("He came late. He was tired.", "He came late and he was tired.", "concatenated"),
        ("He was very late. She left.", "He was very late today. She left.", "kept kept"),
        ("Dr. Who came. No. 5 is red.", "Dr. Who came. No. 5 is blue.", "kept kept"),
        ('He said "No!" She left.', 'He said "Never!" She left.', "kept kept"),
        ("他来了。她走了！“你呢？”他问。", "他来了。她走了！“你呢？”他问她。", "kept kept kept kept"),
        ("One line\nand another", "One line\nand an other", "kept kept"),
        ("Not a word alike. Then we all went home.", "Quite different. Then we all went home.", "kept kept"),
        (
            "We all went home early. It was late.",
            "We all went home early. Something new here. It was late.",
            "kept split",
        ),
    ],
)
def test_kinds_of_cuts(source, corrected, kinds):
    assert " ".join(pair.kind for pair in cut_sentences(source, corrected)) == kinds


def test_a_comma_that_became_a_full_stop():
    source = "I like it very much indeed, apples grow where nobody expects them to grow. Good."
    corrected = "I like it very much indeed. Apples grow in places that nobody knows of. Good."
    actual = [(p.source.strip(), p.corrected.strip()) for p in cut_sentences(source, corrected)]
    assert actual[0] == ("I like it very much indeed,", "I like it very much indeed.")


def test_a_sentence_too_long_to_be_matched_is_cut_as_any_other():
    long = " ".join(f"we{place:04}x{place * 7919 % 1201}" for place in range(1200))
    other = " ".join(f"so{place:04}y{place * 104729 % 1301}" for place in range(1200))
    actual = cut_sentences(f"He came. {long}. She left.", f"He came. {other}. She left.")
    assert [(p.source[:4], p.corrected[:4]) for p in actual] == [("He c", "He c"), (long[:4], other[:4]), ("She ",) * 2]


def test_texts_that_come_apart_are_taken_up_again():
    """Three sentences are left out; the pairs behind them must be right again."""
    lines = [
        "We went to the market.",
        "It was a long way on foot.",
        "My sister bought some bread.",
        "A dog followed us all along.",
        "Then the rain began to fall.",
        "In the end we took a bus.",
    ]
    actual = cut_sentences(" ".join(lines), " ".join([lines[0], *lines[4:]]))
    assert [(p.source_sentences, p.corrected_sentences) for p in actual] == [(1, 1), (4, 1), (1, 1)]
    assert actual[-1].source == actual[-1].corrected == lines[-1]


@pytest.mark.parametrize("dropped", [1, 7, 30])
@pytest.mark.parametrize("words", ["{}.", "We saw {}.", "Nobody had ever seen {} in the town."])
def test_pairs_are_right_again_however_many_sentences_one_side_lacks(dropped, words):
    lines = [words.format(f"{a}{b}{a}") for a in ("ab", "cd", "ef", "gh", "ij", "kl", "mn") for b in "opqrstuv"]
    less = lines[:10] + lines[10 + dropped :]
    for a, b in ((lines, less), (less, lines)):
        actual = cut_sentences(" ".join(a), " ".join(b))
        assert [pair.kind for pair in actual].count("kept") == len(less) - 1
        assert all(p.source.strip() == p.corrected.strip() for p in actual if p.kind == "kept")


def test_short_sentences_are_right_again_too():
    actual = cut_sentences("We ate. It rained. He slept. They sang.", "We ate. He slept. They sang.")
    assert [(p.source.strip(), p.corrected.strip()) for p in actual] == [
        ("We ate.", "We ate."),
        ("It rained. He slept.", "He slept."),
        ("They sang.", "They sang."),
    ]


@pytest.mark.parametrize("opening", ['"', "“", "(", "[", "$", "¿", "‘("])
def test_what_opens_a_sentence_goes_along_with_it(opening):
    text = f"He came. {opening}Five was too much. She left."
    assert [p.source for p in cut_sentences(text, text)] == ["He came. ", f"{opening}Five was too much. ", "She left."]


texts = st.lists(
    st.sampled_from(["he", "came", "late", "I", "Mr", "5", ",", ".", "?", ";", '"', "\n", ".\n", "C"]), min_size=1
)


@given(texts, texts, st.sampled_from(["default", "official"]))
def test_nothing_is_lost(source, corrected, rule):
    a, b = " ".join(source), " ".join(corrected)
    if not (re.search("[^\\W\\d_]{2}", a) and re.search("[^\\W\\d_]{2}", b)):
        with pytest.raises(InputError, match="expected a text with words, got none"):
            cut_sentences(a, b, rule=rule)
        return
    actual, ends = cut_sentences(a, b, rule=rule), sentence_rule(rule)
    assert "".join(p.source for p in actual) == ends.ready(a)
    assert "".join(p.corrected for p in actual) == ends.ready(b)
    assert all(p.source_sentences and p.corrected_sentences for p in actual)


@given(texts)
def test_a_text_with_itself_is_cut_into_its_sentences(words):
    text = " ".join(words)
    spans = sentence_spans(text, sentence_rule("default"))
    assert "".join(text[a:b] for a, b in spans) in (text, "")
    if spans:
        assert all(p.kind == "kept" and p.source == p.corrected for p in cut_sentences(text, text))
        assert len(cut_sentences(text, text)) == len(spans)


@pytest.mark.parametrize("rule", ["default", "official"])
def test_lines_that_are_sentences_are_not_cut(rule):
    source = "He came . She left .\nI saw it , they did too .\n"
    corrected = "He came . She left .\nI saw it .\nThey did too .\n"
    pairs = cut_sentences(source, corrected, rule=rule, sentence_lines="source")
    assert sum(pair.source_sentences for pair in pairs) == 2
    pairs = cut_sentences(source, corrected, rule=rule, sentence_lines="both")
    assert [(pair.source_sentences, pair.corrected_sentences) for pair in pairs] == [(1, 1), (1, 2)]
    assert pairs[0].source.strip() == "He came . She left ."


def test_an_unknown_rule_is_refused():
    with pytest.raises(OptionError, match="rule: expected one of default, official, got 'mine'"):
        cut_sentences("He came.", "He came.", rule="mine")  # type: ignore[arg-type]


def test_the_command_writes_two_files_with_as_many_lines(tmp_path, capsys):
    source, corrected = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text("He came late he was tired. She left.\n")
    corrected.write_text("He came late. He was tired.\nShe left early.\n")
    written = [str(tmp_path / name) for name in ("a.lines", "b.lines")]
    assert main(["cut", str(source), str(corrected), "-o", *written]) == 0
    assert (tmp_path / "a.lines").read_text() == "He came late he was tired.\nShe left.\n"
    assert (tmp_path / "b.lines").read_text() == "He came late. He was tired.\nShe left early.\n"
    assert main(["cut", str(source), str(corrected), "-f", "json"]) == 0
    assert '"kind":"split"' in capsys.readouterr().out.replace(" ", "")
    assert main(["cut", str(source), str(corrected), "-o", written[0], written[0]]) == 2
    assert "expected different files to write, got" in capsys.readouterr().err
    (tmp_path / "link").symlink_to(written[0])
    for other in (f"{tmp_path}/./a.lines", str(tmp_path / "link")):
        assert main(["cut", str(source), str(corrected), "-o", written[0], other]) == 2
        assert capsys.readouterr().err == f"recte: expected different files to write, got {other!r} twice\n"
    assert main(["cut", str(source), str(corrected), "-f", "json", "-o", *written]) == 2
    assert "--format: expected no --output with it" in capsys.readouterr().err
    corrected.write_text("\n")
    assert main(["cut", str(source), str(corrected)]) == 2
    assert capsys.readouterr().err == f"recte: {corrected}: expected a text with words, got none\n"


def test_pairs_are_cut_as_the_authors_did():
    """All but 3 of the 17,280 pairs of thirteen systems; of the reference, whose lines they made by hand, 99 %."""
    data = paper_data(shared("data"))
    shared_pairs = {}
    for name in PAIRED:
        ours = Counter((plain(p.source), plain(p.corrected)) for p in cut_pairs(data, name))
        theirs = Counter((plain(row[0]), plain(row[1])) for row in read_stored_pairs(data, name))
        shared_pairs[name] = ((ours & theirs).total(), theirs.total())
    same, total = shared_pairs.pop("gold")
    assert (same, total) == (1229, 1247)
    differ = {name: total - same for name, (same, total) in shared_pairs.items() if same < total}
    assert differ == {"IITB": 1, "NTHU": 2}
    assert sum(total for _, total in shared_pairs.values()) == 17280


def plain(text):
    return " ".join(text.split())
