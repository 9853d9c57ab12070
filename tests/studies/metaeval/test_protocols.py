"""SEEDA's layout and settings, and judged subsets."""

from __future__ import annotations

import numpy as np
import pytest

from judging import xml
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.studies.human.judgment_files import read_ids, read_judgments
from recte.studies.human.judgments import RankedGroup, Ranking
from recte.studies.human.protocols import protocol_named, read_nameless_scores, read_protocol_files
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_correlation import rank_groups
from recte.studies.metaeval.system_correlation import aggregate
from shared_data import golden_json, shared

SEEDA = protocol_named("seeda-edit")


def made(folder, seed=1):
    """A small set in SEEDA's layout: 12 judged sentences of 40, numbered from 1."""
    generator = np.random.default_rng(seed)
    (folder / "data").mkdir()
    (folder / "scores" / "human").mkdir(parents=True)
    numbers = sorted(generator.choice(np.arange(1, 41), 12, replace=False).tolist())
    for kind in ("edit", "sent"):
        listed = []
        for number in numbers:
            for judge in ("j1", "j2", "j3"):
                systems = generator.permutation(SEEDA.systems)[:8].tolist()
                groups = [RankedGroup(tuple(systems[:2]), 1)]
                groups += [RankedGroup((s,), int(generator.integers(1, 6))) for s in systems[2:]]
                listed.append(Ranking(number, judge, tuple(groups)))
        (folder / "data" / f"judgments_{kind}.xml").write_text(xml(listed))
        for method in ("TS", "EW"):
            lines = [f"{value:.3f}" for value in generator.normal(size=15)]
            (folder / "scores" / "human" / f"{method}_{kind}.txt").write_text("\n".join(lines))
    return numbers


def test_the_systems_of_the_published_sets():
    sets = SEEDA.sets
    assert {name: len(systems) for name, systems in sets.items()} == {
        "base": 12,
        "+INPUT": 13,
        "+fluency": 14,
        "all": 15,
    }
    assert "INPUT" not in sets["+fluency"]
    assert list(SEEDA.systems) == sorted(SEEDA.systems)
    with pytest.raises(
        OptionError, match="protocol: expected one of seeda-edit, seeda-sentence, reassessment-2018, got 'seeda'"
    ):
        protocol_named("seeda")
    with pytest.raises(OptionError, match="system_set: expected one of base, "):
        SEEDA.set_named("fluent")


@pytest.mark.parametrize("name", ["seeda-edit", "seeda-sentence"])
def test_seedas_layout_is_read(tmp_path, name):
    numbers = made(tmp_path)
    protocol = protocol_named(name)
    actual = read_protocol_files(
        tmp_path,
        protocol.judgments,
        of_subset=protocol.judgments_of_subset,
        scores=protocol.scores,
        systems=protocol.systems,
    )
    assert list(actual.ids) == numbers
    assert actual.judgments.sentences == tuple(numbers)
    assert actual.judgments.first_sentence == 1
    assert set(actual.scores) == {"trueskill", "expected-wins"}
    assert list(actual.scores["trueskill"]) == list(protocol.systems)


def test_what_is_missing_in_the_layout_is_said(tmp_path):
    options = {"of_subset": SEEDA.judgments_of_subset, "scores": SEEDA.scores, "systems": SEEDA.systems}
    with pytest.raises(InputError, match=r"expected a file judgments_edit\.xml in the folder or below it, got none"):
        read_protocol_files(tmp_path, SEEDA.judgments, **options)
    with pytest.raises(InputError, match="expected a folder with the study's files, got none"):
        read_protocol_files(tmp_path / "none", SEEDA.judgments, **options)
    made(tmp_path)
    with pytest.raises(InputError, match="expected the systems A, got"):
        read_protocol_files(tmp_path, SEEDA.judgments, **{**options, "systems": ["A"], "scores": {}})
    path = tmp_path / "scores" / "human" / "TS_edit.txt"
    with pytest.raises(InputError, match="expected 2 scores, one for each system, got 15"):
        read_nameless_scores(path, ["a", "b"])
    path.write_text("0.1\nx\n")
    with pytest.raises(InputError, match="expected a number as score, got 'x'"):
        read_nameless_scores(path, ["a", "b"])


def test_a_metric_on_a_judged_subset_is_scored_on_it():
    table = np.random.default_rng(1).normal(size=(3, 9))
    sentences = dict(zip("abc", table.tolist(), strict=True))
    metric = MetricScores.of("m", dict.fromkeys("abc", 0.0), sentences)
    with pytest.raises(OptionError, match="m: expected sentence means, or scores computed here"):
        metric.on_sentences([1, 2])
    part = metric.with_sentence_means().on_sentences([4, 1, 7])
    assert part.scores == pytest.approx(table[:, [4, 1, 7]].mean(axis=1))
    weights = np.array([[2, 0, 1]], dtype=np.int32)
    assert part.resampled(weights)[0] == pytest.approx(table[:, [4, 4, 7]].mean(axis=1))


