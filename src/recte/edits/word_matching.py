"""Words of two sentences aligned by weighted bipartite matching: Choshen and Abend, section 2.

Every word of the shorter sentence gets a partner; words that are spelt alike are cheap to pair, and near ones go first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.vocabulary import Vocabulary
from recte.errors import InputError, TooLongError, check_choice
from recte.threads import thread_count

__all__ = ["MATCHING_POSITIONS", "UNALIGNED", "MatchingPosition", "edit_distance", "match_words"]

MatchingPosition = Literal["tie-break", "weighed", "published"]
MATCHING_POSITIONS: tuple[MatchingPosition, ...] = ("tie-break", "weighed", "published")
UNALIGNED = -1
# Letters compared and words looked at for one pair of sentences: some twenty seconds, or 1,500 words that have nothing
# in common with 1,500 others.
_MOST_WORK = 4_000_000_000


def match_words(
    sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]], *, position: MatchingPosition = "tie-break"
) -> list[NDArray[np.int32]]:
    """For each pair of sentences, the place of every source word's partner in the target, or `UNALIGNED`.

    The sum of edit distances is least. With `tie-break` nearer places only decide among such matchings, as the paper
    says; `weighed` adds |i - j| / length of the longer sentence to each distance, as the authors' program does. What is
    left undecided goes to the fewest changed words, then to words that keep their order; with `published`, which weighs
    too, to what Munkres' method finds, as in the authors' program.

    >>> [partners.tolist() for partners in match_words([["he", "go", "home"]], [["then", "he", "goes", "home"]])]
    [[1, 2, 3]]
    """
    check_choice("position", position, MATCHING_POSITIONS)
    if len(sources) != len(targets):
        raise InputError(f"expected as many targets as the {len(sources)} sources, got {len(targets)}")
    vocabulary = Vocabulary()
    a, _ = vocabulary.encode(sources, extend=True)
    b, _ = vocabulary.encode(targets, extend=True)
    partners, status = _kernels.match_words(
        a, b, vocabulary.letters(), MATCHING_POSITIONS.index(position), _MOST_WORK, thread_count(len(sources))
    )
    refused = np.flatnonzero(status)
    if refused.size:
        place = int(refused[0])
        raise TooLongError(
            f"{len(sources[place])} by {len(targets[place])} words are too unlike to match in {_MOST_WORK:,} steps; "
            "split long lines",
            place + 1,
        )
    return np.split(partners, a[1][1:-1]) if len(sources) else []


@lru_cache(maxsize=1 << 18)
def edit_distance(a: str, b: str) -> int:
    """Levenshtein's distance of two words, for what is compared outside the kernel.

    >>> edit_distance("go", "goes")
    2
    """
    if a == b:
        return 0
    line = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, line[0] = line[0], i
        for j, other in enumerate(b, 1):
            diagonal, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, diagonal + (letter != other))
    return line[-1]
