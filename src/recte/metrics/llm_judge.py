"""A language model as judge, behind any endpoint that speaks OpenAI's chat protocol.

Each distinct pair of source and hypothesis is judged once, from 1 to 5, by one criterion. A row holds the score and
whether the hypothesis seems to speak to the judge instead of to a reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import results_of
from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.corpus.sentence import Sentence
from recte.errors import DryRun
from recte.judges.budget import Budget
from recte.judges.endpoint import Endpoint
from recte.judges.judge import Judge, Pair, PairJudge
from recte.judges.judge_client import describe_cost
from recte.judges.prompt_injection import has_prompt_injection
from recte.judges.prompts import BASES, CRITERIA, HIGHEST, LOWEST, Basis, Criterion
from recte.metrics.base import Column, MeanMetric, Score, Scorer, option
from recte.metrics.explanation import Explanation, Figure

__all__ = ["LlmJudge", "LlmJudgeScore", "LlmJudgeScorer"]

_FLAGGED = "flagged: it seems to speak to the judge, not to a reader"


@dataclass(frozen=True, kw_only=True)
class LlmJudgeScore(Score):
    """The mean judgment, from 0 to 1; `points` is the same from 1 to 5, `flagged` the hypotheses that instruct the
    judge.
    """

    points: float
    flagged: int


@dataclass(frozen=True, kw_only=True)
class LlmJudge(MeanMetric):
    """A model's judgment of each sentence, 1 to 5, mapped to 0 and 1.

    >>> LlmJudge(judge="my-model").options()["criterion"]
    'grammaticality'
    """

    name: ClassVar[str] = "llm-judge"
    title: ClassVar[str] = "LLM judge"
    cells: ClassVar[tuple[int, ...]] = (2,)
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    needs_references: ClassVar[bool] = False
    compares_with_source: ClassVar[bool] = False
    one_machine: ClassVar[str] = "one budget and one pace are kept there"
    sentence_meaning: ClassVar[str] = "the judge's score, 0 for 1 point and 100 for 5"
    bibtex: ClassVar[str] = """@inproceedings{kobayashi-etal-2024-large,
  title = {Large Language Models Are State-of-the-Art Evaluator for Grammatical Error Correction},
  author = {Kobayashi, Masamune and Mita, Masato and Komachi, Mamoru},
  booktitle = {Proceedings of BEA 2024},
  pages = {68--77},
  year = {2024}
}"""

    judge: str = option("", "the model that judges, as its endpoint calls it")
    endpoint: str = option(
        "http://localhost:8000/v1", "address before /chat/completions; the key is in RECTE_JUDGE_KEY"
    )
    criterion: Criterion = option("grammaticality", "what is judged", choices=CRITERIA)
    basis: Basis = option("sentence", "what the judge sees: the corrected sentence, or its edits", choices=BASES)
    dry_run: bool = option(False, "ask nobody: say how many requests and tokens a run would take", scoring_only=True)
    budget: int = option(
        0,
        "stop before so many tokens are passed; what was judged is kept (0: no limit)",
        least=0,
        most=10**12,
        scoring_only=True,
    )
    requests_at_once: int = option(4, "requests that run at the same time", least=1, most=256, scoring_only=True)
    requests_per_minute: int = option(
        0, "requests sent per minute at most (0: no limit)", least=0, most=10**6, scoring_only=True
    )
    request_tries: int = option(
        4, "how often a request is sent while the server is busy", least=1, most=100, scoring_only=True
    )
    answer_tries: int = option(
        3, "how often a sentence is judged again where the answer is no score", least=1, most=100, scoring_only=True
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("points", ("points",), percentage=False),
            Column("flagged", ("flagged",), percentage=False),
            Column("judge", ("score",)),
        )

    @cached_property
    def purse(self) -> Budget:
        """What was spent, by whatever asks with these options: parts of a corpus, explanations, pairs."""
        return Budget(self.budget)

    @cached_property
    def asked_endpoint(self) -> Endpoint:
        """One for all, since it keeps the pace of all."""
        return Endpoint(self.endpoint, self.judge, self.request_tries, self.requests_per_minute)

    @cached_property
    def would_ask(self) -> dict[Pair, None]:
        """What was to be asked so far, in a dry run."""
        return {}

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        points, flags = rows[..., 0], rows[..., 1]
        whole = (points == np.round(points)) & (points >= LOWEST) & (points <= HIGHEST)
        return np.asarray(whole & ((flags == 0) | (flags == 1)))

    def judge_of(self) -> Judge:
        """The judge that these options name."""
        return Judge(
            self.asked_endpoint,
            self.criterion,
            self.basis,
            _edit_lists,
            self.answer_tries,
            self.requests_at_once,
            self.purse,
        )

    def pair_judge(self) -> PairJudge:
        """The same model, to say which of two hypotheses is better (`recte.studies.human.judge_command`)."""
        alone = self.judge_of()
        return PairJudge(
            alone.endpoint, alone.criterion, alone.basis, _edit_lists, alone.answers, alone.at_once, alone.budget
        )

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return {"criterion": self.criterion, "basis": self.basis}

    def prepare(self, gold: Corpus) -> LlmJudgeScorer:
        return LlmJudgeScorer(self, gold)

    def prepare_with(self, gold: Corpus, systems: Mapping[str, System]) -> LlmJudgeScorer:
        scorer = self.prepare(gold)
        outputs = [text for system in systems.values() for text in scorer.segmented(system.outputs)]
        if len(systems) > 1:
            scorer.ask_judge(outputs, [place % len(gold) for place in range(len(outputs))])
        return scorer

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return np.asarray((self.read_rows(counts)[:, 0, 0] - LOWEST) / (HIGHEST - LOWEST))

    def all_counted(self) -> None:
        """In a dry run nobody was asked: say what would have been."""
        if self.dry_run:
            asked = list(self.would_ask)
            self.would_ask.clear()  # the next call is another run
            raise DryRun(describe_cost(self.judge_of(), asked))

    def remarks(self, counts: Counts) -> Mapping[int, str]:
        """Which hypotheses were flagged."""
        return dict.fromkeys(np.flatnonzero(self.read_rows(counts)[:, 0, 1]).tolist(), _FLAGGED)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> LlmJudgeScore:
        self.all_counted()
        return LlmJudgeScore(
            **self.common_figures(counts),
            score=float(self.sentence_scores(counts).mean()),
            points=float(counts.rows[:, 0, 0].mean()),
            flagged=int(counts.rows[:, 0, 1].sum()),
            sentences=self.all_entries(counts) if sentences else None,
        )


class LlmJudgeScorer(Scorer[LlmJudge]):
    """A judge with its sources."""

    metric: LlmJudge

    def __init__(self, metric: LlmJudge, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.judge = metric.judge_of()

    def ask_judge(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> NDArray[np.float64]:
        """Score and flag of each hypothesis; in a dry run nobody is asked, and all score alike.

        White space at either end means nothing to a judge: texts that differ in it alone are one.
        """
        sources = self.corpus.unchanged
        pairs: list[Pair] = [
            (sources[s].strip(), hypothesis.strip()) for hypothesis, s in zip(hypotheses, source_of, strict=True)
        ]
        if self.metric.dry_run:
            self.metric.would_ask.update(dict.fromkeys(pairs))
            return np.full((len(pairs), 2), (float(LOWEST), 0.0))
        rows = np.array(results_of(self.judge, pairs))
        injections = {text: has_prompt_injection(text) for text in dict.fromkeys(hypotheses)}
        rows[:, 1] = np.maximum(rows[:, 1], [injections[text] for text in hypotheses])
        return rows

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = self.ask_judge(hypotheses, source_of)[:, None]
        return replace(self.counts_of(rows, ("all",), source_of), made_with={"judge": self.judge.signature})

    def explain(self, system: System, number: int) -> Explanation:
        """The judge's points, and whether the hypothesis was flagged."""
        place = number - 1
        hypothesis = self.segmented([system.outputs[place]])[0]
        points, flagged = self.ask_judge([hypothesis], [place])[0].tolist()
        return Explanation(
            number=number,
            system=system.name,
            title=self.metric.title,
            score_name="judge",
            source=" ".join(self.corpus[place].tokens),
            hypothesis=" ".join(hypothesis.split()),
            chosen=f"{points:g} of {HIGHEST} points",
            reason=f"{self.metric.criterion}, judged by {self.judge.endpoint.model}",
            figures=(Figure("points", points, False), Figure("flagged", flagged, False)),
            remarks=(_FLAGGED,) if flagged else (),
        )


def _edit_lists(pairs: Sequence[Pair]) -> Sequence[Sequence[str]]:
    """The edits of each pair as text, found as ERRANT finds them."""
    from recte.extraction.reference_edits import edits_between

    sentences = [Sentence(source) for source, _ in pairs]
    edits_of_pairs = edits_between(sentences, [hypothesis for _, hypothesis in pairs], rule="errant")
    return [
        [f"{' '.join(s.tokens[e.start : e.end])} -> {e.corrections[0]}" for e in edits]
        for s, edits in zip(sentences, edits_of_pairs, strict=True)
    ]
