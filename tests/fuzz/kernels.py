"""Random calls of each kernel: sensible ones, and sensible ones with an argument or two that is not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from fuzz.arguments import (
    I32,
    U8,
    WORDS,
    Arguments,
    Sizes,
    annotated,
    annotator_texts,
    chinese_tokens,
    chosen,
    chunk_pairs,
    counted,
    edit_lines,
    either,
    extraction_options,
    fingerprints,
    gold,
    gold_columns,
    labeller,
    mixed,
    ngrams,
    optional,
    options,
    pairs,
    references,
    renamed,
    same_length,
    scored,
    search,
    summed,
    triple,
    trueskill,
    unmixed,
    unseenest,
    version_pairs,
    vocabulary_of_words,
    without,
    word_table,
)
from recte import _kernels
from wrong_calls import array, calls, cheap, wrong

REFUSED = (TypeError, ValueError, MemoryError, OverflowError)
MATCH_MEANS = ("first_mean", "first_sigma", "second_mean", "second_sigma", "beta", "draw_margin")
CALLS: dict[str, Callable[[Sizes], Arguments]] = {
    "Gold": gold,
    "IMeasureOptions": lambda s: (
        {"match": 0, "mismatch": 3, "gap": 2, "weight": 2.0, "beta": 0.5, "baseline": 0}
        | {"optimise": s.draw.randint(0, 5), "max_cells": 1000, "max_combinations": 10, "candidates": 2}
    ),
    "WordTable": word_table,
    "ExtractionOptions": extraction_options,
    "ChineseTokens": chinese_tokens,
    "count_maxmatch": counted,
    "count_hoo": counted,
    "trace_edits": lambda s: search(s) | {"criterion": s.draw.randint(0, 2), "threads": s.threads},
    "count_references": lambda s: {**pairs(s), **references(s), "options": options(s), "threads": s.threads},
    "count_mixed": mixed,
    "align_triples": lambda s: renamed(same_length(s), "sources", "hypotheses", "references") | {"options": options(s)},
    "align_three": lambda s: {**triple(s), "options": options(s)},
    "tie_outcomes": lambda s: {**triple(s), "limit": s.draw.choice((1, 5, 100)), "options": options(s)},
    "count_gleu": lambda s: ngrams(s) | {"formula": s.draw.randint(0, 1)},
    "count_green": ngrams,
    "count_bleu": lambda s: without(ngrams(s), "sources", "columns"),
    "choose_rounded": lambda s: chosen(s) | {"exact": bool(s.draw.randint(0, 1))},
    "sum_rounded": lambda s: summed(s) | {"exact": bool(s.draw.randint(0, 1))},
    "choose_weighed": lambda s: chosen(s, np.float64) | {"ties": s.draw.randint(0, 1)},
    "sum_weighed": lambda s: summed(s, np.float64) | {"ties": s.draw.randint(0, 1)},
    "choose_annotators": lambda s: chosen(s, either(s)) | {"choice": s.draw.randint(0, 1)},
    "sum_choices": lambda s: summed(s, either(s)) | {"choice": s.draw.randint(0, 1)},
    "choose_greedy": lambda s: {"rows": s.table(11, I32), "options": options(s)},
    "improvement_figures": lambda s: (
        {"counts": (counts := s.table(5, np.float64)[:, 0].copy()), "baselines": counts[:, :2].copy()}
        | {"weight": s.draw.choice((0.0, 1.0, 2.0)), "beta": 0.5}
    ),
    "sum_greedy": lambda s: (
        {"rows": (rows := s.table(11, I32)), "weights": s.weights(len(rows))}
        | {"options": options(s), "threads": s.threads}
    ),
    "judge_chunks": chunk_pairs,
    "score_chunks": lambda s: (
        (actual := scored(s))
        | {"weights": (weights := s.weights(len(actual["rows"]))), "threads": s.threads}
        | {"means": np.array([s.draw.choice((-1.0, 0.0, 2.5)) for _ in weights]), "totals": np.ones((len(weights), 11))}
    ),
    "choose_chunks": lambda s: scored(s) | {"mean": s.draw.choice((-1.0, 0.0, 2.5)), "totals": np.ones((1, 11))},
    "cut_versions": lambda s: {"sources": s.sources, "versions": s.versions(list(range(s.count)))},
    "judge_versions": lambda s: (
        version_pairs(s) | {"references": s.versions(list(range(s.count))), "ported": bool(s.draw.randint(0, 1))}
    ),
    "count_overlap": lambda s: renamed(same_length(s), "a", "b"),
    "match_words": lambda s: (
        renamed(same_length(s), "a", "b")
        | {"letters": s.texts(WORDS, 5), "position": s.draw.randint(0, 2), "max_work": s.draw.choice((1, 10**6))}
    ),
    "trueskill": trueskill,
    "unseenest": unseenest,
    "trueskill_match": lambda s: (
        {name: s.draw.choice((0.1, 0.5, 3.0)) for name in MATCH_MEANS} | {"outcome": s.draw.randint(0, 2)}
    ),
    "extract_edits": lambda s: {
        "sentences": annotated(s, s.sources),
        "sources": s.source_of,
        "corrected": s.source_of[::-1].copy(),
        "words": _kernels.WordTable(**word_table(s)),
        "options": _kernels.ExtractionOptions(**extraction_options(s)),
        "threads": s.threads,
    },
    "extract_tied_edits": lambda s: (
        renamed(same_length(s), "sources", "targets")
        | {
            "tokens": _kernels.ChineseTokens(**chinese_tokens(s)),
            "confused": array(*(confused := sorted({s.draw.randrange(WORDS) for _ in range(3)})), dtype=I32),
            "confusions": s.texts(len(confused), 3),
            "punctuation": array(33, dtype=I32),
            "level": s.draw.randint(0, 1),
            "longest_tie": s.draw.choice((0, 2, 10)),
            "limit": s.draw.choice((1, 3, 100)),
        }
    ),
    "Labeller": labeller,
    "affixes": lambda s: (
        {"bytes": (actual := s.texts(4, 6))[0].astype(U8), "offsets": actual[1]}
        | {"beginnings": s.draw.randint(0, 4), "ends": s.draw.randint(0, 4)}
    ),
    "SortedEntries": lambda s: {
        "text": bytes(s.draw.choice(b"ab c;\xc3") for _ in range(s.draw.randint(0, 20))),
        "separator": s.draw.choice((";", " ", "a")),
    },
    "M2Stream": lambda s: {"lenient": bool(s.draw.randint(0, 1))},
    "LineStream": lambda s: {},
    "M2Survey": lambda s: {},
    "Interner": lambda s: {},
    "GoldColumns": gold_columns,
    "joined_words": lambda s: {"vocabulary": vocabulary_of_words(), "texts": s.sources},
    "distinct_texts": lambda s: {
        "texts": [s.draw.choice(("", "a", "a b", "\udc80", "long " * 9)) for _ in s.source_of],
        "source_of": s.source_of,
    },
    "distinct_spans": lambda s: {"spans": s.buffer(len(s.source_of)), "source_of": s.source_of},
    "are_spaced": lambda s: {"spans": s.buffer(3)},
    "format_edit_lines": edit_lines,
    "are_equal_to": lambda s: {"spans": s.buffer(3), "text": s.draw.choice(("", "a", "é"))},
    "scan_texts": lambda s: {
        "spans": s.buffer(3),
        "begins": np.array([0, *sorted(s.draw.randrange(1 << 21) for _ in range(3))], np.uint32),
        "groups": np.array([s.draw.randrange(1 << 64) for _ in range(4)], np.uint64),
        "threads": s.threads,
    },
    "find_parts": lambda s: {
        "spans": s.buffer(3),
        "parts": s.buffer(3),
        "groups": np.array([s.draw.randrange(1 << 64) for _ in range(3)], np.uint64),
        "wanted": np.array([s.draw.randrange(1 << 64) for _ in range(3)], np.uint64),
        "threads": s.threads,
    },
    "common_in_order": lambda s: {
        side: np.array([s.draw.randrange(9) for _ in range(s.draw.randint(0, 9))], np.int64)
        for side in ("first", "second")
    },
    "align_lines": lambda s: {
        "sources": s.buffer(s.draw.randint(0, 9)),
        "outputs": s.buffer(s.draw.randint(0, 9)),
        "prefix": s.draw.randint(0, 99),
        "large": s.draw.randint(0, 20),
        "widest": s.draw.randint(0, 3),
        "threads": s.threads,
    },
    "compare_texts": lambda s: {
        "sources": s.buffer(3),
        "outputs": s.buffer(3),
        "width": s.draw.randint(0, 4),
        "farthest": s.draw.randint(0, 6),
        "threads": s.threads,
    },
    "optional_edits": optional,
    "annotator_texts": annotator_texts,
    "unmixed_references": unmixed,
    "fingerprints": fingerprints,
}


RIGHT = calls()  # one right call of each: what is changed where nothing is drawn


def changed(draw: Random, name: str, arguments: Arguments) -> Arguments:
    """The same with an argument or two that might not fit."""
    actual = dict(arguments)
    for _ in range(draw.randint(1, 2) if arguments else 0):
        argument = draw.choice(sorted(actual))
        other = draw.choice(list(wrong(arguments[argument])))
        if cheap(name, argument, other):
            actual[argument] = other
    return actual


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    return (
        bool(np.array_equal(a, b, equal_nan=True))
        if isinstance(a, np.ndarray) and a.dtype.kind == "f"
        else (bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) else a == b)
    )


def attempt(draw: Random, name: str) -> bool:
    """Call the kernel; False where the call is refused. A crash ends the process, a wrong answer raises."""
    function = getattr(_kernels, name)
    arguments = CALLS[name](Sizes(draw)) if name in CALLS else dict(RIGHT[name])
    if draw.randint(0, 1):
        arguments = changed(draw, name, arguments)
    try:
        first = function(**arguments)
    except REFUSED:
        return False
    if "threads" in arguments and isinstance(first, np.ndarray | tuple):
        assert same(first, function(**{**arguments, "threads": 1})), f"{name}: another result on one thread"
    return True
