"""How much texts have in common, by their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from recte.patterns import compile_later

__all__ = ["ALIKE", "compact", "likest", "share_of_words", "takes_words", "words_of"]

ALIKE = 0.5  # share of words that a text has in common with its source
_LIKE = 6  # letters at both ends of a text that is left whole
# Scripts without blanks between words, and their punctuation: each of these signs is a word.
_ALONE = "\u0e00-\u0eff\u3000-\u30ff\u3400-\u9fff\uff00-\uffef\U00020000-\U0003ffff"
_SIGN_ALONE, _WORDS = compile_later(f"[{_ALONE}]"), compile_later(rf"[{_ALONE}]|[^\s{_ALONE}]+")


def words_of(text: str) -> list[str]:
    """The words of a text; in scripts without blanks, its signs.

    >>> words_of("He goes ."), words_of("他 喜欢GEC。")
    (['He', 'goes', '.'], ['他', '喜', '欢', 'GEC', '。'])
    """
    return text.split() if text.isascii() or not _SIGN_ALONE.search(text) else _WORDS.findall(text)


def compact(text: str) -> str:
    """The text without white space."""
    return "".join(text.split())


def share_of_words(source: str, text: str) -> float:
    """How many of the words of both are in common, from 0 to 1."""
    words, others = Counter(words_of(source)), Counter(words_of(text))
    return 2 * (others & words).total() / max(words.total() + others.total(), 1)


def likest(source: str, texts: Iterable[str]) -> str:
    """The text that shares most words with the source, among equals the first.

    >>> likest("He go home .", ["Here it is:", "He goes home ."])
    'He goes home .'
    """
    texts = tuple(texts)
    if len(texts) == 1:
        return texts[0]
    words = Counter(words_of(source.lower()))

    def share(text: str) -> float:
        others = Counter(words_of(text.lower()))
        return 2 * (others & words).total() / max(words.total() + others.total(), 1)  # looks up the text's words alone

    return max(texts, key=share)


def takes_words(source: str, output: str, left: str) -> bool:
    """Whether most words that were taken out of an output are the source's, which what is left has not.

    >>> takes_words("As for this , two : a", "Okay. As for this , two : a", "a")
    True
    >>> takes_words("He go .", "Sure, the sentence is : He goes .", "He goes .")
    False
    """
    is_begin, is_end = output.startswith(left), output.endswith(left)
    if (is_begin or left[:_LIKE] == source[:_LIKE]) and (is_end or left[-_LIKE:] == source[-_LIKE:]):
        return False  # it begins or ends as its source where something was taken off
    words, rest = Counter(words_of(source)), Counter(words_of(left))
    removed = common = 0
    for word, count in Counter(words_of(output)).items():
        if count > rest[word]:
            removed += count - rest[word]
            common += max(min(count, words[word]) - rest[word], 0)
    return 2 * common > removed
