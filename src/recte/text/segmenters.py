"""Ways to cut text into tokens, each with the name that the signature gives."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from recte.corpus.corpus import Segmenter
from recte.errors import OptionError, describe_choices
from recte.extras import function_named, optional, version_of
from recte.patterns import compile_later
from recte.text.english_words import ENGLISH_WORDS, EnglishWords

__all__ = [
    "GIVEN",
    "JOINED_SCRIPTS",
    "MARKED_CHARACTERS",
    "SEGMENTERS",
    "Characters",
    "SegmentedBy",
    "has_unspaced",
    "join_unspaced",
    "segmenter_named",
    "segmenter_package",
    "stands_in_words",
]

# Ranges of code points: Thai, Lao, Tibetan, Burmese and Khmer; Chinese characters, kana and their punctuation.
JOINED_SCRIPTS = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_JOINED = compile_later(f"[{JOINED_SCRIPTS}]")
_BLANKS_INSIDE = compile_later(rf"(?<=[{JOINED_SCRIPTS}])\s+(?=[{JOINED_SCRIPTS}])")

GIVEN = "given"
_LTP_MODEL = "LTP/small"
MARKED_CHARACTERS = "characters+marks"
# What Chinese annotators write where something is missing that only the author knows; it stands for one unknown.
MISSING_CONSTITUENT = "[缺失成分]"
_CHARACTER_OR_MARK = compile_later(rf"{re.escape(MISSING_CONSTITUENT)}|\S")


@dataclass(frozen=True)
class Characters:
    """Every character but white space is a token, Latin letters and digits too; with `marks`, `[缺失成分]` is one.

    >>> Characters()("我 OK 。")
    ['我', 'O', 'K', '。']
    """

    marks: bool = False

    @property
    def name(self) -> str:
        return MARKED_CHARACTERS if self.marks else "characters"

    def __call__(self, text: str) -> Sequence[str]:
        return _CHARACTER_OR_MARK.findall(text) if self.marks else [c for c in text if not c.isspace()]


@dataclass(frozen=True)
class SegmentedBy:
    """Any function from a text to its tokens, under the name that the signature gives.

    The text comes as its language is written: without blanks between characters of a script that has none. With
    `joins_all`, for segmenters of such languages, no text has blanks. White space around and within tokens is dropped.

    `loaded_as` is what `segmenter_named` knows it by: a segmenter with one is pickled by that name, since the models
    of libraries cannot be.

    >>> SegmentedBy(str.split, "words")("He goes .")
    ['He', 'goes', '.']
    >>> SegmentedBy(lambda text: [text[:2], text[2:]], "pairs")("我 喜 欢")
    ['我喜', '欢']
    """

    cut: Callable[[str], Sequence[str]]
    name: str
    loaded_as: str = ""
    joins_all: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        if self.loaded_as:
            return segmenter_named, (self.loaded_as,)
        return type(self), (self.cut, self.name, "", self.joins_all)

    def text_of_tokens(self, text: str) -> str:
        """A text in tokens as the function gets it."""
        return "".join(text.split()) if self.joins_all else join_unspaced(text)

    def __call__(self, text: str) -> Sequence[str]:
        whole = self.text_of_tokens(text)
        try:
            tokens = [word for token in self.cut(whole) for word in token.split()] if whole else []
        except Exception as error:
            raise OptionError(
                f"tokens {self.name}: expected a list of texts, got {error!r} for {whole[:30]!r}"
            ) from None
        if "".join(tokens) != "".join(whole.split()):
            raise OptionError(f"tokens {self.name}: expected tokens that make up {whole[:30]!r}, got {tokens[:5]!r}")
        return tokens


@lru_cache(maxsize=1)
def _jieba() -> Segmenter:
    jieba = optional("jieba", extra="chinese", purpose="tokens jieba")
    jieba.setLogLevel(60)
    return SegmentedBy(jieba.lcut, f"jieba-{version_of('jieba')}", "jieba", joins_all=True)


@lru_cache(maxsize=1)
def _pkuseg() -> Segmenter:
    pkuseg = optional("pkuseg", extra="chinese", purpose="tokens pkuseg")
    with redirect_stdout(sys.stderr):  # it says that it loads; standard output is for results
        loaded = pkuseg.pkuseg()
    return SegmentedBy(loaded.cut, f"pkuseg-{version_of('pkuseg')}", "pkuseg", joins_all=True)


@lru_cache(maxsize=1)
def _thulac() -> Segmenter:
    thulac = optional("thulac", extra="chinese", purpose="tokens thulac")
    with redirect_stdout(sys.stderr):
        loaded = thulac.thulac(seg_only=True)
    return SegmentedBy(
        lambda text: [word for word, *_ in loaded.cut(text)] if text else [],
        f"thulac-{version_of('thulac')}",
        "thulac",
        joins_all=True,
    )


@lru_cache(maxsize=1)
def _ltp() -> Segmenter:
    """LTP's small model, which its library loads from its cache or from the network."""
    ltp = optional("ltp", extra="ltp", purpose="tokens ltp")
    try:
        loaded = ltp.LTP(_LTP_MODEL)
    except Exception as error:
        raise OptionError(f"tokens ltp: expected the model {_LTP_MODEL}, which could not be loaded: {error}") from None
    return SegmentedBy(
        lambda text: loaded.pipeline([text], tasks=["cws"]).cws[0] if text else [],
        f"ltp-{version_of('ltp')}-small",
        "ltp",
        joins_all=True,
    )


