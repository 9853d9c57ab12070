"""Chinese text pairs into typed edits, as ChERRANT makes them (Zhang et al. 2022).

White space goes; targets alone are put into simplified characters; a target may be a word of the annotators instead of
a text: `没有错误` says that nothing is wrong, `无法标注` that the sentence cannot be annotated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar

from recte.annotation import Annotator
from recte.annotation.pinyin import CHARACTER_READINGS_NAME, word_readings_name
from recte.corpus.corpus import Annotation, Corpus, Edit, Sentence
from recte.errors import InputError, OptionError, check_choice
from recte.extraction.language import Language
from recte.extraction.zh.alignment import AlignedEdit, align_chinese
from recte.extraction.zh.blocks import (
    NO_ERROR,
    NOT_ANNOTATABLE,
    ExtractedTarget,
    alternatives_of,
    block_lines,
    target_text,
)
from recte.extraction.zh.choices import GRANULARITIES, TIES, Granularity, Ties
from recte.extraction.zh.tokens import ChineseToken, character
from recte.extraction.zh.types import ChineseTypes
from recte.extraction.zh.word_lists import NO_LISTS, ChineseLists, read_lists
from recte.extraction.zh.words import ChineseWords, words_named
from recte.options import option
from recte.text.normalisation import SIMPLIFIED_NAME, simplify
from recte.text.segmenters import Characters

__all__ = ["Chinese", "ChineseExtractor", "TextPair", "chinese_sentences", "extract_chinese"]

_CHARACTERS = Characters(marks=True)

TextPair = tuple[str, str]


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

    granularity: Granularity = "characters"
    lists: ChineseLists = NO_LISTS
    words: ChineseWords | None = None
    simplify: bool = True
    ties: Ties = "all"

    def __post_init__(self) -> None:
        for name, value, choices in (("granularity", self.granularity, GRANULARITIES), ("ties", self.ties, TIES)):
            check_choice(name, value, choices)
        if self.granularity == "words" and self.words is None:
            raise OptionError("words: expected who cuts text into words and tags them, got nobody")

    @property
    def name(self) -> str:
        """Who made the edits, for signatures."""
        return f"cherrant({'characters' if self.words is None else self.words.name})"

    @property
    def made_with(self) -> dict[str, str]:
        """What had a say in them, for signatures."""
        return {
            "lists": self.lists.name,
            "readings": CHARACTER_READINGS_NAME if self.words is None else word_readings_name(),
            "simplified": SIMPLIFIED_NAME if self.simplify else "no",
        }

    @cached_property
    def _types(self) -> ChineseTypes:
        return ChineseTypes(self.granularity, self.lists)

    def tokens(self, texts: Sequence[str]) -> list[tuple[ChineseToken, ...]]:
        """Each text as tokens with what is known of them."""
        if self.words is not None:
            return self.words(texts)
        known: dict[str, ChineseToken] = {}
        tokens_of_texts = []
        for text in texts:
            characters = _CHARACTERS(text)
            for token in characters:
                if token not in known:
                    known[token] = character(token)
            tokens_of_texts.append(tuple([known[token] for token in characters]))
        return tokens_of_texts

    def target(self, text: str) -> str:
        """A target's text as it is aligned; given words stay words."""
        if self.words is None or not self.words.given:
            text = "".join(text.split())
        return simplify(text) if self.simplify else text

    def extract(self, pairs: Sequence[TextPair]) -> list[ExtractedTarget]:
        """The typed edits of each pair of source and target; equal pairs are looked at once."""
        target_of: dict[TextPair, ExtractedTarget] = {}
        work: dict[TextPair, TextPair] = {}  # pairs to align, by how they stood
        for pair in dict.fromkeys(pairs):
            source, target = pair[0], self.target(pair[1])
            joined = "".join(pair[1].split())
            if joined in (NO_ERROR, NOT_ANNOTATABLE):
                target_of[pair] = _NO_OP if joined == NO_ERROR else _REFUSED
            elif not joined:
                raise InputError(f"expected a target text or {NO_ERROR}, got an empty one for {source[:40]!r}")
            elif "".join(source.split()) == "".join(target.split()):
                target_of[pair] = _NO_OP
            else:
                work[pair] = (source, target)
        target_of.update(zip(work, self._align(list(work.values())), strict=True))
        return [target_of[pair] for pair in pairs]

    def _align(self, pairs: Sequence[TextPair]) -> list[ExtractedTarget]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.tokens(texts), strict=True))
        sources, targets = [tokens[source] for source, _ in pairs], [tokens[target] for _, target in pairs]
        aligned = align_chinese(sources, targets, granularity=self.granularity, lists=self.lists, ties=self.ties)
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


