"""How far MaxMatch depends on the segmenter, on real data."""

from __future__ import annotations

import gc
import json
import weakref

import pytest

from recte import Gleu, MaxMatch, read_m2, read_system, segmented
from recte.cli import main
from recte.statistics import segmentation_spread
from recte.studies.segmentation.study import segmentation_spreads
from recte.text import Characters
from recte.text.segmenters import segmenter_named
from shared_data import golden_json, shared

SYSTEMS = {"convs2s": "convs2s.pkunlp", "m1m2m3": "ensemble.pkunlp"}


def counts(score):
    return score.tp, score.proposed, score.gold


def golden_counts(row):
    return row["tp"], row["prop"], row["gold"]


@pytest.fixture(scope="module")
def study():
    pytest.importorskip("jieba")
    folder = shared("data", "chinese", "nlpcc18")
    gold = read_m2(folder / "gold.m2", lenient=True)
    systems = [read_system(folder / f"{name}.txt") for name in SYSTEMS.values()]
    segmenters = [None, segmenter_named("jieba"), Characters()]
    return segmentation_spread(gold, systems, MaxMatch(behaviour="optimal"), segmenters)


def test_gold_as_published(study):
    """The golden counts come from a search without the published scorer's quirks: ours is `optimal`."""
    golden = golden_json("chinese/segmentation_experiment_nlpcc18.json")["A"]
    supplied, jieba, characters = study.segmenters
    assert characters.gold_as_given is None
    for name, system in SYSTEMS.items():
        assert counts(supplied.gold_as_given[system]) == golden_counts(golden[name]["pkunlp"])
        assert counts(jieba.gold_as_given[system]) == golden_counts(golden[name]["jieba"])
    assert counts(supplied.gold_as_given["perfect answer"]) == golden_counts(golden["ref0(perfect)"]["pkunlp"])
    perfect = jieba.gold_as_given["perfect answer"].score
    assert perfect == pytest.approx(golden["ref0(perfect)"]["jieba"]["F"], abs=2e-4)
    do_nothing = jieba.gold_as_given["do-nothing"]
    assert (do_nothing.tp, do_nothing.proposed) == (127, 3075)
    assert study.projected["do-nothing"].score == 0


def test_everything_retokenised_texts(study):
    """Edits found again from references: the golden extraction finds up to six gold edits more of 3,700."""
    golden = golden_json("chinese/segmentation_experiment_nlpcc18.json")["B"]
    _, jieba, characters = study.segmenters
    for ours, theirs in ((jieba, "jieba"), (characters, "char")):
        row = ours.all_cut_anew["convs2s.pkunlp"]
        expected = golden["convs2s"][theirs]
        assert abs(row.tp - expected["tp"]) <= 1
        assert abs(row.proposed - expected["prop"]) <= 1
        assert 0 <= expected["gold"] - row.gold <= 6
        assert row.score == pytest.approx(expected["F"], abs=2.5e-4)
        assert ours.all_cut_anew["perfect answer"].score == 1
        assert ours.all_cut_anew["do-nothing"].score == 0


def test_projected(study):
    golden = golden_json("chinese/nlpcc18_char_projected_m2.json")
    convs2s, ensemble = study.projected["convs2s.pkunlp"], study.projected["ensemble.pkunlp"]
    assert counts(convs2s) == golden_counts(golden["proj|maxun2|convs2s"])
    assert round(100 * convs2s.score, 2) == 34.00
    assert counts(study.projected["perfect answer"]) == golden_counts(golden["proj|maxun2|ref0"])
    # The golden ensemble took the path without gold for three sentences of over 150 characters, to be done in time:
    # 36.10. With these three searched as the others it is 36.18; with them taken so, the golden counts come out.
    assert round(100 * ensemble.score, 2) == 36.18
    folder = shared("data", "chinese", "nlpcc18")
    gold = segmented(read_m2(folder / "gold.m2", lenient=True), Characters())
    outputs = read_system(folder / "ensemble.pkunlp.txt")
    rows = MaxMatch(behaviour="optimal").prepare(gold).count(outputs)
    without_gold = MaxMatch(behaviour="paper").prepare(gold).count(outputs)
    for sentence in (777, 1307, 1763):
        rows.rows[sentence - 1] = without_gold.rows[sentence - 1]
    assert counts(MaxMatch(behaviour="optimal").score_counts(rows)) == golden_counts(golden["proj|maxun2|m1m2m3"])


