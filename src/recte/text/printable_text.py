"""Text from files, made safe to print: what a terminal or a table would obey is shown instead."""

from __future__ import annotations

from recte.patterns import compile_later

__all__ = ["quote", "visible"]

_QUOTED = 60  # letters

# Control characters (line ends and tabs too), line separators, marks that turn the direction of text, lone surrogates,
# and two that are no characters and end an XML file.
_OBEYED = compile_later("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""The text with signs such as ESC written out.

    >>> print(visible("red\x1b[31m\nname"))
    red\x1b[31m\nname
    """
    return _OBEYED.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def quote(text: str) -> str:
    """The text in quotes, its beginning alone where it is long: for messages.

    >>> quote("a" * 70)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    """
    return repr(text if len(text) <= _QUOTED else f"{text[: _QUOTED - 3]}...")
