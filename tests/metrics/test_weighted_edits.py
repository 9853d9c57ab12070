"""Weights and verdicts on edits: PT-ERRANT's and PT-M2's published counts, the twin, and what a score says of them."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_cases import cases, corpus, system
from oracles.goto import overlap, pt_errant
from recte import Corpus, Edit, InputError, MaxMatch, OptionError, System, read_m2, read_system
from recte.cli import main
from recte.edits.edit_context import EditKey
from recte.edits.edit_verdicts import TableJudge, TextJudge, register_edit_verdicts
from recte.edits.edit_weights import TableWeigher, TextWeigher, edit_weigher, register_edit_weights
from recte.metrics import metric_class
from recte.metrics.annotator_choice import precision_recall_f
from recte.metrics.base import Metric
from recte.metrics.errant import Errant
from recte.metrics.hoo import Hoo
from recte.metrics.weighted_edits import WeightedEdits
from shared_data import golden_json, golden_lines, shared

GOLD = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("goes",), "SVA")], [Edit(1, 2, ("went",), "T")]]])
HYPOTHESIS = ["He goes to the school ."]
SYSTEM = System("mine", tuple(HYPOTHESIS), ((Edit(1, 2, ("goes",)), Edit(3, 3, ("the",))),))
PT = Errant(edit_weights="overlap")


@pytest.fixture(autouse=True, scope="module")
def stand_in():
    register_edit_weights("overlap", TextWeigher("overlap", overlap))


def test_golden_pt_errant():
    seen = 0
    for case in golden_lines("gotoscorer/pt-errant-cases.jsonl"):
        counts = PT.prepare(corpus([case])).count(system([case]))
        for (tp, proposed, gold, _), wanted in zip(counts.rows[0].tolist(), case["counts"], strict=True):
            assert [tp, proposed - tp, gold - tp] == pytest.approx(wanted, abs=1e-9)
        score = PT.score_counts(counts)
        assert [score.tp, score.fp, score.fn] == pytest.approx(case["chosen"], abs=1e-9)
        assert score.score == pytest.approx(case["f05"], abs=1e-9)
        seen += 1
    assert seen == 40


def f_of(counts, beta=0.5):
    tp, fp, fn = counts
    return precision_recall_f(tp, tp + fp, tp + fn, beta)[2]


@given(cases())
def test_pt_errant_on_a_corpus_is_the_twin_s(sentences):
    total = np.zeros(3)
    for case in sentences:
        listed = [np.array(c) for c in pt_errant(case["tokens"], case["hypothesis"], case["references"])]
        total += max(listed, key=lambda c: (f_of(total + c), c[0], -c[1], -c[2]))
    score = PT.score(corpus(sentences), system(sentences))
    assert score.score == pytest.approx(f_of(total), abs=1e-9)


@given(cases(), st.sampled_from(["official", "optimal"]), st.data())
def test_weightings_are_repeated_sentences(sentences, behaviour, data):
    metric = Errant(edit_weights="length", behaviour=behaviour)
    counts = metric.prepare(corpus(sentences)).count(system(sentences))
    weights = np.array([data.draw(st.lists(st.integers(1, 3), min_size=len(counts), max_size=len(counts)))])
    expected = metric.score_counts(counts.repeat(weights[0])).score
    assert metric.score_many(counts, weights).tolist() == pytest.approx([expected], abs=1e-9)


class PublishedWeights:
    """Weights that depend on the annotator too, as PT-M2's do."""

    name = "published"

    def __init__(self, annotators, listed):
        self.weights = {
            (i, str(annotator), start, end, text): weight
            for i, (of_sentence, ids) in enumerate(zip(listed, annotators, strict=True))
            for annotator, of in zip(ids, of_sentence, strict=True)
            for start, end, _, text, weight in of["weights"]
        }

    def __call__(self, edits):
        return [self.weights[e.sentence, e.annotator, e.start, e.end, e.correction] for e in edits]


@pytest.mark.parametrize("name", ["AMU", "CAMB", "NTHU"])
def test_golden_pt_m2(name):
    golden = golden_json("neural/pt_m2.json")
    wanted = golden["systems"][name]
    whole = read_m2(shared("data", "conll14", "gold.m2"))
    gold = Corpus(tuple(whole[i] for i in golden["sentences"]))
    lines = read_system(shared("data", "conll14", "systems", f"{name}.txt")).outputs
    annotators = [golden["annotators"][str(i)] for i in golden["sentences"]]
    register_edit_weights("published", PublishedWeights(annotators, wanted["per_annotator"]))
    metric = MaxMatch(edit_weights="published")
    counts = metric.prepare(gold).count([lines[i] for i in golden["sentences"]])
    score = metric.score_counts(counts)
    assert [score.precision, score.recall, score.score] == pytest.approx(wanted["m2_prf"], abs=1e-6)
    # Where all weights of a sentence are 0, its script has a rule of its own for sentences alone.
    weighed = counts.rows[:, :, 1:].sum(axis=2) > 0
    for f, (_, _, published), some in zip(
        metric.sentence_scores(counts).tolist(), wanted["sentence_prf"], weighed.any(axis=1), strict=True
    ):
        if some:
            assert f == pytest.approx(published, abs=1e-6)


