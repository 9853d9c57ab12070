"""A kernel that needs more memory than there is: for tests that want an exception and no crash.

`threads`: the first text lasts and the second needs memory, so that the thread other than the calling one finds none.
`here`: the other way about. Prints the name of what came out.
"""

from __future__ import annotations

import resource
import sys

import numpy as np

from recte import _kernels

SPARE = 200 * 2**20  # bytes besides what the process has: threads start, and the long text's table does not fit
SMALL, LONG = 200_000, 1_000_000
SIZES = {"threads": (SMALL, LONG), "here": (LONG, SMALL)}


def main() -> None:
    sizes = SIZES[sys.argv[1]]
    words, borders = np.arange(sum(sizes), dtype=np.int32), np.array([0, sizes[0], sum(sizes)])
    texts, others, third = ((words * step, borders) for step in (1, 2, 3))  # n-grams of equal texts take no memory
    places, references = np.arange(2), np.arange(3)
    with open("/proc/self/statm") as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + SPARE, used + SPARE))
    try:
        _kernels.count_green(texts, others, places, references, third, 100, 1, 2)
    except Exception as error:
        print(type(error).__name__)
    else:
        print("nothing")


if __name__ == "__main__":
    main()
