"""Which edits were right: a verdict on each, from the matches of the system's edits with the gold's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from recte.edits.matching import Matches

__all__ = ["JudgedEdit", "JudgedSentence", "Verdict", "Verdicts", "edits_against"]

Verdict = Literal["correct", "spurious", "missed"]


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of the system's (`correct` or `spurious`) or one only the annotator has (`missed`).

    >>> JudgedEdit("missed", 1, 2, "go", ("goes",), "SVA").corrections
    ('goes',)
    """

    verdict: Verdict
    start: int
    end: int
    original: str
    corrections: tuple[str, ...]
    type: str = ""


@dataclass(frozen=True)
class JudgedSentence:
    """A system's edits of one sentence against the annotator that was chosen for it; "" where there is none."""

    annotator: str
    edits: tuple[JudgedEdit, ...]


def edits_against(judged: Mapping[str, tuple[JudgedEdit, ...]], chosen: str | None) -> JudgedSentence:
    """The edits against the chosen annotator, or against the first where the metric chooses none.

    >>> edits_against({"0": (), "1": ()}, "1").annotator, edits_against({"0": ()}, None).annotator
    ('1', '0')
    """
    annotator = next(iter(judged), "") if chosen is None else chosen
    return JudgedSentence(annotator, judged[annotator] if judged else ())


class Verdicts:
    """The verdicts that follow from matches, made row by row and only when they are asked for.

    `tokens` gives those of a row's sentence.

    >>> from recte import Edit
    >>> from recte.corpus.edit_table import EditTable
    >>> from recte.edits.matching import MatchRule, match
    >>> gold, own = (EditTable.of_one_annotator([[Edit(1, 2, (text,), "SVA")]]) for text in ("goes", "went"))
    >>> verdicts = Verdicts(match(gold, own, MatchRule()), lambda row: ["He", "go"])
    >>> [edit.verdict for edit in verdicts.of_row(0)["0"]]
    ['spurious', 'missed']
    """

    def __init__(self, matches: Matches, tokens: Callable[[int], Sequence[str]]) -> None:
        self._matches, self._tokens = matches, tokens
        names, columns = matches.columns
        self._names = [names[column] for column in columns.tolist()]
        self._rows = matches.rows.tolist()
        rows = int(matches.proposed.sentences.max(initial=-1)) + 1
        self._pairs = np.searchsorted(matches.rows, np.arange(rows + 1)).tolist()
        pairs, edits = np.arange(len(matches) + 1), matches.judged
        self._own, self._gold = (np.searchsorted(of, pairs).tolist() for of in (edits.own_pairs, edits.gold_pairs))
        self._own_edits, self._gold_edits = edits.own_edits.tolist(), edits.gold_edits.tolist()
        self._partners, self._right, self._found = edits.partners.tolist(), edits.right.tolist(), edits.found.tolist()
        self._judged: dict[int, tuple[JudgedEdit, ...]] = {}
        self._missed: dict[int, JudgedEdit] = {}  # by gold edit: the same for all hypotheses

    def of_row(self, row: int, annotator: str | None = None) -> dict[str, tuple[JudgedEdit, ...]]:
        """Every edit with its verdict, in the order of the sentence, against each annotator or against one."""
        return {
            self._names[pair]: self._of_pair(pair)
            for pair in range(self._pairs[row], self._pairs[row + 1])
            if annotator is None or self._names[pair] == annotator
        }

    def _of_pair(self, pair: int) -> tuple[JudgedEdit, ...]:
        known = self._judged.get(pair)
        if known is None:
            proposed, gold = (range(of[pair], of[pair + 1]) for of in (self._own, self._gold))
            tokens = self._tokens(self._rows[pair]) if len(proposed) or len(gold) else ()
            judged = [
                *(self._judge_proposed(tokens, edit) for edit in proposed),
                *(self._missing(tokens, edit) for edit in gold if not self._found[edit]),
            ]
            in_sentence = (edit for edit in judged if edit.start >= 0)
            known = self._judged[pair] = tuple(sorted(in_sentence, key=lambda e: (e.start, e.end)))
        return known

    def _judge_proposed(self, tokens: Sequence[str], number: int) -> JudgedEdit:
        table, gold, edit = self._matches.proposed, self._matches.gold, self._own_edits[number]
        start, end = int(table.starts[edit]), int(table.ends[edit])
        return JudgedEdit(
            "correct" if self._right[number] else "spurious",
            start,
            end,
            table.misplaced[edit] if edit in table.misplaced else " ".join(tokens[start:end]),
            (table.joined_corrections[edit],),
            gold.types[self._partners[number]] if self._right[number] else table.types[edit],
        )

    def _missing(self, tokens: Sequence[str], number: int) -> JudgedEdit:
        gold, edit = self._matches.gold, self._gold_edits[number]
        known = self._missed.get(edit)
        if known is None:
            start, end = int(gold.starts[edit]), int(gold.ends[edit])
            original = " ".join(tokens[start:end])
            corrections = gold.corrections_of(edit)
            known = self._missed[edit] = JudgedEdit("missed", start, end, original, corrections, gold.types[edit])
        return known