def test_weights_of_one_are_plain_counts():
    register_edit_weights("ones", TableWeigher("ones", {}))
    for name in (MaxMatch, Errant):
        plain, weighed = (name(edit_weights=w).score(GOLD, SYSTEM) for w in ("", "ones"))
        assert (plain.tp, plain.fp, plain.fn, plain.score) == (weighed.tp, weighed.fp, weighed.fn, weighed.score)
        assert "edit_weights:ones" in weighed.signature
        assert "edit_weights" not in plain.signature


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda edits: [1.0] * (len(edits) - 1), "expected 5 weights, one for each edit, got 4"),
        (lambda edits: [1.0] * (len(edits) + 1), "expected 5 weights, one for each edit, got 6"),
        (lambda edits: [float("nan")] * len(edits), "expected numbers from 0 on, got nan"),
        (lambda edits: [-1.0] * len(edits), "expected numbers from 0 on, got -1.0"),
    ],
)
def test_a_weigher_gives_a_weight_to_each_edit(given, message):
    class Weigher:
        name = "odd"
        __call__ = staticmethod(given)

    register_edit_weights("odd", Weigher())
    with pytest.raises(InputError, match=f"^edit_weights odd: {message}$"):
        MaxMatch(edit_weights="odd").score(GOLD, HYPOTHESIS)


def test_lengths():
    gold = Corpus.from_edits(["a b c d"], [[[Edit(0, 3, ("x",)), Edit(3, 4, ("y z",))]]])
    score = MaxMatch(edit_weights="length").score(gold, ["x d"])
    assert (score.tp, score.proposed, score.gold) == (3, 3, 5)


def test_many_texts_are_scored_in_one_call():
    calls = []

    class Scorer:
        def many(self, pairs):
            calls.append(list(pairs))
            return [overlap(a, b) for a, b in pairs]

        __call__ = staticmethod(overlap)

    register_edit_weights("batched", TextWeigher("batched", Scorer()))
    batched, single = (MaxMatch(edit_weights=w).score(GOLD, HYPOTHESIS).score for w in ("batched", "overlap"))
    assert batched == single
    assert len(calls) == 1
    assert len(set(calls[0])) == len(calls[0])


def test_scorers_that_misbehave():
    for broken, message in (
        (lambda a, b: float("nan"), "edit_weights broken: expected a number for pair of texts 1, got nan"),
        (lambda a, b: 1 / 0, "edit_weights broken: ZeroDivisionError: division by zero"),
    ):
        register_edit_weights("broken", TextWeigher("broken", broken))
        with pytest.raises(InputError, match=message):
            MaxMatch(edit_weights="broken").score(GOLD, HYPOTHESIS)
    with pytest.raises(OptionError, match="edit_weights: expected length, a file or module:function, got 'nothing'"):
        MaxMatch(edit_weights="nothing").score(GOLD, HYPOTHESIS)
    with pytest.raises(OptionError, match="edit_weights: cannot import 'no_such_module'"):
        edit_weigher("no_such_module:f")


def test_a_metric_without_edits_has_no_weights_of_edits():
    assert not {"edit_weights", "edit_verdicts"} & Hoo().options().keys()
    counts = Hoo().prepare(GOLD).count(HYPOTHESIS)
    of_0_2 = replace(counts, options={**counts.options, "edit_weights": "", "edit_verdicts": ""})
    assert Hoo().score_counts(of_0_2) == Hoo().score_counts(counts)
    with pytest.raises(InputError, match="expected those made without edit_weights, got 'length'"):
        Hoo().score_counts(replace(counts, options={**counts.options, "edit_weights": "length"}))


def test_weights_wrap_a_metric():
    wrapped = WeightedEdits(MaxMatch(beta=1.0), "length")
    assert wrapped == MaxMatch(beta=1.0, edit_weights="length") != WeightedEdits(MaxMatch(), "length")
    assert wrapped.options() == {**MaxMatch(beta=1.0).options(), "edit_weights": "length"}
    assert wrapped.with_options(edit_weights="") == MaxMatch(beta=1.0)
    assert (wrapped.dtype, wrapped.cells, wrapped.beta, wrapped.name) == (np.float64, (3,), 1.0, "m2")
    assert MaxMatch.cells == (3,)
    judged = MaxMatch(edit_verdicts="x")
    assert (judged.dtype, judged.cells) == (np.int32, (7,))
    assert pickle.loads(pickle.dumps(wrapped)) == wrapped
    assert MaxMatch().recount_needed(wrapped.options()) == "edit_weights"
    with pytest.raises(OptionError, match="edit_weights: expected str, got int 3"):
        MaxMatch(edit_weights=3)


def test_no_class_of_metrics_over_edits_is_deeper_than_four():
    classes = [
        metric_class(name) for name in ("m2", "hoo", "errant", "cherrant", "pt-m2", "pt-errant", "cleme", "goto")
    ]
    for cls in [*classes, WeightedEdits]:
        assert sum(issubclass(item, Metric) for item in cls.__mro__) <= 4, cls


