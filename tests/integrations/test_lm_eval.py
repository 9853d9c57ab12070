"""The task for lm-evaluation-harness, run by the harness with a model that has its answers by heart."""

from __future__ import annotations

import json
import math
import shutil

import pytest

import recte
from adapter_cases import FOLDER, GOLD, OUTPUTS, ROWS


def test_the_functions_give_what_recte_gives(adapter):
    module = adapter("lm_eval/recte_scores.py")
    docs = [{"source": source, "references": supplied} for source, supplied in ROWS]
    rows = [module.process_results(doc, [f" {output} "]) for doc, output in zip(docs, OUTPUTS, strict=True)]
    for name in ("m2", "errant", "gleu"):
        assert getattr(module, name)([row[name] for row in rows]) == recte.score(GOLD, OUTPUTS, metric=name).score
    items = [row["m2"] for row in rows]
    assert module.m2_low(items) <= module.m2(items) <= module.m2_high(items)
    assert math.isnan(module.m2_low(items[:2]))
    assert math.isnan(module.m2_high(items[:2]))


def test_the_harness_runs_the_task(tmp_path):
    pytest.importorskip("datasets", reason="datasets is not installed")
    pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class ByHeart(LM):
        def generate_until(self, requests):
            known = {source: output for (source, _), output in zip(ROWS, OUTPUTS, strict=True)}
            return [f" {known[request.doc['source']]}" for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    for file in ("recte_gec.yaml", "recte_scores.py"):
        shutil.copy(FOLDER / "lm_eval" / file, tmp_path)
    lines = [json.dumps({"source": source, "references": supplied}) for source, supplied in ROWS]
    (tmp_path / "data.jsonl").write_text("\n".join(lines) + "\n")
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    actual = simple_evaluate(ByHeart(), tasks=["recte_gec"], task_manager=tasks, bootstrap_iters=0)
    results = actual["results"]["recte_gec"]
    for name in ("m2", "errant", "gleu"):
        assert results[f"{name},none"] == pytest.approx(recte.score(GOLD, OUTPUTS, metric=name).score)
    assert results["m2_low,none"] < results["m2,none"] < results["m2_high,none"]
