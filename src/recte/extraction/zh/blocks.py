"""The blocks of ChERRANT's M2 files: one target per annotator, with alternatives.

A line `T0-A1 …` heads alternative 1 of annotator 0; all alternatives of an annotator have his number, so that a reader
who passes over these lines unites them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from recte.corpus.corpus import Edit, Sentence, apply_edits

__all__ = ["NOT_ANNOTATABLE", "NO_ERROR", "ExtractedTarget", "alternatives_of", "block_lines", "target_text"]

NO_ERROR = "没有错误"
NOT_ANNOTATABLE = "无法标注"
_NOTHING = "-NONE-"
_REFUSED = "NA"
_HEAD = re.compile(r"T(\d+)-A(\d+)(?:\s|$)")

TargetKind = Literal["edits", "no-op", "not-annotatable"]


class ExtractedTarget(NamedTuple):
    """What one target does to its source: the different edits of equally cheap alignments, at least one list of them.

    A no-op and what is `not-annotatable` have none. `cut_off` where there were too many to list.
    """

    kind: TargetKind
    tokens: tuple[str, ...]
    alternatives: tuple[tuple[Edit, ...], ...]
    cut_off: bool = False

    @property
    def united(self) -> tuple[Edit, ...]:
        """The edits of all alternatives one after the other, as published files give them to one annotator."""
        return tuple(edit for alternative in self.alternatives for edit in alternative)


def alternatives_of(sentence: Sentence) -> dict[str, ExtractedTarget]:
    """What each annotator did to a sentence of an M2 file, his alternatives apart where its lines tell them.

    >>> from recte.corpus.corpus import Annotation
    >>> edits = (Edit(0, 1, ("b",)), Edit(1, 2, ("c",)))
    >>> lines = ("T0-A0 x", "A 0 1|||S|||b|||REQUIRED|||-NONE-|||0", "T0-A1 x", "A 1 2|||S|||c|||REQUIRED|||-NONE-|||0")
    >>> found = alternatives_of(Sentence("a a", annotations=(Annotation("0", edits),), lines=lines))
    >>> [len(alternative) for alternative in found["0"].alternatives]
    [1, 1]
    """
    heads: dict[str, list[str]] = {}  # of each annotator's alternatives, and of each of his edits
    edit_heads: dict[str, list[str]] = {}
    refused: set[str] = set()
    head = ""
    for line in sentence.lines:
        match = _HEAD.match(line)
        if match:
            head = match[0].strip()
            heads.setdefault(match[1], []).append(head)
        elif line.startswith("T"):
            head = ""
        elif line.startswith("A "):
            span, type_, *_, annotator = line.rstrip("\r\n").split("|||")
            annotator = annotator.strip()
            if span.split()[1].startswith("-"):
                refused.update({annotator} if type_ == _REFUSED else ())
            elif type_ != "noop":
                edit_heads.setdefault(annotator, []).append(head)
    targets = {}
    for annotation in sentence.annotations:
        identity, edits = annotation.annotator, annotation.edits
        if not edits:
            targets[identity] = ExtractedTarget("not-annotatable" if identity in refused else "no-op", (), ())
            continue
        labels = edit_heads.get(identity, [])
        if len(labels) != len(edits):  # the sentence was changed since it was read
            labels = [""] * len(edits)
        order = dict.fromkeys([*heads.get(identity, []), *labels] if any(labels) else labels)
        split = [tuple(e for e, at in zip(edits, labels, strict=True) if at == label) for label in order]
        targets[identity] = ExtractedTarget("edits", (), tuple(split))
    return targets


def target_text(tokens: Sequence[str], target: ExtractedTarget) -> str:
    """The text that a target stands for: the first alternative's edits made, as all make the same, or a word for it.

    >>> target_text(["a"], ExtractedTarget("no-op", (), ()))
    '没有错误'
    """
    if target.kind == "edits":
        return apply_edits(tokens, target.alternatives[0])
    return NO_ERROR if target.kind == "no-op" else NOT_ANNOTATABLE


def block_lines(tokens: Sequence[str], targets: Sequence[ExtractedTarget]) -> list[str]:
    """A sentence and its targets as the published program writes them, an empty line behind it."""
    lines = [f"S {' '.join(tokens)}"]
    for k, target in enumerate(targets):
        if target.kind != "edits":
            word, type_ = (NO_ERROR, "noop") if target.kind == "no-op" else (NOT_ANNOTATABLE, "NA")
            lines += [f"T{k} {word}", _line(-1, -1, type_, "", k)]
        for q, alternative in enumerate(target.alternatives):
            lines.append(f"T{k}-A{q} {' '.join(target.tokens)}")
            lines += [_line(edit.start, edit.end, edit.type, edit.corrections[0], k) for edit in alternative]
    return [*lines, ""]


def _line(start: int, end: int, type_: str, correction: str, annotator: int) -> str:
    return f"A {start} {end}|||{type_}|||{correction or _NOTHING}|||REQUIRED|||{_NOTHING}|||{annotator}"
