"""Annotations of many sentences as columns of numbers, the form that kernels take and our own annotator gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from recte.annotation.annotated import Annotated, Annotator
from recte.corpus.vocabulary import EncodedText, Integers, offsets_of, runs
from recte.errors import InputError
from recte.text.printable_text import quote

__all__ = ["CHILDREN_WANTED", "AnnotatedColumns", "NamedColumn", "annotate_columns", "annotate_sentences"]

CHILDREN_WANTED = 2  # the mark of a token whose head and children are wanted, too


class NamedColumn(NamedTuple):
    """One text per token: its number among `names`."""

    names: Sequence[str]
    numbers: NDArray[np.int32]

    def texts(self) -> list[str]:
        """The texts themselves."""
        named = np.empty(len(self.names), dtype=object)
        named[:] = self.names
        texts: list[str] = named[self.numbers].tolist()
        return texts


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatedColumns(Sequence[Annotated]):
    """Annotated sentences laid end to end, `offsets` says where each begins; one is made when it is looked at.

    The names of `text` differ from one another, those of other columns may repeat. `head` is a place in the sentence.
    Dependencies and heads that take long are found when they are asked for, by `label_dependencies`.

    >>> columns = AnnotatedColumns.of([Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,))])
    >>> columns[0].lemma, len(columns)
    (('go',), 1)
    """

    offsets: NDArray[np.int64]
    text: NamedColumn
    tag: NamedColumn
    pos: NamedColumn
    lemma: NamedColumn
    dependency: NamedColumn
    head: NDArray[np.int32]
    label_dependencies: Callable[[NDArray[np.uint8]], tuple[NamedColumn, NDArray[np.int32]]] | None = None

    @classmethod
    def of(cls, sentences: Sequence[Annotated]) -> AnnotatedColumns:
        """Sentences as columns; columns stay as they are."""
        if isinstance(sentences, AnnotatedColumns):
            return sentences
        names = ("text", "tag", "pos", "lemma", "dependency")
        text, tag, pos, lemma, dependency = (_number_texts(map(attrgetter(name), sentences)) for name in names)
        heads = np.array([head for sentence in sentences for head in sentence.head], dtype=np.int32)
        offsets = offsets_of(map(len, sentences), len(sentences))
        return cls(offsets, text, tag, pos, lemma, dependency, heads)

    def with_empty(self) -> AnnotatedColumns:
        """The same with an empty sentence behind the last."""
        return replace(self, offsets=np.append(self.offsets, self.offsets[-1]))

    def take(self, sentences: Integers) -> AnnotatedColumns:
        """These sentences, in this order."""
        begins, ends = self.offsets[sentences], self.offsets[sentences + 1]
        tokens, _ = runs(begins, ends)
        return self.take_tokens(tokens, ends - begins)

    def take_tokens(self, tokens: Integers, lengths: Integers) -> AnnotatedColumns:
        """The tokens at these places, as sentences of these lengths; heads stay as they are."""
        text, tag, pos, lemma, dependency = (
            NamedColumn(column.names, column.numbers[tokens])
            for column in (self.text, self.tag, self.pos, self.lemma, self.dependency)
        )
        return AnnotatedColumns(offsets_of(lengths, len(lengths)), text, tag, pos, lemma, dependency, self.head[tokens])

    def with_dependencies(self, wanted: NDArray[np.uint8]) -> AnnotatedColumns:
        """The same with the dependencies of tokens that have a mark in `wanted`, all of them where it is empty.

        A token marked `CHILDREN_WANTED` gets its head, too, with the children of both. Other heads are right in
        sentences where all tokens have a mark.
        """
        if self.label_dependencies is None:
            return self
        dependency, head = self.label_dependencies(wanted)
        return replace(self, dependency=dependency, head=head, label_dependencies=None)

    @cached_property
    def _columns(self) -> tuple[list[int], tuple[tuple[str, ...], ...], tuple[int, ...]]:
        texts = tuple(tuple(c.texts()) for c in (self.text, self.tag, self.pos, self.lemma, self.dependency))
        return self.offsets.tolist(), texts, tuple(self.head.tolist())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Annotated: ...
    @overload
    def __getitem__(self, index: slice) -> list[Annotated]: ...
    def __getitem__(self, index: int | slice) -> Annotated | list[Annotated]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"expected a sentence below {len(self)}, got {index}")
        return self._make_sentence(index % len(self))

    def __iter__(self) -> Iterator[Annotated]:
        return map(self._make_sentence, range(len(self)))

    def _make_sentence(self, place: int) -> Annotated:
        offsets, (text, tag, pos, lemma, dependency), head = self._columns
        part = slice(offsets[place], offsets[place + 1])
        return Annotated(text[part], tag[part], pos[part], lemma[part], dependency[part], head[part])


def _number_texts(columns: Iterable[Sequence[str]]) -> NamedColumn:
    known: dict[str, int] = {}
    numbers = [known.setdefault(value, len(known)) for column in columns for value in column]
    return NamedColumn(list(known), np.array(numbers, dtype=np.int32))


def annotate_columns(annotator: Annotator, words: Sequence[str], text: EncodedText) -> AnnotatedColumns:
    """The annotations of sentences that are numbers of words, none of them empty."""
    from_columns = getattr(annotator, "annotate_columns", None)
    if from_columns is not None:
        annotated: AnnotatedColumns = from_columns(words, text)
        return annotated
    return annotate_sentences(annotator, split_words(words, text))


def annotate_sentences(annotator: Annotator, sentences: Sequence[tuple[str, ...]]) -> AnnotatedColumns:
    """The annotations of sentences, none of them empty; an InputError where the annotator gives others."""
    annotated = annotator(sentences)
    if isinstance(annotated, AnnotatedColumns):  # made from the sentences' own numbers
        return annotated
    if len(annotated) != len(sentences):
        reason = f"expected annotations of {len(sentences)} sentences, got {len(annotated)}"
        raise InputError(f"annotator {annotator.name}: {reason}")
    for tokens, sentence in zip(sentences, annotated, strict=True):
        if not isinstance(sentence, Annotated):
            reason = f"expected each sentence as Annotated, got {type(sentence).__name__}"
        elif tuple(sentence.text) != tokens:
            reason = f"expected the tokens {quote(' '.join(tokens))} as they were, got {quote(' '.join(sentence.text))}"
        elif not sentence.is_complete:
            reason = f"expected a tag, a lemma, a label and a head for each token of {quote(' '.join(tokens))}"
        else:
            continue
        raise InputError(f"annotator {annotator.name}: {reason}")
    return AnnotatedColumns.of(annotated)


def split_words(words: Sequence[str], text: EncodedText) -> list[tuple[str, ...]]:
    """Each sentence's words."""
    listed, offsets = NamedColumn(words, text[0]).texts(), text[1].tolist()
    return [tuple(listed[begin:end]) for begin, end in pairwise(offsets)]
