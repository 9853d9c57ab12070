"""Annotations in the words of Universal Dependencies, and how they become what the rules of a language know.

A `TagScheme` says which fine tag and which dependency label a token gets. A multiword token (German `zur`, French
`au`) is one token of the text with the annotation of its words: see `join_multiword_tokens`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recte.annotation.annotated import Annotated

__all__ = ["BARE", "ENGLISH", "UNIVERSAL", "TagScheme", "UdToken", "annotate", "join_multiword_tokens", "plain_labels"]

_PENN_TAGS = frozenset((
    "#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW", "HYPH",
    "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB",
    "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB",
    "XX", "``",
))  # fmt: skip
_ENGLISH_LABELS = {
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


class UdToken(NamedTuple):
    """A token with its columns; `head` is a place in the sentence, the root's its own; `_` is an empty column."""

    form: str
    lemma: str
    upos: str
    xpos: str
    features: str
    head: int
    relation: str
    is_multiword: bool = False


@dataclass(frozen=True)
class TagScheme:
    """How a token's columns become a fine tag, and a sentence's relations labels; `name` tells schemes apart.

    `takes_library_tags`: the fine tags of a library such as spaCy are taken as they are. `keeps_empty_lemmas`
    leaves a lemma `_` as it is; otherwise the form takes its place.
    """

    name: str
    tag: Callable[[UdToken], str]
    labels: Callable[[Sequence[UdToken]], Sequence[str]]
    takes_library_tags: bool = False
    keeps_empty_lemmas: bool = True


def annotate(tokens: Sequence[UdToken], scheme: TagScheme) -> Annotated:
    """The tokens with the tags and labels of the scheme."""
    return Annotated(
        text=tuple(token.form for token in tokens),
        tag=tuple(map(scheme.tag, tokens)),
        pos=tuple(token.upos for token in tokens),
        lemma=tuple(
            token.form if token.lemma == "_" and not scheme.keeps_empty_lemmas else token.lemma for token in tokens
        ),
        dependency=tuple(scheme.labels(tokens)),
        head=tuple(token.head for token in tokens),
    )


def join_multiword_tokens(words: Sequence[UdToken], ranges: Sequence[tuple[int, int, str]]) -> list[UdToken]:
    """The tokens of the text: the words of each range (first place, place behind the last, form) become one token.

    It has the annotation of its first word, and head and relation of its first word whose head lies outside.
    """
    place_of = [0] * len(words)
    spans: list[tuple[int, int, str]] = []
    starts = {first: (end, form) for first, end, form in ranges}
    place = 0
    while place < len(words):
        end, form = starts.get(place, (place + 1, ""))
        place_of[place:end] = [len(spans)] * (end - place)
        spans.append((place, end, form))
        place = end
    tokens = []
    for number, (first, end, form) in enumerate(spans):
        inside = range(first, end)
        outward = next((words[k] for k in inside if words[k].head not in inside or words[k].head == k), words[first])
        head = number if outward.head in inside else place_of[outward.head]
        token = words[first]._replace(head=head, relation=outward.relation)
        tokens.append(token._replace(form=form, is_multiword=True) if form else token)
    return tokens


def plain_labels(tokens: Sequence[UdToken]) -> list[str]:
    """The relations as they are, but for the root, which is `ROOT`."""
    return ["ROOT" if token.relation == "root" else token.relation for token in tokens]


def _english_labels(tokens: Sequence[UdToken]) -> list[str]:
    """Relations as spaCy's English models call them. These make a preposition the head of its noun; here the labels
    alone change.
    """
    prepositions = {place for place, token in enumerate(tokens) if token.relation == "case" and token.upos == "ADP"}
    governed = {tokens[place].head for place in prepositions}
    copulas = {token.head for token in tokens if token.relation == "cop"}
    labels = []
    for place, token in enumerate(tokens):
        relation = token.relation
        if place in prepositions:
            labels.append("prep")
        elif token.upos == "ADJ" and (place in copulas or relation == "xcomp"):
            labels.append("acomp")
        elif place in governed and relation.partition(":")[0] in ("obl", "nmod") and relation != "nmod:poss":
            labels.append("pobj")
        else:
            labels.append(_ENGLISH_LABELS.get(relation) or _ENGLISH_LABELS.get(relation.partition(":")[0], relation))
    return labels


def _tag_with_features(token: UdToken) -> str:
    return token.upos if token.features in ("", "_") else f"{token.upos}|{token.features}"


# The English rules know Penn tags; the universal ones read features. BARE has the coarse tag alone.
ENGLISH = TagScheme(
    "en",
    lambda token: token.xpos if token.xpos in _PENN_TAGS else _tag_with_features(token),
    _english_labels,
    takes_library_tags=True,
    keeps_empty_lemmas=False,
)
UNIVERSAL = TagScheme("universal", _tag_with_features, _english_labels, keeps_empty_lemmas=False)
BARE = TagScheme("bare", lambda token: token.upos, plain_labels)
