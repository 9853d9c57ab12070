"""Scores one system by a judge, as a process of its own: the endpoint and the hypotheses' numbers are arguments."""

from __future__ import annotations

import signal
import sys

from recte import Corpus
from recte.metrics.llm_judge import LlmJudge

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets jobs in the background ignore it
endpoint, first, last, at_once = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
texts = [f"They were here {number} ." for number in range(first, last)]
metric = LlmJudge(judge="m1", endpoint=endpoint, requests_at_once=at_once)
print(metric.score(Corpus.from_references(texts, [texts]), texts).points, metric.purse.answers, flush=True)
