"""Work that would take minutes, one kernel by its name: for tests that interrupt it.

Prints `working` before the kernel is called, and `interrupted` once KeyboardInterrupt has come out of it.
"""

from __future__ import annotations

import sys

import numpy as np

from recte import Corpus, IMeasure, MaxMatch, _kernels
from recte.alignment.edit_search import EditSearch, SearchOptions
from recte.alignment.word_matching import match_words
from recte.corpus import Edit


def unlike(letter: str, size: int) -> str:
    return " ".join(f"{letter}{i}" for i in range(size))


def maxmatch(behaviour: str) -> object:
    metric = MaxMatch(behaviour=behaviour, max_lattice=1_000_000)
    return metric.prepare(Corpus.from_references([unlike("a", 700)], [[unlike("b", 700)]])).count([unlike("c", 700)])


def trace() -> object:
    search = EditSearch.of(Corpus.from_edits([unlike("a", 700)], [[[]]]).columns)
    return search.trace([unlike("b", 700)], SearchOptions(max_lattice=1_000_000))


def three_way() -> object:
    corpus = Corpus.from_references([unlike("a", 990)] * 100, [[unlike("b", 990)] * 100])
    return IMeasure(max_cells=10**9).prepare(corpus).count([unlike("c", 990)] * 100)


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
    text, many = (ids, np.array([0, 10**6])), (np.tile(ids, 100), np.arange(101) * 10**6)
    place = np.zeros(100, np.int64)
    return _kernels.count_gleu(text, many, place, np.array([0, 1]), text, 100, 0, 1, 2)


def greedy() -> object:
    options = IMeasure().three_way().kernel()
    weights = np.full((10_000, 2), 2**31 - 1, np.int32)
    return _kernels.sum_greedy(np.ones((2, 2, 11), np.int32), weights, options, 2)


def trueskill(steps: int) -> object:
    tables = np.ones((1, 3, 3), np.int64)
    return _kernels.trueskill(tables, 3, 0.5, 0.1, 0.1, 10**15, steps, 1, 4, 2)


KERNELS = {
    "maxmatch": lambda: maxmatch("official"),
    "optimal": lambda: maxmatch("optimal"),
    "trace": trace,
    "three-way": three_way,
    "mixed": mixed,
    "overlap": overlap,
    "word-matching": word_matching,
    "gleu": gleu,
    "choices": choices,
    "greedy": greedy,
    "trueskill": lambda: trueskill(0),
    "expected-trueskill": lambda: trueskill(10**15),
}

if __name__ == "__main__":
    print("working", flush=True)
    try:
        KERNELS[sys.argv[1]]()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    else:
        print("finished", flush=True)
