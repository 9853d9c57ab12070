"""recte as a metric of Hugging Face `evaluate`, loaded from this folder: `evaluate.load("integrations/recte_gec")`."""

import datasets
import evaluate

import recte
from recte.text.segmenters import segmenter_named

INPUTS = """
sources: the sentences to correct.
predictions: what a system made of them.
references: for each sentence a list of corrections; lists may have different lengths.
metric: a name that `recte --list` shows (default m2); its options go beside it, such as beta=1.0.
tokens: how texts are cut into words: given (by spaces, the default), treebank, 13a, characters, ...
"""


class RecteGec(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        columns = {"sources": text, "predictions": text, "references": datasets.Sequence(text)}
        return evaluate.MetricInfo(
            description="Scores grammatical error correction: M2, ERRANT, GLEU and every other metric of recte.",
            citation="",
            inputs_description=INPUTS,
            features=datasets.Features(columns),
        )

    def _compute(self, sources, predictions, references, metric="m2", tokens="given", **options):
        gold = recte.Corpus.by_sentence(sources, references)
        if segmenter := segmenter_named(tokens):
            gold = recte.segmented(gold, segmenter)
        actual = recte.score(gold, predictions, metric=metric, **options).to_dict()
        return {name: value for name, value in actual.items() if type(value) in (int, float) or name == "signature"}
