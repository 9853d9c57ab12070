"""What recte_gec.yaml computes. The harness gives no interval to figures of others, so its bounds are figures too."""

import math

import recte
from recte.text.segmenters import segmenter_named

TOKENS = "given"  # how texts are cut into words; "treebank" for raw English


def process_results(doc, results):
    row = (doc["source"], results[0].strip(), tuple(doc["references"]))
    return dict.fromkeys(("m2", "m2_low", "m2_high", "errant", "gleu"), row)


def counts(items, metric):
    gold = recte.Corpus(tuple(recte.Sentence(source, references=supplied) for source, _, supplied in items))
    if segmenter := segmenter_named(TOKENS):
        gold = recte.segmented(gold, segmenter)
    return metric.prepare(gold).count([output for _, output, _ in items])


def score(items, metric):
    return metric.score_counts(counts(items, metric)).score


def m2(items):
    return score(items, recte.MaxMatch())


def m2_low(items):
    return interval(items).low if len(items) >= 5 else math.nan  # fewer say nothing, as with --limit 2


def m2_high(items):
    return interval(items).high if len(items) >= 5 else math.nan


def interval(items):
    return recte.confidence_interval(counts(items, recte.MaxMatch()))


def errant(items):
    return score(items, recte.Errant())


def gleu(items):
    return score(items, recte.Gleu())
