"""Sentences with different numbers of references, and a system's outputs, for the adapters of integrations/."""

from __future__ import annotations

from pathlib import Path

import recte

FOLDER = Path(__file__).parents[1] / "integrations"
ROWS = [
    ("He go to school .", ["He goes to school .", "He went to school ."]),
    ("I am fine .", ["I am fine ."]),
    ("She have two cat .", ["She has two cats ."]),
    ("They is here .", ["They are here ."]),
    ("We was late .", ["We were late .", "We are late ."]),
    ("It rain .", ["It rains ."]),
]
OUTPUTS = ["He went to school .", "I am fine .", "She has two cat .", "They is here .", "We were later .", "It rains ."]
GOLD = recte.Corpus(tuple(recte.Sentence(source, references=tuple(supplied)) for source, supplied in ROWS))