def test_on_the_sample(sample, capsys):
    files = ["chinese/gold.m2", "chinese/systems/crane.txt"]
    assert main(["segmentation", *files, "--segmenters", "given", "characters", "-f", "json"]) == 0
    study = json.loads(capsys.readouterr().out)["segmentation"][0]
    assert study["systems"] == ["crane", "perfect answer", "do-nothing"]
    assert [s["segmenter"] for s in study["segmenters"]] == ["given", "characters"]
    assert study["segmenters"][1]["gold_as_given"] is None
    assert study["projected"]["perfect answer"]["score"] == 1
    assert main(["segmentation", *files, "--tokens", "jieba"]) == 2
    assert "use --segmenters instead" in capsys.readouterr().err


def test_normalised_gold_normalises_outputs_in_both_tables(tmp_path, capsys):
    (tmp_path / "gold.m2").write_text("S 我 有 ３ 本\nA 1 2|||R|||买|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (tmp_path / "mine.txt").write_text("我 买 ３ 本\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("gold.m2", "mine.txt")]
    options = ["--normalise", "width", "--segmenters", "given", "characters", "-f", "json"]
    assert main(["segmentation", *files, *options]) == 0
    study = json.loads(capsys.readouterr().out)["segmentation"][0]
    scores = [
        way["mine"]["score"] for s in study["segmenters"] for way in (s["gold_as_given"], s["all_cut_anew"]) if way
    ]
    assert scores == [1, 1, 1]


def test_text_without_words_has_no_gold_as_given(sample, capsys):
    assert (
        main(["segmentation", "chinese/gold.para", "chinese/crane.para", "--segmenters", "characters", "-f", "json"])
        == 0
    )
    study = json.loads(capsys.readouterr().out)["segmentation"][0]
    assert [s["gold_as_given"] for s in study["segmenters"]] == [None]
    assert main(["segmentation", "chinese/gold.para", "chinese/crane.para", "--segmenters", "given"]) == 2
    assert "since .para has no words" in capsys.readouterr().err
    assert main(["score", "chinese/gold.para", "chinese/crane.para", "--tokens", "given"]) == 2


def test_a_corpus_in_parts_has_the_scores_of_the_whole():
    folder = shared("data", "conll14")
    gold = read_m2(folder / "gold.m2")[:60]
    systems = [read_system(folder / "systems" / f"{name}.txt")[:60] for name in ("AMU", "CAMB")]
    metrics, segmenters = [MaxMatch(), Gleu()], [None, Characters()]
    cuts = [slice(0, 7), slice(7, 40), slice(40, 60)]
    parts = [(gold[cut], [system[cut] for system in systems]) for cut in cuts]
    whole = [segmentation_spread(gold, systems, metric, segmenters) for metric in metrics]
    assert segmentation_spreads(parts, metrics, segmenters) == whole


def test_a_part_is_let_go_of_before_the_next_is_read(sample):
    gold = read_m2(sample / "chinese" / "gold.m2")
    system = read_system(next(iter(sorted((sample / "chinese" / "systems").glob("*.txt")))))
    seen = []

    def read_parts():
        for first in range(0, 9, 3):
            gc.collect()
            assert [reference() for reference in seen] == [None] * len(seen)
            part = gold[first : first + 3]
            seen.append(weakref.ref(part))
            yield part, [system[first : first + 3]]
            del part

    studies = segmentation_spreads(read_parts(), [MaxMatch()], [None, Characters()])
    assert len(seen) == 3
    assert studies == [segmentation_spread(gold[:9], [system[:9]], MaxMatch(), [None, Characters()])]
