"""What the built-in annotator learns: tags and dependencies of Universal Dependencies in spaCy's words.

spaCy's English models follow the OntoNotes and CLEAR conventions. UD has other ones: a preposition depends on its noun,
a copula on its predicate. Labels are turned, heads are not: the rules for types ask for the heads of auxiliaries alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Token", "dependency_labels", "tag_labels", "with_whole_words"]

_OTHER_TAGS = {
    ("both", "CC"): "DT",
    ("data", "NN"): "NNS",  # by the guidelines of the Penn Treebank
    ("media", "NN"): "NNS",
    ("one", "NN"): "NN",  # "no one" is no pronoun
    ("what", "WDT"): "WP",
}
_POSSESSIVE = frozenset(["his", "its", "my", "our", "their", "your"])
_NEGATIONS = frozenset({"not", "n't", "never"})
# Words of the tag IN that spaCy always calls conjunctions, and those that may be either; all others are prepositions.
_CONJUNCTIONS = frozenset((
    "albeit", "although", "because", "besides", "despite", "except", "if", "lest", "once", "since", "so", "that",
    "though", "unless", "upon", "whereas", "whether", "while", "whilst",
))  # fmt: skip
_EITHER = frozenset(["after", "as", "before", "for", "like", "than", "till", "until"])
# Pairs of words that OntoNotes tags in its own way.
_PAIRS = {
    ("at", "least"): ("IN", "RBS"),
    ("due", "to"): ("IN", "IN"),
    ("each", "other"): ("DT", "JJ"),
    ("no", "matter"): ("RB", "RB"),
}
# The tags of a hyphenated word by its last part; participles make adjectives.
_WHOLE = dict.fromkeys(("VBN", "VBD", "VBG"), ("JJ", "ADJ"))
# Coarse tags that a fine tag leaves open; all others follow from it.
_OPEN = {
    "DT": ("PRON",), "IN": ("SCONJ",), "NN": ("PRON",), "RB": ("PART",), "WDT": ("DET",),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), ("AUX",)),
}  # fmt: skip
_DEPENDENCIES = {
    "acl": "acl",
    "acl:relcl": "relcl",
    "advcl": "advcl",
    "advmod": "advmod",
    "amod": "amod",
    "appos": "appos",
    "aux": "aux",
    "aux:pass": "auxpass",
    "cc": "cc",
    "cc:preconj": "preconj",
    "ccomp": "ccomp",
    "compound": "compound",
    "compound:prt": "prt",
    "conj": "conj",
    "cop": "ROOT",
    "csubj": "csubj",
    "csubj:pass": "csubjpass",
    "det": "det",
    "det:predet": "predet",
    "discourse": "intj",
    "expl": "expl",
    "flat": "compound",
    "iobj": "dative",
    "mark": "mark",
    "nmod:desc": "compound",
    "nmod:poss": "poss",
    "nmod:unmarked": "npadvmod",
    "nsubj": "nsubj",
    "nsubj:pass": "nsubjpass",
    "nummod": "nummod",
    "obj": "dobj",
    "obl:unmarked": "npadvmod",
    "parataxis": "ccomp",
    "punct": "punct",
    "root": "ROOT",
    "xcomp": "xcomp",
}


class Token(NamedTuple):
    """A token of the treebank; `head` is its head's place in the sentence, -1 for the root."""

    form: str
    upos: str
    xpos: str
    head: int
    relation: str


