"""The table of kinds of untidiness, and the scan that finds lines to be looked at."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.text_scan import groups_of_parts, makeup, pair_bits, sign_groups
from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.text.untidiness.table import ALL_KINDS, UNTIDY_KINDS
from recte.text.untidy_lines import ComparedTexts, ScannedTexts, untidy_rows

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab <\u200b"), max_size=30))


@pytest.mark.parametrize("kind", UNTIDY_KINDS, ids=lambda kind: kind.name)
def test_each_kind_undoes_its_example(kind):
    source, output, tidy = kind.example
    assert kind.undo(source, output) == tidy
    assert kind.undo(source, source) is None  # a source shows no kind
    assert kind.undo(output, output) is None or kind.name == "no-change"  # nor does what the source has too
    assert not kind.signs or re.search(f"[{re.escape(kind.signs[0])}{kind.signs[1:]}]", output)


@pytest.mark.parametrize("kind", UNTIDY_KINDS, ids=lambda kind: kind.name)
def test_each_kind_is_seen_in_its_example(kind):
    source, output, _ = kind.example
    scanned = [ScannedTexts(TextColumn.of([text, "x y z"])) for text in (source, output)]
    assert (kind, (0,)) in [(shown.kind, shown.rows) for shown in untidy_rows(ComparedTexts(*scanned))]


@pytest.mark.parametrize(
    ("kind", "output"),
    [
        ("columns", "{n}\t{text}"),
        ("columns", "{source}\t{text}"),
        ("prefix", "réponse {n} = {text}"),
        ("suffix", "{text} = réponse {n}"),
        ("odd-sign", "★"),
    ],
)
def test_what_many_lines_show_is_learned(kind, output):
    sources = [f"The number {word} go home today ." for word in ["one", "two", "three", "four", "five", "six"]]
    tidy = [text.replace("go", "goes") for text in sources]
    lines = [output.format(n=n, source=s, text=t) for n, (s, t) in enumerate(zip(sources, tidy, strict=True))]
    if output == "★":
        lines = [text.replace("goes", "★ goes") for text in tidy]
    (shown,) = untidy_rows(compare(sources, lines))
    assert (shown.kind.name, shown.rows) == (kind, tuple(range(6)))
    assert shown.detail
    assert not list(untidy_rows(compare(sources, tidy)))


LENGTH = 300_000  # letters; a rule that looks at each of them from each place would need hours
REPEATED = (
    "<think>", "<del>", "<s> ", "a\ufffd ", "a\ufffdb ", "“a ", "''", "’s ", "<unk> ", "<aaa>", "[a → ", "\\DIFdel{",
    "[-", "{--", "{+ ", "** ", "* a", "__a", "~~a", "```a\n", "(changed ", ". changed ", ". note ", "[INST]",
    "<|im_start|> ", "\n", "\n ", "changes ", "<|", "`", "no changes ", "→ ", "@-@ ", "&amp;",
)  # fmt: skip
BEFORE_BLANKS = (
    "<b>", "<|start_header_id|>", "<aaa>", "```", "x ```", "**", "{+", "[a", "[ →", "No changes", "Corrected",
    "Here is", "x. changes", "(", "x.", "<think>", "- ", "12. ", '"', "<del>", "The sentence is correct",
)  # fmt: skip
HOSTILE = {
    **{text: text * (LENGTH // len(text)) for text in REPEATED},
    **{f"{text} and blanks": text + " " * LENGTH + "x" for text in BEFORE_BLANKS},
    "another end": "<think>" * (LENGTH // 8) + "</thinking>",
    "arrows": "[" + "a → " * (LENGTH // 4),
    "ends": "<aaa>" + "</aaa> " * (LENGTH // 7) + "x",
    "brackets": "(changed " + "]" * LENGTH + "x",
    "lost letters": " ".join(f"a{number}\ufffd" for number in range(LENGTH // 9)),
    "many lost letters": "a\ufffd" * 40 + "b",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_long_lines_need_no_more_time_than_their_letters(name):
    for source in ("He go to the old home .", "a b c. " * (LENGTH // 40), "a" * 120):
        for kind in UNTIDY_KINDS:
            kind.undo(source, HOSTILE[name])


def test_blocks_end_where_their_own_tag_does():
    undo = {kind.name: kind.undo for kind in UNTIDY_KINDS}
    assert undo["think-blocks"]("He go .", "<think> a </think> He <thought> b </thought> goes .") == "He goes ."
    assert undo["html"]("He go .", "<p>He <del>go</del> <s>gone</s> goes . <del>") == "He goes . <del>"


def test_names_are_unique_and_all_kinds_fit_in_the_bits():
    names = [kind.name for kind in ALL_KINDS]
    assert len(set(names)) == len(names) <= 64


def compare(sources, outputs):
    return ComparedTexts(*(ScannedTexts(TextColumn.of(texts)) for texts in (sources, outputs)))


@given(TEXTS, st.sets(st.integers(1, 0x10FFFF) | st.integers(1, 0x300), max_size=6), st.integers(1, 3))
def test_signs_are_those_of_the_slow_twin(texts, changes, threads):
    begins = [0, *sorted(changes)]
    groups = [(n * 0x9E3779B97F4A7C15) % 2**64 * (n % 3 > 0) for n in range(len(begins))]
    arrays = np.array(begins, np.uint32), np.array(groups, np.uint64)
    masks, _ = _kernels.scan_texts(TextColumn.of(texts).spans, *arrays, threads)
    assert masks.tolist() == [sign_groups(text, begins, groups) for text in texts]


PARTS = st.text("ab<é\0", min_size=1, max_size=4)


@given(
    st.lists(st.tuples(st.text("aAbB<éÉ\0", max_size=12), st.integers(0, 7))),
    st.lists(PARTS, max_size=6),
    st.integers(1, 3),
)
def test_parts_are_those_of_the_slow_twin(wanted, parts, threads):
    texts, masks = [text for text, _ in wanted], [mask for _, mask in wanted]
    groups = [1 << n % 3 for n in range(len(parts))]
    spans = TextColumn.of(texts).spans, TextColumn.of(parts).spans
    shown = _kernels.find_parts(*spans, np.array(groups, np.uint64), np.array(masks, np.uint64), threads)
    assert shown.tolist() == [groups_of_parts(text, parts, groups) & mask for text, mask in wanted]


LATIN = st.characters(max_codepoint=0x17F) | st.sampled_from("AB ab.!…。？「一\u00a0\u3000")


@given(st.lists(st.text(LATIN, max_size=30)))
def test_makeup_is_that_of_the_slow_twin(texts):
    arrays = np.array([0], np.uint32), np.array([0], np.uint64)
    _, makeups = _kernels.scan_texts(TextColumn.of(texts).spans, *arrays, 1)
    assert makeups.tolist() == [makeup(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "capitals", "small"), [("ÉŸŽžŁł", 4, 2), ("ΆΩάω", 2, 2), ("ЇЖҐїжґ", 3, 3), ("中文", 0, 0)]
)
def test_capitals_of_three_scripts(text, capitals, small):
    scanned = ScannedTexts(TextColumn.of([text]))
    assert (scanned.capitals.item(), scanned.small_letters.item()) == (capitals, small)


SIGNS = st.text("abn't ,.\t，é", max_size=12)


@given(st.lists(st.tuples(SIGNS, SIGNS, SIGNS)), st.integers(0, 4), st.integers(0, 12))
def test_pairs_are_those_of_the_slow_twin(parts, width, farthest):
    pairs = [(text, other) for text, other, _ in parts]
    pairs += [(text + other, text.replace(" ", "") + third + other) for text, other, third in parts]
    sources, outputs = ([pair[side] for pair in pairs] for side in (0, 1))
    masks = _kernels.compare_texts(TextColumn.of(sources).spans, TextColumn.of(outputs).spans, width, farthest, 1)
    assert masks.tolist() == [pair_bits(s, o, width, farthest) for s, o in pairs]
