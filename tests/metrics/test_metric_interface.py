"""The interface between metrics and everything else: names, options, weights, and what is asked of a metric."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from recte import Corpus, Gleu, IMeasure, InputError, MaxMatch, OptionError, _kernels
from recte.cli import main
from recte.cli.metric_flags import MetricOptions
from recte.cli.parser import Parser
from recte.corpus.counts import ABSENT
from recte.metrics import Bleu, load_metrics, metric_class, metric_names, register, registry
from recte.metrics.base import Metric, option
from recte.metrics.explanation import explain

GOLD = Corpus.from_references(
    ["h g .", "i a ."], [["h G .", "i a ."]]
)  # characters, and as many: some metrics want it so
SYSTEM = recte.System("s", ("h G .", "i n ."))
SYSTEMS = {"s": SYSTEM, "other": recte.System("other", ("h g .", "i a ."))}


@dataclass(frozen=True, kw_only=True)
class Louder(Gleu):
    """GLEU under another name, with options whose names are taken."""

    name: ClassVar[str] = "louder"
    quiet: bool = option(False, "the command has a flag of that name")
    weight: str = option("heavy", "the I-measure has an option of that name and another type")
    loudness: int = option(11, "nobody else has it")


@dataclass(frozen=True, kw_only=True)
class Edit(Gleu):
    """GLEU under another name, with an option whose own form would be a flag of m2's."""

    name: ClassVar[str] = "edit"
    weights: str = option("", "nobody can set it for this metric alone beside m2")


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


@pytest.fixture
def installed(monkeypatch):
    """Entry points as packages would have them."""

    def install(*points):
        monkeypatch.setattr(registry, "_iterate_installed", lambda: points)
        registry._entries.cache_clear()

    yield install
    monkeypatch.undo()
    registry._entries.cache_clear()


def test_a_metric_is_found_by_entry_point_and_alias(installed):
    installed(entry("louder", "test_metric_interface:Louder"), entry("loud", "test_metric_interface:Louder"))
    actual = metric_class("louder")
    assert actual is metric_class("loud")
    assert actual.name == "louder"
    assert [name for name in metric_names() if name.startswith("lou")] == ["loud"]  # one name for each metric
    assert "louder" in load_metrics()[0]
    assert recte.score(["a b"], ["a c"], references=[["a c"]], metric="loud", loudness=3).metric == "louder"


def test_what_is_wrong_with_a_package_is_one_line(installed, capsys):
    installed(
        entry("absent", "no_such_module:Metric"),
        entry("misnamed", "test_metric_interface:Louder"),
        entry("gleu", "test_metric_interface:Louder"),
    )
    with pytest.raises(OptionError, match="metric absent of another package: cannot be loaded: ModuleNotFoundError"):
        metric_class("absent")
    with pytest.raises(OptionError, match=r"expected a class whose name is .*, got 'louder'"):
        metric_class("misnamed")
    assert metric_class("gleu") is Gleu  # our own names cannot be taken
    assert len(load_metrics()[1]) == 2
    assert main(["--list"]) == 0  # the others are still listed
    listed = capsys.readouterr()
    assert "GLEU" in listed.out
    assert listed.err.count("recte: warning: metric ") == 2


def test_every_metric_is_in_the_namespace_of_metrics():
    for name in metric_names():
        cls = metric_class(name)
        assert getattr(recte.metrics, cls.__name__) is cls
        assert cls.__name__ in dir(recte.metrics)


