"""One sentence and what is known of its correction: edits, annotations, errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index

from recte.errors import InputError

__all__ = ["UNCORRECTED_TYPES", "Annotation", "Edit", "GoldError", "Sentence", "annotator_order", "apply_edits"]
__all__ += ["token_offsets"]

# Types of errors that were marked, but not corrected: NUCLE's, and ERRANT's name for it.
UNCORRECTED_TYPES = ("Um", "UNK")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the tokens from `start` up to `end` by one of the `corrections` (tokens joined by spaces; "" deletes).

    >>> Edit(3, 4, ("diseases",), type="Nn").is_insertion
    False
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    type: str = ""
    required: bool = True
    comment: str = ""
    line: int = field(default=0, compare=False, repr=False)  # its line in the file it was read from, or 0

    def __post_init__(self) -> None:
        corrections = self.corrections
        if type(corrections) is not tuple:
            if not isinstance(corrections, (tuple, list)):
                raise InputError(f"corrections: expected a tuple of strings, got {corrections!r}")
            object.__setattr__(self, "corrections", tuple(corrections))
        if not corrections:
            raise InputError(f"edit {self.start} {self.end}: expected at least one correction, got none")
        for text in (*corrections, self.type, self.comment):
            if not isinstance(text, str):
                raise InputError(
                    f"edit {self.start} {self.end}: expected strings as corrections, type and comment, got {text!r}"
                )
        if type(self.start) is not int or type(self.end) is not int:
            try:
                start, end = index(self.start), index(self.end)
            except TypeError:
                raise InputError(f"edit {self.start} {self.end}: expected whole numbers as offsets") from None
            object.__setattr__(self, "start", start)
            object.__setattr__(self, "end", end)

    @property
    def is_insertion(self) -> bool:
        return self.start == self.end

    def is_optional(self, tokens: Sequence[str]) -> bool:
        """Whether leaving the text alone is acceptable: not required, or the original is among the corrections."""
        return not self.required or " ".join(tokens[self.start : self.end]) in self.corrections


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator did to one sentence; no edits means that it was found correct.

    `implied` where the file had no line for any annotator, and the sentence is taken as correct; `not_annotatable`
    where the annotator says that the sentence could not be corrected (type NA, as ChERRANT writes it).

    >>> Annotation("0", (Edit(1, 2, ("goes",)),)).edits[0].corrections
    ('goes',)
    """

    annotator: str
    edits: tuple[Edit, ...] = ()
    implied: bool = field(default=False, compare=False, repr=False)
    not_annotatable: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.annotator, str):
            raise InputError(f"annotator: expected a text such as '0', got {self.annotator!r}")
        edits = self.edits
        if not isinstance(edits, (tuple, list)) or not all(isinstance(edit, Edit) for edit in edits):
            raise InputError(f"annotator {self.annotator}: expected a tuple of edits, got {edits!r}"[:200])
        if type(edits) is not tuple:
            object.__setattr__(self, "edits", tuple(edits))


