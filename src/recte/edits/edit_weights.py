"""How much an edit is worth: by its length, by a scorer of two texts, or from a table.

PT-M² and PT-ERRANT (Gong et al. 2022) are the second with a learned scorer: an edit against a reference weighs as much
as it moves the score of the source towards or away from the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Protocol, TypeVar

from recte.edits.edit_context import EditInContext, EditKey, TextPairs
from recte.errors import InputError, OptionError
from recte.files import describe_unread_table
from recte.messages import note, warn
from recte.text.text_scorers import NAMED, TextScorer, scorer_named, scores_of

__all__ = ["EditWeigher", "TableWeigher", "TextWeigher", "WeightedTexts", "edit_weigher", "register_edit_weights"]
__all__ += ["report_unused_weights", "weights_of"]


class WeightedTexts(Protocol):
    """Edits with the pairs of texts that weigh them: the source with each edit and the reference, then for each the
    source and the reference.
    """

    @property
    def text_pairs(self) -> TextPairs: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> EditInContext: ...


_Columns = TypeVar("_Columns", bound=WeightedTexts)


class EditWeigher(Protocol):
    """Gives a weight of 0 or more for each of many edits at once; `name` goes into the signature."""

    @property
    def name(self) -> str: ...

    def __call__(self, edits: Sequence[EditInContext], /) -> Sequence[float]: ...


@dataclass(frozen=True)
class _ByLength:
    """The number of tokens replaced or put in, whichever is more."""

    name: str = "length"

    def __call__(self, edits: Sequence[EditInContext]) -> list[float]:
        return [float(max(e.end - e.start, len(e.correction.split()), 1)) for e in edits]


@dataclass(frozen=True)
class TableWeigher:
    """Weights by sentence, place and correction; an edit that the table has not weighs 1.

    >>> table = TableWeigher("mine.tsv", {EditKey(0, 1, 2, "goes"): 0.5})
    >>> list(table([EditInContext(0, ("He", "go"), 1, 2, "goes"), EditInContext(0, ("He", "go"), 1, 2, "went")]))
    [0.5, 1.0]
    """

    name: str
    weights: Mapping[EditKey, float]
    weighed: set[EditKey] = field(default_factory=set, init=False, repr=False, compare=False)  # edits so far

    def __call__(self, edits: Sequence[EditInContext]) -> list[float]:
        keys = [edit.key for edit in edits]
        self.weighed.update(keys)
        return [self.weights.get(key, 1.0) for key in keys]

    @property
    def unused(self) -> list[EditKey]:
        """Edits of the table that neither the gold nor any system had so far, in the order of the table."""
        return [key for key in self.weights if key not in self.weighed]


@dataclass(frozen=True)
class TextWeigher:
    """|score(source with the edit alone, reference) − score(source, reference)|, each pair of texts scored once.

    A score with an attribute `many` is called by it, with all pairs of texts at once (`recte.text.text_scorers`).

    >>> def overlap(a, b):
    ...     return len({*a.split()} & {*b.split()}) / len({*a.split()} | {*b.split()})
    >>> list(TextWeigher("overlap", overlap)([EditInContext(0, ("He", "go"), 1, 2, "goes", "0", "He goes")]))
    [0.6666666666666667]
    """

    name: str
    score: TextScorer

    def __call__(self, edits: Sequence[EditInContext]) -> list[float]:
        pairs = [((e.applied, e.reference), (e.source, e.reference)) for e in edits]
        both = [pair for of_edit in pairs for pair in of_edit]
        scores = iter(scores_of(self.score, both, who=f"edit_weights {self.name}"))
        return [abs(applied - source) for applied, source in zip(scores, scores, strict=True)]


def weights_of(
    weigher: EditWeigher | None, parts: Sequence[tuple[TextPairs | None, Callable[[], _Columns]]]
) -> list[tuple[_Columns, Sequence[float]]]:
    """The edits that each part finds, and their weights: 1 where nobody weighs them.

    Where texts weigh them and the scorer takes pairs of texts block by block (`in_blocks`), it reads those that are
    known ahead while edits are still looked for.
    """
    in_blocks = getattr(weigher.score, "in_blocks", None) if isinstance(weigher, TextWeigher) else None
    if weigher is None or in_blocks is None:
        results = [find() for _, find in parts]
        if weigher is None:
            return [(edits, [1.0] * len(edits)) for edits in results]
        weights = iter(_ask(weigher, [edits[e] for edits in results for e in range(len(edits))]))
        return [(edits, list(islice(weights, len(edits)))) for edits in results]
    ends: list[int] = []
    with ThreadPoolExecutor(max_workers=1) as finder:
        finding = [finder.submit(copy_context().run, find) for _, find in parts]

        def blocks() -> Iterator[TextPairs]:
            end = 0
            for (ahead, _), future in zip(parts, finding, strict=True):
                if ahead is not None:
                    end += len(ahead.pairs)
                    yield ahead
                pairs = future.result().text_pairs
                end += len(pairs.pairs)
                ends.append(end)
                yield pairs

        try:
            scores = in_blocks(blocks())
        finally:
            for future in finding:
                future.cancel()
    if not (abs(scores) < inf).all():
        raise InputError(f"edit_weights {weigher.name}: expected a number for each pair of texts")
    weighed = []
    for end, future in zip(ends, finding, strict=True):
        edits = future.result()
        applied, source = scores[end - 2 * len(edits) : end].reshape(2, -1)
        weighed.append((edits, abs(applied - source)))
    return weighed


def _ask(weigher: EditWeigher, edits: Sequence[EditInContext]) -> Sequence[float]:
    """What a weigher, which may be anybody's, says of edits: a number from 0 on for each."""
    weights = list(weigher(edits))
    if len(weights) != len(edits):
        raise InputError(
            f"edit_weights {weigher.name}: expected {len(edits)} weights, one for each edit, got {len(weights)}"
        )
    odd = next((weight for weight in weights if not 0 <= weight < inf), None)
    if odd is not None:
        raise InputError(f"edit_weights {weigher.name}: expected numbers from 0 on, got {odd}")
    return weights


