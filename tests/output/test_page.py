"""The page: complete, self-contained, and deaf to markup in what it shows."""

from __future__ import annotations

import gzip
import html
import json
import os
import random
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from recte import Corpus, Gleu, IMeasure, MaxMatch, System
from recte.caching.user_folder import read_own_file
from recte.cli import main
from recte.evaluation.evaluation import evaluate
from recte.metrics import Csc
from recte.metrics.attribution import attribute
from recte.output.charts.overview import overview_charts
from recte.output.page.explorer import explorer_data
from recte.output.page.template import pack_json
from recte.output.page.writing import render_page, vega_script

pytest.importorskip("vl_convert")

EVIL = '<script>alert("x")</script>'
METRICS = (MaxMatch(), IMeasure(), Gleu())


def page_of(sources, references, systems, metrics=METRICS):
    corpus = Corpus.from_references(sources, references)
    data = evaluate(corpus, [System(name, tuple(texts)) for name, texts in systems.items()], metrics, name="a gold")
    return data, render_page(data, overview_charts(data))


def embedded(page, element):
    packed = re.search(rf'id="{element}">(.*?)</script>', page, re.DOTALL).group(1)
    return json.loads(gzip.decompress(b64decode(packed)))


def test_nothing_from_a_file_becomes_markup():
    sources, outputs = [f"He {EVIL} go ."] * 6, [f"He {EVIL} goes </script> ."] * 6
    _, page = page_of(sources, [["He goes ."] * 6], {f"good {EVIL}": outputs, "idle & 'quoted'": sources})
    assert "<script>alert" not in page
    data = embedded(page, "explorer-data")
    assert data["sentences"][0]["source"] == f"He {EVIL} go ."
    assert data["systems"][0] == f"good {EVIL}"
    assert page.count("</script>") == 5  # the scheme, two of data, Vega, our own


def test_the_page_needs_no_network():
    _, page = page_of(["He go ."] * 6, [["He goes ."] * 6], {"good": ["He goes ."] * 6})
    outside_vega = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!#)', outside_vega)
    assert "@import" not in outside_vega
    assert "url(" not in outside_vega


def test_what_the_explorer_is_told():
    data, _ = page_of(
        ["He go home .", "I am ."] * 3,
        [["He goes home .", "I am ."] * 3],
        {"good": ["He goes home .", "I am ."] * 3, "bad": ["He go house .", "I am ."] * 3},
    )
    told = explorer_data(data)
    first, second = told["sentences"][:2]
    assert (first["source"], first["outputs"]) == ("He go home .", ("He goes home .", "He go house ."))
    assert second["outputs"] == (None, None)
    annotator, edits = first["judged"][0][0]
    assert (annotator, edits) == (0, [[0, 1, 2, "goes", told["types"].index("R")]])
    assert sorted(edit[0] for edit in first["judged"][0][1][1]) == [1, 2]
    reference, columns = first["aligned"]["systems"][1]
    assert (first["aligned"]["references"][reference], columns) == ("He goes home .", "7777")
    assert len(told["scores"]) == 3
    assert told["orders"] == 4
    assert told["ngram_metrics"] == ["GLEU"]


def test_texts_are_as_they_stood_and_tokens_follow_where_they_must():
    corpus = Corpus.from_references(["He  go", "I am", "We"], [["He goes", "I am", "We"]])
    data = evaluate(corpus, [System("mine", ("He  goes", "I\u3000am ", "We "))])
    outputs = [sentence["outputs"][0] for sentence in explorer_data(data)["sentences"]]
    assert outputs == ["He  goes", ["I\u3000am", "I am"], None]