def test_a_function_by_its_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "my_scorers", SimpleNamespace(overlap=overlap))
    score = MaxMatch(edit_weights="my_scorers:overlap").score(GOLD, HYPOTHESIS)
    assert "edit_weights:my_scorers.overlap" in score.signature


def test_verdicts_re_judge_false_positives():
    register_edit_verdicts("me", TableJudge("me", {EditKey(0, 3, 3, "the"): "valid"}))
    plain, judged = (Errant(edit_verdicts=v).score(GOLD, SYSTEM) for v in ("", "me"))
    assert (plain.tp, plain.fp, plain.fn) == (1, 1, 0)
    assert (judged.tp, judged.fp, judged.fn) == (2, 0, 0)
    assert judged.rejudged == {"valid": 1, "better": 0, "wrong": 0, "unjudged": 0}
    assert plain.rejudged is None
    assert "edit_verdicts:me" in judged.signature
    register_edit_verdicts("nobody", TableJudge("nobody", {}))
    unjudged = Errant(edit_verdicts="nobody").score(GOLD, SYSTEM)
    assert (unjudged.score, unjudged.rejudged["unjudged"]) == (plain.score, 1)


def test_a_judge_of_two_texts():
    register_edit_verdicts("judge", TextJudge("judge", lambda source, edited: "wrong" if "the" in edited else "better"))
    score = MaxMatch(edit_verdicts="judge", max_unchanged_words=0).score(GOLD, ["He has to the school ."])
    assert score.rejudged == {"valid": 0, "better": 1, "wrong": 1, "unjudged": 0}
    register_edit_verdicts("odd", TextJudge("odd", lambda source, edited: "fine"))
    with pytest.raises(OptionError, match="expected one of valid, better, wrong, unjudged, got 'fine'"):
        MaxMatch(edit_verdicts="odd").score(GOLD, HYPOTHESIS)


def test_weights_and_verdicts_together():
    register_edit_verdicts("me", TableJudge("me", {EditKey(0, 3, 3, "the"): "better"}))
    register_edit_weights("two", TableWeigher("two", {EditKey(0, 3, 3, "the"): 2.0}))
    score = Errant(edit_weights="two", edit_verdicts="me").score(GOLD, SYSTEM)
    assert (score.tp, score.fp, score.fn, score.rejudged["better"]) == (3, 0, 0, 1)


def test_files_on_the_command_line(tmp_path, capsys):
    gold, mine = tmp_path / "gold.m2", tmp_path / "mine.txt"
    gold.write_text("S He go to school .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n\n")
    mine.write_text(HYPOTHESIS[0] + "\n")
    weights, verdicts = tmp_path / "weights.tsv", tmp_path / "verdicts.tsv"
    weights.write_text("sentence\tstart\tend\tcorrection\tweight\n1\t3\t3\tthe\t0\n")
    verdicts.write_text("sentence\tstart\tend\tcorrection\tverdict\n1\t3\t3\tthe\tvalid\n")
    arguments = ["score", str(gold), str(mine), "-m", "m2", "--max-unchanged-words", "0", "--no-ci"]
    assert main([*arguments, "-b", "--edit-weights", str(weights)]) == 0
    assert capsys.readouterr().out == "100.00\n"
    assert main([*arguments, "--edit-verdicts", str(verdicts)]) == 0
    printed = capsys.readouterr().out
    assert "edit_verdicts:verdicts-" in printed
    assert "valid" in printed
    assert str(tmp_path) not in printed
    weights.write_text("nonsense\n")
    assert main([*arguments, "--edit-weights", str(weights)]) == 2


def test_weights_of_edits_that_nobody_has_are_told_of(tmp_path, capsys):
    (tmp_path / "gold.m2").write_text("S He go\nA 1 2|||X|||goes|||REQUIRED|||-NONE-|||0\n")
    (tmp_path / "mine.txt").write_text("He went\n")
    command = ["score", str(tmp_path / "gold.m2"), str(tmp_path / "mine.txt")]
    command += ["--max-unchanged-words", "0", "--edit-weights"]
    header = "sentence\tstart\tend\tcorrection\tweight\n"
    tables = {
        "all": ("1\t1\t2\tgoes\t2\n1\t1\t2\twent\t2\n", []),
        "some": (
            "1\t1\t2\tgoes\t2\n1\t1\t2\tgone\t2\n2\t1\t2\t\t1\n",
            [
                "recte: note: some.tsv: 2 of 3 weights are of no edit of the gold or of a system, the first of "
                "sentence 1, tokens 1 2 to 'gone'"
            ],
        ),
        "none": (
            "2\t1\t2\t\t2\n",
            [
                "recte: warning: none.tsv: 1 of 1 weights are of no edit of the gold or of a system, the first of "
                "sentence 2, tokens 1 2 deleted"
            ],
        ),
    }
    for name, (rows, told) in tables.items():
        (tmp_path / f"{name}.tsv").write_text(header + rows)
        assert main([*command, str(tmp_path / f"{name}.tsv")]) == 0
        assert capsys.readouterr().err.replace(f"{tmp_path}/", "").splitlines() == told
