"""Chinese text pairs into typed edits, as ChERRANT makes them (Zhang et al. 2022).

White space goes; targets alone are put into simplified characters; a target may be a word of the annotators instead of
a text: `没有错误` says that nothing is wrong, `无法标注` that the sentence cannot be annotated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from recte.annotation.pinyin import CHARACTER_READINGS_NAME, word_readings_name
from recte.corpus import Annotation, Edit, Sentence
from recte.errors import InputError, OptionError
from recte.extraction.chinese_alignment import LEVELS, TIES, AlignedEdit, Level, Ties, align_chinese
from recte.extraction.chinese_lists import NO_LISTS, ChineseLists
from recte.extraction.chinese_tokens import ChineseToken, character
from recte.extraction.chinese_types import ChineseTypes
from recte.extraction.chinese_words import ChineseWords
from recte.segmentation.segmenters import Characters
from recte.segmentation.simplified import SIMPLIFIED_NAME, simplified

__all__ = ["NOT_ANNOTATABLE", "NO_ERROR", "ChineseExtractor", "ExtractedTarget", "TextPair", "chinese_sentences"]

NO_ERROR = "没有错误"
NOT_ANNOTATABLE = "无法标注"
_CHARACTERS = Characters(marks=True)
_NOTHING = "-NONE-"

TextPair = tuple[str, str]
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


_NO_OP = ExtractedTarget("no-op", (), ())
_REFUSED = ExtractedTarget("not-annotatable", (), ())


@dataclass(frozen=True)
class ChineseExtractor:
    """How edits are made: by characters, or by words that `words` cuts and tags; with which lists; with ties or not.

    `simplify` puts targets into simplified characters, as published.

    >>> (found,) = ChineseExtractor().extract([("我喜换你", "我很喜欢你")])
    >>> [(edit.start, edit.end, edit.type, edit.corrections[0]) for edit in found.alternatives[0]]
    [(1, 1, 'M', '很'), (2, 3, 'S', '欢')]
    """

    level: Level = "characters"
    lists: ChineseLists = NO_LISTS
    words: ChineseWords | None = None
    simplify: bool = True
    ties: Ties = "all"

    def __post_init__(self) -> None:
        for name, value, choices in (("level", self.level, LEVELS), ("ties", self.ties, TIES)):
            if value not in choices:
                raise OptionError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")
        if self.level == "words" and self.words is None:
            raise OptionError("words: expected who cuts text into words and tags them, got nobody")

    @property
    def name(self) -> str:
        """How edits are made, for signatures."""
        readings = CHARACTER_READINGS_NAME if self.words is None else word_readings_name()
        tokens = "characters" if self.words is None else self.words.name
        parts = [tokens, f"lists-{self.lists.name}", readings, SIMPLIFIED_NAME if self.simplify else "as-written"]
        return "+".join(["cherrant", *parts, *(["first"] if self.ties == "first" else [])])

    @cached_property
    def _types(self) -> ChineseTypes:
        return ChineseTypes(self.level, self.lists)

    def tokens(self, texts: Sequence[str]) -> list[tuple[ChineseToken, ...]]:
        """Each text as tokens with what is known of them."""
        if self.words is not None:
            return self.words(texts)
        known: dict[str, ChineseToken] = {}
        found = []
        for text in texts:
            own = _CHARACTERS(text)
            for token in own:
                if token not in known:
                    known[token] = character(token)
            found.append(tuple([known[token] for token in own]))
        return found

    def target(self, text: str) -> str:
        """A target's text as it is aligned."""
        return simplified("".join(text.split())) if self.simplify and self._wordless else text

    @property
    def _wordless(self) -> bool:
        """Whether texts come without words; given words stay as they are."""
        return self.words is None or not self.words.given

    def extract(self, pairs: Sequence[TextPair]) -> list[ExtractedTarget]:
        """The typed edits of each pair of source and target; equal pairs are looked at once."""
        found: dict[TextPair, ExtractedTarget] = {}
        work: dict[TextPair, TextPair] = {}  # pairs to align, by how they stood
        for pair in dict.fromkeys(pairs):
            source, target = pair[0], self.target(pair[1])
            joined = "".join(pair[1].split())
            if joined in (NO_ERROR, NOT_ANNOTATABLE):
                found[pair] = _NO_OP if joined == NO_ERROR else _REFUSED
            elif not joined:
                raise InputError(f"expected a target text or {NO_ERROR}, got an empty one for {source[:40]!r}")
            elif "".join(source.split()) == "".join(target.split()):
                found[pair] = _NO_OP
            else:
                work[pair] = (source, target)
        found.update(zip(work, self._aligned(list(work.values())), strict=True))
        return [found[pair] for pair in pairs]

    def _aligned(self, pairs: Sequence[TextPair]) -> list[ExtractedTarget]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.tokens(texts), strict=True))
        sources, targets = [tokens[source] for source, _ in pairs], [tokens[target] for _, target in pairs]
        aligned = align_chinese(sources, targets, level=self.level, lists=self.lists, ties=self.ties)
        return [
            ExtractedTarget(
                "edits",
                tuple(token.text for token in target),
                tuple(
                    tuple(self._edit(edit, source, target) for edit in alternative)
                    for alternative in aligned.alternatives(pair)
                ),
                bool(aligned.cut_off[pair]),
            )
            for pair, (source, target) in enumerate(zip(sources, targets, strict=True))
        ]

    def _edit(self, edit: AlignedEdit, source: Sequence[ChineseToken], target: Sequence[ChineseToken]) -> Edit:
        correction = " ".join(token.text for token in target[edit.target_start : edit.target_end])
        return Edit(edit.start, edit.end, (correction,), self._types(edit, source, target))


def chinese_sentences(
    sources: Sequence[str], targets: Sequence[Sequence[str]], extractor: ChineseExtractor
) -> list[Sentence]:
    """Sources with the edits of their targets, one list of these for each source; written as M2, they are the blocks of
    the published program, alternatives and all.

    >>> (sentence,) = chinese_sentences(["我喜换你"], [["我喜欢你", "没有错误"]], ChineseExtractor())
    >>> print("".join(sentence.lines), end="")
    S 我 喜 换 你
    T0-A0 我 喜 欢 你
    A 2 3|||S|||欢|||REQUIRED|||-NONE-|||0
    T1 没有错误
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
    <BLANKLINE>
    """
    if len(sources) != len(targets):
        raise InputError(f"expected targets for {len(sources)} sources, got them for {len(targets)}")
    extracted = iter(extractor.extract([(s, t) for s, own in zip(sources, targets, strict=True) for t in own]))
    found = []
    for number, (source, own, tokens) in enumerate(zip(sources, targets, extractor.tokens(sources), strict=True), 1):
        if not own:
            raise InputError(f"expected at least one target for source {number}, {source[:40]!r}, got none")
        words = tuple(token.text for token in tokens)
        made = [next(extracted) for _ in own]
        found.append(
            Sentence(
                " ".join(words),
                words,
                tuple(Annotation(str(k), target.united) for k, target in enumerate(made)),
                id=str(number),
                scored=any(target.kind != "not-annotatable" for target in made),
                lines=tuple(f"{line}\n" for line in _block(words, made)),
            )
        )
    return found


def _block(tokens: Sequence[str], targets: Sequence[ExtractedTarget]) -> list[str]:
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
