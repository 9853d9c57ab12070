"""Metrics that ask models, with stubs in the models' place: batches, memory, intervals, tests, the page, rewards."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from recte import Corpus, read_m2, read_system
from recte.caching.result_cache import results_of
from recte.cli import main
from recte.messages import progress_listener
from recte.metrics import metric_class
from recte.metrics.explanation import explain
from recte.metrics.impara import Impara
from recte.metrics.neural_metric import NeuralMetric
from recte.metrics.perplexity import Perplexity
from recte.metrics.pt_m2 import PtM2
from recte.metrics.scribendi import Scribendi, character_ratios, sort_words
from recte.metrics.weighted_edits import WeightedScorer
from recte.models.batching import Batching, pad_lengths
from recte.models.encoder import Encoder
from stub_models import STUB

NAMES = ("some", "impara", "scribendi", "perplexity", "bertscore", "pt-m2", "pt-errant")


@given(st.lists(st.integers(0, 600)), st.sampled_from([0, 128, 512]))
def test_padding_follows_from_the_length_alone(lengths, longest):
    padded = pad_lengths(np.array(lengths, dtype=np.int64), longest).tolist()
    for length, ours in zip(lengths, padded, strict=True):
        assert length <= ours < length + 64
        assert longest < length or not longest or ours <= longest
        assert [ours] == pad_lengths(np.array([length]), longest).tolist()


@given(st.lists(st.integers(1, 200)), st.integers(1, 512))
def test_batches_hold_every_text_once_in_fixed_shapes(lengths, pieces):
    batching = Batching(pieces)
    seen = []
    for rows in batching.batches(np.array(lengths, dtype=np.int64)):
        assert len(rows.texts) == batching.rows(rows.length)
        assert 1 <= rows.filled <= len(rows.texts)
        assert set(pad_lengths(np.array(lengths)[rows.texts]).tolist()) == {rows.length}
        seen += rows.texts[: rows.filled].tolist()
    assert sorted(seen) == list(range(len(lengths)))


@given(st.lists(st.lists(st.integers(5, 99), max_size=70), min_size=1, max_size=30), st.sampled_from([1, 4, 9]))
def test_no_piece_is_lost_between_texts_and_batches(texts, block):
    """Texts go through in blocks, and what fills no batch waits for the next one; compared with the obvious twin."""

    class Cut:
        pad_token_id, no_padding, no_truncation = 0, None, None

        def __init__(self):
            self.backend_tokenizer = self
            self.no_padding = self.no_truncation = lambda: None

        def encode_batch_fast(self, inputs, add_special_tokens):
            return [Encoded([int(piece) for piece in text.split()]) for text in inputs]

    class Encoded(list):
        ids = property(lambda self: list(self))

    model = replace(STUB, tokenizer=Cut(), model=SimpleNamespace(config=SimpleNamespace(max_position_embeddings=512)))
    with mock.patch.multiple("recte.models.encoder", _FIRST_BLOCK=block, _BLOCK=block, _PIECES={"cpu": 60}):
        reader = Encoder(model, begin=7, cuts=False, most=512)
        batches = list(reader.batches([" ".join(map(str, text)) for text in texts]))
    actual = {}
    for batch in batches:
        assert len(batch.ids) == max(1, 60 // batch.ids.shape[1])
        for place, row, length in zip(batch.places.tolist(), batch.ids.tolist(), batch.lengths.tolist(), strict=False):
            assert place not in actual
            assert row[length:] == [0] * (len(row) - length)
            actual[place] = row[:length]
    assert [actual[place] for place in range(len(texts))] == [[7, *text] for text in texts]


class Counting:
    """A model that says how long texts are, and remembers who asked."""

    title, width, rows_dtype = "lengths", 1, np.float64

    def __init__(self, key):
        self.key, self.asked = key, []

    def score_inputs(self, inputs):
        self.asked += inputs
        for place, text in enumerate(inputs):
            if text == "stop":
                raise KeyboardInterrupt
            yield [place], np.array([[float(len(text))]])


def test_each_distinct_text_is_asked_once_and_progress_is_told():
    model, stages = Counting("once"), []
    with progress_listener(stages.append):
        assert results_of(model, ["a", "bb", "a", "ccc"])[:, 0].tolist() == [1, 2, 1, 3]
    assert model.asked == ["a", "bb", "ccc"]
    assert [(stage.done, stage.total) for stage in stages] == [(1, 3), (2, 3), (3, 3)]
    assert results_of(model, ["ccc", "dddd"])[:, 0].tolist() == [3, 4]
    assert model.asked == ["a", "bb", "ccc", "dddd"]
    assert results_of(model, []).shape == (0, 1)


def test_what_was_scored_before_a_stop_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        results_of(Counting("stopped"), ["a", "bb", "stop", "ccc"])
    again = Counting("stopped")
    assert results_of(again, ["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]
    assert again.asked == ["ccc"]


def test_pairs_are_told_from_texts():
    class Pairs(Counting):
        def score_inputs(self, inputs):
            yield list(range(len(inputs))), np.array([[float(isinstance(item, tuple))] for item in inputs])

    assert results_of(Pairs("pairs"), [("a", "b"), "ab", ("", "ab"), ("ab", "")])[:, 0].tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize("name", NAMES)
def test_everything_works_on_the_command_line(name, sample, capsys):
    files = ["gold.m2", "systems/wren.txt", "systems/heron.txt"]
    assert main(["score", *files, "-m", name, "-f", "json", "-q", "-sl"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert [score["system"] for score in scores] == ["wren", "heron"]
    assert all(score["interval"]["low"] <= score["score"] <= score["interval"]["high"] for score in scores)
    assert "stub@000000000000" in scores[0]["signature"]
    assert len(scores[0]["sentences"]) == 40
    assert main(["compare", *files, "-m", name, "-q"]) == 0
    assert main(["explain", *files[:2], "-n", "7", "-m", name, "--attribute", "-q"]) == 0
    said = capsys.readouterr().out
    assert "score" in said or "why annotator" in said
    assert main(["count", *files[:2], "-m", name, "-o", "counts.npz", "-q"]) == 0
    assert main(["score", "counts.npz", "-q"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_candidates_and_weightings(name):
    gold = Corpus.from_references(["He go home .", "I is ."], [["He goes home .", "I am ."]])
    metric = metric_class(name)()
    scorer = metric.prepare(gold)
    (first, second), third = scorer.candidate_scores([["He goes home .", "He go home ."], ["I am ."]])
    counts = scorer.count(["He goes home .", "I am ."])
    assert metric.sentence_scores(counts).tolist() == [first, third[0]]
    assert isinstance(second, float)
    whole = metric.score_counts(counts).score
    assert metric.score_many(counts, np.array([[1, 1]])).tolist() == pytest.approx([whole])
    twice = metric.score_counts(counts.repeat(np.array([2, 1]))).score
    assert metric.score_many(counts, np.array([[2, 1]])).tolist() == pytest.approx([twice])


def test_sources_are_enough_where_no_reference_is_looked_at(sample, capsys):
    lines = [line[2:] for line in (sample / "gold.m2").read_text().splitlines() if line.startswith("S ")]
    (sample / "source.txt").write_text("\n".join(lines) + "\n")
    assert main(["score", "-s", "source.txt", "-i", "systems/wren.txt", "-m", "some", "impara", "-q"]) == 0
    assert main(["score", "-s", "source.txt", "-i", "systems/wren.txt", "-m", "bertscore", "-q"]) == 2
    assert "-s: expected references with -r, got none" in capsys.readouterr().err


def test_a_report_has_neural_metrics(sample):
    pytest.importorskip("jinja2")
    gold, system = recte.read_m2("gold.m2"), recte.read_system("systems/wren.txt")
    results = recte.evaluate(gold, [system], [Impara(), Scribendi()])
    assert {"impara", "scribendi"} == set(results.scores)


def test_thresholds_are_scoring():
    gold = Corpus.from_references(["He go home ."])
    counts = Impara().prepare(gold).count(["He went home ."])
    assert Impara(min_similarity=0.0).score_counts(counts).parts["closed"] == 0
    assert Impara(min_similarity=1.0).score_counts(counts).parts["closed"] == 1
    assert Impara(min_similarity=0.5).recount_needed(counts.options) is None
    assert Impara(quality_model="other").recount_needed(counts.options) == "quality_model"
    with pytest.raises(recte.OptionError, match="min_ratio: expected a number from 0 to 1"):
        Scribendi(min_ratio=2.0)
    with pytest.raises(recte.OptionError, match="edit_weights: expected an option of pt-m2"):
        recte.score(["He go ."], ["He goes ."], references=[["He goes ."]], metric="pt-m2", edit_weights="length")


def test_empty_output_by_perplexity():
    metric = Perplexity(form="perplexity")
    counts = metric.prepare(Corpus.from_references(["He go ."] * 2)).count(["", "He goes ."])
    assert metric.sentence_scores(counts)[0] == pytest.approx(1000)  # the stub knows so many pieces
    assert metric.score_counts(counts).fallback_sentences == (1,)


def test_white_space_that_scribendi_takes_for_a_change_is_told(capsys, tmp_path):
    metric = Scribendi()
    counts = metric.prepare(Corpus.from_references(["He go ."] * 3)).count(["He go .", "He go . ", "He goes ."])
    assert metric.sentence_scores(counts)[0] == 0
    assert metric.sentence_scores(counts)[1] != 0
    assert metric.score_counts(counts).fallback_sentences == (2,)
    (tmp_path / "source").write_text("He go .\n")
    (tmp_path / "spaced").write_text("He go .  \n")
    command = ["score", "-s", str(tmp_path / "source"), "-i", str(tmp_path / "spaced"), "-m", "scribendi"]
    assert main([*command, "--no-ci"]) == 0
    told = "spaced: 1 sentence(s) differ from the source in white space alone, which counts as a change here: 1"
    assert told in capsys.readouterr().err


def test_ratios_as_fuzzywuzzy_has_them():
    assert sort_words("The cat 's café, naïve_x!") == "caf cat nave_x s the"
    assert character_ratios(["abc", "a", ""], ["abd", "", ""]).tolist() == [2 / 3, 0.0, 1.0]


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), min_size=1, max_size=5))
def test_ratios_are_those_of_rapidfuzz(pairs):
    from rapidfuzz.distance import Indel

    actual = character_ratios([a for a, _ in pairs], [b for _, b in pairs])
    assert actual.tolist() == pytest.approx([Indel.normalized_similarity(a, b) for a, b in pairs], abs=1e-12)


def test_all_of_them_share_one_recipe():
    assert [issubclass(metric_class(name), NeuralMetric) for name in NAMES] == [True] * 5 + [False] * 2


def test_perplexities_are_printed_as_they_are(sample, capsys):
    files = ["gold.m2", "systems/wren.txt", "-m", "perplexity", "--form", "perplexity", "-q", "--no-do-nothing"]
    assert main(["score", *files, "-f", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"]
    assert not score["higher_is_better"]
    assert main(["score", *files]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("wren"))
    low, high = (score["interval"][end] for end in ("low", "high"))
    assert row.endswith(f"{score['score']:.2f}  [{low:.2f}, {high:.2f}]")
    assert main(["score", *files, "-b"]) == 0
    assert capsys.readouterr().out == f"{score['score']:.2f}\n"


def test_rewards_need_no_references_where_the_metric_looks_at_none():
    metric = Impara()
    batch = {"source": ["He go .", "He go .", "I is ."], "completions": ["He goes .", "He go .", "I am ."]}
    rewards = recte.reward(metric)(**batch)
    corpus = Corpus.from_references(["He go .", "I is ."])
    (first, second), (third,) = metric.prepare(corpus).candidate_scores([batch["completions"][:2], ["I am ."]])
    assert rewards == [first, second, third]
    assert recte.reward("perplexity", form="perplexity")(**batch)[0] < 0  # lower is better
    with pytest.raises(recte.InputError, match="expected the data set to have a column 'references'"):
        recte.reward("bertscore")(**batch)


def test_scores_that_are_no_fractions_are_printed_as_they_are(sample, capsys):
    """By every command: what `score` prints is what `compare`, single sentences, attributions and limits speak of."""
    files = ["gold.m2", "systems/wren.txt", "systems/heron.txt"]
    options = ["-m", "perplexity", "--form", "perplexity", "-q"]
    assert main(["score", *files, *options, "-f", "json"]) == 0
    score = json.loads(capsys.readouterr().out)["scores"][0]["score"]
    assert score > 1
    assert main(["score", *files, *options, "--score-only"]) == 0
    assert capsys.readouterr().out.split()[0] == f"{score:.2f}"
    assert main(["compare", *files, *options]) == 0
    assert f" {score:.2f} " in capsys.readouterr().out
    assert main(["score", *files, *options, "--fail-under", f"perplexity={score + 1}"]) == 0
    assert main(["score", *files, *options, "--fail-under", f"perplexity={score - 0.01}"]) == 1
    capsys.readouterr()
    assert main(["explain", *files[:2], "-n", "7", "--attribute", *options]) == 0
    said = capsys.readouterr().out
    whole = said.split("hypothesis ")[-1].split()[0]
    assert f"score {float(whole):.4g}"[:8] in said
    assert main(["score", *files, *options, "--one-table", "-m", "perplexity", "some"]) == 0
    assert "In %, except Perplexity." in capsys.readouterr().out


def test_the_page_prints_such_scores_too(sample):
    pytest.importorskip("jinja2")
    gold, system = recte.read_m2("gold.m2"), recte.read_system("systems/wren.txt")
    data = recte.evaluate(gold, [system], [Perplexity(form="perplexity"), Impara()])
    from recte.output.charts.scores import score_chart
    from recte.output.page.explorer import explorer_data
    from recte.output.page.score_sections import metric_section

    metric = data.metrics[0]
    (score, *_) = data.scores["perplexity"]
    assert f" {score.score:.2f}" in metric_section(data, metric)["verdict"]["figure"]
    assert [item["factor"] for item in explorer_data(data)["metrics"]] == [1, 100]
    drawn = json.dumps(score_chart(metric, data.scores["perplexity"]))
    assert f"{round(score.score, 6)}" in drawn
    assert "(%)" not in drawn


@pytest.mark.parametrize("name", ["pt-m2", "pt-errant"])
def test_an_explanation_says_what_each_edit_weighs(name, sample, capsys):
    """And the weights add up to what the annotator's counts are made of."""
    assert main(["explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", name, "-q", "-f", "json"]) == 0
    actual = json.loads(capsys.readouterr().out)
    views = (actual[0] if isinstance(actual, list) else actual)["annotators"]
    assert any(any(view["weights"]) for view in views)
    for view in views:
        by_verdict = dict.fromkeys(("correct", "spurious", "missed"), 0.0)
        for edit, weight in zip(view["edits"], view["weights"], strict=True):
            by_verdict[edit["verdict"]] += weight
        assert by_verdict["correct"] == pytest.approx(view["tp"])
        assert by_verdict["correct"] + by_verdict["spurious"] == pytest.approx(view["proposed"])
        assert by_verdict["correct"] + by_verdict["missed"] == pytest.approx(view["gold"])
    assert main(["explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", name, "-q"]) == 0
    assert "weighs 0." in capsys.readouterr().out
    assert main(["explain", "gold.m2", "systems/wren.txt", "-n", "7", "-m", "m2", "-q"]) == 0
    assert "weighs" not in capsys.readouterr().out


def test_a_sentence_that_stands_alone_is_explained_alone(sample, monkeypatch):
    """No model weighs the edits of others; the choice is that of the whole."""
    gold, wren = read_m2("gold.m2"), read_system("systems/wren.txt")
    scorer = PtM2().prepare(gold)
    chosen = PtM2().chosen_columns(scorer.count(wren))
    counted = []
    count = WeightedScorer.count
    monkeypatch.setattr(WeightedScorer, "count", lambda self, s: counted.append(len(s.outputs)) or count(self, s))
    for number in range(1, 12):
        assert explain(scorer, wren, number).chosen == f"annotator {gold.annotators[chosen[number - 1]]}"
    assert counted == [1] * 11
