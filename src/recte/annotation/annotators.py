"""Annotators by name: three doors to the same interface."""

from __future__ import annotations

from functools import cache

from recte.annotation.annotated import Annotated, Annotator
from recte.errors import OptionError

__all__ = ["annotator_named"]


@cache
def annotator_named(name: str) -> Annotator:
    """The annotator of this name.

    `builtin` is our own for English. `spacy:MODEL` asks spaCy. `given:FILE` looks annotations up in a file, CoNLL-U
    (its name ends in `.conllu`) or a table; several files are separated by commas, and `.gz` may follow.

    >>> annotator_named("builtin").name
    'builtin-en-1'
    """
    kind, _, rest = name.partition(":")
    if name == "builtin":
        from recte.annotation.builtin import BuiltInAnnotator

        return BuiltInAnnotator()
    if kind == "spacy" and rest:
        from recte.annotation.spacy_models import SpacyAnnotator

        return SpacyAnnotator(rest)
    if kind == "given" and rest:
        return _given(rest.split(","))
    raise OptionError(f"annotator: expected builtin, spacy:MODEL or given:FILE, got {name!r}")


def _given(paths: list[str]) -> Annotator:
    from hashlib import blake2b

    from recte.annotation.conllu import parse_conllu
    from recte.annotation.given import GivenAnnotations
    from recte.annotation.token_table import parse_token_table
    from recte.formats.files import display_name, read_lines

    sentences: list[Annotated] = []
    for path in paths:
        parse = parse_conllu if path.removesuffix(".gz").endswith(".conllu") else parse_token_table
        sentences += parse(read_lines(path), display_name(path))
    digest = blake2b(repr(sentences).encode(), digest_size=4).hexdigest()  # annotations, not files: order counts
    return GivenAnnotations(sentences, name=f"given-{digest}", place=",".join(map(display_name, paths)))