@dataclass(frozen=True)
class SyntokWords(EnglishWords):
    """syntok's words of raw text, in any language with spaces: the tokens of MultiGEC-2025.

    As there, white space around a token is dropped and other signs stay with the token behind them (`data -sets`), and
    syntok writes `not` for `n't`.
    """

    cut: Callable[[str], Iterable[Any]]

    def __reduce__(self) -> tuple[Any, ...]:
        return segmenter_named, ("syntok",)

    def __call__(self, text: str) -> Sequence[str]:
        return [word for token in self.cut(text) for word in str(token).split()]


@lru_cache(maxsize=1)
def _syntok() -> Segmenter:
    optional("syntok", extra="multigec", purpose="tokens syntok")
    tokenizer = optional("syntok.tokenizer", extra="multigec", purpose="tokens syntok")
    return SyntokWords(f"syntok-{version_of('syntok')}", tokenizer.Tokenizer().tokenize)


_LIBRARIES: dict[str, Callable[[], Segmenter]] = {
    "syntok": _syntok,
    "jieba": _jieba,
    "pkuseg": _pkuseg,
    "thulac": _thulac,
    "ltp": _ltp,
}
SEGMENTERS = (GIVEN, *ENGLISH_WORDS, "characters", MARKED_CHARACTERS, *_LIBRARIES)


def segmenter_package(name: str | None) -> str | None:
    """The package that a segmenter needs in addition to recte.

    >>> segmenter_package("syntok"), segmenter_package("treebank")
    ('syntok', None)
    """
    return name if name in _LIBRARIES else None  # libraries are called as their packages


def segmenter_named(name: str) -> Segmenter | None:
    """The segmenter of that name, or any function as `module:function`; None for the tokens as they are given.

    >>> segmenter_named("textwrap:wrap").name
    'textwrap.wrap'
    """
    if name == GIVEN:
        return None
    if name in ("characters", MARKED_CHARACTERS):
        return Characters(marks=name == MARKED_CHARACTERS)
    if name in ENGLISH_WORDS:
        return EnglishWords(name)
    if name in _LIBRARIES:
        return _LIBRARIES[name]()
    if ":" not in name:
        raise OptionError(f"tokens: {describe_choices([*SEGMENTERS, 'or module:function'], name)}")
    return SegmentedBy(function_named(name, "tokens"), name.replace(":", "."), name)


def has_unspaced(text: str) -> bool:
    """Whether a text has a character of a script without blanks.

    >>> has_unspaced("我 有 iPhone"), has_unspaced("He goes .")
    (True, False)
    """
    return _JOINED.search(text) is not None


def join_unspaced(text: str) -> str:
    """The text with the blanks of its own language alone: none between two characters of a script without them.

    >>> join_unspaced("我 喜欢 New  York"), join_unspaced("He goes .")
    ('我喜欢 New York', 'He goes .')
    """
    return _BLANKS_INSIDE.sub("", " ".join(text.split()))


def stands_in_words(character: str) -> bool:
    """Whether it is a letter, a digit or a mark on a letter, of a script with blanks between words.

    >>> [stands_in_words(character) for character in "é5喜."]
    [True, True, False, False]
    """
    from unicodedata import category

    return category(character)[0] in "LMN" and _JOINED.match(character) is None
