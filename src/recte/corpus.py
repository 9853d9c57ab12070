"""The words everybody uses: edits, annotations, sentences, a corpus of them, and a system's outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from operator import index
from typing import Any, Protocol, overload

from recte.errors import InputError

__all__ = [
    "DO_NOTHING",
    "Annotation",
    "Corpus",
    "Edit",
    "GoldError",
    "Segmenter",
    "Sentence",
    "System",
    "annotator_order",
    "token_offsets",
]


DO_NOTHING = "do-nothing"  # what the source, left alone, is called beside systems


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
        if isinstance(self.corrections, str):
            raise InputError(f"corrections: expected a tuple of texts, got the text {self.corrections!r}")
        if not self.corrections:
            raise InputError(f"edit {self.start} {self.end}: expected at least one correction, got none")
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

    `implied` where the file had no line for any annotator, and the sentence is taken as correct.

    >>> Annotation("0", (Edit(1, 2, ("goes",)),)).edits[0].corrections
    ('goes',)
    """

    annotator: str
    edits: tuple[Edit, ...] = ()
    implied: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.annotator, str):
            raise InputError(f"annotator: expected a text such as '0', got {self.annotator!r}")


@dataclass(frozen=True, slots=True)
class GoldError:
    """Corrections of one underlying error, which exclude each other: one alternative an annotator (I-measure).

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
        if self.tokens is None:
            object.__setattr__(self, "tokens", tuple(self.text.split()))
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
                    raise InputError(
                        f"edit {edit.start} {edit.end} of annotator {annotation.annotator}: expected offsets within "
                        f"the {size} tokens of {' '.join(self.tokens)[:60]!r}, the start before the end"
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
    """Sort key: numbers by value, then names.

    >>> sorted(["10", "b", "2"], key=annotator_order)
    ['2', '10', 'b']
    """
    return (0, int(annotator), "") if annotator.isdecimal() and len(annotator) < 19 else (1, 0, annotator)


class Segmenter(Protocol):
    """Cuts text into tokens; `name` goes into the signature."""

    @property
    def name(self) -> str: ...

    def __call__(self, text: str, /) -> Sequence[str]: ...


@dataclass(frozen=True)
class Corpus(Sequence[Sentence]):
    """Source sentences with their gold, in order.

    >>> corpus = Corpus.from_references(["He go ."], [["He goes ."], ["He went ."]])
    >>> len(corpus), corpus[0].references
    (1, ('He goes .', 'He went .'))
    """

    sentences: tuple[Sentence, ...]
    name: str = ""
    first: int = 0  # the place of the first sentence in the whole, where this is a part
    segmenter: Segmenter | None = None  # how its texts were cut, and hypotheses are; None leaves tokens as given

    @classmethod
    def from_references(
        cls, sources: Sequence[str], references: Sequence[Sequence[str]] = (), *, name: str = ""
    ) -> Corpus:
        """From plain lists: the sources, and for each reference set a list as long."""
        for number, column in enumerate(references):
            if isinstance(column, str):
                raise InputError(f"reference {number}: expected a list of sentences, got the text {column[:40]!r}")
            if len(column) != len(sources):
                raise InputError(
                    f"reference {number}: expected {len(sources)} sentences, one for each source, got {len(column)}"
                )
        return cls(
            tuple(
                Sentence(source, references=tuple(column[i] for column in references), id=str(i + 1))
                for i, source in enumerate(sources)
            ),
            name,
        )

    @classmethod
    def from_edits(cls, sources: Sequence[str], edits: Sequence[Sequence[Sequence[Edit]]], *, name: str = "") -> Corpus:
        """From plain lists: the sources, and for each of them one list of edits an annotator.

        >>> Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))]]])[0].corrected("0")
        'He goes .'
        """
        if len(edits) != len(sources):
            raise InputError(f"expected annotations for {len(sources)} sources, got {len(edits)}")
        return cls(
            tuple(
                Sentence(
                    source,
                    annotations=tuple(Annotation(str(a), tuple(one)) for a, one in enumerate(by_annotator)),
                    id=str(i + 1),
                )
                for i, (source, by_annotator) in enumerate(zip(sources, edits, strict=True))
            ),
            name,
        )

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Corpus: ...
    def __getitem__(self, index: int | slice) -> Sentence | Corpus:
        if isinstance(index, slice):
            start, _, step = index.indices(len(self))
            if step != 1:
                raise InputError(f"a part of a corpus is a run of its sentences: expected step 1, got {step}")
            return replace(self, sentences=self.sentences[index], first=self.first + start)
        return self.sentences[index]

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """The ids of all annotators (or, for rewritten references, their numbers), in order."""
        ids = {a.annotator for s in self.sentences for a in s.annotations}
        ids.update(str(r) for s in self.sentences if not s.annotations for r in range(len(s.references)))
        return tuple(sorted(ids, key=annotator_order))

    @cached_property
    def label_columns(self) -> dict[str, tuple[str, ...]]:
        """Every label (and `document`, where there is one) as a column with one value a sentence."""
        columns = sorted({key for s in self.sentences for key in s.labels})
        table = {key: tuple(s.labels.get(key, "") for s in self.sentences) for key in columns}
        if any(s.document for s in self.sentences):
            table["document"] = tuple(s.document for s in self.sentences)
        return table

    @cached_property
    def fingerprint(self) -> int:
        """A hash of sources and gold. Those of a corpus' parts add up (modulo 2**32) to that of the whole."""
        return sum(_fingerprint(i, s) for i, s in enumerate(self.sentences, self.first)) % 2**32


def _fingerprint(index: int, sentence: Sentence) -> int:
    fields = [str(index), *sentence.tokens, "gold"]
    for annotation in sentence.annotations:
        fields += ["annotator", annotation.annotator]
        for edit in annotation.edits:
            fields += [str(edit.start), str(edit.end), edit.type, str(edit.required), *edit.corrections]
    for error in sentence.errors or ():
        fields += ["error", str(error.required), str(len(error.alternatives))]
    fields += ["references", *sentence.references]
    content = "\0".join(fields).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=4).digest(), "big")


@dataclass(frozen=True)
class System:
    """What a system returned: one hypothesis a sentence, and its edits where it gave them too.

    >>> System("mine", ("He goes .",)).outputs[0]
    'He goes .'
    """

    name: str
    outputs: tuple[str, ...]
    edits: tuple[tuple[Edit, ...], ...] | None = None
    annotations: tuple[tuple[Annotation, ...], ...] | None = field(default=None, repr=False)  # of several annotators

    def __getitem__(self, part: slice) -> System:
        """The same system on a run of its sentences."""
        edits = None if self.edits is None else self.edits[part]
        annotations = None if self.annotations is None else self.annotations[part]
        return replace(self, outputs=self.outputs[part], edits=edits, annotations=annotations)

    @classmethod
    def of(cls, outputs: System | Iterable[str], name: str = "system") -> System:
        """A system from plain strings, or the system itself."""
        if isinstance(outputs, System):
            return outputs
        if isinstance(outputs, str):
            raise InputError(f"expected one hypothesis a sentence, got a single string {outputs[:40]!r}")
        listed: tuple[Any, ...] = tuple(outputs)
        wrong = next((i for i, output in enumerate(listed) if not isinstance(output, str)), None)
        if wrong is not None:
            raise InputError(f"hypothesis {wrong + 1}: expected a string, got {type(listed[wrong]).__name__}")
        return cls(name, listed)
