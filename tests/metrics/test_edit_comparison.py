"""Edits against edits: the published counting, case by case, and the better rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cherrant_cases import MODES, NOTHING, added, blocks, comparison_of, figures, flags_of, records
from oracles import cherrant as oracle
from oracles.matching import ComparedEdit, Comparison, EditCounts, tier_of
from recte.errors import OptionError

PLACES = st.integers(0, 3).flatmap(lambda start: st.tuples(st.just(start), st.integers(start, 4)))
EDITS = st.lists(
    st.builds(
        lambda place, type_, text: ComparedEdit(*place, type_, text),
        PLACES | st.just((-1, -1)),
        st.sampled_from(["S", "M", "noop", "NA"]),
        st.sampled_from(["a", "b"]),
    ),
    max_size=6,
)


def limited(annotators, flags):
    """The published limit on annotators: with an odd number everything becomes a no-op."""
    if flags.max_answer_num is None:
        return annotators
    wanted = {str(a) for a in range(flags.max_answer_num)} if flags.max_answer_num <= 3 else set()
    return {a: edits for a, edits in annotators.items() if a in wanted} or {"0": [NOTHING]}


def is_unannotated(references):
    if len(references) > 1:
        return False
    (keys,) = references.values()
    return len(keys) == 1 and next(iter(keys.values()))[0] == "NA"


def test_counts_choices_and_types_as_published():
    for case in records("compare-random"):
        flags = flags_of(case["flags"])
        compared = comparison_of(flags)
        pairs = list(zip(blocks(case["hyp"]), blocks(case["ref"]), strict=True))
        if flags.start is not None and flags.end is not None:
            pairs = pairs[flags.start : flags.end]
        total = EditCounts(0, 0, 0)
        chosen: list[list[int] | None] = []
        by_type: dict[str, EditCounts] = {}
        for hypotheses, references in pairs:
            ours = {a: compared.keyed(edits) for a, edits in limited(hypotheses, flags).items()}
            theirs = {a: compared.keyed(edits) for a, edits in limited(references, flags).items()}
            if is_unannotated(theirs) or flags.reference_num not in (None, len(theirs)):
                chosen.append(None)
                continue
            ranked = []
            for h, mine in ours.items():
                for r, gold in theirs.items():
                    counts = compared.count(mine, gold)
                    f = figures(added(total, counts), flags.b)[2]
                    ranked.append((-f, -counts.tp, counts.fp, counts.fn, len(ranked), h, r, counts))
            *_, h, r, counts = min(ranked)
            chosen.append([int(h), int(r)])
            total = added(total, counts)
            types = compared.count_by_type(ours[h], theirs[r])
            assert EditCounts(*map(sum, zip((0, 0, 0), *types.values(), strict=True))) == counts
            for type_, of_type in types.items():
                name = tier_of(type_, flags.cat or 3)
                by_type[name] = added(by_type.get(name, EditCounts(0, 0, 0)), of_type)
        assert [*total, *figures(total, flags.b)] == case["result"], case["id"]
        assert chosen == case["chosen"], case["id"]
        if flags.cat:
            rows = [[type_, *counts, *figures(counts, flags.b)] for type_, counts in sorted(by_type.items())]
            assert rows == case["categories"], case["id"]


@pytest.mark.parametrize("mode", MODES)
@given(hypothesis=EDITS, reference=EDITS)
def test_counts_as_the_oracle_does(mode, hypothesis, reference):
    compared = Comparison(MODES[mode])
    counts = compared.count(compared.keyed(hypothesis), compared.keyed(reference))
    assert tuple(counts) == oracle.comparison(hypothesis, reference, mode)


@pytest.mark.parametrize("duplicates", ["published", "one-to-one", "once"])
@pytest.mark.parametrize("matching", MODES.values())
@given(hypothesis=EDITS, reference=EDITS)
def test_types_add_up_to_the_counts(matching, duplicates, hypothesis, reference):
    compared = Comparison(matching, duplicates=duplicates)
    ours, theirs = compared.keyed(hypothesis), compared.keyed(reference)
    by_type = compared.count_by_type(ours, theirs).values()
    assert tuple(map(sum, zip((0, 0, 0), *by_type, strict=True))) == tuple(compared.count(ours, theirs))


@given(hypothesis=EDITS, reference=EDITS)
def test_nobody_earns_more_than_there_is(hypothesis, reference):
    proposed = [e for e in hypothesis if e.type != "noop"]
    gold = [e for e in reference if e.type != "noop"]
    compared = Comparison(duplicates="one-to-one")
    counts = compared.count(compared.keyed(proposed), compared.keyed(gold))
    assert (counts.tp + counts.fp, counts.tp + counts.fn) == (len(proposed), len(gold))
    compared = Comparison(duplicates="once")
    counts = compared.count(compared.keyed(proposed), compared.keyed(gold))
    ours, theirs = compared.keyed(proposed), compared.keyed(gold)
    assert (counts.tp + counts.fp, counts.tp + counts.fn) == (len(ours), len(theirs))


def test_a_duplicate_in_the_reference_pays_double_as_published():
    edit = ComparedEdit(1, 2, "S", "b")
    for duplicates, expected in (("published", (2, 0, 0)), ("one-to-one", (1, 0, 1)), ("once", (1, 0, 0))):
        compared = Comparison(duplicates=duplicates)
        assert compared.count(compared.keyed([edit]), compared.keyed([edit, edit])) == expected


def test_width_looks_at_the_correction_where_it_has_tokens():
    edit = ComparedEdit(1, 2, "S", "a b")
    assert not Comparison(width="single").keeps(edit)
    assert Comparison(width="single", correction_width=False).keeps(edit)
    assert Comparison(width="multi").keeps(edit)


def test_what_cannot_be_is_refused():
    with pytest.raises(OptionError, match="matching: expected one of"):
        Comparison(matching="words")
