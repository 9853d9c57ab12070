"""No public call crashes, reads foreign memory, hangs or invents a number: what does not fit is refused."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import sleep

import numpy as np
import pytest

from interrupted import KERNELS
from recte import Annotation, Corpus, Edit, Gleu, IMeasure, MaxMatch, Sentence, _kernels
from recte.corpus.corpus import GoldError, System
from recte.corpus.gold_columns import columns_of
from recte.edits.edit_search import EditSearch, SearchOptions
from recte.errors import InputError, OptionError
from recte.studies.human.trueskill import TrueSkill
from recte.threads import thread_count

GOLD = Corpus.from_edits(["He go home .", "It rain ."], [[[Edit(1, 2, ("goes",))]], [[Edit(1, 2, ("rains",))], []]])
LISTS = pytest.mark.parametrize("hypotheses", [["a"] * 9, ["a"], []], ids=["longer", "shorter", "empty"])


@LISTS
@pytest.mark.parametrize("mix", [False, True])
def test_judged_edits_want_one_hypothesis_for_each_sentence(hypotheses, mix):
    with pytest.raises(InputError, match=f"expected 2 hypotheses, one for each source sentence, got {len(hypotheses)}"):
        MaxMatch(mix=mix).prepare(GOLD).judged_edits(hypotheses)


@LISTS
def test_alignments_want_one_hypothesis_for_each_sentence(hypotheses):
    with pytest.raises(InputError, match=f"expected 2 hypotheses, one for each source sentence, got {len(hypotheses)}"):
        IMeasure().prepare(GOLD).count_and_align(System("mine", tuple(hypotheses)))


def test_a_search_wants_sentences_that_exist():
    search = EditSearch.of(GOLD.columns)
    for wrong in ([0, 2], [-1, 0]):
        with pytest.raises(InputError, match="source_of: expected sentences from 0 to below 2, got"):
            search.count(["a", "b"], SearchOptions(), wrong)
    with pytest.raises(InputError, match="expected 1 hypotheses, one for each source sentence, got 2"):
        search.find(["a", "b"], SearchOptions(), [0])


@pytest.mark.parametrize("metric", [MaxMatch(), MaxMatch(behaviour="optimal"), IMeasure(optimise_level="corpus")])
@pytest.mark.parametrize("width", [0, 1, 3, 1000])
def test_weights_are_one_for_each_sentence(metric, width):
    counts = metric.prepare(GOLD).count(["He goes home .", "It rain ."])
    with pytest.raises(InputError, match="weights"):
        metric.score_many(counts, np.ones((2, width), dtype=np.int32))


@pytest.mark.parametrize("metric", [MaxMatch(), IMeasure(optimise_level="corpus")])
def test_weights_are_never_negative(metric):
    counts = metric.prepare(GOLD).count(["He goes home .", "It rain ."])
    with pytest.raises(InputError, match="weights"):
        metric.score_many(counts, np.array([[1, -1]], dtype=np.int32))


@pytest.mark.parametrize(
    "tables",
    [np.zeros((1, 3)), np.zeros((1, 2, 3), int), np.zeros((1, 1, 2), int), np.zeros((0, 1, 3), int), np.array(5)],
    ids=["flat", "two pairs", "two outcomes", "none", "a number"],
)
def test_trueskill_wants_tables_of_pairs_by_outcomes(tables):
    with pytest.raises(InputError, match="tables: expected"):
        TrueSkill().runs(tables, 3, 0)
    with pytest.raises(InputError, match="tables: expected"):
        TrueSkill().expected(tables)


def test_trueskill_wants_judgments_that_can_be():
    for wrong in (np.full((1, 1, 3), -1), np.full((1, 1, 3), 0.5)):
        with pytest.raises(InputError, match="tables: expected whole numbers from 0"):
            TrueSkill().runs(wrong, 3, 0)
    with pytest.raises(InputError, match="tables: expected one, or one for each of 3 runs, got 2"):
        TrueSkill().runs(np.ones((2, 1, 3), dtype=np.int64), 3, 0)


@pytest.mark.parametrize(("start", "end"), [(1, 50), (-5, 1), (2, 1), (5, 5), (-1, -1)])
def test_an_edit_is_checked_where_it_meets_its_sentence(start, end):
    annotation = Annotation("7", (Edit(start, end, ("x",)),))
    message = re.escape(f"edit {start} {end} of annotator 7: expected offsets within the 4 tokens of 'He go home .'")
    with pytest.raises(InputError, match=message):
        Sentence("He go home .", annotations=(annotation,))
    with pytest.raises(InputError, match=message):
        Sentence("He go home .", annotations=(Annotation("7"),), errors=(GoldError((annotation,)),))
    with pytest.raises(InputError, match="expected offsets within the 4 tokens"):
        Corpus.from_edits(["He go home ."], [[[Edit(start, end, ("x",))]]])


@pytest.mark.parametrize(("start", "end"), [(1, 50), (-5, 1), (2, 1)])
def test_annotations_given_apart_from_their_sentence_are_checked_too(start, end):
    sentence = Sentence("He go home .")
    with pytest.raises(InputError, match=f"edit {start} {end}: expected offsets within its sentence"):
        EditSearch.of(columns_of([sentence], [(Annotation("0", (Edit(start, end, ("x",)),)),)])).count(
            ["a"], SearchOptions()
        )


def test_an_edit_has_corrections_and_whole_numbers():
    with pytest.raises(InputError, match="edit 1 2: expected at least one correction, got none"):
        Edit(1, 2, ())
    with pytest.raises(InputError, match=r"edit 1\.5 2: expected whole numbers"):
        Edit(1.5, 2, ("a",))
    assert type(Edit(np.int64(1), np.int32(2), ("a",)).start) is int


@pytest.mark.parametrize("wrong", [3, None, b"a", ["a"]])
def test_a_sentence_is_a_string(wrong):
    name = type(wrong).__name__
    with pytest.raises(InputError, match=f"sentence 2: expected a string, got {name}"):
        Corpus.from_references(["a", wrong], [["a", "b"]])
    with pytest.raises(InputError, match=f"sentence 1: expected a string, got {name}"):
        Corpus.from_references(["a"], [[wrong]])


def test_threads_are_obeyed_for_few_sentences(monkeypatch):
    monkeypatch.setenv("RECTE_THREADS", "3")
    assert [thread_count(items) for items in (0, 1, 2, 3, 5, 1000)] == [1, 1, 2, 3, 3, 3]


def test_orders_have_a_limit():
    with pytest.raises(OptionError, match="orders"):
        Gleu(orders=10**9)
    text = np.array([0], np.int32), np.array([0, 1], np.int64)
    place, offsets = np.array([0], np.int64), np.array([0, 1], np.int64)
    with pytest.raises(InputError, match="orders: expected a number from 1 to 100, got 1000000000"):
        _kernels.count_gleu(text, text, place, offsets, text, 10**9, 0, 1, 1)


def test_arrays_of_another_type_are_refused_and_never_cut():
    counts = np.ones((2, 1, 3), dtype=np.int32)
    with pytest.raises(TypeError):
        _kernels.sum_choices(counts, np.full((1, 2), 0.5), 0.5, 0, 1)
    with pytest.raises(TypeError):
        _kernels.choose_annotators(counts.astype(np.int64), 0.5, 0)


def test_sums_over_a_corpus_pass_32_bits():
    row = np.full((1, 1, 11), 2**30, dtype=np.int32)
    options = _kernels.IMeasureOptions(0, 3, 2, 2.0, 0.5, 0, 0, 64_000_000, 100_000, 1)
    weights = np.array([[100]], dtype=np.int32)
    assert _kernels.sum_greedy(row, weights, options, 1).tolist() == [[100 * 2**30] * 11]
    assert _kernels.sum_choices(np.ascontiguousarray(row[..., :3]), weights, 0.5, 0, 1).tolist() == [
        [100.0 * 2**30] * 3
    ]
    with pytest.raises(InputError, match="weights: expected sums of weighted counts below 2"):
        _kernels.sum_greedy(row, np.array([[2**31 - 1]], dtype=np.int32), options, 1)


def test_no_wrong_call_of_the_compiled_module_crashes():
    script = Path(__file__).with_name("wrong_calls.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    made, refused = map(int, done.stdout.split())
    assert made > 2000
    assert refused > made * 0.7


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as Linux does it")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves all addresses")
@pytest.mark.parametrize("where", ["threads", "here"])
def test_a_thread_without_memory_ends_in_an_exception(where):
    script = Path(__file__).with_name("no_memory.py")
    done = subprocess.run([sys.executable, script, where], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr[-2000:]


@pytest.mark.parametrize("kernel", KERNELS)
def test_an_interrupt_ends_every_kernel(kernel):
    script = Path(__file__).with_name("interrupted.py")
    with subprocess.Popen([sys.executable, script, kernel], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "working\n"
        sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=300)  # a hang, however busy the machine is
        finally:
            process.kill()
    assert said == "interrupted\n"


@pytest.mark.parametrize("kernel", ["drawn-references", "three-way", "word-matching", "chinese-extraction"])
def test_arrays_that_change_during_a_call_do_no_harm(kernel):
    """A signal changes them, which is handled while the kernel works; another thread could do the same."""
    script = Path(__file__).with_name("interrupted.py")
    with subprocess.Popen([sys.executable, script, kernel, "changed"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "working\n"
            sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "changed\n"
            sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=300)
        finally:
            process.kill()
    assert output in ("interrupted\n", "refused\n")


class Fleeting(tuple):
    """Texts that are made when they are asked for, as columns of a data set are."""

    def __iter__(self):
        return (text.encode().decode() for text in tuple.__iter__(self))


@pytest.mark.parametrize("made", [Fleeting, np.array], ids=["one by one", "an array"])
def test_texts_live_as_long_as_they_are_looked_at(made):
    words = [f"{'word' * 20}{i}" for i in range(400)]
    sources = [f"He go {word} ." for word in words]
    outputs = tuple(f"He goes {word} ." for word in words)

    def score(kind):
        sentences = tuple(Sentence(s, kind(s.split()), references=(o,)) for s, o in zip(sources, outputs, strict=True))
        return MaxMatch().score(Corpus(sentences), System("mine", kind(outputs))).score

    assert score(made) == score(tuple) == 1.0


def test_gold_that_was_changed_behind_its_scorer_is_refused():
    gold = Corpus.from_edits(["He go home ."], [[[Edit(1, 2, ("goes",))]]])
    scorer = MaxMatch().prepare(gold)
    gold.columns.correction_offsets[-1] = 2**30
    with pytest.raises(
        InputError, match=r"offsets: expected offsets that begin at 0, never fall, .* last of 1073741824"
    ):
        scorer.count(["He goes home ."])


def test_what_changes_a_vocabulary_has_it_alone():
    vocabulary = _kernels.Interner()

    class Meddling(tuple):
        def __iter__(self):
            vocabulary.encode_words([["b"]], True)
            return super().__iter__()

    with pytest.raises(InputError, match="expected one thread at a time, got another at work"):
        vocabulary.encode_words(Meddling([["a"]]), True)
    assert vocabulary.texts() == []
    assert vocabulary.encode_words([["a"]], True)[0].tolist() == [0]


def test_threads_that_meet_at_one_reader_are_refused_and_harm_nothing():
    stream, ended = _kernels.M2Stream(False), []

    def read():
        refused = 0
        for _ in range(300):
            try:
                stream.feed(b"S a b c\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n" * 50)
                stream.take(10, 1)
            except InputError:
                refused += 1
        ended.append(refused)

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 4


def test_objects_that_outlive_python_are_no_news_for_the_user():
    program = (
        "import ctypes\n"
        "from recte.annotation.builtin.annotator import load_model\n"
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(load_model('builtin-en-2')))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
