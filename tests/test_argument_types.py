"""Whoever calls a public function with the wrong thing is told so by recte, and by the argument's name."""

from __future__ import annotations

import inspect
import pickle
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import recte
from recte.argument_types import _fits, _hints, _in_words, check_arguments
from recte.errors import InputError, OptionError, RecteError
from recte.studies.human.trueskill import TrueSkill

GOLD = recte.Corpus.from_references(["He go ."] * 4, [["He goes ."] * 4])
SCORER = recte.MaxMatch().prepare(GOLD)
PACKAGES = ["recte", *(f"recte.{name}" for name in recte.NAMESPACES)]
FUNCTIONS = {
    f"{package}.{name}": actual
    for package in PACKAGES
    for name in getattr(import_module(package), "__all__", ())
    if inspect.isfunction(actual := getattr(import_module(package), name))
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_public_function_takes_anything(name):
    """Each argument that has a type refuses what is of none that anybody declares."""
    function = FUNCTIONS[name]
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    needed = [p for p in needed if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if not needed:
        return
    first = next(p.name for p in needed if p.annotation != "Any")  # an argument of any type refuses none
    for wrong in (None, 3.5j, object()):
        with pytest.raises(RecteError, match=f"^{first}: expected .*, got"):
            function(**{p.name: wrong for p in needed})
    assert set(_hints(function.__wrapped__)) >= {p.name for p in needed}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_pickle(name):
    assert pickle.loads(pickle.dumps(FUNCTIONS[name])) is FUNCTIONS[name]


def test_nothing_depends_on_who_imported_first():
    from recte.evaluation.scoring import score

    assert recte.score is recte.score
    assert recte.score is not score
    assert import_module("recte.evaluation.scoring").score is score  # our own calls are not checked twice
    assert pickle.loads(pickle.dumps(score)) is score


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: recte.score(None, ["a"]), "gold: expected a Corpus, a path or a list of strings, got None"),
        (lambda: recte.score(GOLD, 3), "hypotheses: expected a System, a path or a list of strings, got int"),
        (
            lambda: recte.score(["a"], ["a"], [None]),
            "references: expected a list of lists of strings or None, got a list",
        ),
        (lambda: recte.score(["a"], ["a"], [[None]]), "sentence 1: expected a string, got NoneType"),
        (
            lambda: recte.score(["a"], ["a"], ["a"]),
            "references: expected a list of lists of strings or None, got a list",
        ),
        (lambda: recte.score(GOLD, ["a"] * 4, metric=recte.Gleu), "metric: expected .* a Metric, got the class Gleu"),
        (lambda: recte.read_m2(None), "path: expected a path, got None"),
        (lambda: recte.read_m2(3), "path: expected a path, got int"),
        (lambda: recte.read_parallel("a", "b"), "references: expected a list of paths, got the text 'b'"),
        (lambda: recte.explain(SCORER, ["a"] * 4, "3"), "number: expected a whole number, got the text '3'"),
        (lambda: recte.explain(SCORER, ["a"] * 4, 1.5), "number: expected a whole number, got float"),
        (lambda: recte.explain(3, ["a"] * 4, 1), "scorer: expected a Scorer, got int"),
        (lambda: recte.merge([None]), "parts: expected a list of Counts, got a list of None"),
        (
            lambda: recte.evaluate(GOLD, [None]),
            "systems: expected a list of System, paths or lists of strings, got a list of",
        ),
        (lambda: SCORER.count(None), "outputs: expected a System or a list of strings, got None"),
        (lambda: recte.Edit(0.5, 1, ("a",)), "edit 0.5 1: expected whole numbers"),
        (lambda: recte.Edit(0, 1, None), "corrections: expected a tuple of strings, got None"),
        (lambda: recte.Edit(0, 1, (None,)), "edit 0 1: expected strings as corrections, type and comment, got None"),
        (
            lambda: recte.Edit(0, 1, ("a",), type=3),
            "edit 0 1: expected strings as corrections, type and comment, got 3",
        ),
        (lambda: recte.Annotation("0", (None,)), "annotator 0: expected a tuple of edits"),
        (lambda: recte.Sentence(None), "sentence: expected a string, got NoneType"),
        (lambda: recte.Corpus(None), "sentences: expected a list of Sentence, got None"),
        (lambda: recte.Corpus((None,)), "sentences: expected a list of Sentence, got a tuple of None"),
        (lambda: recte.System("x", "abc"), "outputs: expected a list of strings, got the text 'abc'"),
        (lambda: recte.System(None, ()), "name: expected a string, got None"),
        (lambda: recte.Corpus.from_edits(["a"], [[[None]]]), "edits: expected a list of lists of lists of Edit"),
        (lambda: recte.Corpus.from_references(["a"], [None]), "references: expected a list of lists of strings"),
        (lambda: recte.Resampling("percentile", "x"), "level: expected a number, got the text 'x'"),
    ],
)
def test_the_words_say_what_was_wanted(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_what_is_as_good_is_taken():
    assert recte.score(GOLD, (text for text in ["He goes ."] * 4)).score == 1
    assert recte.score(GOLD, np.array(["He goes ."] * 4)).score == 1
    assert recte.Edit(np.int64(0), 1, ["a"]) == recte.Edit(0, 1, ("a",))
    assert recte.Resampling(level=np.float64(0.9), resamples=np.int32(100)).resamples == 100

    @check_arguments
    def called(*paths: str | Path, **options: int) -> int:
        return len(paths)

    assert called("a", Path("b"), more=3) == 2
    with pytest.raises(InputError, match="paths: expected a path, got int"):
        called("a", 3)


@pytest.mark.parametrize(
    "wrong",
    [{"matches": 10**12}, {"sigma": float("nan")}, {"sigma": float("inf")}, {"beta": float("nan")}, {"beta": -1}],
    ids=str,
)
def test_trueskill_plays_a_number_of_matches_that_ends(wrong):
    with pytest.raises(OptionError, match="up to 1,000,000,000 matches"):
        TrueSkill(**wrong)
    with pytest.raises(InputError, match="matches: expected a whole number, got float"):
        TrueSkill(matches=float("nan"))
    with pytest.raises(InputError, match="tables: expected up to 1,000,000,000 matches"):
        TrueSkill().runs(np.full((1, 3, 3), 10**12), 3, 0)
    assert np.isfinite(TrueSkill().expected(np.full((1, 3, 3), 10**12))).all()


def test_names_of_files_do_not_fill_the_screen():
    with pytest.raises(InputError) as caught:
        recte.read_m2("x" * 5000)
    assert len(str(caught.value)) < 400
    assert caught.value.file == "x" * 5000


def test_an_alias_is_what_it_stands_for():
    alias = SimpleNamespace(__value__=SimpleNamespace(__value__=np.ndarray))  # as NumPy 2.5 declares NDArray
    assert not _fits(None, alias)
    assert _fits(np.ones(2), alias)
    assert _in_words(alias) == "an array"