def test_what_each_edit_is_worth_is_told_on_request():
    corpus = Corpus.from_references(["He go home .", "I am ."], [["He goes home .", "I am ."]])
    system = System("mine", ("He goes home !", "I am ."))
    assert "worth" not in explorer_data(evaluate(corpus, [system]))["sentences"][0]
    data = evaluate(corpus, [system], [MaxMatch(), Gleu()], attribute=True)
    of_system = [sentence["worth"][0] for sentence in explorer_data(data)["sentences"]]
    by_m2, by_gleu = (attribute(metric.prepare(corpus), system, 1).edits for metric in data.metrics)
    assert of_system == [
        [
            [a.original, a.correction, round(a.leave_one_out, 4), round(b.leave_one_out, 4)]
            for a, b in zip(by_m2, by_gleu, strict=True)
        ],
        [],
    ]
    assert [row[1] for row in of_system[0]] == ["goes", "!"]
    assert of_system[0][0][2] > 0 > of_system[0][1][2]


def test_metrics_that_cut_a_text_otherwise_have_rows_of_their_own():
    corpus = Corpus.from_references(["我心高天汽"], [["我高心天气"]])
    data = evaluate(
        corpus, [System("mine", ("我高心天气",))], [MaxMatch(), Csc(convention="character")], attribute=True
    )
    (rows,) = explorer_data(data)["sentences"][0]["worth"]
    assert [row[:2] for row in rows] == [["我心高天汽", "我高心天气"], ["心", "高"], ["高", "心"], ["汽", "气"]]
    assert [row[2] is None for row in rows] == [False, True, True, True]
    assert [row[3] is None for row in rows] == [True, False, False, False]


def test_a_single_system_and_metric_and_few_sentences():
    data, page = page_of(["He go ."], [["He goes ."]], {"only": ["He goes ."]}, (MaxMatch(),))
    assert data.comparisons == {}
    assert data.aligned == {}
    assert "who beats whom" not in page
    assert "aligned" not in explorer_data(data)["sentences"][0]


def test_edits_are_shown_without_maxmatch_too():
    data, _ = page_of(["He go ."] * 5, [["He goes ."] * 5], {"only": ["He goes ."] * 5}, (Gleu(),))
    assert data.judged["only"][0].edits[0].verdict == "correct"


def test_the_page_of_many_sentences_stays_small():
    words = ["the", "a", "man", "dog", "sees", "goes", "to", "home", "was", "in", "on", "red", "of", "it", "never"]
    draw = random.Random(1)
    sources = [" ".join(draw.choices(words, k=20)) for _ in range(1000)]
    references = [[draw.choice(words) + source[source.index(" ") :] for source in sources] for _ in range(2)]
    systems = {f"s{n}": [" ".join(draw.sample(s.split(), 20)) for s in sources] for n in range(3)}
    data, _ = page_of(sources, references, systems, (MaxMatch(), Gleu()))
    assert len(pack_json(explorer_data(data))) < 400_000  # 5 MB for ten thousand, less Vega's own


def test_report_command(sample, capsys):
    systems = ["systems/heron.txt", "systems/wren.txt"]
    arguments = ["report", "gold.m2", *systems, "-m", "m2", "gleu", "--figures", "pictures", "--formats", "svg"]
    assert main([*arguments, "-o", "out.html", "--title", "Mine & <yours>"]) == 0
    assert "open it in a browser" in capsys.readouterr().err
    page = (sample / "out.html").read_text(encoding="utf-8")
    assert "<title>Mine &amp; &lt;yours&gt;: 2 systems by MaxMatch (M²) and GLEU</title>" in page
    assert (sample / "pictures" / "scores-m2.svg").read_text(encoding="utf-8").startswith("<svg")
    assert main(["report", "gold.m2"]) == 2
    assert "expected at least one system" in capsys.readouterr().err
    assert main(["report", "gold.m2", systems[0], "-o", "nowhere/out.html"]) == 2


