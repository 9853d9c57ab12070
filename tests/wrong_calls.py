"""Every function of the compiled module, called with each argument wrong in every way we can think of.

Run in a process of its own: a crash is its end. Prints how many calls were made and how many were refused.
"""

from __future__ import annotations

import faulthandler
import itertools
from typing import Any

import numpy as np

from recte import _kernels

I32, I64, U8 = np.int32, np.int64, np.uint8
NUMBERS = [-(2**63), -(2**31), -1, 0, 1, 2, 3, 7, 10**9, 2**31, 2**62, 2**63, 2**64, 1.5, None, "x"]
FRACTIONS = [float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1e-300, 1e300, None, "x"]


def text(*sentences):
    offsets = np.cumsum([0, *map(len, sentences)])
    return np.array([t for s in sentences for t in s], I32), offsets.astype(I64)


def array(*values, dtype=I64):
    return np.array(values, dtype)


SOURCES, HYPOTHESES = text([0, 1, 2], [3, 4]), text([0, 5, 2], [3], [4, 3, 6])
PAIRS = {"sources": SOURCES, "hypotheses": HYPOTHESES, "source_of": array(0, 1, 1)}
GOLD = {
    "annotation_offsets": array(0, 2, 3),
    "annotator_columns": array(0, 1, 0, dtype=I32),
    "edit_offsets": array(0, 1, 2, 3),
    "starts": array(1, 0, 2, dtype=I32),
    "ends": array(2, 0, 2, dtype=I32),
    "optional": array(0, 1, 0, dtype=U8),
    "correction_offsets": array(0, 2, 3, 4),
    "token_offsets": array(0, 1, 2, 4, 4),
    "tokens": array(5, -1, 0, 1, dtype=I32),
}
LETTERS = text(*[[97 + i, 98] for i in range(7)])
FOLDED = (LETTERS[0].astype(U8), LETTERS[1])
SEARCH = {
    "behaviour": 0,
    "extraction": 0,
    "max_unchanged_words": 2,
    "initial_insertions": 0,
    "max_lattice": 100,
    "max_stored_arcs": 100,
}
EXTRACTION = {"costs": 0, "merging": 1, "version": 0}
TEXTS = {
    "folded": FOLDED,
    "given": (array(1, 2, 1, 2, 0, 1, 0, 2, dtype=I32), array(0, 1, 1, 2)),
}
OPTIONS = {
    "match": 0,
    "mismatch": 3,
    "gap": 2,
    "weight": 2.0,
    "beta": 0.5,
    "baseline": 0,
    "optimise": 0,
    "max_cells": 1000,
    "max_combinations": 10,
    "candidates": 2,
}
REFERENCES = {"reference_offsets": array(0, 2, 3), "references": text([0, 5], [1], [3])}
COUNTS = np.arange(12, dtype=I32).reshape(2, 2, 3)
TRIPLE = {"source": SOURCES[0][:3], "hypothesis": HYPOTHESES[0][:2], "reference": SOURCES[0][1:]}
WORDS = {
    "lower": np.arange(7, dtype=I32),
    "letters": LETTERS,
    "joined": LETTERS,
    "capitalised": np.zeros(7, U8),
    "punctuation": np.zeros(7, U8),
}
CHINESE = {
    "texts": np.arange(7, dtype=I32),
    "tags": np.zeros(7, I32),
    "letters": LETTERS,
    "readings": LETTERS,
    "meanings": np.zeros(21, I32),
    "chinese": np.ones(7, U8),
    "marks": np.zeros(7, U8),
}


LABELLER = {
    "templates": array(0, 0, -1, 0, -1, 0, 1, -1, 0, 1, -1, 0, dtype=I32),
    "labels": 2,
    "margin": 50,
    "features": array(1, 7, 9, dtype=np.uint32),
    "weights_per_feature": array(1, 0, 2, dtype=U8),
    "weight_labels": array(1, 0, 1, dtype=U8),
    "weights": array(3, -2, 5, dtype=np.int16),
    "transitions": array(0, 1, -1, 0, dtype=I32),
}
LIMITS = ((2.0, 0.5, 1.5),) * 3
SCORING = {"by_length": True, "limits": LIMITS, "second": False, "factors": (0.25,) * 4}
SCORING |= {"beta": 0.5, "sentence_level": True}
VERSIONS = array(0, 1, 2), array(1, 0, dtype=I32), array(2, 1, dtype=I32), text([5], [6, 1])


def annotated(words):
    return words, words[0], np.zeros(len(words[0]), I32), np.zeros(len(words[0]), U8)


