"""The charts of a report: which there are, what they say, and that Vega-Lite can draw them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

import altair as alt

import recte.sample
from recte import Corpus, Edit, System, read_m2, read_system
from recte.cli import main
from recte.edits.projection import segmented
from recte.edits.references import annotators_of
from recte.errors import InputError
from recte.evaluation.evaluation import Evaluation, evaluate
from recte.metrics import metric_class, metric_names
from recte.output.charts.overview import overview_charts
from recte.output.charts.scores import significance_chart
from recte.output.charts.theme import chart_config, for_paper
from recte.output.charts.writing import chart_bytes, write_charts
from recte.statistics.comparison import compare_systems
from recte.studies.conservatism.change_profiles import conservatism_of
from recte.studies.conservatism.tables import profile_label
from recte.text.segmenters import Characters
from shared_data import shared

ODD_NAMES = ["a.b[0]", 'it\'s "<b>bold</b>"', "<script>alert(1)</script>", "${datum.x} \\ 中文 עברית", "x" * 200]


def gathered(names=("heron", "wren", "magpie"), metrics=("m2", "imeasure", "gleu"), called=None) -> Evaluation:
    """The sample's systems, under other names where they are `called` so."""
    sample = Path(recte.sample.__file__).parent
    gold = read_m2(sample / "gold.m2")
    systems = [
        System(called[i] if called else name, read_system(sample / "systems" / f"{name}.txt").outputs)
        for i, name in enumerate(names)
    ]
    return evaluate(gold, systems, [metric_class(metric)() for metric in metrics])


def values_of(chart: dict) -> list[dict]:
    return [row for rows in chart["datasets"].values() for row in rows]


def texts_drawn(chart: dict) -> str:
    return chart_bytes(for_paper(chart), "svg").decode()


def fields(part) -> set[str]:
    """Every field that a specification names."""
    if isinstance(part, list):
        return set().union(*map(fields, part))
    if isinstance(part, dict):
        ours = {part["field"]} if isinstance(part.get("field"), str) else set()
        return ours.union(*(fields(value) for key, value in part.items() if key != "datasets"))
    return set()


@pytest.fixture(scope="module")
def charts():
    return overview_charts(gathered())


def test_charts_come_in_the_order_they_are_shown(charts):
    assert list(charts) == [
        "scores-m2",
        "scores-imeasure",
        "scores-gleu",
        "significance-m2",
        "significance-imeasure",
        "significance-gleu",
        "precision-recall-m2",
        "error-types",
        "sentence-scores-m2",
        "sentence-scores-imeasure",
        "sentence-scores-gleu",
        "metric-scatter-m2-imeasure",
        "metric-scatter-m2-gleu",
        "metric-scatter-imeasure-gleu",
        "conservatism",
    ]


def test_every_chart_has_a_title_a_description_and_tooltips_but_no_look(charts):
    for chart in charts.values():
        assert chart["title"]["text"]
        assert re.fullmatch(r"[^\n]+\.", chart["description"])
        assert "config" not in chart
        assert isinstance(chart["width"], int)
        marks = [layer for layer in chart["layer"] if layer["mark"]["type"] != "text"]
        assert marks
        assert all("tooltip" in layer["encoding"] for layer in marks)


def test_every_chart_is_vega_lite_and_can_be_drawn(charts):
    for chart in charts.values():
        alt.Chart.from_dict(for_paper(chart))  # against Vega-Lite's schema
        for dark in (False, True):
            svg = chart_bytes({**chart, "config": chart_config(dark)}, "svg").decode()
            assert "NaN" not in svg
            assert "undefined" not in svg


def test_scores_are_those_of_the_table_best_first(charts):
    systems = [row for row in values_of(charts["scores-m2"]) if "score" in row]
    assert [(row["system"], round(row["score"], 2)) for row in systems] == [
        ("heron", 81.30),
        ("wren", 64.25),
        ("magpie", 6.19),
    ]
    assert round(systems[0]["low"], 2) == 70.83
    assert round(systems[0]["high"], 2) == 90.55
    assert charts["scores-m2"]["description"] == (
        "MaxMatch (M²) of 3 systems: heron is best with F0.5 81.30, magpie last with 6.19."
    )


def test_doing_nothing_is_marked_by_a_shape_where_it_can_win(charts):
    assert "do-nothing" not in json.dumps(charts["scores-m2"])
    idle = charts["scores-gleu"]
    diamonds = [layer for layer in idle["layer"] if layer["mark"].get("shape") == "diamond"]
    assert [row["system"] for row in idle["datasets"][diamonds[0]["data"]["name"]]] == ["do-nothing"]
    assert "2 of 3 score better than doing nothing (30.13)" in idle["description"]


