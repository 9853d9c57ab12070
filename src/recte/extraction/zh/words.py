"""Chinese texts as tagged words: given words with their tags, or those of a segmenter.

Tags are LTP's (n, v, a, r, d, wp, …), which the types are made from; a segmenter's own are put into these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from recte.annotation import Annotated, Annotator, annotator_named
from recte.corpus.corpus import Segmenter
from recte.errors import InputError, OptionError
from recte.extraction.zh.tokens import UNTAGGED, ChineseToken, word
from recte.extras import optional, version_of
from recte.text.segmenters import GIVEN, MISSING_CONSTITUENT, segmenter_named

__all__ = ["ChineseWords", "GivenWords", "JiebaTags", "JiebaWords", "SegmentedWords", "tagger_named", "words_named"]


class ChineseWords(Protocol):
    """Cuts texts into tagged words; `given` if texts come as words already, with spaces between them."""

    @property
    def name(self) -> str: ...
    @property
    def given(self) -> bool: ...
    def __call__(self, texts: Sequence[str], /) -> list[tuple[ChineseToken, ...]]: ...


@dataclass(frozen=True)
class GivenWords:
    """Words as white space separates them, tagged by an annotator (`tag`), or by nobody.

    Without tags no substitution costs more for changing the part of speech, and every type is SPELL or OTHER.
    """

    annotator: Annotator | None = None

    given = True

    @property
    def name(self) -> str:
        return "words" if self.annotator is None else f"words-{self.annotator.name}"

    def __call__(self, texts: Sequence[str], /) -> list[tuple[ChineseToken, ...]]:
        words = [tuple(text.split()) for text in texts]
        if self.annotator is None:
            tags = [(UNTAGGED,) * len(of_text) for of_text in words]
        else:
            tags = [annotated.tag for annotated in self.annotator(words)]
        for of_text, of_sentence in zip(words, tags, strict=True):
            if len(of_text) != len(of_sentence):
                raise InputError(f"expected {len(of_text)} tags for {' '.join(of_text)[:40]!r}, got {len(of_sentence)}")
        return [tuple(map(word, of_text, of_sentence)) for of_text, of_sentence in zip(words, tags, strict=True)]


@dataclass(frozen=True)
class SegmentedWords:
    """Words of any segmenter, without tags; `[缺失成分]` stays one word."""

    segmenter: Segmenter

    given = False

    @property
    def name(self) -> str:
        return self.segmenter.name

    def __call__(self, texts: Sequence[str], /) -> list[tuple[ChineseToken, ...]]:
        return [tuple(word(w, UNTAGGED) for w in _around_marks(text, self.segmenter)) for text in texts]


def _around_marks(text: str, cut: Segmenter) -> list[str]:
    pieces = "".join(text.split()).split(MISSING_CONSTITUENT)
    words = list(cut(pieces[0]))
    for piece in pieces[1:]:
        words += [MISSING_CONSTITUENT, *cut(piece)]
    return words


def tagger_named(name: str) -> Annotator | None:
    """Who tags words: `none`, `jieba`, or a file of annotations, `given:FILE`."""
    if name == "none":
        return None
    if name == "jieba":
        return JiebaTags()
    if name.startswith("given:"):
        return annotator_named(name)
    raise OptionError(f"tagger: expected none, jieba or given:FILE, got {name!r}")


def words_named(name: str, tagger: str = "none") -> ChineseWords:
    """Who cuts text into words: `given` (spaces, with tags of the `tagger`), `jieba` (with tags), or any segmenter."""
    if name == GIVEN:
        return GivenWords(tagger_named(tagger))
    if tagger != "none":
        raise OptionError(f"words: expected given with --tagger {tagger}, which has words of its own, got {name}")
    if name == "jieba":
        return JiebaWords()
    segmenter = segmenter_named(name)
    assert segmenter is not None  # but for given words, every name has one
    return SegmentedWords(segmenter)


# jieba's tags (those of ICTCLAS) by their first letters, the longest that fit; LTP has its own for names and signs.
_JIEBA_TAGS = {
    **{tag: tag for tag in "navbcrdumpqieohkgj"},
    "nr": "nh",
    "ns": "ns",
    "nt": "ni",
    "nz": "nz",
    "f": "nd",
    "s": "nl",
    "t": "nt",
    "x": "wp",
    "w": "wp",
    "z": "a",
    "l": "i",
    "y": "u",
    "eng": "ws",
}


class JiebaTags:
    """Tags of given words: jieba's, put into LTP's; a word that jieba cuts has the tag of its last part."""

    @property
    def name(self) -> str:
        return f"jieba-{version_of('jieba')}"

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        annotated = []
        for sentence in sentences:
            words = tuple(sentence)
            tags = tuple(_tag(w)[-1].tag for w in words)
            nothing = ("",) * len(words)
            annotated.append(Annotated(words, tags, nothing, words, nothing, tuple(range(len(words)))))
        return annotated


@dataclass(frozen=True)
class JiebaWords:
    """jieba's words and tags, put into LTP's; `[缺失成分]` stays one word.

    What jieba has no tag for (`x`) is punctuation, unless it holds letters or digits.
    """

    given = False

    @property
    def name(self) -> str:
        return f"jieba-{version_of('jieba')}-tags"

    def __call__(self, texts: Sequence[str], /) -> list[tuple[ChineseToken, ...]]:
        return [tuple(word(w.text, w.tag) for w in _tag("".join(text.split()))) for text in texts]


class _TaggedWord(NamedTuple):
    text: str
    tag: str


def _tag(text: str) -> list[_TaggedWord]:
    """Words of jieba's with LTP's tags; the mark of something missing is one word."""
    optional("jieba", extra="chinese", purpose="words jieba").setLogLevel(60)
    cut = optional("jieba.posseg", extra="chinese", purpose="words jieba").lcut
    tagged: list[_TaggedWord] = []
    for number, piece in enumerate(text.split(MISSING_CONSTITUENT)):
        if number:
            tagged.append(_TaggedWord(MISSING_CONSTITUENT, UNTAGGED))
        tagged += [_TaggedWord(w, _ltp(w, tag)) for w, tag in cut(piece)]
    return tagged


def _ltp(text: str, tag: str) -> str:
    fitting = next((tag[:n] for n in range(len(tag), 0, -1) if tag[:n] in _JIEBA_TAGS), "")
    if fitting == "x" and any(letter.isalnum() for letter in text):
        return "ws"
    return _JIEBA_TAGS.get(fitting, UNTAGGED)