def test_a_program_can_register_a_metric(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    register(Louder)
    assert metric_class("louder") is Louder
    assert metric_names()[-1] == "louder"
    with pytest.raises(OptionError, match="expected a new name, got 'gleu'"):
        register(Gleu)


def asked(words: str) -> list[Metric]:
    parser = Parser()
    parser.add_argument("-q", "--quiet", action="store_true")
    MetricOptions.add_flags(parser)
    return MetricOptions.from_values(vars(parser.parse_args(words.split()))).make_metrics()


def test_flags_that_are_taken_get_the_metric_s_name(installed):
    installed(entry("louder", "test_metric_interface:Louder"))
    (metric,) = asked("-m louder --louder-quiet --louder-weight light --loudness 3 --orders 2")
    assert (metric.quiet, metric.weight, metric.loudness, metric.orders) == (True, "light", 3, 2)
    assert asked("-q -m imeasure --weight 3")[0].weight == 3.0
    with pytest.raises(OptionError, match="--loudness: none of the metrics m2 has it"):
        asked("--loudness 3")


def test_an_option_can_be_set_for_one_metric_of_several():
    by_name = {metric.name: metric for metric in asked("-m m2 errant gleu --beta 2 --m2-beta 1 --gleu-orders 2")}
    assert (by_name["m2"].beta, by_name["errant"].beta, by_name["gleu"].orders) == (1.0, 2.0, 2)
    assert asked("-m m2 --m2-beta 1 --beta 2")[0].beta == 1.0  # whichever stands first
    first, second = asked("-m m2 imeasure --m2-mix --no-imeasure-mix")
    assert (first.mix, second.mix) == (True, False)
    both = asked("-m bertscore scribendi perplexity --model here --bertscore-model a --scribendi-model=b")
    assert [metric.model for metric in both] == ["a", "b", "here"]
    with pytest.raises(OptionError, match="--m2-beta: expected m2 among the metrics gleu"):
        asked("-m gleu --m2-beta 1")
    with pytest.raises(SystemExit):  # a metric's own choices, not those of all that share the option
        asked("-m m2 errant --m2-behaviour gec-metrics")
    assert asked("-m m2 errant --errant-behaviour gec-metrics")[1].behaviour == "gec-metrics"


def test_a_metric_s_own_form_never_takes_another_flag(installed):
    installed(entry("edit", "test_metric_interface:Edit"))
    first, second = asked("-m m2 edit --edit-weights length --edit-orders 3")
    assert (first.edit_weights, second.weights, second.orders) == ("length", "", 3)


def test_a_command_loads_only_the_metrics_that_it_is_asked_for(monkeypatch):
    loaded = []
    monkeypatch.setattr(registry.MetricEntry, "load", lambda entry: loaded.append(entry.names[0]) or Gleu)
    asked("-m gleu")
    assert set(loaded) == {"gleu"}
    asked("-m gleu --orders=2 --dra expected")  # short for --draws
    assert set(loaded) == {"gleu"}
    with pytest.raises(SystemExit):
        asked("-m gleu --help all")
    assert {item.names[0] for item in registry.BUILT_IN} <= set(loaded)


def test_score_takes_a_metric_or_its_name():
    texts = ["h G .", "i a ."]
    assert recte.score(GOLD, texts, metric=Gleu(orders=2)) == recte.score(GOLD, texts, metric="gleu", orders=2)
    with pytest.raises(OptionError, match="expected options of the metric inside gleu"):
        recte.score(GOLD, texts, metric=Gleu(), orders=2)
    with pytest.raises(OptionError, match="ordres: expected an option of gleu"):
        recte.score(GOLD, texts, metric="gleu", ordres=2)
    with pytest.raises(InputError, match="metric: expected a string or a Metric, got the class Gleu"):
        recte.score(GOLD, texts, metric=Gleu)


def test_numbers_of_any_library_are_options():
    assert type(MaxMatch(beta=np.float64(0.5)).beta) is float
    assert type(MaxMatch(beta=1).beta) is float
    assert type(Gleu(orders=np.int64(2)).orders) is int
    assert MaxMatch(mix=np.True_).mix is True
    for wrong in ({"beta": True}, {"beta": "1"}, {"max_lattice": 2.0}, {"mix": 1}):
        with pytest.raises(OptionError, match=r"expected (float|int|bool), got"):
            MaxMatch(**wrong)


@pytest.mark.parametrize("metric", [MaxMatch(), Bleu(), IMeasure(optimise_level="corpus")], ids=lambda m: m.name)
def test_weights_that_do_not_fit_are_refused(metric):
    counts = metric.prepare(GOLD).count(["h G .", "i e ."])
    for wrong in (np.ones((1, 3)), np.ones((1, 1), dtype=np.int32), np.ones(2), -np.ones((1, 2)), [["a", "b"]]):
        with pytest.raises(InputError, match="weights: expected"):
            metric.score_many(counts, np.asarray(wrong))
    with pytest.raises(InputError, match="weights: expected numbers from 0"):
        metric.score_many(counts, np.array([[np.nan, 1.0]]))
    whole = metric.score_many(counts, np.array([[2, 1]]))
    assert metric.score_many(counts, np.array([[2.0, 1.0]])) == whole


def test_fractions_are_weights_where_sums_are_enough():
    counts = Bleu().prepare(GOLD).count(["h G .", "i e ."])
    assert Bleu().score_many(counts, np.array([[1.0, 0.5]])) == Bleu().score_many(counts, np.array([[2, 1]]))
    for metric in (MaxMatch(), IMeasure(optimise_level="corpus")):
        counts = metric.prepare(Corpus.from_references(["a", "b"], [["A", "B"], ["x", "y"]])).count(["A", "b"])
        with pytest.raises(InputError, match="weights: expected whole numbers"):
            metric.score_many(counts, np.array([[0.5, 0.5]]))


@pytest.mark.parametrize("name", metric_names())
@pytest.mark.parametrize("texts", [["h G ."], ["h G .", "i a .", "h G ."]], ids=["few", "many"])
def test_hypotheses_that_do_not_fit_are_refused_everywhere(name, texts):
    scorer = metric_class(name)().prepare_with(GOLD, SYSTEMS)
    calls = [
        scorer.count,
        lambda t: explain(scorer, t, 1),
        lambda t: scorer.count_and_align(recte.System("s", tuple(t))),
    ]
    if scorer.metric.judges_edits:
        calls.append(scorer.judged_edits)
    if scorer.metric.counts_types:
        counts = scorer.count(["h G .", "i a ."])
        calls.append(lambda t: scorer.count_types(recte.System("s", tuple(t)), counts))
    for call in calls:
        with pytest.raises(InputError, match="expected 2 hypotheses, one for each source sentence, got"):
            call(texts)


@pytest.mark.parametrize("name", metric_names())
def test_nothing_to_score_has_no_score(name):
    metric = metric_class(name)()
    counts = metric.prepare_with(GOLD, SYSTEMS).count(SYSTEM)
    nothing = counts.select(np.zeros(len(counts), dtype=np.bool_))
    with pytest.raises(InputError, match=f"counts: expected at least one sentence to score by {name}, got none"):
        metric.score_counts(nothing)
    with pytest.raises(InputError, match="expected at least one sentence"):
        metric.score_many(nothing, np.ones((1, 0)))
    with pytest.raises(InputError, match="weights: expected a sentence that counts in each row, got a row of zeros"):
        metric.score_many(counts, np.array([[1, 1], [0, 0]]))


@pytest.mark.parametrize("name", metric_names())
def test_a_metric_can_do_what_it_says(name):
    """Flags and methods go together."""
    scorer = metric_class(name)().prepare_with(GOLD, SYSTEMS)
    system = SYSTEM
    if scorer.metric.judges_edits:
        assert len(scorer.judged_edits(system)) == 2
        assert len(scorer.metric.chosen_columns(scorer.count(system))) == 2
    if scorer.metric.counts_types:
        assert scorer.count_types(system, scorer.count(system)).types is not None
    assert explain(scorer, system, 2).source == "i a ." or name.startswith("char")
    counts, aligned = scorer.count_and_align(system)
    assert counts.rows.dtype == scorer.metric.dtype
    assert aligned is None or len(aligned) == 2


@pytest.mark.parametrize("rule", [0, 1], ids=["running", "optimal"])
@given(st.lists(st.lists(st.tuples(*[st.integers(-1, 3)] * 3), min_size=2, max_size=2), min_size=1, max_size=5))
def test_annotators_are_chosen_alike_from_floats(rule, table):
    """Rows of whole numbers, and the same numbers as floats with NaN for what is absent: one kernel for both."""
    rows = np.array(table, dtype=np.int32)
    rows[..., 1:] = np.maximum(rows[..., 1:], rows[..., :1])  # no more is right than was proposed or wanted
    rows[rows[..., 0] < 0] = ABSENT
    floats = np.where(rows == ABSENT, np.nan, rows.astype(np.float64))
    chosen = _kernels.choose_annotators(rows, 0.5, rule).tolist()
    assert _kernels.choose_annotators(floats, 0.5, rule).tolist() == chosen
    assert _kernels.choose_annotators(floats / 2, 0.5, rule).tolist() == chosen
    weights = np.array([[1] * len(rows), [2] * len(rows)], dtype=np.int32)
    sums = [_kernels.sum_choices(counts, weights, 0.5, rule, 1) for counts in (rows, floats)]
    assert np.array_equal(*sums)
