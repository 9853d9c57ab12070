"""Which edits were right: the system's beside the gold's, one verdict each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from recte.alignment.edit_search import Behaviour, ProposedEdit
from recte.corpus import Edit

__all__ = ["JudgedEdit", "Verdict", "credited", "judge"]

Verdict = Literal["correct", "spurious", "missed"]


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of the system's (`correct` or `spurious`) or one only the annotator has (`missed`).

    >>> judge(["He", "go"], [], [Edit(1, 2, ("goes",), "SVA")])
    (JudgedEdit(verdict='missed', start=1, end=2, original='go', corrections=('goes',), type='SVA'),)
    """

    verdict: Verdict
    start: int
    end: int
    original: str
    corrections: tuple[str, ...]
    type: str = ""


def judge(
    tokens: Sequence[str], proposed: Sequence[ProposedEdit], gold: Sequence[Edit], behaviour: Behaviour = "official"
) -> tuple[JudgedEdit, ...]:
    """Every edit with its verdict, in the order of the sentence. A right edit has its gold edit's type.

    >>> edits = [ProposedEdit(1, 2, "go", "went")]
    >>> [e.verdict for e in judge(["He", "go"], edits, [Edit(1, 2, ("goes",))])]
    ['spurious', 'missed']
    """
    partners = credited(tokens, proposed, gold, behaviour)
    judged = [
        JudgedEdit(
            "correct" if mine else "spurious",
            edit.start,
            edit.end,
            edit.original,
            (edit.correction,),
            gold[mine[0]].type if mine else "",
        )
        for edit, mine in zip(proposed, partners, strict=True)
    ]
    found = {g for mine in partners for g in mine}
    judged += [
        JudgedEdit("missed", edit.start, edit.end, " ".join(tokens[edit.start : edit.end]), edit.corrections, edit.type)
        for g, edit in enumerate(gold)
        if g not in found
    ]
    return tuple(sorted(judged, key=lambda e: (e.start, e.end)))


def credited(
    tokens: Sequence[str], proposed: Sequence[ProposedEdit], gold: Sequence[Edit], behaviour: Behaviour
) -> list[list[int]]:
    """For each proposed edit the gold edits it is credited with, by the behaviour's rule of counting."""

    def fits(edit: ProposedEdit, target: Edit) -> bool:
        return (
            (edit.start, edit.end) == (target.start, target.end)
            and edit.original == " ".join(tokens[edit.start : edit.end])
            and edit.correction in target.corrections
        )

    fitting = [[g for g, target in enumerate(gold) if fits(edit, target)] for edit in proposed]
    if behaviour == "paper":
        return fitting
    if behaviour == "official":
        pointer = 0
        credited = []
        for candidates in fitting:
            mine = [g for g in candidates if g >= pointer]
            pointer = mine[-1] + 1 if mine else pointer
            credited.append(mine)
        return credited
    owner: dict[int, int] = {}

    def place(edit: int, tried: set[int]) -> bool:
        for g in fitting[edit]:
            if g not in tried:
                tried.add(g)
                if g not in owner or place(owner[g], tried):
                    owner[g] = edit
                    return True
        return False

    for edit in range(len(proposed)):
        place(edit, set())
    return [[g for g, e in owner.items() if e == edit] for edit in range(len(proposed))]
