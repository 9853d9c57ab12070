"""English types: the golden pairs' edits, 4,000 single edits, and what no golden says."""

from __future__ import annotations

import pytest

from annotated_cases import annotated
from recte.errors import InputError
from recte.extraction.alignment import Span
from recte.extraction.en.types import EnglishTypes
from shared_data import golden_lines

TYPES = EnglishTypes()


def test_types_of_golden_pairs():
    for case in golden_lines("errant/random-cases.jsonl.gz"):
        source, corrected = annotated(case["orig"]), annotated(case["cor"])
        for costs, merging in (
            *(("linguistic", merging) for merging in ("rules", "all-split", "all-merge", "all-equal")),
            ("levenshtein", "rules"),
        ):
            for *span, type_ in case[costs][merging]:
                assert TYPES(source, corrected, Span(*span)) == type_


def test_types_of_golden_edits():
    for case in golden_lines("errant/typing-cases.jsonl.gz"):
        source, corrected = annotated(case["orig"]), annotated(case["cor"])
        assert TYPES(source, corrected, Span(*case["edit"])) == case["type"]
        assert TYPES(source, corrected, Span(*case["minimised"])) == case["minimised_type"]


def test_a_foreign_tag_is_refused_with_a_way_out():
    word = annotated([("Haus", "NOUN", "NE", "Haus", "ROOT", 0)])
    with pytest.raises(InputError, match=r"expected the Penn tags .* got 'NE'; universal types need none"):
        TYPES(word, annotated([]), Span(0, 1, 0, 0))
