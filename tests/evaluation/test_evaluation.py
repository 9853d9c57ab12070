"""Everything that can be shown of systems: what `evaluate` takes, and metrics that judge in ways of their own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import recte
from example_metric.recte_word_overlap import WordOverlap
from recte import Corpus, Edit, Gleu, IMeasure, InputError, MaxMatch, OptionError, System, evaluate
from recte.cli import main
from recte.commands import evaluated_systems
from recte.edits.verdicts import JudgedEdit
from recte.errors import TooLongError
from recte.evaluation import counting
from recte.evaluation.evaluation import evaluate_files
from recte.evaluation.inputs import GoldFiles
from recte.metrics import register
from recte.metrics.base import Column
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.explanation import explain
from recte.metrics.sentence_metrics import SentenceScorer
from recte.sample import sample_files
from recte.statistics.intervals import Replicates, Resampling

SOURCES, OUTPUTS, REFERENCES = ["He go .", "I am ."] * 5, ["He goes .", "I am ."] * 5, ["He goes .", "I am ."] * 5
GOLD = Corpus.from_references(SOURCES, [REFERENCES])
MINE, YOURS = System("mine", tuple(OUTPUTS)), System("yours", tuple(SOURCES))


def test_two_of_one_name_are_refused():
    with pytest.raises(OptionError, match="metrics: expected different names, got 'm2' twice; evaluate them one after"):
        recte.evaluate(GOLD, [MINE], [MaxMatch(beta=0.5), MaxMatch(beta=1.0)])
    with pytest.raises(OptionError, match="systems: expected different names, got 'mine' twice"):
        recte.evaluate(GOLD, [MINE, System("mine", tuple(SOURCES))])


def test_it_takes_what_score_takes(tmp_path):
    for name, content in sample_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    gold, wren = tmp_path / "gold.m2", tmp_path / "systems/wren.txt"
    results = recte.evaluate(str(gold), [wren, str(tmp_path / "systems/heron.txt")], ["m2", Gleu()])
    assert [system.name for system in results.systems] == ["wren", "heron"]
    assert results.score("gleu", "wren").score == recte.score(gold, wren, metric="gleu").score
    assert results.gold == "gold"
    plain = recte.evaluate(SOURCES, [OUTPUTS, MINE], references=[REFERENCES])
    assert [system.name for system in plain.systems] == ["system 1", "mine"]
    assert plain.score("m2", "system 1").score == plain.score("m2", "mine").score == 1


class JudgingScorer(SentenceScorer):
    def judged_edits(self, hypotheses: Any, *, annotators: Any = None) -> Any:
        assert annotators is None
        return [{"me": (JudgedEdit("correct", 0, 1, "He", ("She",)),)} for _ in self.corpus]


class Judging(WordOverlap):
    """A metric that judges edits and chooses nobody."""

    name: ClassVar[str] = "judging"
    judges_edits: ClassVar[bool] = True

    def prepare(self, gold):
        return JudgingScorer(self, gold)


def test_a_metric_may_judge_edits_without_choosing_an_annotator(registered_metrics, tmp_path, capsys):
    register(Judging)
    shown = recte.evaluate(GOLD, [MINE, YOURS], [Judging()]).judged["mine"][0]
    assert (shown.annotator, shown.edits[0].verdict) == ("me", "correct")
    (tmp_path / "s.txt").write_text("He go .\n")
    (tmp_path / "r.txt").write_text("He goes .\n")
    files = ["-s", str(tmp_path / "s.txt"), "-r", str(tmp_path / "r.txt"), "-i", str(tmp_path / "r.txt")]
    assert main(["score", *files, "-m", "judging", "--edits", "-q", "-f", "json"]) == 0
    assert '"verdict": "correct"' in capsys.readouterr().out


class LengthScorer(recte.Scorer):
    def _count(self, hypotheses, source_of):
        return self.counts_of(np.array([[[float(len(text.split()))]] for text in hypotheses]), ("all",), source_of)


@dataclass(frozen=True, kw_only=True)
class Length(WordOverlap):
    """How many words there are; references do not matter."""

    name: ClassVar[str] = "length"
    needs_references: ClassVar[bool] = False

    @property
    def columns(self):
        return (Column("words", ("score",), percentage=False),)

    def prepare(self, gold):
        return LengthScorer(self, gold)


def test_a_metric_without_references_has_everything(registered_metrics, tmp_path, capsys):
    register(Length)
    bare = Corpus.from_references(SOURCES, [])
    results = recte.evaluate(bare, [MINE, YOURS], [Length()])
    assert results.score("length", "mine").score == 3
    assert results.judged["mine"][0].edits == ()
    assert "<!doctype html>" in recte.report(results)[:20]
    explained = explain(Length().prepare(bare), MINE, 1)
    assert (explained.chosen, explained.texts) == ("3.00", ())
    (tmp_path / "s.txt").write_text("\n".join(SOURCES) + "\n")
    (tmp_path / "h.txt").write_text("\n".join(OUTPUTS) + "\n")
    files = ["-s", str(tmp_path / "s.txt"), "-i", str(tmp_path / "h.txt")]
    assert main(["report", *files, "-m", "length", "-q", "-o", str(tmp_path / "r.html")]) == 0
    assert main(["explain", *files, "-m", "length", "-n", "1"]) == 0
    assert "He goes ." in capsys.readouterr().out


@pytest.mark.parametrize(
    "metric", [MaxMatch(), MaxMatch(mix=True), IMeasure(), IMeasure(mix=True), Gleu(), recte.Errant()]
)
def test_outputs_that_systems_share_are_counted_and_judged_as_those_of_each_alone(metric):
    sources = ["He go home .", "I am ."]
    gold = Corpus.from_edits(sources, [[[Edit(1, 2, ("goes",), "SVA")], []], [[], [Edit(1, 2, ("was",), "V")]]])
    outputs = [("He goes home .", "I was ."), ("He goes home .", "I am ."), ("He went  home", "I am ."), ("", "I be .")]
    systems = [System(f"s{number}", texts) for number, texts in enumerate(outputs)]
    distinct = DistinctTexts.of_systems(systems)
    scorer = metric.prepare(gold)
    actual = list(scorer.count_and_align_all(systems, distinct))
    assert actual == [scorer.count_and_align(system) for system in systems]
    assert [counts.system for counts, _ in actual] == ["s0", "s1", "s2", "s3"]
    assert list(scorer.count_all(systems)) == [scorer.count(system) for system in systems]
    if metric.judges_edits:
        for wanted in (None,) if getattr(metric, "mix", False) else (None, ["0", "1"]):
            judged = scorer.judged_all(systems, distinct, [wanted] * len(systems))
            assert list(judged) == [scorer.judged_edits(system, annotators=wanted) for system in systems]


def test_systems_with_edits_of_their_own_are_counted_one_by_one():
    gold = Corpus.from_edits(["He go home ."], [[[Edit(1, 2, ("goes",), "R:VERB:SVA")]]])
    own_edits = System("listed", ("He goes home .",), ((Edit(0, 2, ("He", "goes"), "R:OTHER"),),))
    systems = [System("text", ("He goes home .",)), own_edits]
    scorer = recte.Errant().prepare(gold)
    counted = list(scorer.count_all(systems))
    assert counted == [scorer.count(system) for system in systems]
    assert [counts.rows[0, 0, 0] for counts in counted] == [1, 0]


def test_texts_are_counted_together_up_to_a_number(monkeypatch):
    monkeypatch.setattr("recte.metrics.scorer._TEXTS_TOGETHER", 4)
    scorer = recte.Errant().prepare(Corpus.from_references(["He go home .", "I am ."], [["He goes home .", "I was ."]]))
    systems = [System(str(number), ("He goes home .", f"I {'a' * number} .")) for number in range(5)]
    sizes = []
    find = scorer.find
    monkeypatch.setattr(scorer, "find", lambda texts, places: sizes.append(len(texts)) or find(texts, places))
    counted = list(scorer.count_all(systems))
    assert sizes == [3, 3, 2]  # of two systems each, and of the last
    assert counted == [scorer.count(system) for system in systems]


def test_a_shared_output_that_is_too_long_is_told_by_its_system():
    gold = Corpus.from_references(["a b c"], [["a b c"]])
    systems = [System("short", ("a b c",)), System("long", ("d e f",))]
    with pytest.raises(TooLongError, match="long: hypothesis 1: "):
        evaluate(gold, systems, [IMeasure(max_cells=1)])


def test_every_system_has_an_output_for_each_sentence():
    with pytest.raises(InputError, match="s: expected 1 hypotheses, one for each sentence, got 2"):
        evaluate(Corpus.from_references(["a"], [["a"]]), [System("s", ("a", "b"))])


@pytest.mark.parametrize("metric", [MaxMatch(), IMeasure(), Gleu(), Gleu(draws="expected"), Gleu(only_reference=0)])
def test_systems_are_scored_and_drawn_together_as_each_alone(metric):
    sources = ["He go home .", "I am .", "We was there"] * 4
    references = [
        ["He goes home .", "I am .", "We were there"] * 4,
        ["He went home .", "I was .", "We was there ."] * 4,
    ]
    scorer = metric.prepare(Corpus.from_references(sources, references))
    counts = {
        s: scorer.count(texts, name=s) for s, texts in (("a", references[0]), ("b", sources), ("c", references[1]))
    }
    assert metric.score_all(list(counts.values())) == [metric.score_counts(item) for item in counts.values()]
    how = Resampling(resamples=50)
    together = Replicates.of_all(counts, metric, how)
    for system, item in counts.items():
        alone = Replicates.of(item, metric, how)
        assert together[system].observed == alone.observed
        assert together[system].values == pytest.approx(alone.values, rel=1e-12)
        assert together[system].interval().to_dict() == pytest.approx(alone.interval().to_dict())


def test_a_large_corpus_is_scored_whole_and_shown_in_part(tmp_path, monkeypatch):
    for name, content in sample_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    gold, names = str(tmp_path / "gold.m2"), ("heron", "wren", "magpie")
    files = {name: str(tmp_path / f"systems/{name}.txt") for name in names}
    metrics = [MaxMatch(), IMeasure(), Gleu()]
    whole = recte.evaluate(gold, list(files.values()), metrics, resampling=Resampling(resamples=50))
    monkeypatch.setattr(counting, "CHUNK", 10)
    tests = {"test": None, "trials": None, "alpha": 0.05, "corrected": True}
    part = evaluate_files(
        GoldFiles(gold=gold), files, metrics, name="gold", resampling=Resampling(resamples=50), tests=tests
    )
    assert part.scored == len(whole.corpus) > len(part.corpus) == 10
    assert part.comparisons == whole.comparisons
    assert part.scores == whole.scores
    assert part.findings == whole.findings
    for metric, of_systems in whole.sentence_scores.items():
        for name, scores in of_systems.items():
            assert part.sentence_scores[metric][name] == scores[:10]
    for name in names:
        assert part.judged[name] == whole.judged[name][:10]


def test_a_page_says_which_sentences_it_shows(in_sample, monkeypatch, capsys):
    for module in (counting, evaluated_systems):
        monkeypatch.setattr(module, "CHUNK", 10)
    assert main(["report", "sample/gold.m2", "sample/systems/wren.txt", "--to", "page.html"]) == 0
    count = len(recte.read_m2("sample/gold.m2"))
    said = f"of all {count} sentences; sentences, edits and error types are of the first 10"
    assert said in " ".join(capsys.readouterr().err.split())
    page = Path("page.html").read_text("utf-8")
    assert f"{count} sentences (the first 10 are shown)" in page
    assert "error types of the first 10 sentences" in page
