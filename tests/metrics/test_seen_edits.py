"""Edits as columns are the edits as objects: the same sides, texts, weights and verdicts, whoever made them."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from recte import Annotation, Corpus, Edit, Errant, MaxMatch, Sentence
from recte.metrics import gold_sides
from recte.metrics.edit_metric import EditScorer
from recte.weighing.text_judges import TextJudge, register_edit_verdicts
from recte.weighing.weights import TextWeigher, register_edit_weights


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(gold_sides, "_AT_ONCE", 15)


WORDS = ("a", "b", "c", "The", "cat", "cats")


def texts(generator: random.Random, count: int) -> list[str]:
    return [" ".join(generator.choices(WORDS, k=generator.randint(0, 7))) for _ in range(count)]


def changed(generator: random.Random, text: str) -> str:
    tokens = text.split()
    for _ in range(generator.randint(0, 2)):
        place = generator.randint(0, len(tokens))
        tokens[place : place + generator.randint(0, 2)] = generator.choices([*WORDS, "new"], k=generator.randint(0, 2))
    return " ".join(tokens)


def annotated(generator: random.Random, text: str) -> Sentence:
    """A sentence with up to three annotators, some of whose corrections have alternatives or stray spaces."""
    tokens = text.split()
    annotations = []
    for name in generator.sample(["0", "2", "10", "x"], generator.randint(1, 3)):
        edits = []
        for start in range(len(tokens) + 1):
            if generator.random() < 0.3:
                said = generator.sample(["a", "b", "", "a b", "a  b", "cats"], generator.randint(1, 2))
                edits.append(Edit(start, min(len(tokens), start + generator.randint(0, 2)), tuple(said)))
        annotations.append(Annotation(name, tuple(edits)))
    return Sentence(text, annotations=tuple(annotations))


def corpus_of(seed: int, kind: str) -> tuple[Corpus, list[str]]:
    generator = random.Random(seed)
    sources = texts(generator, 30)
    if kind == "edits":
        corpus = Corpus(tuple(annotated(generator, source) for source in sources))
    else:
        corpus = Corpus.from_references(sources, [[changed(generator, s) for s in sources] for _ in range(2)])
    return corpus, [changed(generator, source) for source in sources]


def overlap(a: str, b: str) -> float:
    return len({*a.split()} & {*b.split()}) / (len({*a.split()} | {*b.split()}) or 1) + len(a) / 97


register_edit_weights("overlap", TextWeigher("overlap", overlap))
register_edit_verdicts("short", TextJudge("short", lambda source, edited: ("valid", "wrong")[len(edited) % 2]))


def contexts(edits, first=0):
    """All that can be seen of the edits, side by side."""
    found = []
    for e in range(len(edits)):
        side = edits.side[e]
        found.append(
            (
                (first + int(edits.row[side]), edits.annotators[edits.column[side]]),
                (bool(edits.proposed[e]), bool(edits.correct[e]), edits[e]),
                [edits.texts[n[e]] for n in (edits.source, edits.applied, edits.reference)],
            )
        )
    return sorted(found, key=lambda one: (one[0], not one[1][0]))  # stable: edits of a side stay in their order


@pytest.mark.parametrize("kind", ["edits", "references"])
@pytest.mark.parametrize("behaviour", ["official", "paper", "optimal"])
@pytest.mark.parametrize("extraction", ["maxmatch", "word-diff"])
def test_maxmatch_sees_in_columns_what_it_sees_in_objects(kind, behaviour, extraction):
    for seed in range(8):
        corpus, hypotheses = corpus_of(seed, kind)
        metric = MaxMatch(behaviour=behaviour, extraction=extraction, edit_weights="overlap", edit_verdicts="short")
        compare(metric.prepare(corpus), hypotheses, seed)


@pytest.mark.parametrize("behaviour", ["gec-metrics", "optimal"])
def test_errant_sees_in_columns_what_it_sees_in_objects(behaviour):
    for seed in range(6):
        corpus, hypotheses = corpus_of(seed, "references")
        metric = Errant(behaviour=behaviour, edit_weights="overlap", edit_verdicts="short")
        compare(metric.prepare(corpus), hypotheses, seed)
        scorer, parts = metric.prepare(corpus), metric.prepare(corpus[5:25])
        np.testing.assert_array_equal(parts.count(hypotheses[5:25]).rows, scorer.count(hypotheses).rows[5:25])


def compare(scorer, hypotheses, seed):
    places = [random.Random(seed).randrange(len(hypotheses)) for _ in range(40)]  # some twice, some not at all
    given = [hypotheses[place] for place in places]
    parts, whole = scorer.seen(given, places), EditScorer.seen(scorer, given, places)
    objects, seen = whole[0].find(), []
    for soon in parts:
        columns = soon.find()
        seen += contexts(columns, soon.first)
        wanted = {(columns.texts[a], columns.texts[b]) for a, b in columns.text_pairs.pairs.tolist()}
        assert {(soon.ahead.texts[a], soon.ahead.texts[b]) for a, b in soon.ahead.pairs.tolist()} <= wanted
    assert seen == contexts(objects)
    counted = scorer._count_texts(given, places)
    plain = scorer._count_seen(whole, places, {})
    assert counted.columns == plain.columns
    np.testing.assert_array_equal(counted.rows, plain.rows)
    again = pickle.loads(pickle.dumps(scorer))
    np.testing.assert_array_equal(again._count_texts(given, places).rows, plain.rows)


def test_word_diffs_and_cases_left_out_are_seen_as_objects():
    corpus, hypotheses = corpus_of(1, "references")
    for metric in (MaxMatch(mix=True, edit_weights="length"), Errant(edit_weights="length", matching="span")):
        assert metric.prepare(corpus).seen(hypotheses, range(len(hypotheses)))[0].ahead is None
