"""`recte metaeval` with ratings, published settings and judged subsets."""

from __future__ import annotations

import json

import numpy as np
import pytest

from judging import xml
from recte.cli import main
from recte.studies.human.judgments import RankedGroup, Ranking
from recte.studies.human.protocols import protocol_named
from shared_data import golden_json, shared

SCORED = ["gold.m2", "systems/heron.txt", "systems/magpie.txt", "systems/wren.txt"]
FEW = ["--resamples", "30", "--trials", "30"]
SEEDA = protocol_named("seeda-sentence")


def ran(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_ratings(sample, capsys):
    arguments = ["metaeval", "ratings.tsv", *SCORED, "-m", "m2", "gleu", "--clusters", *FEW]
    content = json.loads(ran(capsys, *arguments, "-f", "json", "--average", "system", "--rater-scale", "z"))
    assert content["rating_level"]["average"] == "system"
    assert content["system_level"][0]["human"] == "mean-rating-z"
    assert [c["level"] for c in content["metric_clusters"]] == ["system", "ratings"]
    assert content["rater_agreement"]["raters"] == 3
    assert content["sentence_level"] is None
    printed = ran(capsys, *arguments, "--charts", "drawn", "--chart-formats", "json")
    assert "Krippendorff's α, interval" in printed
    assert (sample / "drawn" / "metric-clusters-ratings.json").exists()


def test_windows_rank_gaps_and_aggregation(sample, capsys):
    arguments = ["metaeval", "judgments.tsv", *SCORED, "-m", "m2", "gleu", "--windows", "3", "--rank-gaps", *FEW]
    content = json.loads(ran(capsys, *arguments, "--aggregate", "expected-wins", "trueskill-shuffled", "-f", "json"))
    assert [w["metric"] for w in content["windows"][0]["windows"]] == ["m2", "gleu"]
    assert content["windows"][0]["windows"][0]["intervals"]["pearson"]["unit"] == "inputs"
    assert content["rank_groups"]["by_gap"] == []  # our table holds pairs without ranks
    names = [m["metric"] for m in content["system_level"][0]["metrics"]]
    assert names == [
        "m2",
        "gleu",
        "m2/expected-wins",
        "gleu/expected-wins",
        "m2/trueskill-shuffled",
        "gleu/trueskill-shuffled",
    ]
    assert "by what a metric's tie counts" in ran(capsys, *arguments)


def test_rank_gaps_of_pairs_are_a_note(sample, capsys):
    arguments = ["metaeval", "judgments.tsv", *SCORED, "-m", "m2", "--only", "sentence", "--rank-gaps", *FEW]
    assert main(arguments) == 0
    said = "recte: note: these judgments are pairs without ranks, so there is nothing by rank gap\n"
    assert capsys.readouterr().err == said


def test_both_published_figures_of_ties_on_conll14(capsys):
    folder = shared("data", "conll14")
    files = sorted(map(str, (folder / "metric-scores").glob("m2score*")))
    golden = golden_json("metaeval/conll14.json")
    arguments = ["metaeval", str(folder / "judgments" / "rankings.xml"), "--scores", *files, "--only", "sentence"]
    content = json.loads(ran(capsys, *arguments, *FEW, "-f", "json", "--system-order", *golden["systems"]))
    actual, wanted = content["rank_groups"]["metrics"][0], golden["metrics"]["m2score"]
    assert [actual["tie_is_second"], actual["tau_tie_is_second"]] == pytest.approx(wanted["sentence"])
    assert [actual["tie_is_first"], actual["tau_tie_is_first"]] == pytest.approx(wanted["sentence_reversed"])
    assert (round(actual["tie_is_second"], 3), round(actual["tie_is_first"], 3)) == (0.628, 0.673)


def seeda(folder, length=30):
    """SEEDA's layout with outputs of a whole corpus and of the judged sentences, and scores of them by a metric."""
    generator = np.random.default_rng(5)
    (folder / "seeda").mkdir()
    numbers = sorted(generator.choice(np.arange(1, length + 1), 20, replace=False).tolist())
    quality = generator.normal(size=(15, length)) + np.linspace(0, 2, 15)[:, None]
    listed = []
    for number in numbers:
        chosen = generator.permutation(15)[:6]
        noisy = quality[chosen, number - 1] + generator.normal(0, 0.3, 6)
        ranks = 1 + np.argsort(np.argsort(-noisy))
        groups = tuple(RankedGroup((SEEDA.systems[s],), int(r)) for s, r in zip(chosen, ranks, strict=True))
        listed.append(Ranking(number, "j", groups))
    for kind in ("edit", "sent"):
        (folder / "seeda" / f"judgments_{kind}.xml").write_text(xml(listed))
        (folder / "seeda" / f"TS_{kind}").write_text("\n".join(f"{k:.3f}" for k in np.linspace(0, 2, 15)))
    for name, places in (("whole", range(length)), ("subset", [n - 1 for n in numbers])):
        rows = [
            f"mine\tx\ty\t{system}\t{place}\t{quality[s, i]:.4f}\n"
            for s, system in enumerate(SEEDA.systems)
            for place, i in enumerate(places)
        ]
        (folder / f"{name}.tsv").write_text("".join(rows))


def test_seedas_protocol(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    seeda(tmp_path)
    for protocol in ("seeda-edit", "seeda-sentence"):
        actual = {}
        for file in ("whole", "subset"):
            arguments = ["metaeval", "seeda", "--scores", f"{file}.tsv", "--protocol", protocol, *FEW, "-f", "json"]
            actual[file] = ran(capsys, *arguments[:-2])
        assert actual["whole"] == actual["subset"]  # only the judged sentences count
        content = json.loads(ran(capsys, *arguments))
        assert len(content["system_level"][0]["systems"]) == 12
        assert content["system_level"][0]["human_scores"]["UEDIN-MS"] == 2.0
        assert len(content["windows"][0]["windows"]) == 9
        assert {g["gap"] for g in content["rank_groups"]["by_gap"]} == {1, 2, 3, 4, 5}
        assert content["rank_groups"]["metrics"][0]["accuracy"] > 0.7
        parts = [*content["system_level"], *content["windows"], content["sentence_level"], content["rank_groups"]]
        assert all(f"|protocol:{protocol}|system_set:base|version:" in part["signature"] for part in parts)
        assert all("|human:trueskill|human_scores:published|" in part["signature"] for part in parts[:2])
    for name, count in (("+INPUT", 13), ("+fluency", 14), ("all", 15)):
        content = json.loads(ran(capsys, *arguments, "--system-set", name))
        assert len(content["system_level"][0]["systems"]) == count
    printed = ran(capsys, *arguments[:-2], "--charts", "drawn", "--chart-formats", "json")
    assert "Pairs by rank gap" in printed
    assert "Windows of 4 systems, TrueSkill" in printed
    assert {p.name for p in (tmp_path / "drawn").iterdir()} >= {"windows-trueskill.json", "rank-gaps.json"}
    assert "Expected Wins" in ran(capsys, "rank", "seeda", "--protocol", protocol, "--method", "expected-wins")
    content = json.loads(ran(capsys, *arguments, "--method", "expected-wins"))  # no file EW_sent: computed
    assert content["system_level"][0]["human"] == "expected-wins"
    assert "published" not in content["system_level"][0]["signature"]


def test_systems_of_a_set_that_nobody_judged_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    groups = tuple(RankedGroup((system,), rank) for rank, system in enumerate(SEEDA.set_named("base")[2:], 1))
    (tmp_path / "judgments_sent.xml").write_text(xml([Ranking(n, "ann", groups) for n in range(1, 5)]))
    assert main(["rank", ".", "--protocol", "seeda-sentence", "--resamples", "20"]) == 0
    said = capsys.readouterr().err
    assert "recte: note: no judgments of BART, BERT-fuse, of the systems base: left out" in said


def test_a_judged_subset(sample, capsys):
    lines = (sample / "judgments.tsv").read_text().splitlines()
    kept = [line for line in lines[1:] if int(line.split("\t")[0]) in (4, 9, 17, 20, 21, 30)]
    renamed = [line.replace(line.split("\t")[0], f"s{line.split(chr(9))[0]}", 1) for line in kept]
    (sample / "part.tsv").write_text("\n".join([lines[0], *kept]) + "\n")
    (sample / "named.tsv").write_text("\n".join([lines[0], *renamed]) + "\n")
    (sample / "ids.txt").write_text("".join(f"s{n}\n" for n in range(1, 41)))
    (sample / "part.txt").write_text("4\n9\n17\n20\n21\n30\n")
    rest = [*SCORED, "-m", "m2", *FEW, "-f", "json"]
    plain = json.loads(ran(capsys, "metaeval", "part.tsv", *rest))
    named = json.loads(ran(capsys, "metaeval", "named.tsv", *rest, "--ids", "ids.txt"))
    assert plain["sentence_level"]["metrics"][0]["outcomes"] == named["sentence_level"]["metrics"][0]["outcomes"]
    assert plain["system_level"][0]["metrics"][0]["scores"] == named["system_level"][0]["metrics"][0]["scores"]
    alone = json.loads(ran(capsys, "metaeval", "part.tsv", *rest, "--ids", "part.txt"))
    assert plain["sentence_level"]["metrics"][0]["outcomes"] == alone["sentence_level"]["metrics"][0]["outcomes"]
    # Systems are scored on the judged sentences alone.
    assert plain["system_level"][0]["metrics"][0]["scores"] != alone["system_level"][0]["metrics"][0]["scores"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ratings.tsv", *SCORED, "--document", "x"], "--document: expected judgments, got ratings"),
        (["judgments.tsv", *SCORED, "--ratings", "x"], "--ratings: expected ratings as the first file, got judgments"),
        (["ratings.tsv", *SCORED, "--rank-gaps"], "--rank-gaps: expected judgments, got ratings"),
        (["judgments.tsv", *SCORED, "--system-order", "heron", "magpie", "wrenn"], "got 'wrenn'; did you mean wren?"),
        (
            ["judgments.tsv", *SCORED, "--system-order", "wren"],
            "--system-order: expected every judged system, got none for 'her",
        ),
        (["systems", *SCORED], "systems: expected --protocol to say what a folder holds, got none of seeda-edit"),
        (["judgments.tsv", *SCORED, "--system-set", "base"], "--system-set: expected --protocol with it"),
        (["judgments.tsv", *SCORED, "--protocol", "seeda-edit"], "expected a folder with the study's files"),
        (["judgments.tsv", *SCORED, "--windows", "9"], "windows: expected 3 to 3 systems in a window, got 9"),
        (["judgments.tsv", *SCORED, "-m", "m2", "--clusters"], "--clusters: expected two metrics or more"),
    ],
)
def test_what_cannot_be_is_said(sample, capsys, arguments, message):
    assert main(["metaeval", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_figures_of_humans(sample, capsys):
    arguments = [
        "figures",
        *SCORED,
        "-m",
        "m2",
        "gleu",
        "--human",
        "judgments.tsv",
        "--to",
        "drawn",
        "--formats",
        "json",
    ]
    printed = ran(capsys, *arguments, "--formats", "json", "--resamples", "50")
    names = {path.stem for path in (sample / "drawn").iterdir()}
    wanted = {"ranking", "windows-expected-wins", "metric-clusters-system", "metric-clusters-sentence"}
    assert wanted <= names
    assert all(f"{name}.json" in printed for name in wanted)
