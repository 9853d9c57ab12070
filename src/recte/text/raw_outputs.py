"""Raw outputs in the tokens of their sources: what a model writes today, for a gold that is in tokens.

What an output shares with its source gets the source's tokens, whatever the language. What it changed is cut by a rule:
the Treebank's, that of 13a, a segmenter, or into characters. Signs that no source has are written as the sources write
theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import filterfalse

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Segmenter
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, OptionError, TooLongError
from recte.patterns import compile_later
from recte.text.english_words import EnglishWords
from recte.text.segmenters import GIVEN, JOINED_SCRIPTS, Characters, segmenter_named, stands_in_words
from recte.text.signs import SignWriting
from recte.threads import thread_count

__all__ = ["AUTO_RULE", "SourceWriting", "tokenise_like"]

AUTO_RULE = "auto"
_CUT, _OPEN = 1, 2  # of the kernel
_QUOTES = ("``", "''")  # what the Treebank writes for "
_JOINED_LETTER = compile_later(f"[{JOINED_SCRIPTS}]")


def tokenise_like(sources: Sequence[str], outputs: Sequence[str], *, tokens: str = AUTO_RULE) -> tuple[str, ...]:
    """Raw outputs in the tokens of their sources, joined by single spaces.

    sources: sentences in tokens, joined by spaces.
    outputs: one for each source.
    tokens: the rule that cuts what was changed: a name as `--tokens` takes them, or `auto` for what suits the sources.

    >>> tokenise_like(["He do n't like well - known storys ."], ["He doesn't like well-known stories, too."])
    ("He does n't like well - known stories , too .",)
    """
    if len(sources) != len(outputs):
        raise InputError(f"expected {len(sources)} outputs, one for each source, got {len(outputs)}")
    return tuple(SourceWriting.of(sources, tokens).tokenise(TextColumn.of(sources), TextColumn.of(outputs)))


@dataclass(frozen=True)
class SourceWriting:
    """How sources are cut and how they write their signs, for outputs that are to be written so, too."""

    rule: Segmenter
    alone: frozenset[str]  # signs beyond ASCII that are mostly tokens of their own
    signs: SignWriting

    @classmethod
    def of(cls, sources: Iterable[str], tokens: str = AUTO_RULE) -> SourceWriting:
        """As some sources in tokens show it; `tokens` names the rule, or is `auto`."""
        text = "\n".join(sources)
        words = text.split()
        marked = Counter(filterfalse(str.isalnum, words))
        rule = (
            _fitting_rule(words if _JOINED_LETTER.search(text) else [], marked)
            if tokens == AUTO_RULE
            else segmenter_named(tokens)
        )
        if rule is None:
            raise OptionError(f"output-tokens: expected a rule that cuts text, got {GIVEN!r}")
        return cls(rule, _signs_alone(marked), SignWriting.of(marked))

    @property
    def name(self) -> str:
        """What the signature says of outputs that were tokenised so."""
        return f"raw({self.rule.name})"

    def tokenise(self, sources: TextColumn, outputs: TextColumn) -> TextColumn:
        """Outputs in the tokens of their sources.

        Raises TooLongError for a text that cannot be aligned.
        """
        outputs = self._with_signs(outputs.narrow())
        letters = {
            character for character in _beyond_ascii(sources) | _beyond_ascii(outputs) if stands_in_words(character)
        }
        codes = np.array(sorted(map(ord, letters)), dtype=np.uint32)
        cuts, begins, ends, too_long = _kernels.cut_outputs(
            sources.spans, outputs.spans, codes, thread_count(len(outputs))
        )
        if too_long.any():
            place = int(too_long.argmax())
            raise TooLongError("output and source are too long to be aligned; split long lines", place + 1)
        self._cut_by_rule(outputs, cuts, begins, ends)
        buffer, offsets = _kernels.join_cuts(outputs.spans, cuts)
        return TextColumn(buffer, offsets[:-1], offsets[1:])

    def _with_signs(self, outputs: TextColumn) -> TextColumn:
        """The outputs with their signs as the sources write them."""
        whole, characters = outputs.buffer.tobytes(), _beyond_ascii(outputs)
        variants = self.signs.instead
        if not any(variant.encode() in whole if variant.isascii() else variant in characters for variant in variants):
            return outputs
        return TextColumn.of([self.signs(output) for output in outputs])

    def _cut_by_rule(
        self, outputs: TextColumn, cuts: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        """Decide each open place by the rule, which sees the piece between white space that it stands in.

        Behind a full stop it sees, too, a mark that ends the sentence.
        """
        whole = outputs.buffer.tobytes()
        line_ends = outputs.ends[np.searchsorted(outputs.begins, begins, side="right") - 1]
        known: dict[bytes, tuple[int, ...]] = {}
        chosen: list[int] = []
        for begin, end, line_end in zip(begins.tolist(), ends.tolist(), line_ends.tolist(), strict=True):
            piece = whole[begin:end]
            if piece.endswith(b"."):
                piece += _marks_behind(whole[end:line_end][:20])
            places = known.get(piece)
            if places is None:
                places = known[piece] = tuple(self._rule_cuts(piece.decode("utf-8", "surrogatepass")))
            chosen += [begin + place for place in places]
        at = np.array(chosen, dtype=np.int64)
        cuts[at[cuts[at] == _OPEN]] = _CUT

    def _rule_cuts(self, piece: str) -> Iterable[int]:
        """Where the rule cuts a piece, in bytes."""
        parts = self._parts(piece)
        if piece.isascii():
            return parts
        return [len(piece[:part].encode("utf-8", "surrogatepass")) for part in parts]

    def _parts(self, text: str) -> list[int]:
        """Where tokens begin, the first apart; a token that is not of the text ends what the rule says."""
        begins, place, piece = set[int](), 0, text.partition(" ")[0]
        for token in self.rule(text):
            if not piece.startswith(token, place):
                if not (token in _QUOTES and piece.startswith('"', place)):
                    break
                token = '"'
            begins.add(place)
            place += len(token)
        if not self.alone.isdisjoint(piece):
            for place, character in enumerate(piece):
                if character in self.alone:
                    begins |= {place, place + 1}
        return sorted(begins - {0, len(piece)})


def _marks_behind(rest: bytes) -> bytes:
    """What is behind a full stop, where it shows that no sentence ends there: a mark that stands alone."""
    text = rest.lstrip()
    return b" " + text[:1] if text[:1] in (b".", b"!", b"?") else b""


def _beyond_ascii(texts: TextColumn) -> set[str]:
    """The characters beyond ASCII."""
    return set(texts.buffer[texts.buffer >= 0x80].tobytes().decode("utf-8", "surrogatepass"))


def _fitting_rule(words: Sequence[str], marked: Mapping[str, int]) -> Segmenter:
    """Characters where the sources are cut so; else of the Treebank's rule and that of 13a the one that cuts fewer of
    the sources' own tokens; for words of a script without blanks, jieba's.
    """
    joined = [word for word in words if not word.isascii() and _JOINED_LETTER.search(word)]
    if 2 * len(joined) >= len(words) > 0:
        jieba = "jieba"
        segmenter = (
            Characters() if sum(len(word) == 1 for word in joined) >= 0.95 * len(joined) else segmenter_named(jieba)
        )
        assert segmenter is not None
        return segmenter
    candidates = [EnglishWords("treebank"), EnglishWords("13a")]
    return min(candidates, key=partial(_count_broken, marked))


def _count_broken(marked: Mapping[str, int], rule: Callable[[str], Sequence[str]]) -> int:
    """How many tokens a rule would cut."""
    return sum(count for word, count in marked.items() if len(rule(word)) > 1)


def _signs_alone(marked: Mapping[str, int]) -> frozenset[str]:
    """Signs beyond ASCII that are tokens of their own more often than they are part of a longer one."""
    alone, inside = Counter[str](), Counter[str]()
    for word, count in marked.items():
        for character in "" if word.isascii() else word:
            if not (character.isascii() or stands_in_words(character) or _JOINED_LETTER.match(character)):
                (alone if len(word) == 1 else inside)[character] += count
    return frozenset(character for character, count in alone.items() if count > inside[character])