HEADER = "sentence\tjudge\tsystem1\tsystem2\tbetter\n"


def test_judgments_name_sentences_by_id_or_text(tmp_path):
    judged = tmp_path / "judged.tsv"
    judged.write_text(HEADER + "He go home .\tann\tx\ty\tx\ns-7\tann\tx\ty\t=\n")
    (tmp_path / "ids.txt").write_text("s-1\ns-7\nHe go home .\n")
    actual = read_judgments(judged, ids=read_ids(tmp_path / "ids.txt"))
    assert actual.sentence.tolist() == [2, 1]
    assert actual.first_sentence == 0
    with pytest.raises(InputError, match=r"judged.tsv:3: expected one of the 1 ids, got 's-7'"):
        read_judgments(judged, ids=["He go home ."])


def test_ids_count_from_1_and_judgments_from_0_or_1(tmp_path):
    listed = [Ranking(n, "j", (RankedGroup(("a",), 1), RankedGroup(("b",), 2))) for n in (687, 327)]
    path = tmp_path / "judged.xml"
    path.write_text(xml(listed))
    assert read_judgments(path, ids=["688", "12", "328"]).sentence.tolist() == [0, 2]
    assert read_judgments(path, ids=["327", "12", "687"]).sentence.tolist() == [2, 0]
    assert read_judgments(path, ids=["687", "688", "328", "327"], first_sentence=0).sentence.tolist() == [1, 2]
    with pytest.raises(InputError, match="expected every judged sentence among the 1 ids, got none for sentence"):
        read_judgments(path, ids=["688"])
    with pytest.raises(InputError, match="expected numbers as ids, since the judgments have numbers, got 'x'"):
        read_judgments(path, ids=["x"])


@pytest.mark.parametrize(
    ("text", "message"),
    [("1\n\n", "ids.txt:2: expected the id of a sentence"), ("1\n1\n", "got '1' in line 1 too"), ("", "got none")],
)
def test_wrong_ids_are_refused(tmp_path, text, message):
    path = tmp_path / "ids.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_ids(path)
    assert message in str(error.value)


def test_the_chinese_rankings_of_a_subset():
    golden = golden_json("metaeval/chinese.json")
    folder = shared("data", "chinese", "rankings")
    judgments = read_judgments(folder / "judgments.xml", document="mucgec", ids=read_ids(folder / "mucgec_ids.txt"))
    assert len(judgments.sentences) == golden["sentences"]
    for name, wanted in golden["metrics"].items():
        scores = wanted["sentence_scores"]
        metric = MetricScores.of(name, {s: sum(v) for s, v in scores.items()}, scores)
        actual = rank_groups(judgments, [metric], order=golden["systems"])
        item = actual.metrics[0]
        assert [item.tie_is_second, item.tau_tie_is_second] == pytest.approx(wanted["sentence"], abs=1e-9)
        assert [item.tie_is_first, item.tau_tie_is_first] == pytest.approx(wanted["sentence_reversed"], abs=1e-9)
        ranked = {(g.worse, g.better): g.tie_is_second for g in actual.by_ranks}
        assert ranked == pytest.approx({tuple(k): v for k, v in wanted["rank_pairs"]}, abs=1e-9)
        for method in ("trueskill", "expected_wins"):
            by_system = aggregate(metric.sentences, method.replace("_", "-")).scores
            assert by_system == pytest.approx([wanted[method][s] for s in metric.systems], abs=1e-7)


def test_the_reassessments_judgments_are_of_the_whole_corpus(tmp_path, capsys):
    """Numbered from 0, no subset, and intervals over pairs."""
    protocol = protocol_named("reassessment-2018")
    systems = list(protocol.systems)
    generator = np.random.default_rng(0)
    rankings = [
        Ranking(number, "ann", tuple(RankedGroup((s,), int(generator.integers(1, 6))) for s in systems))
        for number in range(4)
    ]
    (tmp_path / "rankings.xml").write_text(xml(rankings))
    (tmp_path / "gold.m2").write_text("S a b c\nA 0 1|||X|||d|||REQUIRED|||-NONE-|||0\n\n" * 4)
    files = []
    for number, system in enumerate(systems):
        files.append(str(tmp_path / f"{system}.txt"))
        (tmp_path / f"{system}.txt").write_text(f"{'d' if number % 2 else 'a'} b c\n" * 4)
    command = ["metaeval", str(tmp_path), str(tmp_path / "gold.m2"), *files, "--protocol", "reassessment-2018", "-q"]
    assert main([*command, "--resamples", "20"]) == 0
    out = capsys.readouterr().out
    assert "System level, Expected Wins (13 systems)" in out
    assert "System level, TrueSkill without chance (13 systems)" in out
    assert "|first_sentence:0|resample:pairs|" in out
    assert "protocol:reassessment-2018|system_set:all" in out
    assert main([*command, "--system-set", "without-IPN", "--only", "system"]) == 0
    assert "(12 systems)" in capsys.readouterr().out