def calls() -> dict[str, dict[str, Any]]:
    """One right call of each function and class."""
    gold, options = _kernels.Gold(**GOLD), _kernels.IMeasureOptions(**OPTIONS)
    scoring = _kernels.ChunkScoring(**SCORING)
    search = {"options": _kernels.SearchOptions(**SEARCH), **TEXTS}
    supplied = {"options": _kernels.SearchOptions(**SEARCH | {"extraction": 2}), **TEXTS}
    weights = np.ones((3, 2), I32)
    return {
        "Gold": GOLD,
        "IMeasureOptions": OPTIONS,
        "SearchOptions": SEARCH,
        "ExtractionOptions": EXTRACTION,
        "ChunkScoring": SCORING,
        "WordTable": WORDS,
        "ChineseTokens": CHINESE,
        "count_maxmatch": {**PAIRS, "gold": gold, "annotators": 2, "threads": 2, **supplied},
        "count_hoo": {**PAIRS, "gold": gold, "annotators": 2, "threads": 2, **search},
        "trace_edits": {**PAIRS, "gold": gold, "criterion": 2, "threads": 2, **supplied},
        "count_references": {**PAIRS, **REFERENCES, "options": options, "threads": 2},
        "count_mixed": {
            **PAIRS,
            "error_offsets": array(0, 2, 3),
            "option_offsets": array(0, 2, 3, 5),
            "edit_offsets": array(0, 1, 1, 2, 3, 3),
            "starts": array(0, 1, 2, dtype=I32),
            "ends": array(1, 3, 2, dtype=I32),
            "corrections": text([5], [], [1, 2]),
            "chosen_offsets": array(0, 2, 3, 4),
            "options": options,
            "threads": 2,
        },
        "align_triples": {"sources": SOURCES, "hypotheses": SOURCES, "references": SOURCES, "options": options}
        | {"threads": 2},
        "align_three": {**TRIPLE, "options": options},
        "tie_outcomes": {**TRIPLE, "limit": 5, "options": options},
        "count_gleu": {**PAIRS, **REFERENCES, "orders": 4, "formula": 0, "columns": 2, "threads": 2},
        "count_bleu": {"hypotheses": HYPOTHESES, "source_of": PAIRS["source_of"], **REFERENCES, "orders": 4}
        | {"threads": 2},
        "count_green": {**PAIRS, **REFERENCES, "orders": 4, "columns": 2, "threads": 2},
        "choose_rounded": {"counts": COUNTS, "beta": 0.5, "exact": False},
        "sum_rounded": {"counts": COUNTS, "weights": weights, "beta": 0.5, "exact": True, "threads": 2},
        "judge_chunks": {"sources": SOURCES, "source_of": array(0, 1), "hypotheses": VERSIONS, "independent": False}
        | {"reference_offsets": array(0, 1, 2), "references": VERSIONS, "threads": 2},
        "score_chunks": {"rows": np.ones((2, 2, 11), I32), "bins": 2, "weights": weights, "scoring": scoring}
        | {"means": np.ones(3), "totals": np.zeros((3, 11)), "threads": 2},
        "choose_weighed": {"counts": COUNTS.astype(np.float64), "beta": 0.5, "ties": 0},
        "sum_weighed": {"counts": COUNTS.astype(np.float64), "weights": weights, "beta": 0.5, "ties": 1, "threads": 2},
        "choose_chunks": {"rows": np.ones((2, 2, 5)), "bins": 0, "scoring": scoring}
        | {"mean": 1.0, "totals": np.zeros((1, 11))},
        "cut_versions": {"sources": SOURCES, "versions": VERSIONS},
        "judge_versions": {"sources": SOURCES, "source_of": array(0, 1), "hypotheses": VERSIONS, "ported": True}
        | {"references": VERSIONS, "threads": 2},
        "Labeller": LABELLER,
        "affixes": {"bytes": FOLDED[0], "offsets": FOLDED[1], "beginnings": 2, "ends": 2},
        "SortedEntries": {"text": b"a b;c", "separator": ";"},
        "count_overlap": {"a": SOURCES, "b": SOURCES, "threads": 2},
        "match_words": {"a": SOURCES, "b": SOURCES, "letters": LETTERS, "position": 0, "max_work": 10**6, "threads": 2},
        "choose_annotators": {"counts": COUNTS, "beta": 0.5, "choice": 1},
        "sum_choices": {"counts": COUNTS, "weights": weights, "beta": 0.5, "choice": 1, "threads": 2},
        "choose_greedy": {"rows": np.arange(44, dtype=I32).reshape(2, 2, 11), "options": options},
        "improvement_figures": {"counts": np.ones((2, 5)), "baselines": np.ones((2, 2)), "weight": 2.0, "beta": 0.5},
        "sum_greedy": {"rows": np.ones((2, 2, 11), I32), "weights": weights, "options": options, "threads": 2},
        "trueskill": {"tables": np.ones((1, 3, 3), I64), "systems": 3, "sigma": 0.5, "beta": 0.1, "draw_margin": 0.1}
        | {"matches": 5, "steps": 0, "seed": 1, "runs": 4, "threads": 2},
        "trueskill_match": {"first_mean": 0.0, "first_sigma": 0.5, "second_mean": 0.0, "second_sigma": 0.5}
        | {"outcome": 1, "beta": 0.1, "draw_margin": 0.1},
        "trueskill_passes": {"scores": np.arange(6.0).reshape(3, 2), "orders": np.array([[0, 1], [1, 0]], I64)}
        | {"sigma": 0.5, "beta": 0.25, "draw_margin": 0.1, "threads": 2},
        "unseenest": {
            "fingerprints": array(3, 1, 1),
            "offsets": array(0, 2, 3),
            "grids": np.array([0.1, 0.5, 1.0]),
        }
        | {"grid_offsets": array(0, 2, 3), "most_variants": 6.5e7, "threads": 2},
        "extract_edits": {"sentences": annotated(SOURCES), "sources": array(0, 1, 1), "corrected": array(1, 0, 1)}
        | {"words": _kernels.WordTable(**WORDS), "threads": 2}
        | {"options": _kernels.ExtractionOptions(**EXTRACTION)},
        "extract_tied_edits": {"sources": SOURCES, "targets": SOURCES, "tokens": _kernels.ChineseTokens(**CHINESE)}
        | {"confused": array(97, 98, dtype=I32), "confusions": text([98], [97]), "level": 0, "longest_tie": 10}
        | {"punctuation": array(33, dtype=I32), "limit": 10, "threads": 2},
        **column_calls(),
    }


