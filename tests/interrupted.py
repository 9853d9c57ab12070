"""Work that would take minutes, one kernel by its name: for tests that interrupt it.

Prints `working` before the kernel is called, and `interrupted` once KeyboardInterrupt has come out of it.

With `changed` behind the name, the first signal overwrites the arrays of the call, as another thread could while the
kernel works. It prints `changed`; the second signal ends the call. Work of many calls may also end as the next call
refuses the arrays: that prints `refused`.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable

import numpy as np

from recte import Corpus, IMeasure, MaxMatch, _kernels
from recte.corpus.corpus import Edit
from recte.edits.edit_search import EditSearch, SearchOptions
from recte.edits.word_matching import match_words
from recte.metrics.hoo import Hoo


def unlike(letter: str, size: int) -> str:
    return " ".join(f"{letter}{i}" for i in range(size))


def maxmatch(behaviour: str) -> object:
    metric = MaxMatch(behaviour=behaviour, max_lattice=1_000_000)
    return metric.prepare(Corpus.from_references([unlike("a", 700)], [[unlike("b", 700)]])).count([unlike("c", 700)])


def trace() -> object:
    search = EditSearch.of(Corpus.from_edits([unlike("a", 700)], [[[]]]).columns)
    return search.find([unlike("b", 700)], SearchOptions(max_lattice=1_000_000))


def three_way() -> object:
    corpus = Corpus.from_references([unlike("a", 990)] * 1_000, [[unlike("b", 990)] * 1_000])
    return IMeasure(max_cells=10**9).prepare(corpus).count([unlike("c", 990)] * 1_000)


def mixed() -> object:
    edits = [[Edit(i, i + 1, (f"{letter}{i}",)) for i in range(22)] for letter in "pq"]
    metric = IMeasure(mix=True, max_combinations=10**8)
    return metric.prepare(Corpus.from_edits([unlike("a", 60)], [edits])).count([unlike("c", 60)])


def overlap() -> object:
    text = np.arange(2**20, dtype=np.int32), np.array([0, 2**20])
    return _kernels.count_overlap(text, (text[0][::-1].copy(), text[1]), 1)


def word_matching() -> object:
    words = [f"{i * 7919 % 100003}" * 20 for i in range(3000)]
    return match_words([words] * 100, [words[::-1]] * 100)


def choices() -> object:
    counts = np.ones((2, 2, 3), np.int32)
    counts[:, 0] = 5, 9, 9
    return _kernels.sum_choices(counts, np.full((10_000, 2), 2**31 - 1, np.int32), 0.5, 0, 1)


def gleu() -> object:
    ids = np.arange(10**6, dtype=np.int32)
    text, many = (ids, np.array([0, 10**6])), (np.tile(ids[::-1], 100), np.arange(101) * 10**6)
    place = np.zeros(100, np.int64)
    return _kernels.count_gleu(text, many, place, np.array([0, 1]), text, 100, 0, 1, 2)


def green() -> object:
    ids = np.arange(10**6, dtype=np.int32)
    text, many = (ids, np.array([0, 10**6])), (np.tile(ids[::-1], 100), np.arange(101) * 10**6)
    return _kernels.count_green(text, many, np.zeros(100, np.int64), np.array([0, 1]), text, 100, 1, 2)


def optimal_choice(calls: int) -> object:
    """Columns none of which outdoes another, so that each trial looks at all of them."""
    rising = np.arange(1, 51, dtype=np.int32)
    counts = np.tile(np.stack([rising, rising * 2, rising * rising], axis=-1), (40_000, 1, 1))
    if not calls:
        return [_kernels.choose_annotators(counts, 0.5, 1) for _ in range(10_000)]
    return _kernels.sum_choices(counts, np.ones((calls, len(counts)), np.int32), 0.5, 1, 1)


def rounded_choice() -> object:
    rising = np.arange(40_000, dtype=np.int32)
    counts = np.stack([rising, rising * 2, rising * 3], axis=-1)[None]
    return _kernels.sum_rounded(counts, np.full((100, 1), 1000, np.int32), 0.5, True, 1)


def extraction() -> object:
    """Two texts of the same words in another order: every cell looks for transpositions."""
    words = np.arange(4000, dtype=np.int32)
    letters = np.repeat(words % 26, 200), np.arange(4001) * 200
    nothing = np.zeros(4000, np.uint8)
    table = _kernels.WordTable(words, letters, letters, nothing, nothing)
    both = np.append(words, words[::-1])
    sentences = (both, np.array([0, 4000, 8000])), both, both * 0, np.zeros(8000, np.uint8)
    places = np.zeros(1, np.int64), np.ones(1, np.int64)
    return _kernels.extract_edits(sentences, *places, table, _kernels.ExtractionOptions(0, 1, 0), 1)


def chinese_extraction() -> object:
    size = 7000
    tokens, letters = (
        np.arange(2 * size, dtype=np.int32),
        (np.arange(2 * size, dtype=np.int32), np.arange(2 * size + 1)),
    )
    flags = np.ones(2 * size, np.uint8)
    table = _kernels.ChineseTokens(tokens, tokens * 0, letters, letters, np.zeros(6 * size, np.int32), flags, flags * 0)
    ends, none = np.array([0, size]), (np.zeros(0, np.int32), np.zeros(1, np.int64))
    sides = (tokens[:size], ends), (tokens[size:].copy(), ends)
    return [_kernels.extract_tied_edits(*sides, table, none[0], none, none[0], 0, 10, 10, 1) for _ in range(100)]


def chunk_edits(size: int, versions: int) -> tuple[object, ...]:
    """Every word of a text of `size` words changed, in each of so many versions."""
    places = np.tile(np.arange(size, dtype=np.int32), versions)
    return np.arange(versions + 1) * size, places, places + 1, (places, np.arange(size * versions + 1))


def chunks() -> object:
    """Call after call: what one call finds grows with its time, and minutes of it would not fit in memory."""
    size, versions = 10_000, 100
    source = np.zeros(size, np.int32), np.array([0, size])
    sides = chunk_edits(size, 1), np.array([0, versions]), chunk_edits(size, versions)
    return [_kernels.judge_chunks(source, np.zeros(1, np.int64), *sides, False, 1) for _ in range(10_000)]


def chunk_scores() -> object:
    rows = np.ones((2, 2, 5))
    rows[:, 1] = 2
    weights = np.full((10, 2), 2**31 - 1, np.int32)
    limits = ((2.0, 0.5, 1.5),) * 3
    scoring = _kernels.ChunkScoring(True, limits, False, (0.25,) * 4, 0.5, False)
    return _kernels.score_chunks(rows, 0, weights, np.zeros(10), np.zeros((10, 11)), scoring, 1)


def difficulty() -> object:
    size = 100_000
    source = np.zeros(size, np.int32), np.array([0, size])
    edits = chunk_edits(size, 1)
    return _kernels.judge_versions(source, np.zeros(1, np.int64), edits, edits, True, 1)


def greedy() -> object:
    options = IMeasure().three_way().kernel()
    weights = np.full((10_000, 2), 2**31 - 1, np.int32)
    return _kernels.sum_greedy(np.ones((2, 2, 11), np.int32), weights, options, 2)


def trueskill(steps: int) -> object:
    tables = np.ones((1, 3, 3), np.int64)
    return _kernels.trueskill(tables, 3, 0.5, 0.1, 0.1, 10**15, steps, 1, 4, 2)


def bleu() -> object:
    ids = np.arange(10**6, dtype=np.int32)
    text, many = (ids, np.array([0, 10**6])), (np.tile(ids[::-1], 100), np.arange(101) * 10**6)
    return _kernels.count_bleu(many, np.zeros(100, np.int64), np.array([0, 1]), text, 100, 2)


def hoo() -> object:
    metric = Hoo(max_lattice=1_000_000)
    return metric.prepare(Corpus.from_references([unlike("a", 700)], [[unlike("b", 700)]])).count([unlike("c", 700)])


def draws() -> object:
    """Call after call, as below: one alone may end before a busy machine sends the signal."""
    return [len(_kernels.poisson_weights(np.arange(10**5, dtype=np.uint64), 1, 0, 5000, 2)) for _ in range(10_000)]


def drawn_choices() -> object:
    counts = np.tile(np.array([[1, 2, 3], [2, 3, 9]], np.int32), (100_000, 1, 1))
    return _kernels.sum_drawn_choices(counts, np.arange(100_000, dtype=np.uint64), 1, 0, np.zeros((10**6, 3)), 0.5, 2)


def swapped_choices() -> object:
    counts = np.tile(np.array([[[1, 2, 3], [2, 3, 9]]], np.int32), (100_000, 1, 1))
    bits = np.full((50_000, 10_000), 0x55, np.uint8)
    return [_kernels.sum_swapped(counts, bits, 80_000, 0.5, 2) for _ in range(10)]


def drawn_references() -> object:
    size = 10**6
    rows = np.ones((size, 2, 10), np.int32)
    bounds = np.full(size, 2, np.int32)
    draws = _kernels.ReferenceDraws(0, 1_000, 1, 101, 10)
    return [draws.add(rows, np.arange(size + 1), bounds, 2) for _ in range(10)]


def weighed_choice() -> object:
    counts = np.tile(np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 9.0]]), (2, 1, 1))
    return _kernels.sum_weighed(counts, np.full((10_000, 2), 2**31 - 1, np.int32), 0.5, 1, 1)


def labels() -> object:
    """A model that looks at one cell and knows nothing, over very many tokens."""
    none, size = np.zeros(0, np.int32), 3 * 10**7
    model = _kernels.Labeller(
        np.array([0, 0, -1, 0, -1, 0], np.int32),
        *(30, 1000),
        *(none.astype(np.uint32), none.astype(np.uint8), none.astype(np.uint8), none.astype(np.int16)),
        np.zeros(900, np.int32),
    )
    text = np.zeros(size, np.int32), np.arange(0, size + 1, 100)
    return [len(model.label(np.ones(2, np.uint32), 1, text, np.array([], np.uint8), 2)) for _ in range(10_000)]


def trueskill_passes() -> object:
    orders = np.tile(np.arange(10_000), (1000, 1))
    return _kernels.trueskill_passes(np.random.default_rng(1).random((100, 10_000)), orders, 0.5, 0.1, 0.1, 2)


def unseenest() -> object:
    from recte.studies.coverage.unseen_corrections import unseen_of_all

    return unseen_of_all([[5] * 1500] * 100)


KERNELS = {
    "unseenest": unseenest,
    "bleu": bleu,
    "hoo": hoo,
    "draws": draws,
    "drawn-choices": drawn_choices,
    "drawn-references": drawn_references,
    "swapped-choices": swapped_choices,
    "weighed-choice": weighed_choice,
    "labels": labels,
    "trueskill-passes": trueskill_passes,
    "maxmatch": lambda: maxmatch("official"),
    "optimal": lambda: maxmatch("optimal"),
    "trace": trace,
    "three-way": three_way,
    "mixed": mixed,
    "overlap": overlap,
    "word-matching": word_matching,
    "gleu": gleu,
    "choices": choices,
    "optimal-choice": lambda: optimal_choice(0),
    "optimal-sums": lambda: optimal_choice(1000),
    "rounded-choice": rounded_choice,
    "greedy": greedy,
    "green": green,
    "extraction": extraction,
    "chinese-extraction": chinese_extraction,
    "chunks": chunks,
    "chunk-scores": chunk_scores,
    "difficulty": difficulty,
    "trueskill": lambda: trueskill(0),
    "expected-trueskill": lambda: trueskill(10**15),
}


def record_arrays() -> dict[int, np.ndarray]:
    """The arrays that kernels are called with from now on."""
    arrays = {}

    def record(value: object) -> None:
        if isinstance(value, np.ndarray):
            arrays[id(value)] = value
        elif isinstance(value, tuple | list):
            for part in value:
                record(part)

    def recording(function: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            record([*values, *named.values()])
            return function(*values, **named)

        return call

    for name, function in vars(_kernels).copy().items():
        if callable(function) and not name.startswith("_"):
            setattr(_kernels, name, recording(function))
    return arrays


def overwrite(arrays: Iterable[np.ndarray]) -> None:
    """Let every number be the largest there is, far beyond every other array."""
    for array in arrays:
        if array.flags.writeable:
            array.fill(np.iinfo(array.dtype).max // 2 if array.dtype.kind in "iu" else 1e300)


def main(kernel: str, mode: str = "") -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background hands on that it ignores it
    if mode == "changed":
        arrays = record_arrays()

        def change(*_: object) -> None:
            overwrite(arrays.values())
            signal.signal(signal.SIGINT, signal.default_int_handler)
            print("changed", flush=True)

        signal.signal(signal.SIGINT, change)
    print("working", flush=True)
    try:
        KERNELS[kernel]()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    except ValueError:
        print("refused", flush=True)
    else:
        print("finished", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