def test_precision_and_recall_are_the_metric_s_with_lines_of_equal_f(charts):
    rows = values_of(charts["precision-recall-m2"])
    heron = next(row for row in rows if row.get("system") == "heron" and "score" in row)
    assert (round(heron["x"], 2), round(heron["y"], 2)) == (80.00, 81.63)
    lines = [row for row in rows if "f" in row]
    assert lines
    for row in lines:
        assert 1.25 * row["x"] * row["y"] / (0.25 * row["y"] + row["x"]) == pytest.approx(row["f"], rel=0.01)


def test_a_system_without_edits_has_no_precision():
    gold = Corpus.from_edits(["He go .", "I is ."], [[[Edit(1, 2, ("goes",))]], [[Edit(1, 2, ("am",))]]])
    systems = [System("idle", ("He go .", "I is .")), System("half", ("He goes .", "I is ."))]
    chart = overview_charts(evaluate(gold, systems, [metric_class("m2")()]))["precision-recall-m2"]
    assert "idle" in chart["title"]["subtitle"][1]
    assert {row["system"] for row in values_of(chart) if "system" in row} == {"half"}
    assert "precision-recall-m2" not in overview_charts(evaluate(gold, systems[:1], [metric_class("m2")()]))


def test_recall_by_error_type_is_that_of_the_score_table(charts, sample, capsys):
    main(["score", "gold.m2", "systems/wren.txt", "--by-type", "-f", "json", "--no-ci"])
    types = json.loads(capsys.readouterr().out)["scores"][0]["types"]
    rows = {row["type"]: row for row in values_of(charts["error-types"]) if row["system"] == "wren"}
    assert {name: (row["right"], row["of"]) for name, row in rows.items()} == {
        name: (figures["found"], figures["gold"]) for name, figures in types.items() if figures["gold"]
    }


def test_precision_by_type_is_shown_where_systems_give_their_edits():
    gold = Corpus.from_edits(["He go .", "I is ."], [[[Edit(1, 2, ("goes",), "SVA")]], [[Edit(1, 2, ("am",), "SVA")]]])
    ours = ((Edit(1, 2, ("goes",), "SVA"),), (Edit(0, 1, ("We",), "Pron"), Edit(1, 2, ("are",), "SVA")))
    system = System("mine", ("He goes .", "We are ."), ours)
    charts = overview_charts(evaluate(gold, [system], [metric_class("m2")()]))
    rows = {row["type"]: (row["right"], row["of"]) for row in values_of(charts["error-types-precision"])}
    assert rows == {"SVA": (1, 2), "Pron": (0, 1)}
    assert {row["type"]: row["rate"] for row in values_of(charts["error-types"])} == {"SVA": 50.0}


def test_many_systems_make_a_heat_map_and_rare_types_stand_together():
    sources = [f"w{i} go ." for i in range(20)]
    edits = [[[Edit(1, 2, ("goes",), f"type {i}")] * (2 if i < 3 else 1)] for i in range(20)]
    gold = Corpus.from_edits(sources, edits)
    systems = [System(f"s{n}", tuple(s.replace("go", "goes" if n else "go") for s in sources)) for n in range(5)]
    chart = overview_charts(evaluate(gold, systems, [metric_class("m2")()]))["error-types"]
    types = list(dict.fromkeys(row["type"] for row in values_of(chart)))
    assert len(types) == 15
    assert "all other types" in types
    assert {layer["mark"]["type"] for layer in chart["layer"]} == {"rect", "text"}


def test_every_sentence_is_in_the_distribution(charts):
    for metric in ("m2", "imeasure", "gleu"):
        rows = values_of(charts[f"sentence-scores-{metric}"])
        for system in ("heron", "wren", "magpie"):
            assert sum(row["sentences"] for row in rows if row["system"] == system and "sentences" in row) == 40


def test_significant_differences_carry_a_star(charts):
    labels = {(row["row"], row["column"]): row["label"] for row in values_of(charts["significance-imeasure"])}
    assert labels == {("heron", "wren"): "+28.1", ("heron", "magpie"): "+85.5*", ("wren", "magpie"): "+57.4*"}
    assert "2 of 3 pairs differ significantly" in charts["significance-imeasure"]["description"]


def test_too_few_trials_for_many_pairs_are_told():
    data = gathered(["heron"] * 11 + ["magpie"], ["m2"], called=[f"s{n}" for n in range(12)])
    metric = data.metrics[0]
    counts = [metric.prepare(data.corpus).count(system) for system in data.systems]
    told = "so few trials cannot call any of so many pairs significant"
    for test, tells in (("bootstrap", True), ("bootstrap-normal", False)):
        chart = significance_chart(metric, compare_systems(counts, metric=metric, test=test))
        assert (told in " ".join(chart["title"]["subtitle"])) == tells
        assert any(row["sure"] for row in values_of(chart)) != tells


