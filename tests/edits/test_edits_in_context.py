"""Edits as columns are the edits as objects: the same sides, texts, weights and verdicts, whoever made them."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from recte import Annotation, Corpus, Edit, Errant, MaxMatch, Sentence
from recte.edits.edit_context import EditInContext
from recte.edits.edit_verdicts import TextJudge, register_edit_verdicts
from recte.edits.edit_weights import TextWeigher, register_edit_weights
from recte.metrics import edit_metric


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(edit_metric, "ROWS_TOGETHER", 15)


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


def literal(scorer, hypotheses, places):
    """Every edit of every pair, from objects: its row and annotator, whether it is proposed and right, its context."""
    entries = []
    for row, (hypothesis, place) in enumerate(zip(hypotheses, places, strict=True)):
        sentence = scorer.sentences[place]
        matches = scorer.matches([hypothesis], [place])
        names, columns = matches.columns
        for pair, column in enumerate(columns.tolist()):
            reference = sentence.corrected(names[column])
            wrong = {
                e
                for e, right in zip(matches.judged.own_edits.tolist(), matches.judged.right.tolist(), strict=True)
                if not right
            }
            edits_of_pair = range(*matches.proposed.offsets[matches.own_annotations[pair] + np.arange(2)].tolist())
            edits = [(True, e not in wrong, matches.proposed[e]) for e in edits_of_pair]
            edits += [(False, False, edit) for edit in sentence.annotation(names[column]).edits]
            for proposed, right, edit in edits:
                context = EditInContext(
                    place, sentence.tokens, edit.start, edit.end, edit.corrections[0], names[column], reference
                )
                entries.append(((row, names[column]), (proposed, right), context))
    return sorted(entries, key=lambda entry: (entry[0], not entry[1][0]))


def seen(edits, first):
    """The same from columns."""
    names, columns = edits.matches.columns
    entries = [
        ((first + int(edits.matches.rows[pair]), names[columns[pair]]), (proposed, right), edits[e])
        for e, (pair, proposed, right) in enumerate(
            zip(edits.pairs.tolist(), edits.proposed.tolist(), edits.correct.tolist(), strict=True)
        )
    ]
    return sorted(entries, key=lambda entry: (entry[0], not entry[1][0]))  # stable: edits of a side stay in their order


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


def compare(wrapper, hypotheses, seed):
    scorer = wrapper.edits
    places = [random.Random(seed).randrange(len(hypotheses)) for _ in range(40)]  # some twice, some not at all
    candidates = [hypotheses[place] for place in places]
    entries = []
    for part in scorer.defer(candidates, places):
        edits = part.find()
        entries += seen(edits, part.first)
        texts, pairs = edits.text_pairs
        both = [(texts[a], texts[b]) for a, b in pairs.tolist()]
        assert both == [(e.applied, e.reference) for e in edits] + [(e.source, e.reference) for e in edits]
        assert {(part.ahead.texts[a], part.ahead.texts[b]) for a, b in part.ahead.pairs.tolist()} <= set(both)
    assert entries == literal(scorer, candidates, places)
    counts = wrapper.count_candidates(candidates, places)
    again = pickle.loads(pickle.dumps(wrapper))
    np.testing.assert_array_equal(again.count_candidates(candidates, places).rows, counts.rows)


def test_each_text_has_a_mixture_of_its_own():
    corpus, hypotheses = corpus_of(1, "edits")
    scorer = MaxMatch(mix=True).prepare(corpus)
    places = range(len(hypotheses))
    assert scorer.defer(hypotheses, places)[0].ahead is None
    for edit in scorer.in_context(scorer.matches(hypotheses, places), places):
        assert edit.annotator == "mixed"