_registered: dict[str, EditWeigher] = {}


def register_edit_weights(name: str, weigher: EditWeigher) -> None:
    """Make weights known by a name, for the option `edit_weights`.

    >>> register_edit_weights("halves", TextWeigher("halves", lambda a, b: 0.5 if a == b else 0.0))
    >>> edit_weigher("halves").name
    'halves'
    """
    _registered[name] = weigher


def report_unused_weights(name: str) -> None:
    """Say how many rows of a table of weights, known by this name, weighed no edit; warn where no row did."""
    weigher = _registered.get(name)
    if not isinstance(weigher, TableWeigher) or not (unused := weigher.unused):
        return
    first, count = unused[0], len(weigher.weights)
    correction = f"to {first.correction!r}" if first.correction else "deleted"
    (warn if len(unused) == count else note)(
        f"{name}: {len(unused):,} of {count:,} weights are of no edit of the gold or of a system, the first of "
        f"sentence {first.sentence + 1}, tokens {first.start} {first.end} {correction}",
        subject=f"weights {name}",
    )


def edit_weigher(name: str) -> EditWeigher:
    """The weights of that name: `length`, a registered one, or a scorer of two texts, `module:function` or our own.

    >>> edit_weigher("length")([EditInContext(0, ("He", "go"), 1, 2, "has gone")])
    [2.0]
    """
    if name in _registered:
        return _registered[name]
    if name == "length":
        return _ByLength()
    if ":" not in name and name not in NAMED:
        expected = "length, a file or module:function"
        raise OptionError(describe_unread_table("edit_weights", name, expected, "load_edit_weights"))
    scorer = scorer_named(name, "edit_weights")
    return TextWeigher(getattr(scorer, "name", name.replace(":", ".")), scorer)