def column_calls() -> dict[str, dict[str, Any]]:
    """Right calls of the readers and the kernels over columns."""
    vocabulary = _kernels.Interner()
    vocabulary.encode_words([list("abcdefg")], True)
    spans = (np.frombuffer(b"a b-c", U8), array(0, 2, 4, 5), array(1, 3, 5, 5))
    parts = (np.frombuffer(b"ab-", U8), array(0, 1, 2), array(1, 2, 3))
    two_texts = (spans[0], spans[1][:2], spans[2][:2])
    columns = {name: GOLD[name] for name in ("annotation_offsets", "edit_offsets", "starts", "ends")}
    columns |= {"annotators": GOLD["annotator_columns"], "correction_offsets": GOLD["correction_offsets"]}
    columns |= {"corrections": spans, "words": text([5], [1], [0, 1], [])}
    of_sources = {"sources": SOURCES, "gold": _kernels.GoldColumns(**columns), "columns": 2}
    flags, by_edit = np.zeros(3, U8), (spans[0], spans[1][:3], spans[2][:3])
    return {
        "M2Stream": {"lenient": False},
        "LineStream": {},
        "M2Survey": {},
        "Interner": {},
        "GoldColumns": columns,
        "sum_swapped": {"counts": COUNTS, "bits": np.array([[5]], U8), "trials": 3, "beta": 0.5, "threads": 2},
        "sum_drawn_choices": {"counts": COUNTS, "keys": np.arange(2, dtype=np.uint64), "seed": 1, "first": 4}
        | {"before": np.ones((5, 3)), "beta": 0.5, "threads": 2},
        "poisson_weights": {"keys": np.arange(3, dtype=np.uint64), "seed": 1, "first": 0, "resamples": 5, "threads": 2},
        "ReferenceDraws": {"first": 0, "draws": 3, "stream": 1, "seed_step": 101, "cells": 3},
        "joined_words": {"vocabulary": vocabulary, "texts": SOURCES},
        "distinct_texts": {"texts": ["a b", "c", "a b"], "source_of": PAIRS["source_of"]},
        "distinct_spans": {"spans": spans, "source_of": array(0, 1, 1, 0)},
        "are_spaced": {"spans": spans},
        "format_edit_lines": {"texts": two_texts, "types": by_edit, "corrections": by_edit, "without_edits": "A -1 -1"}
        | {"annotation_offsets": GOLD["annotation_offsets"], "annotators": GOLD["annotator_columns"]}
        | {"edit_offsets": GOLD["edit_offsets"], "starts": GOLD["starts"], "ends": GOLD["ends"], "endings": two_texts},
        "are_equal_to": {"spans": spans, "text": "a"},
        "cut_outputs": {"sources": spans, "outputs": spans, "letters": array(200, 300, dtype=np.uint32), "threads": 2},
        "join_cuts": {"outputs": spans, "cuts": np.ones(len(spans[0]), U8)},
        "line_signatures": {"spans": spans, "prefix": 100, "threads": 2},
        "scan_texts": {"spans": spans, "begins": np.array([0, 97, 98], np.uint32), "threads": 2}
        | {"groups": np.array([0, 1, 2], np.uint64)},
        "find_parts": {"spans": spans, "parts": parts, "threads": 2}
        | {"groups": np.array([1, 2, 4], np.uint64), "wanted": np.array([7] * len(spans[1]), np.uint64)},
        "common_in_order": {"first": array(1, 2, 3), "second": array(3, 1)},
        "align_lines": {"sources": spans, "outputs": spans, "prefix": 100, "large": 4, "widest": 1, "threads": 2},
        "compare_texts": {"sources": spans, "outputs": spans, "width": 2, "farthest": 9, "threads": 2},
        "optional_edits": {**of_sources, "required": flags},
        "annotator_texts": {**of_sources, **REFERENCES, "skipped": flags, "missing_is_source": False},
        "unmixed_references": {**of_sources, **REFERENCES, "lines": array(1, 2, 3), "words": text([5], [1], [0])},
        "fingerprints": {"tokens": SOURCES, "gold": of_sources["gold"], "vocabulary": vocabulary, "first": 0}
        | {"annotators": ["0", "1"], "types": by_edit, "required": flags, "references": by_edit}
        | {"reference_offsets": REFERENCES["reference_offsets"]},
    }