@dataclass(frozen=True, kw_only=True)
class Chinese(Language):
    """Chinese, as ChERRANT does it. Its words may have tags from a file: the annotator `given:FILE`."""

    name: ClassVar[str] = "zh"
    title: ClassVar[str] = "Chinese"
    reads_para: ClassVar[bool] = True

    granularity: Granularity = option("characters", "align characters or words", choices=GRANULARITIES)
    words: str = option("", "who cuts words: given, jieba, pkuseg, thulac or module:function")
    lists: str = option("", "a folder with cilin.txt, confusion_dict.txt and char_meta.txt")
    simplify: bool = option(True, "put corrected texts into simplified characters")
    ties: Ties = option("all", "of equally cheap alignments all, or the first", choices=TIES)

    def make_extraction(self, annotator: str | Annotator | None = None) -> Callable[[Corpus], Corpus]:
        tagger = "none" if annotator is None else annotator
        if not isinstance(tagger, str) or not (annotator is None or tagger.startswith("given:")):
            got = repr(tagger) if isinstance(tagger, str) else type(tagger).__name__
            raise OptionError(f"annotator: expected given:FILE or none for the language zh, got {got}")
        words = None
        if self.granularity == "words":
            words = words_named(self.words or "given", tagger)
        elif self.words or annotator is not None:
            raise OptionError("words, annotations: expected them with --granularity words alone")
        lists = read_lists(self.lists) if self.lists else NO_LISTS
        extractor = ChineseExtractor(self.granularity, lists, words, self.simplify, self.ties)
        return partial(extract_chinese, extractor=extractor)


def extract_chinese(corpus: Corpus, extractor: ChineseExtractor | None = None) -> Corpus:
    """A corpus of references as one of typed edits; edits that sentences have already are extracted again from their
    texts.

    >>> corpus = extract_chinese(Corpus.from_references(["我喜换你"], [["我喜欢你"]]))
    >>> corpus[0].annotations[0].edits[0].type
    'S'
    """
    targets = [
        s.references or [target_text(s.tokens, target) for target in alternatives_of(s).values()] for s in corpus
    ]
    for number, (sentence, texts) in enumerate(zip(corpus, targets, strict=True), corpus.first + 1):
        if not all(text.strip() for text in texts):
            expected = f"expected a corrected text or {NO_ERROR} for each source, got an empty one"
            raise InputError(f"{expected} for sentence {number}, {sentence.text[:40]!r}", corpus.name or None)
    sources = [s.text if s.references else " ".join(s.tokens) for s in corpus]
    made = chinese_sentences(sources, targets, extractor or ChineseExtractor())
    sentences = (
        replace(new, id=old.id, document=old.document, labels=old.labels) for old, new in zip(corpus, made, strict=True)
    )
    return replace(corpus, sentences=tuple(sentences))


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
    extracted = iter(
        extractor.extract([(s, t) for s, of_sentence in zip(sources, targets, strict=True) for t in of_sentence])
    )
    sentences = []
    for number, (source, of_sentence, tokens) in enumerate(
        zip(sources, targets, extractor.tokens(sources), strict=True), 1
    ):
        if not of_sentence:
            raise InputError(f"expected at least one target for source {number}, {source[:40]!r}, got none")
        words = tuple(token.text for token in tokens)
        made = [next(extracted) for _ in of_sentence]
        sentences.append(
            Sentence(
                " ".join(words),
                words,
                tuple(
                    Annotation(str(k), target.united, not_annotatable=target.kind == "not-annotatable")
                    for k, target in enumerate(made)
                ),
                id=str(number),
                scored=any(target.kind != "not-annotatable" for target in made),
                lines=tuple(f"{line}\n" for line in block_lines(words, made)),
            )
        )
    return sentences
