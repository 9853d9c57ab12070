"""The words everybody uses: edits, annotations, sentences, a corpus of them, and a system's outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, overload

from recte.argument_types import check_arguments, check_fields
from recte.corpus.sentence import Annotation, Edit, GoldError, Sentence, annotator_order, apply_edits, token_offsets
from recte.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recte.corpus.gold_columns import Columns

__all__ = [
    "CLEANED",
    "DO_NOTHING",
    "Annotation",
    "Corpus",
    "Edit",
    "GoldError",
    "Segmenter",
    "Sentence",
    "System",
    "annotator_order",
    "apply_edits",
    "token_offsets",
]


CLEANED = "clean"  # what a signature says of outputs that were cleaned
DO_NOTHING = "do-nothing"  # what the source, left alone, is called among systems


class Segmenter(Protocol):
    """Cuts text into tokens; `name` goes into the signature."""

    @property
    def name(self) -> str: ...

    def __call__(self, text: str, /) -> Sequence[str]: ...


@dataclass(frozen=True)
class Corpus(Sequence[Sentence]):
    """Source sentences with their gold, in order.

    Sentences that were read from a file stand in columns, and become objects when they are looked at.

    >>> corpus = Corpus.from_references(["He go ."], [["He goes ."], ["He went ."]])
    >>> len(corpus), corpus[0].references
    (1, ('He goes .', 'He went .'))
    """

    sentences: Sequence[Sentence]
    name: str = ""
    first: int = 0  # the place of the first sentence in the whole, where this is a part
    segmenter: Segmenter | None = None  # how its texts were cut, and hypotheses are; None leaves tokens as given
    everyone: tuple[str, ...] = ()  # annotators of the whole, where this is a part: here some may have nothing to say
    reading: str = ""  # how its file was read, where the format can be read in several ways
    edits_made: str = ""  # how its edits were made, where they are not as an annotator gave them
    unscored: tuple[int, ...] = ()  # numbers (from 1) in the file of the sentences left out, which cannot be annotated

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @check_arguments
    def from_references(
        cls, sources: Sequence[str], references: Sequence[Sequence[str]] = (), *, name: str = ""
    ) -> Corpus:
        """From plain lists: the sources, and for each reference set a list as long; or for each source a list of its
        references, where their numbers tell which it is.

        >>> by_sentence = [["He goes ."], ["Go on .", "Do ."], ["No ."]]
        >>> Corpus.from_references(["He go .", "Go on .", "No ."], by_sentence)[1].references
        ('Go on .', 'Do .')
        """
        if is_by_sentence(sources, references):
            return cls.by_sentence(sources, references, name=name)
        check_orientation(sources, references, by_sentence=False)
        for number, column in enumerate(references):
            if len(column) != len(sources):
                raise InputError(
                    f"reference {number}: expected {len(sources)} sentences, one for each source, got {len(column)}"
                )
        from recte.corpus.sentence_columns import parallel_sentences
        from recte.corpus.text_columns import TextColumn

        return cls(parallel_sentences(TextColumn.of(sources), [TextColumn.of(r) for r in references]), name)

    @classmethod
    @check_arguments
    def by_sentence(cls, sources: Sequence[str], references: Sequence[Sequence[str]], *, name: str = "") -> Corpus:
        """From plain lists: the sources, and for each of them a list of its references.

        >>> Corpus.by_sentence(["He go .", "I am ."], [["He goes .", "He went ."], ["I am ."]])[0].references
        ('He goes .', 'He went .')
        """
        if len(references) != len(sources):
            raise InputError(f"expected references for {len(sources)} sources, got {len(references)}")
        check_orientation(sources, references, by_sentence=True)
        pairs = enumerate(zip(sources, references, strict=True), 1)
        return cls(tuple(Sentence(source, references=tuple(texts), id=str(n)) for n, (source, texts) in pairs), name)

    @classmethod
    @check_arguments
    def from_edits(cls, sources: Sequence[str], edits: Sequence[Sequence[Sequence[Edit]]], *, name: str = "") -> Corpus:
        """From plain lists: the sources, and for each of them one list of edits per annotator.

        >>> Corpus.from_edits(["He go ."], [[[Edit(1, 2, ("goes",))]]])[0].corrected("0")
        'He goes .'
        """
        if len(edits) != len(sources):
            raise InputError(f"expected annotations for {len(sources)} sources, got {len(edits)}")
        return cls(
            tuple(
                Sentence(
                    source,
                    annotations=tuple(
                        Annotation(str(a), tuple(edits_of_annotator))
                        for a, edits_of_annotator in enumerate(by_annotator)
                    ),
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
            part, first = self.sentences[index], self.first + start
            return replace(self, sentences=part, first=first, everyone=self.annotators)
        return self.sentences[index]

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @cached_property
    def columns(self) -> Columns:
        """Sources and gold as arrays, which scorers take."""
        from recte.corpus.gold_columns import columns_of
        from recte.corpus.sentence_columns import ColumnSentences

        return self.sentences.columns if isinstance(self.sentences, ColumnSentences) else columns_of(self.sentences)

    @property
    def unchanged(self) -> Sequence[str]:
        """Each source left alone, its tokens joined by white space."""
        from recte.corpus.sentence_columns import ColumnSentences

        if isinstance(self.sentences, ColumnSentences):
            return self.sentences.texts
        return tuple(" ".join(s.tokens) for s in self.sentences)

    @property
    def source_texts(self) -> Sequence[str]:
        """As `unchanged`, but sources of several lines, such as essays, keep these: raw outputs have them, too."""
        from recte.corpus.sentence_columns import ColumnSentences

        if isinstance(self.sentences, ColumnSentences):
            return self.sentences.texts
        return tuple(s.text if "\n" in s.text else " ".join(s.tokens) for s in self.sentences)

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """The ids of all annotators of the whole (or, for rewritten references, their numbers), in order."""
        named = self.columns.annotator_names
        if not set(self.everyone) - set(named):
            return named
        return tuple(sorted({*named, *self.everyone}, key=annotator_order))

    @cached_property
    def label_columns(self) -> dict[str, tuple[str, ...]]:
        """Every label (and `document`, where there is one) as a column with one value per sentence."""
        from recte.corpus.sentence_columns import ColumnSentences

        if isinstance(self.sentences, ColumnSentences):
            return self.sentences.label_columns
        columns = sorted({key for s in self.sentences for key in s.labels})
        table = {key: tuple(s.labels.get(key, "") for s in self.sentences) for key in columns}
        if any(s.document for s in self.sentences):
            table["document"] = tuple(s.document for s in self.sentences)
        return table

    @cached_property
    def fingerprints(self) -> NDArray[np.uint64]:
        """A hash of each sentence with its gold and its place in the whole."""
        from recte.corpus.sentence_columns import ColumnSentences

        hashes = self.columns.fingerprints(self.first)
        if not isinstance(self.sentences, ColumnSentences):
            for i, sentence in enumerate(self.sentences):
                if sentence.errors is not None:
                    hashes[i] ^= _hash_of_errors(sentence.errors)
        return hashes

    @property
    def fingerprint(self) -> int:
        """A hash of sources and gold. Those of a corpus' parts add up (modulo 2**32) to that of the whole."""
        return int(self.fingerprints.sum()) % 2**32