@dataclass(frozen=True, slots=True)
class GoldError:
    """Corrections of one underlying error, which exclude each other: one alternative per annotator (I-measure).

    It is `required` if every annotator of the sentence corrected it.

    >>> error = GoldError((Annotation("0", (Edit(0, 1, ("These",)), Edit(2, 3, ("are",)))),), type="SVA")
    >>> len(error.alternatives[0].edits)
    2
    """

    alternatives: tuple[Annotation, ...]
    required: bool = True
    type: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A source sentence with whatever is known of its correction.

    `text` is as it stood in the file; `tokens` default to its words. Gold is either `annotations` (edits) or
    `references` (rewritten sentences, as many as there are). `errors` groups edits of all annotators where a file
    says how. `document` and `labels` serve breakdowns and resampling. One that is not `scored` could not be annotated,
    and no score counts it. `lines` is how the sentence stood in an M2 file, so that it can be written back unchanged.

    >>> sentence = Sentence("He go home .", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))
    >>> sentence.tokens
    ('He', 'go', 'home', '.')
    >>> sentence.corrected("0")
    'He goes home .'
    """

    text: str
    tokens: tuple[str, ...] = None  # type: ignore[assignment]
    annotations: tuple[Annotation, ...] = ()
    references: tuple[str, ...] = ()
    errors: tuple[GoldError, ...] | None = None
    id: str = ""
    document: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    scored: bool = True
    lines: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"sentence: expected a string, got {type(self.text).__name__}")
        if self.tokens is None:
            object.__setattr__(self, "tokens", tuple(self.text.split()))
        for name in ("tokens", "annotations", "references"):
            value = getattr(self, name)
            if type(value) is not tuple:
                if isinstance(value, str) or not isinstance(value, Iterable):
                    raise InputError(f"{name}: expected a tuple, got {value!r}"[:200])
                object.__setattr__(self, name, tuple(value))
        self._check_edits()

    def _check_edits(self) -> None:
        """Every gold edit meets its sentence here, and nowhere else need its offsets be checked."""
        size = len(self.tokens)
        annotations = self.annotations
        if self.errors:
            annotations = (*annotations, *(a for error in self.errors for a in error.alternatives))
        for annotation in annotations:
            for edit in annotation.edits:
                if not 0 <= edit.start <= edit.end <= size:
                    place = f"edit {edit.start} {edit.end} of annotator {annotation.annotator}"
                    expected, order = f"expected offsets within the {size} tokens", "the start before the end"
                    raise InputError(
                        f"{place}: {expected} of {' '.join(self.tokens)[:60]!r}, {order}",
                        public_message=f"{place}: {expected}, {order}",
                    )

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Where each token begins and ends in `text`."""
        return token_offsets(self.text, self.tokens)

    def annotation(self, annotator: str) -> Annotation | None:
        return next((a for a in self.annotations if a.annotator == annotator), None)

    def corrected(self, annotator: str) -> str:
        """The sentence with this annotator's edits applied, each by its first correction."""
        annotation = self.annotation(annotator)
        if annotation is None:
            raise InputError(f"annotator {annotator} has no annotation for sentence {self.id or self.text!r}")
        return apply_edits(self.tokens, annotation.edits)


def apply_edits(tokens: Sequence[str], edits: Iterable[Edit]) -> str:
    """Apply each edit's first correction, the last edits first, so that offsets stay true.

    A replacement that stands twice is made once; an insertion that stands twice is made twice.

    >>> apply_edits(["a", "b"], [Edit(1, 2, ("B",)), Edit(2, 2, ("c",))])
    'a B c'
    """
    corrected = list(tokens)
    done: set[tuple[int, int, str]] = set()
    # Where two insertions share a place, the one that comes first in the file stands first.
    for _, edit in sorted(enumerate(edits), key=lambda item: (item[1].start, item[1].end, item[0]), reverse=True):
        what = (edit.start, edit.end, edit.corrections[0])
        if what not in done or edit.is_insertion:
            corrected[edit.start : edit.end] = edit.corrections[0].split()
        done.add(what)
    return " ".join(corrected)


def token_offsets(text: str, tokens: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where each token begins and ends in the text; the tokens must follow one another in it.

    >>> token_offsets("He  goes.", ["He", "goes", "."])
    ((0, 2), (4, 8), (8, 9))
    """
    offsets = []
    position = 0
    for token in tokens:
        begin = text.find(token, position)
        if begin < 0:
            raise InputError(f"token {token!r} does not follow in the text from character {position}")
        position = begin + len(token)
        offsets.append((begin, position))
    return tuple(offsets)


def annotator_order(annotator: str) -> tuple[int, int, str]:
    """Sort key: numbers (of the digits 0 to 9) by value, then names.

    >>> sorted(["10", "b", "2"], key=annotator_order)
    ['2', '10', 'b']
    """
    is_number = annotator.isascii() and annotator.isdecimal() and len(annotator) < 19
    return (0, int(annotator), annotator) if is_number else (1, 0, annotator)
