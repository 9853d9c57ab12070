"""Which edits were right: the system's beside the gold's, one verdict each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from recte.alignment.edit_search import Behaviour, ProposedEdit
from recte.corpus import Edit, Sentence

__all__ = ["JudgedEdit", "JudgedSentence", "MatchedEdits", "Verdict", "assigned", "credited", "edits_against", "judge"]

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


def judge(
    tokens: Sequence[str], proposed: Sequence[ProposedEdit], gold: Sequence[Edit], behaviour: Behaviour = "official"
) -> tuple[JudgedEdit, ...]:
    """Every edit with its verdict, in the order of the sentence. A correct edit has its gold edit's type.

    >>> edits = [ProposedEdit(1, 2, "go", "went")]
    >>> [e.verdict for e in judge(["He", "go"], edits, [Edit(1, 2, ("goes",))])]
    ['spurious', 'missed']
    """
    return _verdicts(proposed, _missed(tokens, gold), credited(tokens, proposed, gold, behaviour))


def _missed(tokens: Sequence[str], gold: Sequence[Edit]) -> tuple[JudgedEdit, ...]:
    """The gold edits as they are shown where nobody proposed them."""
    return tuple(
        JudgedEdit("missed", edit.start, edit.end, " ".join(tokens[edit.start : edit.end]), edit.corrections, edit.type)
        for edit in gold
    )


def _verdicts(
    proposed: Sequence[ProposedEdit], missed: Sequence[JudgedEdit], partners: Sequence[Sequence[int]]
) -> tuple[JudgedEdit, ...]:
    judged = [
        JudgedEdit(
            "correct" if mine else "spurious",
            edit.start,
            edit.end,
            edit.original,
            (edit.correction,),
            missed[mine[0]].type if mine else edit.type,
        )
        for edit, mine in zip(proposed, partners, strict=True)
    ]
    found = {g for mine in partners for g in mine}
    judged += [edit for g, edit in enumerate(missed) if g not in found]
    return tuple(sorted(judged, key=lambda e: (e.start, e.end)))


@dataclass(frozen=True)
class MatchedEdits:
    """A hypothesis' edits beside the gold of its sentence: what was proposed against each annotator.

    `behaviour` is the rule by which proposed edits are credited; a metric with a rule of its own overrides `partners`.
    `typed` where the proposed edits have types.

    >>> from recte import Annotation
    >>> gold = Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))
    >>> MatchedEdits(gold, {"0": [ProposedEdit(1, 2, "go", "goes")]}).judged("0")[0].verdict
    'correct'
    """

    sentence: Sentence
    proposed: Mapping[str, Sequence[ProposedEdit]]
    behaviour: Behaviour = "official"
    typed: bool = False

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(a.annotator for a in self.sentence.annotations)

    def gold(self, annotator: str) -> tuple[Edit, ...]:
        annotation = self.sentence.annotation(annotator)
        return () if annotation is None else annotation.edits

    def partners(self, annotator: str) -> list[list[int]]:
        """For each proposed edit the gold edits it is credited with, by their places."""
        tokens, proposed = self.sentence.tokens, self.proposed.get(annotator, ())
        return credited(tokens, proposed, self.gold(annotator), self.behaviour)

    def found(self, annotator: str) -> set[int]:
        """The gold edits that were found, by their places."""
        return {g for mine in self.partners(annotator) for g in mine}

    def missed(self, annotator: str) -> tuple[JudgedEdit, ...]:
        """The gold edits as `judged` has them where they were not found; the same for all hypotheses."""
        return _missed(self.sentence.tokens, self.gold(annotator))

    def judged(self, annotator: str, missed: Sequence[JudgedEdit] | None = None) -> tuple[JudgedEdit, ...]:
        """Every edit with its verdict, in the order of the sentence; `missed` where it is known."""
        missed = self.missed(annotator) if missed is None else missed
        proposed = self.proposed.get(annotator, ())
        return _verdicts(proposed, missed, self.partners(annotator) if proposed else ())

    def typed_edits(self, annotator: str) -> tuple[Edit, ...]:
        """The proposed edits as edits with a type."""
        return tuple(Edit(e.start, e.end, (e.correction,), e.type) for e in self.proposed.get(annotator, ()))


def credited(
    tokens: Sequence[str], proposed: Sequence[ProposedEdit], gold: Sequence[Edit], behaviour: Behaviour
) -> list[list[int]]:
    """For each proposed edit the gold edits it is credited with, by the behaviour's rule of counting."""

    def fits(edit: ProposedEdit, target: Edit) -> bool:
        return (
            edit.end == target.end
            and edit.correction in target.corrections
            and edit.original == " ".join(tokens[edit.start : edit.end])
        )

    # Few edits are at one place, and a call takes longer than to see that.
    fitting = [
        [g for g, target in enumerate(gold) if target.start == edit.start and fits(edit, target)] for edit in proposed
    ]
    return assigned(fitting, behaviour)


def assigned(fitting: list[list[int]], behaviour: Behaviour) -> list[list[int]]:
    """The gold edits that each proposed edit is credited with, of those that fit it; edits in their order."""
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

    for edit in range(len(fitting)):
        place(edit, set())
    return [[g for g, e in owner.items() if e == edit] for edit in range(len(fitting))]