def test_what_people_say_is_on_the_page_too(sample):
    systems = [f"systems/{name}.txt" for name in ("heron", "magpie", "wren")]
    arguments = ["report", "gold.m2", *systems, "-m", "m2", "gleu", "--human", "judgments.tsv", "-q"]
    assert main([*arguments, "-o", "out.html"]) == 0
    page = (sample / "out.html").read_text(encoding="utf-8")
    people = page[page.index('id="people"') : page.index('id="charts"')]
    shown = re.findall('data-chart="([^"]+)"', people)
    clusters = ["metric-clusters-system", "metric-clusters-sentence"]
    assert shown == ["ranking", *clusters, "scatter-expected-wins", "windows-expected-wins"]
    charts = json.loads(re.search('id="chart-data">(.*?)</script>', page, re.DOTALL).group(1))["charts"]
    assert not any("config" in charts[name] for name in shown)  # light and dark are the page's
    assert all(charts[name]["description"] for name in shown)
    assert "Judges rank 3 systems" in people


def test_a_system_that_does_nothing_stands_for_doing_nothing():
    sources, references = ["He go .", "I am ."] * 4, [["He goes .", "I am ."] * 4]
    data, page = page_of(sources, references, {"good": references[0], "INPUT": [f"{s} " for s in sources]})
    assert data.do_nothing_name == "INPUT"
    assert [score.system for score in data.scores["gleu"]] == ["good", "INPUT"]
    assert "do-nothing" not in page
    other, _ = page_of(sources, references, {"good": references[0]})
    assert other.do_nothing_name == "do-nothing"
    assert [score.system for score in other.scores["gleu"]] == ["good", "do-nothing"]


def test_beats_means_significantly_better_everywhere():
    good, level, poor = ["He goes ."] * 30, ["He goes ."] * 29 + ["He go ."], ["He gone ."] * 30
    systems = {"good": good, "level": level, "poor": poor}
    data, page = page_of(["He go ."] * 30, [["He goes ."] * 30], systems, (MaxMatch(),))
    comparison = data.comparisons["m2"]
    pair, _ = comparison.pair("good", "level")
    assert not comparison.is_significant(pair)
    assert "beats 1 of 2 others, and does not differ significantly from level" in page
    charts = overview_charts(data)
    assert "does not differ significantly from the second, level" in charts["significance-m2"]["description"]
    assert not any(" beat" in charts[name]["description"] for name in charts if not name.startswith("significance"))


def test_a_cached_script_is_used_only_if_it_is_ours(tmp_path, monkeypatch):
    """What lies in the cache runs in every later page."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    script = vega_script()
    (cached,) = (tmp_path / "recte").glob("vega-*.js")
    assert vega_script() == script
    cached.write_text("alert(1)")  # another content under this name
    assert vega_script() == script
    cached.unlink()
    elsewhere = tmp_path / "elsewhere.js"
    elsewhere.write_text(script)
    cached.symlink_to(elsewhere)
    assert read_own_file(cached) is None
    cached.unlink()
    os.mkfifo(cached)  # reading it would wait for ever
    assert read_own_file(cached) is None
    assert vega_script() == script
    shared = tmp_path / "shared.js"
    shared.write_text(script)
    shared.chmod(0o666)
    assert read_own_file(shared) is None


def test_the_page_allows_its_own_scripts_alone(sample):
    assert main(["report", "gold.m2", "systems/wren.txt", "--to", "page.html"]) == 0
    page = Path("page.html").read_text("utf-8")
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1])
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    assert len(scripts) == 3
    assert policy.startswith("default-src 'none'; ")
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes


def test_detection_of_the_i_measure_is_on_the_page():
    systems = {"good": ["He goes ."] * 30, "poor": ["He gone ."] * 30}
    data, page = page_of(["He go ."] * 30, [["He goes ."] * 30], systems, (IMeasure(), MaxMatch()))
    detection = data.score("imeasure", "poor").detection
    table = page.split('aria-label="More figures by I-measure"')[1].split("</table>")[0]
    assert f"<td>{100 * detection['wacc']:.2f}</td>" in table
    assert re.findall(r'<th scope="col">(\w+)', table)[-1] == "DI"
    assert "More figures by MaxMatch" not in page  # its own table has them all
