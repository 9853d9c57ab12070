"""Raw outputs of systems, put on the tokens of the gold before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal, get_args

from recte.corpus.corpus import Sentence, System
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, OptionError, TooLongError, check_choice
from recte.evaluation.plausibility.text_oddities import SourceTexts, count_marks
from recte.messages import note, warn
from recte.text.raw_outputs import AUTO_RULE, SourceWriting

__all__ = ["LOOKED_AT", "OutputKind", "RawSystems", "look_raw", "writing_of"]

OutputKind = Literal["auto", "raw", "tokens"]
LOOKED_AT = 10_000  # sentences by which it is decided, once, what outputs are and how sources are written
_FEWEST = 3
_TOKENISED, _RAW = 0.9, 0.5  # of marks that stand alone in sources; of marks at a word in outputs


def look_raw(sources: TextColumn, outputs: TextColumn) -> bool:
    """Whether the outputs look detokenised and their sources tokenised, by where punctuation marks stand.

    >>> sources = TextColumn.of(["Well , he go .", "Yes , I am .", "No !"])
    >>> look_raw(sources, TextColumn.of(["Well, he goes.", "Yes, I am.", "No!"])), look_raw(sources, sources)
    (True, False)
    """
    return _look_tokenised(sources) and _look_detokenised(outputs)


def _look_tokenised(texts: TextColumn) -> bool:
    alone, joined = _sum_marks(texts)
    return alone >= _FEWEST and alone >= _TOKENISED * (alone + joined)


def _look_detokenised(texts: TextColumn) -> bool:
    alone, joined = _sum_marks(texts)
    return joined >= _FEWEST and joined >= _RAW * (alone + joined)


def _sum_marks(texts: TextColumn) -> tuple[int, int]:
    """How many marks stand alone, and how many at a word."""
    alone, joined = count_marks(texts, SourceTexts(texts).foreign).sum(axis=0).tolist()
    return alone, joined


@dataclass
class RawSystems:
    """Puts the raw outputs of systems on the tokens of their sources, one part of a corpus after the other.

    kind: `raw` or `tokens` for all systems that give texts; `auto` for what the first part shows of each.
    rule: what cuts changed text, see `tokenise_like`.
    writing: how the sources are written, where that is known; else it is what the first part shows.
    """

    kind: OutputKind = "tokens"
    rule: str = AUTO_RULE
    writing: SourceWriting | None = None
    _raw: frozenset[str] | None = field(default=None, init=False)  # the names of systems, once decided

    def __post_init__(self) -> None:
        check_choice("outputs", self.kind, get_args(OutputKind))

    def tokenise(self, sentences: Sequence[Sentence], systems: Mapping[str, System]) -> dict[str, System]:
        """The systems on a part of the corpus, those with raw outputs in the gold's tokens."""
        if self.kind == "tokens" or self._raw == frozenset():
            return dict(systems)
        sources = source_texts(sentences)
        if self._raw is None:
            self._raw = self._decide(sources, systems)
        if not self._raw:
            return dict(systems)
        return {
            name: self._tokenise(system, sources) if name in self._raw else system for name, system in systems.items()
        }

    def _decide(self, sources: TextColumn, systems: Mapping[str, System]) -> frozenset[str]:
        """The names of the systems whose outputs are raw."""
        sources = sources[:LOOKED_AT].narrow()
        texts = {name: system.outputs for name, system in systems.items() if system.edits is None}
        if self.kind == "auto" and not _look_tokenised(sources):
            texts = {}
        elif self.kind == "auto":
            first = {name: TextColumn.of(outputs[:LOOKED_AT]).narrow() for name, outputs in texts.items()}
            texts = {name: outputs for name, outputs in texts.items() if _look_detokenised(first[name])}
        if not texts:
            return frozenset()
        names = ", ".join(texts)
        try:
            self.writing = self.writing or SourceWriting.of(sources, self.rule)
        except OptionError as error:
            if self.kind == "raw":
                raise
            warn(f"{names}: outputs look detokenised and are scored as they are: {error}", subject="raw outputs")
            return frozenset()
        if self.kind == "auto":
            note(
                f"{names}: outputs look detokenised, and are put on the gold's tokens, as by --outputs raw "
                f"(--outputs tokens leaves them as they are){self._say_characters()}",
                subject="raw outputs",
            )
        return frozenset(texts)

    def _say_characters(self) -> str:
        """What else suits words of a script without blanks."""
        return (
            "; --tokens characters needs no words"
            if self.writing and self.writing.rule.name.startswith("jieba")
            else ""
        )

    def _tokenise(self, system: System, sources: TextColumn) -> System:
        if len(system.outputs) != len(sources):
            raise InputError(f"{system.name}: expected {len(sources)} outputs, got {len(system.outputs)}")
        assert self.writing is not None, "it is known once it is decided that outputs are raw"
        try:
            texts = self.writing.tokenise(sources, TextColumn.of(system.outputs))
        except TooLongError as error:
            raise TooLongError(error.message, error.hypothesis, system.name) from None
        return replace(system, outputs=texts, changed=(*system.changed, self.writing.name))


def source_texts(sentences: Sequence[Sentence]) -> TextColumn:
    """The sources, tokens parted by white space."""
    if isinstance(sentences, ColumnSentences):
        return sentences.texts
    return TextColumn.of([" ".join(sentence.tokens) for sentence in sentences])


def writing_of(sentences: Iterable[Sentence], rule: str) -> SourceWriting:
    """How the sources are written, as the first sentences show it."""
    return SourceWriting.of(source_texts(list(islice(sentences, LOOKED_AT))), rule)
