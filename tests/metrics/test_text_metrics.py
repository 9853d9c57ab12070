"""Sentence accuracy, BLEU and character meaning preservation: sacreBLEU and the paper's rules as oracles."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import ngrams as oracle
from recte import Corpus, MaxMatch, OptionError, Sentence, read_m2, read_system, segmented
from recte.metrics import Bleu, CharBleu, CharMeaning, SentenceAccuracy
from recte.text import Characters
from shared_data import golden_json, shared
from strategies import sentences


@settings(max_examples=400)
@given(sentences(), st.lists(sentences(), min_size=1, max_size=3), st.integers(1, 5))
def test_bleu_counts_are_the_literal_ones(hypothesis, references, orders):
    corpus = Corpus((Sentence("x", references=tuple(" ".join(r) for r in references)),))
    counts = Bleu(orders=orders).prepare(corpus).count([" ".join(hypothesis)])
    assert counts.rows[0, 0].tolist() == oracle.bleu_statistics(hypothesis, references, orders)


corpora = st.lists(st.tuples(sentences(), sentences().filter(bool), sentences().filter(bool)), min_size=1, max_size=6)


@settings(max_examples=300)
@given(corpora, st.sampled_from(["none", "exp", "floor", "add-k"]))
def test_bleu_is_sacrebleus(triples, smoothing):
    hypotheses = [" ".join(h) for h, _, _ in triples]
    references = [[" ".join(t[r]) for t in triples] for r in (1, 2)]
    corpus = Corpus.from_references(["x"] * len(triples), references)
    scorer = Bleu(smoothing=smoothing).prepare(corpus)
    theirs = sacrebleu.BLEU(tokenize="none", smooth_method=smoothing, force=True)
    ours = scorer.score(hypotheses).score
    assert 100 * ours == pytest.approx(theirs.corpus_score(hypotheses, references).score, abs=1e-9)
    if smoothing != "none":
        alone = sacrebleu.BLEU(tokenize="none", smooth_method=smoothing, effective_order=True)
        for i, score in enumerate(scorer.sentence_scores(hypotheses)):
            expected = alone.sentence_score(hypotheses[i], [column[i] for column in references]).score
            assert 100 * score == pytest.approx(expected, abs=1e-9)


def test_weights_of_the_orders():
    corpus = Corpus.from_references(["a b c d e"], [["a b c d e"]])
    only_words = Bleu(weights="1,0,0,0").score(corpus, ["a c b e d"]).score
    assert only_words == pytest.approx(1.0)
    with pytest.raises(OptionError, match="weights: expected uniform, or 4 numbers from 0 that add up to 1, got '1,1'"):
        Bleu(weights="1,1")


def test_sentence_accuracy():
    corpus = Corpus.from_references(["a", "b", "c"], [["A", "b", "C"], ["x", "B", "c"]])
    score = SentenceAccuracy().prepare(corpus).score(["x", " B ", "d"], sentences=True)
    assert (score.correct, score.score) == (2, pytest.approx(2 / 3))
    assert [entry["score"] for entry in score.sentences] == [1.0, 1.0, 0.0]


def test_sentence_accuracy_does_not_depend_on_the_segmenter():
    gold = Corpus.from_references(["我 喜欢 iPhone 5 。", "can not go"], [["我 很 喜欢 iPhone 5 。", "cannot go"]])
    outputs = ["我 很 喜 欢 iPhone5 。", "can not go"]
    assert SentenceAccuracy().score(gold, outputs).score == 0.5
    assert SentenceAccuracy(compare="tokens").score(gold, outputs).score == 0
    assert SentenceAccuracy().score(segmented(gold[:1], Characters()), outputs[:1]).score == 1


def test_micro_cases():
    cases = golden_json("chinese/lin2022_micro.json")["cases"]
    for case in cases:
        corpus = Corpus.from_references([case["src"]], [[reference] for reference in case["refs"]])
        hypothesis = [case["hyp"]]
        assert SentenceAccuracy().score(segmented(corpus, Characters()), hypothesis).correct == case["exact"]
        scorer = CharBleu().prepare(corpus)
        row = scorer.count(hypothesis).rows[0, 0].tolist()
        assert row == [*case["bleu_match"], *case["bleu_total"], case["hyp_len"], case["closest_ref_len"]]
        assert scorer.score(hypothesis).score == pytest.approx(case["bleu_unsmoothed"], abs=1e-12)
        for matching in ("bag", "lcs"):
            score = CharMeaning(matching=matching).score(corpus, hypothesis)
            assert score.mp == pytest.approx(case[f"S_CM_{matching}"], abs=1e-12)


def test_meaning_of_empty_and_unrelated_texts():
    corpus = Corpus.from_references(["", "ab"], [["", "ab"]])
    assert CharMeaning().prepare(corpus).sentence_scores(["", "xy"]) == [1.0, 0.0]
    with pytest.raises(OptionError, match="recall_weight: expected a number from 0 to 1"):
        CharMeaning(recall_weight=2.0)


def test_character_bleu_on_real_data_is_sacrebleus():
    sources = read_system(shared("data", "jfleg", "dev.src")).outputs
    references = [read_system(shared("data", "jfleg", f"dev.ref{r}")).outputs for r in range(4)]
    ours = CharBleu().score(Corpus.from_references(sources, references), sources).score

    def spaceless(texts):
        return ["".join(text.split()) for text in texts]

    theirs = sacrebleu.BLEU(tokenize="char", smooth_method="none", force=True)
    expected = theirs.corpus_score(spaceless(sources), list(map(spaceless, references))).score
    assert ours == pytest.approx(expected / 100, abs=1e-12)
    words = Bleu(smoothing="none").score(Corpus.from_references(sources, references), sources).score
    as_words = sacrebleu.BLEU(tokenize="none", smooth_method="none", force=True)
    assert words == pytest.approx(
        as_words.corpus_score(list(sources), list(map(list, references))).score / 100, abs=1e-12
    )


def nlpcc():
    folder = shared("data", "chinese", "nlpcc18")
    return read_m2(folder / "gold.m2", lenient=True), read_system(folder / "convs2s.pkunlp.txt")


def test_maxmatch_on_official_words_and_projected_to_characters():
    gold, convs2s = nlpcc()
    words = MaxMatch().score(gold, convs2s)
    assert (words.tp, words.proposed, words.gold) == (681, 1531, 3771)
    golden = golden_json("chinese/nlpcc18_char_projected_m2.json")["proj|maxun2|convs2s"]
    projected = MaxMatch().score(segmented(gold, Characters()), convs2s)
    assert (projected.tp, projected.proposed, projected.gold) == (golden["tp"], golden["prop"], golden["gold"])
    assert round(100 * projected.score, 2) == 34.00


@pytest.mark.parametrize(
    ("name", "file"), [("convs2s", "convs2s.pkunlp.txt"), ("m1m2m3", "ensemble.pkunlp.txt"), ("source", None)]
)
def test_character_metrics_on_nlpcc(name, file):
    gold, _ = nlpcc()
    golden = golden_json("chinese/lin2022_metrics_on_real_data.json")[f"nlpcc18/{name}"]
    sources = [" ".join(s.tokens) for s in gold]
    outputs = sources if file is None else read_system(shared("data", "chinese", "nlpcc18", file))
    assert SentenceAccuracy().score(segmented(gold, Characters()), outputs).correct == golden["acc_count"]
    assert CharBleu().score(gold, outputs).score == pytest.approx(golden["bleu_corpus"], abs=1e-12)
    for matching, kind in (("bag", "MP_bag"), ("lcs", "MP_lcs")):
        meaning = CharMeaning(matching=matching).score(gold, outputs)
        assert meaning.mp == pytest.approx(golden[kind]["MP"], abs=1e-12)
        assert meaning.mp_average == pytest.approx(golden[kind]["MP_avg_pairs"], abs=1e-12)
        assert meaning.score == pytest.approx(golden[kind]["MPprime_pairs"], abs=1e-12)


def test_doing_nothing_beats_a_system_by_character_bleu():
    gold, convs2s = nlpcc()
    sources = [" ".join(s.tokens) for s in gold]
    assert CharBleu().score(gold, sources).score > CharBleu().score(gold, convs2s).score
