"""Edits compared from columns, and the same edits compared one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.corpus.corpus import Annotation, Corpus, Edit, Sentence, System, apply_edits
from recte.errors import InputError
from recte.evaluation.counting import count_files
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.formats.m2 import M2Columns, write_m2
from recte.metrics.errant import Errant
from shared_data import golden, opened, shared

_TOKENS = ["a", "b", "c", "d"]


@st.composite
def _edits(draw):
    start = draw(st.integers(0, 4))
    corrections = draw(st.lists(st.sampled_from(["", "x", "x y", "a"]), min_size=1, max_size=2))
    type_ = draw(st.sampled_from(["R:X", "M:Y", "UNK"]))
    return Edit(start, draw(st.integers(start, 4)), tuple(corrections), type_)


def _annotations(names, least):
    some = st.lists(st.sampled_from(names), min_size=least, max_size=len(names), unique=True)
    ours = st.lists(_edits(), max_size=4).map(tuple)
    return some.flatmap(lambda chosen: st.tuples(*(ours.map(lambda e, n=name: Annotation(n, e)) for name in chosen)))


_METRICS = st.builds(
    Errant,
    matching=st.sampled_from(["correction", "correction-and-type", "span", "token"]),
    behaviour=st.sampled_from(["official", "optimal", "gec-metrics"]),
    without_types=st.sampled_from(["", "M:Y", "R:X,M:Y"]),
    edit_width=st.sampled_from(["all", "all", "single"]),
)


@given(
    st.sampled_from([["0"], ["0", "3"]]).flatmap(  # a system's annotators are the same throughout
        lambda ours: st.lists(
            st.tuples(_annotations(["0", "1", "10"], 1), _annotations(ours, len(ours))), min_size=1, max_size=4
        )
    ),
    _METRICS,
)
def test_counts_are_those_of_edits_one_by_one(tmp_path_factory, rows, metric):
    folder = tmp_path_factory.mktemp("m2")
    for name, side in (("gold", 0), ("mine", 1)):
        write_m2(folder / f"{name}.m2", [Sentence(" ".join(_TOKENS), annotations=row[side]) for row in rows])
    files = GoldFiles(gold=folder / "gold.m2")
    corpus, (system,) = read_corpus_and_systems(files, {"mine": folder / "mine.m2"})
    ((columns, systems),) = files.chunks({"mine": folder / "mine.m2"}, 10)
    at_once = systems["mine"]
    assert list(at_once.outputs) == list(system.outputs)
    assert tuple(at_once.edits) == system.edits
    assert at_once.annotations == system.annotations
    expected, actual = metric.prepare(corpus).count(system), metric.prepare(columns).count(at_once)
    assert actual.columns == expected.columns
    assert np.array_equal(actual.rows, expected.rows)
    assert metric.signature(actual) == metric.signature(expected)


def test_a_part_has_the_edits_of_its_sentences(tmp_path):
    sentences = [Sentence("a b", annotations=(Annotation("0", (Edit(0, 1, (word,)),)),)) for word in "xyz"]
    write_m2(tmp_path / "gold.m2", sentences)
    ((_, systems),) = GoldFiles(gold=tmp_path / "gold.m2").chunks({"mine": tmp_path / "gold.m2"}, 10)
    part = systems["mine"][1:]
    assert [edits[0].corrections[0] for edits in part.edits] == ["y", "z"]
    assert list(part.outputs) == ["y b", "z b"]


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_sentences_can_be_taken_in_any_parts(tmp_path, size):
    sentences = [Sentence("a b", annotations=(Annotation("0", (Edit(0, 1, (word,)),)),)) for word in "uvwxyz"]
    write_m2(tmp_path / "mine.m2", sentences)
    reader = M2Columns(tmp_path / "mine.m2", size, False)
    taken = [reader.take(most) for most in (1, 3, 1)]
    words = [[s.annotations[0].edits[0].corrections[0] for s in part] for part in taken]
    assert words == [["u"], ["v", "w", "x"], ["y"]]
    assert [part.columns.starts.tolist() for part in taken] == [[0], [0, 0, 0], [0]]
    assert reader.count_rest() == 1
    assert len(reader.take(1)) == 0


def test_edits_of_other_sentences_are_refused(tmp_path):
    write_m2(tmp_path / "gold.m2", [Sentence("a b", annotations=(Annotation("0"),))])
    write_m2(tmp_path / "mine.m2", [Sentence("a c", annotations=(Annotation("0"),))])
    with pytest.raises(InputError, match=r"mine\.m2: expected an output for sentence 1, 'a b', got one for 'a c'"):
        count_files(GoldFiles(gold=tmp_path / "gold.m2"), {"mine": tmp_path / "mine.m2"}, [Errant()])


def test_files_must_have_the_same_length(tmp_path):
    sentence = Sentence("a b", annotations=(Annotation("0"),))
    for name, size in (("gold", 2), ("short", 1), ("long", 3)):
        write_m2(tmp_path / f"{name}.m2", [sentence] * size)
    for name, got in (("short", 1), ("long", 3)):
        with pytest.raises(InputError, match=f"expected 2 lines, one for each sentence of .*gold.m2, got {got}"):
            count_files(GoldFiles(gold=tmp_path / "gold.m2"), {"mine": tmp_path / f"{name}.m2"}, [Errant()])


def test_conll14_from_columns(tmp_path):
    for name in ("references", "AMU"):
        with opened(golden(f"errant/conll14/{name}.m2.gz")) as stream:
            (tmp_path / f"{name}.m2").write_text(stream.read(), encoding="utf-8")
    files = GoldFiles(gold=tmp_path / "references.m2")
    ((corpus, systems),) = files.chunks({"AMU": tmp_path / "AMU.m2"}, 10_000)
    score = Errant().prepare(corpus).score(systems["AMU"])
    assert (score.tp, score.fp, score.fn) == (482, 797, 1907)
    text = shared("data/conll14/systems/AMU.txt").read_text(encoding="utf-8").splitlines()
    assert list(systems["AMU"].outputs) == [" ".join(line.split()) for line in text]


def test_given_edits_are_made_when_they_are_asked_for(tmp_path):
    edits = (Edit(0, 1, ("x",), "R:X"),)
    sentence = Sentence("a b", annotations=(Annotation("0", edits),))
    write_m2(tmp_path / "gold.m2", [sentence])
    ((_, systems),) = GoldFiles(gold=tmp_path / "gold.m2").chunks({"mine": tmp_path / "gold.m2"}, 10)
    plain = System("mine", (apply_edits(("a", "b"), edits),), (edits,))
    corpus = Corpus((sentence,))
    assert replace(systems["mine"], outputs=tuple(systems["mine"].outputs)) == plain
    assert Errant().score(corpus, plain).tp == Errant().score(corpus, systems["mine"]).tp == 1
