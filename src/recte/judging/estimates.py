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
    known = len(wanted) - len(left)
    return (
        f"{_requests(len(wanted))}, about {judge.estimated_tokens(wanted):,} tokens; {known:,} of them "
        f"{'is' if known == 1 else 'are'} answered in the cache: {_requests(len(left))} to {judge.endpoint.host} "
        f"{'is' if len(left) == 1 else 'are'} left, about {judge.estimated_tokens(left):,} tokens"
    )


def _requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"
