"""Whether an edit that no reference has is right after all: a verdict from a file, or from a judge.

References never hold every valid correction. A verdict re-judges a false positive: `valid` and `better` ones count as
true positives that the gold has too, `wrong` ones stay wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from recte.edits.edit_context import EditInContext, EditKey
from recte.errors import OptionError, describe_choices
from recte.extras import function_named
from recte.files import describe_unread_table

__all__ = [
    "EDIT_VERDICTS",
    "EditJudge",
    "EditVerdict",
    "TableJudge",
    "TextJudge",
    "edit_judge",
    "register_edit_verdicts",
]

EditVerdict = Literal["valid", "better", "wrong", "unjudged"]
EDIT_VERDICTS: tuple[EditVerdict, ...] = ("valid", "better", "wrong", "unjudged")


class EditJudge(Protocol):
    """Gives a verdict on each of many edits at once; `name` says whose, and goes into the signature."""

    @property
    def name(self) -> str: ...

    def __call__(self, edits: Sequence[EditInContext], /) -> Sequence[EditVerdict]: ...


@dataclass(frozen=True)
class TableJudge:
    """Verdicts by sentence, place and correction; an edit that the table has not is `unjudged`, and stays wrong.

    >>> judge = TableJudge("mine.tsv", {EditKey(0, 1, 2, "went"): "valid"})
    >>> judge([EditInContext(0, ("He", "go"), 1, 2, "went"), EditInContext(0, ("He", "go"), 1, 2, "gone")])
    ['valid', 'unjudged']
    """

    name: str
    verdicts: Mapping[EditKey, EditVerdict]

    def __call__(self, edits: Sequence[EditInContext]) -> list[EditVerdict]:
        return [self.verdicts.get(edit.key, "unjudged") for edit in edits]


@dataclass(frozen=True)
class TextJudge:
    """A function of the source and of the source with the edit alone, which says valid, better or wrong.

    >>> judge = TextJudge("polite", lambda source, edited: "valid" if "please" in edited else "wrong")
    >>> judge([EditInContext(0, ("Go",), 1, 1, "please")])
    ['valid']
    """

    name: str
    judge: Callable[[str, str], str]

    def __call__(self, edits: Sequence[EditInContext]) -> list[EditVerdict]:
        known: dict[tuple[str, str], EditVerdict] = {}
        for edit in edits:
            texts = (edit.source, edit.applied)
            if texts not in known:
                known[texts] = self._verdict(*texts)
        return [known[edit.source, edit.applied] for edit in edits]

    def _verdict(self, source: str, edited: str) -> EditVerdict:
        try:
            verdict = self.judge(source, edited)
        except Exception as error:
            raise OptionError(f"edit_verdicts {self.name}: expected a verdict on two texts, got {error!r}") from None
        if verdict not in EDIT_VERDICTS:
            raise OptionError(f"edit_verdicts {self.name}: {describe_choices(EDIT_VERDICTS, verdict)}")
        return verdict


_registered: dict[str, EditJudge] = {}


def register_edit_verdicts(name: str, judge: EditJudge) -> None:
    """Make verdicts known by a name, for the option `edit_verdicts`.

    >>> register_edit_verdicts("nobody", TableJudge("nobody", {}))
    >>> edit_judge("nobody").name
    'nobody'
    """
    _registered[name] = judge


def edit_judge(name: str) -> EditJudge:
    """The judge of that name: a registered one, or a function of two texts as `module:function`."""
    if name in _registered:
        return _registered[name]
    if ":" not in name:
        expected = "a file or module:function"
        raise OptionError(describe_unread_table("edit_verdicts", name, expected, "load_edit_verdicts"))
    return TextJudge(name.replace(":", "."), function_named(name, "edit_verdicts"))
