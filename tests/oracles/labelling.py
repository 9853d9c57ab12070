"""Labels by trying every sequence of them: the twin of the labelling kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

__all__ = ["affix_hashes", "best_labels", "feature_number"]

_BITS = 0xFFFFFFFF


def _mixed(number: int) -> int:
    number ^= number >> 16
    number = number * 0x85EBCA6B & _BITS
    number ^= number >> 13
    number = number * 0xC2B2AE35 & _BITS
    return number ^ number >> 16


def feature_number(template: int, values: Sequence[int]) -> int:
    feature = _mixed(template + 1)
    for value in values:
        feature = (_mixed(feature ^ (value + 0x9E3779B9 & _BITS)) + feature * 31) & _BITS
    return max(feature, 1)


def best_labels(
    sentence: Sequence[int],
    attributes: Sequence[Sequence[int]],
    templates: Sequence[Sequence[tuple[int, int]]],
    weights: Mapping[int, Mapping[int, int]],
    transitions: Sequence[Sequence[int]],
    margin: int,
) -> list[int]:
    """The sequence with the largest sum; of equal ones that with the lowest last label, then the last but one…"""
    scores = []
    for place in range(len(sentence)):
        row = [0] * len(transitions)
        for number, cells in enumerate(templates):
            values = []
            for column, distance in cells:
                inside = 0 <= place + distance < len(sentence)
                values.append(attributes[sentence[place + distance] if inside else -1][column])
            for label, weight in weights.get(feature_number(number, values), {}).items():
                row[label] += weight
        scores.append(row)
    candidates = [[label for label, score in enumerate(row) if score > max(row) - margin] for row in scores]

    def rank(labels: Sequence[int]) -> tuple[int, list[int]]:
        total = sum(row[label] for row, label in zip(scores, labels, strict=True))
        total += sum(transitions[earlier][later] for earlier, later in pairwise(labels))
        return -total, list(reversed(labels))

    return list(min(product(*candidates), key=rank))


def affix_hashes(word: str, beginnings: int, ends: int) -> list[int]:
    pieces = [word, *(word[:size] if size <= len(word) else None for size in range(1, beginnings + 1))]
    pieces += [word[len(word) - size :] if size <= len(word) else None for size in range(1, ends + 1)]
    actual = []
    for piece in pieces:
        hashed = 2166136261
        for byte in (piece or "").encode():
            hashed = (hashed ^ byte) * 16777619 & _BITS
        actual.append(0 if piece is None else hashed)
    return actual
