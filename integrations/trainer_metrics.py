"""`compute_metrics` for Seq2SeqTrainer of Transformers, with `predict_with_generate=True`."""

import numpy as np

import recte


def correction_metrics(tokenizer, sources, references, metrics=None):
    """Sources and lists of references of the evaluation set, in its order; by default M2 and GLEU are computed."""
    rows = zip(sources, references, strict=True)
    gold = recte.Corpus(tuple(recte.Sentence(source, references=tuple(supplied)) for source, supplied in rows))
    scorers = {metric.name: metric.prepare(gold) for metric in metrics or (recte.MaxMatch(), recte.Gleu())}
    texts = []

    def compute_metrics(prediction, compute_result=True):
        """All outputs at once, or with `batch_eval_metrics` batch by batch; the last call has `compute_result`."""
        ids = prediction.predictions
        ids = np.asarray(ids[0] if isinstance(ids, tuple) else ids)
        ids = np.where(ids < 0, tokenizer.pad_token_id, ids)  # rows are padded with -100
        texts.extend(tokenizer.batch_decode(ids, skip_special_tokens=True))
        if not compute_result:
            return {}
        outputs, texts[:] = list(texts), []
        return {name: scorer.score(outputs).score for name, scorer in scorers.items()}

    return compute_metrics