def with_whole_words(sentence: list[Token]) -> list[Token]:
    """The sentence with hyphenated words and "cannot" as one token each, as learner corpora have them."""
    group = list(range(len(sentence)))  # the token of each token's word that gives the word its tag
    for place in range(len(sentence) - 2, 0, -1):
        if sentence[place].xpos == "HYPH":
            group[place - 1] = group[place] = group[place + 1]
        elif [token.form.lower() for token in sentence[place : place + 2]] == ["can", "not"]:
            group[place + 1] = place
    tagged = sorted(set(group))
    whole = []
    for main in tagged:
        parts = [place for place, its in enumerate(group) if its == main]
        outer = next((place for place in (main, *reversed(parts)) if sentence[place].head not in parts), main)
        token = sentence[outer]
        tag, upos = _WHOLE.get(sentence[main].xpos, (sentence[main].xpos, sentence[main].upos))
        form = "".join(sentence[place].form for place in parts)
        head = tagged.index(group[token.head]) if token.head >= 0 else -1
        if len(parts) > 1:
            token = Token(form, upos, tag, head, token.relation)
        whole.append(token._replace(head=head))
    return whole


def tag_labels(sentence: Sequence[Token]) -> list[str]:
    """Each token's Penn tag, with the coarse tag after a bar where that is not the tag's usual one."""
    labels = [_tag_label(token, sentence) for token in sentence]
    for place, pair in enumerate(pairwise(token.form.lower() for token in sentence)):
        labels[place : place + 2] = _PAIRS.get(pair, labels[place : place + 2])
    return labels


def dependency_labels(sentence: Sequence[Token]) -> list[str]:
    """Each token's dependency."""
    relations_below: defaultdict[int, set[str]] = defaultdict(set)
    for token in sentence:
        relations_below[token.head].add(token.relation)
    return [_dependency_label(token, sentence, relations_below[place]) for place, token in enumerate(sentence)]


def _tag_label(token: Token, sentence: Sequence[Token]) -> str:
    low, tag, pos = token.form.lower(), token.xpos, token.upos
    if low == ";":
        return ":"
    if low in _POSSESSIVE:
        return "PRP$"
    if tag == "GW" and token.head >= 0:  # part of a word that is written as two
        return sentence[token.head].xpos
    if tag == "IN":
        return "IN|SCONJ" if _is_conjunction(token, sentence) else "IN"
    if tag == "DT":
        return "DT" if token.relation.startswith("det") else "DT|PRON"
    if low in ("be", "been", "being") and tag.startswith("VB"):  # no other form of be is AUX in every use
        return f"{tag}|AUX"
    if (low, tag) in _OTHER_TAGS:
        return _OTHER_TAGS[low, tag]
    return f"{tag}|{pos}" if pos in _OPEN.get(tag, ()) else tag


def _is_conjunction(token: Token, sentence: Sequence[Token]) -> bool:
    """Whether spaCy calls a word of the tag IN a conjunction: before a gerund it is a preposition ("than asking")."""
    low = token.form.lower()
    if low not in _EITHER:
        return low in _CONJUNCTIONS
    return token.upos == "SCONJ" and sentence[token.head].xpos != "VBG"


def _dependency_label(token: Token, sentence: Sequence[Token], below: set[str]) -> str:
    low, tag, relation = token.form.lower(), token.xpos, token.relation
    if tag == "TO":
        return "aux"
    if relation == "case" or (relation == "fixed" and tag == "IN"):
        return {"POS": "case", "JJ": "amod"}.get(tag, "prep")  # amod: "such as"
    if relation == "expl" and tag == "PRP":
        return "nsubj"
    if relation == "mark" and tag == "IN" and not _is_conjunction(token, sentence):
        return "prep"
    if relation == "advmod" and low in _NEGATIONS:
        return "neg"
    if relation != "cop" and "cop" in below:
        return _predicate_label(token)
    if relation == "xcomp" and token.upos == "ADJ":
        return "acomp"
    if relation in ("obl", "obl:agent") or (relation.startswith("nmod") and relation not in _DEPENDENCIES):
        return "pobj" if "case" in below else "npadvmod"
    return _DEPENDENCIES.get(relation) or _DEPENDENCIES.get(relation.partition(":")[0], "dep")


def _predicate_label(token: Token) -> str:
    """What follows a copula: in UD it is the head of its clause."""
    if token.upos == "ADJ":
        return "acomp"
    if token.xpos.startswith("RB"):
        return "advmod"
    return "prep" if token.xpos == "IN" else "attr"
