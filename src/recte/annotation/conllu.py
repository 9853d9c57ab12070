"""CoNLL-U, the format of Universal Dependencies: ten tab-separated columns, one token per line.

Tokens are syntactic words. Lines of multiword tokens (`3-4`) and of empty nodes (`5.1`) are passed over: they
annotate no word. `pos` is UPOS; `tag` is XPOS where that is a Penn tag, which the English types know, and else UPOS
with the features (`NOUN|Number=Plur`), which the universal types know. Relations are turned into the words of spaCy's
English models, which the rules for types know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recte.annotation.annotated import Annotated
from recte.errors import InputError

__all__ = ["parse_conllu"]

_COLUMNS = 10
_PENN_TAGS = frozenset((
    "#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW", "HYPH",
    "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB",
    "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB",
    "XX", "``",
))  # fmt: skip
_RELATIONS = {
    "root": "ROOT",
    "obj": "dobj",
    "iobj": "dative",
    "aux:pass": "auxpass",
    "nsubj:pass": "nsubjpass",
    "csubj:pass": "csubjpass",
    "nmod:poss": "poss",
    "compound:prt": "prt",
    "acl:relcl": "relcl",
}


def parse_conllu(lines: Iterable[str], name: str) -> Iterator[Annotated]:
    """The sentences of a file's lines; `name` is the file's, for messages.

    >>> rows = ["1 Hunde Hund NOUN _ Number=Plur 2 nsubj _ _", "2 bellen bellen VERB _ _ 0 root _ _"]
    >>> next(parse_conllu([row.replace(" ", "\\t") for row in rows], "de.conllu")).tag
    ('NOUN|Number=Plur', 'VERB')
    """
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if rows:
                yield _sentence(rows, name)
            rows = []
        elif not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) != _COLUMNS:
                raise InputError(f"expected {_COLUMNS} columns separated by tabs, got {len(columns)}", name, number)
            if columns[0].isdecimal():
                _check(columns, len(rows), name, number)
                rows.append((number, columns))
            elif not columns[0].replace("-", ".").replace(".", "", 1).isdecimal():
                raise InputError(f"expected a token's number, got {columns[0]!r}", name, number)
    if rows:
        yield _sentence(rows, name)


def _check(columns: list[str], before: int, name: str, number: int) -> None:
    if columns[0] != str(before + 1):
        raise InputError(f"expected token {before + 1}, got {columns[0]}", name, number)
    if not columns[1] or not columns[3] or columns[3] == "_":
        raise InputError("expected a form and a universal tag (columns 2 and 4)", name, number)
    if not columns[6].isdecimal() or len(columns[6]) > 9:
        raise InputError(f"expected the number of the head, got {columns[6]!r}", name, number)


def _sentence(rows: list[tuple[int, list[str]]], name: str) -> Annotated:
    heads = []
    for place, (number, columns) in enumerate(rows):
        head = int(columns[6])
        if head > len(rows):
            raise InputError(f"expected a head from 0 to {len(rows)}, got {head}", name, number)
        heads.append(head - 1 if head else place)
    tokens = [columns for _, columns in rows]
    return Annotated(
        text=tuple(columns[1] for columns in tokens),
        tag=tuple(columns[4] if columns[4] in _PENN_TAGS else _universal_tag(columns) for columns in tokens),
        pos=tuple(columns[3] for columns in tokens),
        lemma=tuple(columns[2] if columns[2] != "_" or columns[1] == "_" else columns[1] for columns in tokens),
        dependency=_dependencies(tokens, heads),
        head=tuple(heads),
    )


def _universal_tag(columns: list[str]) -> str:
    return columns[3] if columns[5] in ("", "_") else f"{columns[3]}|{columns[5]}"


def _dependencies(tokens: list[list[str]], heads: list[int]) -> tuple[str, ...]:
    """Relations as spaCy calls them. It makes a preposition the head of its noun; here the labels alone change."""
    prepositions = {place for place, columns in enumerate(tokens) if columns[7] == "case" and columns[3] == "ADP"}
    governed = {heads[place] for place in prepositions}
    copulas = {heads[place] for place, columns in enumerate(tokens) if columns[7] == "cop"}
    found = []
    for place, columns in enumerate(tokens):
        relation, pos = columns[7], columns[3]
        if place in prepositions:
            found.append("prep")
        elif pos == "ADJ" and (place in copulas or relation == "xcomp"):
            found.append("acomp")
        elif place in governed and relation.partition(":")[0] in ("obl", "nmod") and relation != "nmod:poss":
            found.append("pobj")
        else:
            found.append(_RELATIONS.get(relation) or _RELATIONS.get(relation.partition(":")[0], relation))
    return tuple(found)
