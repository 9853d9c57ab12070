"""Pairs that meet conditions: each condition, chunks and parts, duplicates, samples, and the command line."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from recte.cli import main
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, OptionError
from recte.evaluation.cluster.corpus_parts import pair_parts
from recte.evaluation.cluster.engines import SerialEngine
from recte.evaluation.inputs import GoldFiles
from recte.metrics.scribendi import Scribendi
from recte.studies.filtering import PairConditions, filtered_files, filtered_pairs
from recte.studies.filtering.duplicates import SeenPairs, hash_pairs
from recte.studies.filtering.filtered_files import PairSample, filter_in_parts, part_targets
from recte.studies.filtering.type_sampling import TypeCounts, TypeSample, draw_rows

WORDS = ["he", "she", "go", "goes", "went", "to", "the", "a", "school", "house", "."]
PAIRS = [
    ("He go to school .", "He goes to school ."),  # 1 edit of 1 word, 1 of 5 words
    ("He go to school .", "He go to school ."),  # none
    ("He go school .", "He goes to the school ."),  # 1 edit of 3 words, 3 of 6
    ("a b c d", "x b y d"),  # 2 edits, 2 of 4
    ("a b c d", ""),  # 1 edit of 4 words, all
    ("", ""),
    ("", "a b"),
]


def random_pairs(count, seed=0):
    draw = random.Random(seed)
    sources = [draw.choices(WORDS, k=draw.randint(0, 9)) for _ in range(count)]
    return [
        (" ".join(words), " ".join(draw.choice(WORDS) if draw.random() < 0.2 else word for word in words))
        for words in sources
    ]


def kept(pairs, **conditions):
    return list(recte.filter_pairs(pairs, **conditions))


def places(**conditions):
    remaining = kept(PAIRS, **conditions)
    assert all(pair in PAIRS for pair in remaining)
    return [place for place, pair in enumerate(PAIRS) if pair in remaining]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 6]),
        ({"min_edits": 1}, [0, 2, 3, 4, 6]),
        ({"min_edits": 2}, [3]),
        ({"max_edits": 1}, [0, 1, 2, 4, 5, 6]),
        ({"max_edits": 0}, [1, 5]),
        ({"max_edit_words": 2}, [0, 1, 3, 5, 6]),
        ({"max_edit_words": 3}, [0, 1, 2, 3, 5, 6]),
        ({"min_changed": 0.5}, [2, 3, 4, 6]),
        ({"max_changed": 0.2}, [0, 1, 5]),
        ({"max_changed": 0.5}, [0, 1, 2, 3, 5]),
        ({"min_length_ratio": 1.0}, [0, 1, 2, 3, 5, 6]),
        ({"max_length_ratio": 1.4}, [0, 1, 3, 4, 5]),
        ({"max_length_ratio": 1.5}, [0, 1, 2, 3, 4, 5]),
        ({"refuse": ["empty"]}, [0, 1, 2, 3, 5, 6]),
        ({"min_edits": 1, "max_changed": 0.5}, [0, 2, 3]),
    ],
)
def test_each_condition(conditions, expected):
    assert places(**conditions) == expected


def test_the_number_and_size_of_edits_are_those_of_the_word_diff():
    pairs = [pair for pair in random_pairs(300) if pair[0]]
    sources, corrected = zip(*pairs, strict=True)
    edits = [
        recte.edits.references.edits_from_references([source], [text], rule="word-diff")[0]
        for source, text in zip(sources, corrected, strict=True)
    ]
    sizes = [[max(edit.end - edit.start, len(edit.corrections[0].split())) for edit in of_pair] for of_pair in edits]
    for limit in range(4):
        assert kept(pairs, max_edits=limit) == [p for p, s in zip(pairs, sizes, strict=True) if len(s) <= limit]
        assert kept(pairs, max_edit_words=limit) == [
            p for p, s in zip(pairs, sizes, strict=True) if max(s, default=0) <= limit
        ]
    for limit in (0.1, 0.25, 0.5):
        unchanged = [
            len(source.split()) - sum(edit.end - edit.start for edit in of_pair)
            for source, of_pair in zip(sources, edits, strict=True)
        ]
        shares = [sum(s) / (sum(s) + u) for s, u in zip(sizes, unchanged, strict=True)]
        assert kept(pairs, max_changed=limit) == [p for p, share in zip(pairs, shares, strict=True) if share <= limit]


def test_types_are_those_of_extract():
    pairs = [("He go to school .", "He goes to school ."), ("I like cat .", "I like the cat ."), ("a .", "a .")]
    corpus = recte.extract([a for a, _ in pairs], [[b for _, b in pairs]])
    assert [edit.type for s in corpus for edit in s.annotations[0].edits] == ["R:VERB:SVA", "M:DET"]
    assert kept(pairs, types=["R:VERB*"]) == pairs[:1]
    assert kept(pairs, types=["R:VERB:SVA", "M:DET"]) == pairs[:2]
    assert kept(pairs, without_types=["M:*"]) == [pairs[0], pairs[2]]
    removed = {}
    assert list(recte.filter_pairs(pairs, removed=removed, types=["?:*"], without_types=["M:DET"])) == pairs[:1]
    assert removed == {"types": 1, "without_types": 1}


def test_the_gain_is_that_of_the_scribendi_score():
    pairs = [(a, b) for a, b in random_pairs(80, seed=3) if a and b]
    metric = Scribendi()
    counts = metric.prepare(recte.Corpus.from_references([a for a, _ in pairs], [])).count([b for _, b in pairs])
    scores, parts = metric.sentence_scores(counts), metric.parts(counts)
    gains = parts["perplexity_source"] / parts["perplexity_hypothesis"]
    assert {-1.0, 0.0, 1.0} == set(scores.tolist())
    for least in (0, 1):
        assert kept(pairs, scribendi=least) == [p for p, s in zip(pairs, scores, strict=True) if s >= least]
    assert kept(pairs, min_gain=1.1) == [p for p, gain in zip(pairs, gains, strict=True) if gain >= 1.1]
    both = kept(pairs, scribendi=1, min_gain=1.1)
    assert both == [p for p, s, g in zip(pairs, scores, gains, strict=True) if s >= 1 and g >= 1.1]


def test_no_verdict_depends_on_the_other_pairs(monkeypatch):
    """Kinds that look wrong among them: one pair at a time, and all at once."""
    untidy = [
        ("He goes home .", "Corrected: He goes home ."),
        ("He goes home .", "<s> He goes home . </s>"),
        ("He do n't go .", "He don't go ."),
        ("The quick brown fox jumps over the lazy dog .", "An entirely different sentence about trains in Peru ."),
        ("The quick brown fox jumps over the lazy dog .", "The"),
        ("He goes .", ""),
    ]
    pairs = [*random_pairs(60, seed=5), *untidy]
    conditions = {"refuse": ["all"], "max_changed": 0.4, "without_types": ["R:OTHER"]}
    everything = kept(pairs, **conditions)
    assert not set(untidy) & set(everything)
    monkeypatch.setattr(filtered_pairs, "CHUNK", 1)
    assert kept(pairs, **conditions) == everything


@given(st.lists(st.lists(st.integers(0, 30)), max_size=12))
def test_pairs_that_came_before(parts):
    seen, known = SeenPairs(), set()
    for part in parts:
        expected = [number not in known and number not in part[:place] for place, number in enumerate(part)]
        known.update(part)
        assert seen.add(np.array(part, dtype=np.uint64)).tolist() == expected


def test_the_runs_of_seen_pairs_stay_few():
    seen = SeenPairs()
    for first in range(0, 64_000, 1_000):
        assert seen.add(np.arange(first, first + 1_000, dtype=np.uint64)).all()
    assert all(len(before) >= 2 * len(after) for before, after in pairwise(seen._runs))
    assert not seen.add(np.arange(64_000, dtype=np.uint64)).any()


def test_pairs_are_hashed_by_both_sides_and_where_they_part():
    texts = [("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"), ("a", "b")]
    hashes = hash_pairs(*(TextColumn.of([pair[side] for pair in texts]) for side in (0, 1))).tolist()
    assert hashes[0] == hashes[4]
    assert len(set(hashes)) == 4
    assert kept(texts, duplicates=False) == texts[:4]


def test_wrong_conditions_are_refused():
    for conditions, message in (
        ({"min_edits": -1}, "min_edits: expected 0 or more"),
        ({"max_changed": 1.5}, "max_changed: expected a number from 0 to 1"),
        ({"refuse": ["odd"]}, "refuse: expected one of all, empty"),
        ({"refuse": "empty"}, "refuse: expected a list"),
        ({"scribendi": 2}, "scribendi: expected 0 to 1, got 2"),
        ({"min_edits": 5, "max_edits": 2}, "min_edits: expected at most 2, which is max_edits, got 5"),
        ({"min_changed": 0.5, "max_changed": 0.2}, "min_changed: expected at most 0.2"),
        ({"min_length_ratio": 2, "max_length_ratio": 0.5}, "min_length_ratio: expected at most 0.5"),
        ({"types": ["R:VERB", "M:*"], "without_types": ["R:*", "M:*"]}, "types: expected one that without_types"),
    ):
        with pytest.raises(OptionError, match=message):
            recte.filter_pairs(PAIRS, **conditions)
    with pytest.raises(TypeError):
        recte.filter_pairs(PAIRS, most_edits=1)
    assert PairConditions(min_edits=2, max_edits=2, types=["R:*"], without_types=["R:VERB"]).min_edits == 2


@pytest.mark.parametrize("wrong", [("a",), "ab"])
def test_what_is_no_pair_is_refused(wrong):
    with pytest.raises(InputError, match="pairs: expected a source and its correction, got"):
        kept(iter([("a", "b"), wrong]), max_edits=1)


def test_a_sample_has_the_types_of_the_gold():
    draw = random.Random(1)
    names = ["R:VERB", "M:DET", "R:NOUN", "U:PREP"]
    pairs = [draw.choices(names, weights=[8, 1, 4, 2], k=draw.randint(0, 3)) for _ in range(20_000)]
    counts = TypeCounts()
    counts.add(pairs[:12_345])
    other = TypeCounts()
    other.add(pairs[12_345:])
    counts.join(other)
    gold = {"R:VERB": 30, "M:DET": 30, "R:NOUN": 30, "U:PREP": 0, "noop": 10}
    sample = TypeSample.of(counts, gold, 3_000)
    assert sample.distance_before > 0.2
    assert sample.distance_after < 1e-4  # the weights are found step by step
    assert sample.chances.sum() == pytest.approx(3_000)
    assert all("U:PREP" not in types for types, chance in zip(pairs, sample.chances, strict=True) if chance)
    drawn = draw_rows(sample.chances, 7)
    taken = Counter(name for types, is_in in zip(pairs, drawn, strict=True) if is_in for name in types or ["noop"])
    assert abs(drawn.sum() - 3_000) < 200
    for name, count in gold.items():
        assert taken[name] / taken.total() == pytest.approx(count / 100, abs=0.03)
    assert (np.concatenate([draw_rows(sample.chances[:99], 7), draw_rows(sample.chances[99:], 7, 99)]) == drawn).all()
    assert (draw_rows(sample.chances, 8) != drawn).any()


def test_a_sample_of_more_pairs_than_there_are_takes_all_it_can():
    counts = TypeCounts()
    counts.add([["A"]] * 10 + [["B"]] * 5)
    sample = TypeSample.of(counts, {"A": 1, "B": 1, "C": 1}, 100)
    assert sample.chances.tolist() == [1.0] * 15


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Sources and two versions, whole and in parts of several sizes."""
    pairs = random_pairs(400, seed=9)
    versions = {
        "source": [a for a, _ in pairs],
        "one": [b for _, b in pairs],
        "two": [a if n % 3 else b for n, (a, b) in enumerate(pairs)],
    }
    for name, lines in versions.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        (tmp_path / name).mkdir()
        for number, (begin, end) in enumerate(pairwise([0, 1, 90, 300, 400])):
            (tmp_path / name / f"part-{number}.txt").write_text("".join(f"{line}\n" for line in lines[begin:end]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


CONDITIONS = ["--max-changed", "0.4", "--without-types", "R:OTHER", "--no-duplicates"]


def lines_of(folder):
    return [line for path in sorted(folder.iterdir()) for line in path.read_text().splitlines()[1:]]


def test_the_command_writes_what_python_keeps(folder, capsys):
    command = ["filter", "source.txt", "one.txt", "two.txt", *CONDITIONS]
    assert main([*command, "--to", "kept.tsv", "-f", "json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    texts = [(folder / f"{name}.txt").read_text().splitlines() for name in ("source", "one", "two")]
    pairs = [(a, b) for a, *both in zip(*texts, strict=True) for b in both]
    removed = {}
    expected = list(
        recte.filter_pairs(pairs, removed=removed, max_changed=0.4, without_types=["R:OTHER"], duplicates=False)
    )
    written = (folder / "kept.tsv").read_text().splitlines()
    assert written == ["source\treference", *(f"{a}\t{b}" for a, b in expected)]
    assert (figures["pairs"], figures["kept"], figures["removed"]) == (800, len(expected), removed)
    assert min(removed.values()) > 0
    assert main([*command, "--to", "kept.jsonl.gz"]) == 0
    table = capsys.readouterr().out
    for flag, name in (("--max-changed", "max_changed"), ("--no-duplicates", "duplicates")):
        assert any(line.split()[:2] == [flag, str(removed[name])] for line in table.splitlines())
    read_back = recte.evaluation.inputs.read_gold(str(folder / "kept.jsonl.gz"))
    assert [(s.text, s.references[0]) for s in read_back] == expected


@pytest.mark.parametrize("sample", [[], ["--match-types", "gold.m2", "--sample", "60"]], ids=["all", "sample"])
def test_parts_keep_the_same_pairs(sample, folder, capsys):
    """In one process and by workers, with duplicates and a draw that cross the borders of parts."""
    pytest.importorskip("distributed", reason="needs the extra cluster")
    assert main(["extract", "source.txt", "two.txt", "--to", "gold.m2"]) == 0
    assert main(["filter", "source.txt", "one.txt", "two.txt", *CONDITIONS, *sample, "--to", "kept.tsv"]) == 0
    whole, table = (folder / "kept.tsv").read_text().splitlines()[1:], capsys.readouterr().out
    assert 20 < len(whole) < 400
    in_parts = ["filter", "source", "one/part-*.txt", "two", *CONDITIONS, *sample, "--to", "kept"]
    assert main([*in_parts, "--cluster", "local:2"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == table.splitlines()[1:]
    assert lines_of(folder / "kept") == whole
    assert [path.name for path in sorted((folder / "kept").iterdir())] == [f"part-{n}.tsv" for n in range(4)]


def test_a_bad_part_leaves_nothing_half_written(folder):
    (folder / "one" / "part-2.txt").write_text("one line\n")
    parts = pair_parts(GoldFiles(source=str(folder / "source"), references=(str(folder / "one"),)), {})
    (folder / "kept").mkdir()
    targets = part_targets(parts, str(folder / "kept"))
    with pytest.raises(InputError, match=r"one/part-2\.txt:1: expected 210 lines"):
        filter_in_parts(SerialEngine(), parts, PairConditions(max_edits=1), None, targets, lambda pairs: None)
    assert not list((folder / "kept").iterdir())


def test_memory_stays_the_same(folder, monkeypatch):
    """The stream hands on one chunk after the other: none is read before the one before is written."""
    monkeypatch.setattr(filtered_files, "CHUNK", 10)
    events = []
    read, lines = filtered_files._read_pairs, filtered_files._lines

    def reading(*files):
        for pairs in read(*files):
            events.append("read")
            yield pairs

    def writing(parts, format):
        for line in lines(parts, format):
            events.append("write")
            yield line

    monkeypatch.setattr(filtered_files, "_read_pairs", reading)
    monkeypatch.setattr(filtered_files, "_lines", writing)
    assert main(["filter", "source.txt", "one.txt", "--max-changed", "1", "--to", "kept.tsv"]) == 0
    assert events == ["write", *(["read"] + ["write"] * 10) * 40]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["source.txt", "one.txt", "--to", "kept.tsv"],
            "filter: expected a condition, such as --max-edits 5, got none",
        ),
        (["source.txt", "one.txt", "--max-edits", "1", "--to", "kept.txt"], "--to: expected a file that ends in .tsv"),
        (
            ["source", "one", "--max-edits", "1", "--to", "kept.tsv"],
            "source: expected a file, got a folder",
        ),
        (["source.txt", "one.txt", "--sample", "5", "--to", "k.tsv"], "expected --match-types and --sample together"),
        (["source.txt", "source.txt", "--max-edits", "-1", "--to", "k.tsv"], "--max-edits: expected 0 or more, got -1"),
        (["source.txt", "kept.tsv", "--max-edits", "1", "--to", "kept.tsv"], "kept.tsv: expected a file to write that"),
        (["source.txt", "short.txt", "--max-edits", "1", "--to", "k.tsv"], "short.txt:1: expected 400 lines"),
        (
            ["source.txt", "one.txt", "--match-types", "plain.jsonl", "--sample", "5", "--to", "k.tsv"],
            "with typed edits",
        ),
    ],
)
def test_wrong_usage_is_one_line(arguments, message, folder, capsys):
    (folder / "short.txt").write_text("one line\n")
    (folder / "kept.tsv").write_text("source\treference\na\tb\n")
    edit = {"start": 0, "end": 1, "corrections": ["b"]}
    (folder / "plain.jsonl").write_text(json.dumps({"source": "a", "edits": [[edit]]}) + "\n")
    assert main(["filter", *arguments]) == 2
    line = capsys.readouterr().err
    assert message in line
    assert line.count("\n") == 1
    assert not (folder / "k.tsv").exists()
    assert (folder / "kept.tsv").read_text() == "source\treference\na\tb\n"


def test_no_file_that_is_read_is_written_over(folder, capsys):
    assert main(["extract", "source.txt", "two.txt", "--to", "gold.m2"]) == 0
    gold = (folder / "gold.m2").replace(folder / "gold.tsv").read_bytes()
    sample = ["--match-types", "gold.tsv", "--sample", "5"]
    assert main(["filter", "source.txt", "one.txt", *sample, "--to", "./gold.tsv"]) == 2
    assert "gold.tsv: expected a file to write that is not read" in capsys.readouterr().err
    assert (folder / "gold.tsv").read_bytes() == gold
    in_parts = ["filter", "source", "one", "--max-edits", "1", "--cluster", "local:1"]
    assert main([*in_parts, "--to", "one/"]) == 2
    assert "--to: expected another folder than those of the parts, got 'one/'" in capsys.readouterr().err
    assert len(list((folder / "one").iterdir())) == 4


def test_that_no_pair_is_kept_is_a_warning(folder, capsys):
    assert main(["filter", "source.txt", "one.txt", "--types", "R:VREB", "--to", "kept.tsv"]) == 0
    assert "warning: kept.tsv: no pair meets all conditions" in capsys.readouterr().err


def test_types_that_the_pairs_do_not_have_are_a_warning(folder, capsys):
    (folder / "nucle.m2").write_text("S a b\nA 0 1|||Vform|||c|||REQUIRED|||-NONE-|||0\n\n")
    sample = ["--match-types", "nucle.m2", "--sample", "5"]
    assert main(["filter", "source.txt", "one.txt", *sample, "--to", "kept.tsv"]) == 0
    assert "warning: nucle.m2: the pairs have few of its types" in capsys.readouterr().err


def test_a_sample_of_nothing_is_refused():
    parts = [filtered_files._PairVerdicts(np.ones(3, np.uint8), np.zeros(0, np.uint64))]
    with pytest.raises(InputError, match="expected pairs that meet the conditions, got none"):
        filtered_files._draw(parts, PairSample(5, {"A": 1}, 1), 2)
