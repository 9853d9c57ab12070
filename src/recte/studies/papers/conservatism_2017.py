"""Choshen and Abend (2017): how much systems dare to change, how many corrections there are, what keeps the meaning."""

from __future__ import annotations

from recte.studies.papers.conservatism_2017_changes import CHANGE_TABLES
from recte.studies.papers.conservatism_2017_coverage import COVERAGE_TABLES
from recte.studies.papers.conservatism_2017_f_scores import F_SCORE_TABLES
from recte.studies.papers.conservatism_2017_faithfulness import FAITHFULNESS_TABLES
from recte.studies.papers.paper import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "conservatism-2017",
    "Choshen and Abend (2017), Conservatism and Over-conservatism in Grammatical Error Correction",
    (*CHANGE_TABLES, *COVERAGE_TABLES, *F_SCORE_TABLES, *FAITHFULNESS_TABLES),
)