def wrong(value: Any):
    """What might stand in the place of a right argument."""
    if isinstance(value, np.ndarray):
        yield from (None, 3, "x", [1, 2], value[..., None], value.astype(np.float64), value.astype(np.int16))
        yield value[:0]
        yield value[:-1]
        yield np.concatenate([value, value, value])
        yield np.repeat(value, 2, axis=0)[::2]
        yield np.ascontiguousarray(value[::-1])
        if value.ndim > 1:
            yield np.ascontiguousarray(value[:, :0])
            yield np.repeat(value, 2, axis=1)
            yield np.repeat(value, 2, axis=-1)
        if value.dtype in (I32, I64, np.float64):
            for number in (-(2**31), -2, -1, 1, 2**31 - 1):
                yield np.full_like(value, number)
                changed = value.copy()
                changed.flat[-1:] = number
                yield changed
                changed = value.copy()
                changed.flat[:1] = number
                yield changed
        if value.dtype == I64:
            yield np.full_like(value, 2**62)
            yield value + 1
            yield value * 2
    elif isinstance(value, tuple):
        yield from (None, 3, (), value[:1])
        for place, part in enumerate(value):
            for other in wrong(part):
                yield (*value[:place], other, *value[place + 1 :])
    elif isinstance(value, bool):
        yield from (2, None)
    elif isinstance(value, int):
        yield from NUMBERS
    elif isinstance(value, float):
        yield from FRACTIONS
    else:
        yield from (None, 3, object())


def cheap(name: str, argument: str, value: Any) -> bool:
    """Whether a call that is legal is also short: long ones are tried by interrupting them."""
    long = (
        {"matches", "steps", "runs", "resamples", "trials"}
        if name in ("trueskill", "poisson_weights")
        else {"weights"}
        if "weights" in argument
        else set()
    )
    return (
        argument not in long
        or not np.issubdtype(np.asarray(value).dtype, np.number)
        or np.max(value, initial=0) < 10**6
    )


def main() -> None:
    faulthandler.enable()
    faulthandler.dump_traceback_later(240, exit=True)
    known = calls()
    missing = {name for name in dir(_kernels) if not name.startswith("_")} - set(known)
    assert not missing, f"no right call of {missing}"
    made = refused = 0
    for name, arguments in known.items():
        function = getattr(_kernels, name)
        function(**arguments)  # the right call
        singles = ({argument: other} for argument in arguments for other in wrong(arguments[argument]))
        empty = [{a: v[:0]} for a, v in arguments.items() if isinstance(v, np.ndarray)]
        for changes in itertools.chain(singles, ({**x, **y} for x, y in itertools.combinations(empty, 2))):
            if not all(cheap(name, argument, value) for argument, value in changes.items()):
                continue
            made += 1
            try:
                function(**{**arguments, **changes})
            except (TypeError, ValueError, MemoryError, OverflowError):
                refused += 1
    print(made, refused)


if __name__ == "__main__":
    main()
