"""What an edit is about: the span that types look at."""

from __future__ import annotations

from recte.annotation import Annotated
from recte.extraction.alignment import Span

__all__ = ["without_common_end"]


def without_common_end(source: Annotated, corrected: Annotated, span: Span) -> Span:
    """The span less the words at its end that differ in case at most; a pair of single words stays.

    >>> a = Annotated(("Doctor",), ("NN",), ("NOUN",), ("doctor",), ("ROOT",), (0,))
    >>> b = Annotated(("The", "doctor"), ("DT", "NN"), ("DET", "NOUN"), ("the", "doctor"), ("det", "ROOT"), (1, 1))
    >>> without_common_end(a, b, Span(0, 1, 0, 2))
    Span(start=0, end=0, corrected_start=0, corrected_end=1)
    """
    start, end, corrected_start, corrected_end = span
    while (
        end > start
        and corrected_end > corrected_start
        and (end - start > 1 or corrected_end - corrected_start > 1)
        and source.text[end - 1].lower() == corrected.text[corrected_end - 1].lower()
    ):
        end, corrected_end = end - 1, corrected_end - 1
    return Span(start, end, corrected_start, corrected_end)