def is_by_sentence(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether references can only be a list for each source, by their numbers."""
    return len(references) == len(sources) and not any(len(texts) == len(sources) for texts in references)


def check_orientation(sources: Sequence[str], references: Sequence[Sequence[str]], *, by_sentence: bool) -> None:
    """Refuse references that fit the sources clearly better when read the other way, where numbers allow both."""
    size = len(sources)
    if size < 2 or len(references) != size or any(isinstance(r, str) or len(r) != size for r in references):
        return
    size = min(size, _COMPARED)
    words = [_words_of(source) for source in sources[:size]]
    rows = [[_words_of(text) for text in texts[:size]] for texts in references[:size]]
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    as_rows = sum(_likeness(words[i], rows[i][j]) for i, j in pairs) / len(pairs)
    as_columns = sum(_likeness(words[j], rows[i][j]) for i, j in pairs) / len(pairs)
    here, other = (as_rows, as_columns) if by_sentence else (as_columns, as_rows)
    if other > here + _CLEARLY:
        kinds = "a list for each sentence", "a list for each reference set"
        expected, got = kinds if by_sentence else kinds[::-1]
        raise InputError(
            f"references: expected {expected}, got what looks like {got}; turn rows into columns with zip(*references)"
        )


def _words_of(text: str) -> frozenset[str]:
    words = text.split()
    return frozenset(words if len(words) > 1 else text)


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


_COMPARED = 30  # sentences and references that are enough to see which way they are
_CLEARLY = 0.2


def _hash_of_errors(errors: Sequence[GoldError]) -> int:
    from hashlib import blake2b  # loads a large library, and few files group edits

    text = "\0".join(f"{error.required} {len(error.alternatives)}" for error in errors)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True)
class System:
    """What a system returned: one hypothesis per sentence, and its edits where it gave them too.

    >>> System("mine", ("He goes .",)).outputs[0]
    'He goes .'
    """

    name: str
    outputs: Sequence[str]
    edits: Sequence[tuple[Edit, ...]] | None = None
    annotations: Sequence[tuple[Annotation, ...]] | None = field(default=None, repr=False)  # of several annotators
    changed: tuple[str, ...] = field(default=(), repr=False)  # what was done to its outputs, for the signature

    def __getitem__(self, part: slice) -> System:
        """The same system on a run of its sentences."""
        edits = None if self.edits is None else self.edits[part]
        annotations = None if self.annotations is None else self.annotations[part]
        return replace(self, outputs=self.outputs[part], edits=edits, annotations=annotations)

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @check_arguments
    def of(cls, outputs: System | Iterable[str], name: str = "system") -> System:
        """A system from plain strings, or the system itself."""
        if isinstance(outputs, System):
            return outputs
        listed: tuple[Any, ...] = tuple(outputs)
        wrong = next((i for i, output in enumerate(listed) if not isinstance(output, str)), None)
        if wrong is not None:
            raise InputError(f"hypothesis {wrong + 1}: expected a string, got {type(listed[wrong]).__name__}")
        return cls(name, listed)
