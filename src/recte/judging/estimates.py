"""What a run would ask, told before it costs anything."""

from __future__ import annotations

from collections.abc import Collection

from recte.judging.asking import Asking
from recte.neural.results import unknown_inputs

__all__ = ["cost_of"]


def cost_of(judge: Asking, inputs: Collection[tuple[str, ...]]) -> str:
    """How many requests distinct inputs are, how many of them are left to ask, and about how many tokens those take."""
    judge.check()
    wanted = list(dict.fromkeys(inputs))
    left = [texts for texts in unknown_inputs(judge, wanted) if isinstance(texts, tuple)]
    tokens, spent_before = judge.estimated_tokens(left), len(wanted) - len(left)
    return (
        f"{len(wanted):,} requests, about {judge.estimated_tokens(wanted):,} tokens; {spent_before:,} of them are "
        f"answered in the cache: {len(left):,} requests to {judge.endpoint.host} are left, about {tokens:,} tokens"
    )
