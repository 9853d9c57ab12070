"""Universal types on German and Czech sentences written for these tests, by CoNLL-U with the text."""

from __future__ import annotations

import pytest

from recte.annotation import annotator_named
from recte.extraction.extractor import Extractor
from recte.extraction.universal.types import UniversalTypes

# Form, lemma, universal tag, features, head, relation.
SENTENCES = {
    "Die Hund schlafen .": """
        Die der DET Case=Nom|Gender=Fem 2 det
        Hund Hund NOUN Case=Nom|Number=Sing 3 nsubj
        schlafen schlafen VERB Number=Plur|Person=3 0 root
        . . PUNCT _ 3 punct""",
    "Die Hunde schlafen .": """
        Die der DET Case=Nom|Gender=Masc 2 det
        Hunde Hund NOUN Case=Nom|Number=Plur 3 nsubj
        schlafen schlafen VERB Number=Plur|Person=3 0 root
        . . PUNCT _ 3 punct""",
    "Hunde schliefen im Garten": """
        Hunde Hund NOUN Case=Nom|Number=Plur 2 nsubj
        schliefen schlafen VERB Number=Plur|Person=3|Tense=Past 0 root
        im in ADP _ 4 case
        Garten Garten NOUN Case=Dat|Number=Sing 2 obl""",
    "Hunde schlafen Gärten": """
        Hunde Hund NOUN Case=Nom|Number=Plur 2 nsubj
        schlafen schlafen VERB Number=Plur|Person=3|Tense=Pres 0 root
        Gärten Garten NOUN Case=Acc|Number=Plur 2 obj""",
    "Ich fahre mit den Auto": """
        Ich ich PRON _ 2 nsubj
        fahre fahren VERB _ 0 root
        mit mit ADP _ 5 case
        den der DET Case=Acc 5 det
        Auto Auto NOUN _ 2 obl""",
    "Ich fahre mit dem Wagn": """
        Ich ich PRON _ 2 nsubj
        fahre fahren VERB _ 0 root
        mit mit ADP _ 5 case
        dem der DET Case=Dat 5 det
        Wagn Wagn NOUN Typo=Yes 2 obl""",
    "Ich fahre mit dem Wagen": """
        Ich ich PRON _ 2 nsubj
        fahre fahren VERB _ 0 root
        mit mit ADP _ 5 case
        dem der DET Case=Dat 5 det
        Wagen Wagen NOUN Case=Dat 2 obl""",
    "Vidím velký pes": """
        Vidím vidět VERB Person=1 0 root
        velký velký ADJ Case=Nom 3 amod
        pes pes NOUN Animacy=Anim|Case=Nom 1 obj""",
    "Vidím velkého psa": """
        Vidím vidět VERB Person=1 0 root
        velkého velký ADJ Case=Acc 3 amod
        psa pes NOUN Animacy=Anim|Case=Acc 1 obj""",
    "vidím velkého psa rychle": """
        vidím vidět VERB Person=1 0 root
        velkého velký ADJ Case=Acc 3 amod
        psa pes NOUN Animacy=Anim|Case=Acc 1 obj
        rychle rychlý ADV _ 1 advmod""",
    "vidím psa velkého rychle": """
        vidím vidět VERB Person=1 0 root
        psa pes NOUN Animacy=Anim|Case=Acc 1 obj
        velkého velký ADJ Case=Acc 2 amod
        rychle rychlý ADV _ 1 advmod""",
}


def _conllu(block: str) -> str:
    rows = []
    for number, line in enumerate(block.split("\n")[1:], 1):
        form, lemma, tag, features, head, relation = line.split()
        rows.append("\t".join((str(number), form, lemma, tag, "XY", features, head, relation, "_", "_")))
    return "\n".join(rows)


@pytest.fixture
def extractor(tmp_path):
    path = tmp_path / "sentences.conllu"
    path.write_text("\n\n".join(map(_conllu, SENTENCES.values())) + "\n", encoding="utf-8")
    return Extractor(annotator_named(f"given:{path}"), UniversalTypes())


@pytest.mark.parametrize(
    ("source", "corrected", "types"),
    [
        ("Die Hund schlafen .", "Die Hunde schlafen .", ["R:NOUN:NUM"]),
        ("Hunde schlafen Gärten", "Hunde schliefen im Garten", ["R:VERB:TENSE", "M:ADP", "R:NOUN:FORM"]),
        ("Hunde schliefen im Garten", "Hunde schlafen Gärten", ["R:VERB:TENSE", "U:ADP", "R:NOUN:FORM"]),
        ("Ich fahre mit den Auto", "Ich fahre mit dem Wagen", ["R:DET:CASE", "R:NOUN"]),
        ("Ich fahre mit dem Wagn", "Ich fahre mit dem Wagen", ["R:SPELL"]),
        ("Vidím velký pes", "Vidím velkého psa", ["R:ADJ:CASE", "R:NOUN:CASE"]),
        ("Vidím velkého psa", "vidím velkého psa rychle", ["R:ORTH", "M:ADV"]),
        ("vidím velkého psa rychle", "vidím psa velkého rychle", ["R:WO"]),
        ("Vidím velký pes", "Vidím velký pes", []),
    ],
)
def test_types(extractor, source, corrected, types):
    (edits,) = extractor.edits([(tuple(source.split()), tuple(corrected.split()))])
    assert [edit.type for edit in edits] == types


def test_the_name_says_which_types_and_whose_annotations(extractor):
    assert extractor.name.startswith("errant+universal+given-")