def test_changed_sentences_are_those_of_the_conservatism_study(charts):
    data = gathered()
    sources = [" ".join(sentence.tokens) for sentence in data.corpus]
    study = conservatism_of(sources, data.systems, annotators_of(data.corpus))
    rows = {row["who"]: row["changed"] for row in values_of(charts["conservatism"]) if "who" in row}
    assert rows == {profile_label(profile): profile.changed_sentences for profile in study.profiles}


def test_texts_that_are_cut_again_are_not_changed_by_it():
    gold = segmented(Corpus.from_references(["他 去 学校", "我 好"], [["他 去 了 学校", "我 好"]]), Characters())
    system = System("same", ("他去学校", "我好"))
    chart = overview_charts(evaluate(gold, [system], [metric_class("m2")()]))["conservatism"]
    assert {row["who"]: row["changed"] for row in values_of(chart) if "who" in row} == {"same": 0, "annotator 0": 1}


def test_one_system_and_one_metric_leave_out_what_compares():
    charts = overview_charts(gathered(["wren"], ["gleu"]))
    assert list(charts) == ["scores-gleu", "error-types", "sentence-scores-gleu", "conservatism"]
    assert "wren has GLEU" in charts["scores-gleu"]["description"]
    for chart in charts.values():
        texts_drawn(chart)


def test_any_text_is_a_name():
    charts = overview_charts(gathered(["heron", "wren", "magpie", "wren", "heron"], called=ODD_NAMES))
    for name, chart in charts.items():
        assert fields(chart) <= set().union(*map(set, values_of(chart))), "fields are ours, names are values"
        svg = texts_drawn(chart)
        assert "<script" not in svg
        assert "<b>" not in svg
        if name != "sentence-scores-m2":
            assert "a.b[0]" in svg
    assert "it's &quot;" in texts_drawn(charts["scores-m2"]) or "it's \"" in texts_drawn(charts["scores-m2"])


def test_a_system_called_do_nothing_is_a_system():
    charts = overview_charts(gathered(["heron", "wren"], called=["do-nothing", "other"]))
    assert set(charts) >= {"scores-gleu", "metric-scatter-m2-gleu", "precision-recall-m2"}
    for chart in charts.values():
        texts_drawn(chart)


def test_every_metric_can_be_drawn():
    data = gathered(metrics=[name for name in metric_names() if name not in ("csc", "cherrant")])  # which want Chinese
    for name, chart in overview_charts(data).items():
        json.dumps(chart, allow_nan=False)
        assert "NaN" not in texts_drawn(chart), name


def test_references_have_operations_for_types():
    gold = Corpus.from_references(["He go .", "I is ."], [["He goes .", "I am ."]])
    systems = [System("a", ("He goes .", "I is .")), System("b", ("He goes .", "I is ."))]
    charts = overview_charts(evaluate(gold, systems, [metric_class("m2")(), metric_class("gleu")()]))
    assert {row["type"] for row in values_of(charts["error-types"])} == {"words replaced"}
    for chart in charts.values():  # equal systems: equal points
        assert "NaN" not in texts_drawn(chart)


def test_specifications_stay_small_on_a_shared_task():
    systems = sorted(shared("data", "conll14", "systems").glob("*.txt"))
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = [read_system(path) for path in systems]
    charts = overview_charts(evaluate(gold, outputs, [metric_class(m)() for m in ("m2", "imeasure", "gleu")]))
    assert len(json.dumps(charts, ensure_ascii=False)) < 250_000
    assert charts["scores-m2"]["description"].startswith("MaxMatch (M²) of 12 systems: CAMB is best with F0.5 37.33")


def test_files_are_written_in_every_format(charts, tmp_path):
    item = {"scores-m2": for_paper(charts["scores-m2"])}
    written = write_charts(item, tmp_path / "new" / "folder", ("svg", "png", "pdf", "json"))
    beginnings = [path.read_bytes()[:4] for path in written]
    assert beginnings == [b"<svg", b"\x89PNG", b"%PDF", b'{\n "']
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        write_charts(item, tmp_path / "file", ("json",))


def test_the_command_writes_what_the_report_shows(sample, capsys):
    assert (
        main(["figures", "gold.m2", "systems/heron.txt", "systems/wren.txt", "--to", "out", "--formats", "json"]) == 0
    )
    printed = capsys.readouterr().out.split()
    assert sorted(printed) == sorted(str(path) for path in Path("out").iterdir())
    assert json.loads(Path("out/scores-m2.json").read_text())["background"] == "white"


def test_the_command_says_what_is_missing(sample, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert main(["figures", "gold.m2", "systems/heron.txt"]) == 2
    assert capsys.readouterr().err == (
        "recte: charts: needs vl_convert, which is not installed: pip install 'recte[report]'\n"
    )
    assert main(["figures", "gold.m2"]) == 2
    assert not Path("figures").exists()
