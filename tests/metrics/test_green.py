"""GREEN: the authors' figures, the other library's, the twin, and what the score is made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import green as oracle
from recte import Corpus, OptionError, read_m2
from recte.cli import main
from recte.metrics.green import Green
from shared_data import golden_json, golden_lines, golden_rows, shared

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)
SYSTEMS = ("AMU", "CUUI", "IITB", "INPUT", "IPN", "POST", "SJTU", "UMC")


def lines(*parts):
    return shared(*parts).read_bytes().decode().replace("\r\n", "\n").removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def conll():
    folder = ("data", "conll14")
    return Corpus.from_references(
        lines(*folder, "source.txt"), [lines(*folder, "references", f"ref{r}.txt") for r in (0, 1)]
    )


@pytest.mark.parametrize("unit", ["word", "char"])
def test_golden_cases(unit):
    for case in golden_lines(f"green/cases-{unit}.jsonl"):
        gold = Corpus.from_references([case["source"]], [[r] for r in case["references"]])
        for beta, wanted in case["official"].items():
            metric = Green(ngram_unit=unit, beta=float(beta))
            counts = metric.prepare(gold).count([case["hypothesis"]])
            assert counts.rows[0].tolist() == case["counts"]
            score = metric.score_counts(counts, sentences=True)
            assert score.sentences[0]["chosen"] == str(wanted["reference"])
            assert list(score.shorter_orders.values()) == pytest.approx(wanted["f"], abs=1e-9)
        for beta, wanted in case["gec_metrics"].items():
            score = Green(ngram_unit=unit, beta=float(beta), behaviour="gec-metrics").score(gold, [case["hypothesis"]])
            assert score.score == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("unit", ["word", "char"])
def test_golden_systems(conll, unit):
    golden = golden_json("green/systems.json")
    official, peer = (
        Green(ngram_unit=unit, behaviour=behaviour).prepare(conll) for behaviour in ("official", "gec-metrics")
    )
    for name, wanted in golden.items():
        outputs = lines("data", "conll14", "systems", f"{name}.txt")
        counts = official.count(outputs)
        for beta, figures in wanted[unit]["official"].items():
            score = Green(ngram_unit=unit, beta=float(beta)).score_counts(counts, sentences=True)
            assert [list(of_order.values()) for of_order in score.ngrams.values()] == figures["counts"]
            assert list(score.shorter_orders.values()) == pytest.approx(figures["f"], abs=1e-9)
            assert score.mean == pytest.approx(figures["mean"], abs=1e-9)
            assert sum(s["chosen"] == "1" for s in score.sentences) == figures["second_reference_chosen"]
        counts = peer.count(outputs)
        for beta, figures in wanted[unit]["gec_metrics"].items():
            score = Green(ngram_unit=unit, beta=float(beta), behaviour="gec-metrics").score_counts(counts)
            assert (score.score, score.mean) == pytest.approx((figures["corpus"], figures["mean"]), abs=1e-9)


def test_golden_sentences(conll):
    metric = Green(beta=2.0)
    scorer = metric.prepare(conll)
    wanted = {}
    for system, sentence, reference, f in map(dict.values, golden_rows("green/sentences.tsv")):
        wanted.setdefault(system, {})[int(sentence)] = (reference, float(f))
    assert set(wanted) == set(SYSTEMS)
    for system, rows in wanted.items():
        entries = metric.sentence_entries(scorer.count(lines("data", "conll14", "systems", f"{system}.txt")))
        for entry in entries:
            reference, f = rows[entry["sentence"] - 1]
            assert entry["chosen"] == reference
            assert entry["score"] == pytest.approx(f, abs=1e-9)


def test_stripped_lines_say_what_the_text_is_worth(conll):
    outputs = lines("data", "conll14", "systems", "INPUT.txt")
    raw, stripped = (
        Green(ngram_unit="char", beta=0.5, strip_lines=s).score(conll, outputs).score for s in (False, True)
    )
    assert (round(raw, 3), round(stripped, 3)) == (0.970, 0.983)


def test_doing_nothing_compared_with_real_systems(conll):
    """What docs/green.md says of CoNLL-14."""
    folder = shared("data", "conll14", "systems")
    outputs = {path.stem: [line.strip() for line in lines(*path.parts[-4:])] for path in sorted(folder.glob("*.txt"))}
    counted = {name: Green().prepare(conll).count(texts) for name, texts in outputs.items()}
    for beta, above in ((0.5, set()), (1.0, {"UFC"})):
        scores = {name: Green(beta=beta).score_counts(counts).score for name, counts in counted.items()}
        assert {name for name, score in scores.items() if score > scores["INPUT"]} == above


@given(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 5), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_kernel_counts_as_its_twin(source, hypothesis, references, orders, beta):
    gold = Corpus.from_references([" ".join(source)], [[" ".join(r)] for r in references])
    tables = [oracle.counts(source, hypothesis, r, orders) for r in references]
    metric = Green(orders=orders, beta=beta)
    counts = metric.prepare(gold).count([" ".join(hypothesis)])
    assert counts.rows[0].tolist() == tables
    best, by_order = oracle.official(tables, beta)
    score = metric.score_counts(counts, sentences=True)
    assert score.sentences[0]["chosen"] == str(best)
    assert list(score.shorter_orders.values()) == pytest.approx(by_order)
    library = Green(orders=orders, beta=beta, behaviour="gec-metrics")
    peer = library.score_counts(replace(counts, options=library.options()))  # of words without blanks at their ends
    assert peer.score == pytest.approx(oracle.gec_metrics(tables, beta)[1])


def test_weightings_are_repeated_sentences():
    sources = ["a b c d e", "f g h i", "k l m n o p"]
    gold = Corpus.from_references(sources, [["a b x d e", "f g h i", "k m n o p"], ["a b c d", "f h i j", "k l m n"]])
    metric = Green()
    counts = metric.prepare(gold).count(["a b x d", "f g h i j", "k l m n o p"])
    weights = np.array([[1, 1, 1], [2, 0, 1], [0, 3, 2]], dtype=np.int32)
    expected = [metric.score_counts(counts.repeat(w)).score for w in weights]
    assert metric.score_many(counts, weights) == pytest.approx(expected)


def test_a_short_perfect_sentence_scores_nothing_by_the_official_rule():
    gold = Corpus.from_references(["He go ."], [["He goes ."]])
    assert Green().score(gold, ["He goes ."]).score == 0
    assert Green(behaviour="gec-metrics").score(gold, ["He goes ."]).score == 1
    assert Green(orders=3).score(gold, ["He goes ."]).score == 1


def test_orders_are_checked():
    with pytest.raises(OptionError, match="orders: expected 1 to 10, got 0"):
        Green(orders=0)


def test_characters_on_the_command_line(tmp_path, capsys):
    """Blanks at the end of a line count as characters; the flag is not that of resampling."""
    for name, text in (("source", "a b c d"), ("reference", "a b x d"), ("mine", "a b x d  ")):
        (tmp_path / name).write_text(text + "\n")
    source, reference, mine = (str(tmp_path / name) for name in ("source", "reference", "mine"))
    arguments = ["score", mine, "-s", source, "-r", reference, "-m", "green", "--ngram-unit", "char", "-b"]
    assert main(arguments) == 0
    assert capsys.readouterr().out != "100.00\n"
    assert main([*arguments, "--strip-lines"]) == 0
    assert capsys.readouterr().out == "100.00\n"


def test_columns_need_no_second_cut(tmp_path):
    """Of a file each line is cut once; sentences that are objects are cut again, with the same counts."""
    path = tmp_path / "gold.m2"
    path.write_text(
        "S He\u00a0go  to\u3000school .\nA 1 2|||X|||went\u00a0out  x|||REQUIRED|||-NONE-|||0\n\n"
        "S I am .\nA 0 1|||Um|||||||REQUIRED|||-NONE-|||0\nA 1 2|||X|||was|||REQUIRED|||-NONE-|||1\n\n"
    )
    gold = read_m2(path)
    outputs = ["He\u00a0went out  to school .", " I was ."]
    for metric in (Green(), Green(strip_lines=True), Green(behaviour="gec-metrics"), Green(ngram_unit="char")):
        counts = metric.prepare(gold).count(outputs)
        again = metric.prepare(Corpus(tuple(gold.sentences))).count(outputs)
        assert counts.rows.tolist() == again.rows.tolist()
