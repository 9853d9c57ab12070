"""Annotated sentences, and annotators by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from recte.errors import OptionError
from recte.files import file_version
from recte.registry import Registry

if TYPE_CHECKING:
    from recte.annotation.universal_dependencies import TagScheme

__all__ = ["Annotated", "Annotator", "annotator_named"]


@dataclass(frozen=True, slots=True)
class Annotated:
    """One sentence as columns of equal length.

    `tag` is the fine tag (Penn, for English), `pos` the coarse one (universal, as spaCy gives it), `dependency` the
    label of the arc from the token's head, `head` the place of that head in the sentence; the root is its own head.

    >>> Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,)).lemma
    ('go',)
    """

    text: tuple[str, ...]
    tag: tuple[str, ...]
    pos: tuple[str, ...]
    lemma: tuple[str, ...]
    dependency: tuple[str, ...]
    head: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.text)

    @property
    def is_complete(self) -> bool:
        """Whether every column has a value for each token, and every head is a place in the sentence."""
        size = len(self.text)
        if not size == len(self.tag) == len(self.pos) == len(self.lemma) == len(self.dependency) == len(self.head):
            return False
        return not size or (min(self.head) >= 0 and max(self.head) < size)


class Annotator(Protocol):
    """Gives each sentence its annotations; `name` (with a version) goes into signatures."""

    @property
    def name(self) -> str: ...

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> Sequence[Annotated]: ...


# What makes an annotator; one whose name ends with a colon takes the text behind it.
_ANNOTATORS = Registry[Callable[..., Annotator]](
    "annotator",
    {
        "builtin": "recte.annotation.builtin:BuiltInAnnotator",
        "spacy:": "recte.annotation.spacy_models:SpacyAnnotator",
        "udpipe:": "recte.annotation.udpipe_models:UdpipeAnnotator",
        "given:": "recte.annotation.given:read_annotations",
    },
)


def annotator_named(name: str, scheme: TagScheme | None = None) -> Annotator:
    """The annotator of this name.

    `builtin` is our own for English. `spacy:MODEL` asks spaCy, `udpipe:FILE` UDPipe. `given:FILE` looks annotations up
    in a file, CoNLL-U (its name ends in `.conllu`) or a table; several files are separated by commas, and `.gz` may
    follow. `scheme` says which fine tags and labels a language's rules know; English's without. An annotator is made
    once, and again where its files changed.

    >>> annotator_named("builtin").name
    'builtin-en-2'
    """
    kind, colon, argument = name.partition(":")
    if kind + colon not in _ANNOTATORS or bool(colon) != bool(argument):
        raise OptionError(f"annotator: expected builtin, spacy:MODEL, udpipe:FILE or given:FILE, got {name!r}")
    return _make_annotator(kind + colon, argument, scheme, tuple(map(file_version, argument.split(","))))


@lru_cache(maxsize=32)
def _make_annotator(
    kind: str, argument: str, scheme: TagScheme | None, versions: tuple[tuple[int, int], ...]
) -> Annotator:
    """An annotator of a kind of the table; `versions` of its files tell annotators apart."""
    make = _ANNOTATORS.load(kind)
    if not argument:
        return make()
    return make(argument) if scheme is None else make(argument, scheme)
